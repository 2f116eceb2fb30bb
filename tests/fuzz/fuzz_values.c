/* fuzz_values.c -- runs `etcore numeric values` on any bytes as an ETDump with logged values. The
 * values are shown, hashed and exported. The result must be complete, or an error with a code. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands/numeric/numeric.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BUFFER = 3001 };

static bool forget(void *arg, struct etc_str chunk)
{
	*(size_t *)arg += chunk.len;
	return true;
}

static void ask(const char *dump, const char *buffer, const char *output, bool much)
{
	static const char *where[] = { "type != quint4x2", "type != quint2x4" };
	struct etc_numeric_options options = {
		.paths = { .dump = dump, .debug_buffer = buffer, .no_siblings = true },
		.output = { &output, 1 },
		.contents = much ? "9" : NULL,
		.sha256 = much,
		.where = { where, 2 },
	};
	size_t written = 0;
	struct etc_error err = { 0 };
	struct etc_text out = { .sink = forget, .arg = &written };
	enum etc_status st = etc_session_run(0, etc_numeric_values, &options,
	                                     &(struct etc_reply){ .out = &out }, &err);

	if (!etc_text_flush(&out) || (st != ETC_OK && err.code == ETC_CODE_NONE))
		abort();
	if (st == ETC_OK && written == 0 && strchr(output, '=') == NULL)
		abort();
	etc_text_release(&out);
}

static int file_of(const char *name, const uint8_t *bytes, size_t size, char path[32])
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const outputs[] = { "text", "json", "csv", "npz=/dev/null",
		                               "safetensors=/dev/null" };
	uint8_t buffer[BUFFER];
	char dump_path[32], buffer_path[32];
	int dump = file_of("run.etdump", data, size, dump_path), debug;

	for (size_t i = 0; i < sizeof buffer; i++)
		buffer[i] = (uint8_t)(i * 37 >> 3);
	debug = file_of("debug.bin", buffer, sizeof buffer, buffer_path);
	ask(dump_path, buffer_path, outputs[size % 5], size % 2);
	ask(dump_path, buffer_path, outputs[3 + size % 2], false);
	close(dump);
	close(debug);
	return 0;
}
