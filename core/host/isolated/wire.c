/* wire.c -- see wire.h: reads and writes words, and writes delegate calls to a message. */
#include "host/isolated/wire.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"

enum {
	FIRST_ROOM = 64 << 10,
	/* a blob of at least this size, in bytes, is sent as a reference to the file that contains
	 * it, if this file is known */
	BY_FILE = 4096
};

/* ---- words -------------------------------------------------------------------- */

static uint8_t *base_of(const struct etc_wire *w)
{
	return w->ptr ? w->ptr - sizeof(struct etc_frame) : NULL;
}

void etc_wire_release(struct etc_wire *w)
{
	free(base_of(w));
	*w = (struct etc_wire){ .most = w->most };
}

bool etc_wire_reserve(struct etc_wire *w, size_t bytes)
{
	size_t room = w->room ? w->room : FIRST_ROOM;
	uint8_t *more;

	if (w->failed || w->len > w->most || bytes > w->most - w->len) {
		w->failed = true;
		return false;
	}
	if (bytes <= w->room - w->len)
		return true;
	while (room - w->len < bytes)
		room *= 2;
	room = room < w->most ? room : w->most;
	more = etc_realloc(base_of(w), sizeof(struct etc_frame) + room);
	if (!more) {
		w->failed = true;
		return false;
	}
	w->ptr = more + sizeof(struct etc_frame);
	w->room = room;
	return true;
}

const struct etc_frame *etc_wire_frame(struct etc_wire *w, uint64_t kind)
{
	struct etc_frame *frame;

	if (w->failed || (!w->ptr && !etc_wire_reserve(w, 1)))
		return NULL;
	frame = (struct etc_frame *)(void *)base_of(w);
	*frame = (struct etc_frame){ kind, w->len };
	return frame;
}

void etc_wire_words(struct etc_wire *w, const uint64_t *words, uint64_t count)
{
	uint64_t *at;

	if (count > SIZE_MAX / sizeof *words) {
		w->failed = true;
		return;
	}
	at = count ? etc_wire_more(w, (size_t)count) : NULL;
	if (at)
		memcpy(at, words, (size_t)count * sizeof *words);
}

/* Writes `len`, and then the bytes, to the words at `at`; returns the address of the next word. */
static uint64_t *put_bytes(uint64_t *at, const void *ptr, uint64_t len)
{
	uint64_t count = etc_wire_words_of(len);

	*at++ = len;
	if (count) {
		at[count - 1] = 0;
		memcpy(at, ptr, (size_t)len);
	}
	return at + count;
}

void etc_wire_text(struct etc_wire *w, const void *ptr, uint64_t len)
{
	uint64_t *at;

	if (len > w->most) {
		w->failed = true;
		return;
	}
	at = etc_wire_more(w, 1 + (size_t)etc_wire_words_of(len));
	if (at)
		put_bytes(at, ptr, len);
}

/* ---- blobs -------------------------------------------------------------------- */

/* Where the bytes of a blob are: after this word, earlier in the same message, or in a mapped
 * file. */
enum blob { BLOB_HERE, BLOB_THERE, BLOB_FILE };

/* Returns the mapped file that contains these bytes; NULL: there is none. */
static const struct etc_file *file_of(const struct etc_wire_files *files, const uint8_t *ptr,
                                      uint64_t len)
{
	for (uint32_t i = 0; files && i < files->count; i++) {
		const struct etc_file *f = &files->files[i];
		uintptr_t from = (uintptr_t)f->bytes.ptr, at = (uintptr_t)ptr;

		if (f->mapped && at >= from && at - from <= f->bytes.len &&
		    len <= f->bytes.len - (at - from))
			return f;
	}
	return NULL;
}

static void put_blob(struct etc_wire *w, struct etcore_bytes b, const struct etc_wire_files *files,
                     struct etc_wire_seen *seen)
{
	const struct etc_file *f = b.len >= BY_FILE ? file_of(files, b.ptr, b.len) : NULL;
	size_t slot = etc_hash_where(b.ptr, b.len) % ETC_WIRE_SEEN;
	int number = f ? files->number(files->arg, f) : -1;

	if (number >= 0) {
		etc_wire_put(w, BLOB_FILE);
		etc_wire_put(w, (uint64_t)number);
		etc_wire_put(w, (uint64_t)(b.ptr - f->bytes.ptr));
		etc_wire_put(w, b.len);
		return;
	}
	if (b.len && seen->ptr[slot] == b.ptr && seen->len[slot] == b.len) {
		etc_wire_put(w, BLOB_THERE);
		etc_wire_put(w, seen->at[slot]);
		etc_wire_put(w, b.len);
		return;
	}
	etc_wire_put(w, BLOB_HERE);
	etc_wire_text(w, b.ptr, b.len);
	if (w->failed || b.len == 0)
		return;
	seen->ptr[slot] = b.ptr;
	seen->len[slot] = b.len;
	seen->at[slot] = w->len - ((b.len + 7) & ~(uint64_t)7);
}

static struct etcore_bytes get_blob(struct etc_unwire *r, etc_wire_blob_fn *blob, void *arg)
{
	uint64_t kind = etc_unwire_get(r), file, at, len;
	struct etcore_bytes out = { 0 };
	struct etcore_text text;

	if (kind == BLOB_FILE) {
		file = etc_unwire_get(r);
		at = etc_unwire_get(r);
		len = etc_unwire_get(r);
		if (r->bad || !blob(arg, file, at, len, &out))
			r->bad = true;
		return out;
	}
	if (kind == BLOB_THERE) {
		at = etc_unwire_get(r);
		len = etc_unwire_get(r);
		if (at > r->len || len > r->len - at)
			r->bad = true;
		else
			out = (struct etcore_bytes){ r->ptr + at, len };
		return out;
	}
	text = etc_unwire_text(r);
	if (kind != BLOB_HERE)
		r->bad = true;
	return (struct etcore_bytes){ (const uint8_t *)text.ptr, text.len };
}

/* ---- calls -------------------------------------------------------------------- */

enum {
	HAS_METADATA = 1,
	HAS_FACTS = 2,
	PARSE = 4,
	EVENT_WORDS = 6 /* words per event, besides its texts */
};

static void put_text(struct etc_wire *w, struct etcore_text t)
{
	etc_wire_text(w, t.ptr, t.len);
}

/* Returns a number of 64 bits that refers to a text: the text's offset in the message, and its
 * length. Appends the text, unless the message has it already. */
static uint64_t put_once(struct etc_wire *w, struct etcore_text t, struct etc_wire_seen *seen)
{
	size_t slot = etc_hash_where(t.ptr, t.len) % ETC_WIRE_SEEN;

	if (t.len == 0)
		return 0;
	if (seen->ptr[slot] != (const uint8_t *)t.ptr || seen->len[slot] != t.len) {
		etc_wire_text(w, t.ptr, t.len);
		if (w->failed)
			return 0;
		seen->ptr[slot] = (const uint8_t *)t.ptr;
		seen->len[slot] = t.len;
		seen->at[slot] = w->len - etc_wire_words_of(t.len) * sizeof(uint64_t);
	}
	return seen->at[slot] << 32 | t.len;
}

enum {
	FACTS_TEXTS = 10,
	/* index of the first word of `time`. The three words before it are: ordinal, number of
	 * columns, number of bytes of the texts that follow */
	FACTS_TIME = FACTS_TEXTS + 3,
	FACTS_WORDS = FACTS_TIME + sizeof(struct etcore_time) / sizeof(uint64_t),
	VALUE_WORDS = 3 /* words per column: type, name, value */
};
_Static_assert(sizeof(struct etcore_time) % sizeof(uint64_t) == 0,
               "etcore_time is no row of words");

/* Writes the words of a column at byte `at` of the message. A text that the message does not have
 * yet is appended to the message. */
static void put_value(struct etc_wire *w, size_t at, const struct etcore_value *v,
                      struct etc_wire_seen *seen)
{
	uint64_t words[VALUE_WORDS] = { v->type, put_once(w, v->name, seen) };

	if (v->type == ETCORE_TYPE_F64)
		memcpy(&words[2], &v->f64, sizeof v->f64);
	else if (v->type == ETCORE_TYPE_I64 || v->type == ETCORE_TYPE_BOOL)
		words[2] = (uint64_t)v->i64;
	else
		words[2] = put_once(w, v->text, seen);
	memcpy(w->ptr + at, words, sizeof words);
}

/* Writes the facts of an event. For a text that the message has already, only its offset is
 * written. */
static void put_facts(struct etc_wire *w, const struct etcore_facts *f, struct etc_wire_seen *seen)
{
	const struct etcore_text texts[FACTS_TEXTS] = {
		f->owner, f->backend, f->display,  f->operator_name, f->layout,
		f->types, f->kernel,  f->category, f->compute_unit,  f->precision
	};
	uint64_t words[FACTS_WORDS];
	size_t at = w->len, behind;

	if (!etc_wire_more(w, FACTS_WORDS + VALUE_WORDS * (size_t)f->column_count))
		return;
	behind = w->len;
	for (uint32_t i = 0; i < f->column_count; i++)
		put_value(w, at + (FACTS_WORDS + VALUE_WORDS * (size_t)i) * sizeof *words,
		          f->columns[i], seen);
	for (size_t i = 0; i < FACTS_TEXTS; i++)
		words[i] = put_once(w, texts[i], seen);
	words[FACTS_TEXTS] = (uint64_t)f->ordinal;
	words[FACTS_TEXTS + 1] = f->column_count;
	words[FACTS_TEXTS + 2] = w->len - behind;
	memset(&words[FACTS_TIME], 0, sizeof *f->time);
	if (f->time)
		memcpy(&words[FACTS_TIME], f->time, sizeof *f->time);
	memcpy(w->ptr + at, words, sizeof words);
}

static void put_event(struct etc_wire *w, const struct etcore_event *e, bool parse,
                      const struct etc_wire_files *files, struct etc_wire_seen *seen)
{
	size_t samples = (size_t)e->samples;
	uint64_t *at =
		etc_wire_more(w, EVENT_WORDS + etc_wire_words_of(e->name.len) +
	                                 etc_wire_words_of(e->delegate_name.len) + 2 * samples);

	if (!at)
		return;
	*at++ = (uint64_t)(e->metadata ? HAS_METADATA : 0) | (uint64_t)(e->facts ? HAS_FACTS : 0) |
	        (uint64_t)(parse ? PARSE : 0) | (uint64_t)e->flags << 32;
	*at++ = (uint64_t)e->instruction_id;
	*at++ = (uint64_t)e->delegate_id;
	at = put_bytes(at, e->name.ptr, e->name.len);
	at = put_bytes(at, e->delegate_name.ptr, e->delegate_name.len);
	*at++ = samples;
	if (samples) {
		memcpy(at, e->start, samples * sizeof *at);
		memcpy(at + samples, e->end, samples * sizeof *at);
	}
	for (uint64_t i = 0; e->metadata && i < e->samples && !w->failed; i++)
		put_blob(w, e->metadata[i], files, seen);
	if (e->facts)
		put_facts(w, e->facts, seen);
}

void etc_wire_put_call(struct etc_wire *w, const struct etc_wire_call *c,
                       const struct etc_wire_files *files, struct etc_wire_seen *seen)
{
	const struct etcore_call *call = c->call;

	etc_wire_put(w, c->hooks | (uint64_t)call->flags << 32);
	etc_wire_put(w, (uint64_t)c->only);
	put_text(w, call->backend);
	put_text(w, call->method);
	put_text(w, call->block);
	put_blob(w, call->processed, files, seen);
	if (c->hooks & 1u << ETC_HOOK_CONVERT) {
		etc_wire_put(w, c->scales->source | (uint64_t)c->scales->target << 32);
		etc_wire_words(w, (const uint64_t *)(const void *)&c->scales->factor, 1);
		etc_wire_put(w, c->count);
		etc_wire_words(w, c->starts, c->count);
		etc_wire_put(w, c->ends != NULL);
		etc_wire_words(w, c->ends, c->ends ? c->count : 0);
	}
	etc_wire_put(w, call->count);
	for (uint32_t i = 0; i < call->count && !w->failed; i++)
		put_event(w, call->events[i], !c->parse || c->parse[i], files, seen);
}

struct getting {
	struct etc_unwire *r;
	struct etc_arena *arena;
	etc_wire_blob_fn *blob;
	void *arg;
};

/* Reads a text written by put_once(). */
static struct etcore_text get_once(struct etc_unwire *r, uint64_t word)
{
	uint64_t at = word >> 32, len = word & UINT32_MAX;

	if (at > r->len || len > r->len - at)
		r->bad = true;
	if (len == 0 || r->bad)
		return (struct etcore_text){ 0 };
	return (struct etcore_text){ (const char *)r->ptr + at, len };
}

static void get_value(struct etc_unwire *r, const uint64_t *words, struct etcore_value *v)
{
	*v = (struct etcore_value){ .size = sizeof *v,
		                    .type = (uint32_t)words[0],
		                    .name = get_once(r, words[1]) };
	if (v->type == ETCORE_TYPE_F64)
		memcpy(&v->f64, &words[2], sizeof v->f64);
	else if (v->type == ETCORE_TYPE_I64 || v->type == ETCORE_TYPE_BOOL)
		v->i64 = (int64_t)words[2];
	else
		v->text = get_once(r, words[2]);
}

static bool get_columns(struct getting *g, uint64_t count, struct etcore_facts *f)
{
	const uint64_t *words =
		count > g->r->len ? NULL : etc_unwire_words(g->r, count * VALUE_WORDS);
	const struct etcore_value **list;
	struct etcore_value *values;

	if (count == 0 || !words)
		return count == 0;
	values = etc_new(g->arena, struct etcore_value, (size_t)count);
	f->columns = list = etc_new(g->arena, const struct etcore_value *, (size_t)count);
	for (uint64_t i = 0; values && list && i < count; i++) {
		get_value(g->r, words + i * VALUE_WORDS, &values[i]);
		list[i] = &values[i];
	}
	f->column_count = (uint32_t)count;
	return values && list;
}

static bool get_facts(struct getting *g, struct etcore_facts *f)
{
	struct etc_unwire *r = g->r;
	struct etcore_text *const texts[FACTS_TEXTS] = {
		&f->owner, &f->backend, &f->display,  &f->operator_name, &f->layout,
		&f->types, &f->kernel,  &f->category, &f->compute_unit,  &f->precision
	};
	const uint64_t *words = etc_unwire_words(r, FACTS_WORDS);

	f->size = sizeof *f;
	for (size_t i = 0; words && i < FACTS_TEXTS; i++)
		*texts[i] = get_once(r, words[i]);
	f->ordinal = words ? (int64_t)words[FACTS_TEXTS] : 0;
	f->time = words && words[FACTS_TIME]
	                  ? (const struct etcore_time *)(const void *)&words[FACTS_TIME]
	                  : NULL;
	if (!words || !get_columns(g, words[FACTS_TEXTS + 1], f))
		return false;
	(void)etc_unwire_words(r, etc_wire_words_of(words[FACTS_TEXTS + 2]));
	return !r->bad;
}

static bool get_event(struct getting *g, struct etcore_event *e, bool *parse)
{
	struct etc_unwire *r = g->r;
	uint64_t flags = etc_unwire_get(r);
	struct etcore_bytes *metadata;
	struct etcore_facts *facts;

	*parse = flags & PARSE;
	*e = (struct etcore_event){ .size = sizeof *e, .flags = (uint32_t)(flags >> 32) };
	e->instruction_id = (int64_t)etc_unwire_get(r);
	e->delegate_id = (int64_t)etc_unwire_get(r);
	e->name = etc_unwire_text(r);
	e->delegate_name = etc_unwire_text(r);
	e->samples = etc_unwire_get(r);
	e->start = etc_unwire_words(r, e->samples);
	e->end = etc_unwire_words(r, e->samples);
	if (!r->bad && flags & HAS_METADATA) {
		e->metadata = metadata = etc_new(g->arena, struct etcore_bytes, (size_t)e->samples);
		for (uint64_t i = 0; metadata && i < e->samples && !r->bad; i++)
			metadata[i] = get_blob(r, g->blob, g->arg);
		if (!metadata)
			return false;
	}
	if (!r->bad && flags & HAS_FACTS) {
		e->facts = facts = etc_new(g->arena, struct etcore_facts, 1);
		if (!facts || !get_facts(g, facts))
			return false;
	}
	return !r->bad;
}

bool etc_wire_get_call(struct etc_unwire *r, struct etc_wire_call *out, struct etc_arena *arena,
                       etc_wire_blob_fn *blob, void *arg)
{
	struct getting g = { r, arena, blob, arg };
	struct etcore_call *call = etc_new(arena, struct etcore_call, 1);
	struct etcore_scales *scales = etc_new(arena, struct etcore_scales, 1);
	const struct etcore_event **list;
	struct etcore_event *events;
	uint64_t word = etc_unwire_get(r), count;
	const uint64_t *factor;
	bool *parse;

	if (!call || !scales)
		return false;
	*out = (struct etc_wire_call){ .call = call, .hooks = (uint32_t)word };
	*call = (struct etcore_call){ .size = sizeof *call, .flags = (uint32_t)(word >> 32) };
	out->only = (int64_t)etc_unwire_get(r);
	call->backend = etc_unwire_text(r);
	call->method = etc_unwire_text(r);
	call->block = etc_unwire_text(r);
	call->processed = get_blob(r, blob, arg);
	if (out->hooks & 1u << ETC_HOOK_CONVERT) {
		word = etc_unwire_get(r);
		*scales = (struct etcore_scales){ .size = sizeof *scales,
			                          .source = (uint32_t)word,
			                          .target = (uint32_t)(word >> 32) };
		factor = etc_unwire_words(r, 1);
		if (factor)
			memcpy(&scales->factor, factor, sizeof scales->factor);
		out->scales = scales;
		out->count = etc_unwire_get(r);
		out->starts = etc_unwire_words(r, out->count);
		out->ends = etc_unwire_get(r) ? etc_unwire_words(r, out->count) : NULL;
	}
	count = etc_unwire_get(r);
	if (r->bad || count > r->len / sizeof(uint64_t) || count > UINT32_MAX)
		return false;
	events = etc_new(arena, struct etcore_event, (size_t)count);
	list = etc_new(arena, const struct etcore_event *, (size_t)count);
	parse = etc_new(arena, bool, (size_t)count);
	if (!events || !list || !parse)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (!get_event(&g, &events[i], &parse[i]))
			return false;
		list[i] = &events[i];
	}
	call->count = (uint32_t)count;
	call->events = list;
	out->parse = parse;
	return true;
}
