/* Damaged, truncated and shared structures, and failed allocations: the reader must not crash or
 * return wrong values, and its work must stay proportional to the size of the file. */
#include "build.h"
#include "dump.h"

#define EDGE "tests/data/edge/"

static const char *const samples[] = {
	"tests/data/executorch/tutorial.etdp",
	EDGE "truncate_me.etdump",
	EDGE "tensor_list.etdump",
	EDGE "scalar_values.etdump",
	EDGE "alloc_events.etdump",
	EDGE "outputs_list.etdump",
	EDGE "names_special.etdump",
	"tests/data/backends/cases/metadata_columns/run.etdump",
};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

static void refuses_every_truncation(void **state)
{
	(void)state;
	for (size_t i = 0; i < SAMPLES; i++) {
		size_t len;
		uint8_t *bytes = file_bytes(samples[i], &len);

		for (size_t n = 0; n < len; n++) {
			struct dump d;
			enum etc_status status = dump_bytes(&d, bytes, n);

			if (status != ETC_CORRUPT && status != ETC_FORMAT)
				fail_msg("%s: first %zu bytes: status %d", samples[i], n, status);
			if (n >= 12 && d.err.code != E0202)
				fail_msg("%s: first %zu bytes: %s", samples[i], n, d.err.text);
			assert_true(d.err.text[0] != '\0' && d.trace.run_count == 0);
			dump_release(&d);
		}
		free(bytes);
	}
}

static void survives_every_byte_flip(void **state)
{
	(void)state;
	for (size_t i = 1; i < SAMPLES; i++) {
		size_t len;
		uint8_t *bytes = file_bytes(samples[i], &len);

		for (size_t at = 0; at < len; at++)
			for (unsigned how = 0; how < 10; how++) {
				uint8_t was = bytes[at];
				struct dump d;
				enum etc_status status;

				bytes[at] = how < 8    ? (uint8_t)(was ^ 1u << how)
				            : how == 8 ? 0
				                       : 0xff;
				status = dump_bytes(&d, bytes, len);
				assert_true(status == ETC_OK || d.err.text[0] != '\0');
				assert_true(status == ETC_OK || d.trace.runs == NULL);
				dump_release(&d);
				bytes[at] = was;
			}
		free(bytes);
	}
}

/* Reads a dump with each allocation failing in turn. */
static void survives_every_budget(void **state)
{
	(void)state;
	for (size_t i = 0; i < SAMPLES; i++) {
		size_t len, enough = 0;
		uint8_t *bytes = file_bytes(samples[i], &len);

		for (size_t budget = 0; budget < 40000; budget += 40) {
			struct etc_arena arena;
			struct etc_trace trace;
			struct etc_error err = { .text = "" };
			enum etc_status status;

			etc_arena_init(&arena, budget);
			status = etc_etdump_read((struct etc_span){ bytes, len }, NULL, &arena,
			                         NULL, &trace, &err);
			if (status == ETC_OK)
				enough++;
			else
				assert_int_equal(err.code, E0904);
			assert_int_equal(status == ETC_OK, trace.run_count > 0);
			etc_arena_release(&arena);
		}
		assert_true(enough > 0);
		free(bytes);
	}
}

/* Writes `runs` runs that share one list of events, which has the same event `events` times. */
static void share(struct build *b, const char *name, size_t events, size_t runs)
{
	size_t run[512], at[8], vector, event;

	assert_true(runs <= 512);
	b->len = 0;
	put_runs(b, runs, run);
	for (size_t i = 0; i < runs; i++)
		link_here(b, run[i]);
	vector = put_offsets(b, events);
	event = put_table(b, "4", at);
	for (size_t i = 0; i < events; i++)
		set_u32(b, vector + 4 * i, (uint32_t)(event - (vector + 4 * i)));
	put_table_for(b, at[0], "40000088", at);
	set_u64(b, at[6], 1);
	set_u64(b, at[7], 3);
	link_here(b, at[0]);
	put_text(b, name);
	end_build(b);
}

static void reads_shared_tables_up_to_its_budget(void **state)
{
	static struct build b;
	struct etc_limits limits = { .max_visits = 100 * 300 + 100 };
	struct dump d;

	(void)state;
	share(&b, "shared", 300, 100);
	assert_ok(dump_bytes(&d, b.bytes, b.len), &d.err);
	assert_int_equal(d.trace.sample_count, 30000);
	assert_int_equal(d.trace.template_count, 1);
	assert_true(d.trace.start[29999] == 1 && d.trace.end[29999] == 3);
	assert_ok(etc_etdump_read((struct etc_span){ d.bytes, d.len }, &limits, &d.arena, NULL,
	                          &d.trace, &d.err),
	          &d.err);
	limits.max_visits--;
	assert_fails(etc_etdump_read((struct etc_span){ d.bytes, d.len }, &limits, &d.arena, NULL,
	                             &d.trace, &d.err),
	             &d.err, E0206);
	dump_release(&d);
}

/* If many events share a long name, its length must count for each of them. */
static void counts_long_names(void **state)
{
	static struct build b;
	struct etc_limits limits = { .max_visits = 100000 };
	char name[20001];
	struct dump d;

	(void)state;
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	share(&b, name, 1000, 10);
	assert_ok(dump_bytes(&d, b.bytes, b.len), &d.err);
	assert_fails(etc_etdump_read((struct etc_span){ d.bytes, d.len }, &limits, &d.arena, NULL,
	                             &d.trace, &d.err),
	             &d.err, E0206);
	dump_release(&d);
}

/* Runs take turns with two event lists. Each must be recognised whenever it comes, and stored
 * once. */
static void recognises_lists_in_turn(void **state)
{
	static struct build b = { .len = 0 };
	size_t run[300], at[8], vector[2];
	struct dump d;

	(void)state;
	put_runs(&b, 300, run);
	for (size_t i = 0; i < 300; i++) {
		size_t which = i % 7 % 2;

		link_here(&b, run[i]);
		vector[which] = put_offsets(&b, 2);
		for (size_t k = 0; k < 2; k++) {
			size_t event[1];

			put_table_for(&b, vector[which] + 4 * k, "4", event);
			put_table_for(&b, event[0], "40400088", at);
			set_u32(&b, at[2], (uint32_t)(k + which));
			set_u64(&b, at[6], 10 * i + k);
			link_here(&b, at[0]);
			put_text(&b, which ? "one" : "two");
		}
	}
	end_build(&b);
	assert_ok(dump_bytes(&d, b.bytes, b.len), &d.err);
	assert_int_equal(d.trace.template_count, 2);
	for (size_t i = 0; i < 300; i++) {
		assert_int_equal(d.trace.runs[i].template, i % 7 % 2);
		assert_true(d.trace.start[d.trace.runs[i].first_sample + 1] == 10 * i + 1);
	}
	dump_release(&d);
}

/* The runs have event lists of 18 lengths, then other lists of the same lengths, then all these
 * lists again. Every list must be recognised, whether or not it was the first of its length. */
static void recognises_lists_of_many_lengths(void **state)
{
	enum { LENGTHS = 18, LISTS = 2 * LENGTHS, RUNS = 2 * LISTS };
	static struct build b = { .len = 0 };
	size_t run[RUNS];
	struct dump d;

	(void)state;
	put_runs(&b, RUNS, run);
	for (size_t i = 0; i < RUNS; i++) {
		size_t count = i % LENGTHS + 1, vector;

		link_here(&b, run[i]);
		vector = put_offsets(&b, count);
		for (size_t k = 0; k < count; k++) {
			size_t event[1], at[8];

			put_table_for(&b, vector + 4 * k, "4", event);
			put_table_for(&b, event[0], "40400088", at);
			set_u32(&b, at[2], (uint32_t)k);
			set_u64(&b, at[6], i);
			link_here(&b, at[0]);
			put_text(&b, i / LENGTHS % 2 ? "one" : "two");
		}
	}
	end_build(&b);
	assert_ok(dump_bytes(&d, b.bytes, b.len), &d.err);
	assert_int_equal(d.trace.template_count, LISTS);
	for (size_t i = 0; i < RUNS; i++) {
		assert_int_equal(d.trace.runs[i].template, i % LISTS);
		assert_true(d.trace.start[d.trace.runs[i].first_sample] == i);
	}
	dump_release(&d);
}

/* Writes a dump of one debug event whose Value has fields of these `widths`; at[] is as in
 * put_table(). */
static void put_value(struct build *b, const char *widths, size_t *at)
{
	size_t run[1], vector, event[3], debug[3];

	put_runs(b, 1, run);
	link_here(b, run[0]);
	vector = put_offsets(b, 1);
	put_table_for(b, vector, "004", event);
	put_table_for(b, event[2], "844", debug);
	put_table_for(b, debug[2], widths, at);
}

static void leaves_out_values_of_2023(void **state)
{
	static struct build b = { .len = 0 };
	size_t at[8], number[1];
	struct dump d;

	(void)state;
	/* the fields of a Value in the schema of November 2023: val, tensor, int_value, ... */
	put_value(&b, "104", at);
	b.bytes[at[0]] = ETC_VALUE_INT;
	put_table_for(&b, at[2], "8", number);
	set_u64(&b, number[0], 42);
	end_build(&b);
	assert_ok(dump_bytes(&d, b.bytes, b.len), &d.err);
	assert_true(dump_has(&d, W0217));
	assert_int_equal(d.trace.value_count, 1);
	assert_false(d.trace.values[0].has_member);
	dump_release(&d);
}

static void takes_a_cut_of_padding_for_a_cut(void **state)
{
	static struct build b;
	struct dump d;

	(void)state;
	share(&b, "name", 1, 1);
	for (uint32_t more = 1; more < 12; more++) {
		set_u32(&b, 0, (uint32_t)(b.len - 4) + more);
		if (more < 8) {
			assert_fails(dump_bytes(&d, b.bytes, b.len), &d.err, E0202);
		} else {
			assert_ok(dump_bytes(&d, b.bytes, b.len), &d.err);
			assert_true(dump_has(&d, W0209));
		}
		dump_release(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_every_truncation),
		cmocka_unit_test(survives_every_byte_flip),
		cmocka_unit_test(survives_every_budget),
		cmocka_unit_test(reads_shared_tables_up_to_its_budget),
		cmocka_unit_test(counts_long_names),
		cmocka_unit_test(recognises_lists_in_turn),
		cmocka_unit_test(recognises_lists_of_many_lengths),
		cmocka_unit_test(leaves_out_values_of_2023),
		cmocka_unit_test(takes_a_cut_of_padding_for_a_cut),
	};
	return cmocka_run_group_tests_name("etdump_hostile", tests, NULL, NULL);
}
