/* worker.c -- the worker process of `etcore batch`: analyses dumps and writes their rows; see
 * batch.h. */
#define _DEFAULT_SOURCE
#include "commands/analyze/batch/batch.h"
#include "context/ask.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/opened.h"
#include "commands/analyze/batch/archive.h"
#include "formats/container/gzip.h"

struct worker {
	const struct etc_batch *batch;
	int fd;
	/* `number`: number of this worker; `nth`: number of the next parts that it will write */
	uint32_t number, nth;
	struct etc_sheets *sheets; /* rows that are not written yet */
	struct etc_text done;      /* list of the dumps in the sheets */
	struct etc_arena arena;
	/* the archive that was opened last, which may be needed for the next dump, too */
	struct etc_archive archive;
	struct etc_arena member; /* holds the bytes of the archive's current member */
	struct etc_map ids;      /* for etc_batch_here(): the run_ids of the dumps so far */
};

/* The state of the current dump. */
struct task {
	struct worker *worker;
	struct etc_dump dump;
	struct etc_error *err;
	enum etc_status st;
	bool starved; /* memory ran out although the dump did not use up its budget */
};

static bool say(struct worker *w, const struct etc_word *word)
{
	size_t size =
		word->what == ETC_WORD_FAILED ? sizeof *word : offsetof(struct etc_word, error);

	return send(w->fd, word, size, MSG_NOSIGNAL) == (ssize_t)size;
}

static bool hear(struct worker *w, struct etc_order *order)
{
	ssize_t n;

	do
		n = recv(w->fd, order, sizeof *order, 0);
	while (n < 0 && errno == EINTR);
	return n == sizeof *order;
}

static void hex(const uint8_t digest[ETC_SHA256_BYTES], char to[ETC_HEX + 1])
{
	for (int i = 0; i < ETC_SHA256_BYTES; i++)
		snprintf(to + 2 * i, 3, "%02x", digest[i]);
}

static void identify(const struct worker *w, struct etc_span bytes, struct etc_dump *d)
{
	uint8_t digest[ETC_SHA256_BYTES];
	struct etc_sha256 s;

	etc_sha256_of(bytes, digest);
	hex(digest, d->run_id);
	etc_sha256_init(&s);
	etc_sha256_add(&s, etc_span_of(etc_str_of(d->run_id)));
	etc_sha256_add(&s, etc_span_of(etc_str_of(w->batch->parts.settings)));
	etc_sha256_end(&s, digest);
	hex(digest, d->analysis_id);
}

/* ---- one dump ------------------------------------------------------------------------ */

/* Implements etc_note_fn: stores a note about the current dump. `arg` is the task. */
static void keep_note(void *arg, const struct etc_note *note)
{
	struct task *t = arg;

	if (t->st == ETC_OK)
		t->st = etc_sheets_note(t->worker->sheets, &t->dump, note, t->err);
}

static enum etc_status keep_answer(struct task *t, struct etc_kept *kept, struct etc_error *err)
{
	const struct etc_answer *answer = (const struct etc_answer *)kept;
	const struct etc_typed_table *paths, *rows;

	ETC_TRY(kept->kind->make(kept, ETC_TABLE_PATHS - kept->kind->first, err));
	ETC_TRY(kept->kind->make(kept, ETC_TABLE_ROWS - kept->kind->first, err));
	paths = etc_kept_table(kept, ETC_TABLE_PATHS);
	rows = etc_kept_table(kept, ETC_TABLE_ROWS);
	ETC_TRY(etc_sheets_answer(t->worker->sheets, &t->dump, &paths->table, &rows->table,
	                          &answer->parts[0], err));
	for (uint32_t i = 0; i < answer->part_count; i++)
		ETC_TRY(etc_sheets_times(t->worker->sheets, &t->dump, &answer->parts[i].profile,
		                         err));
	if (!(t->worker->sheets->wanted >> ETC_SHEET_EVENTS & 1))
		return ETC_OK;
	ETC_TRY(kept->kind->make(kept, ETC_TABLE_EVENTS - kept->kind->first, err));
	return etc_sheets_events(t->worker->sheets, &t->dump,
	                         &etc_kept_table(kept, ETC_TABLE_EVENTS)->table, err);
}

/* Adds the dump's baseline. The dump is named by its run_id, so the baseline does not depend on its
 * path. */
static enum etc_status keep_baseline(struct task *t, struct etc_span bytes, struct etc_error *err)
{
	static const char *const own[] = { "output", "no-siblings", NULL };
	static const struct etc_ask_option more[] = { { "output", "-" },
		                                      { "no-siblings", NULL },
		                                      { NULL, NULL } };
	const struct etc_given given = { .name = t->dump.run_id, .bytes = bytes };
	const char *words[] = { "save", t->dump.run_id };
	const struct etc_opt_list operands = { words, 2 };
	struct etc_asker asker = { .question = etc_ask_find("batch"),
		                   .args = &t->worker->batch->options->common,
		                   .own = own,
		                   .given = &given,
		                   .arena = &t->worker->sheets->arena };
	struct etc_text out = { 0 };
	enum etc_status st;

	etc_notes_init(&asker.notes, asker.arena);
	st = etc_ask(&asker, "baseline", &operands, more, &out, err);
	if (st == ETC_OK)
		st = etc_sheets_baseline(t->worker->sheets, &t->dump, etc_text_str(&out), err);
	etc_text_release(&out);
	return st;
}

/* Analyses the bytes of a dump. The name of the dump is always "dump", so that the rows do not
 * depend on its path. */
static enum etc_status analyze(struct task *t, struct etc_span bytes, struct etc_error *err)
{
	static const char *names[] = { "dump" };
	const struct etc_given given = { .name = names[0], .bytes = bytes };
	struct etc_analyze_options o = { .common = t->worker->batch->options->common,
		                         .no_siblings = true };
	struct etc_text out = { 0 };
	struct etc_kept *kept = NULL;
	const struct etc_reply reply = {
		.out = &out, .on_note = keep_note, .arg = t, .kept = &kept, .unheard = true
	};
	enum etc_status st;

	o.common.operands = (struct etc_opt_list){ names, 1 };
	o.common.given = &given;
	st = etc_analyze(&o, &reply, err);
	if (st == ETC_OK)
		st = t->st;
	if (st == ETC_OK)
		st = keep_answer(t, kept, err);
	if (st == ETC_OK && t->worker->sheets->wanted >> ETC_SHEET_BASELINES & 1)
		st = keep_baseline(t, bytes, err);
	if (st == ETC_OK && etc_memory_refused().wanted)
		st = etc_no_memory(err);
	if (kept)
		etc_kept_close(kept);
	etc_text_release(&out);
	return st;
}

/* Calls analyze(); if it fails, removes the rows that it had added. */
static enum etc_status analyze_whole(struct task *t, struct etc_span bytes, struct etc_error *err)
{
	struct etc_refusal before = etc_memory_begin();
	uint32_t rows[ETC_SHEETS];
	enum etc_status st;

	for (int k = 0; k < ETC_SHEETS; k++)
		rows[k] = t->worker->sheets->of[k].table.row_count;
	st = analyze(t, bytes, err);
	for (int k = 0; st != ETC_OK && k < ETC_SHEETS; k++)
		t->worker->sheets->of[k].table.row_count = rows[k];
	t->starved = st == ETC_NOMEM && !etc_memory_refused().budget;
	etc_memory_end(before);
	return st;
}

static void find_dump(struct task *t)
{
	struct stat st;

	if (etc_archive_stat(t->dump.path, &st) != 0)
		return;
	t->dump.bytes = t->dump.file_bytes = st.st_size;
	t->dump.modified_ns = etc_archive_modified(&st);
}

static enum etc_status read_member(struct task *t, struct etc_str archive, struct etc_file *file,
                                   struct etc_error *err)
{
	struct worker *w = t->worker;
	const struct etc_str path = etc_str_of(t->dump.path);

	ETC_TRY(etc_archive_open(&w->archive, archive, err));
	etc_arena_release(&w->member);
	etc_arena_init(&w->member, ETC_ARCHIVE_MOST);
	file->borrowed = true;
	ETC_TRY(etc_archive_read(&w->archive, etc_str_sub(path, archive.len + 2, path.len),
	                         &w->member, &file->bytes, err));
	t->dump.bytes = (int64_t)file->bytes.len;
	return ETC_OK;
}

static enum etc_status read_dump(struct task *t, struct etc_file *file, struct etc_error *err)
{
	const struct etc_given *given = etc_batch_given(t->worker->batch->options, t->dump.path);
	const char *packed;
	struct etc_str part;

	if (given) {
		*file = (struct etc_file){ .bytes = given->bytes, .borrowed = true };
		t->dump.bytes = (int64_t)given->bytes.len;
		identify(t->worker, given->bytes, &t->dump);
		return ETC_OK;
	}
	find_dump(t);
	part = etc_archive_part(etc_str_of(t->dump.path));
	if (etc_archive_is(part) && !etc_file_exists(t->dump.path))
		ETC_TRY(read_member(t, part, file, err));
	/* an archive whose members could not be listed; opening it reports the error */
	else if (etc_archive_is(etc_str_of(t->dump.path)))
		ETC_TRY(etc_archive_open(&t->worker->archive, part, err));
	else {
		ETC_TRY(etc_archive_fits(t->dump.path, err));
		ETC_TRY(etc_file_open_found(file, t->dump.path, 0, err));
	}
	identify(t->worker, file->bytes, &t->dump);
	packed = etc_packed_kind(file->bytes);
	if (packed && !etc_gzip_is(file->bytes))
		return etc_fail(err, E0965, "%s, by its first bytes", packed);
	return ETC_OK;
}

/* Sends the run_id to the parent process. Sets *mine to true if this worker is the first with that
 * run_id. Returns false if the parent closed its end of the connection. */
static bool ask(struct worker *w, const char *run_id, bool *mine)
{
	struct etc_word id = { .what = ETC_WORD_ID };
	struct etc_order order;

	memcpy(id.run_id, run_id, sizeof id.run_id);
	if (!say(w, &id) || !hear(w, &order))
		return false;
	*mine = order.what == ETC_ORDER_GO;
	return true;
}

/* Adds the dump to the table `paths`. Adds its rows to the other tables, unless these already have
 * rows with its run_id. If the analysis fails, adds a row to the table `errors` and sets *bad.
 * Returns false if the parent closed its end of the connection, or if memory ran out, perhaps
 * because of the rows of other dumps. */
static bool add_dump(struct task *t, bool (*mine_of)(struct worker *, const char *, bool *),
                     bool *bad, struct etc_error *err)
{
	struct worker *w = t->worker;
	struct etc_file file = { 0 };
	enum etc_status st, added = ETC_OK;
	bool mine = false;

	st = read_dump(t, &file, err);
	if (st == ETC_OK) {
		if (!mine_of(w, t->dump.run_id, &mine)) {
			etc_file_release(&file);
			return false;
		}
		added = etc_sheets_path(w->sheets, &t->dump, err);
	}
	if (st == ETC_OK && added == ETC_OK && mine)
		st = analyze_whole(t, file.bytes, err);
	/* The worker ran out of memory, and has analysed other dumps before. It must end: a new
	 * worker holds no rows of other dumps, so it may have enough memory for this dump. */
	if (t->starved && (w->done.len || w->nth))
		added = st;
	if (added == ETC_OK && st != ETC_OK)
		added = etc_sheets_error(w->sheets, &t->dump, err, err);
	etc_file_release(&file);
	*bad = st != ETC_OK;
	return added == ETC_OK;
}

/* Calls add_dump() with an empty list of opened files, because one list for all dumps would never
 * stop growing. */
static bool do_dump(struct task *t, bool (*mine_of)(struct worker *, const char *, bool *),
                    bool *bad, struct etc_error *err)
{
	struct etc_opened *opened = etc_opened_begin();
	bool ok = add_dump(t, mine_of, bad, err);

	etc_opened_end(opened);
	return ok;
}

/* Called if a worker crashed on the dump of `order`. Adds a row for this dump to the table
 * `errors`; if the worker had sent the run_id of the dump, also to the table `paths`. */
static bool do_lost(struct task *t, const struct etc_order *order, struct etc_error *err)
{
	struct worker *w = t->worker;

	find_dump(t);
	memcpy(t->dump.run_id, order->run_id, sizeof t->dump.run_id);
	etc_fail(err, order->code, "%s", order->text);
	return (!t->dump.run_id[0] || etc_sheets_path(w->sheets, &t->dump, err) == ETC_OK) &&
	       etc_sheets_error(w->sheets, &t->dump, err, err) == ETC_OK;
}

/* ---- orders -------------------------------------------------------------------------- */

static bool write_parts(struct worker *w)
{
	struct etc_word word = { .what = ETC_WORD_PARTS, .error.at = -1 };

	if (etc_parts_write(&w->batch->parts, w->number, w->nth, w->sheets, etc_text_str(&w->done),
	                    &word.error) != ETC_OK) {
		word.what = ETC_WORD_FAILED;
		(void)say(w, &word);
		return false;
	}
	etc_sheets_clear(w->sheets);
	w->done.len = 0;
	w->nth++;
	return say(w, &word);
}

static bool obey(struct worker *w, const struct etc_order *order)
{
	const struct etc_batch_items *items = &w->batch->items;
	struct etc_error err = { .at = -1 };
	struct task t = { .worker = w,
		          .err = &err,
		          .dump.bytes = -1,
		          .dump.modified_ns = -1,
		          .dump.file_bytes = -1 };
	struct etc_word done = { .what = ETC_WORD_DONE };

	if (order->what == ETC_ORDER_WRITE)
		return write_parts(w);
	t.dump.path = items->v[order->item];
	done.failed = order->what == ETC_ORDER_LOST;
	if (etc_sheets_begin(w->sheets, &t.dump, &err) != ETC_OK)
		return false;
	if (done.failed ? !do_lost(&t, order, &err) : !do_dump(&t, ask, &done.failed, &err))
		return false;
	/* A dump that cannot be read is not listed as done, so --resume tries it again. */
	if (t.dump.run_id[0])
		etc_parts_add(&w->done, &t.dump);
	if (w->done.failed)
		return false;
	done.full = etc_sheets_full(w->sheets);
	return say(w, &done);
}

int etc_batch_work(const struct etc_batch *b, int fd, uint32_t number)
{
	struct etc_sheets sheets;
	struct worker w = { .batch = b, .fd = fd, .number = number, .sheets = &sheets };
	struct etc_error err = { .at = -1 };
	struct etc_order order;
	int status = ETC_OK;

	etc_file_map_never();
	etc_arena_init(&w.arena, SIZE_MAX / 2);
	if (etc_sheets_init(&sheets, &b->meta, b->parts.wanted, &w.arena, &err) != ETC_OK)
		return ETC_NOMEM;
	while (status == ETC_OK && hear(&w, &order))
		status = obey(&w, &order) ? ETC_OK : ETC_NOMEM;
	etc_sheets_release(&sheets);
	etc_text_release(&w.done);
	etc_archive_close(&w.archive);
	etc_arena_release(&w.member);
	etc_arena_release(&w.arena);
	return status;
}

/* ---- a batch in this process ------------------------------------------------------------- */

/* Used instead of ask() when there is only one worker. Stores `run_id`, and sets *mine to true if
 * it is new. False: out of memory. */
static bool note_id(struct worker *w, const char *run_id, bool *mine)
{
	const struct etc_str id = { run_id, ETC_HEX };
	const size_t before = w->ids.count;

	if (etc_map_intern(&w->ids, id, 0) == ETC_MAP_NONE)
		return false;
	*mine = w->ids.count > before;
	return true;
}

enum etc_status etc_batch_here(const struct etc_batch *b, struct etc_sheets *sheets,
                               struct etc_batch_counts *out, struct etc_error *err)
{
	struct worker w = { .batch = b, .fd = -1, .sheets = sheets };
	enum etc_status st = ETC_OK;

	*out = (struct etc_batch_counts){ 0 };
	etc_map_init(&w.ids, b->arena);
	for (uint32_t i = 0; st == ETC_OK && i < b->items.count; i++) {
		struct etc_error wrong = { .at = -1 };
		struct task t = { .worker = &w,
			          .err = &wrong,
			          .dump.bytes = -1,
			          .dump.modified_ns = -1,
			          .dump.file_bytes = -1 };
		bool bad = false;

		t.dump.path = b->items.v[i];
		if (!do_dump(&t, note_id, &bad, &wrong))
			st = etc_no_memory(err);
		out->done++;
		out->failed += bad;
	}
	etc_archive_close(&w.archive);
	etc_arena_release(&w.member);
	return st;
}
