/* new.c -- `etcore plugins new NAME`: writes the files of the template to a new folder, with NAME
 * in place of acme. */
#include "commands/plugins/plugins.h"
#include "commands/plugins/template.h"
#include "base/folder.h"
#include "base/inside.h"

enum {
	/* maximum length of a name, such that names of columns and files can begin with the name */
	NAME_MOST = 32,
	BACKEND_MOST = 40, /* maximum length of an id that inih reads in the heading [backend.ID] */
	FOLDERS = 3,       /* maximum number of folders of sdk/template that a language uses */
	SWAPS = 10
};

/* The files of sdk/template for one language. */
struct language {
	const char *name, *source;
	/* folders of sdk/template; NULL after the last one if there are fewer than FOLDERS */
	const char *folders[FOLDERS];
	bool cmake; /* false: only a Makefile */
	/* Texts for the files of folder `cc`, which C and C++ share; NULL: the language does not
	 * use it. */
	const char *language, *standard, *compiler, *flags, *dialect, *meson;
};

/* clang-format off */
static const struct language languages[] = {
	{ "c", "acme.c", { "common", "cc", "c" }, true, "C", "11", "CC", "CFLAGS", "c11", "c" },
	{ "cpp", "acme.cpp", { "common", "cc", "cpp" }, true, "CXX", "17", "CXX", "CXXFLAGS", "c++17", "cpp" },
	{ "rust", "acme.rs", { "common", "rust" }, false, NULL, NULL, NULL, NULL, NULL, NULL },
	{ "zig", "acme.zig", { "common", "zig" }, false, NULL, NULL, NULL, NULL, NULL, NULL },
};
/* clang-format on */

/* The file of sdk/template whose text about building replaces @BUILD@ in the README of a new
 * plugin. */
#define BUILD_PAGE "BUILD.md"

struct swap {
	const char *from;
	struct etc_str to;
};

struct making {
	struct etc_arena *arena;
	const struct language *language;
	const char *name;
	struct etc_str backend; /* the backend's id: "AcmeNpuBackend" for the plugin acme_npu */
	struct swap swaps[SWAPS];
	unsigned swap_count;
};

/* Returns the backend's id that is made from the plugin's name, such as "AcmeNpuBackend" for
 * "acme_npu". */
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

/* Is the name reserved? etcore.rs and etcore.zig are the bindings; `owner = none` means that there
 * is no plugin; std.zig is Zig's standard library. */
static bool is_taken(const char *name)
{
	static const char *const words[] = { "etcore", "none", "std" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(name, words[i]) == 0)
			return true;
	return false;
}

/* Checks a name by the same rules that contract.c applies to descriptors. */
static enum etc_status check_name(const char *name, struct etc_error *err)
{
	bool ok = name[0] >= 'a' && name[0] <= 'z' && strlen(name) <= NAME_MOST;

	for (const char *p = name; *p && ok; p++)
		ok = (*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') || *p == '_';
	if (!ok)
		return etc_fail(err, E0631, "'%s'", name);
	return is_taken(name) ? etc_fail(err, E0631, "'%s', which has a meaning of its own", name)
	                      : ETC_OK;
}

/* Checks the characters and the length of the backend's id, which is written into a string literal,
 * a shell comment and the heading of a section. */
static enum etc_status check_backend(const char *id, struct etc_error *err)
{
	static const char allowed[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
	size_t n = strlen(id);

	if (n == 0 || n > BACKEND_MOST || strspn(id, allowed) != n)
		return etc_fail(err, E0635, "'%s'", id);
	return ETC_OK;
}

static enum etc_status find_language(const char *name, const struct language **out,
                                     struct etc_error *err)
{
	for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++)
		if (strcmp(languages[i].name, name ? name : "c") == 0) {
			*out = &languages[i];
			return ETC_OK;
		}
	return etc_fail(err, E0505, "--language '%s'; expected one of c|cpp|rust|zig", name);
}

/* ---- the files -------------------------------------------------------------------- */

/* The files of sdk/template contain words that are replaced (m->swaps). Finds the first of these
 * words in `from`, at or after index `at`. Returns the index of the word, and sets *out to its
 * entry. SIZE_MAX: there is none. */
static size_t next_swap(const struct making *m, struct etc_str from, size_t at,
                        const struct swap **out)
{
	size_t first = SIZE_MAX;

	for (unsigned i = 0; i < m->swap_count; i++) {
		size_t found = etc_str_find(from, etc_str_of(m->swaps[i].from), at);

		if (found < first) {
			first = found;
			*out = &m->swaps[i];
		}
	}
	return first;
}

/* Appends the template file `from`. Each of the template's words (m->swaps) is replaced, also in
 * the text that replaces the word @BUILD@. Binary files contain no such words. */
static void fill(const struct making *m, struct etc_str from, struct etc_text *out)
{
	const struct swap *found = NULL;
	size_t at = 0;

	for (;;) {
		size_t next = next_swap(m, from, at, &found);

		etc_text_put(out, etc_str_sub(from, at, next));
		if (next == SIZE_MAX)
			return;
		if (strcmp(found->from, "@BUILD@") == 0)
			fill(m, found->to, out);
		else
			etc_text_put(out, found->to);
		at = next + strlen(found->from);
	}
}

/* Returns the name of the file relative to a folder of the language; NULL: the file is in none of
 * these folders. */
static const char *name_in(const struct language *l, const struct etc_template_file *f)
{
	for (unsigned i = 0; i < FOLDERS && l->folders[i]; i++) {
		size_t n = strlen(l->folders[i]);

		if (strncmp(f->name, l->folders[i], n) == 0 && f->name[n] == '/')
			return f->name + n + 1;
	}
	return NULL;
}

static struct etc_str bytes_of(const struct etc_template_file *f)
{
	return (struct etc_str){ (const char *)f->bytes, f->size };
}

static struct etc_str build_page(const struct language *l)
{
	for (const struct etc_template_file *f = etc_template_files; f->name; f++) {
		const char *name = name_in(l, f);

		if (name && strcmp(name, BUILD_PAGE) == 0)
			return bytes_of(f);
	}
	return ETC_STR_NONE;
}

static void swap(struct making *m, const char *from, struct etc_str to)
{
	if (to.ptr)
		m->swaps[m->swap_count++] = (struct swap){ from, to };
}

static void set_swaps(struct making *m)
{
	const struct language *l = m->language;
	const struct {
		const char *from, *to;
	} words[] = {
		{ "@LANGUAGE@", l->language }, { "@STANDARD@", l->standard },
		{ "@COMPILER@", l->compiler }, { "@FLAGS@", l->flags },
		{ "@DIALECT@", l->dialect },   { "@MESON@", l->meson },
	};

	swap(m, "acme", etc_str_of(m->name));
	swap(m, "AcmeBackend", m->backend);
	swap(m, "@BUILD@", build_page(l));
	swap(m, "@SOURCE@",
	     etc_arena_printf(m->arena, "%s%s", m->name, l->source + strlen("acme")));
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (words[i].to)
			swap(m, words[i].from, etc_str_of(words[i].to));
}

static enum etc_status write_file(const struct making *m, const char *name, struct etc_str bytes,
                                  struct etc_text *scratch, struct etc_error *err)
{
	const char *path;

	scratch->len = 0;
	etc_text_printf(scratch, "%s/", m->name);
	fill(m, etc_str_of(name), scratch);
	path = etc_arena_str(m->arena, etc_text_str(scratch)).ptr;
	scratch->len = 0;
	fill(m, bytes, scratch);
	if (scratch->failed || !path)
		return etc_no_memory(err);
	return etc_inside_write(m->name, path, etc_text_str(scratch), err);
}

static enum etc_status write_files(const struct making *m, struct etc_text *scratch,
                                   struct etc_error *err)
{
	enum etc_status st = etc_folder_make(m->name, err);

	for (const struct etc_template_file *f = etc_template_files; st == ETC_OK && f->name; f++) {
		const char *name = name_in(m->language, f);

		if (name && strcmp(name, BUILD_PAGE) != 0)
			st = write_file(m, name, bytes_of(f), scratch, err);
	}
	return st;
}

static void say_how(const struct making *m, struct etc_text *out)
{
	const char *n = m->name;

	etc_text_printf(out,
	                "%s/ is a plugin for " ETC_STR_FMT "; %s/README.md says what to change\n",
	                n, ETC_STR_ARG(m->backend), n);
	if (m->language->cmake)
		etc_text_printf(
			out,
			"build: cmake -S %s -B %s/build && cmake --build %s/build\n"
			"test:  ctest --test-dir %s/build --output-on-failure\n"
			"Install etcore before (cmake --install); CMake finds it by PATH, or by "
			"-DCMAKE_PREFIX_PATH.\n",
			n, n, n, n);
	else
		etc_text_printf(out, "build: make -C %s\ntest:  make -C %s test\n", n, n);
}

enum etc_status etc_plugins_new(const struct etc_plugins_options *o, struct etc_text *out,
                                struct etc_error *err)
{
	const char *name = etc_operand(&o->common, 1);
	struct making m = { .name = name };
	struct etc_text scratch = { 0 };
	struct etc_arena arena;
	enum etc_status st;

	if (!name)
		return etc_fail(err, E0501, "plugins new needs a NAME");
	ETC_TRY(check_name(name, err));
	ETC_TRY(find_language(o->language, &m.language, err));
	if (o->backend)
		ETC_TRY(check_backend(o->backend, err));
	etc_arena_init(&arena, 1 << 20);
	m.arena = &arena;
	m.backend = o->backend ? etc_str_of(o->backend) : backend_of(&arena, name);
	set_swaps(&m);
	st = m.backend.ptr ? write_files(&m, &scratch, err) : etc_no_memory(err);
	if (st == ETC_OK)
		say_how(&m, out);
	etc_text_release(&scratch);
	etc_arena_release(&arena);
	return st;
}
