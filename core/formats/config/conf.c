/* conf.c -- reads one INI file of the configuration, key by key, into struct etc_conf_set. */
#include "formats/config/conf_internal.h"
#include "formats/config/ini.h"

struct reading {
	struct etc_conf_set *set;
	struct etc_str path, folder;
};

static enum etc_status take_section(void *arg, struct etc_str name, struct etc_error *err)
{
	(void)arg;
	return etc_conf_check_section(name, err);
}

static enum etc_status take_key(void *arg, struct etc_str section, struct etc_str key,
                                struct etc_str value, uint32_t line, bool more,
                                struct etc_error *err)
{
	const struct reading *r = arg;
	struct etc_setting s = { section, key, value, { 0 }, r->folder, false, 0 };

	if (more) {
		const struct etc_conf_key *row = etc_conf_find(section, key);

		if (!row || (row->type != ETC_CONF_NAMES && row->type != ETC_CONF_FOLDERS))
			return etc_fail(err, E0519,
			                "it would add '" ETC_STR_FMT "' to '" ETC_STR_FMT "'",
			                ETC_STR_ARG(value), ETC_STR_ARG(key));
		if (memchr(value.ptr, '=', value.len))
			return etc_fail(err, E0519, "but '" ETC_STR_FMT "' looks like a key",
			                ETC_STR_ARG(value));
	} else {
		ETC_TRY(etc_conf_check_key(section, key, err));
	}
	s.origin = etc_arena_printf(r->set->arena, ETC_STR_FMT ":%u", ETC_STR_ARG(r->path),
	                            (unsigned)line);
	ETC_NEED(s.origin.ptr, err);
	return etc_conf_put(r->set, s, more, err);
}

/* Returns the folder of `path`, as a prefix for relative paths; "." for a bare name. */
static struct etc_str folder_of(struct etc_arena *arena, struct etc_str path)
{
	size_t n = path.len;

	while (n > 0 && path.ptr[n - 1] != '/')
		n--;
	if (n == 0)
		return ETC_STR(".");
	return etc_arena_str(arena, etc_str_sub(path, 0, n > 1 ? n - 1 : 1));
}

enum etc_status etc_conf_read_file(struct etc_conf_set *set, const char *path,
                                   struct etc_error *err)
{
	struct reading r = { .set = set, .path = etc_str_of(path) };
	const struct etc_ini_taker taker = { &r, take_section, take_key, E0513 };

	r.folder = folder_of(set->arena, r.path);
	ETC_NEED(r.folder.ptr, err);
	set->sources++;
	return etc_ini_read(path, &taker, err);
}
