/* tap.c -- runs hooks in the process of an isolated plugin. Sink calls are validated here,
 * so that hooks get the same return codes as in the host's process, and serialized to the
 * host, which validates them a second time. */
#include "host/isolated/tap.h"

#include <stdlib.h>

static bool set_times(struct etc_tap *t, struct etc_arena *scratch)
{
	uint32_t n = t->a.call->count;
	struct etcore_time *times = etc_new(scratch, struct etcore_time, n);
	struct etcore_time **list = etc_new(scratch, struct etcore_time *, n);

	for (uint32_t i = 0; times && list && i < n; i++) {
		times[i] =
			(struct etcore_time){ .size = sizeof *times, .parent = ETCORE_PARENT_CALL };
		list[i] = &times[i];
	}
	t->a.times = list;
	return times && list;
}

/* Reduces a code to a byte so that an invalid code stays invalid. */
static uint64_t byte_of(uint32_t code)
{
	return code < 255 ? code : 255;
}

void etc_tap_time_words(const struct etcore_time *t, uint64_t words[ETC_TIME_WORDS])
{
	words[0] = byte_of(t->kind) | byte_of(t->unit) << 8 | byte_of(t->clock) << 16 |
	           byte_of(t->start) << 24 | byte_of(t->duration) << 32 |
	           byte_of(t->rounding) << 40;
	words[1] = (uint64_t)(int64_t)t->parent;
	words[2] = etc_tap_bits(t->ns_per_unit);
	words[3] = t->resolution;
	words[4] = t->wraps_at;
	words[5] = t->sync_device;
	words[6] = t->sync_host;
}

static void put_times(struct etc_tap *t)
{
	uint64_t before[ETC_TIME_WORDS] = { UINT64_MAX };

	for (uint32_t i = 0; i < t->a.call->count; i++) {
		uint64_t words[ETC_TIME_WORDS];
		bool same;

		etc_tap_time_words(t->a.times[i], words);
		same = memcmp(words, before, sizeof words) == 0;
		etc_tap_record(t, ETC_RECORD_TIME, same);
		if (!same)
			etc_wire_words(t->to->out, words, ETC_TIME_WORDS);
		memcpy(before, words, sizeof words);
	}
}

/* Prepares the host's sink for a hook and the hook's other arguments. */
static bool set_sink(struct etc_tap *t, enum etc_hook hook, struct etc_arena *scratch)
{
	const struct etc_intake in = { .arena = scratch, .plugin = t->to->p->abi };
	bool naming = hook == ETC_HOOK_NAME;

	switch (hook) {
	case ETC_HOOK_PARSE:
		t->data = (struct etc_datum_intake){ .in = in };
		t->in = &t->data.in;
		t->to_data = etc_datum_sink(&t->data);
		t->a.data = &t->data_sink;
		return true;
	case ETC_HOOK_NAME:
	case ETC_HOOK_CLASSIFY: /* the most frequent hooks: nothing is allocated */
		etc_intake_again(&t->facts.in);
		t->facts.out = &t->said;
		t->facts.first = naming ? ETCORE_NAME_DISPLAY : ETCORE_CLASS_CATEGORY;
		t->facts.last = naming ? ETCORE_NAME_KERNEL : ETCORE_CLASS_MICROKERNEL;
		t->in = &t->facts.in;
		t->a.facts = &t->facts_sink;
		return true;
	case ETC_HOOK_EXPAND:
		etc_intake_again(&t->facts.in);
		t->data = (struct etc_datum_intake){ .in = in };
		t->to_data = etc_datum_sink(&t->data);
		t->children = (struct etc_child_intake){
			.in = in,
			.data = &t->data,
			.facts = &t->facts,
			.samples = t->a.call->events[t->a.index]->samples,
		};
		t->in = &t->children.in;
		t->to_children = etc_child_sink(&t->children, &t->facts_sink, &t->data_sink);
		t->a.children = &t->child_sink;
		return true;
	case ETC_HOOK_MAP:
		t->map = (struct etc_map_intake){ .in = in };
		t->in = &t->map.in;
		t->to_map = etc_map_sink(&t->map);
		t->a.map = &t->map_sink;
		return true;
	case ETC_HOOK_CONVERT:
		t->numbers = (struct etc_number_intake){
			.in = in,
			.out = etc_new(scratch, struct etc_converted, (size_t)t->a.count),
			.expected = t->a.count,
		};
		t->in = &t->numbers.in;
		t->to_numbers = etc_number_sink(&t->numbers);
		t->a.numbers = &t->number_sink;
		return t->numbers.out != NULL;
	case ETC_HOOK_DESCRIBE:
		return set_times(t, scratch);
	default:
		return true;
	}
}

enum { HEAD = 3 /* words per answer: slot, result, bytes of records */ };

/* Runs a hook with the arguments in t->a and writes its answer; returns its result after
 * validation. */
static etcore_result ask(struct etc_tap *t, uint64_t slot, enum etc_hook hook)
{
	struct etc_wire *out = t->to->out;
	char what[ETC_EXCEPTION_MAX];
	size_t at = out->len;
	uint64_t *head;
	bool ok;

	if (!etc_wire_more(out, HEAD))
		return ETCORE_NOMEM;
	t->a.result = ETCORE_FAILED;
	t->in = NULL;
	if (!set_sink(t, hook, &t->scratch)) {
		out->failed = true;
		return ETCORE_NOMEM;
	}
	t->to->asking = true;
	ok = etc_hook_call(t->to->p, hook, &t->a, what);
	t->to->asking = false;
	if (hook == ETC_HOOK_EXPAND)
		etc_child_intake_end(&t->children);
	if (ok && hook == ETC_HOOK_PROBE) {
		etc_tap_record(t, ETC_RECORD_SCORE, 0);
		etc_wire_put(out, (uint64_t)(int64_t)t->a.score);
	} else if (ok && hook == ETC_HOOK_DESCRIBE && t->a.result == ETCORE_OK) {
		put_times(t);
	}
	if (t->in && t->in->fault[0]) {
		etc_tap_record(t, ETC_RECORD_FAULT, 0);
		etc_wire_text(out, t->in->fault, strlen(t->in->fault));
	}
	if (t->in && t->in->out_of_memory) /* counted against the plugin, not reported as E0904 */
		out->failed = true;
	if (!ok) {
		etc_tap_record(t, ETC_RECORD_THREW, 0);
		etc_wire_text(out, what, strlen(what));
	}
	if (hook == ETC_HOOK_PARSE || hook == ETC_HOOK_EXPAND)
		etc_datum_intake_release(&t->data);
	if (hook == ETC_HOOK_EXPAND)
		free(t->children.v);
	if (hook == ETC_HOOK_MAP)
		free(t->map.handles);
	etc_arena_reuse(&t->scratch);
	if (out->failed)
		return ETCORE_NOMEM;
	head = (uint64_t *)(void *)(out->ptr + at);
	head[0] = slot;
	head[1] = (uint64_t)(int64_t)t->a.result;
	head[2] = out->len - at - HEAD * sizeof *head;
	return ok && !(t->in && t->in->fault[0]) ? t->a.result : ETCORE_FAILED;
}

/* ---- all hooks of a call ---------------------------------------------------------- */

static void start(struct etc_tap *t, struct etc_tapped *to)
{
	*t = (struct etc_tap){ .to = to };
	etc_arena_init(&t->scratch, ETC_WIRE_ANSWERS);
	etc_tap_sinks(t);
	t->facts = (struct etc_facts_intake){ .in = { .arena = &t->scratch, .plugin = to->p->abi },
		                              .out = &t->said };
}

static void ask_event(struct etc_tap *t, const struct etc_wire_call *c, uint64_t first,
                      enum etc_hook hook, uint32_t index)
{
	if (!(c->hooks & 1u << hook) || t->to->out->failed ||
	    (etc_hook_of_event(hook) && c->only >= 0 && c->only != (int64_t)index))
		return;
	t->a = (struct etc_hook_args){ .call = c->call, .index = index };
	ask(t, first + etc_slot_of(c->hooks, c->call->count, hook, index), hook);
}

static void convert(struct etc_tap *t, const struct etc_wire_call *c, uint64_t first)
{
	uint64_t slot = first + etc_slot_of(c->hooks, c->call->count, ETC_HOOK_CONVERT, 0);
	const uint64_t *both[2] = { c->starts, c->ends };

	for (int i = 0; i < 2 && both[i]; i++) {
		t->a = (struct etc_hook_args){ .call = c->call,
			                       .index = c->only >= 0 ? (uint32_t)c->only : 0,
			                       .scales = c->scales,
			                       .raw = both[i],
			                       .count = c->count };
		if (ask(t, slot + (uint64_t)i, ETC_HOOK_CONVERT) != ETCORE_OK)
			return;
	}
}

void etc_tap_call(struct etc_tapped *to, const struct etc_wire_call *c, uint64_t first_slot)
{
	uint32_t n = c->call->count;
	struct etc_tap t;

	start(&t, to);
	/* The order of the hooks is that in the host's own process. */
	ask_event(&t, c, first_slot, ETC_HOOK_PROBE, 0);
	ask_event(&t, c, first_slot, ETC_HOOK_DESCRIBE, 0);
	for (uint32_t i = 0; i < n; i++) {
		ask_event(&t, c, first_slot, ETC_HOOK_NAME, i);
		ask_event(&t, c, first_slot, ETC_HOOK_CLASSIFY, i);
	}
	for (uint32_t i = 0; i < n; i++)
		ask_event(&t, c, first_slot, ETC_HOOK_MAP, i);
	for (uint32_t i = 0; i < n; i++)
		if (!c->parse || c->parse[i])
			ask_event(&t, c, first_slot, ETC_HOOK_PARSE, i);
	for (uint32_t i = 0; i < n; i++)
		if (!c->parse || c->parse[i])
			ask_event(&t, c, first_slot, ETC_HOOK_EXPAND, i);
	if (c->hooks & 1u << ETC_HOOK_CONVERT)
		convert(&t, c, first_slot);
	etc_arena_release(&t.scratch);
}

bool etc_tap_open(struct etc_tapped *to)
{
	struct etc_tap t;
	etcore_result r;

	to->p->services = (struct etcore_host){ sizeof(struct etcore_host), ETCORE_PLUGIN_ABI_MINOR,
		                                to, etc_tap_diagnose, etc_hook_service };
	if (!to->p->abi->open)
		return true;
	start(&t, to);
	r = ask(&t, 0, ETC_HOOK_OPEN);
	etc_arena_release(&t.scratch);
	to->p->self = t.a.self;
	return r == ETCORE_OK;
}
