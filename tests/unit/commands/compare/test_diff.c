/* test_diff.c -- comparing groups of hand-made profiles. */
#include "unit.h"

#include "commands/compare/compare.h"
#include "etcore/plugin.h"

enum { RUNS = 6, ROWS = 4, PATHS = 2 };

#define TEXT(s)                  \
	{                        \
		s, sizeof(s) - 1 \
	}

/* An event of a path. It takes `time` + i in run i of its path. */
struct made_row {
	uint32_t path;
	struct etc_str op;
	uint64_t time;
	const struct etc_facts *facts;
};

struct made_profile {
	struct etc_profile profile;
	struct etc_profile_path paths[PATHS];
	struct etc_profile_row rows[ROWS];
	struct etc_event events[ROWS];
	struct {
		uint32_t len;
		char text[60];
	} ids[ROWS];
	struct etc_row_event keys[ROWS];
	struct etc_run_sample runs[PATHS][RUNS];
	uint64_t values[PATHS][RUNS][ETC_VALUES_ROWS + ROWS];
	uint64_t times[PATHS][RUNS];
};

/* Makes a profile from the rows, which are in the order of their paths. Each run takes 100 more
 * than its rows, between instructions. */
static void make(struct made_profile *m, uint8_t unit, const struct made_row *rows, uint32_t count,
                 uint32_t paths)
{
	memset(m, 0, sizeof *m);
	for (uint32_t p = 0; p < paths; p++) {
		m->paths[p] = (struct etc_profile_path){ .number = p + 1,
			                                 .runs = RUNS,
			                                 .kept = RUNS,
			                                 .typical_runs = RUNS,
			                                 .per = RUNS,
			                                 .samples = m->times[p],
			                                 .values = m->runs[p],
			                                 .resolution = 1000 };
		for (size_t i = 0; i < RUNS; i++)
			m->runs[p][i] = (struct etc_run_sample){ .time = 100,
				                                 .v = m->values[p][i],
				                                 .count = ETC_VALUES_ROWS + ROWS };
	}
	for (uint32_t k = 0; k < count; k++) {
		uint32_t p = rows[k].path;

		m->ids[k].len = (uint32_t)rows[k].op.len;
		memcpy(m->ids[k].text, rows[k].op.ptr, rows[k].op.len);
		m->events[k] = (struct etc_event){ .instruction_id = (int32_t)k,
			                           .delegate_id = -1,
			                           .has_delegate_name = true,
			                           .delegate_name = { m->ids[k].text } };
		m->keys[k] = (struct etc_row_event){ .event = &m->events[k] };
		m->keys[k].key[ETC_BY_OP] = rows[k].op;
		m->rows[k] = (struct etc_profile_row){ .name = rows[k].op,
			                               .path = p,
			                               .calls = RUNS,
			                               .valid = RUNS,
			                               .delegate = true,
			                               .unit = unit,
			                               .value = ETC_VALUES_ROWS + k,
			                               .event = &m->keys[k],
			                               .facts = rows[k].facts,
			                               .first_event = k };
		for (size_t i = 0; i < RUNS; i++) {
			m->values[p][i][ETC_VALUES_ROWS + k] = rows[k].time + i;
			m->runs[p][i].time += rows[k].time + i;
			m->paths[p].kept_time += rows[k].time + i;
		}
	}
	for (uint32_t p = 0; p < paths; p++)
		for (size_t i = 0; i < RUNS; i++)
			m->values[p][i][ETC_VALUES_BETWEEN] = 100;
	m->profile = (struct etc_profile){ .unit = unit,
		                           .by = ETC_BY_EVENT,
		                           .paths = m->paths,
		                           .path_count = paths,
		                           .rows = m->rows,
		                           .row_count = count };
}

struct result {
	struct etc_arena arena;
	struct etc_diff diff;
	struct etc_diff_group groups[2];
	const struct etc_profile *dumps[2];
};

static void compare(struct result *r, const struct made_profile *a, const struct made_profile *b)
{
	struct etc_diff_options options = { .by = ETC_BY_OP, .compare = etc_compare_defaults() };
	struct etc_error err;

	etc_arena_init(&r->arena, 64 << 20);
	r->dumps[0] = &a->profile;
	r->dumps[1] = &b->profile;
	for (uint32_t g = 0; g < 2; g++)
		r->groups[g] = (struct etc_diff_group){ .name = TEXT("g"),
			                                .dumps = &r->dumps[g],
			                                .count = 1 };
	options.compare.stat = ETC_STAT_MEAN;
	assert_ok(etc_diff_make(r->groups, 2, &options, &r->arena, &r->diff, &err), &err);
}

static const struct etc_diff_row *row_called(const struct etc_diff_section *s, const char *key)
{
	for (uint32_t i = 0; i < s->row_count; i++)
		if (etc_str_eq(s->rows[i].key, etc_str_of(key)))
			return &s->rows[i];
	fail_msg("no row '%s'", key);
	return NULL;
}

static void rows_and_rests_add_up_to_the_end(void **state)
{
	static const struct made_row before[] = { { 0, TEXT("Add"), 1000, NULL },
		                                  { 0, TEXT("Mul"), 5000, NULL } };
	static const struct made_row after[] = { { 0, TEXT("Add"), 3000, NULL },
		                                 { 0, TEXT("Mul"), 5000, NULL } };
	static struct made_profile a, b;
	struct result r;
	double sum = 0;

	(void)state;
	make(&a, ETCORE_UNIT_NS, before, 2, 1);
	make(&b, ETCORE_UNIT_NS, after, 2, 1);
	compare(&r, &a, &b);
	assert_int_equal(r.diff.section_count, 1);
	for (uint32_t i = 1; i < r.diff.sections[0].row_count; i++)
		sum += r.diff.sections[0].rows[i].against[1]->difference;
	assert_true(sum == 2000);
	assert_true(r.diff.sections[0].rows[0].against[1]->difference == 2000);
	/* The row with the largest change comes first. The other row has no significant change. */
	assert_str(r.diff.sections[0].rows[1].key, "Add");
	assert_int_equal(etc_diff_change(&r.diff.sections[0].rows[1], 1), ETC_CHANGE_SLOWER);
	assert_int_equal(etc_diff_change(row_called(&r.diff.sections[0], "Mul"), 1),
	                 ETC_CHANGE_UNCLEAR);
	etc_arena_release(&r.arena);
}

static void paths_are_told_by_their_events_not_by_their_numbers(void **state)
{
	static const struct made_row before[] = { { 0, TEXT("Encode"), 1000, NULL },
		                                  { 1, TEXT("Decode"), 9000, NULL } };
	static const struct made_row after[] = { { 0, TEXT("Decode"), 9000, NULL },
		                                 { 1, TEXT("Encode"), 1000, NULL } };
	static struct made_profile a, b;
	struct result r;

	(void)state;
	make(&a, ETCORE_UNIT_NS, before, 2, 2);
	make(&b, ETCORE_UNIT_NS, after, 2, 2);
	compare(&r, &a, &b);
	assert_int_equal(r.diff.section_count, 2);
	for (uint32_t s = 0; s < 2; s++)
		assert_true(r.diff.sections[s].rows[0].against[1]->difference == 0);
	/* The path with the most time comes first. */
	(void)row_called(&r.diff.sections[0], "Decode");
	assert_int_equal(r.diff.sections[0].paths[0], 1);
	assert_int_equal(r.diff.sections[0].paths[1], 0);
	etc_arena_release(&r.arena);
}

static void a_name_that_becomes_two_keeps_each_event_with_its_partner(void **state)
{
	static const struct etc_facts packed = { .canonical = TEXT("Linear (F32)"),
		                                 .display = TEXT("Linear (PF32)") };
	static const struct made_row before[] = { { 0, TEXT("Linear (F32)"), 1000, NULL },
		                                  { 0, TEXT("Linear (F32)"), 3000, NULL } };
	static const struct made_row after[] = { { 0, TEXT("Linear (F32)"), 1000, NULL },
		                                 { 0, TEXT("Linear (PF32)"), 2000, &packed } };
	static struct made_profile a, b;
	const struct etc_diff_row *row;
	struct result r;

	(void)state;
	make(&a, ETCORE_UNIT_NS, before, 2, 1);
	make(&b, ETCORE_UNIT_NS, after, 2, 1);
	compare(&r, &a, &b);
	row = row_called(&r.diff.sections[0], "Linear (F32)");
	assert_true(row->against[1]->difference == -1000);
	assert_true(row->sides[1].calls == 2);
	assert_int_equal(row->sides[1].how, 1 << ETC_MATCH_NAME | 1 << ETC_MATCH_CANONICAL);
	assert_str(row->sides[1].name, "Linear (F32); Linear (PF32)");
	etc_arena_release(&r.arena);
}

static void what_appears_and_disappears_is_no_change_of_something_else(void **state)
{
	static const struct made_row before[] = { { 0, TEXT("Add"), 1000, NULL },
		                                  { 0, TEXT("Old"), 500, NULL } };
	static const struct made_row after[] = { { 0, TEXT("Add"), 1000, NULL },
		                                 { 0, TEXT("New"), 700, NULL } };
	static struct made_profile a, b;
	struct result r;

	(void)state;
	make(&a, ETCORE_UNIT_NS, before, 2, 1);
	make(&b, ETCORE_UNIT_NS, after, 2, 1);
	compare(&r, &a, &b);
	assert_int_equal(etc_diff_change(row_called(&r.diff.sections[0], "Old"), 1),
	                 ETC_CHANGE_DISAPPEARED);
	assert_int_equal(etc_diff_change(row_called(&r.diff.sections[0], "New"), 1),
	                 ETC_CHANGE_APPEARED);
	assert_false(etc_diff_has_ratio(row_called(&r.diff.sections[0], "New"), 1));
	etc_arena_release(&r.arena);
}

static void other_units_and_other_programs_are_not_subtracted(void **state)
{
	static const struct made_row rows[] = { { 0, TEXT("Add"), 1000, NULL } };
	static const struct made_row others[] = { { 0, TEXT("Mul"), 9000, NULL } };
	static struct made_profile a, cycles, mul;
	struct result r;

	(void)state;
	make(&a, ETCORE_UNIT_NS, rows, 1, 1);
	make(&cycles, ETCORE_UNIT_CYCLES, rows, 1, 1);
	make(&mul, ETCORE_UNIT_NS, others, 1, 1);
	compare(&r, &a, &cycles);
	assert_int_equal(etc_diff_change(&r.diff.sections[0].rows[0], 1), ETC_CHANGE_UNKNOWN);
	assert_true(r.diff.sections[0].rows[0].against[1]->difference == 0);
	etc_arena_release(&r.arena);
	compare(&r, &a, &mul);
	assert_int_equal(etc_diff_change(&r.diff.sections[0].rows[0], 1), ETC_CHANGE_UNKNOWN);
	etc_arena_release(&r.arena);
}

static void a_change_below_the_clock_is_none(void **state)
{
	static const struct made_row before[] = { { 0, TEXT("Add"), 1000, NULL } };
	static const struct made_row after[] = { { 0, TEXT("Add"), 1900, NULL } };
	static struct made_profile a, b;
	const struct etc_diff_row *row;
	struct result r;

	(void)state;
	make(&a, ETCORE_UNIT_NS, before, 1, 1);
	make(&b, ETCORE_UNIT_NS, after, 1, 1);
	/* The clock truncates the time of one event in each run, and may take up to 1000 ns from
	 * it. */
	a.rows[0].truncated = b.rows[0].truncated = RUNS;
	compare(&r, &a, &b);
	row = row_called(&r.diff.sections[0], "Add");
	assert_true(row->sides[0].resolution == 1000);
	assert_int_equal(etc_diff_change(row, 1), ETC_CHANGE_BELOW);
	assert_false(row->against[1]->significant);
	etc_arena_release(&r.arena);
}

/* Two operators form one row if their names under the key of --by are equal. */
static void each_name_of_an_event_makes_rows(void **state)
{
	static const struct made_row rows[] = { { 0, TEXT("Add"), 1000, NULL },
		                                { 0, TEXT("Mul"), 5000, NULL } };
	static struct made_profile a, b;
	struct etc_diff_options options = { .compare = etc_compare_defaults() };

	(void)state;
	make(&a, ETCORE_UNIT_NS, rows, 2, 1);
	make(&b, ETCORE_UNIT_NS, rows, 2, 1);
	options.compare.stat = ETC_STAT_MEAN;
	for (options.by = ETC_BY_OP + 1; options.by < ETC_EVENT_KEYS; options.by++) {
		struct etc_str name = etc_str_of(etc_row_key(options.by)->word);
		struct etc_error err = { 0 };
		struct result r;

		etc_arena_init(&r.arena, 64 << 20);
		for (uint32_t g = 0; g < 2; g++) {
			r.dumps[g] = g ? &b.profile : &a.profile;
			r.groups[g] = (struct etc_diff_group){ .name = TEXT("g"),
				                               .dumps = &r.dumps[g],
				                               .count = 1 };
		}
		assert_fails(etc_diff_make(r.groups, 2, &options, &r.arena, &r.diff, &err), &err,
		             E0176);
		assert_non_null(strstr(err.text, etc_row_key(options.by)->stored));
		for (uint32_t k = 0; k < 2; k++)
			a.keys[k].key[options.by] = b.keys[k].key[options.by] = name;
		assert_ok(etc_diff_make(r.groups, 2, &options, &r.arena, &r.diff, &err), &err);
		assert_true(row_called(&r.diff.sections[0], name.ptr)->sides[1].calls == 2);
		etc_arena_release(&r.arena);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_and_rests_add_up_to_the_end),
		cmocka_unit_test(paths_are_told_by_their_events_not_by_their_numbers),
		cmocka_unit_test(a_name_that_becomes_two_keeps_each_event_with_its_partner),
		cmocka_unit_test(what_appears_and_disappears_is_no_change_of_something_else),
		cmocka_unit_test(other_units_and_other_programs_are_not_subtracted),
		cmocka_unit_test(a_change_below_the_clock_is_none),
		cmocka_unit_test(each_name_of_an_event_makes_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
