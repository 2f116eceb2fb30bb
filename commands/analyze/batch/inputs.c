/* inputs.c -- lists the dumps that `etcore batch` analyses; see batch.h */
#define _DEFAULT_SOURCE /* DT_LNK */
#include "commands/analyze/batch/batch.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/memory.h"
#include "commands/analyze/batch/archive.h"

enum { DEPTH_MOST = 128 };
#define LIST_MOST ((size_t)1 << 30)

struct listing {
	const struct etc_shard *shard;
	struct etc_arena *arena;
	struct etc_batch_items *out;
	size_t found; /* number of dumps so far, in all shards */
	struct etc_error *err;
};

static uint64_t shard_of(const char *below, uint64_t n)
{
	uint8_t digest[ETC_SHA256_BYTES];
	uint64_t hash = 0;

	if (n == 1)
		return 0;
	etc_sha256_of(etc_span_of(etc_str_of(below)), digest);
	for (int i = 0; i < 8; i++)
		hash = hash << 8 | digest[i];
	return hash % n;
}

static enum etc_status add(struct listing *l, const char *path, size_t root)
{
	const char **new;

	l->found++;
	if (shard_of(path + root, l->shard->n) != l->shard->i)
		return ETC_OK;
	new = ETC_APPEND(l->arena, l->out->v, l->out->count, l->out->room);
	ETC_NEED(new, l->err);
	*new = path;
	return ETC_OK;
}

/* Returns `name` without the extension of a compression program. Files with such an extension are
 * listed, too, so that reading the file reports E0965. */
static struct etc_str unpacked(struct etc_str name)
{
	static const char *const packers[] = { ".xz", ".zst", ".bz2", ".lz4", NULL };

	return etc_str_sub(name, 0, name.len - etc_str_ending(name, packers));
}

static bool is_dump(struct etc_str name)
{
	static const char *const dumps[] = { ".etdump", ".etdp", ".etdump.gz", ".etdp.gz", NULL };

	return etc_str_ending(unpacked(name), dumps);
}

static bool is_input(const char *name)
{
	static const char *const packed[] = { ".txz", ".tbz2", ".tzst", NULL };
	const struct etc_str s = etc_str_of(name);

	return is_dump(s) || etc_archive_is(unpacked(s)) || etc_str_ending(s, packed);
}

/* Lists the dumps in an archive. If the archive cannot be read, lists the archive itself, so that
 * opening it reports the error. */
static enum etc_status add_archive(struct listing *l, const char *path, size_t root)
{
	struct etc_archive a = { 0 };
	struct etc_error wrong = { .at = -1 };
	enum etc_status st = etc_archive_open(&a, etc_str_of(path), &wrong);

	if (st != ETC_OK)
		return st == ETC_NOMEM ? etc_no_memory(l->err) : add(l, path, root);
	for (uint32_t i = 0; st == ETC_OK && i < a.count; i++) {
		struct etc_str member = { 0 };

		if (!is_dump(a.members[i].name))
			continue;
		member = etc_arena_printf(l->arena, "%s!/" ETC_STR_FMT, path,
		                          ETC_STR_ARG(a.members[i].name));
		st = member.ptr ? add(l, member.ptr, root) : etc_no_memory(l->err);
	}
	etc_archive_close(&a);
	return st;
}

static enum etc_status add_file(struct listing *l, const char *path, size_t root)
{
	return etc_archive_is(etc_str_of(path)) ? add_archive(l, path, root) : add(l, path, root);
}

static bool is_folder(const char *path, const struct dirent *e)
{
	struct stat st;

	if (e->d_type != DT_UNKNOWN)
		return e->d_type == DT_DIR;
	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* An entry of a folder: a folder to walk, or a file to analyse. */
struct entry {
	const char *path;
	bool folder;
};

static int by_name(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;

	return strcmp(a->path, b->path);
}

static enum etc_status read_folder(struct listing *l, DIR *dir, const char *folder,
                                   struct entry **out, uint32_t *count)
{
	const char *slash = etc_str_ends(etc_str_of(folder), ETC_STR("/")) ? "" : "/";
	struct entry *all = NULL, *new;
	uint32_t room = 0;

	*count = 0;
	for (struct dirent *e; (e = readdir(dir));) {
		const bool maybe = e->d_type == DT_DIR || e->d_type == DT_UNKNOWN;
		struct etc_str path;
		bool inner;

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
		    (!maybe && !is_input(e->d_name)))
			continue;
		path = etc_arena_printf(l->arena, "%s%s%s", folder, slash, e->d_name);
		ETC_NEED(path.ptr, l->err);
		inner = is_folder(path.ptr, e);
		if (!inner && (!is_input(e->d_name) || etc_folder_exists(path.ptr)))
			continue;
		new = ETC_APPEND(l->arena, all, *count, room);
		ETC_NEED(new, l->err);
		*new = (struct entry){ path.ptr, inner };
	}
	if (*count)
		qsort(all, *count, sizeof *all, by_name);
	*out = all;
	return ETC_OK;
}

static enum etc_status walk(struct listing *l, const char *folder, size_t root, unsigned depth)
{
	DIR *dir = depth < DEPTH_MOST ? opendir(folder) : NULL;
	struct entry *all = NULL;
	enum etc_status st;
	uint32_t count;

	if (!dir)
		etc_memory_errno(errno);
	if (!dir)
		return add(l, folder, root < strlen(folder) ? root : 0);
	st = read_folder(l, dir, folder, &all, &count);
	closedir(dir);
	for (uint32_t i = 0; st == ETC_OK && i < count; i++)
		st = all[i].folder ? walk(l, all[i].path, root, depth + 1)
		                   : add_file(l, all[i].path, root);
	return st;
}

static enum etc_status take(struct listing *l, const char *path)
{
	size_t n = strlen(path);
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return add_file(l, path, 0);
	return walk(l, path, n + (n && path[n - 1] != '/'), 0);
}

/* Adds an operand of the command line. E0901: the file does not exist, probably because of a typing
 * error. (A missing file of --files-from is reported in the table `errors` instead, since it may
 * have been removed after the list was written.) */
static enum etc_status take_operand(struct listing *l, const char *path)
{
	char *file = etc_arena_cstr(l->arena, etc_archive_part(etc_str_of(path)));
	struct stat st;

	ETC_NEED(file, l->err);
	if (stat(file, &st) != 0 && errno == ENOENT)
		return etc_in_file(l->err, etc_fail(l->err, E0901, "%s", strerror(ENOENT)), path);
	return take(l, path);
}

/* Adds the dumps that the file `list` names. Names are separated by NUL if the file contains a NUL,
 * else by newlines. */
static enum etc_status take_list(struct listing *l, const char *list)
{
	struct etc_file file;
	enum etc_status st;
	char end;

	ETC_TRY(etc_file_open(&file, list, LIST_MOST, l->err));
	if (etc_file_kind_of(file.bytes) != ETC_FILE_UNKNOWN) {
		etc_file_release(&file);
		return etc_fail(l->err, E0501,
		                "a list of names is expected; '%s' is a dump, record or program",
		                list);
	}
	end = file.bytes.len && memchr(file.bytes.ptr, '\0', file.bytes.len) ? '\0' : '\n';
	st = ETC_OK;
	for (size_t at = 0; st == ETC_OK && at < file.bytes.len;) {
		const char *from = (const char *)file.bytes.ptr + at;
		const char *to = memchr(from, end, file.bytes.len - at);
		size_t n = to ? (size_t)(to - from) : file.bytes.len - at;
		char *name = etc_arena_cstr(l->arena, (struct etc_str){ from, n });

		st = !name ? etc_no_memory(l->err) : n ? take(l, name) : ETC_OK;
		at += n + 1;
	}
	etc_file_release(&file);
	return st;
}

enum etc_status etc_batch_list(const struct etc_batch_options *o, const struct etc_shard *shard,
                               struct etc_arena *arena, struct etc_batch_items *out,
                               struct etc_error *err)
{
	struct listing l = { .shard = shard, .arena = arena, .out = out, .err = err };

	*out = (struct etc_batch_items){ 0 };
	if (o->files_from)
		ETC_TRY(take_list(&l, o->files_from));
	for (uint32_t i = 0; i < o->common.operands.count; i++)
		if (strcmp(o->common.operands.v[i], "-") == 0)
			ETC_TRY(take_list(&l, "-"));
		else if (etc_batch_given(o, o->common.operands.v[i]))
			ETC_TRY(add(&l, o->common.operands.v[i], 0));
		else
			ETC_TRY(take_operand(&l, o->common.operands.v[i]));
	if (l.found == 0)
		return etc_fail(err, E0533, "no file in the given folders and lists is a dump");
	return ETC_OK;
}
