/* trust.c -- see trust.h. */
#define _GNU_SOURCE /* fgetgrent_r, fgetpwent_r */
#include "host/trust.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/memory.h"
#include "host/elf.h"

enum { LINKS_MOST = 40, LINE_ROOM = 16 << 10 };

/* A path that is being resolved, component by component. */
struct walk {
	const struct etc_trust *t;
	const char *given;
	bool folder; /* true: the path is that of a plugin folder; false: of a file */
	/* the part resolved so far, without symbolic links; "" is the root */
	char at[ETC_TRUST_PATH];
	char rest[ETC_TRUST_PATH]; /* `next` points to the part that is not resolved yet */
	const char *next;
	unsigned links;
	char *why;
};

void etc_trust_begin(struct etc_trust *t, const char *program_folder)
{
	struct stat st;

	t->user = t->owner = geteuid();
	t->program[0] = '\0';
	if (!program_folder || !realpath(program_folder, t->program))
		t->program[0] = '\0';
	else if (stat(t->program, &st) == 0)
		t->owner = st.st_uid;
}

static bool is_ours(const struct etc_trust *t, uid_t uid)
{
	return uid == 0 || uid == t->user || uid == t->owner;
}

/* ---- groups --------------------------------------------------------------------- */

/* Opens a file such as /etc/passwd. NULL: it cannot be opened. If memory was the reason, this is
 * recorded as a failed allocation, so that the command fails; otherwise the file would count as
 * missing. */
static FILE *open_list(const char *path)
{
	FILE *f = fopen(path, "re");

	if (!f)
		etc_memory_errno(errno);
	return f;
}

/* Are all members of the group trusted? Its members are the users in its line of /etc/group (`g`),
 * and the users who have it as their primary group. Returns false if the group has no members,
 * because setgid programs may run with it, or if a member is not in /etc/passwd. */
static bool is_of_ours(const struct etc_trust *t, const struct group *g)
{
	FILE *f = open_list("/etc/passwd");
	struct passwd entry, *p;
	unsigned known = 0, members = 0;
	char line[LINE_ROOM];
	bool others = false, ours = false;
	int end = 0;

	if (!f)
		return false;
	for (char **m = g->gr_mem; *m; m++)
		members++;
	while (!others && (end = fgetpwent_r(f, &entry, line, sizeof line, &p)) == 0) {
		bool listed = false;

		for (char **m = g->gr_mem; *m && !listed; m++)
			listed = strcmp(*m, p->pw_name) == 0;
		known += listed;
		if (listed || p->pw_gid == g->gr_gid) {
			ours = true;
			others = !is_ours(t, p->pw_uid);
		}
	}
	fclose(f);
	etc_memory_errno(end);
	return ours && !others && end == ENOENT && known >= members;
}

/* Is the group trusted? Root's group (0) always is. Any other group is trusted if all its members
 * are, as in the private group that many systems create for each user. A group that is not in
 * /etc/group is not trusted, because its members are unknown. */
static bool is_own_group(const struct etc_trust *t, gid_t gid)
{
	struct group entry, *g;
	char line[LINE_ROOM];
	bool own = gid == 0;
	int end = 0;
	FILE *f = own ? NULL : open_list("/etc/group");

	while (f && (end = fgetgrent_r(f, &entry, line, sizeof line, &g)) == 0) {
		if (g->gr_gid != gid)
			continue;
		own = is_of_ours(t, g);
		if (!own)
			break;
	}
	etc_memory_errno(end);
	if (f)
		fclose(f);
	return own;
}

/* ---- a file, a folder, a link ------------------------------------------------------- */

/* Does the file, folder or link at w->at pass the checks? If not, the reason is in w->why. */
static bool is_safe(const struct walk *w, const struct stat *st)
{
	const char *it = strcmp(w->at, w->given) == 0 && !S_ISLNK(st->st_mode) ? "it"
	                 : w->at[0]                                            ? w->at
	                                                                       : "/";
	bool last = w->next[strspn(w->next, "/")] == '\0';

	if (!is_ours(w->t, st->st_uid)) {
		snprintf(w->why, ETC_TRUST_WHY, "%s%.400s belongs to another user",
		         S_ISLNK(st->st_mode) ? "the link " : "", it);
		return false;
	}
	/* in a sticky folder, other users may create files, but not replace those of this user */
	if (S_ISLNK(st->st_mode) ||
	    (S_ISDIR(st->st_mode) && st->st_mode & S_ISVTX && !(last && w->folder)))
		return true;
	if (st->st_mode & S_IWOTH) {
		snprintf(w->why, ETC_TRUST_WHY, "everybody may write to %.400s", it);
		return false;
	}
	/* If the file has an access control list, its permission bits for the group are only the
	 * mask of this list: users outside of the group may have the permission, too. */
	if (st->st_mode & S_IWGRP && (getxattr(w->at, "system.posix_acl_access", NULL, 0) > 0 ||
	                              !is_own_group(w->t, st->st_gid))) {
		snprintf(w->why, ETC_TRUST_WHY, "others of its group may write to %.400s", it);
		return false;
	}
	return true;
}

/* ---- resolving a path -------------------------------------------------------------------- */

static bool unknown(const struct walk *w, int error)
{
	snprintf(w->why, ETC_TRUST_WHY, "who may write to it cannot be known: %s", strerror(error));
	return false;
}

/* Is w->at the folder of the running executable, or above it? */
static bool holds_program(const struct walk *w)
{
	const char *program = w->t->program;
	size_t n = strlen(w->at);

	return strncmp(program, w->at, n) == 0 && (program[n] == '/' || (n && !program[n]));
}

static void leave_folder(struct walk *w)
{
	char *slash = strrchr(w->at, '/');

	if (slash)
		*slash = '\0';
}

/* Removes the next component of the path from w->next, and appends it to w->at. False: there is no
 * further component, or `*error` was set. */
static bool next_name(struct walk *w, int *error)
{
	const char *name = w->next + strspn(w->next, "/");
	size_t n = strcspn(name, "/"), at = strlen(w->at);

	if (n == 0)
		return false;
	if (n == 2 && memcmp(name, "..", 2) == 0) {
		leave_folder(w);
	} else if (n != 1 || name[0] != '.') {
		if (at + n + 2 > sizeof w->at)
			*error = ENAMETOOLONG;
		else
			snprintf(w->at + at, sizeof w->at - at, "/%.*s", (int)n, name);
	}
	w->next = name + n;
	return *error == 0;
}

/* Resolves the link at w->at: its target replaces the rest of the path. Returns errno or 0. */
static int follow(struct walk *w)
{
	char target[ETC_TRUST_PATH];
	ssize_t n = readlink(w->at, target, sizeof target - 1);

	if (n < 0)
		return errno;
	if (++w->links > LINKS_MOST)
		return ELOOP;
	if ((size_t)snprintf(target + n, sizeof target - (size_t)n, "/%s", w->next) >=
	    sizeof target - (size_t)n)
		return ENAMETOOLONG;
	memcpy(w->rest, target, strlen(target) + 1);
	w->next = w->rest;
	if (target[0] == '/')
		w->at[0] = '\0';
	else
		leave_folder(w);
	return 0;
}

/* Called if nothing exists at w->at. Returns true if no other user can create something there;
 * otherwise w->why has the reason. The folders above were checked before. */
static bool is_nobodys(const struct walk *w)
{
	const char *slash = strrchr(w->at, '/');
	char folder[ETC_TRUST_PATH];
	struct stat st;

	snprintf(folder, sizeof folder, "%.*s", slash > w->at ? (int)(slash - w->at) : 1,
	         slash > w->at ? w->at : "/");
	if (lstat(folder, &st) != 0)
		return errno == ENOENT || unknown(w, errno);
	if (!(st.st_mode & (S_IWGRP | S_IWOTH)) || !(st.st_mode & S_ISVTX))
		return true;
	snprintf(w->why, ETC_TRUST_WHY, "others may make %.400s", w->at);
	return false;
}

/* Checks the file, folder or link at w->at. The folder of the running executable and the folders
 * above it are not checked. */
static bool look(struct walk *w)
{
	struct stat st;
	int error;

	if (holds_program(w))
		return true;
	if (lstat(w->at[0] ? w->at : "/", &st) != 0)
		return errno == ENOENT ? is_nobodys(w) : unknown(w, errno);
	if (!is_safe(w, &st))
		return false;
	error = S_ISLNK(st.st_mode) ? follow(w) : 0;
	return !error || unknown(w, error);
}

/* Prepares to resolve `path` from the root: a relative path is resolved from the current folder.
 * Returns errno, or 0. */
static int begin(struct walk *w, const char *path)
{
	size_t n = 0;

	w->next = w->rest;
	if (path[0] != '/') {
		if (!getcwd(w->rest, sizeof w->rest))
			return errno;
		n = strlen(w->rest);
	}
	if ((size_t)snprintf(w->rest + n, sizeof w->rest - n, "/%s", path) >= sizeof w->rest - n)
		return ENAMETOOLONG;
	return 0;
}

static bool is_path_safe(const struct etc_trust *t, const char *path, bool folder, char *why)
{
	struct walk w = { .t = t, .given = path, .folder = folder, .why = why };
	int error = begin(&w, path);
	bool safe = !error && look(&w);

	while (safe && next_name(&w, &error))
		safe = look(&w);
	return error ? unknown(&w, error) : safe;
}

bool etc_trust_folder(const struct etc_trust *t, const char *path, char why[ETC_TRUST_WHY])
{
	return is_path_safe(t, path, true, why);
}

bool etc_trust_file(const struct etc_trust *t, const char *path, char why[ETC_TRUST_WHY])
{
	return is_path_safe(t, path, false, why);
}

bool etc_trust_file_within(const struct etc_trust *t, const char *path, char why[ETC_TRUST_WHY])
{
	struct walk w = { .t = t, .given = path, .next = "", .why = why };
	struct stat st;

	if (strlen(path) >= sizeof w.at || lstat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return is_path_safe(t, path, false, why);
	memcpy(w.at, path, strlen(path) + 1);
	return is_safe(&w, &st);
}

/* ---- libraries that the plugin needs ------------------------------------------------------- */

struct libraries {
	const struct etc_trust *t;
	struct etc_span file;
	const char *plugin;
	char folder[ETC_TRUST_PATH];
	bool safe;
	char *why;
};

static void say_library(struct libraries *l, const char *path)
{
	char why[ETC_TRUST_WHY];

	snprintf(why, sizeof why, "%s", l->why);
	l->safe = false;
	snprintf(l->why, ETC_TRUST_WHY, "it needs libraries from %.200s: %.250s", path, why);
}

/* Checks a library that the plugin needs. If l->folder is empty, checks it only if `name` is a
 * path. Otherwise checks it only if `name` has no '/': it is then a file in l->folder. */
static void look_at_library(void *arg, struct etc_str name)
{
	struct libraries *l = arg;
	char path[ETC_TRUST_PATH];
	bool own = memchr(name.ptr, '/', name.len) != NULL;

	if (!l->safe || own != !l->folder[0] ||
	    (size_t)snprintf(path, sizeof path, "%s%s" ETC_STR_FMT, l->folder, own ? "" : "/",
	                     ETC_STR_ARG(name)) >= sizeof path)
		return;
	if (!etc_trust_file(l->t, path, l->why))
		say_library(l, path);
}

/* Checks the libraries in l->folder. */
static void look_in_folder(struct libraries *l)
{
	if (!etc_trust_folder(l->t, l->folder, l->why))
		say_library(l, l->folder);
	else
		(void)etc_elf_needs(l->file, look_at_library, l);
}

/* Checks those subfolders of l->folder that have libraries for newer processors. glibc searches
 * them before l->folder itself. */
static void look_below_folder(struct libraries *l)
{
	static const char *const hwcaps[] = { "x86-64-v2", "x86-64-v3", "x86-64-v4" };
	size_t len = strlen(l->folder);

	for (size_t i = 0; l->safe && i < sizeof hwcaps / sizeof *hwcaps; i++)
		if ((size_t)snprintf(l->folder + len, sizeof l->folder - len, "/glibc-hwcaps/%s",
		                     hwcaps[i]) < sizeof l->folder - len &&
		    etc_folder_exists(l->folder))
			look_in_folder(l);
	l->folder[len] = '\0';
}

/* Checks one folder of a search path. `$ORIGIN` at its start is replaced by the plugin's folder. A
 * folder with `$LIB` or `$PLATFORM` is refused, because only the dynamic linker can expand
 * these. */
static void look_at_folder(struct libraries *l, struct etc_str folder)
{
	static const char *const origins[] = { "$ORIGIN", "${ORIGIN}" };
	const char *slash = strrchr(l->plugin, '/');
	size_t skip = 0;

	for (size_t i = 0; i < 2; i++)
		if (folder.len >= strlen(origins[i]) &&
		    memcmp(folder.ptr, origins[i], strlen(origins[i])) == 0)
			skip = strlen(origins[i]);
	folder = etc_str_sub(folder, skip, folder.len);
	snprintf(l->folder, sizeof l->folder, "%.*s" ETC_STR_FMT,
	         !skip   ? 0
	         : slash ? (int)(slash - l->plugin)
	                 : 1,
	         slash ? l->plugin : ".", ETC_STR_ARG(folder));
	if (!skip && (folder.len == 0 || folder.ptr[0] != '/')) {
		snprintf(l->why, ETC_TRUST_WHY, "the current folder is any");
		say_library(l, folder.len ? l->folder : ".");
	} else if (folder.len && memchr(folder.ptr, '$', folder.len)) {
		snprintf(l->why, ETC_TRUST_WHY, "which folder that is cannot be known");
		say_library(l, l->folder);
	} else {
		look_in_folder(l);
		look_below_folder(l);
	}
}

static void look_at_search(void *arg, struct etc_str path)
{
	struct libraries *l = arg;

	for (size_t at = 0; at <= path.len && l->safe;) {
		struct etc_str rest = etc_str_sub(path, at, path.len);
		const char *colon = rest.len ? memchr(rest.ptr, ':', rest.len) : NULL;
		size_t n = colon ? (size_t)(colon - rest.ptr) : rest.len;

		look_at_folder(l, etc_str_sub(rest, 0, n));
		at += n + 1;
	}
}

bool etc_trust_libraries(const struct etc_trust *t, const char *path, char why[ETC_TRUST_WHY])
{
	struct libraries l = { .t = t, .plugin = path, .safe = true, .why = why };
	struct etc_error err;
	struct etc_file file;

	if (etc_file_open_found(&file, path, 0, &err) != ETC_OK)
		return true; /* the file cannot be read, which dlopen() will report */
	l.file = file.bytes;
	(void)etc_elf_needs(l.file, look_at_library, &l);
	(void)etc_elf_search(l.file, look_at_search, &l);
	etc_file_release(&file);
	return l.safe;
}
