/* Messages between the process of an isolated plugin and its host. Every message is decoded
 * unchanged; truncated or invalid messages are rejected. */
#include "hosted.h"

#include "host/isolated/wire.h"

static bool no_files(void *arg, uint64_t file, uint64_t at, uint64_t len, struct etcore_bytes *out)
{
	(void)arg, (void)file, (void)at, (void)len, (void)out;
	return false;
}

static struct etc_wire put_call(const struct etc_wire_call *c)
{
	static struct etc_wire_seen seen;
	struct etc_wire w = { .most = 1 << 20 };

	memset(&seen, 0, sizeof seen);
	etc_wire_put_call(&w, c, NULL, &seen);
	assert_false(w.failed);
	return w;
}

static void assert_text(struct etcore_text a, struct etcore_text b)
{
	assert_int_equal(a.len, b.len);
	if (a.len)
		assert_memory_equal(a.ptr, b.ptr, a.len);
}

static void a_call_arrives_as_it_was(void **state)
{
	const struct etcore_scales scales = { sizeof scales, 1, 3, 0, 1e6 };
	const struct etcore_facts facts = { .size = sizeof facts,
		                            .kernel = text("IGEMM"),
		                            .ordinal = -7 };
	const bool parse[3] = { false, true, true };
	struct etc_wire_call c = { .hooks = 1u << ETC_HOOK_CONVERT | 1u << ETC_HOOK_PARSE,
		                   .only = -1,
		                   .parse = parse,
		                   .scales = &scales,
		                   .count = 3 },
			     got;
	struct etc_unwire r;
	struct etc_wire w;
	struct fixture f;

	(void)state;
	init(&f);
	f.call.count = 3;
	f.call.flags = 0x80000001u;
	f.call.processed = (struct etcore_bytes){ (const uint8_t *)"blob", 4 };
	f.event[0].metadata = NULL;
	f.event[1].facts = &facts;
	f.event[2].delegate_name = text("a name");
	c.call = &f.call;
	c.starts = f.start;
	c.ends = f.end;
	w = put_call(&c);
	r = (struct etc_unwire){ w.ptr, w.len, 0, false };
	assert_true(etc_wire_get_call(&r, &got, &f.arena, no_files, NULL));
	assert_int_equal(r.at, r.len);
	assert_int_equal(got.hooks, c.hooks);
	assert_int_equal(got.call->flags, f.call.flags);
	assert_int_equal(got.call->count, 3);
	assert_text(got.call->backend, f.call.backend);
	assert_memory_equal(got.call->processed.ptr, "blob", 4);
	assert_memory_equal(got.starts, f.start, sizeof f.start);
	assert_memory_equal(got.ends, f.end, sizeof f.end);
	assert_near(got.scales->factor, 1e6, 0);
	assert_null(got.call->events[0]->metadata);
	assert_null(got.call->events[0]->facts);
	assert_text(got.call->events[1]->facts->kernel, facts.kernel);
	assert_int_equal(got.call->events[1]->facts->ordinal, -7);
	assert_text(got.call->events[2]->delegate_name, f.event[2].delegate_name);
	assert_int_equal(got.call->events[2]->samples, 3);
	for (int i = 0; i < 3; i++) {
		const struct etcore_event *e = got.call->events[i];

		assert_int_equal(got.parse[i], parse[i]);
		assert_memory_equal(e->start, f.start, sizeof f.start);
		assert_memory_equal(e->end, f.end, sizeof f.end);
		for (int k = 0; e->metadata && k < 3; k++) {
			assert_int_equal(e->metadata[k].len, k);
			assert_memory_equal(e->metadata[k].ptr, "abc", (size_t)k);
		}
	}
	/* a truncated message must be rejected */
	for (size_t len = 0; len < w.len; len += 8) {
		r = (struct etc_unwire){ w.ptr, len, 0, false };
		assert_false(etc_wire_get_call(&r, &got, &f.arena, no_files, NULL));
	}
	etc_wire_release(&w);
	stop(&f);
}

static void a_message_has_an_end(void **state)
{
	struct etc_wire w = { .most = 100 };

	(void)state;
	etc_wire_text(&w, "0123456789", 10);
	assert_false(w.failed);
	assert_int_equal(w.len, 24);
	for (int i = 0; i < 20; i++)
		etc_wire_put(&w, 1);
	assert_true(w.failed);
	assert_true(w.len <= 100);
	etc_wire_release(&w);
}

static void every_hook_of_every_event_has_a_slot_of_its_own(void **state)
{
	uint32_t all = 0;
	bool seen[64] = { false };

	(void)state;
	for (int h = ETC_HOOK_PROBE; h < ETC_HOOKS; h++)
		all |= 1u << h;
	for (int h = ETC_HOOK_PROBE; h < ETC_HOOKS; h++) {
		bool two = h == ETC_HOOK_CONVERT;
		uint32_t n = two ? 2 : etc_hook_of_event((enum etc_hook)h) ? 5 : 1;

		for (uint32_t i = 0; i < n; i++) {
			uint64_t slot = etc_slot_of(all, 5, (enum etc_hook)h, i);

			assert_true(slot < etc_slot_count(all, 5) && !seen[slot]);
			seen[slot] = true;
		}
	}
	assert_int_equal(etc_slot_count(all, 5), 2 + 5 * 5 + 2);
	assert_int_equal(etc_slot_count(0, 5), 0);
}

/* ---- answers ------------------------------------------------------------------- */

struct hook_case {
	const char *what; /* name of the events, which tells `good` what to do */
	enum etc_hook hook;
};

/* Runs a hook, writes its answer as a message, and replays the message. Also replays the message
 * truncated after every word. */
static void answers_are_believed_whole_or_not_at_all(void **state)
{
	static const struct hook_case cases[] = {
		{ "dict", ETC_HOOK_PARSE }, { "list", ETC_HOOK_PARSE },
		{ "many", ETC_HOOK_PARSE }, { "remarks", ETC_HOOK_PARSE },
		{ "x", ETC_HOOK_DESCRIBE }, { "in parallel", ETC_HOOK_DESCRIBE },
		{ "x", ETC_HOOK_NAME },     { "x", ETC_HOOK_CLASSIFY },
		{ "x", ETC_HOOK_MAP },      { "not edge", ETC_HOOK_MAP },
		{ "mine", ETC_HOOK_PROBE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct etc_wire w = { .most = 1 << 20 };
		struct etc_wire_call c = { .hooks = 1u << cases[i].hook, .only = -1 };
		struct etc_tapped t = { .out = &w };
		struct etc_datum_intake data = { .in.calls = 0 };
		struct etc_facts_intake facts = { .first = 0, .last = UINT32_MAX };
		struct etc_map_intake map = { .in.calls = 0 };
		struct etc_facts said = { .ordinal = 0 };
		struct etcore_time time = { .size = sizeof time }, *times[] = { &time };
		struct etcore_sink to_data;
		struct etcore_text_sink to_facts;
		struct etcore_map_sink to_map;
		struct etc_hook_args a = { .times = times };
		struct etc_wire_kept kept = { .texts[0].at = NULL };
		struct etc_answer answer;
		struct etc_unwire r;
		struct fixture f;
		char what[ETC_EXCEPTION_MAX];
		size_t len, end;

		start(&f, PLUGINS "good.so");
		ask(&f, cases[i].what);
		c.call = a.call = &f.call;
		t.p = &f.host.plugins[0];
		assert_true(etc_tap_open(&t));
		w.len = 0;
		etc_tap_call(&t, &c, 7);
		r = (struct etc_unwire){ w.ptr, w.len, 0, false };
		assert_int_equal(etc_unwire_get(&r), 7);
		answer.result = (int32_t)etc_unwire_get(&r);
		len = (size_t)etc_unwire_get(&r);
		assert_int_equal(len, r.len - r.at);
		answer.message = r.ptr;
		answer.at = r.at;
		end = r.len;
		data.in.arena = facts.in.arena = map.in.arena = &f.arena;
		data.in.plugin = facts.in.plugin = map.in.plugin = t.p->abi;
		facts.out = &said;
		to_data = etc_datum_sink(&data);
		to_facts = etc_facts_sink(&facts);
		to_map = etc_map_sink(&map);
		for (answer.end = answer.at; answer.end <= end; answer.end += 8) {
			enum etc_replay how;

			data.form = ETC_PARSED_NONE;
			data.count = 0;
			a.data = cases[i].hook == ETC_HOOK_PARSE ? &to_data : NULL;
			a.facts =
				cases[i].hook == ETC_HOOK_NAME || cases[i].hook == ETC_HOOK_CLASSIFY
					? &to_facts
					: NULL;
			a.map = cases[i].hook == ETC_HOOK_MAP ? &to_map : NULL;
			how = etc_answer_replay(&answer, t.p, cases[i].hook, &a, &kept, what);
			if (answer.end == end)
				assert_int_equal(how, ETC_REPLAY_DONE);
			assert_int_not_equal(how, ETC_REPLAY_THREW);
		}
		if (strcmp(cases[i].what, "in parallel") == 0) {
			assert_int_equal(time.duration, ETCORE_DURATION_CONCURRENT);
			assert_int_equal(time.sync_device, UINT64_MAX - 1);
			assert_int_equal(time.sync_host, 17);
		}
		/* without the sinks of its hook, the answer must be rejected */
		answer.end = end;
		a.data = NULL;
		a.facts = NULL;
		a.map = NULL;
		a.times = NULL;
		if (len && cases[i].hook != ETC_HOOK_PROBE && strcmp(cases[i].what, "remarks") != 0)
			assert_int_equal(
				etc_answer_replay(&answer, t.p, cases[i].hook, &a, &kept, what),
				ETC_REPLAY_NONSENSE);
		t.p->abi->close(t.p->self);
		etc_wire_release(&w);
		etc_datum_intake_release(&data);
		free(map.handles);
		stop(&f);
	}
}

/* A text that occurred before in the message is sent as the position where it occurred. */
static void what_is_said_again_is_where_it_was_said(void **state)
{
	/* the text "x" at byte 8; then the records of an answer, at byte 24 */
	uint64_t words[] = { 0,   1,
		             'x', ETC_RECORD_PUT_AGAIN | (uint64_t)ETCORE_NAME_DISPLAY << 32,
		             8,   ETC_RECORD_PUT_AGAIN | (uint64_t)ETCORE_NAME_KERNEL << 32,
		             8 };
	const struct etc_answer answer = { 0, (const uint8_t *)words, 24, sizeof words };
	/* positions that are unaligned, past the end, or of words that are no complete text */
	const uint64_t wrong[] = { 9, UINT64_MAX, 24, 1 << 20, 32, 48 };
	struct etc_wire_kept kept = { .texts[0].at = NULL };
	struct etc_facts said = { .ordinal = 0 };
	struct etc_facts_intake to = { .last = ETCORE_NAME_KERNEL, .out = &said };
	struct etcore_text_sink sink = etc_facts_sink(&to);
	struct etc_hook_args a = { .facts = &sink, .in = &to.in };
	char what[ETC_EXCEPTION_MAX];
	struct fixture f;

	(void)state;
	init(&f);
	to.in.arena = &f.arena;
	assert_int_equal(etc_answer_replay(&answer, NULL, ETC_HOOK_NAME, &a, &kept, what),
	                 ETC_REPLAY_DONE);
	assert_str(said.display, "x");
	assert_ptr_equal(said.kernel.ptr, said.display.ptr); /* the text is stored once */
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		words[4] = wrong[i];
		assert_int_equal(etc_answer_replay(&answer, NULL, ETC_HOOK_NAME, &a, &kept, what),
		                 ETC_REPLAY_NONSENSE);
	}
	words[4] = 8;
	words[2] = 0xff;
	memset(&kept, 0, sizeof kept);
	said.display = ETC_STR_NONE;
	assert_int_equal(etc_answer_replay(&answer, NULL, ETC_HOOK_NAME, &a, &kept, what),
	                 ETC_REPLAY_DONE);
	assert_true(to.in.fault[0] && said.display.len == 0);
	stop(&f);
}

static void a_descriptor_that_is_cut_is_refused(void **state)
{
	struct etc_wire w = { .most = 1 << 20 };
	const struct etcore_plugin *abi;
	struct etc_unwire r;
	struct fixture f;

	(void)state;
	start(&f, PLUGINS "good.so");
	etc_wire_put_descriptor(&w, f.host.plugins[0].abi);
	r = (struct etc_unwire){ w.ptr, w.len, 0, false };
	assert_true(etc_wire_get_descriptor(&r, &f.arena, &abi));
	assert_int_equal(r.at, r.len);
	assert_string_equal(abi->name, "good");
	/* the hooks of a decoded descriptor exist, but cannot be called */
	assert_int_equal(abi->name_event(NULL, &f.call, 0, NULL), ETCORE_FAILED);
	for (size_t len = 0; len < w.len; len += 8) {
		r = (struct etc_unwire){ w.ptr, len, 0, false };
		assert_false(etc_wire_get_descriptor(&r, &f.arena, &abi));
	}
	etc_wire_release(&w);
	stop(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_arrives_as_it_was),
		cmocka_unit_test(a_message_has_an_end),
		cmocka_unit_test(every_hook_of_every_event_has_a_slot_of_its_own),
		cmocka_unit_test(answers_are_believed_whole_or_not_at_all),
		cmocka_unit_test(what_is_said_again_is_where_it_was_said),
		cmocka_unit_test(a_descriptor_that_is_cut_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
