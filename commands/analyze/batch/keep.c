/* keep.c -- implements `batch` for callers of the library; see batch.h. The tables stay in memory,
 * and callers read them as Arrow. */
#include "commands/analyze/batch/batch.h"

#include <stdlib.h>

#include "base/memory.h"

struct kept {
	struct etc_kept kept;
	struct etc_session session; /* owns the memory of column definitions and paths */
	struct etc_sheets sheets;
	struct etc_typed_table tables[ETC_SHEETS];
};

/* Implements etc_kept_kind.make. It has nothing to do, since all tables are complete when the
 * answer is returned. */
static enum etc_status make_table(struct etc_kept *kept, uint32_t which, struct etc_error *err)
{
	(void)kept;
	(void)which;
	(void)err;
	return ETC_OK;
}

static enum etc_status write_kept(struct etc_kept *kept, const char *format, struct etc_text *out,
                                  struct etc_error *err)
{
	(void)kept;
	(void)out;
	return etc_fail(err, E0991, "'batch' writes its tables as %s to --out", format);
}

static void close_files(struct etc_kept *kept)
{
	etc_session_close(&((struct kept *)kept)->session);
}

static void release(struct etc_kept *kept)
{
	struct kept *k = (struct kept *)kept;

	etc_sheets_release(&k->sheets);
	etc_arena_release(&k->session.arena);
	free(k);
}

static enum etc_status type_columns(struct kept *k, struct etc_error *err)
{
	for (int i = 0; i < ETC_SHEETS; i++) {
		const struct etc_table *t = &k->sheets.of[i].table;
		uint8_t *types = etc_new(&k->session.arena, uint8_t, t->column_count);

		ETC_NEED(types, err);
		for (uint32_t c = 0; c < t->column_count; c++)
			types[c] = t->columns[c].cell;
		k->tables[i] = (struct etc_typed_table){ .table = *t, .types = types };
	}
	return ETC_OK;
}

static void put_counts(const struct kept *k, const struct etc_batch_counts *n, struct etc_text *out)
{
	etc_text_tell(out, "%u dump%s", (unsigned)n->done, etc_plural(n->done));
	for (int i = 0; i < ETC_SHEETS; i++)
		etc_text_tell(out, "%s %s %u", i ? "," : ":", etc_sheet_names[i],
		              (unsigned)k->tables[i].table.row_count);
	etc_text_char(out, '\n');
}

static enum etc_status run(struct kept *k, const struct etc_batch_options *options,
                           etc_batch_make_fn *make, const struct etc_reply *reply,
                           struct etc_batch_counts *counts, struct etc_error *err)
{
	struct etc_batch *b = etc_new(&k->session.arena, struct etc_batch, 1);

	ETC_NEED(b, err);
	ETC_TRY(make(&k->session, options, b, err));
	ETC_TRY(etc_sheets_init(&k->sheets, &b->meta, b->parts.wanted, &k->session.arena, err));
	ETC_TRY(etc_batch_here(b, &k->sheets, counts, err));
	ETC_TRY(type_columns(k, err));
	ETC_TRY(etc_session_report(&k->session, options->common.strict, reply, err));
	put_counts(k, counts, reply->out);
	return etc_session_end(&k->session, err);
}

enum etc_status etc_batch_keep(const struct etc_batch_options *options, etc_batch_make_fn *make,
                               const struct etc_reply *reply, struct etc_error *err)
{
	static const struct etc_kept_kind kind = {
		.first = ETC_BATCH_FIRST,
		.count = ETC_SHEETS,
		.names = etc_sheet_names,
		.make = make_table,
		.write = write_kept,
		.close = close_files,
		.release = release,
	};
	struct etc_batch_counts counts = { 0 };
	struct kept *k = etc_calloc(1, sizeof *k);
	enum etc_status st;

	ETC_NEED(k, err);
	etc_kept_init(&k->kept, &kind, k->tables);
	etc_session_init(&k->session, ETC_BATCH_NAMES_BUDGET);
	st = run(k, options, make, reply, &counts, err);
	if (st != ETC_OK || !reply->kept) {
		etc_kept_close(&k->kept);
		return st;
	}
	*reply->kept = &k->kept;
	if (counts.failed)
		return etc_fail(err, E1200, "%u of %u", (unsigned)counts.failed,
		                (unsigned)counts.done);
	return ETC_OK;
}
