/* conf_fixture.h -- for tests of the configuration: a temporary folder, and the settings that were
 * read from files in it. */
#ifndef ETC_TEST_CONF_FIXTURE_H
#define ETC_TEST_CONF_FIXTURE_H

#include "unit.h"

#include <unistd.h>

#include "formats/config/conf.h"

/* A temporary folder, the files that a test writes to it, and the settings that were read. */
struct fixture {
	char folder[64], path[128];
	struct etc_arena arena;
	struct etc_settings settings;
	struct etc_error err;
};

static inline int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	assert_non_null(f);
	strcpy(f->folder, "/tmp/etcore-conf-XXXXXX");
	assert_non_null(mkdtemp(f->folder));
	snprintf(f->path, sizeof f->path, "%s/x.ini", f->folder);
	etc_arena_init(&f->arena, 64 << 20);
	unsetenv("HOME");
	unsetenv("XDG_CONFIG_HOME");
	*state = f;
	return 0;
}

static inline int teardown(void **state)
{
	struct fixture *f = *state;
	char command[100];

	snprintf(command, sizeof command, "rm -rf '%s'", f->folder);
	assert_int_equal(system(command), 0);
	etc_arena_release(&f->arena);
	free(f);
	return 0;
}

static inline void write_bytes(const char *path, const void *bytes, size_t n)
{
	FILE *to = fopen(path, "w");

	assert_non_null(to);
	assert_int_equal(fwrite(bytes, 1, n, to), n);
	assert_int_equal(fclose(to), 0);
}

/* Reads `n` bytes as an INI file; no other file is read. */
static inline enum etc_status load_bytes(struct fixture *f, const void *bytes, size_t n)
{
	struct etc_conf_options o = { .file = f->path, .only_file = true };

	write_bytes(f->path, bytes, n);
	f->err = (struct etc_error){ 0 };
	return etc_conf_load(&o, &f->arena, &f->settings, &f->err);
}

static inline enum etc_status load(struct fixture *f, const char *ini)
{
	return load_bytes(f, ini, strlen(ini));
}

static inline struct etc_str value(const struct fixture *f, const char *section, const char *key)
{
	const struct etc_setting *s =
		etc_settings_find(&f->settings, etc_str_of(section), etc_str_of(key));

	assert_non_null(s);
	return s->value;
}

#endif
