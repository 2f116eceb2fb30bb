/* Walking over the events of an ETDump as the file has them, without making a trace. */
#include "build.h"
#include "dump.h"

#include "formats/etdump/etdump_walk.h"

static struct etc_etdump_walk *walk(struct dump *d)
{
	struct etc_etdump_walk *w;

	assert_ok(etc_etdump_walk_open(&d->trace, NULL, &d->arena, &w, &d->err), &d->err);
	return w;
}

/* Writes an Event with fields of these widths; at[i] is the position of field i. */
static void put_event(struct build *b, const char *widths, size_t *at)
{
	size_t run[1], vector;

	put_runs(b, 1, run);
	link_here(b, run[0]);
	vector = put_offsets(b, 1);
	put_table_for(b, vector, widths, at);
}

/* An event may have several members, of which a trace keeps one. A walk must show all. */
static void shows_every_member_of_an_event(void **state)
{
	static struct build b = { .len = 0 };
	const struct etc_raw_event *e;
	struct etc_etdump_walk *w;
	size_t event[3], at[8];
	struct dump d;

	(void)state;
	put_event(&b, "444", event);
	put_table_for(&b, event[0], "04000088", at);
	set_u32(&b, at[1], UINT32_MAX);
	set_u64(&b, at[6], 5);
	set_u64(&b, at[7], UINT64_MAX);
	put_table_for(&b, event[1], "48", at);
	set_u32(&b, at[0], 3);
	set_u64(&b, at[1], 4096);
	put_table_for(&b, event[2], "80", at);
	set_u64(&b, at[0], UINT64_MAX);
	end_build(&b);
	assert_ok(dump_bytes(&d, b.bytes, b.len), &d.err);
	w = walk(&d);
	assert_int_equal(etc_etdump_walk_run(w, 0), 1);
	e = etc_etdump_walk_event(w, 0);
	assert_true(e->profile_event.present);
	assert_null(e->profile_event.name.ptr);
	assert_int_equal(e->profile_event.chain_index, -1);
	assert_int_equal(e->profile_event.instruction_id, -1);
	assert_null(e->profile_event.delegate_debug_metadata.ptr);
	assert_true(e->profile_event.end_time == UINT64_MAX);
	assert_true(e->allocation_event.present);
	assert_int_equal(e->allocation_event.allocator_id, 3);
	assert_true(e->allocation_event.allocation_size == 4096);
	assert_true(e->debug_event.present);
	assert_true(e->debug_event.chain_index == UINT64_MAX);
	assert_false(e->debug_event.debug_entry.present);
	dump_release(&d);
}

/* Writes a dump of one debug event whose Value has fields of these `widths`; at[] is as in
 * put_table(). */
static void put_value(struct build *b, const char *widths, size_t *at)
{
	size_t event[3], debug[3];

	put_event(b, "004", event);
	put_table_for(b, event[2], "844", debug);
	put_table_for(b, debug[2], widths, at);
}

static void shows_members_that_the_tag_does_not_name(void **state)
{
	static struct build b = { .len = 0 };
	const struct etc_raw_value *v;
	struct etc_etdump_walk *w;
	size_t at[8], inner[4];
	uint8_t one = 1;
	struct dump d;

	(void)state;
	put_value(&b, "14440044", at);
	b.bytes[at[0]] = ETC_VALUE_BOOL;
	put_table_for(&b, at[1], "1008", inner);
	b.bytes[inner[0]] = 6;
	set_u64(&b, inner[3], 64);
	put_table_for(&b, at[3], "8", inner);
	set_u64(&b, inner[0], (uint64_t)-7);
	put_table_for(&b, at[6], "1", inner);
	set(&b, inner[0], &one, 1);
	put_table_for(&b, at[7], "0", inner);
	/* an empty TensorList */
	put_table_for(&b, at[2], "0", inner);
	end_build(&b);
	assert_ok(dump_bytes(&d, b.bytes, b.len), &d.err);
	w = walk(&d);
	etc_etdump_walk_run(w, 0);
	v = &etc_etdump_walk_event(w, 0)->debug_event.debug_entry;
	assert_true(v->present && !v->layout_2023);
	assert_int_equal(v->val, ETC_VALUE_BOOL);
	assert_true(v->tensor.present && !v->tensor.sizes.present);
	assert_int_equal(v->tensor.scalar_type, 6);
	assert_int_equal(v->tensor.offset, 64);
	assert_true(v->has_int && v->int_val == -7);
	assert_true(v->has_bool && v->bool_val == 1);
	assert_true(v->has_output && v->output == 0);
	assert_true(v->has_tensor_list && !v->has_tensors);
	assert_false(v->has_float || v->has_double);
	dump_release(&d);
}

static void reads_values_of_2023_where_they_were(void **state)
{
	static struct build b = { .len = 0 };
	const struct etc_raw_value *v;
	struct etc_etdump_walk *w;
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
	w = walk(&d);
	etc_etdump_walk_run(w, 0);
	v = &etc_etdump_walk_event(w, 0)->debug_event.debug_entry;
	assert_true(v->layout_2023 && v->has_int && !v->has_tensor_list);
	assert_int_equal(v->int_val, 42);
	dump_release(&d);
}

/* `dump` prints metadata once for each event that shares them. So their length must count for each
 * event. */
static void counts_shared_metadata(void **state)
{
	enum { EVENTS = 2000, BYTES = 30000 };
	static struct build b = { .len = 0 };
	struct etc_limits limits = { .max_visits = (size_t)EVENTS * (BYTES / 256 + 2) };
	struct etc_etdump_walk *w;
	size_t run[1], at[8], vector, event;
	struct dump d;

	(void)state;
	put_runs(&b, 1, run);
	link_here(&b, run[0]);
	vector = put_offsets(&b, EVENTS);
	event = put_table(&b, "4", at);
	for (size_t i = 0; i < EVENTS; i++)
		set_u32(&b, vector + 4 * i, (uint32_t)(event - (vector + 4 * i)));
	put_table_for(&b, at[0], "00000488", at);
	link_here(&b, at[5]);
	put_u32(&b, BYTES);
	assert_true(b.len + BYTES < sizeof b.bytes);
	b.len += BYTES;
	end_build(&b);
	assert_ok(dump_bytes(&d, b.bytes, b.len), &d.err);
	assert_ok(etc_etdump_walk_open(&d.trace, &limits, &d.arena, &w, &d.err), &d.err);
	limits.max_visits = (size_t)EVENTS * (BYTES / 256);
	assert_fails(etc_etdump_walk_open(&d.trace, &limits, &d.arena, &w, &d.err), &d.err, E0206);
	dump_release(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_every_member_of_an_event),
		cmocka_unit_test(shows_members_that_the_tag_does_not_name),
		cmocka_unit_test(reads_values_of_2023_where_they_were),
		cmocka_unit_test(counts_shared_metadata),
	};
	return cmocka_run_group_tests_name("etdump_walk", tests, NULL, NULL);
}
