/* fed.c -- finds and compares the inputs of runs; see fed.h. */
#include "commands/numeric/fed.h"

#include <math.h>

#include "base/number.h"
#include "tensor/summary.h"

/* If the same data (such as one picture) are preprocessed in two different ways, the resulting
 * inputs differ by less than this fraction of their values. */
#define ANOTHER 1e-3

static enum etc_status room_for(struct etc_fed *out, size_t count, struct etc_arena *arena,
                                struct etc_error *err)
{
	*out = (struct etc_fed){ .v = etc_new(arena, struct etc_operand, count) };
	return out->v ? ETC_OK : etc_no_memory(err);
}

/* ---- sources of inputs ------------------------------------------------------------------- */

/* Returns the number of outputs of the delegate that logged the argument `of`, according to the
 * record; 1 if the record does not have the number. The outputs are the last arguments of a
 * delegate. */
static uint32_t outputs_of(const struct etc_inputs *in, const struct etc_logged *of)
{
	const struct etc_record *record = etc_inputs_record(in);
	const struct etc_method_maps *maps = record ? etc_record_method(record, of->method) : NULL;
	uint64_t instruction;

	for (uint32_t i = 0; maps && i < maps->num_outs_count; i++)
		if (etc_number_parse_u64(maps->num_outs[i].key, &instruction) &&
		    (int64_t)instruction == of->of->event->instruction_id)
			return maps->num_outs[i].outputs > 0 ? (uint32_t)maps->num_outs[i].outputs
			                                     : 1;
	return 1;
}

/* The instruction that calls a delegate, and the method that contains the instruction. Both are
 * NULL if there is no program, or if the program does not have the instruction. */
struct called {
	const struct etc_program_method *method;
	const struct etc_instruction *call;
};

/* Finds the instruction whose arguments are logged in v[first] to v[end - 1]. (One argument is one
 * event, but may have several values.) The result is empty if there is no program, or if its
 * instruction is not a delegate call with that number of arguments. */
static struct called called_by(const struct etc_inputs *in, const struct etc_logged *v,
                               size_t first, size_t end)
{
	const struct etc_program *program = etc_inputs_program(in);
	const struct etc_event *event = v[first].of->event;
	struct called c = { program ? etc_program_method(program, v[first].method) : NULL, NULL };
	uint32_t events = 1;

	for (size_t i = first + 1; i < end; i++)
		events += v[i].of != v[i - 1].of;
	if (c.method)
		c.call = etc_program_instruction(c.method, event->chain, event->instruction_id);
	return c.call && c.call->kind == ETC_INSTRUCTION_DELEGATE && c.call->args.count == events
	               ? c
	               : (struct called){ 0 };
}

/* Can argument `at` of the delegate be an input of the method? Without a program, the answer is
 * always yes. */
static bool may_be_input(const struct called *c, uint32_t at)
{
	if (!c->method)
		return true;
	for (uint32_t i = 0; i < c->method->inputs.count; i++)
		if (etc_i32_at(c->method->inputs, i) == etc_i32_at(c->call->args, at))
			return true;
	return false;
}

enum etc_status etc_fed_run(const struct etc_inputs *in, const struct etc_logged_list *list,
                            size_t from, struct etc_arena *arena, struct etc_fed *out,
                            struct etc_error *err)
{
	const struct etc_logged *v = list->v;
	size_t first = from, end;
	uint32_t outputs, at = 0;
	struct called called;
	/* no intermediate value was logged before the arguments of this delegate */
	bool is_first = true;

	*out = (struct etc_fed){ 0 };
	while (first < list->count && v[first].run == v[from].run &&
	       v[first].what != ETC_LOGGED_ARGUMENT)
		is_first &= !etc_logged_is_intermediate(&v[first++]);
	if (first == list->count || v[first].run != v[from].run)
		return ETC_OK;
	for (end = first; end < list->count && v[end].run == v[first].run &&
	                  v[end].what == ETC_LOGGED_ARGUMENT &&
	                  v[end].of->event->chain == v[first].of->event->chain &&
	                  v[end].of->event->instruction_id == v[first].of->event->instruction_id;)
		end++;
	outputs = outputs_of(in, &v[first]);
	if (outputs >= end - first)
		return ETC_OK;
	called = called_by(in, v, first, end);
	/* without a program, the delegate's inputs may be values that other operators computed */
	if (!called.method && !is_first)
		return ETC_OK;
	ETC_TRY(room_for(out, end - first, arena, err));
	for (size_t i = first; i < end - outputs; i++) {
		at += i > first && v[i].of != v[i - 1].of;
		if (may_be_input(&called, at))
			ETC_TRY(etc_operand_of_logged(&v[i], arena, &out->v[out->count++], err));
	}
	out->partial = called.method && out->count < called.method->inputs.count;
	return ETC_OK;
}

enum etc_status etc_fed_record(const struct etc_record_blob *b, struct etc_str method,
                               struct etc_arena *arena, struct etc_fed *out, struct etc_error *err)
{
	*out = (struct etc_fed){ 0 };
	for (uint32_t m = 0; m < b->method_count; m++) {
		const struct etc_record_case *c = b->methods[m].cases;

		if (!etc_str_eq(b->methods[m].method, method) || b->methods[m].count != 1)
			continue;
		ETC_TRY(room_for(out, c->count, arena, err));
		for (uint32_t i = 0; i < c->count; i++)
			ETC_TRY(etc_operand_of_reference(c->values[i], arena, &out->v[out->count++],
			                                 err));
	}
	return ETC_OK;
}

enum etc_status etc_fed_case(const struct etc_bundled_case *test, struct etc_arena *arena,
                             struct etc_fed *out, struct etc_error *err)
{
	ETC_TRY(room_for(out, test->input_count, arena, err));
	for (uint32_t i = 0; i < test->input_count; i++)
		ETC_TRY(etc_operand_of_bundled(&test->inputs[i], arena, &out->v[out->count++],
		                               err));
	return ETC_OK;
}

/* ---- comparison -------------------------------------------------------------------------- */

static bool is_alike(const struct etc_operand *a, const struct etc_operand *b)
{
	if (a->why || b->why || a->e.rank != b->e.rank || a->e.kind != b->e.kind ||
	    a->e.bits != b->e.bits)
		return false;
	for (uint32_t d = 0; d < a->e.rank; d++)
		if (a->e.sizes[d] != b->e.sizes[d])
			return false;
	return true;
}

/* Do the two values have a relative difference (etc_difference_relative()) of at most `most`? They
 * must have the same shape and type. Also true if the values cannot be compared, or if they have no
 * elements. */
static bool is_within(const struct etc_operand *a, const struct etc_operand *b, double most)
{
	const struct etc_tolerance none = { 0, 0 };
	struct etc_difference d;

	if (etc_difference_of(&a->e, &b->e, none, false, &d) != ETC_COMPARED || !d.count)
		return true;
	return etc_difference_relative(&d) <= most;
}

/* Is there a value in `f` that has the shape and type of `o`, and whose relative difference from
 * `o` is at most `most`? */
static bool has_within(const struct etc_fed *f, const struct etc_operand *o, double most)
{
	bool found = false;

	for (uint32_t i = 0; i < f->count && !found; i++)
		found = is_alike(o, &f->v[i]) && is_within(o, &f->v[i], most);
	return found;
}

static uint32_t count_alike(const struct etc_fed *f, const struct etc_operand *o)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->count; i++)
		n += is_alike(&f->v[i], o);
	return n;
}

uint8_t etc_fed_compare(const struct etc_fed *a, const struct etc_fed *b)
{
	uint32_t same = 0;
	bool equal = true;

	for (uint32_t i = 0; i < a->count; i++) {
		const struct etc_operand *x = &a->v[i];

		if (!count_alike(b, x) || count_alike(a, x) != count_alike(b, x))
			continue;
		if (!has_within(b, x, ANOTHER))
			return ETC_FED_OTHER;
		equal = equal && has_within(b, x, 0);
		same++;
	}
	if (!same || same != a->count || same != b->count)
		return ETC_FED_UNKNOWN;
	return equal ? ETC_FED_SAME : ETC_FED_NEAR;
}

double etc_fed_most(const struct etc_fed *f)
{
	double most = f->count ? 0 : (double)INFINITY;

	for (uint32_t i = 0; i < f->count; i++) {
		struct etc_summary s;

		if (f->v[i].why || etc_elements_are_integers(&f->v[i].e))
			continue;
		etc_summarise(&f->v[i].e, &s, NULL, NULL);
		if (s.has_range)
			most = fmax(most, fmax(fabs(s.min), fabs(s.max)));
	}
	return most;
}
