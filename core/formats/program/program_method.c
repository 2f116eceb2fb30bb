/* program_method.c -- see program.h: reads one method, its operators, delegates and chains of
 * instructions. */
#include "formats/program/program_reader.h"

/* Numbers of fields: the position of each field in its table of program.fbs, from 0. A union has
 * two fields: its type, then its table. */
enum { PLAN_NAME, PLAN_VALUES = 2, PLAN_INPUTS, PLAN_CHAINS = 5, PLAN_OPERATORS, PLAN_DELEGATES };
enum { CHAIN_INPUTS, CHAIN_OUTPUTS, CHAIN_INSTRUCTIONS, CHAIN_FRAMES };
enum { INSTRUCTION_KIND, INSTRUCTION_ARGS };
enum { ARGS_FIRST, ARGS_SECOND };
enum { OPERATOR_NAME, OPERATOR_OVERLOAD };
enum { DELEGATE_ID, DELEGATE_PROCESSED, DELEGATE_SPECS };
enum { REFERENCE_LOCATION, REFERENCE_INDEX };
enum { LOCATION_INLINE, LOCATION_SEGMENT };
enum { INLINE_DATA };
enum { SPEC_KEY, SPEC_VALUE };
enum { FRAMES_ITEMS };
enum { FRAME_FILE, FRAME_LINE, FRAME_FUNCTION, FRAME_CONTEXT };

/* ---- delegates --------------------------------------------------------------- */

static enum etc_status read_specs(struct etc_program_reader *r, struct etc_fb_table t,
                                  struct etc_program_delegate *d, struct etc_error *err)
{
	struct etc_compile_spec *specs;
	struct etc_fb_vec v;

	ETC_TRY(etc_program_list(&r->fb, t, DELEGATE_SPECS, &v, err));
	d->specs = specs = etc_new(r->arena, struct etc_compile_spec, v.count);
	ETC_NEED(specs, err);
	d->spec_count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++) {
		struct etc_fb_table spec = etc_program_element(r, TABLE_SPEC, v, i);

		specs[i].key = etc_fb_str(&r->fb, spec, SPEC_KEY);
		specs[i].value = etc_fb_bytes(&r->fb, spec, SPEC_VALUE);
	}
	return etc_program_check(&r->fb, err);
}

static enum etc_status read_delegate(struct etc_program_reader *r, struct etc_fb_table t,
                                     struct etc_program_delegate *d, struct etc_error *err)
{
	struct etc_fb_table ref = etc_program_sub(r, TABLE_REFERENCE, t, DELEGATE_PROCESSED);
	uint8_t location = etc_fb_u8(&r->fb, ref, REFERENCE_LOCATION, LOCATION_INLINE);

	if (r->whole)
		ETC_TRY(read_specs(r, t, d, err));
	d->backend = etc_fb_str(&r->fb, t, DELEGATE_ID);
	d->index = etc_fb_u32(&r->fb, ref, REFERENCE_INDEX, 0);
	d->in_segment = location == LOCATION_SEGMENT;
	ETC_TRY(etc_program_check(&r->fb, err));
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
		struct etc_fb_table data =
			etc_program_element(r, TABLE_INLINE, r->inlines, d->index);

		d->processed = etc_fb_bytes(&r->fb, data, INLINE_DATA);
		ETC_TRY(etc_program_check(&r->fb, err));
	}
	d->at = d->processed.ptr ? (size_t)(d->processed.ptr - r->file.ptr) : 0;
	return ETC_OK;
}

static enum etc_status read_delegates(struct etc_program_reader *r, struct etc_fb_table plan,
                                      struct etc_program_method *m, struct etc_error *err)
{
	struct etc_program_delegate *d;
	struct etc_fb_vec v;

	ETC_TRY(etc_program_list(&r->fb, plan, PLAN_DELEGATES, &v, err));
	r->delegates = d = etc_new(r->arena, struct etc_program_delegate, v.count);
	ETC_NEED(d, err);
	m->delegates = d;
	m->delegate_count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++)
		ETC_TRY(etc_context(
			err,
			read_delegate(r, etc_program_element(r, TABLE_DELEGATE, v, i), &d[i], err),
			"delegate %zu", i));
	return ETC_OK;
}

/* ---- instructions ----------------------------------------------------------- */

static enum etc_status read_operators(struct etc_program_reader *r, struct etc_fb_table plan,
                                      struct etc_program_method *m, struct etc_error *err)
{
	struct etc_operator *ops;
	struct etc_fb_vec v;

	ETC_TRY(etc_program_list(&r->fb, plan, PLAN_OPERATORS, &v, err));
	m->operators = ops = etc_new(r->arena, struct etc_operator, v.count);
	ETC_NEED(ops, err);
	m->operator_count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++) {
		struct etc_fb_table t = etc_program_element(r, TABLE_OPERATOR, v, i);

		ops[i].name = ops[i].text = etc_fb_str(&r->fb, t, OPERATOR_NAME);
		ops[i].overload = etc_fb_str(&r->fb, t, OPERATOR_OVERLOAD);
		ETC_TRY(etc_program_check(&r->fb, err));
		if (ops[i].overload.len == 0)
			continue;
		ops[i].text =
			etc_arena_printf(r->arena, ETC_STR_FMT "." ETC_STR_FMT,
		                         ETC_STR_ARG(ops[i].name), ETC_STR_ARG(ops[i].overload));
		ETC_NEED(ops[i].text.ptr, err);
	}
	return ETC_OK;
}

/* Checks that the values of a MoveCall, JumpFalseCall or FreeCall exist. */
static enum etc_status check_values(const struct etc_program_reader *r, size_t at,
                                    const struct etc_instruction *n, struct etc_error *err)
{
	int32_t first = n->kind == ETC_INSTRUCTION_JUMP_FALSE ? n->other : n->index;
	int32_t second = n->kind == ETC_INSTRUCTION_MOVE ? n->other : first;
	int32_t wrong = first < 0 || (uint32_t)first >= r->values.count ? first : second;

	if (wrong < 0 || (uint32_t)wrong >= r->values.count)
		return etc_fail_at(err, E0433, at, "value %ld of %zu", (long)wrong,
		                   r->values.count);
	return ETC_OK;
}

static enum etc_status read_instruction(struct etc_program_reader *r, struct etc_fb_table t,
                                        const struct etc_program_method *m,
                                        struct etc_instruction *out, struct etc_error *err)
{
	uint8_t kind = etc_fb_u8(&r->fb, t, INSTRUCTION_KIND, 0);
	struct etc_fb_table args;
	bool kernel = kind == ETC_INSTRUCTION_KERNEL;
	uint32_t room = kernel ? m->operator_count : m->delegate_count;

	if (kind == ETC_INSTRUCTION_UNKNOWN || kind >= ETC_INSTRUCTION_KINDS)
		return etc_program_check(&r->fb, err);
	args = etc_program_sub(r, TABLE_ARGS, t, INSTRUCTION_ARGS);
	out->kind = kind;
	out->index = etc_fb_i32(&r->fb, args, ARGS_FIRST, 0);
	if (kind == ETC_INSTRUCTION_MOVE || kind == ETC_INSTRUCTION_JUMP_FALSE)
		out->other = etc_fb_i32(&r->fb, args, ARGS_SECOND, 0);
	ETC_TRY(etc_program_check(&r->fb, err));
	if (args.at == 0)
		return etc_fail_at(err, E0433, t.at, "an instruction without its arguments");
	if (kind == ETC_INSTRUCTION_JUMP_FALSE) {
		int32_t condition = out->index;

		out->index = out->other;
		out->other = condition;
	}
	if (!kernel && kind != ETC_INSTRUCTION_DELEGATE)
		return r->whole ? check_values(r, args.at, out, err) : ETC_OK;
	if (out->index < 0 || (uint32_t)out->index >= room)
		return etc_fail_at(err, E0433, args.at, "%s %ld of %lu",
		                   kernel ? "operator" : "delegate", (long)out->index,
		                   (unsigned long)room);
	ETC_TRY(etc_program_indices(r, args, ARGS_SECOND, false, &out->args, err));
	return kernel ? ETC_OK
	              : etc_program_read_dynamism(r, out->args, &r->delegates[out->index].dynamic,
	                                          err);
}

/* ---- chains ------------------------------------------------------------------ */

static enum etc_status read_frames(struct etc_program_reader *r, struct etc_fb_table t,
                                   struct etc_frames *out, struct etc_error *err)
{
	struct etc_frame *f;
	struct etc_fb_vec v;

	ETC_TRY(etc_program_list(&r->fb, t, FRAMES_ITEMS, &v, err));
	out->v = f = etc_new(r->arena, struct etc_frame, v.count);
	ETC_NEED(f, err);
	out->count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++) {
		struct etc_fb_table frame = etc_program_element(r, TABLE_FRAME, v, i);

		f[i].file = etc_fb_str(&r->fb, frame, FRAME_FILE);
		f[i].function = etc_fb_str(&r->fb, frame, FRAME_FUNCTION);
		f[i].context = etc_fb_str(&r->fb, frame, FRAME_CONTEXT);
		f[i].line = etc_fb_i32(&r->fb, frame, FRAME_LINE, 0);
	}
	return etc_program_check(&r->fb, err);
}

/* Reads the members that only etc_program_read_whole() returns: inputs, outputs, stack traces. */
static enum etc_status read_chain_ends(struct etc_program_reader *r, struct etc_fb_table t,
                                       struct etc_program_chain *chain, struct etc_error *err)
{
	struct etc_frames *frames;
	struct etc_fb_vec v;

	ETC_TRY(etc_program_indices(r, t, CHAIN_INPUTS, false, &chain->inputs, err));
	ETC_TRY(etc_program_indices(r, t, CHAIN_OUTPUTS, false, &chain->outputs, err));
	ETC_TRY(etc_program_list(&r->fb, t, CHAIN_FRAMES, &v, err));
	chain->frames = frames = etc_new(r->arena, struct etc_frames, v.count);
	ETC_NEED(frames, err);
	chain->frame_count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++)
		ETC_TRY(etc_context(
			err,
			read_frames(r, etc_program_element(r, TABLE_FRAMES, v, i), &frames[i], err),
			"stack trace %zu", i));
	return ETC_OK;
}

static enum etc_status read_chain(struct etc_program_reader *r, struct etc_fb_table t,
                                  const struct etc_program_method *m,
                                  struct etc_program_chain *chain, struct etc_error *err)
{
	struct etc_instruction *list_of;
	struct etc_fb_vec v;

	if (r->whole)
		ETC_TRY(read_chain_ends(r, t, chain, err));
	ETC_TRY(etc_program_list(&r->fb, t, CHAIN_INSTRUCTIONS, &v, err));
	chain->instructions = list_of = etc_new(r->arena, struct etc_instruction, v.count);
	ETC_NEED(list_of, err);
	chain->count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++)
		ETC_TRY(etc_context(
			err,
			read_instruction(r, etc_program_element(r, TABLE_INSTRUCTION, v, i), m,
		                         &list_of[i], err),
			"instruction %zu", i));
	for (size_t i = 0; i < v.count; i++)
		if (list_of[i].kind == ETC_INSTRUCTION_JUMP_FALSE &&
		    (list_of[i].index < 0 || (size_t)list_of[i].index > v.count))
			return etc_fail(err, E0433, "instruction %zu jumps to %ld of %zu", i,
			                (long)list_of[i].index, v.count);
	return ETC_OK;
}

/* ---- the method ---------------------------------------------------------------- */

enum etc_status etc_program_read_method(struct etc_program_reader *r, struct etc_fb_table t,
                                        struct etc_program_method *m, struct etc_error *err)
{
	struct etc_program_chain *chains;
	struct etc_fb_vec v;

	m->name = etc_fb_str(&r->fb, t, PLAN_NAME);
	ETC_TRY(read_operators(r, t, m, err));
	ETC_TRY(read_delegates(r, t, m, err));
	ETC_TRY(etc_program_list(&r->fb, t, PLAN_VALUES, &r->values, err));
	ETC_TRY(etc_program_indices(r, t, PLAN_INPUTS, false, &m->inputs, err));
	ETC_TRY(etc_program_read_dynamism(r, m->inputs, &m->dynamic_inputs, err));
	if (r->whole)
		ETC_TRY(etc_program_read_values(r, t, m, err));
	ETC_TRY(etc_program_list(&r->fb, t, PLAN_CHAINS, &v, err));
	m->chains = chains = etc_new(r->arena, struct etc_program_chain, v.count);
	ETC_NEED(chains, err);
	m->chain_count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++)
		ETC_TRY(etc_context(err,
		                    read_chain(r, etc_program_element(r, TABLE_CHAIN, v, i), m,
		                               &chains[i], err),
		                    "chain %zu", i));
	return ETC_OK;
}
