/* tap_sinks.c -- see tap.h: the sinks that pass a plugin's answers to the host's sinks
 * and record the accepted ones. */
#include "host/isolated/tap.h"

void etc_tap_record(struct etc_tap *t, enum etc_record kind, uint32_t upper)
{
	etc_wire_put(t->to->out, (uint64_t)kind | (uint64_t)upper << 32);
}

static void put_text(struct etc_tap *t, struct etcore_text text)
{
	etc_wire_text(t->to->out, text.ptr, text.len);
}

/* Records an answer that the sink accepted (`r`). A refused one is not recorded here. */
static etcore_result data_text(struct etc_tap *t, enum etc_record kind, etcore_result r,
                               struct etcore_text name, struct etcore_text value)
{
	if (r != ETCORE_OK)
		return r;
	etc_tap_record(t, kind, 0);
	put_text(t, name);
	put_text(t, value);
	return r;
}

static etcore_result data_word(struct etc_tap *t, enum etc_record kind, etcore_result r,
                               struct etcore_text name, uint64_t value)
{
	if (r != ETCORE_OK)
		return r;
	etc_tap_record(t, kind, 0);
	put_text(t, name);
	if (kind != ETC_RECORD_NULL)
		etc_wire_put(t->to->out, value);
	return r;
}

static etcore_result data_str(void *h, struct etcore_text name, struct etcore_text value)
{
	struct etc_tap *t = h;

	return data_text(t, ETC_RECORD_STR, t->to_data.str(&t->data, name, value), name, value);
}

static etcore_result data_json(void *h, struct etcore_text name, struct etcore_text value)
{
	struct etc_tap *t = h;

	return data_text(t, ETC_RECORD_JSON, t->to_data.json(&t->data, name, value), name, value);
}

static etcore_result data_i64(void *h, struct etcore_text name, int64_t value)
{
	struct etc_tap *t = h;

	return data_word(t, ETC_RECORD_I64, t->to_data.i64(&t->data, name, value), name,
	                 (uint64_t)value);
}

static etcore_result data_f64(void *h, struct etcore_text name, double value)
{
	struct etc_tap *t = h;

	return data_word(t, ETC_RECORD_F64, t->to_data.f64(&t->data, name, value), name,
	                 etc_tap_bits(value));
}

static etcore_result data_boolean(void *h, struct etcore_text name, int32_t value)
{
	struct etc_tap *t = h;

	return data_word(t, ETC_RECORD_BOOL, t->to_data.boolean(&t->data, name, value), name,
	                 value != 0);
}

static etcore_result data_null(void *h, struct etcore_text name)
{
	struct etc_tap *t = h;

	return data_word(t, ETC_RECORD_NULL, t->to_data.null(&t->data, name), name, 0);
}

static etcore_result data_begin_list(void *h)
{
	struct etc_tap *t = h;
	etcore_result r = t->to_data.begin_list(&t->data);

	if (r == ETCORE_OK)
		etc_tap_record(t, ETC_RECORD_BEGIN_LIST, 0);
	return r;
}

static etcore_result data_begin_columns(void *h)
{
	struct etc_tap *t = h;
	etcore_result r = t->to_data.begin_columns(&t->data);

	if (r == ETCORE_OK)
		etc_tap_record(t, ETC_RECORD_BEGIN_COLUMNS, 0);
	return r;
}

static etcore_result data_json_bytes(void *h, struct etcore_text name, struct etcore_text value)
{
	struct etc_tap *t = h;

	return data_text(t, ETC_RECORD_JSON_BYTES, t->to_data.json_bytes(&t->data, name, value),
	                 name, value);
}

static etcore_result number_word(struct etc_tap *t, enum etc_record kind, etcore_result r,
                                 uint64_t value)
{
	if (r == ETCORE_OK) {
		etc_tap_record(t, kind, 0);
		etc_wire_put(t->to->out, value);
	}
	return r;
}

static etcore_result number_i64(void *h, int64_t value)
{
	struct etc_tap *t = h;

	return number_word(t, ETC_RECORD_NUMBER_I64, t->to_numbers.i64(&t->numbers, value),
	                   (uint64_t)value);
}

static etcore_result number_f64(void *h, double value)
{
	struct etc_tap *t = h;

	return number_word(t, ETC_RECORD_NUMBER_F64, t->to_numbers.f64(&t->numbers, value),
	                   etc_tap_bits(value));
}

/* Table entry for a text that may be repeated, by its address in the plugin; NULL: none. */
static uint32_t *place_of(struct etc_tapped *t, struct etcore_text value)
{
	return value.ptr && value.len
	               ? &t->said[etc_hash_where(value.ptr, value.len) % ETC_TAP_SAID]
	               : NULL;
}

/* Is this text at offset `at` of the message? */
static bool is_at(const struct etc_wire *w, uint32_t at, struct etcore_text value)
{
	struct etc_unwire r = { w->ptr, w->len, at, at == 0 };
	struct etcore_text text = etc_unwire_text(&r);

	return text.len == value.len && memcmp(text.ptr, value.ptr, (size_t)value.len) == 0;
}

static etcore_result facts_put(void *h, uint32_t field, struct etcore_text value)
{
	struct etc_tap *t = h;
	struct etc_wire *out = t->to->out;
	uint32_t *place = place_of(t->to, value);
	bool again = place && is_at(out, *place, value);
	struct etc_str kept =
		again ? (struct etc_str){ value.ptr, (size_t)value.len } : ETC_STR_NONE;
	etcore_result r = etc_facts_put(&t->facts, field, value, &kept);

	if (r != ETCORE_OK)
		return r;
	etc_tap_record(t, again ? ETC_RECORD_PUT_AGAIN : ETC_RECORD_PUT, field);
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
	struct etc_tap *t = h;
	etcore_result r = etc_facts_put_number(&t->facts, field, value);

	if (r == ETCORE_OK) {
		etc_tap_record(t, ETC_RECORD_PUT_NUMBER, field);
		etc_wire_put(t->to->out, (uint64_t)value);
	}
	return r;
}

static etcore_result map_key(void *h, struct etcore_text key)
{
	struct etc_tap *t = h;
	etcore_result r = t->to_map.key(&t->map, key);

	if (r == ETCORE_OK) {
		etc_tap_record(t, ETC_RECORD_KEY, 0);
		put_text(t, key);
	}
	return r;
}

static etcore_result map_debug_handle(void *h, int64_t debug_handle)
{
	struct etc_tap *t = h;
	etcore_result r = t->to_map.debug_handle(&t->map, debug_handle);

	if (r == ETCORE_OK) {
		etc_tap_record(t, ETC_RECORD_HANDLE, 0);
		etc_wire_put(t->to->out, (uint64_t)debug_handle);
	}
	return r;
}

static etcore_result map_not_edge_handles(void *h)
{
	struct etc_tap *t = h;
	etcore_result r = t->to_map.not_edge_handles(&t->map);

	if (r == ETCORE_OK)
		etc_tap_record(t, ETC_RECORD_NOT_EDGE, 0);
	return r;
}

/* The host's sink has validated every member that is read here. */
static etcore_result child_begin(void *h, const struct etcore_child *c)
{
	struct etc_tap *t = h;
	struct etc_wire *out = t->to->out;
	etcore_result r = t->to_children.begin(&t->children, c);
	struct etcore_time time = { .size = sizeof time };
	uint64_t words[ETC_TIME_WORDS];

	if (r != ETCORE_OK)
		return r;
	etc_tap_record(t, ETC_RECORD_CHILD, (uint32_t)c->parent);
	put_text(t, c->name);
	etc_wire_put(out, (c->starts ? ETC_CHILD_STARTS : 0) | (c->time ? ETC_CHILD_TIME : 0));
	etc_wire_put(out, c->samples);
	etc_wire_words(out, c->durations, c->samples);
	if (c->starts)
		etc_wire_words(out, c->starts, c->samples);
	if (!c->time)
		return r;
	memcpy(&time, c->time, c->time->size < sizeof time ? c->time->size : sizeof time);
	etc_tap_time_words(&time, words);
	etc_wire_words(out, words, ETC_TIME_WORDS);
	return r;
}

void etc_tap_diagnose(void *handle, uint32_t severity, struct etcore_text message)
{
	struct etc_tapped *t = handle;

	if (!t || !t->asking || (message.len && !message.ptr))
		return;
	if (message.len > ETC_DIAGNOSE_MAX)
		message.len = ETC_DIAGNOSE_MAX;
	etc_wire_put(t->out, ETC_RECORD_DIAGNOSE | (uint64_t)severity << 32);
	etc_wire_text(t->out, message.ptr, message.len);
}

void etc_tap_sinks(struct etc_tap *t)
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
