/* program.c -- see program.h.
 *
 *   Program ─┬─ execution_plan[] ── ExecutionPlan ─┬─ chains[] ── instructions[]
 *            │                                     ├─ operators[]
 *            │                                     └─ delegates[] ── processed
 *            ├─ backend_delegate_data[]  <── INLINE ───────────────────┤
 *            └─ segments[]               <── SEGMENT ──────────────────┘
 *
 *   file:  [u32 root]["ET12"]["eh00" header][FlatBuffer ...][segment data ...] */
#include "formats/program/delegate_graph.h"
#include "formats/program/program_reader.h"

enum { NUMBERS_PER_VISIT = 4 };

/* Numbers of fields: the position of each field in its table of program.fbs, from 0. */
enum {
	PROGRAM_VERSION,
	PROGRAM_PLANS,
	PROGRAM_INLINE = 3,
	PROGRAM_SEGMENTS,
};
enum { SEGMENT_OFFSET, SEGMENT_SIZE };

/* The tables of arguments of all five kinds of instructions are read as one type, because the
 * fields that are read here are always one or two numbers of four bytes, or a number and a vector.
 * The table of each kind of value, except a tensor, has one field. */
static const struct etc_fb_type types[TABLE_TYPES] = {
	[TABLE_PROGRAM] = { "Program", 8, { 4, 4, 4, 4, 4, 4, 4, 4 } },
	[TABLE_PLAN] = { "ExecutionPlan", 10, { 4, 4, 4, 4, 4, 4, 4, 4, 4, 4 } },
	[TABLE_CHAIN] = { "Chain", 4, { 4, 4, 4, 4 } },
	[TABLE_INSTRUCTION] = { "Instruction", 2, { 1, 4 } },
	[TABLE_ARGS] = { "InstructionArguments", 2, { 4, 4 } },
	[TABLE_OPERATOR] = { "Operator", 2, { 4, 4 } },
	[TABLE_DELEGATE] = { "BackendDelegate", 3, { 4, 4, 4 } },
	[TABLE_REFERENCE] = { "BackendDelegateDataReference", 2, { 1, 4 } },
	[TABLE_INLINE] = { "BackendDelegateInlineData", 1, { 4 } },
	[TABLE_SEGMENT] = { "DataSegment", 2, { 8, 8 } },
	[TABLE_VALUE] = { "EValue", 2, { 1, 4 } },
	[TABLE_VALUE1] = { "Bool", 1, { 1 } },
	[TABLE_VALUE4] = { "String or list", 1, { 4 } },
	[TABLE_VALUE8] = { "Int or Double", 1, { 8 } },
	[TABLE_TENSOR] = { "Tensor", 10, { 1, 4, 4, 4, 1, 4, 4, 1, 1, 4 } },
	[TABLE_ALLOCATION] = { "AllocationDetails", 3, { 4, 4, 4 } },
	[TABLE_EXTRA] = { "ExtraTensorInfo", 5, { 8, 4, 1, 1, 1 } },
	[TABLE_CONTAINER] = { "ContainerMetadata", 2, { 4, 4 } },
	[TABLE_DEVICE] = { "NonConstBufferDevice", 3, { 4, 1, 1 } },
	[TABLE_SPEC] = { "CompileSpec", 2, { 4, 4 } },
	[TABLE_FRAMES] = { "FrameList", 1, { 4 } },
	[TABLE_FRAME] = { "Frame", 4, { 4, 4, 4, 4 } },
	[TABLE_SUBSEGMENTS] = { "SubsegmentOffsets", 2, { 4, 4 } },
	[TABLE_NAMED] = { "NamedData", 2, { 4, 4 } },
};

/* Positions in the file of the extended header and of its fields, and the lengths that the header
 * can have. */
enum {
	HEADER_AT = 8,
	HEADER_LENGTH_AT = 12,
	HEADER_PROGRAM_AT = 16,
	HEADER_SEGMENTS_AT = 24,
	HEADER_DATA_AT = 32,
	/* length of a header that has no field for the size of the segment data */
	HEADER_SHORT = 24,
	HEADER_LONG = 32
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

/* ---- shared by the files of the reader ------------------------------------- */

enum etc_status etc_program_check(const struct etc_fb *fb, struct etc_error *err)
{
	return etc_fb_check_as(fb, E0433, E0434, err);
}

enum etc_status etc_program_list(struct etc_fb *fb, struct etc_fb_table t, unsigned field,
                                 struct etc_fb_vec *v, struct etc_error *err)
{
	*v = etc_fb_vector(fb, t, field, 4);
	etc_fb_spend(fb, v->count);
	return etc_program_check(fb, err);
}

enum etc_status etc_program_numbers(struct etc_program_reader *r, struct etc_fb_table t,
                                    unsigned field, size_t width, struct etc_numbers *out,
                                    struct etc_error *err)
{
	struct etc_fb_vec v = etc_fb_vector(&r->fb, t, field, width);

	etc_fb_spend(&r->fb, v.count / NUMBERS_PER_VISIT);
	ETC_TRY(etc_program_check(&r->fb, err));
	*out = (struct etc_numbers){ r->fb.ptr + v.at, (uint32_t)v.count };
	return ETC_OK;
}

enum etc_status etc_program_indices(struct etc_program_reader *r, struct etc_fb_table t,
                                    unsigned field, bool or_none, struct etc_numbers *out,
                                    struct etc_error *err)
{
	ETC_TRY(etc_program_numbers(r, t, field, 4, out, err));
	for (uint32_t i = 0; i < out->count; i++) {
		int32_t value = etc_i32_at(*out, i);

		if (value >= 0 ? (uint32_t)value >= r->values.count : !or_none || value != -1)
			return etc_fail_at(err, E0433, (size_t)(out->ptr - r->fb.ptr) + 4u * i,
			                   "value %ld of %zu", (long)value, r->values.count);
	}
	return ETC_OK;
}

/* ---- segments ---------------------------------------------------------------- */

/* Reads segment `i`. E0432 if it is not inside the file. */
static enum etc_status read_segment(struct etc_program_reader *r, size_t i, struct etc_segment *out,
                                    struct etc_error *err)
{
	struct etc_fb_table t = etc_program_element(r, TABLE_SEGMENT, r->segments, i);
	uint64_t offset = etc_fb_u64(&r->fb, t, SEGMENT_OFFSET, 0);
	uint64_t size = etc_fb_u64(&r->fb, t, SEGMENT_SIZE, 0);
	size_t base = r->out->segments_at;

	*out = (struct etc_segment){ offset, size };
	ETC_TRY(etc_program_check(&r->fb, err));
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

static enum etc_status read_segments(struct etc_program_reader *r, struct etc_error *err)
{
	struct etc_segment *s = etc_new(r->arena, struct etc_segment, r->segments.count);

	ETC_NEED(s, err);
	r->out->segments = s;
	r->out->segment_count = (uint32_t)r->segments.count;
	for (size_t i = 0; i < r->segments.count; i++)
		ETC_TRY(read_segment(r, i, &s[i], err));
	return ETC_OK;
}

static enum etc_status read_program(struct etc_program_reader *r, struct etc_error *err)
{
	struct etc_program *out = r->out;
	struct etc_program_method *methods;
	struct etc_fb_table root =
		etc_fb_table_at(&r->fb, &r->layouts[TABLE_PROGRAM], etc_fb_follow(&r->fb, 0));
	struct etc_fb_vec v;

	out->version = etc_fb_u32(&r->fb, root, PROGRAM_VERSION, 0);
	ETC_TRY(etc_program_list(&r->fb, root, PROGRAM_INLINE, &r->inlines, err));
	ETC_TRY(etc_program_list(&r->fb, root, PROGRAM_SEGMENTS, &r->segments, err));
	ETC_TRY(read_segments(r, err));
	if (r->whole)
		ETC_TRY(etc_program_read_data(r, root, err));
	ETC_TRY(etc_program_list(&r->fb, root, PROGRAM_PLANS, &v, err));
	out->methods = methods = etc_new(r->arena, struct etc_program_method, v.count);
	ETC_NEED(methods, err);
	out->method_count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++)
		ETC_TRY(etc_context(
			err,
			etc_program_read_method(r, etc_program_element(r, TABLE_PLAN, v, i),
		                                &methods[i], err),
			"method %zu", i));
	return ETC_OK;
}

/* ---- the file --------------------------------------------------------------- */

static enum etc_status identify(struct etc_span file, struct etc_error *err)
{
	if (file.len == 0)
		return etc_fail(err, E0430, "the file is empty");
	if (etc_span_has(file, 4, "ET12", 4)) {
		if (file.len < 12)
			return etc_fail_at(err, E0432, 4, "the file ends behind its identifier");
		return ETC_OK;
	}
	if (etc_span_has_version(file, 4, "ET"))
		return etc_fail_at(err, E0431, 4, "identifier %.4s, known is ET12",
		                   (const char *)file.ptr + 4);
	if (etc_span_has(file, 4, "BP08", 4))
		return etc_fail_at(err, E0430, 4,
		                   "a BundledProgram (.bpte): the program lies inside of it");
	return etc_fail_at(err, E0430, 4, "no identifier 'ET12' of a .pte at byte 4 of %zu",
	                   file.len);
}

/* Reads the sizes and offsets of FlatBuffer and segments from the extended header. Without that
 * header the whole file is the FlatBuffer. */
static enum etc_status read_header(struct etc_span file, struct etc_program *out,
                                   struct etc_error *err)
{
	uint64_t length, program, base, data = 0;

	out->flatbuffer_bytes = out->file_bytes = file.len;
	if (!etc_span_has(file, HEADER_AT, "eh00", 4))
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

/* Sets etc_program_delegate.contents. Delegates with the same blob share its graph. */
static enum etc_status read_contents(const struct etc_program *p, struct etc_arena *arena,
                                     struct etc_error *err)
{
	enum { MOST = 256 };
	struct etc_program_delegate *all[MOST];
	struct etc_delegate_graph *graph;
	uint32_t count = 0, k;
	bool read;

	for (uint32_t i = 0; i < p->method_count && p->method_count > 1; i++) {
		const struct etc_program_method *m = &p->methods[i];

		if (m->delegate_count > MOST - count)
			return ETC_OK;
		for (uint32_t d = 0; d < m->delegate_count; d++)
			all[count++] = (struct etc_program_delegate *)(uintptr_t)&m->delegates[d];
	}
	for (uint32_t i = 0; i < count; i++) {
		for (k = 0; all[k]->processed.ptr != all[i]->processed.ptr ||
		            all[k]->processed.len != all[i]->processed.len;)
			k++;
		if (k < i) {
			all[i]->contents = all[k]->contents;
			continue;
		}
		graph = etc_new(arena, struct etc_delegate_graph, 1);
		ETC_NEED(graph, err);
		ETC_TRY(etc_delegate_graph_read_whole(all[i]->processed, arena, graph, &read, err));
		all[i]->contents = read ? graph : NULL;
	}
	return ETC_OK;
}

static enum etc_status read_file(struct etc_span file, bool whole, const struct etc_limits *limits,
                                 struct etc_arena *arena, struct etc_program *out,
                                 struct etc_error *err)
{
	struct etc_program_reader r = { .arena = arena, .out = out, .file = file, .whole = whole };
	enum etc_status status;
	size_t visits;

	*out = (struct etc_program){ .whole = whole };
	ETC_TRY(identify(file, err));
	status = read_header(file, out, err);
	if (status == ETC_OK) {
		visits = etc_fb_visits(out->flatbuffer_bytes, limits ? limits->max_visits : 0);
		etc_fb_init(&r.fb, (struct etc_span){ file.ptr, out->flatbuffer_bytes }, visits);
		for (size_t i = 0; i < TABLE_TYPES; i++)
			etc_fb_layouts_init(&r.layouts[i], &types[i]);
		status = read_program(&r, err);
	}
	if (status == ETC_OK)
		status = read_contents(out, arena, err);
	if (status != ETC_OK)
		*out = (struct etc_program){ 0 };
	return status;
}

enum etc_status etc_program_read(struct etc_span file, const struct etc_limits *limits,
                                 struct etc_arena *arena, struct etc_program *out,
                                 struct etc_error *err)
{
	return read_file(file, false, limits, arena, out, err);
}

enum etc_status etc_program_read_whole(struct etc_span file, const struct etc_limits *limits,
                                       struct etc_arena *arena, struct etc_program *out,
                                       struct etc_error *err)
{
	return read_file(file, true, limits, arena, out, err);
}
