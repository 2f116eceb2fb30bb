/* file.c -- checks of the plugin's file: its symbols, the libraries that it needs, and the ends of
 * the descriptor's lists. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>

#include "base/file.h"
#include "commands/plugins/check/internal.h"
#include "host/contract.h"
#include "host/elf.h"

struct seen {
	bool counts; /* the plugin was built with coverage counters (see etc_check_counts()) */
	unsigned bad;
	/* name of a sanitizer's library that the plugin needs; empty: none */
	struct etc_str sanitizer;
	struct etc_str first;
};

/* Does `name` begin with one of the items of `list`? The list ends with NULL. */
static bool starts_as(struct etc_str name, const char *const *list)
{
	while (*list && !etc_str_starts(name, etc_str_of(*list)))
		list++;
	return *list;
}

/* Opens the file. If that is impossible, the check fails. */
static bool open_file(struct etc_checking *c, struct etc_file *file)
{
	struct etc_error err;

	if (etc_file_open_found(file, c->path, 0, &err) == ETC_OK)
		return true;
	etc_check_failed(c, "%s", err.text);
	return false;
}

/* Does the symbol come from the headers of the C++ library? True for a function or variable in std
 * or __gnu_cxx, for a static variable in such a function (_ZZ) and its guard (_ZGV), and for type
 * information (_ZTI, _ZTS, _ZTV, _ZTT). */
static bool is_of_cxx(struct etc_str name)
{
	static const char *const kinds[] = { "GV", "TI", "TS", "TV", "TT", "Z", "N", "K" };
	size_t at = 2;

	if (!etc_str_starts(name, ETC_STR("_Z")))
		return false;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (etc_str_starts(etc_str_sub(name, at, name.len), etc_str_of(kinds[i])))
			at += strlen(kinds[i]);
	name = etc_str_sub(name, at, name.len);
	/* In mangled names, St is std, and Sa to So are abbreviations for names in std. */
	return etc_str_starts(name, ETC_STR("9__gnu_cxx")) ||
	       (name.len > 1 && name.ptr[0] == 'S' && strchr("tabsiod", name.ptr[1]));
}

/* Does the symbol come from the linker, from templates of libstdc++, or from a sanitizer or other
 * tool of the compiler? */
static bool is_noise(struct etc_str name, bool weak)
{
	static const char *const exact[] = { "_init",  "_fini",       "_edata",         "_end",
		                             "_start", "__bss_start", "__data_start__", NULL };
	static const char *const of_tools[] = { "__asan",   "__odr_asan", "__ubsan",
		                                "__tsan",   "__gcov",     "__llvm",
		                                "__start_", "__stop_",    NULL };

	/* `weak` is also true for symbols of the binding GNU_UNIQUE */
	return etc_str_is_one_of(name, exact) || starts_as(name, of_tools) ||
	       (weak && is_of_cxx(name));
}

/* Is it a symbol of libgcov or of LLVM's coverage runtime? */
static bool is_of_coverage(struct etc_str name)
{
	static const char *const exact[] = { "mangle_path", "lprofDirMode", "writeout_fn_list",
		                             "reset_fn_list", NULL };

	return etc_str_is_one_of(name, exact);
}

/* Does the file contain coverage counters? The code that is linked in for such counters reads an
 * environment variable, so even a stripped file contains the variable's name. */
static bool has_counters(struct etc_span file)
{
	const struct etc_str all = { (const char *)file.ptr, file.len };

	return etc_str_find(all, ETC_STR("GCOV_PREFIX\0"), 0) != SIZE_MAX ||
	       etc_str_find(all, ETC_STR("LLVM_PROFILE_FILE\0"), 0) != SIZE_MAX;
}

bool etc_check_counts(const struct etc_checking *c)
{
	struct etc_file file;
	bool counts;

	if (etc_file_open_found(&file, c->path, 0, NULL) != ETC_OK)
		return false;
	counts = has_counters(file.bytes);
	etc_file_release(&file);
	return counts;
}

static void add(struct seen *s, struct etc_str name)
{
	if (s->bad++ == 0)
		s->first = name;
}

static void symbol(void *arg, struct etc_str name, bool weak)
{
	struct seen *s = arg;

	if (!etc_str_eq(name, ETC_STR("etcore_plugin_v1")) && !is_noise(name, weak) &&
	    !(s->counts && is_of_coverage(name)))
		add(s, name);
}

bool etc_check_preloads(struct etc_str library)
{
	static const char *const names[] = { "libasan.", "libtsan.", "libclang_rt.asan",
		                             "libclang_rt.tsan", NULL };

	return starts_as(library, names);
}

static void library(void *arg, struct etc_str name)
{
	/* Libraries that exist on every system with glibc and GCC's runtime. */
	static const char *const allowed[] = { "libc.",       "libm.",    "libgcc_s.", "libstdc++.",
		                               "libpthread.", "ld-linux", "libdl.",    NULL };

	if (starts_as(name, allowed))
		return;
	if (etc_check_preloads(name) || etc_str_starts(name, ETC_STR("libubsan.")))
		((struct seen *)arg)->sanitizer = name;
	else
		add(arg, name);
}

void etc_check_symbols(struct etc_checking *c)
{
	struct seen s = { 0 };
	struct etc_file file;

	if (!open_file(c, &file))
		return;
	s.counts = has_counters(file.bytes);
	if (!etc_elf_exports(file.bytes, symbol, &s))
		etc_check_failed(c, "its symbol table cannot be read");
	else if (s.bad)
		etc_check_failed(c,
		                 "it exports %u more: " ETC_STR_FMT
		                 "%s; compile with -fvisibility=hidden, link with "
		                 "etcore-plugin.map of the SDK",
		                 s.bad, ETC_STR_ARG(s.first), s.bad > 1 ? ", ..." : "");
	etc_file_release(&file);
}

/* Is the NULL at the end of the list inside of the variable that contains the list? If not, memory
 * after the variable was read as part of the list. `base`: the address at which the file is loaded.
 * Also true if the file has no symbol for the variable, since its size is then unknown. */
static bool is_ended(struct etc_span file, uintptr_t base, const void *list)
{
	const void *const *item = list;
	uint64_t end = list ? etc_elf_object_end(file, (uintptr_t)list - base) : 0;

	while (list && *item)
		item++;
	return !end || (uintptr_t)(item + 1) - base <= end;
}

/* Appends to the check's note that the file has no symbols, so that it is unknown whether the
 * plugin's lists end with NULL. */
static void note_stripped(struct etc_checking *c)
{
	char before[sizeof c->board->text];

	memcpy(before, c->board->text, sizeof before);
	etc_check_note(c, "%s%sit is stripped: whether NULL ends its lists is not checked", before,
	               before[0] ? "; " : "");
}

void etc_check_ends(struct etc_checking *c)
{
	const struct etcore_plugin *p = c->abi;
	uintptr_t base, at = (uintptr_t)p;
	const char *what = NULL;
	struct etc_file file;
	bool symbols;
	Dl_info info;

	if (!dladdr(p, &info) || !open_file(c, &file))
		return;
	base = (uintptr_t)info.dli_fbase;
	/* If the symbols of the file give the descriptor the same size as the descriptor itself,
	 * the file is the one that is loaded. */
	symbols = etc_elf_object_end(file.bytes, at - base) == at - base + p->size;
	if (symbols) {
		what = !is_ended(file.bytes, base, p->backends)  ? "backends"
		       : !is_ended(file.bytes, base, p->options) ? "options"
		       : !is_ended(file.bytes, base, p->columns) ? "columns"
		                                                 : NULL;
		for (uint32_t i = 0; !what && p->options && p->options[i]; i++)
			if (!is_ended(file.bytes, base, etc_option_now(p->options[i]).choices))
				what = "an option's choices";
	}
	if (what)
		etc_check_failed(c, "no NULL ends its list of %s: what lies behind it is read",
		                 what);
	else if (!symbols && (p->backends || p->options || p->columns))
		note_stripped(c);
	etc_file_release(&file);
}

void etc_check_linkage(struct etc_checking *c)
{
	struct seen s = { 0 };
	struct etc_file file;

	if (!open_file(c, &file))
		return;
	if (!etc_elf_needs(file.bytes, library, &s))
		etc_check_failed(c, "its dynamic section cannot be read");
	else if (s.bad)
		etc_check_failed(c, "it needs " ETC_STR_FMT "%s; link it statically",
		                 ETC_STR_ARG(s.first), s.bad > 1 ? " and others" : "");
	else if (s.sanitizer.len)
		etc_check_skip(c,
		               "built with a sanitizer, which users' machines lack: " ETC_STR_FMT,
		               ETC_STR_ARG(s.sanitizer));
	etc_file_release(&file);
}
