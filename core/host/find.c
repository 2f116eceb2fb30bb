/* find.c -- lists the files in the search path (its order is in host.h). No plugin is opened here.
 *
 * A missing folder is not an error. Relative folders in ETCORE_PLUGIN_PATH are skipped, so that the
 * current folder is never searched. Relative folders of `plugin_path` are relative to the INI file.
 * Folders and files that other users can write to are skipped, because a plugin is code that etcore
 * runs. */
#define _GNU_SOURCE /* secure_getenv */
#include "host/internal.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "base/memory.h"
#include "host/trust.h"

enum { PATH_ROOM = 4096 };

#define SUFFIX ETC_STR(".so")
/* Path of the plugins in an installed Python wheel, relative to the folder of Python's packages
 * (site-packages). */
#define PACKAGE_PLUGINS "etcore/lib/etcore/plugins/" ETCORE_PLUGIN_ABI

struct walk {
	struct etc_search *search;
	struct etc_arena *arena;
	struct etc_notes *notes;
	uint32_t room, folder_room;
	const char *program_folder; /* folder of the running executable; NULL: unknown */
	/* the current folder is the plugin folder of etcore's installation; the libraries that its
	 * plugins need are not checked */
	bool installed;
	struct etc_trust trust;
};

static bool add(struct walk *w, struct etc_found f)
{
	struct etc_search *s = w->search;
	struct etc_found *new;

	if (!f.path.ptr || !f.stem.ptr)
		return false;
	new = ETC_APPEND(w->arena, s->files, s->count, w->room);
	if (new)
		*new = f;
	return new;
}

static int by_path(const void *a, const void *b)
{
	const struct etc_found *x = a, *y = b;

	return etc_str_cmp(x->path, y->path);
}

/* Adds the file NAME.so of a folder that was found safe, if nobody else can replace the file. */
static bool add_file(struct walk *w, const char *folder, struct etc_str name, const char *origin)
{
	struct etc_str path = etc_arena_printf(w->arena, "%s/%s", folder, name.ptr);
	char why[ETC_TRUST_WHY];

	if (path.ptr && (!etc_trust_file_within(&w->trust, path.ptr, why) ||
	                 (!w->installed && !etc_trust_libraries(&w->trust, path.ptr, why)))) {
		etc_note_each(w->notes, W0620, ETC_STR_FMT ": %s", ETC_STR_ARG(path), why);
		return true;
	}
	return add(w, (struct etc_found){
			      path,
			      etc_arena_str(w->arena, etc_str_sub(name, 0, name.len - SUFFIX.len)),
			      etc_str_of(origin) });
}

static bool look(struct walk *w, struct etc_str folder, const char *origin, const char *state)
{
	struct etc_search *s = w->search;
	struct etc_looked *new = ETC_APPEND(w->arena, s->folders, s->folder_count, w->folder_room);

	if (!new)
		return false;
	*new = (struct etc_looked){ etc_arena_str(w->arena, folder), etc_str_of(origin), state };
	return new->path.ptr != NULL;
}

/* Adds each file NAME.so in `folder`, if nobody else can replace these files. False: out of
 * memory. */
static bool add_folder(struct walk *w, struct etc_str folder, const char *origin)
{
	uint32_t first = w->search->count;
	struct dirent *e;
	char path[PATH_ROOM], why[ETC_TRUST_WHY];
	bool ok = true, safe;
	DIR *dir;

	if (folder.len == 0 || folder.len >= sizeof path)
		return true;
	memcpy(path, folder.ptr, folder.len);
	path[folder.len] = '\0';
	dir = opendir(path);
	if (!dir) {
		etc_memory_errno(errno);
		return look(w, folder, origin,
		            errno == ENOENT ? "no such folder" : "cannot be read");
	}
	safe = etc_trust_folder(&w->trust, path, why);
	if (!safe)
		etc_note_each(w->notes, W0619, "%.200s: %s", path, why);
	ok = look(w, folder, origin, safe ? "" : "skipped: W0619");
	while (ok && safe && (e = readdir(dir)) != NULL) {
		struct etc_str name = etc_str_of(e->d_name);

		if (name.ptr[0] != '.' && name.len > SUFFIX.len && etc_str_ends(name, SUFFIX))
			ok = add_file(w, path, name, origin);
	}
	closedir(dir);
	if (w->search->count - first > 1)
		qsort(w->search->files + first, w->search->count - first, sizeof *w->search->files,
		      by_path);
	return ok;
}

/* Adds the files of the folders in a list separated by ':'. If `absolute` is true, a relative
 * folder is skipped and reported as W0618. */
static bool add_list(struct walk *w, struct etc_str list, const char *origin, bool absolute)
{
	bool ok = true;

	while (list.len) {
		const char *colon = memchr(list.ptr, ':', list.len);
		size_t n = colon ? (size_t)(colon - list.ptr) : list.len;

		if (absolute && n && list.ptr[0] != '/')
			etc_note_each(w->notes, W0618, "%.*s", (int)(n < 200 ? n : 200), list.ptr);
		else
			ok = add_folder(w, etc_str_sub(list, 0, n), origin);
		if (!ok)
			return false;
		list = etc_str_sub(list, n + (colon != NULL), list.len);
	}
	return true;
}

static bool add_user(struct walk *w)
{
	const char *data = secure_getenv("XDG_DATA_HOME"), *home = secure_getenv("HOME");
	char path[PATH_ROOM];
	int n = 0;

	if (data && data[0] == '/')
		n = snprintf(path, sizeof path, "%s/etcore/plugins", data);
	else if (home && home[0] == '/')
		n = snprintf(path, sizeof path, "%s/.local/share/etcore/plugins", home);
	if (n <= 0 || (size_t)n >= sizeof path)
		return true;
	return add_folder(w, (struct etc_str){ path, (size_t)n }, "user");
}

static bool is_folder(const char *path, struct stat *st)
{
	return stat(path, st) == 0 && S_ISDIR(st->st_mode);
}

/* Is `name` that of a Python folder: "python3.13", "pypy3.10", or "python3", the folder of Debian's
 * packages? */
static bool is_python(struct etc_str name)
{
	return etc_str_starts(name, ETC_STR("python3")) || etc_str_starts(name, ETC_STR("pypy3"));
}

/* Returns y of a Python folder with the version 3.y, for example 9 for "pypy3.9"; 0: the name has
 * no version. */
static unsigned long minor_of(const char *name)
{
	const char *dot = strchr(name, '.');

	return dot ? strtoul(dot + 1, NULL, 10) : 0;
}

/* Compares the versions in names of Python folders: 3.9 is older than 3.13. If versions are equal,
 * the name that is last in alphabetical order counts as newer, so that the result does not depend
 * on the order in which readdir() returns the names. */
static bool is_newer(const char *name, const char *than)
{
	unsigned long n = minor_of(name), m = minor_of(than);

	return n != m ? n > m : strcmp(name, than) > 0;
}

/* Finds the plugin folder of an installed Python wheel: "<python>/site-packages/etcore/lib/…" below
 * `lib`, which is "../lib" relative to the folder of the running executable. If there are
 * several Python folders, the newest is used. Empty: there is none. */
static struct etc_str folder_of_python(struct etc_str lib, struct etc_arena *arena, struct stat *st)
{
	static const char *const sites[] = { "site-packages", "dist-packages" };
	DIR *dir = lib.ptr ? opendir(lib.ptr) : NULL;
	struct etc_str found = { 0 };
	char newest[NAME_MAX + 1] = "";

	if (!dir) {
		etc_memory_errno(errno);
		return found;
	}
	for (struct dirent *e; (e = readdir(dir)) != NULL;) {
		for (int i = 0;
		     i < 2 && is_python(etc_str_of(e->d_name)) && is_newer(e->d_name, newest);
		     i++) {
			struct etc_str path = etc_arena_printf(arena, "%s/%s/%s/" PACKAGE_PLUGINS,
			                                       lib.ptr, e->d_name, sites[i]);

			if (path.ptr && is_folder(path.ptr, st)) {
				found = path;
				snprintf(newest, sizeof newest, "%s", e->d_name);
			}
		}
	}
	closedir(dir);
	return found;
}

/* Returns the plugin folder of the installation, which is found from the folder of the running
 * executable. An installation is the result of `cmake --install`, `pip install --target` or `pip
 * install`, or the build tree. Empty: no such folder was found. */
static struct etc_str installed_folder(const char *program_folder, struct etc_arena *arena,
                                       struct stat *st)
{
	static const char *const places[] = { ETCORE_PLUGINDIR_FROM_BINDIR, "plugins",
		                              "../" PACKAGE_PLUGINS };
	static const char *const libs[] = { "../lib", "../lib64" };
	struct etc_str path;

	for (int i = 0; program_folder && i < 3; i++) {
		path = etc_folder_beside(program_folder, places[i], arena);
		if (path.ptr && is_folder(path.ptr, st))
			return path;
	}
	for (int i = 0; program_folder && i < 2; i++) {
		path = etc_folder_beside(program_folder, libs[i], arena);
		path = folder_of_python(path, arena, st);
		if (path.ptr && is_folder(path.ptr, st))
			return path;
	}
	return (struct etc_str){ 0 };
}

static bool add_installed(struct walk *w)
{
	struct stat st;
	bool ok;

	w->installed = true;
	ok = add_folder(w, installed_folder(w->program_folder, w->arena, &st), "installed");
	w->installed = false;
	return ok;
}

static const char *program_folder(const struct etc_host_options *options, struct etc_arena *arena)
{
	return options->program_folder ? options->program_folder : etc_program_folder(arena);
}

void etc_plugin_named(const char *path, const struct etc_host_options *options,
                      struct etc_arena *arena, struct etc_notes *notes)
{
	char why[ETC_TRUST_WHY];
	struct etc_trust trust;

	etc_trust_begin(&trust, program_folder(options, arena));
	if (!etc_trust_file(&trust, path, why) || !etc_trust_libraries(&trust, path, why))
		etc_note_each(notes, W0621, "%.200s: %s", path, why);
}

bool etc_plugin_installed(const char *path, const struct etc_host_options *options,
                          struct etc_arena *arena)
{
	const char *slash = strrchr(path, '/');
	struct etc_str folder = etc_arena_printf(arena, "%.*s/", slash ? (int)(slash - path) : 1,
	                                         slash ? path : ".");
	struct stat here, installed;

	return installed_folder(program_folder(options, arena), arena, &installed).ptr &&
	       folder.ptr && is_folder(folder.ptr, &here) && here.st_dev == installed.st_dev &&
	       here.st_ino == installed.st_ino;
}

enum etc_status etc_search(struct etc_search *s, const struct etc_host_options *options,
                           struct etc_arena *arena, struct etc_notes *notes, struct etc_error *err)
{
	struct walk w = { .search = s, .arena = arena, .notes = notes };
	const char *environment =
		options->ignore_environment ? NULL : secure_getenv("ETCORE_PLUGIN_PATH");
	bool ok;

	*s = (struct etc_search){ 0 };
	w.program_folder = program_folder(options, arena);
	etc_trust_begin(&w.trust, w.program_folder);
	ok = add_list(&w, options->settings->plugin_path, "plugin_path", false);
	if (ok && environment)
		ok = add_list(&w, etc_str_of(environment), "ETCORE_PLUGIN_PATH", true);
	if (ok && !options->ignore_environment)
		ok = add_user(&w);
	if (ok)
		ok = add_installed(&w);
	return ok ? ETC_OK : etc_no_memory(err);
}

enum etc_status etc_plugin_file(const char *name, const struct etc_host_options *options,
                                struct etc_arena *arena, struct etc_notes *notes,
                                struct etc_str *path, struct etc_error *err)
{
	struct etc_search s;

	*path = etc_str_of(name);
	if (strchr(name, '/') || etc_str_ends(*path, SUFFIX)) {
		etc_plugin_named(name, options, arena, notes);
		return ETC_OK;
	}
	ETC_TRY(etc_search(&s, options, arena, notes, err));
	*path = (struct etc_str){ 0 };
	for (uint32_t i = 0; i < s.count && path->len == 0; i++)
		if (etc_str_eq(s.files[i].stem, etc_str_of(name)))
			*path = s.files[i].path;
	return ETC_OK;
}
