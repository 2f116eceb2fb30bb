/* bundled.c -- `etcore dump` of a BundledProgram (.bpte): its test cases, then the program that it
 * contains.
 *
 * Members of the JSON document have the names of bundled_program_schema.fbs. For the contents of a
 * tensor, position and length are shown. */
#include "commands/dump/dump.h"
#include "commands/dump/schema.h"
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

/* clang-format off */
#define VALUE struct etc_bundled_value
#define OF(kind) ETC_FIELD_WHEN(ETC_BUNDLED_##kind)
static const struct etc_schema value = { ETC_SCHEMA(VALUE,
	{ ETC_FIELD(VALUE, "val_type", kind), .word = etc_view_bundled_kind, .word_or_null = true },
	{ ETC_FIELD_IS("val", NULL), OF(NONE) },
	{ ETC_FIELD_GROUP(VALUE, "val",
	  { ETC_FIELD(VALUE, "scalar_type", scalar_type), .word = etc_scalar_type_word },
	  { ETC_FIELD_VECTOR(VALUE, "sizes", sizes, INT, 4) },
	  { ETC_FIELD_NUMBERS(VALUE, "dim_order", dim_order.ptr, dim_order.len, UINT, 1) },
	  { ETC_FIELD_AS(PLACE, VALUE, "data", data) }), OF(TENSOR) },
	{ ETC_FIELD(VALUE, "val", integer), OF(INT) },
	{ ETC_FIELD_AS(BOOL, VALUE, "val", integer), OF(BOOL) },
	{ ETC_FIELD(VALUE, "val", number), OF(DOUBLE) }),
	.tag = offsetof(VALUE, kind) };

#define CASE struct etc_bundled_case
static const struct etc_schema test_case = { ETC_SCHEMA(CASE,
	{ ETC_FIELD_TABLES(CASE, "inputs", inputs, input_count, value), .lines = true },
	{ ETC_FIELD_TABLES(CASE, "expected_outputs", outputs, output_count, value), .lines = true }),
	.lines = true };

#define SUITE struct etc_bundled_suite
static const struct etc_schema suite = { ETC_SCHEMA(SUITE,
	{ ETC_FIELD(SUITE, "method_name", method) },
	{ ETC_FIELD_TABLES(SUITE, "test_cases", cases, case_count, test_case), .lines = true }),
	.lines = true };

#define BUNDLED struct etc_bundled_program
static const struct etc_schema bundled = { ETC_SCHEMA(BUNDLED,
	{ ETC_FIELD_IS("identifier", "BP08") },
	{ ETC_FIELD(BUNDLED, "version", version) },
	{ ETC_FIELD_TABLES(BUNDLED, "method_test_suites", suites, suite_count, suite), .lines = true },
	{ ETC_FIELD_AS(PLACE, BUNDLED, "program", program) }), .lines = true };
/* clang-format on */

static void json(struct etc_dump *d, struct etc_emit *e)
{
	const struct content *c = d->content;

	etc_walk_table(&(struct etc_walk){ .e = e, .file = d->bytes }, "bundled_program", &bundled,
	               &c->bundled);
	etc_dump_program_json(e, d->bytes, base(d, c), &c->program);
}

const struct etc_dump_kind etc_dump_bundled = {
	.kind = ETC_FILE_BUNDLED_PROGRAM,
	.name = "bundled_program",
	.read = read,
	.text = text,
	.json = json,
};
