/* fuzz_doctor.c -- runs `etcore doctor` on a valid dump and on any bytes. It must always write a
 * complete report. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands/doctor/doctor.h"
#include "zip_repair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool count(void *arg, struct etc_str chunk)
{
	*(uint64_t *)arg += chunk.len;
	return true;
}

static void ask(const char **files, uint32_t file_count, const char *format)
{
	struct etc_doctor_options options = { .common.operands = { files, file_count },
		                              .output = { &format, 1 },
		                              .no_siblings = true };
	uint64_t bytes = 0;
	struct etc_text out = { .sink = count, .arg = &bytes };
	struct etc_error err = { 0 };
	enum etc_status st =
		etc_session_run(0, etc_doctor, &options, &(struct etc_reply){ .out = &out }, &err);

	if (!etc_text_flush(&out) || (st != ETC_OK && st != ETC_FINDING && st != ETC_NOMEM))
		abort();
	if ((st == ETC_OK || st == ETC_FINDING) && bytes == 0)
		abort();
	if (st == ETC_FINDING && err.code != E0960)
		abort();
	etc_text_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("any", MFD_CLOEXEC);
	uint8_t *copy = malloc(size ? size : 1);
	char path[32];
	const char *files[3] = { path, "tests/data/cases/mlp_xnnpack/run.etdump",
		                 "tests/data/cases/mlp_xnnpack/model.pte" };

	if (!copy || fd < 0)
		abort();
	if (size)
		memcpy(copy, data, size);
	repair(copy, size);
	if (write(fd, copy, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	ask(files, (uint32_t)(size % 3) + 1, size % 2 ? "text" : "json");
	close(fd);
	free(copy);
	return 0;
}
