/* Finding the events of a template that the Inspector treats as one event: those with equal
 * EventSignatures. */
#include "made.h"

#include "inspector/signature.h"

static struct etc_insp_variant sign(struct made *m, uint32_t template)
{
	struct etc_inspector in = { .trace = &m->trace, .arena = &m->arena };
	struct etc_run run = { .template = template };
	struct etc_insp_variant v;
	struct etc_error err = { 0 };

	assert_ok(etc_insp_sign(&in, &run, &v, &err), &err);
	return v;
}

/* The Inspector's ProfileEventSignature treats an empty id as None, so the first two events have
 * one signature. As in a dict, the later event determines the value, the first one the position. */
static void an_empty_delegate_id_is_the_same_as_none(void **state)
{
	static const struct made_event events[] = { { "a", 0, 1, NULL },
		                                    { "a", 0, 1, "" },
		                                    { "a", 0, 1, "x" } };
	struct etc_insp_variant v;
	struct made m;

	(void)state;
	made_begin(&m);
	v = sign(&m, made_template(&m, events, 3));
	assert_int_equal(v.count, 2);
	assert_int_equal(v.profile[0], 1);
	assert_int_equal(v.profile[1], 2);
	made_end(&m);
}

/* Blocks are found by the hash of their signatures, so equal signatures must have equal hashes. */
static void templates_with_equal_signatures_belong_to_one_block(void **state)
{
	static const struct made_event templates[][2] = {
		{ { "a", 0, 1, NULL }, { "b", -1, 0, NULL } },
		{ { "a", 0, 1, "" }, { "b", -1, 0, NULL } },
		{ { "a", 7, 1, NULL }, { "b", 0, 0, "" } },
		{ { "a", 0, 1, "x" }, { "b", -1, 0, NULL } },
		{ { "a", 0, 2, NULL }, { "b", -1, 0, NULL } },
		{ { "b", -1, 0, NULL }, { "a", 0, 1, NULL } },
	};
	enum { TEMPLATES = sizeof templates / sizeof *templates, EQUAL = 3 };
	struct etc_insp_variant v[TEMPLATES];
	struct made m;

	(void)state;
	made_begin(&m);
	for (size_t i = 0; i < TEMPLATES; i++)
		v[i] = sign(&m, made_template(&m, templates[i], 2));
	for (size_t i = 0; i < TEMPLATES; i++) {
		assert_int_equal(etc_insp_same_signatures(&v[0], &v[i]), i < EQUAL);
		assert_int_equal(etc_insp_hash_signatures(&v[0]) == etc_insp_hash_signatures(&v[i]),
		                 i < EQUAL);
	}
	made_end(&m);
}

/* ---- any events ---------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool of_one_site(const struct made_event *a, const struct made_event *b)
{
	return a->chain == b->chain && a->instruction == b->instruction &&
	       same_text(a->delegate, b->delegate);
}

static bool of_one_signature(const struct made_event *a, const struct made_event *b)
{
	return a->instruction == b->instruction && strcmp(a->name, b->name) == 0 &&
	       strcmp(a->delegate ? a->delegate : "", b->delegate ? b->delegate : "") == 0;
}

/* Fills `profile` as Python's dicts would: in the order of first appearance, with the last event of
 * equal ones. Returns their number. */
static uint32_t expected(const struct made_event *events, uint32_t count, uint32_t *profile)
{
	uint32_t found = 0, at;

	for (uint32_t first = 0; first < count; first++) {
		for (at = 0; at < first && !of_one_site(&events[at], &events[first]); at++)
			;
		if (at < first)
			continue;
		for (uint32_t i = first; i < count; i++) {
			if (!of_one_site(&events[first], &events[i]))
				continue;
			for (at = 0; at < found; at++)
				if (of_one_signature(&events[profile[at]], &events[i]))
					break;
			found += at == found;
			profile[at] = i;
		}
	}
	return found;
}

/* Compares with expected(). Returns true if every event has a signature of its own, and their order
 * is that of the list. */
static bool check(const struct made_event *events, uint32_t count)
{
	uint32_t profile[MADE_EVENTS];
	struct etc_insp_variant v;
	bool own = true;
	struct made m;

	made_begin(&m);
	v = sign(&m, made_template(&m, events, count));
	assert_int_equal(v.count, expected(events, count, profile));
	for (uint32_t i = 0; i < v.count; i++) {
		assert_int_equal(v.profile ? v.profile[i] : i, profile[i]);
		own = own && profile[i] == i;
	}
	assert_true(v.profile == v.profile_at && !v.profile == own);
	made_end(&m);
	return own && v.count == count;
}

static void events_are_numbered_as_dicts_do(void **state)
{
	static const char *const names[] = { "a", "b", "c" };
	static const char *const delegates[] = { NULL, NULL, "", "x", "same end", "Same end" };
	enum { TRIES = 20000, MOST = 7 };
	uint32_t seed = 1, own = 0;

	(void)state;
	for (int n = 0; n < TRIES; n++) {
		struct made_event events[MOST];
		uint32_t count = 1 + (uint32_t)n % MOST;

		for (uint32_t i = 0; i < count; i++) {
			seed = seed * 1664525 + 1013904223;
			events[i] = (struct made_event){
				names[(seed >> 8) % 3],
				-(int)((seed >> 12) % 8 == 0),
				(int)(i / 2 * ((seed >> 16) % 8 != 0)),
				delegates[(seed >> 20) % 6],
			};
		}
		own += check(events, count);
	}
	assert_in_range(own, TRIES / 10, TRIES - TRIES / 10);
}

/* Instruction numbers may be far apart, up to the size of the table. */
static void instructions_far_apart_are_numbered(void **state)
{
	struct made_event events[MADE_EVENTS];

	(void)state;
	for (int i = 0; i < MADE_EVENTS; i++)
		events[i] = (struct made_event)INSIDE("a", i * MADE_EVENTS);
	assert_true(check(events, MADE_EVENTS));
}

/* Up to four events that come after those of later instructions are put behind the events of their
 * own. With five, a table is made instead. */
static void events_that_come_late_are_put_in_their_place(void **state)
{
	enum { SITES = 5 };

	(void)state;
	for (int late = 1; late <= SITES; late++) {
		struct made_event events[3 * SITES];
		uint32_t count = 0;

		for (int i = 0; i < SITES; i++) {
			events[count++] = (struct made_event)INSIDE("a", i);
			events[count++] = (struct made_event)INSIDE("b", i);
		}
		for (int i = 0; i + 1 < late; i++)
			events[count++] = (struct made_event)INSIDE("c", i);
		events[count++] = (struct made_event)INSIDE("d", late > 1 ? late - 2 : 0);
		assert_false(check(events, count));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_delegate_id_is_the_same_as_none),
		cmocka_unit_test(templates_with_equal_signatures_belong_to_one_block),
		cmocka_unit_test(events_are_numbered_as_dicts_do),
		cmocka_unit_test(instructions_far_apart_are_numbered),
		cmocka_unit_test(events_that_come_late_are_put_in_their_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
