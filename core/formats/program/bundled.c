/* bundled.c -- see bundled.h.
 *
 *   BundledProgram ─┬─ method_test_suites[] ── test_cases[] ─┬─ inputs[]
 *                   └─ program: a .pte                       └─ expected_outputs[] */
#include "formats/program/bundled.h"

#include "formats/program/program_reader.h"

/* Field numbers: positions in the schema. A union has two fields: its type, then its table. */
enum { BUNDLED_VERSION, BUNDLED_SUITES, BUNDLED_PROGRAM };
enum { SUITE_METHOD, SUITE_CASES };
enum { CASE_INPUTS, CASE_OUTPUTS };
enum { VALUE_KIND, VALUE };
enum { TENSOR_TYPE, TENSOR_SIZES, TENSOR_DATA, TENSOR_DIM_ORDER };
enum { ONLY };

enum {
	TABLE_BUNDLED,
	TABLE_SUITE,
	TABLE_CASE,
	TABLE_BUNDLED_VALUE,
	TABLE_BUNDLED_TENSOR,
	TABLE_1,
	TABLE_8,
	TABLES
};

static const struct etc_fb_type types[TABLES] = {
	[TABLE_BUNDLED] = { "BundledProgram", 3, { 4, 4, 4 } },
	[TABLE_SUITE] = { "BundledMethodTestSuite", 2, { 4, 4 } },
	[TABLE_CASE] = { "BundledMethodTestCase", 2, { 4, 4 } },
	[TABLE_BUNDLED_VALUE] = { "Value", 2, { 1, 4 } },
	[TABLE_BUNDLED_TENSOR] = { "Tensor", 4, { 1, 4, 4, 4 } },
	[TABLE_1] = { "Bool", 1, { 1 } },
	[TABLE_8] = { "Int or Double", 1, { 8 } },
};

struct reader {
	struct etc_fb fb;
	struct etc_fb_layouts layouts[TABLES];
	struct etc_arena *arena;
};

static enum etc_status read_tensor(struct reader *r, struct etc_fb_table t,
                                   struct etc_bundled_value *out, struct etc_error *err)
{
	struct etc_fb_vec sizes;

	ETC_TRY(etc_program_list(&r->fb, t, TENSOR_SIZES, &sizes, err));
	out->sizes = (struct etc_numbers){ r->fb.ptr + sizes.at, (uint32_t)sizes.count };
	out->scalar_type = (int8_t)etc_fb_u8(&r->fb, t, TENSOR_TYPE, 0);
	out->dim_order = etc_fb_bytes(&r->fb, t, TENSOR_DIM_ORDER);
	out->data = etc_fb_bytes(&r->fb, t, TENSOR_DATA);
	ETC_TRY(etc_program_check(&r->fb, err));
	for (uint32_t i = 0; i < out->sizes.count; i++)
		if (etc_i32_at(out->sizes, i) < 0)
			return etc_fail_at(err, E0433, t.at, "dimension %lu has size %ld",
			                   (unsigned long)i, (long)etc_i32_at(out->sizes, i));
	return ETC_OK;
}

static enum etc_status read_value(struct reader *r, struct etc_fb_table value,
                                  struct etc_bundled_value *out, struct etc_error *err)
{
	static const uint8_t tables[ETC_BUNDLED_KINDS] = {
		[ETC_BUNDLED_TENSOR] = TABLE_BUNDLED_TENSOR,
		[ETC_BUNDLED_INT] = TABLE_8,
		[ETC_BUNDLED_BOOL] = TABLE_1,
		[ETC_BUNDLED_DOUBLE] = TABLE_8,
	};
	uint8_t kind = etc_fb_u8(&r->fb, value, VALUE_KIND, 0);
	struct etc_fb_table t;
	uint64_t bits;

	if (kind == ETC_BUNDLED_NONE || kind >= ETC_BUNDLED_KINDS)
		return etc_program_check(&r->fb, err);
	t = etc_fb_sub(&r->fb, &r->layouts[tables[kind]], value, VALUE);
	ETC_TRY(etc_program_check(&r->fb, err));
	if (t.at == 0)
		return etc_fail_at(err, E0433, value.at, "a value without its table");
	out->kind = kind;
	if (kind == ETC_BUNDLED_TENSOR)
		return read_tensor(r, t, out, err);
	bits = etc_fb_u64(&r->fb, t, ONLY, 0);
	if (kind == ETC_BUNDLED_DOUBLE)
		memcpy(&out->number, &bits, sizeof bits);
	else if (kind == ETC_BUNDLED_INT)
		out->integer = (int64_t)bits;
	else
		out->integer = etc_fb_u8(&r->fb, t, ONLY, 0) != 0;
	return ETC_OK;
}

static enum etc_status read_values(struct reader *r, struct etc_fb_table t, unsigned field,
                                   const struct etc_bundled_value **out, uint32_t *count,
                                   struct etc_error *err)
{
	struct etc_bundled_value *values;
	struct etc_fb_vec v;

	ETC_TRY(etc_program_list(&r->fb, t, field, &v, err));
	*out = values = etc_new(r->arena, struct etc_bundled_value, v.count);
	ETC_NEED(values, err);
	*count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++)
		ETC_TRY(etc_context(
			err,
			read_value(r,
		                   etc_fb_element(&r->fb, &r->layouts[TABLE_BUNDLED_VALUE], v, i),
		                   &values[i], err),
			"value %zu", i));
	return ETC_OK;
}

static enum etc_status read_case(struct reader *r, struct etc_fb_table t,
                                 struct etc_bundled_case *out, struct etc_error *err)
{
	ETC_TRY(etc_context(err,
	                    read_values(r, t, CASE_INPUTS, &out->inputs, &out->input_count, err),
	                    "inputs"));
	return etc_context(err,
	                   read_values(r, t, CASE_OUTPUTS, &out->outputs, &out->output_count, err),
	                   "expected_outputs");
}

static enum etc_status read_suite(struct reader *r, struct etc_fb_table t,
                                  struct etc_bundled_suite *out, struct etc_error *err)
{
	struct etc_bundled_case *cases;
	struct etc_fb_vec v;

	out->method = etc_fb_str(&r->fb, t, SUITE_METHOD);
	ETC_TRY(etc_program_list(&r->fb, t, SUITE_CASES, &v, err));
	out->cases = cases = etc_new(r->arena, struct etc_bundled_case, v.count);
	ETC_NEED(cases, err);
	out->case_count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++)
		ETC_TRY(etc_context(err,
		                    read_case(r,
		                              etc_fb_element(&r->fb, &r->layouts[TABLE_CASE], v, i),
		                              &cases[i], err),
		                    "test case %zu", i));
	return ETC_OK;
}

static enum etc_status read_suites(struct reader *r, struct etc_fb_table root,
                                   struct etc_bundled_program *out, struct etc_error *err)
{
	struct etc_bundled_suite *suites;
	struct etc_fb_vec v;

	ETC_TRY(etc_program_list(&r->fb, root, BUNDLED_SUITES, &v, err));
	out->suites = suites = etc_new(r->arena, struct etc_bundled_suite, v.count);
	ETC_NEED(suites, err);
	out->suite_count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++)
		ETC_TRY(etc_context(
			err,
			read_suite(r, etc_fb_element(&r->fb, &r->layouts[TABLE_SUITE], v, i),
		                   &suites[i], err),
			"test suite %zu", i));
	return ETC_OK;
}

bool etc_bundled_is(struct etc_span file)
{
	return etc_fits(file.len, 4, 4) && memcmp(file.ptr + 4, "BP08", 4) == 0;
}

/* Starts reading a file: checks its identifier, and sets `*root` to its root table. */
static enum etc_status begin(struct reader *r, struct etc_span file,
                             const struct etc_limits *limits, struct etc_arena *arena,
                             struct etc_fb_table *root, struct etc_error *err)
{
	if (!etc_bundled_is(file))
		return etc_fail(err, E0430, "no identifier 'BP08' of a .bpte at byte 4 of %zu",
		                file.len);
	if (file.len < 12)
		return etc_fail_at(err, E0432, 4, "the file ends behind its identifier");
	r->arena = arena;
	etc_fb_init(&r->fb, file, etc_fb_visits(file.len, limits ? limits->max_visits : 0));
	for (size_t i = 0; i < TABLES; i++)
		etc_fb_layouts_init(&r->layouts[i], &types[i]);
	*root = etc_fb_table_at(&r->fb, &r->layouts[TABLE_BUNDLED], etc_fb_follow(&r->fb, 0));
	return etc_program_check(&r->fb, err);
}

enum etc_status etc_bundled_inner(struct etc_span file, struct etc_span *program,
                                  struct etc_error *err)
{
	struct reader r = { .arena = NULL };
	struct etc_fb_table root;

	*program = (struct etc_span){ 0 };
	ETC_TRY(begin(&r, file, NULL, NULL, &root, err));
	*program = etc_fb_bytes(&r.fb, root, BUNDLED_PROGRAM);
	return etc_program_check(&r.fb, err);
}

enum etc_status etc_bundled_read(struct etc_span file, const struct etc_limits *limits,
                                 struct etc_arena *arena, struct etc_bundled_program *out,
                                 struct etc_error *err)
{
	struct reader r = { .arena = NULL };
	struct etc_bundled_program found = { 0 };
	struct etc_fb_table root;

	*out = found;
	ETC_TRY(begin(&r, file, limits, arena, &root, err));
	found.version = etc_fb_u32(&r.fb, root, BUNDLED_VERSION, 0);
	found.program = etc_fb_bytes(&r.fb, root, BUNDLED_PROGRAM);
	ETC_TRY(read_suites(&r, root, &found, err));
	*out = found;
	return ETC_OK;
}
