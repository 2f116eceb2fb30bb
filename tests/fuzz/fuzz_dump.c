/* fuzz_dump.c -- runs `etcore dump` on any bytes, with output as text, as JSON, and as the graph of
 * an ETRecord. The output must be complete, or empty with an error that has a code. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands/dump/dump.h"
#include "zip_repair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Keeps only the last bytes of the output, because the whole may be larger than memory. */
struct tail {
	uint64_t bytes;
	char last[2];
};

static bool count(void *arg, struct etc_str chunk)
{
	struct tail *t = arg;

	for (size_t i = 0; i < chunk.len; i++) {
		t->last[0] = t->last[1];
		t->last[1] = chunk.ptr[i];
	}
	t->bytes += chunk.len;
	return true;
}

static void dump(const char *path, const char *format, const char *graph)
{
	struct etc_dump_options options = { .file = path,
		                            .output = { &format, 1 },
		                            .graph = graph };
	struct tail tail = { 0 };
	struct etc_text out = { .sink = count, .arg = &tail };
	struct etc_error err = { 0 };
	enum etc_status st =
		etc_session_run(0, etc_dump, &options, &(struct etc_reply){ .out = &out }, &err);
	bool whole = etc_text_flush(&out);

	if (st == ETC_OK && (!whole || tail.bytes == 0 || tail.last[1] != '\n'))
		abort();
	if (st == ETC_OK && strcmp(format, "json") == 0 && tail.last[0] != '}')
		abort();
	if (st != ETC_OK && (err.code == ETC_CODE_NONE || tail.bytes != 0))
		abort();
	etc_text_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("any", MFD_CLOEXEC);
	uint8_t *copy = malloc(size ? size : 1);
	char path[32];

	if (!copy || fd < 0)
		abort();
	if (size)
		memcpy(copy, data, size);
	repair(copy, size);
	if (write(fd, copy, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	dump(path, size % 2 ? "text" : "json", NULL);
	if (size >= 2 && memcmp(copy, "PK", 2) == 0)
		dump(path, size % 2 ? "json" : "text", "");
	close(fd);
	free(copy);
	return 0;
}
