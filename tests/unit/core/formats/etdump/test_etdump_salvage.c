/* Salvaging complete runs of truncated files. Each salvaged run must equal the run of the complete
 * file. A run that could be read by two layouts must be left out. */
#include "dump.h"
#include "same_run.h"

#include "formats/etdump/etdump_layouts.h"
#include "formats/etdump/etdump_walk.h"
#include "formats/etdump/serial_log.h"

#define DATA "tests/data/"

static const char *const samples[] = {
	DATA "cases/mlp_xnnpack/run.etdump",
	DATA "cases/debug_portable/run.etdump",
	DATA "cases/debug_scalars/run.etdump",
	DATA "cases/debug_xnnpack/run.etdump",
	DATA "cases/control_flow_cond/run.etdump",
	DATA "cases/multi_method/run.etdump",
	DATA "cases/several_delegates/run.etdump",
	DATA "cases/bundled_program/run.etdump",
	DATA "backends/cases/metadata_columns/run.etdump",
	DATA "backends/cases/coreml_partial/run.etdump",
	DATA "backends/cases/vulkan_two_parts/run.etdump",
	DATA "executorch/tutorial.etdp",
};

/* A dump, and a truncated copy of it. */
struct pair {
	struct dump whole;
	uint8_t *bytes;
	size_t len;
	struct etc_arena arena;
	struct etc_notes notes;
	struct etc_trace trace;
	struct etc_error err;
};

static void open_pair(struct pair *p, const char *path)
{
	*p = (struct pair){ 0 };
	assert_ok(dump_file(&p->whole, path), &p->whole.err);
}

static void close_pair(struct pair *p)
{
	dump_release(&p->whole);
}

/* Truncates the dump to `len` bytes, without the first `skip`, and salvages what is left. */
static enum etc_status cut(struct pair *p, size_t skip, size_t len)
{
	p->len = len - skip;
	p->bytes = malloc(p->len);
	assert_non_null(p->bytes);
	memcpy(p->bytes, p->whole.bytes + skip, p->len);
	etc_arena_init(&p->arena, (size_t)64 << 20);
	etc_notes_init(&p->notes, &p->arena);
	return etc_etdump_salvage((struct etc_span){ p->bytes, p->len }, NULL, &p->arena, &p->notes,
	                          &p->trace, &p->err);
}

static void uncut(struct pair *p)
{
	etc_arena_release(&p->arena);
	free(p->bytes);
}

/* Checks that the salvaged runs equal those of the complete file. Returns their number. */
static size_t check(struct pair *p, enum etc_status st)
{
	const struct etc_trace *t = &p->trace;
	struct etc_etdump_walk *walk;
	size_t own = 0;

	if (st != ETC_OK) {
		assert_int_equal(st, ETC_CORRUPT);
		assert_int_equal(t->run_count, 0);
		return 0;
	}
	assert_non_null(t->salvage);
	assert_true(dump_has(&(struct dump){ .notes = p->notes }, W0226));
	for (size_t i = 0; i < t->run_count; i++) {
		assert_true(i == 0 || t->salvage->index[i] > t->salvage->index[i - 1]);
		assert_same_run(t, i, &p->whole.trace, t->salvage->index[i]);
		own += !t->salvage->inferred[i];
	}
	assert_int_equal(own, t->salvage->own);
	assert_int_equal(p->whole.trace.run_count, t->salvage->runs);
	/* the trace is made once; `dump` walks over the bytes again */
	assert_ok(etc_etdump_walk_open(t, NULL, &p->arena, &walk, &p->err), &p->err);
	return t->run_count;
}

/* Returns the number of runs that lie completely before byte `len`. In the file, the last run comes
 * first, so a run ends where the one with the index before it begins. */
static size_t runs_before(const struct etc_trace *t, size_t len)
{
	size_t n = 0;

	for (size_t i = 1; i < t->run_count; i++)
		n += t->runs[i - 1].at <= len;
	return n;
}

static void every_salvaged_run_is_that_of_the_whole_file(void **state)
{
	size_t found = 0, could = 0;

	(void)state;
	for (size_t s = 0; s < sizeof samples / sizeof samples[0]; s++) {
		struct pair p;
		size_t step;

		open_pair(&p, samples[s]);
		step = p.whole.len / 97 + 1;
		for (size_t len = 12; len < p.whole.len; len += step) {
			found += check(&p, cut(&p, 0, len));
			could += runs_before(&p.whole.trace, len);
			uncut(&p);
		}
		close_pair(&p);
	}
	/* at least 99 % of the runs must be found */
	if (found * 100 < could * 99)
		fail_msg("%zu of %zu runs found", found, could);
}

/* QNN logs 0 as start. So if an event has a single time, its table could be read with this time as
 * the start or as the end. Only runs with their own vtables are salvaged. */
static void events_with_one_time_are_left_to_the_own_vtables(void **state)
{
	struct pair p;
	size_t own = 0;

	(void)state;
	open_pair(&p, DATA "backends/cases/qnn_htp_detailed/run.etdump");
	for (size_t len = p.whole.len / 2; len < p.whole.len; len += 7) {
		check(&p, cut(&p, 0, len));
		for (size_t i = 0; i < p.trace.run_count; i++)
			own += !p.trace.salvage->inferred[i];
		uncut(&p);
	}
	assert_true(own > 0);
	assert_int_equal(check(&p, cut(&p, 0, p.whole.len - 1400)), 0);
	uncut(&p);
	close_pair(&p);
}

static void a_file_without_prefix_is_salvaged_too(void **state)
{
	struct pair p;

	(void)state;
	open_pair(&p, samples[0]);
	assert_int_equal(check(&p, cut(&p, 4, p.whole.len - 61)), 10);
	assert_int_equal(p.trace.salvage->own, 0);
	uncut(&p);
	close_pair(&p);
}

static void a_whole_file_has_no_salvage(void **state)
{
	struct pair p;

	(void)state;
	open_pair(&p, samples[0]);
	assert_ok(cut(&p, 0, p.whole.len), &p.err);
	assert_null(p.trace.salvage);
	assert_null(p.notes.first);
	uncut(&p);
	close_pair(&p);
}

static void the_error_counts_the_whole_runs(void **state)
{
	static const struct {
		size_t missing;
		const char *text;
	} rows[] = {
		{ 1, "; 10 of 11 runs are whole by the file's own vtables, 10 with the layouts "
		     "that the "
		     "runtime always writes; --salvage of analyze, dump, inspector, report, "
		     "summary, tokens, trace or what-if "
		     "shows them" },
		{ 61, "; 0 of 11 runs are whole by the file's own vtables, 10 with the layouts "
		      "that the "
		      "runtime always writes; --salvage of analyze, dump, inspector, report, "
		      "summary, tokens, trace or what-if "
		      "shows them" },
		{ 5200,
		  "; 0 of 11 runs are whole by the file's own vtables, 0 with the layouts that "
		  "the runtime always writes" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct dump d;
		size_t len;
		uint8_t *bytes = file_bytes(samples[0], &len);
		const char *text;

		assert_fails(dump_bytes(&d, bytes, len - rows[i].missing), &d.err, E0202);
		text = strchr(d.err.text, ';');
		assert_non_null(text);
		assert_string_equal(text, rows[i].text);
		dump_release(&d);
		free(bytes);
	}
}

static void a_damaged_run_is_left_out_and_nothing_is_inferred(void **state)
{
	struct pair p;
	uint32_t huge = 0x7ffffff0;

	(void)state;
	open_pair(&p, samples[0]);
	/* the length of the last run's event list, which comes first in the file */
	memcpy(p.whole.bytes + p.whole.trace.runs[10].at + 8, &huge, 4);
	assert_ok(cut(&p, 0, p.whole.len), &p.err);
	assert_int_equal(p.trace.run_count, 10);
	assert_int_equal(p.trace.salvage->own, 10);
	uncut(&p);
	close_pair(&p);
}

/* --- layouts ------------------------------------------------------------------------ */

static bool knows(enum table_type type, uint16_t bytes, const uint16_t slot[8])
{
	struct etc_runtime_layout list[ETC_RUNTIME_LAYOUTS];
	unsigned n = etc_runtime_layouts(type, list);

	for (unsigned i = 0; i < n; i++)
		if (list[i].layout.bytes == bytes && !memcmp(list[i].layout.slot, slot, 16))
			return true;
	return false;
}

static void the_rule_gives_the_layouts_of_real_files(void **state)
{
	static const struct {
		enum table_type type;
		uint16_t bytes, slot[8];
	} rows[] = {
		{ TABLE_RUN, 12, { 4, 0, 0, 8 } },
		{ TABLE_RUN, 16, { 4, 8, 0, 12 } },
		{ TABLE_EVENT, 8, { 4 } },
		{ TABLE_EVENT, 8, { 0, 0, 4 } },
		{ TABLE_PROFILE, 28, { 24, 0, 20, 0, 0, 0, 4, 12 } },
		{ TABLE_PROFILE, 32, { 0, 0, 20, 0, 24, 28, 4, 12 } },
		{ TABLE_PROFILE, 32, { 28, 20, 24, 0, 0, 0, 4, 12 } },
		{ TABLE_PROFILE, 32, { 0, 0, 20, 24, 0, 28, 4, 12 } },
		{ TABLE_PROFILE, 24, { 0, 0, 12, 0, 16, 20, 0, 4 } },
		{ TABLE_PROFILE, 16, { 0, 0, 4, 0, 8, 12 } },
		{ TABLE_PROFILE, 28, { 0, 12, 16, 0, 20, 24, 0, 4 } },
		{ TABLE_DEBUG, 12, { 0, 4, 8 } },
		{ TABLE_DEBUG, 20, { 4, 12, 16 } },
		{ TABLE_DEBUG, 16, { 0, 4, 12, 0, 8 } },
		{ TABLE_VALUE, 12, { 4, 8 } },
		{ TABLE_VALUE, 16, { 4, 8, 0, 0, 0, 0, 0, 12 } },
		{ TABLE_VALUE, 12, { 4, 0, 0, 8 } },
		{ TABLE_VALUE, 9, { 8, 0, 0, 0, 0, 4 } },
		{ TABLE_VALUE, 9, { 8, 0, 0, 0, 0, 0, 4 } },
		{ TABLE_VALUE, 12, { 4, 0, 8 } },
		{ TABLE_TENSOR, 28, { 4, 8, 12, 20 } },
		{ TABLE_TENSOR, 16, { 4, 8, 12 } },
		{ TABLE_BOOL, 5, { 4 } },
		{ TABLE_INT, 12, { 4 } },
		{ TABLE_DOUBLE, 12, { 4 } },
		{ TABLE_TENSOR_LIST, 8, { 4 } },
		{ TABLE_ALLOCATION, 16, { 12, 4 } },
	};
	static const uint16_t never[8] = { 4, 8 };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (!knows(rows[i].type, rows[i].bytes, rows[i].slot))
			fail_msg("row %zu: the rule does not give it", i);
	assert_false(knows(TABLE_PROFILE, 12, never));
}

/* ---- unknown data must not be shown ------------------------------------------------- */

/* A file that is built from u32s. It has no size prefix. Its vtables would be past its end. */
struct made {
	uint32_t v[4096];
	size_t count;
};

static size_t put(struct made *m, uint32_t v)
{
	m->v[m->count] = v;
	return 4 * m->count++;
}

static void point(struct made *m, size_t at, size_t to)
{
	m->v[at / 4] = (uint32_t)(to - at);
}

/* Writes the start of a table whose vtable would be at `vtable`, past the end of the file. */
static size_t table(struct made *m, size_t vtable)
{
	size_t at = 4 * m->count;

	return put(m, (uint32_t)(at - vtable));
}

/* Makes a dump of one run with one event. Without `both_times`, the event has a single time, which
 * two layouts fit. */
static void make_dump(struct made *m, bool both_times)
{
	size_t root, runs, run, events, event, profile, name, lost = 10000;

	*m = (struct made){ 0 };
	put(m, 8); /* offset to the root */
	put(m, 0x30304445);
	root = put(m, (uint32_t)-8);
	put(m, 12);
	put(m, 0x00080008); /* vtable of 8 bytes for a table of 8: no version, run_data at 4 */
	put(m, 0x00040000);
	runs = put(m, 1);
	run = put(m, 0);
	point(m, root + 4, runs);
	point(m, run, 4 * m->count);
	run = table(m, lost);
	put(m, 0);
	put(m, 0);
	events = put(m, 1);
	put(m, 0);
	point(m, run + 8, events);
	point(m, events + 4, 4 * m->count);
	event = table(m, lost + 100);
	put(m, 4);
	assert_int_equal(event + 8, 4 * m->count);
	profile = table(m, lost + 200);
	put(m, 100000); /* the event's first time */
	put(m, 7);
	if (both_times) {
		put(m, 100003);
		put(m, 7);
	}
	put(m, 3); /* the event's instruction */
	put(m, 4); /* offset to the event's name */
	(void)profile;
	name = put(m, 4);
	put(m, 0x6e69616d); /* "main" */
	put(m, 0);
	(void)name;
	point(m, run + 4, 4 * m->count);
	put(m, 3);
	put(m, 0x006e7572); /* "run" */
}

static size_t runs_of(const struct made *m)
{
	struct etc_arena arena;
	struct etc_trace trace;
	size_t n = 0;

	etc_arena_init(&arena, 1 << 20);
	if (etc_etdump_salvage((struct etc_span){ (const uint8_t *)m->v, 4 * m->count }, NULL,
	                       &arena, NULL, &trace, NULL) == ETC_OK)
		n = trace.run_count;
	etc_arena_release(&arena);
	return n;
}

static void a_run_that_two_layouts_fit_does_not_count(void **state)
{
	struct made m;

	(void)state;
	make_dump(&m, true);
	assert_int_equal(runs_of(&m), 1);
	make_dump(&m, false); /* the event's only time may be its start or its end */
	assert_int_equal(runs_of(&m), 0);
}

static void a_text_without_an_owner_makes_no_layout(void **state)
{
	struct made m;

	(void)state;
	make_dump(&m, true);
	/* The offset that pointed to the name points elsewhere, so no table refers to the name. */
	for (size_t i = 0; i < m.count; i++)
		if (m.v[i] == 0x6e69616d)
			m.v[i - 2] = 16;
	assert_int_equal(runs_of(&m), 0);
}

static void padding_must_be_zero(void **state)
{
	struct made m;

	(void)state;
	make_dump(&m, true);
	for (size_t i = 0; i < m.count; i++)
		if (m.v[i] == 0x6e69616d)
			m.v[i + 1] = 0x100; /* not 0 after the NUL */
	assert_int_equal(runs_of(&m), 0);
}

/* --- hostile files ----------------------------------------------------------------------- */

/* Salvages `count` events that each need a vtable of their own past the end of the file. */
static void many_lost_vtables_cost_no_more_than_the_file(void **state)
{
	const size_t count = 200000;
	struct made head;
	struct etc_trace trace;
	struct etc_arena arena;
	struct etc_error err;
	uint32_t *v = calloc(8 * count + 64, sizeof *v);
	size_t n, events;

	(void)state;
	assert_non_null(v);
	make_dump(&head, true);
	memcpy(v, head.v, sizeof(uint32_t) * head.count);
	/* The run points to a longer list of events, which follows at the end. */
	events = head.count;
	v[10] = (uint32_t)(4 * (events - 10));
	v[events] = (uint32_t)count;
	n = events + 1 + count;
	for (size_t i = 0; i < count; i++) {
		v[events + 1 + i] = (uint32_t)(4 * (n - events - 1 - i));
		v[n] = (uint32_t) - (int32_t)(100000000 + 2 * i);
		v[n + 1] = 4;
		v[n + 2] = (uint32_t) - (int32_t)(200000000 + 2 * i);
		n += 4;
	}
	etc_arena_init(&arena, (size_t)64 << 20);
	assert_int_equal(etc_etdump_salvage((struct etc_span){ (const uint8_t *)v, 4 * n }, NULL,
	                                    &arena, NULL, &trace, &err),
	                 ETC_CORRUPT);
	etc_arena_release(&arena);
	free(v);
}

/* --- a log --------------------------------------------------------------------------------- */

static void a_log_that_ends_inside_of_its_dump_is_salvaged(void **state)
{
	size_t len;
	uint8_t *log = file_bytes(DATA "logs/wrapped.log", &len);
	struct etc_serial_log found;
	struct etc_arena arena;
	struct etc_error err;

	(void)state;
	etc_arena_init(&arena, 16 << 20);
	assert_fails(
		etc_serial_log_read((struct etc_span){ log, 2000 }, &arena, NULL, &found, &err),
		&err, E0220);
	assert_non_null(strstr(err.text, "runs are whole by the file's own vtables"));
	assert_ok(
		etc_serial_log_salvage((struct etc_span){ log, 2000 }, &arena, NULL, &found, &err),
		&err);
	assert_true(found.dump.len > 500);
	assert_memory_equal(found.dump.ptr + 8, "ED00", 4);
	etc_arena_release(&arena);
	free(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_salvaged_run_is_that_of_the_whole_file),
		cmocka_unit_test(events_with_one_time_are_left_to_the_own_vtables),
		cmocka_unit_test(a_file_without_prefix_is_salvaged_too),
		cmocka_unit_test(a_whole_file_has_no_salvage),
		cmocka_unit_test(the_error_counts_the_whole_runs),
		cmocka_unit_test(a_damaged_run_is_left_out_and_nothing_is_inferred),
		cmocka_unit_test(the_rule_gives_the_layouts_of_real_files),
		cmocka_unit_test(a_run_that_two_layouts_fit_does_not_count),
		cmocka_unit_test(a_text_without_an_owner_makes_no_layout),
		cmocka_unit_test(padding_must_be_zero),
		cmocka_unit_test(many_lost_vtables_cost_no_more_than_the_file),
		cmocka_unit_test(a_log_that_ends_inside_of_its_dump_is_salvaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
