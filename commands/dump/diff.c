/* diff.c -- see dump.h: `etcore dump A --diff B`, which compares two programs. */
#include "context/output.h"
#include "commands/dump/dump.h"
#include "formats/program/bundled.h"
#include "formats/program/program.h"
#include "commands/dump/schema.h"
#include "commands/dump/etdump_text.h"
#include "commands/dump/program_diff.h"

struct pair {
	const char *paths[2];
	struct etc_program_diff diff;
};

/* ---- text ---------------------------------------------------------------- */

static void put_amount(const struct etc_part_row *r, int side, struct etc_text *out)
{
	const struct etc_part_amount *a = &r->side[side];
	bool bytes = r->part == ETC_PART_SIZE || r->part == ETC_PART_MEMORY;

	if (!a->present)
		etc_text_printf(out, " %13s", "-");
	else
		etc_text_printf(out, " %13llu", (unsigned long long)(bytes ? a->bytes : a->count));
}

static void put_row(const struct etc_part_row *r, struct etc_text *out)
{
	etc_text_printf(out, "%-9s", etc_part_text(r->part));
	put_amount(r, 0, out);
	put_amount(r, 1, out);
	etc_text_cstr(out, "  ");
	if (r->method.len && r->part != ETC_PART_METHOD) {
		etc_view_clean(r->method, out);
		etc_text_cstr(out, ": ");
	}
	etc_view_clean(r->name, out);
	if (r->part == ETC_PART_DELEGATE || r->part == ETC_PART_CONSTANT ||
	    r->part == ETC_PART_NAMED)
		etc_text_printf(out, ", %llu bytes",
		                (unsigned long long)(r->side[0].present ? r->side[0].bytes
		                                                        : r->side[1].bytes));
	else if (r->part == ETC_PART_METHOD)
		etc_text_cstr(out, ", instructions");
	else if (r->part != ETC_PART_OPERATOR)
		etc_text_cstr(out, ", bytes");
	etc_text_char(out, '\n');
}

/* The end of the summary line. Rows do not cover every byte, so programs with equal rows may
 * differ. */
static const char *rest(const struct etc_program_diff *d)
{
	if (d->identical)
		return ": the programs are identical";
	if (d->equal_count == d->row_count)
		return ", but the programs differ: in order or arguments of instructions, values, "
		       "or bytes that no row counts";
	return "";
}

/* Writes the rows that differ, and the number of equal ones. */
static void put_text(void *what, struct etc_text *out)
{
	const struct pair *p = what;
	const struct etc_program_diff *d = &p->diff;

	for (int i = 0; i < 2; i++) {
		etc_text_printf(out, "%c  ", "AB"[i]);
		etc_view_clean(etc_str_of(p->paths[i]), out);
		etc_text_char(out, '\n');
	}
	if (d->equal_count < d->row_count)
		etc_text_printf(out, "\n%-9s %13s %13s\n", "", "A", "B");
	for (uint32_t i = 0; i < d->row_count && !out->failed; i++)
		if (!etc_part_equal(&d->rows[i]))
			put_row(&d->rows[i], out);
	etc_text_printf(out, "\n%lu of %lu equal%s\n", (unsigned long)d->equal_count,
	                (unsigned long)d->row_count, rest(d));
}

/* ---- JSON ---------------------------------------------------------------- */

static void equal(const struct etc_walk *w, const char *name, const void *row)
{
	etc_emit_bool(w->e, name, etc_part_equal(row));
}

/* clang-format off */
#define SIDE struct etc_part_amount
static const struct etc_schema side = { ETC_SCHEMA(SIDE,
	{ ETC_FIELD(SIDE, "count", count) },
	{ ETC_FIELD(SIDE, "bytes", bytes) }) };

#define ROW struct etc_part_row
static const struct etc_schema row = { ETC_SCHEMA(ROW,
	{ ETC_FIELD(ROW, "part", part), .word = etc_part_text },
	{ ETC_FIELD(ROW, "method", method) },
	{ ETC_FIELD(ROW, "name", name) },
	{ ETC_FIELD_AS(TABLE, ROW, "a", side[0]), .of = &side, ETC_FIELD_IF(ROW, side[0].present) },
	{ ETC_FIELD_AS(TABLE, ROW, "b", side[1]), .of = &side, ETC_FIELD_IF(ROW, side[1].present) },
	{ ETC_FIELD_BY("equal", equal) }) };

#define PAIR struct pair
static const struct etc_schema document = { ETC_SCHEMA(PAIR,
	{ ETC_FIELD_IS("schema", "etcore.program-diff/1") },
	{ ETC_FIELD(PAIR, "a", paths[0]) },
	{ ETC_FIELD(PAIR, "b", paths[1]) },
	{ ETC_FIELD(PAIR, "identical", diff.identical) },
	{ ETC_FIELD_TABLES(PAIR, "rows", diff.rows, diff.row_count, row), .lines = true }),
	.bare = true };
/* clang-format on */

static void put_json(void *what, struct etc_text *out)
{
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '{');
	etc_walk_table(&(struct etc_walk){ .e = &e }, NULL, &document, what);
	etc_text_char(out, '\n');
	etc_emit_close(&e);
}

static const struct etc_format formats[] =
	ETC_FORMAT_ARRAY(ETC_TEXT_JSON_FORMATS, ETC_DOCUMENT_FORMAT);

static enum etc_status read(struct etc_session *s, const char *path, struct etc_diffed *out,
                            struct etc_error *err)
{
	struct etc_program *p = etc_new(&s->arena, struct etc_program, 1);

	ETC_NEED(p, err);
	out->program = p;
	ETC_TRY(etc_session_open(s, path, &out->file, err));
	if (etc_bundled_is(out->file))
		ETC_TRY(etc_bundled_inner(out->file, &out->file, err));
	return etc_program_read_whole(out->file, &s->settings.limits, &s->arena, p, err);
}

enum etc_status etc_dump_programs(struct etc_session *s, const struct etc_dump_options *o,
                                  const struct etc_reply *reply, struct etc_error *err)
{
	struct pair p = { .paths = { o->file, o->diff } };
	struct etc_targets targets;
	struct etc_diffed sides[2];

	ETC_TRY(etc_targets_parse(&targets, formats, &o->output, &s->arena, err));
	for (int i = 0; i < 2; i++)
		ETC_TRY(etc_in_file(err, read(s, p.paths[i], &sides[i], err), p.paths[i]));
	ETC_TRY(etc_program_diff(sides, &s->arena, &p.diff, err));
	ETC_TRY(etc_session_report(s, o->common.strict, reply, err));
	return etc_targets_document(&targets, &p, reply->out, err);
}
