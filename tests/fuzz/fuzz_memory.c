/* fuzz_memory.c -- runs `etcore memory` in all formats on any bytes: as a program, and as an ETDump
 * without a program. The output must be complete, or an error must have a code. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands/memory/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct tail {
	uint64_t bytes;
	char last;
};

static bool count(void *arg, struct etc_str chunk)
{
	struct tail *t = arg;

	t->bytes += chunk.len;
	t->last = chunk.len ? chunk.ptr[chunk.len - 1] : t->last;
	return true;
}

static void ask(const char *path, const char *format)
{
	struct etc_memory_options options = { .common.operands = { &path, 1 },
		                              .output = { &format, 1 } };
	struct tail tail = { 0 };
	struct etc_text out = { .sink = count, .arg = &tail };
	struct etc_error err = { 0 };
	enum etc_status st =
		etc_session_run(0, etc_memory, &options, &(struct etc_reply){ .out = &out }, &err);
	bool whole = etc_text_flush(&out);

	if (st == ETC_OK && (!whole || tail.bytes == 0 || tail.last != '\n'))
		abort();
	if (st != ETC_OK && (err.code == ETC_CODE_NONE || err.text[0] == '\0' || tail.bytes != 0))
		abort();
	etc_text_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const formats[] = { "text", "json", "chrome", "svg" };
	int fd = memfd_create("any", MFD_CLOEXEC);
	char path[32];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	ask(path, formats[size % 4]);
	close(fd);
	return 0;
}
