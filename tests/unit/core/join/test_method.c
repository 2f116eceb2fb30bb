/* test_method.c -- finding the method of a program that a path executed. Programs and runs are made
 * by hand. */
#include "unit.h"

#include "join/method.h"

enum {
	K = ETC_INSTRUCTION_KERNEL,
	D = ETC_INSTRUCTION_DELEGATE,
	M = ETC_INSTRUCTION_MOVE,
	J = ETC_INSTRUCTION_JUMP_FALSE,
	F = ETC_INSTRUCTION_FREE
};

static const struct etc_operator operators[] = {
	{ { "aten::add", 9 }, { "out", 3 }, { "aten::add.out", 13 } },
	{ { "aten::mul", 9 }, { "out", 3 }, { "aten::mul.out", 13 } },
};
static const struct etc_program_delegate delegates[] = {
	{ .backend = { "A", 1 }, .processed = { (const uint8_t *)"one", 3 }, .at = 10 },
	{ .backend = { "A", 1 }, .processed = { (const uint8_t *)"three", 5 }, .at = 20 },
	{ .backend = { "B", 1 }, .processed = { (const uint8_t *)"one", 3 }, .at = 30 },
};

#define METHOD(text, n, list)                                                            \
	{                                                                                \
		.name = { text, sizeof text - 1 }, .chains = (list), .chain_count = (n), \
		.operators = operators, .operator_count = 2, .delegates = delegates,     \
		.delegate_count = 3                                                      \
	}
#define CHAIN(list)                                                             \
	{                                                                       \
		.instructions = (list), .count = sizeof(list) / sizeof(list)[0] \
	}

/* The events of a run, made from letters: 'k' an OPERATOR_CALL, 'a' and 'm' the same with the
 * kernel add.out or mul.out inside, 'd' a DELEGATE_CALL, 'j' a JF_CALL (jump), 'v' a MOVE_CALL, 'f'
 * a FREE_CALL. */
struct run {
	struct etc_event events[40];
	struct etc_template template;
	struct etc_run one;
	uint64_t times[40];
	struct etc_trace trace;
	struct etc_arena arena;
	struct etc_paths paths;
	struct etc_methods methods;
};

static struct etc_event *add(struct run *r, const char *name, uint64_t chain, int32_t instruction)
{
	struct etc_event *e = &r->events[r->template.count];

	*e = (struct etc_event){ .name = etc_arena_sized(&r->arena, etc_str_of(name)),
		                 .chain = chain,
		                 .instruction_id = instruction,
		                 .delegate_id = -1,
		                 .has_name = true,
		                 .word = (uint8_t)etc_event_word(etc_str_of(name)),
		                 .column = r->template.count };
	r->template.count++;
	r->template.profiles++;
	return e;
}

/* Finds the method of a run. `script` has a letter and an instruction for each event: "a0 d1 j2
 * a5". A digit before the letter is the chain. */
static const struct etc_method *ran(struct run *r, const char *script,
                                    const struct etc_program *program,
                                    const struct etc_record *record)
{
	struct etc_error err = { 0 };

	*r = (struct run){ 0 };
	etc_arena_init(&r->arena, 1 << 24);
	for (const char *s = script; *s; s++) {
		uint64_t chain = *s >= '0' && *s <= '9' ? (uint64_t)(*s++ - '0') : 0;
		char what = *s++;
		int32_t at = (int32_t)(*s++ - '0');

		if (what == 'a' || what == 'm')
			add(r, what == 'a' ? "native_call_add.out" : "native_call_mul.out", chain,
			    at);
		add(r,
		    what == 'd'   ? "DELEGATE_CALL"
		    : what == 'j' ? "JF_CALL"
		    : what == 'v' ? "MOVE_CALL"
		    : what == 'f' ? "FREE_CALL"
		                  : "OPERATOR_CALL",
		    chain, at);
		if (!*s)
			break;
	}
	add(r, "Method::execute", UINT64_MAX, 0);
	r->template.events = r->events;
	r->trace = (struct etc_trace){ .runs = &r->one,
		                       .run_count = 1,
		                       .templates = &r->template,
		                       .template_count = 1,
		                       .start = r->times,
		                       .end = r->times,
		                       .sample_count = r->template.count };
	assert_ok(etc_paths_find(&r->paths, &r->trace, &r->arena, &err), &err);
	assert_ok(etc_methods_find(&r->methods, &r->paths, &r->trace, program, record, &r->arena,
	                           &err),
	          &err);
	return etc_methods_of(&r->methods, &r->paths, 0);
}

static void expect(const struct etc_program *program, const char *script, const char *name)
{
	struct run r;
	const struct etc_method *m = ran(&r, script, program, NULL);

	if (!etc_str_eq(m->name, etc_str_of(name)))
		fail_msg("'%s' is '" ETC_STR_FMT "', not '%s'", script, ETC_STR_ARG(m->name), name);
	assert_int_equal(r.methods.unfit, name[0] == '\0' && !m->ambiguous);
	etc_arena_release(&r.arena);
}

#define DO(k, i)                          \
	{                                 \
		.kind = (k), .index = (i) \
	}

/* An addition, a delegate, and a loop: instruction 2 jumps to 5 when its condition is false. Else 3
 * and 4 follow, and 4 jumps to 2. */
static const struct etc_instruction loop[] = { DO(K, 0), DO(D, 0), DO(J, 5),
	                                       DO(M, 0), DO(J, 2), DO(F, 0) };
static const struct etc_instruction adds[] = { DO(K, 0), DO(K, 0) };
static const struct etc_instruction muls[] = { DO(K, 1), DO(K, 1) };
static const struct etc_instruction first_delegate[] = { DO(D, 0) };
static const struct etc_instruction other_blob[] = { DO(D, 1) };
static const struct etc_instruction other_backend[] = { DO(D, 2) };

static void a_path_fits_where_instructions_and_jumps_do(void **state)
{
	static const struct etc_program_chain chains[] = { CHAIN(loop) };
	static const struct etc_program_method methods[] = { METHOD("forward", 1, chains) };
	static const struct etc_program p = { .methods = methods, .method_count = 1 };

	(void)state;
	expect(&p, "a0 d1 j2 f5", "forward");
	expect(&p, "a0 d1 j2 v3 j4 f5", "forward");
	expect(&p, "a0 d1 j2 v3 j4 j2 v3 j4 f5", "forward");
	expect(&p, "k0 d1 j2 f5", "forward");
	expect(&p, "m0 d1 j2 f5", "");    /* another kernel */
	expect(&p, "d0 d1 j2 f5", "");    /* another kind */
	expect(&p, "a0 d1 j2 j4 f5", ""); /* a jump that leads elsewhere */
	expect(&p, "d1 j2 f5", "");       /* does not begin at the first instruction */
	/* these end elsewhere than at the last instruction */
	expect(&p, "a0 d1 j2 v3", "");
	expect(&p, "a0 d1 j2 f5 k6", "");
	expect(&p, "a0 1d1 j2 f5", "");
}

/* The path of a run that failed is only the beginning of the path of a run that finished. */
static void a_path_that_stops_early_fits_where_another_one_finished(void **state)
{
	static const struct etc_program_chain chains[] = { CHAIN(loop) };
	static const struct etc_program_method methods[] = {
		METHOD("forward", 1, chains),
	};
	static const struct etc_program p = { .methods = methods, .method_count = 1 };
	struct etc_error err = { 0 };
	struct etc_template templates[2];
	struct etc_run runs[2] = { { .template = 0 }, { .template = 1 } };
	struct run whole, part;

	(void)state;
	ran(&whole, "a0 d1 j2 f5", &p, NULL);
	ran(&part, "a0 d1", &p, NULL);
	templates[0] = part.template;
	templates[1] = whole.template;
	templates[1].first_run = 1;
	part.trace.runs = runs;
	part.trace.run_count = 2;
	part.trace.templates = templates;
	part.trace.template_count = 2;
	assert_ok(etc_paths_find(&part.paths, &part.trace, &part.arena, &err), &err);
	assert_ok(etc_methods_find(&part.methods, &part.paths, &part.trace, &p, NULL, &part.arena,
	                           &err),
	          &err);
	assert_int_equal(part.methods.count, 2);
	assert_int_equal(part.methods.unfit, 0);
	for (int i = 0; i < 2; i++)
		assert_true(etc_str_eq(part.methods.of_path[i].name, ETC_STR("forward")));
	etc_arena_release(&whole.arena);
	etc_arena_release(&part.arena);
}

static void chains_follow_each_other_and_empty_ones_are_skipped(void **state)
{
	static const struct etc_program_chain chains[] = { { 0 }, CHAIN(adds),           { 0 },
		                                           { 0 }, CHAIN(first_delegate), { 0 } };
	static const struct etc_program_method methods[] = { METHOD("forward", 6, chains) };
	static const struct etc_program p = { .methods = methods, .method_count = 1 };

	(void)state;
	expect(&p, "1a0 1a1 4d0", "forward");
	expect(&p, "1a0 1a1", "");
	expect(&p, "1a0 4d0", "");
}

static void kernels_tell_methods_apart(void **state)
{
	static const struct etc_program_chain a[] = { CHAIN(adds) }, m[] = { CHAIN(muls) };
	static const struct etc_program_method methods[] = { METHOD("adds", 1, a),
		                                             METHOD("muls", 1, m) };
	static const struct etc_program p = { .methods = methods, .method_count = 2 };
	struct run r;
	const struct etc_method *one;

	(void)state;
	expect(&p, "a0 a1", "adds");
	expect(&p, "m0 k1", "muls");
	one = ran(&r, "k0 k1", &p, NULL); /* the runs log no kernel, so both methods fit */
	assert_true(one->ambiguous && one->name.len == 0 && one->fit_count == 2);
	assert_null(etc_method_operator(one, &r.events[0]));
	etc_arena_release(&r.arena);
	one = ran(&r, "a0 k1", &p, NULL);
	assert_true(
		etc_str_eq(etc_method_operator(one, &r.events[2])->text, ETC_STR("aten::add.out")));
	etc_arena_release(&r.arena);
}

static void what_all_methods_that_fit_say_holds(void **state)
{
	static const struct etc_program_chain a[] = { CHAIN(first_delegate) },
					      b[] = { CHAIN(other_blob) },
					      c[] = { CHAIN(other_backend) };
	static const struct etc_program_method methods[] = { METHOD("a", 1, a),
		                                             METHOD("also a", 1, a),
		                                             METHOD("b", 1, b), METHOD("c", 1, c) };
	struct etc_program p = { .methods = methods, .method_count = 2 };
	struct etc_program_delegate d;
	const struct etc_method *m;
	struct run r;

	(void)state;
	m = ran(&r, "d0", &p, NULL);
	d = etc_method_delegate(m, &r.events[0]);
	assert_true(m->ambiguous && etc_str_eq(d.backend, ETC_STR("A")) && d.processed.len == 3);
	etc_arena_release(&r.arena);
	p.method_count = 3;
	d = etc_method_delegate(ran(&r, "d0", &p, NULL), &r.events[0]);
	assert_true(etc_str_eq(d.backend, ETC_STR("A")) && d.processed.len == 0);
	etc_arena_release(&r.arena);
	p.method_count = 4;
	d = etc_method_delegate(ran(&r, "d0", &p, NULL), &r.events[0]);
	assert_true(d.backend.len == 0 && d.processed.len == 0);
	etc_arena_release(&r.arena);
}

/* ---- the record -------------------------------------------------------------- */

static const struct etc_handle_entry both[] = { { .key = { "0", 1 } }, { .key = { "1", 1 } } };
static const struct etc_delegate_entry second[] = { { .key = { "1", 1 }, .backend = { "B", 1 } } };
static const struct etc_delegate_entry none[] = { { .key = { "", 0 } } };
static const struct etc_method_maps maps[] = {
	{ .method = { "first", 5 },
	  .in_handle_map = true,
	  .in_delegate_map = true,
	  .handles = both,
	  .handle_count = 2,
	  .delegates = none },
	{ .method = { "second", 6 },
	  .in_handle_map = true,
	  .in_delegate_map = true,
	  .handles = both,
	  .handle_count = 2,
	  .delegates = second,
	  .delegate_count = 1 },
	{ .method = { "first again", 11 },
	  .in_handle_map = true,
	  .in_delegate_map = true,
	  .handles = both,
	  .handle_count = 2,
	  .delegates = none },
};

static void a_record_tells_methods_apart_by_its_maps(void **state)
{
	struct etc_record record = { .methods = maps, .method_count = 2 };
	const struct etc_method *m;
	struct run r;

	(void)state;
	m = ran(&r, "k0 d1", NULL, &record);
	assert_true(m->maps == &maps[1] && etc_str_eq(m->name, ETC_STR("second")));
	assert_true(etc_str_eq(etc_method_entry(m, 1)->backend, ETC_STR("B")));
	assert_null(etc_method_entry(m, 0));
	etc_arena_release(&r.arena);
	m = ran(&r, "k0 k1", NULL, &record);
	assert_true(m->maps == &maps[0] && !m->ambiguous && r.methods.unfit == 0);
	etc_arena_release(&r.arena);
	m = ran(&r, "k0", NULL, &record); /* the maps have more instructions than the run */
	assert_true(!m->maps && m->name.len == 0);
	etc_arena_release(&r.arena);
	record.method_count = 3;
	m = ran(&r, "k0 k1", NULL, &record);
	assert_true(!m->maps && m->ambiguous);
	etc_arena_release(&r.arena);
}

static void a_record_of_one_method_needs_no_proof(void **state)
{
	struct etc_record record = { .methods = maps, .method_count = 1 };
	struct run r;

	(void)state;
	assert_ptr_equal(ran(&r, "k7", NULL, &record)->maps, &maps[0]);
	etc_arena_release(&r.arena);
}

static void a_record_chooses_among_methods_of_the_program(void **state)
{
	static const struct etc_instruction both_kinds[] = { DO(K, 0), DO(D, 0) };
	static const struct etc_program_chain chains[] = { CHAIN(both_kinds) };
	static const struct etc_program_method methods[] = { METHOD("other", 1, chains),
		                                             METHOD("second", 1, chains) };
	static const struct etc_program p = { .methods = methods, .method_count = 2 };
	struct etc_record record = { .methods = maps, .method_count = 2 };
	const struct etc_method *m;
	struct run r;

	(void)state;
	m = ran(&r, "k0 d1", &p, &record);
	assert_true(etc_str_eq(m->name, ETC_STR("second")) && m->maps == &maps[1]);
	assert_true(m->fit_count == 1 && m->fits[0] == &methods[1] && !m->ambiguous);
	/* the backend of instruction 1 is B in the record, and A in the program */
	assert_true(m->disputed == 1 && m->disputed_first == 1);
	etc_arena_release(&r.arena);
}

/* Adds to the trace of `r` a run without instructions, as a method that returns a constant has
 * them, and finds the methods again. Returns the method of the run. */
static const struct etc_method *returned(struct run *r, const struct etc_program *program,
                                         const struct etc_record *record)
{
	struct etc_event end = r->events[r->template.count - 1];
	struct etc_template two[2] = { r->template, { .events = &end, .count = 1, .profiles = 1 } };
	struct etc_run runs[2] = { r->one, { .template = 1 } };
	struct etc_error err = { 0 };

	end.column = 0;
	r->trace.runs = runs;
	r->trace.run_count = 2;
	r->trace.templates = two;
	r->trace.template_count = 2;
	assert_ok(etc_paths_find(&r->paths, &r->trace, &r->arena, &err), &err);
	assert_ok(etc_methods_find(&r->methods, &r->paths, &r->trace, program, record, &r->arena,
	                           &err),
	          &err);
	return etc_methods_of(&r->methods, &r->paths, 1);
}

static void a_run_without_instructions_is_of_a_method_without_instructions(void **state)
{
	static const struct etc_program_chain chains[] = { CHAIN(adds) };
	static const struct etc_program_method methods[] = { METHOD("forward", 1, chains),
		                                             METHOD("vocab", 0, NULL),
		                                             METHOD("dim", 0, NULL) };
	struct etc_program p = { .methods = methods, .method_count = 2 };
	struct etc_record record = { .methods = maps, .method_count = 1 };
	const struct etc_method *m;
	struct run r;

	(void)state;
	/* a record does not list methods that return a constant */
	ran(&r, "a0 a1", &p, &record);
	m = returned(&r, &p, &record);
	assert_true(etc_str_eq(m->name, ETC_STR("vocab")) && !m->maps);
	assert_true(r.methods.several && r.methods.unfit == 0);
	p.method_count = 3;
	m = returned(&r, &p, &record);
	assert_true(m->ambiguous && m->name.len == 0 && m->fit_count == 2);
	m = returned(&r, NULL, &record);
	assert_true(m->name.len == 0 && !m->maps);
	etc_arena_release(&r.arena);
	/* only whole methods were timed: no run has instructions */
	assert_true(ran(&r, "", &p, &record)->name.len == 0);
	etc_arena_release(&r.arena);
	assert_true(etc_str_eq(ran(&r, "", NULL, &record)->name, maps[0].method));
	etc_arena_release(&r.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_fits_where_instructions_and_jumps_do),
		cmocka_unit_test(a_path_that_stops_early_fits_where_another_one_finished),
		cmocka_unit_test(chains_follow_each_other_and_empty_ones_are_skipped),
		cmocka_unit_test(kernels_tell_methods_apart),
		cmocka_unit_test(what_all_methods_that_fit_say_holds),
		cmocka_unit_test(a_record_tells_methods_apart_by_its_maps),
		cmocka_unit_test(a_record_of_one_method_needs_no_proof),
		cmocka_unit_test(a_record_chooses_among_methods_of_the_program),
		cmocka_unit_test(a_run_without_instructions_is_of_a_method_without_instructions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
