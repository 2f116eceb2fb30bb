/* diff.c -- see dump.h: `etcore dump A --diff B`, which compares two programs. */
#include "context/output.h"
#include "commands/dump/dump.h"
#include "formats/program/bundled.h"
#include "formats/program/program.h"
#include "commands/dump/program_diff_screen.h"
#include "commands/dump/schema.h"

struct pair {
	const char *paths[2];
	struct etc_program_diff diff;
};

static void put_text(void *what, struct etc_text *out)
{
	const struct pair *p = what;

	etc_view_program_diff(&p->diff, p->paths, out);
}

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
