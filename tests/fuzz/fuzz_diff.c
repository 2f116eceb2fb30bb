/* fuzz_diff.c -- runs `etcore diff` on any bytes as an ETDump: against themselves, and against a
 * valid dump on either side. The result must be a comparison, or an error with a code. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands/compare/requests.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *plugins[] = { ETC_FUZZ_PLUGINS "/xnnpack.so", ETC_FUZZ_PLUGINS "/kleidiai.so" };

static void compare(const char *a, const char *b, const char *format, const char *by)
{
	const char *files[] = { a, "--", b };
	struct etc_diff_request request = {
		.common = { .operands = { files, 3 }, .plugins = { plugins, 2 } },
		.groups.no_siblings = true,
		.plan.by = by,
		.compare.rounds = "20",
		.output = { &format, 1 },
	};
	struct etc_error err = { 0 };
	struct etc_text out = { 0 };
	enum etc_status st =
		etc_session_run(0, etc_diff, &request, &(struct etc_reply){ .out = &out }, &err);

	if (st != ETC_OK && err.code == ETC_CODE_NONE)
		abort();
	if (st == ETC_OK && out.len == 0)
		abort();
	etc_text_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const by[] = { "op", "event", "delegate", "category" };
	static const char good[] = "tests/data/cases/mlp_xnnpack/run.etdump";
	int fd = memfd_create("run.etdump", MFD_CLOEXEC);
	char path[32];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	compare(path, path, "text", by[size % 4]);
	if (size % 2)
		compare(good, path, "json", by[size / 2 % 4]);
	else
		compare(path, good, "markdown", by[size / 2 % 4]);
	close(fd);
	return 0;
}
