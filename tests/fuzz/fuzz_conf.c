/* fuzz_conf.c -- reads any bytes as an INI file: the result is an error with a code and a line, or
 * settings with known keys only. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/config/conf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check(const struct etc_settings *s)
{
	require(s->source_time_scale != ETC_UNIT_UNKNOWN);
	require(s->ticks_per_second >= 0);
	require(s->has_plugins == (s->plugin_count > 0));
	for (uint32_t i = 0; i < s->plugin_count; i++)
		require(s->plugins[i].len > 0);
	for (uint32_t i = 0; i < s->backend_count; i++)
		require(s->backends[i].id.len > 0 && s->backends[i].metadata < ETC_DECODERS);
	for (uint32_t i = 0; i < s->all_count; i++) {
		require(s->all[i].section.len > 0 && s->all[i].section.len <= 49);
		require(s->all[i].key.len > 0 && s->all[i].key.len <= 49);
		require(etc_settings_find(s, s->all[i].section, s->all[i].key) == &s->all[i]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct etc_conf_options o = { .only_file = true };
	struct etc_error err = { 0 };
	struct etc_settings settings;
	struct etc_arena arena;
	enum etc_status st;
	char path[64];
	int fd = memfd_create("conf", 0);

	require(fd >= 0 && (size == 0 || write(fd, data, size) == (ssize_t)size));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	o.file = path;
	etc_arena_init(&arena, 16 << 20);
	st = etc_conf_load(&o, &arena, &settings, &err);
	if (st == ETC_OK)
		check(&settings);
	else
		require(err.code != ETC_CODE_NONE && err.file[0] && err.text[0]);
	etc_arena_release(&arena);
	close(fd);
	return 0;
}
