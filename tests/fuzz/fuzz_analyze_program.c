/* fuzz_analyze_program.c -- runs `etcore analyze` on real dumps with any bytes as their .pte.
 * Covers the join of dump and program, and XNNPACK's plugin, which reads the delegates' blobs. Must
 * run in the repository's root. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands/analyze/analyze.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *plugins[] = { ETC_FUZZ_PLUGINS "/xnnpack.so", ETC_FUZZ_PLUGINS "/kleidiai.so" };

static const struct {
	const char *dump, *etrecord;
} runs[] = {
	{ "tests/data/cases/multi_method/run.etdump",
	  "tests/data/cases/multi_method/model.etrecord" },
	{ "tests/data/cases/control_flow_cond/run.etdump", NULL },
	{ "tests/data/pte/equal_methods.etdump", "tests/data/pte/equal_methods.etrecord" },
	{ "tests/data/arm/cnn_f16/n1/run.etdump", "tests/data/arm/cnn_f16/model.etrecord" },
	{ "tests/data/cases/debug_sizes/run.etdump", NULL },
};
enum { RUNS = sizeof runs / sizeof runs[0] };

static void analyze(const char *program, size_t run)
{
	const char *format = "json", *dump = runs[run].dump;
	struct etc_analyze_options options = {
		.common = { .operands = { &dump, 1 }, .plugins = { plugins, 2 } },
		.etrecord = runs[run].etrecord,
		.program = program,
		.no_siblings = true,
		.plan.by = runs[run].etrecord ? "module" : "op",
		.output = { &format, 1 },
	};
	struct etc_error err = { 0 };
	struct etc_text out = { 0 };
	enum etc_status st = etc_analyze(&options, &(struct etc_reply){ .out = &out }, &err);

	if (st == ETC_OK ? out.len == 0 : err.code == ETC_CODE_NONE)
		abort();
	if (err.code == E0901) /* a dump listed in `runs` does not exist */
		abort();
	etc_text_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("model.pte", MFD_CLOEXEC);
	char path[32];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	for (size_t i = 0; i < RUNS; i++)
		analyze(path, i);
	close(fd);
	return 0;
}
