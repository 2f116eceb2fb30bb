/* bundled.c -- a BundledProgram (.bpte) for `etcore dump`: its test cases, then the program in
 * it.
 *
 * JSON has the names of bundled_program_schema.fbs. Contents of tensors are shown as position
 * and length. */
#include "commands/dump/dump.h"
#include "commands/dump/values.h"
#include "model/scalar_type.h"
#include "formats/program/bundled.h"
#include "formats/program/program.h"
#include "commands/dump/bundled_text.h"
#include "commands/dump/program_text.h"

struct content {
	struct etc_bundled_program bundled;
	struct etc_program program;
};

static enum etc_status read(struct etc_dump *d, struct etc_error *err)
{
	struct etc_session *s = d->session;
	struct content *c = etc_new(&s->arena, struct content, 1);
	const struct etc_limits *limits = &s->settings.limits;

	ETC_NEED(c, err);
	d->content = c;
	ETC_TRY(etc_bundled_read(d->bytes, limits, &s->arena, &c->bundled, err));
	return etc_context(
		err,
		etc_program_read_whole(c->bundled.program, limits, &s->arena, &c->program, err),
		"the program in it");
}

static size_t base(const struct etc_dump *d, const struct content *c)
{
	return c->bundled.program.ptr ? (size_t)(c->bundled.program.ptr - d->bytes.ptr) : 0;
}

static void text(struct etc_dump *d, struct etc_text *out)
{
	const struct content *c = d->content;

	etc_view_dump_bundled(&c->bundled, d->bytes.len, out);
	etc_text_printf(out, "\nat byte %zu: ", base(d, c));
	etc_view_dump_program(&c->program, out);
}

/* ---- JSON ---------------------------------------------------------------- */

static void tensor(struct etc_emit *e, struct etc_span file, const struct etc_bundled_value *v)
{
	const struct etc_scalar_type *type = etc_scalar_type(v->scalar_type);

	etc_emit_open(e, "val", '{');
	if (type)
		etc_emit_text(e, "scalar_type", etc_str_of(type->name));
	else
		etc_emit_i64(e, "scalar_type", v->scalar_type);
	etc_dump_indices(e, "sizes", v->sizes);
	etc_dump_bytes(e, "dim_order", v->dim_order);
	etc_emit_open(e, "data", '{');
	if (v->data.ptr)
		etc_emit_u64(e, "at", (uint64_t)(v->data.ptr - file.ptr));
	else
		etc_emit_null(e, "at");
	etc_emit_u64(e, "size", v->data.len);
	etc_emit_close(e);
	etc_emit_close(e);
}

static void values(struct etc_emit *e, const char *name, struct etc_span file,
                   const struct etc_bundled_value *v, uint32_t count)
{
	etc_emit_block(e, name, '[');
	for (uint32_t i = 0; i < count && !e->out->failed; i++) {
		const char *kind = etc_view_bundled_kind(v[i].kind);

		etc_emit_open(e, NULL, '{');
		if (kind)
			etc_emit_text(e, "val_type", etc_str_of(kind));
		else
			etc_emit_null(e, "val_type");
		if (v[i].kind == ETC_BUNDLED_TENSOR)
			tensor(e, file, &v[i]);
		else if (v[i].kind == ETC_BUNDLED_INT)
			etc_emit_i64(e, "val", v[i].integer);
		else if (v[i].kind == ETC_BUNDLED_BOOL)
			etc_emit_bool(e, "val", v[i].integer != 0);
		else if (v[i].kind == ETC_BUNDLED_DOUBLE)
			etc_emit_real(e, "val", v[i].number);
		else
			etc_emit_null(e, "val");
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

static void suite(struct etc_emit *e, struct etc_span file, const struct etc_bundled_suite *s)
{
	etc_emit_block(e, NULL, '{');
	etc_emit_text(e, "method_name", s->method);
	etc_emit_block(e, "test_cases", '[');
	for (uint32_t i = 0; i < s->case_count && !e->out->failed; i++) {
		const struct etc_bundled_case *c = &s->cases[i];

		etc_emit_block(e, NULL, '{');
		values(e, "inputs", file, c->inputs, c->input_count);
		values(e, "expected_outputs", file, c->outputs, c->output_count);
		etc_emit_close(e);
	}
	etc_emit_close(e);
	etc_emit_close(e);
}

static void json(struct etc_dump *d, struct etc_emit *e)
{
	const struct content *c = d->content;

	etc_emit_block(e, "bundled_program", '{');
	etc_emit_text(e, "identifier", ETC_STR("BP08"));
	etc_emit_u64(e, "version", c->bundled.version);
	etc_emit_block(e, "method_test_suites", '[');
	for (uint32_t i = 0; i < c->bundled.suite_count && !e->out->failed; i++)
		suite(e, d->bytes, &c->bundled.suites[i]);
	etc_emit_close(e);
	etc_emit_open(e, "program", '{');
	etc_emit_u64(e, "at", base(d, c));
	etc_emit_u64(e, "size", c->bundled.program.len);
	etc_emit_close(e);
	etc_emit_close(e);
	etc_dump_program_json(e, d->bytes, base(d, c), &c->program);
}

const struct etc_dump_kind etc_dump_bundled = {
	.kind = ETC_FILE_BUNDLED_PROGRAM,
	.name = "bundled_program",
	.read = read,
	.text = text,
	.json = json,
};
