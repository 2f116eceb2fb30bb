/* fuzz_analyze.c -- runs `etcore analyze` with its plugins on any bytes as an ETDump. The result
 * must be a screen, CSV and JSON, or an error with a code. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands/analyze/analyze.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *plugins[] = { ETC_FUZZ_PLUGINS "/xnnpack.so", ETC_FUZZ_PLUGINS "/kleidiai.so",
	                         ETC_FUZZ_PLUGINS "/coreml.so" };

static void analyze(const char *path, const char *format, const char *by)
{
	const char *formats[] = { format };
	struct etc_analyze_options options = {
		.common = { .operands = { &path, 1 }, .plugins = { plugins, 3 } },
		.no_siblings = true,
		.plan.by = by,
		.output = { formats, 1 },
	};
	struct etc_error err = { 0 };
	struct etc_text out = { 0 };
	enum etc_status st = etc_analyze(&options, &(struct etc_reply){ .out = &out }, &err);

	if (st != ETC_OK && err.code == ETC_CODE_NONE)
		abort();
	if (st == ETC_OK && out.len == 0 && strcmp(format, "text") != 0)
		abort();
	etc_text_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const by[] = { "op", "kernel", "backend" };
	int fd = memfd_create("run.etdump", MFD_CLOEXEC);
	char path[32];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	analyze(path, "text", by[size % 3]);
	analyze(path, size % 2 ? "csv" : "json", by[size / 2 % 3]);
	close(fd);
	return 0;
}
