/* fuzz_conf.c -- any bytes as a configuration file: settings, or an error with
 * a code and a line. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "read/conf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct etc_conf_options options = { .only_file = true };
	struct etc_settings settings = { 0 };
	struct etc_error err = { 0 };
	struct etc_arena arena;
	enum etc_status st;
	char path[32];
	int fd = memfd_create("etcore.ini", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	options.file = path;
	etc_arena_init(&arena, 16 << 20);
	st = etc_conf_load(&options, &arena, &settings, &err);
	if (st != ETC_OK && (err.code == ETC_CODE_NONE || err.file[0] == '\0'))
		abort();
	etc_arena_release(&arena);
	close(fd);
	return 0;
}
