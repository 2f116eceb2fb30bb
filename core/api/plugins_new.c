/* plugins_new.c -- `etcore plugins new NAME`: the template with its name in the
 * place of acme, in a folder of its own. */
#include "api/session.h"
#include "api/template.h"
#include "base/folder.h"
#include "base/inside.h"

enum { NAME_MOST = 32 }; /* leaves room for columns and files that begin with it */

struct making {
	struct etc_arena *arena;
	const char *name;
	struct etc_str backend; /* "AcmeNpuBackend" of acme_npu */
};

/* "acme_npu" -> "AcmeNpuBackend" */
static struct etc_str backend_of(struct etc_arena *arena, const char *name)
{
	struct etc_str s = etc_arena_printf(arena, "%sBackend", name);
	char *to = (char *)s.ptr;
	bool capital = true;
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++) {
		bool letter = s.ptr[i] >= 'a' && s.ptr[i] <= 'z';

		if (s.ptr[i] != '_')
			to[n++] = capital && letter ? (char)(s.ptr[i] - 'a' + 'A') : s.ptr[i];
		capital = s.ptr[i] == '_';
	}
	return etc_str_sub(s, 0, n);
}

/* What contract.c demands of a descriptor's name. */
static enum etc_status check_name(const char *name, struct etc_error *err)
{
	bool ok = name[0] >= 'a' && name[0] <= 'z' && strlen(name) <= NAME_MOST;

	for (const char *p = name; *p && ok; p++)
		ok = (*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') || *p == '_';
	return ok ? ETC_OK : etc_fail(err, E0631, "'%s'", name);
}

/* `from` with every acme and AcmeBackend replaced. Bytes that are no text have none. */
static struct etc_str filled(const struct making *m, struct etc_str from, struct etc_text *scratch)
{
	const struct etc_str acme = ETC_STR("acme"), backend = ETC_STR("AcmeBackend");
	size_t at = 0;

	scratch->len = 0;
	while (at < from.len) {
		size_t a = etc_str_find(from, acme, at), b = etc_str_find(from, backend, at);
		size_t next = a < b ? a : b;

		etc_text_put(scratch, etc_str_sub(from, at, next));
		if (next == SIZE_MAX)
			break;
		etc_text_put(scratch, next == a ? etc_str_of(m->name) : m->backend);
		at = next + (next == a ? acme.len : backend.len);
	}
	return etc_text_str(scratch);
}

static enum etc_status write_file(const struct making *m, const struct etc_template_file *f,
                                  struct etc_text *scratch, struct etc_error *err)
{
	struct etc_str name = filled(m, etc_str_of(f->name), scratch);
	struct etc_str path =
		etc_arena_printf(m->arena, "%s/" ETC_STR_FMT, m->name, ETC_STR_ARG(name));
	struct etc_str text =
		filled(m, (struct etc_str){ (const char *)f->bytes, f->size }, scratch);

	if (scratch->failed || !path.ptr)
		return etc_fail(err, E0904, "the template");
	return etc_inside_write(m->name, path.ptr, text, err);
}

enum etc_status etc_plugins_new(const char *name, struct etc_text *out, struct etc_error *err)
{
	struct etc_text scratch = { 0 };
	struct making m = { .name = name };
	struct etc_arena arena;
	enum etc_status st;

	if (!name)
		return etc_fail(err, E0501, "plugins new needs a NAME");
	ETC_TRY(check_name(name, err));
	etc_arena_init(&arena, 1 << 20);
	m.arena = &arena;
	m.backend = backend_of(&arena, name);
	st = m.backend.ptr ? etc_folder_make(name, err) : etc_fail(err, E0904, "the template");
	for (const struct etc_template_file *f = etc_template_files; st == ETC_OK && f->name; f++)
		st = write_file(&m, f, &scratch, err);
	if (st == ETC_OK)
		etc_text_printf(out,
		                "%s/ is a plugin for " ETC_STR_FMT
		                "; %s/README.md says what to change\n"
		                "build: cmake -S %s -B %s/build && cmake --build %s/build\n"
		                "test:  ctest --test-dir %s/build --output-on-failure\n",
		                name, ETC_STR_ARG(m.backend), name, name, name, name, name);
	etc_text_release(&scratch);
	etc_arena_release(&arena);
	return st;
}
