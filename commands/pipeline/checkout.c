/* checkout.c -- finds the state of a git checkout; see surroundings.h. The files of .git are read
 * directly. `git` is started only to find out whether tracked files have changes. */

#include "base/file.h"
#include "base/folder.h"
#include "base/process.h"
#include "commands/pipeline/surroundings.h"

enum { GIT_MS = 20000, GIT_FILE = 4 << 20 };

static struct etc_str read_text(const char *path, struct etc_arena *arena)
{
	struct etc_file file;
	struct etc_str s = { 0 };

	if (!path || etc_file_open_found(&file, path, GIT_FILE, NULL) != ETC_OK)
		return s;
	if (file.bytes.len <= GIT_FILE)
		s = etc_arena_str(arena, etc_str_trim((struct etc_str){
						 (const char *)file.bytes.ptr, file.bytes.len }));
	etc_file_release(&file);
	return s;
}

static bool is_sha(struct etc_str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!((s.ptr[i] >= '0' && s.ptr[i] <= '9') || (s.ptr[i] >= 'a' && s.ptr[i] <= 'f')))
			return false;
	return s.len == 40 || s.len == 64;
}

/* Returns the folder with git's files: the folder .git, or the folder that a file .git names (in a
 * worktree or submodule). */
static const char *git_folder(const char *top, struct etc_arena *arena)
{
	const char *dot = etc_arena_printf(arena, "%s/.git", top).ptr;
	struct etc_str s;

	if (!dot)
		return NULL;
	if (etc_folder_exists(dot))
		return dot;
	s = read_text(dot, arena);
	if (!etc_str_starts(s, ETC_STR("gitdir:")))
		return NULL;
	s = etc_str_trim(etc_str_sub(s, 7, s.len));
	if (s.len && s.ptr[0] == '/')
		return etc_arena_cstr(arena, s);
	return etc_arena_printf(arena, "%s/" ETC_STR_FMT, top, ETC_STR_ARG(s)).ptr;
}

/* Finds the line of the ref `name` in packed-refs, such as "<sha> refs/heads/main". Returns its
 * SHA; empty: there is no such line. */
static struct etc_str packed(struct etc_str refs, struct etc_str name)
{
	size_t at = 0;

	while ((at = etc_str_find(refs, name, at)) != SIZE_MAX) {
		size_t end = at + name.len, begin = at;

		while (begin && refs.ptr[begin - 1] != '\n')
			begin--;
		if ((end == refs.len || refs.ptr[end] == '\n' || refs.ptr[end] == '\r') &&
		    at > begin && refs.ptr[at - 1] == ' ')
			return etc_str_sub(refs, begin, at - 1);
		at = end;
	}
	return (struct etc_str){ 0 };
}

static const char *head_of(const char *folder, struct etc_arena *arena)
{
	struct etc_str common =
		read_text(etc_arena_printf(arena, "%s/commondir", folder).ptr, arena);
	struct etc_str s = read_text(etc_arena_printf(arena, "%s/HEAD", folder).ptr, arena), name;
	const char *refs = folder;

	if (common.len)
		refs = common.ptr[0] == '/' ? etc_arena_cstr(arena, common)
		                            : etc_arena_printf(arena, "%s/" ETC_STR_FMT, folder,
		                                               ETC_STR_ARG(common))
		                                      .ptr;
	if (etc_str_starts(s, ETC_STR("ref:"))) {
		name = etc_str_trim(etc_str_sub(s, 4, s.len));
		s = read_text(
			etc_arena_printf(arena, "%s/" ETC_STR_FMT, refs, ETC_STR_ARG(name)).ptr,
			arena);
		if (!s.len)
			s = packed(read_text(etc_arena_printf(arena, "%s/packed-refs", refs).ptr,
			                     arena),
			           name);
	}
	return is_sha(s) ? etc_arena_cstr(arena, s) : NULL;
}

/* Do tracked files differ from HEAD? 1: yes; 0: no; -1: git is missing or failed. */
static int is_dirty(const char *top)
{
	char git[4096];
	const char *argv[] = { git,
		               "-c",
		               "core.fsmonitor=false",
		               "-C",
		               top,
		               "diff",
		               "--quiet",
		               "--no-ext-diff",
		               "--no-textconv",
		               "HEAD",
		               "--",
		               NULL };
	struct etc_process p = { .argv = argv, .limit_ms = GIT_MS };
	int dirty = -1;

	if (!etc_process_find("git", git, sizeof git))
		return -1;
	if (etc_process_run(&p, NULL) == ETC_OK && p.end == ETC_PROCESS_EXITED && p.status < 2)
		dirty = p.status;
	etc_process_release(&p);
	return dirty;
}

/* Returns the innermost folder named executorch in the path of `runner`; NULL: there is none. */
static const char *above(const char *runner, struct etc_arena *arena)
{
	static const char name[] = "executorch";
	const char *found = NULL;

	for (const char *p = runner; (p = strstr(p, name)); p++)
		if ((p == runner || p[-1] == '/') && p[sizeof name - 1] == '/')
			found = p + sizeof name - 1;
	return found ? etc_arena_cstr(arena, (struct etc_str){ runner, (size_t)(found - runner) })
	             : NULL;
}

struct etc_checkout etc_executorch_checkout(const char *runner, struct etc_arena *arena)
{
	struct etc_checkout c = { .dirty = -1 };
	const char *places[] = { runner ? above(runner, arena) : NULL, "executorch" };
	const char *git;

	for (size_t i = 0; i < 2; i++) {
		if (!places[i] || !etc_folder_exists(places[i]))
			continue;
		c.path = places[i];
		git = git_folder(c.path, arena);
		if (!git)
			continue;
		c.sha = head_of(git, arena);
		c.dirty = is_dirty(c.path);
		return c;
	}
	return c;
}
