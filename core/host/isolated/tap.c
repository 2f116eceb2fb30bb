/* tap.c -- runs hooks in the process of an isolated plugin. When a hook calls a sink, the call is
 * validated here, so that the hook gets the same return code as in the host's process. The call is
 * then written to a message, and the host validates it a second time. */
#include <stdlib.h>

#include "host/expand.h"
#include "host/isolated/wire.h"

/* ---- sinks that pass answers to the host's sinks and record the accepted ones -- */

/* State while the hooks of one delegate call are run one after the other. The plugin gets recording
 * sinks. A recording sink passes each answer to a sink of sink.h, which validates it, and records
 * the answer if that sink accepted it. */
struct tap {
	struct etc_tapped *to;
	struct etc_arena scratch;
	struct etc_hook_args a;
	struct etc_intake *in; /* intake of the running hook; NULL: the hook has no sink */
	struct etc_datum_intake data;
	struct etc_number_intake numbers;
	struct etc_facts_intake facts;
	struct etc_map_intake map;
	struct etc_child_intake children;
	struct etc_facts said;
	struct etcore_sink to_data, data_sink;
	struct etcore_number_sink to_numbers, number_sink;
	struct etcore_map_sink to_map, map_sink;
	struct etcore_text_sink facts_sink;
	struct etcore_child_sink to_children, child_sink;
};

static inline uint64_t bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

/* Returns a number of plugin.h, such as ETCORE_UNIT_*, as a byte. A number above 255 is invalid; it
 * becomes 255, which is invalid, too. */
static uint64_t byte_of(uint32_t code)
{
	return code < 255 ? code : 255;
}

/* Converts a struct etcore_time to the words of a record. */
static void time_words(const struct etcore_time *t, uint64_t words[ETC_TIME_WORDS])
{
	words[0] = byte_of(t->kind) | byte_of(t->unit) << 8 | byte_of(t->clock) << 16 |
	           byte_of(t->start) << 24 | byte_of(t->duration) << 32 |
	           byte_of(t->rounding) << 40;
	words[1] = (uint64_t)(int64_t)t->parent;
	words[2] = bits_of(t->ns_per_unit);
	words[3] = t->resolution;
	words[4] = t->wraps_at;
	words[5] = t->sync_device;
	words[6] = t->sync_host;
}

static void put_record(struct tap *t, enum etc_record kind, uint32_t upper)
{
	etc_wire_put(t->to->out, (uint64_t)kind | (uint64_t)upper << 32);
}

static void put_text(struct tap *t, struct etcore_text text)
{
	etc_wire_text(t->to->out, text.ptr, text.len);
}

/* Records a value if etcore's sink (sink.h), which validates it, has accepted it. `r` is the result
 * of that sink, and is returned. If that sink refused the value, ask() records the fault after the
 * hook. */
static etcore_result data_text(struct tap *t, enum etc_record kind, etcore_result r,
                               struct etcore_text name, struct etcore_text value)
{
	if (r != ETCORE_OK)
		return r;
	put_record(t, kind, 0);
	put_text(t, name);
	put_text(t, value);
	return r;
}

static etcore_result data_word(struct tap *t, enum etc_record kind, etcore_result r,
                               struct etcore_text name, uint64_t value)
{
	if (r != ETCORE_OK)
		return r;
	put_record(t, kind, 0);
	put_text(t, name);
	if (kind != ETC_RECORD_NULL)
		etc_wire_put(t->to->out, value);
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
		put_record(t, ETC_RECORD_BEGIN_LIST, 0);
	return r;
}

static etcore_result data_begin_columns(void *h)
{
	struct tap *t = h;
	etcore_result r = t->to_data.begin_columns(&t->data);

	if (r == ETCORE_OK)
		put_record(t, ETC_RECORD_BEGIN_COLUMNS, 0);
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
		put_record(t, kind, 0);
		etc_wire_put(t->to->out, value);
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

/* Returns the entry of the cache t->said for a text, by the text's address in the plugin; NULL: the
 * text is empty. */
static uint32_t *place_of(struct etc_tapped *t, struct etcore_text value)
{
	return value.ptr && value.len
	               ? &t->said[etc_hash_where(value.ptr, value.len) % ETC_TAP_SAID]
	               : NULL;
}

/* Is the text at offset `at` of the message equal to `value`? `at` 0: no text. */
static bool is_at(const struct etc_wire *w, uint32_t at, struct etcore_text value)
{
	struct etc_unwire r = { w->ptr, w->len, at, at == 0 };
	struct etcore_text text = etc_unwire_text(&r);

	return text.len == value.len && memcmp(text.ptr, value.ptr, (size_t)value.len) == 0;
}

static etcore_result facts_put(void *h, uint32_t field, struct etcore_text value)
{
	struct tap *t = h;
	struct etc_wire *out = t->to->out;
	uint32_t *place = place_of(t->to, value);
	bool again = place && is_at(out, *place, value);
	struct etc_str kept =
		again ? (struct etc_str){ value.ptr, (size_t)value.len } : ETC_STR_NONE;
	etcore_result r = etc_facts_put(&t->facts, field, value, &kept);

	if (r != ETCORE_OK)
		return r;
	put_record(t, again ? ETC_RECORD_PUT_AGAIN : ETC_RECORD_PUT, field);
	if (again) {
		etc_wire_put(out, *place);
		return r;
	}
	if (place)
		*place = (uint32_t)out->len;
	put_text(t, value);
	return r;
}

static etcore_result facts_put_number(void *h, uint32_t field, int64_t value)
{
	struct tap *t = h;
	etcore_result r = etc_facts_put_number(&t->facts, field, value);

	if (r == ETCORE_OK) {
		put_record(t, ETC_RECORD_PUT_NUMBER, field);
		etc_wire_put(t->to->out, (uint64_t)value);
	}
	return r;
}

static etcore_result map_key(void *h, struct etcore_text key)
{
	struct tap *t = h;
	etcore_result r = t->to_map.key(&t->map, key);

	if (r == ETCORE_OK) {
		put_record(t, ETC_RECORD_KEY, 0);
		put_text(t, key);
	}
	return r;
}

static etcore_result map_debug_handle(void *h, int64_t debug_handle)
{
	struct tap *t = h;
	etcore_result r = t->to_map.debug_handle(&t->map, debug_handle);

	if (r == ETCORE_OK) {
		put_record(t, ETC_RECORD_HANDLE, 0);
		etc_wire_put(t->to->out, (uint64_t)debug_handle);
	}
	return r;
}

static etcore_result map_not_edge_handles(void *h)
{
	struct tap *t = h;
	etcore_result r = t->to_map.not_edge_handles(&t->map);

	if (r == ETCORE_OK)
		put_record(t, ETC_RECORD_NOT_EDGE, 0);
	return r;
}

/* The sink of sink.h has validated every member of `c` that is read here. */
static etcore_result child_begin(void *h, const struct etcore_child *c)
{
	struct tap *t = h;
	struct etc_wire *out = t->to->out;
	etcore_result r = t->to_children.begin(&t->children, c);
	struct etcore_time time = { .size = sizeof time };
	uint64_t words[ETC_TIME_WORDS];

	if (r != ETCORE_OK)
		return r;
	put_record(t, ETC_RECORD_CHILD, (uint32_t)c->parent);
	put_text(t, c->name);
	etc_wire_put(out, (c->starts ? ETC_CHILD_STARTS : 0) | (c->time ? ETC_CHILD_TIME : 0));
	etc_wire_put(out, c->samples);
	etc_wire_words(out, c->durations, c->samples);
	if (c->starts)
		etc_wire_words(out, c->starts, c->samples);
	if (!c->time)
		return r;
	memcpy(&time, c->time, c->time->size < sizeof time ? c->time->size : sizeof time);
	time_words(&time, words);
	etc_wire_words(out, words, ETC_TIME_WORDS);
	return r;
}

/* Implements etcore_host.diagnose. `handle` is the struct etc_tapped. */
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

/* Sets all recording sinks. A recording sink passes each answer on to another sink, which
 * set_sink() makes anew for each hook. */
static void set_sinks(struct tap *t)
{
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
	t->number_sink = (struct etcore_number_sink){
		.size = sizeof t->number_sink, .handle = t, .i64 = number_i64, .f64 = number_f64
	};
	t->facts_sink = (struct etcore_text_sink){ .size = sizeof t->facts_sink,
		                                   .handle = t,
		                                   .put = facts_put,
		                                   .put_number = facts_put_number };
	t->child_sink = (struct etcore_child_sink){ .size = sizeof t->child_sink,
		                                    .handle = t,
		                                    .begin = child_begin,
		                                    .facts = &t->facts_sink,
		                                    .columns = &t->data_sink };
	t->map_sink = (struct etcore_map_sink){ .size = sizeof t->map_sink,
		                                .handle = t,
		                                .key = map_key,
		                                .debug_handle = map_debug_handle,
		                                .not_edge_handles = map_not_edge_handles };
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

static void put_times(struct tap *t)
{
	uint64_t before[ETC_TIME_WORDS] = { UINT64_MAX };

	for (uint32_t i = 0; i < t->a.call->count; i++) {
		uint64_t words[ETC_TIME_WORDS];
		bool same;

		time_words(t->a.times[i], words);
		same = memcmp(words, before, sizeof words) == 0;
		put_record(t, ETC_RECORD_TIME, same);
		if (!same)
			etc_wire_words(t->to->out, words, ETC_TIME_WORDS);
		memcpy(before, words, sizeof words);
	}
}

/* Prepares the arguments of a hook, and the sink (of sink.h) that validates its answer. */
static bool set_sink(struct tap *t, enum etc_hook hook, struct etc_arena *scratch)
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
	/* nothing is allocated for NAME and CLASSIFY, because these are the most frequent hooks */
	case ETC_HOOK_CLASSIFY:
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

enum { HEAD = 3 /* number of words before the records of an answer */ };

/* Runs a hook with the arguments in t->a and writes its answer; returns its result after
 * validation. */
static etcore_result ask(struct tap *t, uint64_t slot, enum etc_hook hook)
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
		put_record(t, ETC_RECORD_SCORE, 0);
		etc_wire_put(out, (uint64_t)(int64_t)t->a.score);
	} else if (ok && hook == ETC_HOOK_DESCRIBE && t->a.result == ETCORE_OK) {
		put_times(t);
	}
	if (t->in && t->in->fault[0]) {
		put_record(t, ETC_RECORD_FAULT, 0);
		etc_wire_text(out, t->in->fault, strlen(t->in->fault));
	}
	/* the lack of memory is the plugin's failure, so it is not reported as E0904 */
	if (t->in && t->in->out_of_memory)
		out->failed = true;
	if (!ok) {
		put_record(t, ETC_RECORD_THREW, 0);
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

static void start(struct tap *t, struct etc_tapped *to)
{
	*t = (struct tap){ .to = to };
	etc_arena_init(&t->scratch, ETC_WIRE_ANSWERS);
	set_sinks(t);
	t->facts = (struct etc_facts_intake){ .in = { .arena = &t->scratch, .plugin = to->p->abi },
		                              .out = &t->said };
}

static void ask_event(struct tap *t, const struct etc_wire_call *c, uint64_t first,
                      enum etc_hook hook, uint32_t index)
{
	if (!(c->hooks & 1u << hook) || t->to->out->failed ||
	    (etc_hook_of_event(hook) && c->only >= 0 && c->only != (int64_t)index))
		return;
	t->a = (struct etc_hook_args){ .call = c->call, .index = index };
	ask(t, first + etc_slot_of(c->hooks, c->call->count, hook, index), hook);
}

static void convert(struct tap *t, const struct etc_wire_call *c, uint64_t first)
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
	struct tap t;

	start(&t, to);
	/* The hooks are called in the order in which the host calls those of a plugin in its own
	 * process. */
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
	struct tap t;
	etcore_result r;

	to->p->services = (struct etcore_host){ sizeof(struct etcore_host), ETCORE_PLUGIN_ABI_MINOR,
		                                to, diagnose, etc_hook_service };
	if (!to->p->abi->open)
		return true;
	start(&t, to);
	r = ask(&t, 0, ETC_HOOK_OPEN);
	etc_arena_release(&t.scratch);
	to->p->self = t.a.self;
	return r == ETCORE_OK;
}
