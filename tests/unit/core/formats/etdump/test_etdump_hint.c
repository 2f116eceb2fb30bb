/* test_etdump_hint.c -- decoding events by a hint: the result must be that of decoding without
 * one. */
#include "dump.h"

#include "formats/etdump/etdump_walk.h"

/* Dumps whose runs have the same layout in the file. The first is of a benchmark's loop, with
 * strings and ids; in the second, ids follow bytes of metadata. */
static const char *const loops[] = {
	"tests/data/cases/mlp_xnnpack/run.etdump",
	"tests/data/backends/cases/metadata_columns/run.etdump",
};

static bool same_text(bool there, struct etc_str a, struct etc_str b)
{
	return there == (b.ptr != NULL) && etc_str_eq(a, b);
}

static bool same_profile(const struct etc_trace *t, const struct etc_event *e, size_t sample,
                         const struct etc_raw_profile *p)
{
	struct etc_span m = etc_trace_metadata(t, sample);

	return same_text(e->has_name, etc_event_name(e), p->name) &&
	       same_text(e->has_delegate_name, etc_event_delegate_name(e),
	                 p->delegate_debug_id_str) &&
	       e->chain == (uint64_t)(int64_t)p->chain_index &&
	       e->instruction_id == p->instruction_id &&
	       e->delegate_id == p->delegate_debug_id_int && t->start[sample] == p->start_time &&
	       t->end[sample] == p->end_time && m.len == p->delegate_debug_metadata.len &&
	       (m.len == 0 || memcmp(m.ptr, p->delegate_debug_metadata.ptr, m.len) == 0);
}

/* Checks that the trace equals what a walk over the file finds. The walk expects nothing of earlier
 * runs. */
static void expect_what_the_walk_finds(struct dump *d, size_t at)
{
	const struct etc_trace *t = &d->trace;
	struct etc_etdump_walk *walk;

	if (etc_etdump_walk_open(t, NULL, &d->arena, &walk, &d->err) != ETC_OK)
		fail_msg("byte %zu: read, but the walk says: %s", at, d->err.text);
	for (size_t r = 0; r < t->run_count; r++) {
		const struct etc_template *s = etc_run_template(t, &t->runs[r]);

		assert_int_equal(etc_etdump_walk_run(walk, r), s->count);
		for (uint32_t i = 0; i < s->count; i++) {
			const struct etc_raw_event *raw = etc_etdump_walk_event(walk, i);
			const struct etc_event *e = &s->events[i];

			if ((e->kind == ETC_EVENT_PROFILE) != raw->profile_event.present ||
			    (raw->profile_event.present &&
			     !same_profile(t, e, t->runs[r].first_sample + e->column,
			                   &raw->profile_event)))
				fail_msg("byte %zu: event %u of run %zu differs", at, (unsigned)i,
				         r);
		}
	}
}

static void read_with_every_byte_changed(const char *path)
{
	static const uint8_t flips[] = { 0x01, 0x04, 0x80, 0xff };
	size_t len, read = 0;
	uint8_t *bytes = file_bytes(path, &len);

	for (size_t at = 0; at < len * (sizeof flips / sizeof flips[0]); at++) {
		uint8_t flip = flips[at / len];
		struct dump d;

		bytes[at % len] ^= flip;
		if (dump_bytes(&d, bytes, len) == ETC_OK) {
			expect_what_the_walk_finds(&d, at % len);
			read++;
		}
		dump_release(&d);
		bytes[at % len] ^= flip;
	}
	assert_true(read > len); /* changes of times, text and padding are no damage */
	free(bytes);
}

/* Changes every byte of the dumps in turn. The reader expects each run to be as the one before. It
 * must nevertheless read what is there, and reject damage. */
static void reads_what_is_there_whatever_was_expected(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof loops / sizeof loops[0]; i++)
		read_with_every_byte_changed(loops[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_is_there_whatever_was_expected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
