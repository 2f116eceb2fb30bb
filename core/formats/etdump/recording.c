/* recording.c -- see recording.h. */
#include "formats/etdump/recording.h"

#include "base/ascii.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "formats/container/json.h"

#define FORMAT "etcore-parity/1"
enum { ITEMS_MOST = 1 << 20 }; /* limit of items in one list */

struct reader {
	struct etc_arena *arena;
	struct etc_json *doc;
	struct etc_error *err;
	bool of_format;
	/* Number of the current event, from 1; 0: none. */
	uint32_t number;
	struct etc_recorded_event *event;
	uint64_t starts, ends, blobs, answered[2];
	bool any_blob;
};

/* A growing list. */
struct list {
	void *items;
	size_t size;
	uint32_t count, room;
};

static enum etc_status bad(struct reader *r, const char *what)
{
	if (r->number)
		return etc_fail(r->err, E0634, "event %u: %s", (unsigned)r->number, what);
	return etc_fail(r->err, E0634, "%s", what);
}

static enum etc_status unknown(struct reader *r, struct etc_str key)
{
	char what[100];

	snprintf(what, sizeof what, "unknown key '" ETC_STR_FMT "'", ETC_STR_ARG(key));
	return bad(r, what);
}

static void *list_add(struct list *l)
{
	uint32_t more = l->room ? l->room * 2 : 8;

	if (l->count == l->room) {
		void *p = more > ITEMS_MOST ? NULL : etc_realloc(l->items, more * l->size);

		if (!p)
			return NULL;
		l->items = p;
		l->room = more;
	}
	return memset((char *)l->items + l->size * l->count++, 0, l->size);
}

/* Copies the list's items to the arena and empties the list. */
static void *list_end(struct reader *r, struct list *l)
{
	void *copy = etc_arena_alloc(r->arena, l->size, _Alignof(max_align_t), l->count);

	if (copy && l->count)
		memcpy(copy, l->items, l->count * l->size);
	free(l->items);
	l->items = NULL;
	return copy;
}

/* Reads a string, with escapes resolved. */
static enum etc_status text(struct reader *r, const struct etc_json_value *v, const char *what,
                            struct etc_str *out)
{
	bool not_json = false;

	if (etc_json_type(v) != ETC_JSON_STRING)
		return bad(r, what);
	if (etc_json_unescape(r->arena, etc_json_inside(v->raw), out, &not_json))
		return ETC_OK;
	return not_json ? bad(r, what) : etc_no_memory(r->err);
}

/* Converts any JSON value, keeping its text as written. */
static struct etc_datum datum(const struct etc_json_value *v)
{
	etc_json_verify(v);
	return (struct etc_datum){ .kind = ETC_DATUM_JSON, .text = etc_json_through(v) };
}

/* Walks a list; `take` reads one value into a new item. */
static enum etc_status walk(struct reader *r, const struct etc_json_value *v, size_t size,
                            enum etc_status (*take)(struct reader *r,
                                                    const struct etc_json_value *v, void *item),
                            const void **out, uint64_t *count, const char *what)
{
	struct list l = { .size = size };
	enum etc_status st = ETC_OK;
	struct etc_json_iter it;

	if (etc_json_type(v) != ETC_JSON_ARRAY || !etc_json_enter(v, &it))
		return bad(r, what);
	while (st == ETC_OK && etc_json_more(&it)) {
		void *item = list_add(&l);

		st = item ? take(r, &it.value, item) : etc_no_memory(r->err);
	}
	*count = l.count;
	*out = list_end(r, &l);
	return st == ETC_OK && !*out ? etc_no_memory(r->err) : st;
}

/* ---- one event ----------------------------------------------------------------------- */

static enum etc_status take_tick(struct reader *r, const struct etc_json_value *v, void *item)
{
	if (etc_json_type(v) != ETC_JSON_INT || !etc_number_parse_u64(v->raw, item))
		return bad(r, "start and end are lists of raw ticks, integers of 64 bits");
	return ETC_OK;
}

/* Reads bytes, written as {"hex": "07ff"}. */
static enum etc_status take_hex(struct reader *r, const struct etc_json_value *v,
                                struct etc_span *out)
{
	const char *what = "metadata is a list of texts and of {\"hex\": \"07ff\"}";
	struct etc_json_iter it;
	struct etc_str digits;
	uint8_t *to;

	if (!etc_json_enter(v, &it) || !etc_json_more(&it) || !etc_str_eq(it.key, ETC_STR("hex")))
		return bad(r, what);
	ETC_TRY(text(r, &it.value, what, &digits));
	to = etc_new(r->arena, uint8_t, digits.len / 2);
	ETC_NEED(to, r->err);
	*out = (struct etc_span){ to, digits.len / 2 };
	for (size_t i = 0; i < digits.len / 2; i++) {
		int high = etc_hex_digit(digits.ptr[2 * i]),
		    low = etc_hex_digit(digits.ptr[2 * i + 1]);

		if (high < 0 || low < 0)
			return bad(r, what);
		to[i] = (uint8_t)(high << 4 | low);
	}
	return digits.len % 2 || etc_json_more(&it) ? bad(r, what) : ETC_OK;
}

static enum etc_status take_blob(struct reader *r, const struct etc_json_value *v, void *item)
{
	struct etc_span *out = item;
	struct etc_str s;

	if (etc_json_type(v) == ETC_JSON_OBJECT)
		ETC_TRY(take_hex(r, v, out));
	else {
		ETC_TRY(text(r, v, "metadata is a list of texts and of {\"hex\": \"07ff\"}", &s));
		*out = etc_span_of(s);
	}
	r->any_blob |= out->len > 0;
	return ETC_OK;
}

static enum etc_status take_number(struct reader *r, const struct etc_json_value *v, void *item)
{
	enum etc_json_type type = etc_json_type(v);

	if (type != ETC_JSON_INT && type != ETC_JSON_FLOAT)
		return bad(r, "converted times are numbers");
	*(struct etc_datum *)item = datum(v);
	return ETC_OK;
}

static enum etc_status take_item(struct reader *r, const struct etc_json_value *v, void *item)
{
	(void)r;
	*(struct etc_datum *)item = datum(v);
	return ETC_OK;
}

static enum etc_status read_id(struct reader *r, const struct etc_json_value *v)
{
	if (etc_json_type(v) == ETC_JSON_STRING)
		return text(r, v, "id", &r->event->name);
	if (etc_json_type(v) != ETC_JSON_INT || !etc_json_int(v->raw, &r->event->id))
		return bad(r, "id is the delegate's name of the event, or its number");
	return ETC_OK;
}

static enum etc_status read_backend(struct reader *r, const struct etc_json_value *v)
{
	return text(r, v, "backend is a text", &r->event->backend);
}

static enum etc_status read_start(struct reader *r, const struct etc_json_value *v)
{
	return walk(r, v, sizeof(uint64_t), take_tick, (const void **)&r->event->start, &r->starts,
	            "start is a list of raw ticks");
}

static enum etc_status read_end(struct reader *r, const struct etc_json_value *v)
{
	return walk(r, v, sizeof(uint64_t), take_tick, (const void **)&r->event->end, &r->ends,
	            "end is a list of raw ticks");
}

static enum etc_status read_metadata(struct reader *r, const struct etc_json_value *v)
{
	return walk(r, v, sizeof(struct etc_span), take_blob, (const void **)&r->event->metadata,
	            &r->blobs, "metadata is a list, one item per run");
}

static enum etc_status read_raises(struct reader *r, const struct etc_json_value *v)
{
	struct etc_str why;

	r->event->parsed = r->event->raised = true;
	return text(r, v, "raises is the exception as a text", &why);
}

static enum etc_status read_dict(struct reader *r, const struct etc_json_value *v)
{
	struct list l = { .size = sizeof(struct etc_datum) };
	enum etc_status st = ETC_OK;
	struct etc_json_iter it;
	struct etc_str name;
	bool not_json;

	if (!etc_json_enter(v, &it))
		return bad(r, "parsed");
	while (st == ETC_OK && etc_json_more(&it)) {
		struct etc_datum *d = list_add(&l);

		if (!d || !etc_json_unescape(r->arena, it.key, &name, &not_json)) {
			st = etc_no_memory(r->err);
			break;
		}
		*d = datum(&it.value);
		d->name = name;
	}
	r->event->value_count = l.count;
	r->event->form = l.count ? ETC_PARSED_DICT : ETC_PARSED_NONE;
	r->event->values = list_end(r, &l);
	return st == ETC_OK && !r->event->values ? etc_no_memory(r->err) : st;
}

static enum etc_status read_parsed(struct reader *r, const struct etc_json_value *v)
{
	enum etc_json_type type = etc_json_type(v);
	uint64_t n = 0;

	r->event->parsed = true;
	if (type == ETC_JSON_NULL)
		return ETC_OK;
	if (type == ETC_JSON_OBJECT)
		return read_dict(r, v);
	ETC_TRY(walk(r, v, sizeof(struct etc_datum), take_item, (const void **)&r->event->values,
	             &n, "parsed is an object, a list or null"));
	r->event->value_count = (uint32_t)n;
	r->event->form = n ? ETC_PARSED_LIST : ETC_PARSED_NONE;
	return ETC_OK;
}

static enum etc_status read_converted_start(struct reader *r, const struct etc_json_value *v)
{
	return walk(r, v, sizeof(struct etc_datum), take_number, (const void **)&r->event->times[0],
	            &r->answered[0], "converted_start is a list of numbers");
}

static enum etc_status read_converted_end(struct reader *r, const struct etc_json_value *v)
{
	return walk(r, v, sizeof(struct etc_datum), take_number, (const void **)&r->event->times[1],
	            &r->answered[1], "converted_end is a list of numbers");
}

struct field {
	const char *key;
	enum etc_status (*read)(struct reader *r, const struct etc_json_value *v);
};

/* Reads the members of an object, each with the function that `table` has for its key. An unknown
 * key is an error, since its value would not be checked. */
static enum etc_status fields(struct reader *r, const struct etc_json_value *v,
                              const struct field *table)
{
	struct etc_json_iter it;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return bad(r, "no JSON object");
	while (etc_json_more(&it)) {
		const struct field *f = table;

		while (f->key && !etc_str_eq(it.key, etc_str_of(f->key)))
			f++;
		if (!f->key && !etc_json_failed(r->doc))
			return unknown(r, etc_str_sub(it.key, 0, 60));
		if (f->key && f->read)
			ETC_TRY(f->read(r, &it.value));
	}
	return ETC_OK;
}

/* Checks that each list of the current event (start, end, metadata ...) has one item per run. */
static enum etc_status complete(struct reader *r)
{
	struct etc_recorded_event *e = r->event;

	e->samples = r->starts ? r->starts : r->blobs;
	if (r->starts != r->ends)
		return bad(r, "start and end differ in length");
	if (r->blobs && r->blobs != e->samples)
		return bad(r, "metadata has not one item per run");
	for (int k = 0; k < 2; k++)
		if (e->times[k] && r->answered[k] != r->starts)
			return bad(r, "converted_start and converted_end have one number per run");
	if (!e->times[0] != !e->times[1])
		return bad(r, "converted_start and converted_end belong together");
	if (!e->parsed && !e->times[0])
		return bad(r, "no answer is recorded: neither parsed nor converted_start");
	if (!r->any_blob)
		e->metadata = NULL;
	if (!r->starts) {
		e->start = e->end = etc_new(r->arena, uint64_t, (size_t)e->samples);
		return e->start ? ETC_OK : etc_no_memory(r->err);
	}
	return ETC_OK;
}

static enum etc_status take_event(struct reader *r, const struct etc_json_value *v, void *item)
{
	static const struct field table[] = {
		{ "id", read_id },
		{ "backend", read_backend },
		{ "start", read_start },
		{ "end", read_end },
		{ "metadata", read_metadata },
		{ "parsed", read_parsed },
		{ "raises", read_raises },
		{ "converted_start", read_converted_start },
		{ "converted_end", read_converted_end },
		{ NULL, NULL },
	};

	r->number++;
	r->event = item;
	r->event->id = -1;
	r->starts = r->ends = r->blobs = r->answered[0] = r->answered[1] = 0;
	r->any_blob = false;
	ETC_TRY(fields(r, v, table));
	return etc_json_failed(r->doc) ? ETC_OK : complete(r);
}

/* ---- the recording --------------------------------------------------------------------- */

struct top {
	/* must be the first member: functions get a pointer to it, and convert this pointer to a
	 * struct top */
	struct reader reader;
	struct etc_recording *out;
};

static enum etc_status read_format(struct reader *r, const struct etc_json_value *v)
{
	struct etc_str s;

	ETC_TRY(text(r, v, "format is \"" FORMAT "\"", &s));
	r->of_format = etc_str_eq(s, ETC_STR(FORMAT));
	if (!r->of_format)
		return etc_fail(r->err, E0634, "format '" ETC_STR_FMT "', expected '" FORMAT "'",
		                ETC_STR_ARG(etc_str_sub(s, 0, 60)));
	return ETC_OK;
}

static enum etc_status read_unit(struct reader *r, const struct etc_json_value *v, uint8_t *out)
{
	struct etc_str s;

	ETC_TRY(text(r, v, "a time scale is a text", &s));
	*out = etc_unit_parse(s);
	return *out ? ETC_OK : bad(r, "a time scale is one of ns, us, ms, s, cycles");
}

static enum etc_status read_source(struct reader *r, const struct etc_json_value *v)
{
	return read_unit(r, v, &((struct top *)r)->out->source);
}

static enum etc_status read_target(struct reader *r, const struct etc_json_value *v)
{
	return read_unit(r, v, &((struct top *)r)->out->target);
}

static enum etc_status read_events(struct reader *r, const struct etc_json_value *v)
{
	struct etc_recording *out = ((struct top *)r)->out;
	uint64_t n;

	ETC_TRY(walk(r, v, sizeof(struct etc_recorded_event), take_event,
	             (const void **)&out->events, &n, "events is a list"));
	out->count = (uint32_t)n;
	r->number = 0;
	return ETC_OK;
}

static enum etc_status read_document(struct top *t)
{
	static const struct field table[] = {
		{ "format", read_format },
		{ "recorded", NULL },
		{ "parser", NULL },
		{ "converter", NULL },
		{ "source_time_scale", read_source },
		{ "target_time_scale", read_target },
		{ "events", read_events },
		{ NULL, NULL },
	};
	struct reader *r = &t->reader;
	struct etc_json_value root;

	etc_json_root(r->doc, &root);
	ETC_TRY(fields(r, &root, table));
	if (etc_json_check_end(r->doc, NULL) != ETC_OK)
		return bad(r, "no JSON");
	if (!r->of_format)
		return bad(r, "no \"format\": \"" FORMAT "\"");
	return t->out->count ? ETC_OK : bad(r, "no event is recorded");
}

enum etc_status etc_recording_read(struct etc_span bytes, struct etc_arena *arena,
                                   struct etc_recording *out, struct etc_error *err)
{
	struct etc_str json = { (const char *)bytes.ptr, bytes.len };
	struct top t = { .reader = { .arena = arena, .err = err }, .out = out };
	struct etc_error why = { 0 };
	enum etc_status st;
	bool moved;

	*out = (struct etc_recording){ .source = ETC_UNIT_NS, .target = ETC_UNIT_MS };
	ETC_TRY(etc_json_utf8_as(arena, &json, &moved, E0634, err));
	ETC_TRY(etc_json_open(json, moved ? 64 : 0, arena, &t.reader.doc, err));
	st = read_document(&t);
	/* Invalid JSON ends a walk early: report the invalid JSON instead of missing members. */
	if (st != ETC_OK && st != ETC_NOMEM && etc_json_failed(t.reader.doc) &&
	    etc_json_check(t.reader.doc, &why) != ETC_OK)
		st = etc_fail(err, E0634, "%s", why.text);
	etc_json_close(t.reader.doc);
	return st;
}
