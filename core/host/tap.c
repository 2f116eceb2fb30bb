/* tap.c -- the hooks of an isolated plugin, run where it lives: what they tell the
 * host's sinks is judged here, so that they are answered as they would be in the
 * host's process, and written down for the host, who judges it again. */
#include "host/wire.h"

#include <stdlib.h>

/* One call of a hook. */
struct tap {
	struct etc_wire *out;
	struct etc_hook_args a;
	struct etc_intake *in;
	struct etc_datum_intake data;
	struct etc_number_intake numbers;
	struct etc_facts_intake facts;
	struct etc_map_intake map;
	struct etc_facts said;
	/* The host's sinks, and ours before them. */
	struct etcore_sink to_data, data_sink;
	struct etcore_number_sink to_numbers, number_sink;
	struct etcore_text_sink to_facts, facts_sink;
	struct etcore_map_sink to_map, map_sink;
};

static void record(struct tap *t, enum etc_record kind, uint32_t upper)
{
	etc_wire_put(t->out, (uint64_t)kind | (uint64_t)upper << 32);
}

static void put_text(struct tap *t, struct etcore_text text)
{
	etc_wire_text(t->out, text.ptr, text.len);
}

/* ---- sinks -------------------------------------------------------------------- */

/* Only what the host's sink took is written: a refusal is told by its fault. */
static etcore_result data_text(struct tap *t, enum etc_record kind, etcore_result r,
                               struct etcore_text name, struct etcore_text value)
{
	if (r != ETCORE_OK)
		return r;
	record(t, kind, 0);
	put_text(t, name);
	put_text(t, value);
	return r;
}

static etcore_result data_word(struct tap *t, enum etc_record kind, etcore_result r,
                               struct etcore_text name, uint64_t value)
{
	if (r != ETCORE_OK)
		return r;
	record(t, kind, 0);
	put_text(t, name);
	if (kind != ETC_RECORD_NULL)
		etc_wire_put(t->out, value);
	return r;
}

static etcore_result data_str(void *h, struct etcore_text name, struct etcore_text value)
{
	struct tap *t = h;

	return data_text(t, ETC_RECORD_STR, t->to_data.str(&t->data, name, value), name, value);
}

static etcore_result data_json(void *h, struct etcore_text name, struct etcore_text value)
{
	struct tap *t = h;

	return data_text(t, ETC_RECORD_JSON, t->to_data.json(&t->data, name, value), name, value);
}

static etcore_result data_i64(void *h, struct etcore_text name, int64_t value)
{
	struct tap *t = h;

	return data_word(t, ETC_RECORD_I64, t->to_data.i64(&t->data, name, value), name,
	                 (uint64_t)value);
}

static uint64_t bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static etcore_result data_f64(void *h, struct etcore_text name, double value)
{
	struct tap *t = h;

	return data_word(t, ETC_RECORD_F64, t->to_data.f64(&t->data, name, value), name,
	                 bits_of(value));
}

static etcore_result data_boolean(void *h, struct etcore_text name, int32_t value)
{
	struct tap *t = h;

	return data_word(t, ETC_RECORD_BOOL, t->to_data.boolean(&t->data, name, value), name,
	                 value != 0);
}

static etcore_result data_null(void *h, struct etcore_text name)
{
	struct tap *t = h;

	return data_word(t, ETC_RECORD_NULL, t->to_data.null(&t->data, name), name, 0);
}

static etcore_result data_begin_list(void *h)
{
	struct tap *t = h;
	etcore_result r = t->to_data.begin_list(&t->data);

	if (r == ETCORE_OK)
		record(t, ETC_RECORD_BEGIN_LIST, 0);
	return r;
}

static etcore_result data_begin_columns(void *h)
{
	struct tap *t = h;
	etcore_result r = t->to_data.begin_columns(&t->data);

	if (r == ETCORE_OK)
		record(t, ETC_RECORD_BEGIN_COLUMNS, 0);
	return r;
}

static etcore_result data_json_bytes(void *h, struct etcore_text name, struct etcore_text value)
{
	struct tap *t = h;

	return data_text(t, ETC_RECORD_JSON_BYTES, t->to_data.json_bytes(&t->data, name, value),
	                 name, value);
}

static etcore_result number_word(struct tap *t, enum etc_record kind, etcore_result r,
                                 uint64_t value)
{
	if (r == ETCORE_OK) {
		record(t, kind, 0);
		etc_wire_put(t->out, value);
	}
	return r;
}

static etcore_result number_i64(void *h, int64_t value)
{
	struct tap *t = h;

	return number_word(t, ETC_RECORD_NUMBER_I64, t->to_numbers.i64(&t->numbers, value),
	                   (uint64_t)value);
}

static etcore_result number_f64(void *h, double value)
{
	struct tap *t = h;

	return number_word(t, ETC_RECORD_NUMBER_F64, t->to_numbers.f64(&t->numbers, value),
	                   bits_of(value));
}

static etcore_result facts_put(void *h, uint32_t field, struct etcore_text value)
{
	struct tap *t = h;
	etcore_result r = t->to_facts.put(&t->facts, field, value);

	if (r == ETCORE_OK) {
		record(t, ETC_RECORD_PUT, field);
		put_text(t, value);
	}
	return r;
}

static etcore_result facts_put_number(void *h, uint32_t field, int64_t value)
{
	struct tap *t = h;
	etcore_result r = t->to_facts.put_number(&t->facts, field, value);

	if (r == ETCORE_OK) {
		record(t, ETC_RECORD_PUT_NUMBER, field);
		etc_wire_put(t->out, (uint64_t)value);
	}
	return r;
}

static etcore_result map_key(void *h, struct etcore_text key)
{
	struct tap *t = h;
	etcore_result r = t->to_map.key(&t->map, key);

	if (r == ETCORE_OK) {
		record(t, ETC_RECORD_KEY, 0);
		put_text(t, key);
	}
	return r;
}

static etcore_result map_debug_handle(void *h, int64_t debug_handle)
{
	struct tap *t = h;
	etcore_result r = t->to_map.debug_handle(&t->map, debug_handle);

	if (r == ETCORE_OK) {
		record(t, ETC_RECORD_HANDLE, 0);
		etc_wire_put(t->out, (uint64_t)debug_handle);
	}
	return r;
}

static etcore_result map_not_edge_handles(void *h)
{
	struct tap *t = h;
	etcore_result r = t->to_map.not_edge_handles(&t->map);

	if (r == ETCORE_OK)
		record(t, ETC_RECORD_NOT_EDGE, 0);
	return r;
}

static void diagnose(void *handle, uint32_t severity, struct etcore_text message)
{
	struct etc_tapped *t = handle;

	if (!t || !t->asking || (message.len && !message.ptr))
		return;
	if (message.len > ETC_DIAGNOSE_MAX)
		message.len = ETC_DIAGNOSE_MAX;
	etc_wire_put(t->out, ETC_RECORD_DIAGNOSE | (uint64_t)severity << 32);
	etc_wire_text(t->out, message.ptr, message.len);
}

/* ---- one call of a hook ---------------------------------------------------------- */

static void set_data(struct tap *t, struct etc_intake in)
{
	t->in = &t->data.in;
	*t->in = in;
	t->to_data = etc_datum_sink(&t->data);
	t->data_sink = (struct etcore_sink){
		.size = sizeof t->data_sink,
		.handle = t,
		.str = data_str,
		.i64 = data_i64,
		.f64 = data_f64,
		.boolean = data_boolean,
		.null = data_null,
		.json = data_json,
		.begin_list = data_begin_list,
		.begin_columns = data_begin_columns,
		.json_bytes = data_json_bytes,
	};
	t->a.data = &t->data_sink;
}

static void set_numbers(struct tap *t, struct etc_intake in, struct etc_converted *out)
{
	t->in = &t->numbers.in;
	*t->in = in;
	t->numbers.out = out;
	t->numbers.expected = t->a.count;
	t->to_numbers = etc_number_sink(&t->numbers);
	t->number_sink = (struct etcore_number_sink){
		.size = sizeof t->number_sink, .handle = t, .i64 = number_i64, .f64 = number_f64
	};
	t->a.numbers = &t->number_sink;
}

static void set_facts(struct tap *t, struct etc_intake in, bool naming)
{
	t->in = &t->facts.in;
	*t->in = in;
	t->facts.first = naming ? ETCORE_NAME_DISPLAY : ETCORE_CLASS_CATEGORY;
	t->facts.last = naming ? ETCORE_NAME_KERNEL : ETCORE_CLASS_MICROKERNEL;
	t->facts.out = &t->said;
	t->to_facts = etc_facts_sink(&t->facts);
	t->facts_sink = (struct etcore_text_sink){ .size = sizeof t->facts_sink,
		                                   .handle = t,
		                                   .put = facts_put,
		                                   .put_number = facts_put_number };
	t->a.facts = &t->facts_sink;
}

static void set_map(struct tap *t, struct etc_intake in)
{
	t->in = &t->map.in;
	*t->in = in;
	t->to_map = etc_map_sink(&t->map);
	t->map_sink = (struct etcore_map_sink){ .size = sizeof t->map_sink,
		                                .handle = t,
		                                .key = map_key,
		                                .debug_handle = map_debug_handle,
		                                .not_edge_handles = map_not_edge_handles };
	t->a.map = &t->map_sink;
}

static bool set_times(struct tap *t, struct etc_arena *scratch)
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

/* Codes that are out of range stay so in a byte. */
static uint64_t byte_of(uint32_t code)
{
	return code < 255 ? code : 255;
}

static void put_times(struct tap *t)
{
	uint64_t before[5] = { UINT64_MAX };

	for (uint32_t i = 0; i < t->a.call->count; i++) {
		const struct etcore_time *e = t->a.times[i];
		const uint64_t words[5] = { byte_of(e->kind) | byte_of(e->unit) << 8 |
			                            byte_of(e->clock) << 16 |
			                            byte_of(e->start) << 24 |
			                            byte_of(e->duration) << 32 |
			                            byte_of(e->rounding) << 40,
			                    (uint64_t)(int64_t)e->parent, bits_of(e->ns_per_unit),
			                    e->resolution, e->wraps_at };
		bool same = memcmp(words, before, sizeof words) == 0;

		record(t, ETC_RECORD_TIME, same);
		if (!same)
			etc_wire_words(t->out, words, 5);
		memcpy(before, words, sizeof words);
	}
}

static bool set_sinks(struct tap *t, enum etc_hook hook, const struct etcore_plugin *abi,
                      struct etc_arena *scratch)
{
	const struct etc_intake in = { .arena = scratch, .plugin = abi };
	struct etc_converted *out = NULL;

	switch (hook) {
	case ETC_HOOK_PARSE:
		set_data(t, in);
		return true;
	case ETC_HOOK_NAME:
	case ETC_HOOK_CLASSIFY:
		set_facts(t, in, hook == ETC_HOOK_NAME);
		return true;
	case ETC_HOOK_MAP:
		set_map(t, in);
		return true;
	case ETC_HOOK_CONVERT:
		out = etc_new(scratch, struct etc_converted, (size_t)t->a.count);
		set_numbers(t, in, out);
		return out != NULL;
	case ETC_HOOK_DESCRIBE:
		return set_times(t, scratch);
	default:
		return true;
	}
}

/* Runs a hook and writes its answer; what it was worth. */
static etcore_result ask(struct etc_tapped *to, uint64_t slot, enum etc_hook hook, struct tap *t,
                         struct etc_arena *scratch)
{
	char what[ETC_EXCEPTION_MAX];
	uint64_t head[3] = { slot, 0, 0 };
	size_t at = to->out->len;
	bool ok;

	etc_wire_words(to->out, head, 3);
	t->out = to->out;
	t->a.result = ETCORE_FAILED;
	if (!set_sinks(t, hook, to->p->abi, scratch)) {
		to->out->failed = true;
		return ETCORE_NOMEM;
	}
	to->asking = true;
	ok = etc_hook_call(to->p, hook, &t->a, what);
	to->asking = false;
	if (ok && hook == ETC_HOOK_PROBE) {
		record(t, ETC_RECORD_SCORE, 0);
		etc_wire_put(to->out, (uint64_t)(int64_t)t->a.score);
	} else if (ok && hook == ETC_HOOK_DESCRIBE && t->a.result == ETCORE_OK) {
		put_times(t);
	}
	if (t->in && t->in->fault[0]) {
		record(t, ETC_RECORD_FAULT, 0);
		etc_wire_text(to->out, t->in->fault, strlen(t->in->fault));
	}
	if (t->in && t->in->out_of_memory) /* the plugin's trouble, and not its host's */
		to->out->failed = true;
	if (!ok) {
		record(t, ETC_RECORD_THREW, 0);
		etc_wire_text(to->out, what, strlen(what));
	}
	etc_datum_intake_release(&t->data);
	free(t->map.handles);
	if (to->out->failed)
		return ETCORE_NOMEM;
	head[1] = (uint64_t)(int64_t)t->a.result;
	head[2] = to->out->len - at - sizeof head;
	memcpy(to->out->ptr + at, head, sizeof head);
	return ok && !(t->in && t->in->fault[0]) ? t->a.result : ETCORE_FAILED;
}

/* ---- all hooks of a call ---------------------------------------------------------- */

static etcore_result ask_event(struct etc_tapped *to, const struct etc_wire_call *c, uint64_t first,
                               enum etc_hook hook, uint32_t index)
{
	struct tap t = { .a = { .call = c->call, .index = index } };
	uint64_t slot = first + etc_slot_of(c->hooks, c->call->count, hook, index);
	struct etc_arena scratch;
	etcore_result r;

	if (!(c->hooks & 1u << hook) || to->out->failed ||
	    (etc_hook_of_event(hook) && c->only >= 0 && c->only != (int64_t)index))
		return ETCORE_DECLINE;
	etc_arena_init(&scratch, ETC_WIRE_ANSWERS);
	r = ask(to, slot, hook, &t, &scratch);
	etc_arena_release(&scratch);
	return r;
}

static void convert(struct etc_tapped *to, const struct etc_wire_call *c, uint64_t first)
{
	uint64_t slot = first + etc_slot_of(c->hooks, c->call->count, ETC_HOOK_CONVERT, 0);
	uint32_t index = c->only >= 0 ? (uint32_t)c->only : 0;
	const uint64_t *both[2] = { c->starts, c->ends };

	for (int i = 0; i < 2 && both[i]; i++) {
		struct tap t = { .a = { .call = c->call,
			                .index = index,
			                .scales = c->scales,
			                .raw = both[i],
			                .count = c->count } };
		struct etc_arena scratch;
		etcore_result r;

		etc_arena_init(&scratch, ETC_WIRE_ANSWERS);
		r = ask(to, slot + (uint64_t)i, ETC_HOOK_CONVERT, &t, &scratch);
		etc_arena_release(&scratch);
		if (r != ETCORE_OK)
			return;
	}
}

void etc_tap_call(struct etc_tapped *t, const struct etc_wire_call *c, uint64_t first_slot)
{
	uint32_t n = c->call->count;

	/* In the order of the host's own process. */
	ask_event(t, c, first_slot, ETC_HOOK_PROBE, 0);
	ask_event(t, c, first_slot, ETC_HOOK_DESCRIBE, 0);
	for (uint32_t i = 0; i < n; i++) {
		ask_event(t, c, first_slot, ETC_HOOK_NAME, i);
		ask_event(t, c, first_slot, ETC_HOOK_CLASSIFY, i);
	}
	for (uint32_t i = 0; i < n; i++)
		ask_event(t, c, first_slot, ETC_HOOK_MAP, i);
	for (uint32_t i = 0; i < n; i++)
		if (!c->parse || c->parse[i])
			ask_event(t, c, first_slot, ETC_HOOK_PARSE, i);
	if (c->hooks & 1u << ETC_HOOK_CONVERT)
		convert(t, c, first_slot);
}

bool etc_tap_open(struct etc_tapped *t)
{
	struct tap tap = { .a = { .result = ETCORE_FAILED } };
	struct etc_arena scratch;
	etcore_result r;

	t->p->services = (struct etcore_host){ sizeof(struct etcore_host), ETCORE_PLUGIN_ABI_MINOR,
		                               t, diagnose };
	if (!t->p->abi->open)
		return true;
	etc_arena_init(&scratch, ETC_WIRE_ANSWERS);
	r = ask(t, 0, ETC_HOOK_OPEN, &tap, &scratch);
	etc_arena_release(&scratch);
	t->p->self = tap.a.self;
	return r == ETCORE_OK;
}
