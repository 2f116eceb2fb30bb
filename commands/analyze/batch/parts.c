/* parts.c -- writes the folder of tables, and reads what earlier queries wrote; see batch.h.
 *
 *     DIR/TABLE/part-RUN-WORKER-NTH.FORMAT   rows; with --partition-by, in folders KEY=VALUE/
 *     DIR/_done/RUN-WORKER-NTH               list of the dumps in these parts; parts without such
 *                                            a list are ignored
 *     DIR/_lock, DIR/_lock-SHARD             locked while a query writes
 *     DIR/_SUCCESS, DIR/_SUCCESS-SHARD       written when a query has ended
 *
 * RUN identifies the query: it consists of the shard and a random number (etc_parts.run). WORKER is
 * the number of a worker process. NTH numbers the times at which this worker wrote its rows. SHARD
 * is the shard of --shard.
 *
 * The first line of a list has the settings, the format and the tables. For each dump, "SIZE TIME
 * RUN_ID PATH" and a NUL follow. */
#define _DEFAULT_SOURCE
#include "commands/analyze/batch/batch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/folder.h"
#include "base/inside.h"
#include "commands/analyze/batch/archive.h"

/* The path of a dump in an archive consists of two paths, that of the archive and that of the dump
 * inside it, so it may have twice the length. */
enum { PATH_ROOM = 4096, DUMP_ROOM = 2 * PATH_ROOM + 2 };

static const char *const any[] = { "", NULL };

/* Writes the size and time of a file, as "SIZE TIME". */
static void state_of(char to[64], int64_t bytes, int64_t modified_ns)
{
	snprintf(to, 64, "%lld %lld", (long long)bytes, (long long)modified_ns);
}

/* ---- locks ------------------------------------------------------------------------- */

static enum etc_status lock(const struct etc_parts *p, const char *name, int how, int *fd,
                            struct etc_error *err)
{
	char path[PATH_ROOM];

	if (snprintf(path, sizeof path, "%s/%s", p->out, name) >= (int)sizeof path)
		return etc_fail(err, E0903, "%s", strerror(ENAMETOOLONG));
	*fd = etc_descriptor_open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0666);
	if (*fd < 0)
		return etc_in_file(err, etc_fail(err, E0903, "%s", strerror(errno)), path);
	if (flock(*fd, how | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return etc_fail(err, E1202, "'%s'", p->out);
	return ETC_OK;
}

/* Locks the folder. Two queries of the same shard exclude each other. A query without --shard
 * excludes every other query. */
static enum etc_status lock_all(struct etc_parts *p, const struct etc_shard *shard,
                                struct etc_error *err)
{
	char name[96];

	ETC_TRY(lock(p, "_lock", shard->n == 1 ? LOCK_EX : LOCK_SH, &p->lock, err));
	if (shard->n == 1)
		return ETC_OK;
	snprintf(name, sizeof name, "_lock-%llu-of-%llu", (unsigned long long)shard->i,
	         (unsigned long long)shard->n);
	return lock(p, name, LOCK_EX, &p->own_lock, err);
}

void etc_parts_close(struct etc_parts *p)
{
	if (p->lock >= 0)
		close(p->lock);
	if (p->own_lock >= 0)
		close(p->own_lock);
}

/* ---- earlier queries ---------------------------------------------------------------- */

static const char *name_of(const char *path)
{
	return strrchr(path, '/') + 1;
}

/* Marks the dumps of a list as done. The list is untrusted input: each entry is validated before it
 * is used, and the first invalid entry ends the list. */
static enum etc_status take_entries(struct etc_parts *p, struct etc_str all, struct etc_error *err)
{
	for (size_t at = 0; at < all.len;) {
		const char *entry = all.ptr + at, *end = memchr(entry, '\0', all.len - at);
		const char *first = end ? memchr(entry, ' ', (size_t)(end - entry)) : NULL;
		const char *second =
			first ? memchr(first + 1, ' ', (size_t)(end - first - 1)) : NULL;
		struct etc_str state;

		if (!second || end - entry > DUMP_ROOM + 256 ||
		    (size_t)(end - second) < ETC_HEX + 3 || second[ETC_HEX + 1] != ' ')
			return ETC_OK;
		at += (size_t)(end - entry) + 1;
		state = etc_arena_printf(p->arena, "%.*s %.*s", (int)(second - entry), entry,
		                         (int)(end - second - ETC_HEX - 2), second + ETC_HEX + 2);
		ETC_NEED(state.ptr, err);
		ETC_NEED(etc_map_add(&p->paths, state, 0) != ETC_MAP_NONE, err);
		if (second[1] != '-')
			ETC_NEED(etc_map_intern(&p->ids, (struct etc_str){ second + 1, ETC_HEX },
			                        ETC_PARTS_BEFORE) != ETC_MAP_NONE,
			         err);
	}
	return ETC_OK;
}

static enum etc_status take_list(struct etc_parts *p, const char *path, struct etc_error *err)
{
	enum etc_status st = ETC_OK;
	struct etc_file file;
	struct etc_str all;

	ETC_TRY(etc_file_open_found(&file, path, 0, err));
	all = (struct etc_str){ (const char *)file.bytes.ptr, file.bytes.len };
	/* if the first line differs, `batch` with other settings wrote the list. Its dumps are
	 * analysed again */
	if (etc_str_starts(all, p->head))
		st = take_entries(p, etc_str_sub(all, p->head.len, all.len), err);
	etc_file_release(&file);
	return st;
}

/* Selects the parts to remove. `stem` is the name of a list of dumps without its folder: the parts
 * of that list are removed. If `stem` is NULL: the parts of this shard for which there is no
 * list. */
struct sweep {
	const struct etc_parts *parts;
	const char *stem;
	const struct etc_map *lists;
	/* no other `batch` writes into the folder. So unfinished parts of all shards, and temporary
	 * files, are removed, too */
	bool alone;
};

/* Does the name have the form "I-of-N-..."? All files that batch writes have such names. */
static bool is_of_shard(struct etc_str stem)
{
	size_t i = 0, n;

	while (i < stem.len && etc_is_digit(stem.ptr[i]))
		i++;
	if (!i || !etc_str_starts(etc_str_sub(stem, i, stem.len), ETC_STR("-of-")))
		return false;
	for (n = i += strlen("-of-"); i < stem.len && etc_is_digit(stem.ptr[i]);)
		i++;
	return i > n && i < stem.len && stem.ptr[i] == '-';
}

static bool is_swept(const struct sweep *w, const char *file)
{
	const struct etc_str part = ETC_STR("part-");
	const char *dot = strrchr(file, '.');
	struct etc_str stem;

	if (w->alone && etc_output_is_temporary(file))
		return true;
	if (!etc_str_starts(etc_str_of(file), part) || !dot)
		return false;
	stem = etc_str_sub(etc_str_of(file), part.len, (size_t)(dot - file));
	if (w->stem)
		return etc_str_eq(stem, etc_str_of(w->stem));
	return (w->alone ? is_of_shard(stem)
	                 : etc_str_starts(stem, etc_str_of(w->parts->prefix))) &&
	       etc_map_get(w->lists, stem) == ETC_MAP_NONE;
}

/* Removes the selected parts in a folder and in its partition folders, up to `depth` levels below;
 * links are not followed. */
static void sweep(const struct sweep *w, const char *folder, unsigned depth)
{
	char path[PATH_ROOM];
	struct stat st;
	DIR *dir = lstat(folder, &st) == 0 && S_ISDIR(st.st_mode) ? opendir(folder) : NULL;

	for (struct dirent *e; dir && (e = readdir(dir));) {
		if (snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= (int)sizeof path)
			continue;
		if (is_swept(w, e->d_name))
			etc_inside_remove(w->parts->out, path);
		else if (depth && strchr(e->d_name, '='))
			sweep(w, path, depth - 1);
	}
	if (dir)
		closedir(dir);
}

static void sweep_tables(const struct sweep *w)
{
	char folder[PATH_ROOM];

	for (int k = 0; k < ETC_SHEETS; k++) {
		snprintf(folder, sizeof folder, "%s/%s", w->parts->out, etc_sheet_names[k]);
		sweep(w, folder, ETC_META_MOST);
	}
}

/* Makes the tables' folders. Removes the parts of this shard for which there is no list: the
 * `batch` that wrote them was killed before it wrote the list. With `alone`, no other `batch`
 * writes into the folder, so such parts of all shards are removed. */
static enum etc_status remove_orphans(struct etc_parts *p, const struct etc_map *lists, bool alone,
                                      struct etc_error *err)
{
	char folder[PATH_ROOM];

	for (int k = 0; k < ETC_SHEETS; k++) {
		if (!(p->wanted >> k & 1))
			continue;
		snprintf(folder, sizeof folder, "%s/%s", p->out, etc_sheet_names[k]);
		ETC_TRY(etc_inside_make(p->out, folder, err));
	}
	sweep_tables(&(struct sweep){ .parts = p, .lists = lists, .alone = alone });
	return ETC_OK;
}

static enum etc_status look_back(struct etc_parts *p, const struct etc_shard *shard, bool resume,
                                 struct etc_error *err)
{
	char folder[PATH_ROOM];
	struct etc_map lists;
	const char **files;
	uint32_t count;

	snprintf(folder, sizeof folder, "%s/_done", p->out);
	ETC_TRY(etc_inside_make(p->out, folder, err));
	ETC_TRY(etc_folder_list(folder, any, p->arena, &files, &count, err));
	etc_map_init(&lists, p->arena);
	for (uint32_t i = 0; i < count; i++) {
		struct etc_str name = etc_str_of(name_of(files[i]));

		if (name.ptr[0] == '.')
			continue;
		if (!resume && (shard->n == 1 || etc_str_starts(name, etc_str_of(p->prefix))))
			return etc_fail(err, E1201, "'%s'", p->out);
		ETC_NEED(etc_map_add(&lists, name, 0) != ETC_MAP_NONE, err);
		if (resume)
			ETC_TRY(take_list(p, files[i], err));
	}
	return remove_orphans(p, &lists, shard->n == 1, err);
}

static void success_path(const struct etc_parts *p, char to[PATH_ROOM])
{
	bool all = strcmp(p->prefix, "0-of-1-") == 0;

	snprintf(to, PATH_ROOM, "%s/_SUCCESS%s%.*s", p->out, all ? "" : "-",
	         all ? 0 : (int)strlen(p->prefix) - 1, p->prefix);
}

enum etc_status etc_parts_open(struct etc_parts *p, const struct etc_shard *shard, bool resume,
                               struct etc_error *err)
{
	char random[17], path[PATH_ROOM];
	int why;

	p->lock = p->own_lock = -1;
	p->head = etc_arena_printf(p->arena, "etcore.batch/1 %s %s %x\n", p->settings,
	                           p->format->name, (unsigned)p->wanted);
	ETC_NEED(p->head.ptr, err);
	etc_map_init(&p->paths, p->arena);
	etc_map_init(&p->ids, p->arena);
	if (strlen(p->out) > PATH_ROOM - 256)
		return etc_fail(err, E0903, "%s", strerror(ENAMETOOLONG));
	snprintf(p->prefix, sizeof p->prefix, "%llu-of-%llu-", (unsigned long long)shard->i,
	         (unsigned long long)shard->n);
	why = etc_file_random(random);
	if (why)
		return etc_fail(err, E0903, "%s", strerror(why));
	snprintf(p->run, sizeof p->run, "%s%s", p->prefix, random);
	ETC_TRY(etc_folder_make_all(p->out, err));
	ETC_TRY(lock_all(p, shard, err));
	ETC_TRY(look_back(p, shard, resume, err));
	success_path(p, path);
	etc_inside_remove(p->out, path);
	return ETC_OK;
}

bool etc_parts_has(const struct etc_parts *p, const char *path)
{
	char state[64], key[64 + DUMP_ROOM];
	struct stat st;

	if (p->paths.count == 0 || etc_archive_stat(path, &st) != 0)
		return false;
	state_of(state, st.st_size, etc_archive_modified(&st));
	if (snprintf(key, sizeof key, "%s %s", state, path) >= (int)sizeof key)
		return false;
	return etc_map_get(&p->paths, etc_str_of(key)) != ETC_MAP_NONE;
}

/* ---- writing ----------------------------------------------------------------------- */

/* Writes to `to` the name that a list and its parts have in common: RUN-WORKER-NTH. */
static void stem_of(const struct etc_parts *p, uint32_t worker, uint32_t nth, char to[128])
{
	snprintf(to, 128, "%s-%u-%u", p->run, (unsigned)worker, (unsigned)nth);
}

static void list_path(const struct etc_parts *p, uint32_t worker, uint32_t nth, char to[PATH_ROOM])
{
	char stem[128];

	stem_of(p, worker, nth, stem);
	snprintf(to, PATH_ROOM, "%s/_done/%s", p->out, stem);
}

static enum etc_status write_part(const struct etc_parts *p, const char *path,
                                  const struct etc_table *rows, struct etc_error *err)
{
	const struct etc_report report = { .rows = *rows };
	const struct etc_screen screen = { 0 };
	struct etc_output o;
	struct etc_text out = { .sink = etc_output_sink, .arg = &o };
	enum etc_status st, closed;

	ETC_TRY(etc_inside_open(&o, p->out, path, err));
	p->format->tables(&report, &screen, &out);
	st = etc_text_flush(&out) || o.refused ? ETC_OK : etc_no_memory(err);
	closed = etc_output_close(&o, st == ETC_OK, st == ETC_OK ? err : NULL);
	etc_text_release(&out);
	return st == ETC_OK ? closed : st;
}

/* Writes those rows of a table that belong to the folder number `folder` of --partition-by, as one
 * part. If there are no such rows, writes an empty part if `even_none` is set, else nothing. */
static enum etc_status write_rows(const struct etc_parts *p, const char *stem,
                                  const struct etc_sheets *sheets, enum etc_sheet_kind kind,
                                  uint32_t folder, bool even_none, struct etc_error *err)
{
	struct etc_cell *room;
	struct etc_table rows;
	char path[PATH_ROOM];
	enum etc_status st = ETC_OK;

	ETC_TRY(etc_sheets_of_folder(sheets, kind, folder, &rows, &room, err));
	if (snprintf(path, sizeof path, "%s/%s/%spart-%s.%s", p->out, etc_sheet_names[kind],
	             sheets->folders[folder].ptr, stem, p->format->name) >= (int)sizeof path)
		st = etc_fail(err, E0903, "%s", strerror(ENAMETOOLONG));
	rows.title = etc_str_of(etc_sheet_names[kind]);
	if (st == ETC_OK && (rows.row_count || even_none))
		st = write_part(p, path, &rows, err);
	free(room);
	return st;
}

enum etc_status etc_parts_write(const struct etc_parts *p, uint32_t worker, uint32_t nth,
                                const struct etc_sheets *sheets, struct etc_str done,
                                struct etc_error *err)
{
	/* Readers get the columns from the files, so a worker's first part is written even without
	 * rows. */
	const bool first = nth == 0 && p->format->tables != etc_write_lines;
	struct etc_text list = { 0 };
	char path[PATH_ROOM], stem[128];
	enum etc_status st;

	stem_of(p, worker, nth, stem);
	for (uint32_t f = 0; f < sheets->folder_count; f++)
		for (int k = 0; k < ETC_SHEETS; k++)
			if (p->wanted >> k & 1)
				ETC_TRY(write_rows(p, stem, sheets, (enum etc_sheet_kind)k, f,
				                   first && f == 0, err));
	etc_text_put(&list, p->head);
	etc_text_put(&list, done);
	list_path(p, worker, nth, path);
	st = list.failed ? etc_no_memory(err)
	                 : etc_inside_write(p->out, path, etc_text_str(&list), err);
	etc_text_release(&list);
	return st;
}

bool etc_parts_settle(const struct etc_parts *p, uint32_t worker, uint32_t nth)
{
	char path[PATH_ROOM], stem[128];

	list_path(p, worker, nth, path);
	if (etc_file_exists(path))
		return true;
	stem_of(p, worker, nth, stem);
	sweep_tables(&(struct sweep){ .parts = p, .stem = stem });
	return false;
}

void etc_parts_add(struct etc_text *done, const struct etc_dump *d)
{
	char state[64];

	state_of(state, d->file_bytes, d->modified_ns);
	etc_text_printf(done, "%s %s ", state, d->run_id);
	etc_text_cstr(done, d->path);
	etc_text_char(done, '\0');
}

enum etc_status etc_parts_success(const struct etc_parts *p, struct etc_error *err)
{
	char path[PATH_ROOM];

	success_path(p, path);
	return etc_inside_write(p->out, path, ETC_STR(""), err);
}
