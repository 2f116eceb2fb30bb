/* test_paths.c -- grouping runs that executed the same instructions into paths. */
#include "made.h"

#include "join/paths.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static const struct made_event one[] = { INSIDE("native_call_add.out", 0),
	                                 INSIDE("OPERATOR_CALL", 0), AROUND("Method::execute") };
static const struct made_event other_kernel[] = { INSIDE("native_call_mul.out", 0),
	                                          INSIDE("OPERATOR_CALL", 0),
	                                          AROUND("Method::execute") };
static const struct made_event other_instruction[] = { INSIDE("native_call_add.out", 1),
	                                               INSIDE("OPERATOR_CALL", 1),
	                                               AROUND("Method::execute") };
static const struct made_event with_delegate[] = { INSIDE("native_call_add.out", 0),
	                                           INSIDE("OPERATOR_CALL", 0), DELEGATE("soft", 1),
	                                           INSIDE("DELEGATE_CALL", 1),
	                                           AROUND("Method::execute") };
static const struct made_event more_of_delegate[] = { INSIDE("native_call_add.out", 0),
	                                              INSIDE("OPERATOR_CALL", 0),
	                                              DELEGATE("soft", 1),
	                                              DELEGATE("max", 1),
	                                              INSIDE("DELEGATE_CALL", 1),
	                                              AROUND("Method::execute") };
static const struct made_event soft_twice[] = { INSIDE("native_call_add.out", 0),
	                                        INSIDE("OPERATOR_CALL", 0),
	                                        DELEGATE("soft", 1),
	                                        DELEGATE("soft", 1),
	                                        INSIDE("DELEGATE_CALL", 1),
	                                        AROUND("Method::execute") };
static const struct made_event twice[] = { INSIDE("OPERATOR_CALL", 0), INSIDE("OPERATOR_CALL", 0),
	                                   AROUND("Method::execute") };
static const struct made_event load[] = { AROUND("Method::init"), AROUND("Program::load_method") };
static const struct made_event two_roots[] = { AROUND("Method::execute"),
	                                       AROUND("Method::execute") };

/* Adds a run whose events all last from 1 to 2, except the last one, which lasts from 1 to
 * `end`. */
static void add(struct made *m, uint32_t template, uint64_t end)
{
	uint64_t times[MADE_EVENTS][2];

	for (uint32_t i = 0; i < m->templates[template].count; i++) {
		times[i][0] = 1;
		times[i][1] = 2;
	}
	times[m->templates[template].count - 1][0] = 1;
	times[m->templates[template].count - 1][1] = end;
	made_run(m, template, (const uint64_t(*)[2])times);
}

static void a_path_is_what_ran_not_what_delegates_log(void **state)
{
	struct etc_error err = { 0 };
	struct etc_paths paths;
	struct made m;

	(void)state;
	made_begin(&m);
	made_template(&m, one, COUNT(one));
	made_template(&m, with_delegate, COUNT(with_delegate));
	made_template(&m, more_of_delegate, COUNT(more_of_delegate));
	made_template(&m, other_kernel, COUNT(other_kernel));
	made_template(&m, other_instruction, COUNT(other_instruction));
	for (uint32_t s = 0; s < 5; s++)
		add(&m, s, 9);
	add(&m, 0, 9);
	assert_ok(etc_paths_find(&paths, &m.trace, &m.arena, &err), &err);
	assert_int_equal(paths.count, 4);
	assert_int_equal(paths.path[0], 0);
	assert_int_equal(paths.path[1], 1);
	assert_int_equal(paths.path[2], 1);
	assert_int_equal(paths.path[3], 2);
	assert_int_equal(paths.path[4], 3);
	made_end(&m);
}

static void paths_are_numbered_by_the_first_run_that_counts(void **state)
{
	struct etc_error err = { 0 };
	struct etc_paths paths;
	struct made m;
	uint64_t time;

	(void)state;
	made_begin(&m);
	made_template(&m, one, COUNT(one));
	made_template(&m, other_kernel, COUNT(other_kernel));
	add(&m, 0, 0); /* ends before it starts */
	add(&m, 1, 9);
	add(&m, 0, 7);
	assert_ok(etc_paths_find(&paths, &m.trace, &m.arena, &err), &err);
	assert_int_equal(paths.path[1], 0);
	assert_int_equal(paths.path[0], 1);
	assert_false(etc_run_time(&paths, &m.trace, 0, &time));
	assert_true(etc_run_time(&paths, &m.trace, 2, &time));
	assert_int_equal(time, 6);
	made_end(&m);
}

/* Runs of the same instructions log other delegate events, as if several methods of the program
 * fit: the event "soft", the events "soft" and "max", or none. */
static void runs_with_other_delegate_events_can_be_divided(void **state)
{
	static const uint32_t runs[] = { 2, 0, 1, 3, 2, 1 };
	const bool second[] = { false, true };
	const bool none[] = { false, false };
	struct etc_error err = { 0 };
	struct etc_paths paths;
	struct made m;

	(void)state;
	made_begin(&m);
	made_template(&m, one, COUNT(one));
	made_template(&m, with_delegate, COUNT(with_delegate));
	made_template(&m, more_of_delegate, COUNT(more_of_delegate));
	made_template(&m, soft_twice, COUNT(soft_twice));
	add(&m, 1, 0); /* ends before it starts, so it does not count */
	for (size_t i = 0; i < COUNT(runs); i++)
		add(&m, runs[i], 9);
	assert_ok(etc_paths_find(&paths, &m.trace, &m.arena, &err), &err);
	assert_int_equal(paths.count, 2);
	assert_int_equal(paths.path[2], 0);
	assert_int_equal(paths.path[0], 1);
	assert_ok(etc_paths_divide(&paths, &m.trace, none, &m.arena, &err), &err);
	assert_int_equal(paths.count, 2);
	assert_ok(etc_paths_divide(&paths, &m.trace, second, &m.arena, &err), &err);
	/* the second path, of template `one`, has no delegate events by which to divide it */
	assert_int_equal(paths.count, 2);
	assert_ok(etc_paths_divide(&paths, &m.trace, (const bool[]){ true, false }, &m.arena, &err),
	          &err);
	assert_int_equal(paths.count, 3);
	assert_int_equal(paths.path[2], 0);
	assert_int_equal(paths.path[0], 1);
	assert_int_equal(paths.path[1], 2);
	assert_int_equal(paths.path[3], 2);
	made_end(&m);
}

static void only_runs_with_one_execute_event_have_a_path(void **state)
{
	struct etc_error err = { 0 };
	struct etc_paths paths;
	struct made m;

	(void)state;
	made_begin(&m);
	made_template(&m, load, COUNT(load));
	made_template(&m, two_roots, COUNT(two_roots));
	made_template(&m, twice, COUNT(twice));
	for (uint32_t s = 0; s < 3; s++)
		add(&m, s, 9);
	assert_ok(etc_paths_find(&paths, &m.trace, &m.arena, &err), &err);
	assert_int_equal(paths.kind[0], ETC_RUN_LOAD);
	assert_int_equal(paths.root[0], 1);
	assert_int_equal(paths.kind[1], ETC_RUN_OTHER);
	assert_int_equal(paths.kind[2], ETC_RUN_EXECUTE);
	assert_int_equal(paths.root[2], 2);
	assert_int_equal(paths.path[0], ETC_NO_SITE);
	assert_int_equal(paths.path[1], ETC_NO_SITE);
	assert_int_equal(paths.count, 1);
	made_end(&m);
}

static void an_instruction_that_runs_again_is_seen(void **state)
{
	struct etc_sites sites;
	struct made m;

	(void)state;
	made_begin(&m);
	made_template(&m, with_delegate, COUNT(with_delegate));
	made_template(&m, twice, COUNT(twice));
	add(&m, 0, 9);
	add(&m, 1, 9);
	made_sites(&m, 0, made_ns, &sites);
	assert_false(sites.repeats);
	made_sites(&m, 1, made_ns, &sites);
	assert_true(sites.repeats);
	made_end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_is_what_ran_not_what_delegates_log),
		cmocka_unit_test(paths_are_numbered_by_the_first_run_that_counts),
		cmocka_unit_test(runs_with_other_delegate_events_can_be_divided),
		cmocka_unit_test(only_runs_with_one_execute_event_have_a_path),
		cmocka_unit_test(an_instruction_that_runs_again_is_seen),
	};

	return cmocka_run_group_tests_name("paths", tests, NULL, NULL);
}
