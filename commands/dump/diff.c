/* diff.c -- see dump.h: `etcore dump A --diff B`, two programs. */
#include "context/output.h"
#include "commands/dump/dump.h"
#include "formats/program/bundled.h"
#include "formats/program/program.h"
#include "commands/dump/program_diff_screen.h"

struct pair {
	const char *paths[2];
	struct etc_program_diff diff;
};

static void put_text(void *what, struct etc_text *out)
{
	const struct pair *p = what;

	etc_view_program_diff(&p->diff, p->paths, out);
}

static void side(struct etc_emit *e, const char *name, const struct etc_part_amount *a)
{
	if (!a->present) {
		etc_emit_null(e, name);
		return;
	}
	etc_emit_open(e, name, '{');
	etc_emit_u64(e, "count", a->count);
	etc_emit_u64(e, "bytes", a->bytes);
	etc_emit_close(e);
}

static void put_json(void *what, struct etc_text *out)
{
	const struct pair *p = what;
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '{');
	etc_emit_text(&e, "schema", ETC_STR("etcore.program-diff/1"));
	etc_emit_text(&e, "a", etc_str_of(p->paths[0]));
	etc_emit_text(&e, "b", etc_str_of(p->paths[1]));
	etc_emit_bool(&e, "identical", p->diff.identical);
	etc_emit_block(&e, "rows", '[');
	for (uint32_t i = 0; i < p->diff.row_count && !out->failed; i++) {
		const struct etc_part_row *r = &p->diff.rows[i];

		etc_emit_open(&e, NULL, '{');
		etc_emit_text(&e, "part", etc_str_of(etc_part_text(r->part)));
		etc_emit_text(&e, "method", r->method);
		etc_emit_text(&e, "name", r->name);
		side(&e, "a", &r->side[0]);
		side(&e, "b", &r->side[1]);
		etc_emit_bool(&e, "equal", etc_part_equal(r));
		etc_emit_close(&e);
	}
	etc_emit_close(&e);
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
