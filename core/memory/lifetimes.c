/* lifetimes.c -- see lifetimes.h */
#include "memory/lifetime_finder.h"

#include "base/map.h"
#include "tensor/program_tensor.h"

/* Limit for the bytes of one planned memory, so that sums over all tensors of a file fit 64
 * bits. */
#define MEMORY_MAX ((uint64_t)1 << 40)

const char *etc_lifetime_kind_text(uint8_t kind)
{
	static const char *const texts[] = {
		[ETC_LIFETIME_INTERMEDIATE] = "intermediate",
		[ETC_LIFETIME_INPUT] = "input",
		[ETC_LIFETIME_OUTPUT] = "output",
		[ETC_LIFETIME_INPUT_OUTPUT] = "input+output",
		[ETC_LIFETIME_STATE] = "state",
	};

	return texts[kind];
}

uint32_t etc_lifetime_root(struct etc_lifetime_finder *f, uint32_t v)
{
	while (f->v[v].parent != v) {
		f->v[v].parent = f->v[f->v[v].parent].parent;
		v = f->v[v].parent;
	}
	return v;
}

static void join(struct etc_lifetime_finder *f, uint32_t a, uint32_t b)
{
	f->v[etc_lifetime_root(f, a)].parent = etc_lifetime_root(f, b);
}

/* ---- arguments (rule R2) ------------------------------------------------------- */

typedef void visit_fn(struct etc_lifetime_finder *f, int32_t step, uint32_t value,
                      uint32_t position);

/* Calls `visit` for the value `index`. If that value is a list of tensors, calls it for each tensor
 * of the list instead. Returns how many argument positions the value takes. */
static uint32_t expand(struct etc_lifetime_finder *f, int32_t step, int32_t index,
                       uint32_t position, visit_fn *visit)
{
	const struct etc_evalue *e = &f->m->values[index];

	if (e->kind != ETC_EVALUE_TENSOR_LIST && e->kind != ETC_EVALUE_OPTIONAL_TENSOR_LIST) {
		visit(f, step, (uint32_t)index, position);
		return 1;
	}
	for (uint32_t i = 0; i < e->items.count; i++)
		if (etc_i32_at(e->items, i) >= 0)
			visit(f, step, (uint32_t)etc_i32_at(e->items, i), position + i);
	return e->items.count;
}

static void each_argument(struct etc_lifetime_finder *f, int32_t step, visit_fn *visit)
{
	const struct etc_instruction *n = &f->chain->instructions[step];
	uint32_t position = 0;

	switch (n->kind) {
	case ETC_INSTRUCTION_KERNEL:
	case ETC_INSTRUCTION_DELEGATE:
		for (uint32_t i = 0; i < n->args.count; i++)
			position += expand(f, step, etc_i32_at(n->args, i), position, visit);
		break;
	case ETC_INSTRUCTION_MOVE:
		expand(f, step, n->index, 0, visit);
		expand(f, step, n->other, 1, visit);
		break;
	case ETC_INSTRUCTION_JUMP_FALSE:
		expand(f, step, n->other, 0, visit);
		break;
	case ETC_INSTRUCTION_FREE:
		expand(f, step, n->index, 0, visit);
		break;
	default:
		break;
	}
}

static void count(struct etc_lifetime_finder *f, int32_t step, uint32_t value, uint32_t position)
{
	struct etc_followed *v = &f->v[value];

	(void)position;
	if (!v->planned || v->seen == step)
		return;
	v->seen = step;
	v->mention_count++;
	if (v->first == ETC_LIFETIME_NEVER)
		v->first = step;
}

static void note_mention(struct etc_lifetime_finder *f, int32_t step, uint32_t value,
                         uint32_t position)
{
	struct etc_followed *v = &f->v[value];
	uint32_t n = v->mention_count;

	(void)position;
	if (v->planned && (n == 0 || f->mentions[v->mention_at + n - 1] != step))
		f->mentions[v->mention_at + v->mention_count++] = step;
}

/* ---- definitions (rule R3) ----------------------------------------------------- */

static void define(struct etc_lifetime_finder *f, int32_t step, uint32_t value, uint32_t position)
{
	(void)position;
	if (f->v[value].defined == ETC_LIFETIME_NEVER)
		f->v[value].defined = step;
}

static bool is_operator(const struct etc_lifetime_finder *f, const struct etc_instruction *n,
                        const char *prefix)
{
	return n->kind == ETC_INSTRUCTION_KERNEL &&
	       etc_str_starts(f->m->operators[n->index].text, etc_str_of(prefix));
}

static void find_definitions(struct etc_lifetime_finder *f, int32_t step)
{
	const struct etc_instruction *n = &f->chain->instructions[step];
	const struct etc_evalue *last;
	int32_t result;

	if (n->kind == ETC_INSTRUCTION_MOVE)
		define(f, step, (uint32_t)n->other, 0);
	if (n->kind != ETC_INSTRUCTION_KERNEL || n->args.count == 0)
		return;
	if (is_operator(f, n, "executorch_prim::et_copy_index")) {
		define(f, step, (uint32_t)etc_i32_at(n->args, 0), 0);
		return;
	}
	result = etc_i32_at(n->args, n->args.count - 1);
	last = &f->m->values[result];
	if (last->kind == ETC_EVALUE_TENSOR || last->kind == ETC_EVALUE_TENSOR_LIST)
		expand(f, step, result, 0, define);
	for (uint32_t i = 0; i + 1 < n->args.count; i++)
		if (etc_i32_at(n->args, i) == result)
			f->v[result].in_place = step;
}

/* ---- before the first step -------------------------------------------------------- */

static enum etc_status find_ranges(struct etc_lifetime_finder *f, struct etc_error *err)
{
	struct etc_map map;
	uint32_t ranges = 0;

	etc_map_init(&map, f->arena);
	for (uint32_t i = 0; i < f->m->value_count; i++) {
		const struct etc_evalue_tensor *t = f->m->values[i].tensor;
		uint64_t *key;
		size_t at;

		if (!f->v[i].planned)
			continue;
		key = etc_new(f->arena, uint64_t, 3);
		ETC_NEED(key, err);
		key[0] = t->memory_id;
		key[1] = t->memory_offset;
		key[2] = f->v[i].bytes;
		at = etc_map_add(&map, (struct etc_str){ (const char *)key, 3 * sizeof *key },
		                 ranges);
		if (at == ETC_MAP_NONE)
			return etc_no_memory(err);
		f->v[i].place = (uint32_t)at;
		ranges += at == ranges;
	}
	f->ranges = etc_new(f->arena, struct etc_planned_range, ranges);
	return f->ranges ? ETC_OK : etc_no_memory(err);
}

static enum etc_status find_planned(struct etc_lifetime_finder *f, struct etc_error *err)
{
	const struct etc_program_method *m = f->m;

	for (uint32_t i = 0; i < m->value_count; i++) {
		const struct etc_evalue *e = &m->values[i];
		struct etc_followed *v = &f->v[i];
		enum etc_tensor_kind kind;

		v->parent = i;
		v->input = -1;
		v->first = v->defined = v->in_place = ETC_LIFETIME_NEVER;
		v->seen = ETC_LIFETIME_BEFORE;
		if (e->kind != ETC_EVALUE_TENSOR || !e->tensor->planned)
			continue;
		kind = etc_tensor_kind(e->tensor);
		v->planned = true;
		v->type = e->tensor->scalar_type;
		v->state = kind == ETC_TENSOR_INITIAL_STATE || kind == ETC_TENSOR_EXTERNAL_MUTABLE;
		if (!etc_tensor_bytes(e->tensor, &v->bytes))
			f->out->unsized++;
		if (v->bytes > MEMORY_MAX || e->tensor->memory_offset > MEMORY_MAX - v->bytes)
			return etc_fail(err, E0433,
			                "value %lu: %llu bytes at %llu of memory %lu, more than "
			                "any memory has",
			                (unsigned long)i, (unsigned long long)v->bytes,
			                (unsigned long long)e->tensor->memory_offset,
			                (unsigned long)e->tensor->memory_id);
	}
	for (uint32_t i = 0; i < m->inputs.count; i++)
		if (f->v[etc_i32_at(m->inputs, i)].input < 0)
			f->v[etc_i32_at(m->inputs, i)].input = (int32_t)i;
	for (uint32_t i = 0; i < m->outputs.count; i++) {
		int32_t value = etc_i32_at(m->outputs, i);
		const struct etc_evalue *e = &m->values[value];

		f->v[value].output = true;
		if (e->kind != ETC_EVALUE_TENSOR_LIST && e->kind != ETC_EVALUE_OPTIONAL_TENSOR_LIST)
			continue;
		for (uint32_t k = 0; k < e->items.count; k++)
			if (etc_i32_at(e->items, k) >= 0)
				f->v[etc_i32_at(e->items, k)].output = true;
	}
	return find_ranges(f, err);
}

static enum etc_status find_mentions(struct etc_lifetime_finder *f, struct etc_error *err)
{
	size_t total = 0;

	for (int32_t i = 0; i < f->out->steps; i++)
		each_argument(f, i, count);
	for (uint32_t i = 0; i < f->m->value_count; i++) {
		f->v[i].mention_at = (uint32_t)total;
		total += f->v[i].mention_count;
		f->v[i].mention_count = 0;
	}
	f->mentions = total <= UINT32_MAX ? etc_new(f->arena, int32_t, total) : NULL;
	ETC_NEED(f->mentions, err);
	for (int32_t i = 0; i < f->out->steps; i++) {
		each_argument(f, i, note_mention);
		find_definitions(f, i);
	}
	for (uint32_t i = 0; i < f->m->value_count; i++)
		if (f->v[i].planned && (f->v[i].input >= 0 || f->v[i].state))
			f->v[i].first = ETC_LIFETIME_BEFORE;
	return ETC_OK;
}

/* ---- aliases and state (rules R5 and R6 in memory/lifetimes.h) --------------------------- */

static void mention_range(struct etc_lifetime_finder *f, int32_t step, uint32_t value,
                          uint32_t position)
{
	struct etc_planned_range *r = &f->ranges[f->v[value].place];

	(void)position;
	if (!f->v[value].planned || (r->used && r->step == step && r->value > value))
		return;
	*r = (struct etc_planned_range){ step, value, true };
}

/* Returns the last mention of a value in the same range (memory, offset, bytes) as `value`. NULL:
 * no value in this range was mentioned yet. */
static const struct etc_planned_range *alias_of(const struct etc_lifetime_finder *f, uint32_t value)
{
	const struct etc_planned_range *r = &f->ranges[f->v[value].place];

	return r->used ? r : NULL;
}

/* Called for each argument of a delegate, in order. Sets the argument's v->position; for a value
 * that is passed several times, the last call sets its last position. Sets f->end to the position
 * after this argument. If an earlier step mentioned the value, also sets f->known to the position
 * after this argument. */
static void note_position(struct etc_lifetime_finder *f, int32_t step, uint32_t value,
                          uint32_t position)
{
	struct etc_followed *v = &f->v[value];

	v->position = position;
	if (position >= f->end)
		f->end = position + 1;
	if (v->planned && v->first < step && position >= f->known)
		f->known = position + 1;
}

/* Is the value kept for the next run? It is kept if the last mention of the value writes the value
 * in place, and if the value is no output: then nothing reads the written value in this run. */
static bool is_kept(const struct etc_lifetime_finder *f, const struct etc_followed *v)
{
	return !v->output && v->mention_count &&
	       f->mentions[v->mention_at + v->mention_count - 1] == v->in_place;
}

/* Does the delegate at `step` count as reading the value, although no earlier step mentions the
 * value? See R3 in lifetimes.h. */
static bool delegate_reads(const struct etc_lifetime_finder *f, int32_t step,
                           const struct etc_followed *v, const struct etc_planned_range *alias)
{
	const struct etc_followed *u = alias ? &f->v[alias->value] : NULL;

	if (v->position + 1 < f->known || is_kept(f, v))
		return true;
	return u && v->position + 1 < f->end && u->type == v->type &&
	       u->defined != ETC_LIFETIME_NEVER && u->mention_count == 1 &&
	       f->mentions[u->mention_at] < step;
}

static void settle(struct etc_lifetime_finder *f, int32_t step, uint32_t value, uint32_t position)
{
	const struct etc_instruction *n = &f->chain->instructions[step];
	struct etc_followed *v = &f->v[value];
	const struct etc_planned_range *alias;

	(void)position;
	if (!v->planned || v->first != step || v->done)
		return;
	v->done = true;
	if (is_operator(f, n, "executorch_prim::et_view") &&
	    etc_i32_at(n->args, n->args.count - 1) == (int32_t)value &&
	    f->v[etc_i32_at(n->args, 0)].planned) {
		join(f, value, (uint32_t)etc_i32_at(n->args, 0));
		return;
	}
	if (v->defined == step)
		return;
	alias = alias_of(f, value);
	if (n->kind == ETC_INSTRUCTION_DELEGATE && !delegate_reads(f, step, v, alias)) {
		f->out->assumed_outputs++;
		return;
	}
	if (alias)
		join(f, value, alias->value);
	else
		v->state = true;
}

static void find_aliases(struct etc_lifetime_finder *f)
{
	for (uint32_t i = 0; i < f->m->value_count; i++)
		if (f->v[i].planned && f->v[i].first == ETC_LIFETIME_BEFORE)
			mention_range(f, ETC_LIFETIME_BEFORE, i, 0);
	for (int32_t step = 0; step < f->out->steps; step++) {
		f->known = f->end = 0;
		if (f->chain->instructions[step].kind == ETC_INSTRUCTION_DELEGATE)
			each_argument(f, step, note_position);
		each_argument(f, step, settle);
		each_argument(f, step, mention_range);
	}
}

enum etc_status etc_lifetimes_find(const struct etc_program_method *m, struct etc_arena *arena,
                                   struct etc_lifetimes *out, struct etc_error *err)
{
	struct etc_lifetime_finder f = { .m = m, .arena = arena, .out = out };

	*out = (struct etc_lifetimes){ 0 };
	if (m->chain_count) {
		f.chain = &m->chains[0];
		out->steps = (int32_t)f.chain->count;
	}
	f.v = etc_new(arena, struct etc_followed, m->value_count);
	ETC_NEED(f.v, err);
	ETC_TRY(find_planned(&f, err));
	ETC_TRY(find_mentions(&f, err));
	find_aliases(&f);
	return etc_lifetime_groups(&f, err);
}
