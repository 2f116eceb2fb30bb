/* test_walk.c -- the positions of the slices of a timeline, one for each event of a run. Expected
 * values were computed by hand. */
#include "made.h"

#include "profile/walk.h"

/* The slices of the visited runs, one after the other. */
struct seen {
	struct etc_walk_slice slices[64];
	char names[64][24];
	uint64_t starts[64]; /* start of each event, in ticks */
	uint32_t count, runs, run[8];
};

static enum etc_status keep(void *arg, const struct etc_walk_run *run, struct etc_error *err)
{
	struct seen *s = arg;

	(void)err;
	s->run[s->runs++] = run->run;
	for (uint32_t i = 0; i < run->slice_count; i++) {
		const struct etc_walk_slice *slice = &run->slices[i];
		struct etc_str name = etc_walk_name(run, slice->event, slice->dispatch);

		snprintf(s->names[s->count], sizeof s->names[0], ETC_STR_FMT, ETC_STR_ARG(name));
		s->starts[s->count] = run->start[slice->event];
		s->slices[s->count++] = run->slices[i];
	}
	return ETC_OK;
}

static void walk_most(struct made *m, bool typical, const uint32_t *most, struct seen *seen)
{
	const struct etc_profile_options po = { .clock = made_ns, .warmup = 1, .no_rows = true };
	bool chosen[MADE_RUNS] = { false };
	const struct etc_walk_options options = { &po, typical ? chosen : NULL, false, most };
	struct etc_profile profile;
	struct etc_walker *walker;
	struct etc_error err = { 0 };
	struct seen again = { 0 };

	memset(seen, 0, sizeof *seen);
	assert_ok(etc_profile_make(&m->trace, &po, &m->arena, &profile, &err), &err);
	etc_walk_typical(&m->trace, &profile, chosen);
	assert_ok(etc_walker_make(&walker, &m->trace, &profile, &options, &m->arena, &err), &err);
	assert_ok(etc_walker_visit(walker, keep, seen, &err), &err);
	assert_ok(etc_walker_visit(walker, keep, &again, &err), &err);
	assert_memory_equal(seen, &again, sizeof again);
	etc_walker_release(walker);
}

static void walk(struct made *m, bool typical, struct seen *seen)
{
	walk_most(m, typical, NULL, seen);
}

static void expect(const struct seen *s, uint32_t i, const char *name, uint32_t parent,
                   int64_t from, int64_t to, uint64_t self)
{
	assert_string_equal(s->names[i], name);
	assert_int_equal(s->slices[i].parent, parent);
	assert_int_equal(s->slices[i].from, from);
	assert_int_equal(s->slices[i].to, to);
	assert_int_equal(s->slices[i].self, self);
}

static const struct made_event events[] = {
	INSIDE("native_call_add.out", 0), INSIDE("OPERATOR_CALL", 0),
	DELEGATE("Softmax #1", 1),        DELEGATE("Add #2", 1),
	INSIDE("DELEGATE_CALL", 1),       AROUND("Method::execute"),
};
enum { EVENTS = sizeof events / sizeof *events };

static void parents_come_first_and_siblings_by_start(void **state)
{
	static const uint64_t times[][2] = { { 115, 135 }, { 110, 140 }, { 210, 260 },
		                             { 160, 200 }, { 150, 290 }, { 100, 300 } };
	struct made m;
	struct seen s;

	(void)state;
	made_begin(&m);
	made_run(&m, made_template(&m, events, EVENTS), times);
	walk(&m, false, &s);
	assert_int_equal(s.count, EVENTS);
	expect(&s, 0, "Method::execute", ETC_NO_SITE, 0, 200, 30);
	expect(&s, 1, "OPERATOR_CALL", 0, 10, 40, 10);
	expect(&s, 2, "add.out", 1, 15, 35, 20);
	expect(&s, 3, "DELEGATE_CALL", 0, 50, 190, 50);
	expect(&s, 4, "Add #2", 3, 60, 100, 40);
	expect(&s, 5, "Softmax #1", 3, 110, 160, 50);
	assert_int_equal(s.slices[0].end, 6);
	assert_int_equal(s.slices[1].end, 3);
	made_end(&m);
}

static void the_longest_are_listed_if_there_are_too_many(void **state)
{
	/* of lengths 20, 40, 50, 40, 140, 200; both of length 40 are listed, or neither */
	static const uint64_t times[][2] = { { 115, 135 }, { 100, 140 }, { 210, 260 },
		                             { 160, 200 }, { 150, 290 }, { 100, 300 } };
	static const uint32_t listed[] = { 0, 1, 2, 3, 3, 5, 6, 6 };
	struct made m;
	struct seen s;

	(void)state;
	made_begin(&m);
	made_run(&m, made_template(&m, events, EVENTS), times);
	for (uint32_t most = 0; most < sizeof listed / sizeof *listed; most++) {
		walk_most(&m, false, &most, &s);
		assert_int_equal(s.runs, 1);
		assert_int_equal(s.count, listed[most]);
		assert_int_equal(s.slices[0].end, listed[most]);
		if (listed[most] == 3) {
			expect(&s, 0, "Method::execute", ETC_NO_SITE, 0, 200, 20);
			expect(&s, 1, "DELEGATE_CALL", 0, 50, 190, 50);
			expect(&s, 2, "Softmax #1", 1, 110, 160, 50);
			assert_int_equal(s.slices[1].end, 3);
		}
	}
	made_end(&m);
}

static void what_overruns_its_parent_is_cut(void **state)
{
	static const struct made_event of[] = { DELEGATE("Softmax (NC, F32) #1", 1),
		                                DELEGATE("Convolution (NHWC, F32) DWConv #1", 1),
		                                INSIDE("DELEGATE_CALL", 1),
		                                AROUND("Method::execute") };
	static const uint64_t times[][2] = {
		{ 1000, 6000 }, { 6000, 12000 }, { 1000, 9000 }, { 0, 10000 }
	};
	struct made m;
	struct seen s;

	(void)state;
	made_begin(&m);
	made_run(&m, made_template(&m, of, 4), times);
	walk(&m, false, &s);
	assert_int_equal(s.slices[2].start, ETC_WALK_SYNTHETIC);
	assert_int_equal(s.slices[2].to, 6000);
	assert_int_equal(s.slices[3].from, 6000);
	assert_int_equal(s.slices[3].to, 9000);
	assert_int_equal(s.slices[3].time, 6000);
	assert_int_equal(s.slices[3].why, ETC_DETACH_EXCEED);
	made_end(&m);
}

static void an_event_of_unknown_unit_is_an_instant(void **state)
{
	static const uint64_t times[][2] = { { 115, 135 }, { 110, 140 }, { 5, 7 },
		                             { 160, 200 }, { 150, 290 }, { 100, 300 } };
	struct made m;
	struct seen s;

	(void)state;
	made_begin(&m);
	made_run(&m, made_template(&m, events, EVENTS), times);
	walk(&m, false, &s);
	for (uint32_t i = 0; i < s.count; i++) {
		bool unknown = strcmp(s.names[i], "Softmax #1") == 0;

		assert_int_equal(s.slices[i].start,
		                 unknown ? ETC_WALK_UNPLACED : ETC_WALK_MEASURED);
		if (unknown) {
			assert_int_equal(s.slices[i].from, 50);
			assert_int_equal(s.slices[i].to, 50);
			assert_int_equal(s.starts[i], 5);
		}
	}
	made_end(&m);
}

static void times_of_64_bits_are_held(void **state)
{
	static const struct made_event of[] = { INSIDE("OPERATOR_CALL", 0),
		                                AROUND("Method::execute") };
	static const uint64_t times[][2] = { { 1, UINT64_MAX }, { 0, UINT64_MAX } };
	struct made m;
	struct seen s;

	(void)state;
	made_begin(&m);
	made_run(&m, made_template(&m, of, 2), times);
	walk(&m, false, &s);
	assert_int_equal(s.slices[0].to, INT64_MAX);
	assert_int_equal(s.slices[1].from, 1);
	assert_int_equal(s.slices[1].to, INT64_MAX);
	assert_true(s.slices[1].time == UINT64_MAX - 1);
	made_end(&m);
}

/* 900 is a warm-up. Of the others, 500 is not typical. The mean of 100, 104 and 112 is 105.3, to
 * which 104 is nearest. */
static void the_typical_run_nearest_the_mean_stands_for_its_path(void **state)
{
	static const uint64_t lengths[] = { 900, 112, 100, 500, 104 };
	static const struct made_event of[] = { INSIDE("OPERATOR_CALL", 0),
		                                AROUND("Method::execute") };
	struct made m;
	struct seen s;
	uint32_t template;

	(void)state;
	made_begin(&m);
	template = made_template(&m, of, 2);
	for (uint64_t i = 0; i < 5; i++) {
		const uint64_t times[][2] = { { 1000 * i + 1, 1000 * i + 2 },
			                      { 1000 * i, 1000 * i + lengths[i] } };

		made_run(&m, template, times);
	}
	walk(&m, true, &s);
	assert_int_equal(s.runs, 1);
	assert_int_equal(s.run[0], 4);
	walk(&m, false, &s);
	assert_int_equal(s.runs, 5);
	made_end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parents_come_first_and_siblings_by_start),
		cmocka_unit_test(the_longest_are_listed_if_there_are_too_many),
		cmocka_unit_test(what_overruns_its_parent_is_cut),
		cmocka_unit_test(an_event_of_unknown_unit_is_an_instant),
		cmocka_unit_test(times_of_64_bits_are_held),
		cmocka_unit_test(the_typical_run_nearest_the_mean_stands_for_its_path),
	};

	return cmocka_run_group_tests_name("walk", tests, NULL, NULL);
}
