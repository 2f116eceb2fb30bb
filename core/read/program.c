/* program.c -- see program.h
 *
 *   Program ─┬─ execution_plan[] ── ExecutionPlan ─┬─ chains[] ── instructions[]
 *            │                                     ├─ operators[]
 *            │                                     └─ delegates[] ── processed
 *            ├─ backend_delegate_data[]  <── INLINE ───────────────────┤
 *            └─ segments[]               <── SEGMENT ──────────────────┘
 *
 *   file:  [u32 root]["ET12"]["eh00" header][FlatBuffer ...][segment data ...] */
#include "read/program.h"

#include "read/flatbuf.h"

enum { VISITS_LEAST = 1 << 20, BYTES_PER_VISIT = 16 };

/* Field numbers: positions in program.fbs. A union takes two: type, table. */
enum {
	PROGRAM_VERSION,
	PROGRAM_PLANS,
	PROGRAM_INLINE = 3,
	PROGRAM_SEGMENTS,
};
enum { PLAN_NAME, PLAN_VALUES = 2, PLAN_CHAINS = 5, PLAN_OPERATORS, PLAN_DELEGATES };
enum { CHAIN_INSTRUCTIONS = 2 };
enum { INSTRUCTION_KIND, INSTRUCTION_ARGS };
enum { ARGS_FIRST, ARGS_SECOND };
enum { OPERATOR_NAME, OPERATOR_OVERLOAD };
enum { DELEGATE_ID, DELEGATE_PROCESSED };
enum { REFERENCE_LOCATION, REFERENCE_INDEX };
enum { INLINE_DATA };
enum { SEGMENT_OFFSET, SEGMENT_SIZE };
enum { LOCATION_INLINE, LOCATION_SEGMENT };
enum { VALUE_KIND, VALUE };
enum { VALUE_TENSOR = 5 };
enum { TENSOR_DYNAMISM = 8 };
enum { SHAPE_STATIC };

enum table_type {
	TABLE_PROGRAM,
	TABLE_PLAN,
	TABLE_CHAIN,
	TABLE_INSTRUCTION,
	TABLE_ARGS,
	TABLE_OPERATOR,
	TABLE_DELEGATE,
	TABLE_REFERENCE,
	TABLE_INLINE,
	TABLE_SEGMENT,
	TABLE_VALUE,
	TABLE_TENSOR,
	TABLE_TYPES
};

/* The five kinds of arguments have one layout as far as it is read: one or two
 * numbers of four bytes, or a number and a vector. */
static const struct etc_fb_type types[TABLE_TYPES] = {
	[TABLE_PROGRAM] = { "Program", 5, { 4, 4, 4, 4, 4 } },
	[TABLE_PLAN] = { "ExecutionPlan", 8, { 4, 4, 4, 4, 4, 4, 4, 4 } },
	[TABLE_CHAIN] = { "Chain", 3, { 4, 4, 4 } },
	[TABLE_INSTRUCTION] = { "Instruction", 2, { 1, 4 } },
	[TABLE_ARGS] = { "InstructionArguments", 2, { 4, 4 } },
	[TABLE_OPERATOR] = { "Operator", 2, { 4, 4 } },
	[TABLE_DELEGATE] = { "BackendDelegate", 2, { 4, 4 } },
	[TABLE_REFERENCE] = { "BackendDelegateDataReference", 2, { 1, 4 } },
	[TABLE_INLINE] = { "BackendDelegateInlineData", 1, { 4 } },
	[TABLE_SEGMENT] = { "DataSegment", 2, { 8, 8 } },
	[TABLE_VALUE] = { "EValue", 2, { 1, 4 } },
	[TABLE_TENSOR] = { "Tensor", 9, { 1, 4, 4, 4, 1, 4, 4, 1, 1 } },
};

/* The extended header, at byte 8. */
enum {
	HEADER_AT = 8,
	HEADER_LENGTH_AT = 12,
	HEADER_PROGRAM_AT = 16,
	HEADER_SEGMENTS_AT = 24,
	HEADER_DATA_AT = 32,
	HEADER_SHORT = 24, /* its length without the size of the segment data */
	HEADER_LONG = 32
};

struct reader {
	struct etc_fb fb;
	struct etc_fb_layouts layouts[TABLE_TYPES];
	struct etc_arena *arena;
	struct etc_program *out;
	struct etc_span file;
	struct etc_fb_vec inlines, segments;
	struct etc_fb_vec values;               /* of the method being read */
	struct etc_program_delegate *delegates; /* of that method */
};

static uint64_t load64(struct etc_span file, size_t at)
{
	uint64_t v;

	memcpy(&v, file.ptr + at, sizeof v);
	return v;
}

static uint32_t load32(struct etc_span file, size_t at)
{
	uint32_t v;

	memcpy(&v, file.ptr + at, sizeof v);
	return v;
}

static enum etc_status check(const struct reader *r, struct etc_error *err)
{
	const struct etc_fb *fb = &r->fb;

	if (!fb->fault)
		return ETC_OK;
	if (fb->spent)
		return etc_fail(err, E0434, "%s (%zu bytes)", fb->fault, fb->len);
	if (fb->where)
		return etc_fail_at(err, E0433, fb->fault_at, "%s: %s", fb->where, fb->fault);
	return etc_fail_at(err, E0433, fb->fault_at, "%s", fb->fault);
}

/* The vector of tables in a field; its length is paid for. */
static enum etc_status list(struct reader *r, struct etc_fb_table t, unsigned field,
                            struct etc_fb_vec *v, struct etc_error *err)
{
	*v = etc_fb_vector(&r->fb, t, field, 4);
	etc_fb_spend(&r->fb, v->count);
	return check(r, err);
}

static struct etc_fb_table element(struct reader *r, enum table_type type, struct etc_fb_vec v,
                                   size_t i)
{
	return etc_fb_element(&r->fb, &r->layouts[type], v, i);
}

/* ---- what delegates refer to ---------------------------------------------- */

/* Segment `i` lies in the file. */
static enum etc_status read_segment(struct reader *r, size_t i, struct etc_segment *out,
                                    struct etc_error *err)
{
	struct etc_fb_table t = element(r, TABLE_SEGMENT, r->segments, i);
	uint64_t offset = etc_fb_u64(&r->fb, t, SEGMENT_OFFSET, 0);
	uint64_t size = etc_fb_u64(&r->fb, t, SEGMENT_SIZE, 0);
	size_t base = r->out->segments_at;

	*out = (struct etc_segment){ offset, size };
	ETC_TRY(check(r, err));
	if (size == 0)
		return ETC_OK;
	if (base == 0)
		return etc_fail_at(err, E0433, t.at,
		                   "segment %zu has %llu bytes, but no header says where", i,
		                   (unsigned long long)size);
	if (offset > r->file.len - base || size > r->file.len - base - offset)
		return etc_fail_at(err, E0432, t.at,
		                   "segment %zu: %llu bytes from byte %zu + %llu on, the file has "
		                   "%zu",
		                   i, (unsigned long long)size, base, (unsigned long long)offset,
		                   r->file.len);
	return ETC_OK;
}

static enum etc_status read_segments(struct reader *r, struct etc_error *err)
{
	struct etc_segment *s = etc_new(r->arena, struct etc_segment, r->segments.count);

	if (!s)
		return etc_fail(err, E0904, "list of %zu segments", r->segments.count);
	r->out->segments = s;
	r->out->segment_count = (uint32_t)r->segments.count;
	for (size_t i = 0; i < r->segments.count; i++)
		ETC_TRY(read_segment(r, i, &s[i], err));
	return ETC_OK;
}

static enum etc_status read_delegate(struct reader *r, struct etc_fb_table t,
                                     struct etc_program_delegate *d, struct etc_error *err)
{
	struct etc_fb_table ref =
		etc_fb_sub(&r->fb, &r->layouts[TABLE_REFERENCE], t, DELEGATE_PROCESSED);
	uint8_t location = etc_fb_u8(&r->fb, ref, REFERENCE_LOCATION, LOCATION_INLINE);

	d->backend = etc_fb_str(&r->fb, t, DELEGATE_ID);
	d->index = etc_fb_u32(&r->fb, ref, REFERENCE_INDEX, 0);
	d->in_segment = location == LOCATION_SEGMENT;
	ETC_TRY(check(r, err));
	if (ref.at == 0)
		return ETC_OK;
	if (location > LOCATION_SEGMENT)
		return etc_fail_at(err, E0433, ref.at, "data in location %u, known are 0 and 1",
		                   (unsigned)location);
	if (d->index >= (d->in_segment ? r->segments.count : r->inlines.count))
		return etc_fail_at(err, E0433, ref.at, "%s %lu of %zu",
		                   d->in_segment ? "segment" : "inline data",
		                   (unsigned long)d->index,
		                   d->in_segment ? r->segments.count : r->inlines.count);
	if (d->in_segment) {
		const struct etc_segment *s = &r->out->segments[d->index];

		if (s->size)
			d->processed =
				(struct etc_span){ r->file.ptr + r->out->segments_at + s->offset,
				                   (size_t)s->size };
	} else {
		struct etc_fb_table data = element(r, TABLE_INLINE, r->inlines, d->index);

		d->processed = etc_fb_bytes(&r->fb, data, INLINE_DATA);
		ETC_TRY(check(r, err));
	}
	d->at = d->processed.ptr ? (size_t)(d->processed.ptr - r->file.ptr) : 0;
	return ETC_OK;
}

static enum etc_status read_delegates(struct reader *r, struct etc_fb_table plan,
                                      struct etc_program_method *m, struct etc_error *err)
{
	struct etc_program_delegate *d;
	struct etc_fb_vec v;

	ETC_TRY(list(r, plan, PLAN_DELEGATES, &v, err));
	r->delegates = d = etc_new(r->arena, struct etc_program_delegate, v.count);
	if (!d)
		return etc_fail(err, E0904, "list of %zu delegates", v.count);
	m->delegates = d;
	m->delegate_count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++)
		ETC_TRY(etc_context(err,
		                    read_delegate(r, element(r, TABLE_DELEGATE, v, i), &d[i], err),
		                    "delegate %zu", i));
	return ETC_OK;
}

/* ---- instructions ----------------------------------------------------------- */

static enum etc_status read_operators(struct reader *r, struct etc_fb_table plan,
                                      struct etc_program_method *m, struct etc_error *err)
{
	struct etc_operator *ops;
	struct etc_fb_vec v;

	ETC_TRY(list(r, plan, PLAN_OPERATORS, &v, err));
	m->operators = ops = etc_new(r->arena, struct etc_operator, v.count);
	if (!ops)
		return etc_fail(err, E0904, "list of %zu operators", v.count);
	m->operator_count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++) {
		struct etc_fb_table t = element(r, TABLE_OPERATOR, v, i);

		ops[i].name = ops[i].text = etc_fb_str(&r->fb, t, OPERATOR_NAME);
		ops[i].overload = etc_fb_str(&r->fb, t, OPERATOR_OVERLOAD);
		ETC_TRY(check(r, err));
		if (ops[i].overload.len == 0)
			continue;
		ops[i].text =
			etc_arena_printf(r->arena, ETC_STR_FMT "." ETC_STR_FMT,
		                         ETC_STR_ARG(ops[i].name), ETC_STR_ARG(ops[i].overload));
		if (!ops[i].text.ptr)
			return etc_fail(err, E0904, "name of operator %zu", i);
	}
	return ETC_OK;
}

/* Is a tensor among the arguments of a DelegateCall whose shape can change? */
static enum etc_status read_dynamism(struct reader *r, struct etc_fb_table call, bool *dynamic,
                                     struct etc_error *err)
{
	struct etc_fb *fb = &r->fb;
	struct etc_fb_vec args;

	ETC_TRY(list(r, call, ARGS_SECOND, &args, err));
	for (size_t i = 0; i < args.count; i++) {
		uint32_t value = etc_fb_load32(fb, args.at + 4 * i);
		struct etc_fb_table v;

		if (value >= r->values.count)
			return etc_fail_at(err, E0433, args.at + 4 * i,
			                   "argument %zu is value %lu of %zu", i,
			                   (unsigned long)value, r->values.count);
		v = element(r, TABLE_VALUE, r->values, value);
		if (etc_fb_u8(fb, v, VALUE_KIND, 0) != VALUE_TENSOR)
			continue;
		v = etc_fb_sub(fb, &r->layouts[TABLE_TENSOR], v, VALUE);
		*dynamic |= etc_fb_u8(fb, v, TENSOR_DYNAMISM, SHAPE_STATIC) != SHAPE_STATIC;
	}
	return check(r, err);
}

static enum etc_status read_instruction(struct reader *r, struct etc_fb_table t,
                                        const struct etc_program_method *m,
                                        struct etc_instruction *out, struct etc_error *err)
{
	uint8_t kind = etc_fb_u8(&r->fb, t, INSTRUCTION_KIND, 0);
	struct etc_fb_table args;
	bool kernel = kind == ETC_INSTRUCTION_KERNEL;
	uint32_t room = kernel ? m->operator_count : m->delegate_count;

	if (kind == ETC_INSTRUCTION_UNKNOWN || kind >= ETC_INSTRUCTION_KINDS)
		return check(r, err);
	args = etc_fb_sub(&r->fb, &r->layouts[TABLE_ARGS], t, INSTRUCTION_ARGS);
	out->kind = kind;
	out->index = etc_fb_i32(&r->fb, args, ARGS_FIRST, 0);
	if (kind == ETC_INSTRUCTION_MOVE || kind == ETC_INSTRUCTION_JUMP_FALSE)
		out->other = etc_fb_i32(&r->fb, args, ARGS_SECOND, 0);
	ETC_TRY(check(r, err));
	if (args.at == 0)
		return etc_fail_at(err, E0433, t.at, "an instruction without its arguments");
	if (kind == ETC_INSTRUCTION_JUMP_FALSE) {
		int32_t condition = out->index;

		out->index = out->other;
		out->other = condition;
	}
	if (!kernel && kind != ETC_INSTRUCTION_DELEGATE)
		return ETC_OK;
	if (out->index < 0 || (uint32_t)out->index >= room)
		return etc_fail_at(err, E0433, args.at, "%s %ld of %lu",
		                   kernel ? "operator" : "delegate", (long)out->index,
		                   (unsigned long)room);
	return kernel ? ETC_OK : read_dynamism(r, args, &r->delegates[out->index].dynamic, err);
}

static enum etc_status read_chain(struct reader *r, struct etc_fb_table t,
                                  const struct etc_program_method *m,
                                  struct etc_program_chain *chain, struct etc_error *err)
{
	struct etc_instruction *list_of;
	struct etc_fb_vec v;

	ETC_TRY(list(r, t, CHAIN_INSTRUCTIONS, &v, err));
	chain->instructions = list_of = etc_new(r->arena, struct etc_instruction, v.count);
	if (!list_of)
		return etc_fail(err, E0904, "list of %zu instructions", v.count);
	chain->count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++)
		ETC_TRY(etc_context(err,
		                    read_instruction(r, element(r, TABLE_INSTRUCTION, v, i), m,
		                                     &list_of[i], err),
		                    "instruction %zu", i));
	return ETC_OK;
}

static enum etc_status read_method(struct reader *r, struct etc_fb_table t,
                                   struct etc_program_method *m, struct etc_error *err)
{
	struct etc_program_chain *chains;
	struct etc_fb_vec v;

	m->name = etc_fb_str(&r->fb, t, PLAN_NAME);
	ETC_TRY(read_operators(r, t, m, err));
	ETC_TRY(read_delegates(r, t, m, err));
	ETC_TRY(list(r, t, PLAN_VALUES, &r->values, err));
	ETC_TRY(list(r, t, PLAN_CHAINS, &v, err));
	m->chains = chains = etc_new(r->arena, struct etc_program_chain, v.count);
	if (!chains)
		return etc_fail(err, E0904, "list of %zu chains", v.count);
	m->chain_count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++)
		ETC_TRY(etc_context(
			err, read_chain(r, element(r, TABLE_CHAIN, v, i), m, &chains[i], err),
			"chain %zu", i));
	return ETC_OK;
}

static enum etc_status read_program(struct reader *r, struct etc_error *err)
{
	struct etc_program *out = r->out;
	struct etc_program_method *methods;
	struct etc_fb_table root =
		etc_fb_table_at(&r->fb, &r->layouts[TABLE_PROGRAM], etc_fb_follow(&r->fb, 0));
	struct etc_fb_vec v;

	out->version = etc_fb_u32(&r->fb, root, PROGRAM_VERSION, 0);
	ETC_TRY(list(r, root, PROGRAM_INLINE, &r->inlines, err));
	ETC_TRY(list(r, root, PROGRAM_SEGMENTS, &r->segments, err));
	ETC_TRY(read_segments(r, err));
	ETC_TRY(list(r, root, PROGRAM_PLANS, &v, err));
	out->methods = methods = etc_new(r->arena, struct etc_program_method, v.count);
	if (!methods)
		return etc_fail(err, E0904, "list of %zu methods", v.count);
	out->method_count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++)
		ETC_TRY(etc_context(err,
		                    read_method(r, element(r, TABLE_PLAN, v, i), &methods[i], err),
		                    "method %zu", i));
	return ETC_OK;
}

/* ---- the file --------------------------------------------------------------- */

static bool id_at(struct etc_span file, size_t at, const char *id, size_t len)
{
	return etc_fits(file.len, at, 4) && memcmp(file.ptr + at, id, len) == 0;
}

static bool is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

static enum etc_status identify(struct etc_span file, struct etc_error *err)
{
	if (file.len == 0)
		return etc_fail(err, E0430, "the file is empty");
	if (id_at(file, 4, "ET12", 4)) {
		if (file.len < 12)
			return etc_fail_at(err, E0432, 4, "the file ends behind its identifier");
		return ETC_OK;
	}
	if (id_at(file, 4, "ET", 2) && is_digit(file.ptr[6]) && is_digit(file.ptr[7]))
		return etc_fail_at(err, E0431, 4, "identifier %.4s, known is ET12",
		                   (const char *)file.ptr + 4);
	if (id_at(file, 4, "BP08", 4))
		return etc_fail_at(err, E0430, 4,
		                   "a BundledProgram (.bpte): the program lies inside of it");
	return etc_fail_at(err, E0430, 4, "no identifier 'ET12' at byte 4 of %zu", file.len);
}

/* Where FlatBuffer and segments lie. */
static enum etc_status read_header(struct etc_span file, struct etc_program *out,
                                   struct etc_error *err)
{
	uint64_t length, program, base, data = 0;

	out->flatbuffer_bytes = out->file_bytes = file.len;
	if (!id_at(file, HEADER_AT, "eh00", 4))
		return ETC_OK;
	if (!etc_fits(file.len, HEADER_AT, HEADER_SHORT))
		return etc_fail_at(err, E0432, HEADER_AT, "the file ends in its header");
	length = load32(file, HEADER_LENGTH_AT);
	program = load64(file, HEADER_PROGRAM_AT);
	base = load64(file, HEADER_SEGMENTS_AT);
	if (length < HEADER_SHORT)
		return etc_fail_at(err, E0433, HEADER_LENGTH_AT,
		                   "an extended header of %llu bytes, %d at least",
		                   (unsigned long long)length, HEADER_SHORT);
	if (length >= HEADER_LONG) {
		if (!etc_fits(file.len, HEADER_AT, HEADER_LONG))
			return etc_fail_at(err, E0432, HEADER_AT, "the file ends in its header");
		data = load64(file, HEADER_DATA_AT);
	}
	if (program < HEADER_AT + length)
		return etc_fail_at(err, E0433, HEADER_PROGRAM_AT,
		                   "a FlatBuffer of %llu bytes, its header included",
		                   (unsigned long long)program);
	if (program > file.len)
		return etc_fail_at(err, E0432, HEADER_PROGRAM_AT,
		                   "the FlatBuffer has %llu bytes, the file %zu",
		                   (unsigned long long)program, file.len);
	if (base > file.len || data > file.len - base)
		return etc_fail_at(err, E0432, HEADER_SEGMENTS_AT,
		                   "%llu bytes of segments from byte %llu on, the file has %zu",
		                   (unsigned long long)data, (unsigned long long)base, file.len);
	out->header_length = (uint32_t)length;
	out->segments_bytes = data;
	out->flatbuffer_bytes = (size_t)program;
	out->segments_at = (size_t)base;
	return ETC_OK;
}

enum etc_status etc_program_read(struct etc_span file, const struct etc_limits *limits,
                                 struct etc_arena *arena, struct etc_program *out,
                                 struct etc_error *err)
{
	struct reader r = { .arena = arena, .out = out, .file = file };
	enum etc_status status;
	size_t visits;

	*out = (struct etc_program){ 0 };
	ETC_TRY(identify(file, err));
	status = read_header(file, out, err);
	if (status == ETC_OK) {
		visits = out->flatbuffer_bytes / BYTES_PER_VISIT;
		visits = visits > VISITS_LEAST ? visits : VISITS_LEAST;
		if (limits && limits->max_visits)
			visits = limits->max_visits;
		etc_fb_init(&r.fb, (struct etc_span){ file.ptr, out->flatbuffer_bytes }, visits);
		for (size_t i = 0; i < TABLE_TYPES; i++)
			etc_fb_layouts_init(&r.layouts[i], &types[i]);
		status = read_program(&r, err);
	}
	if (status != ETC_OK)
		*out = (struct etc_program){ 0 };
	return status;
}
