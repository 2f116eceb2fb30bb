/* sink.c -- see sink.h. */
#include "host/contract.h"
#include "host/sink_intake.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/limits.h"

enum { LINEAR = 16 }; /* a dict with more items than this gets a hash map */

/* Records a fault. Only the first fault is kept; the sink refuses all later calls. */
etcore_result etc_intake_fault(struct etc_intake *in, const char *what, struct etc_str name)
{
	if (in->fault[0] == '\0')
		snprintf(in->fault, sizeof in->fault, "%s%s" ETC_STR_FMT "%s", what,
		         name.len ? " '" : "", (int)(name.len < 80 ? name.len : 80),
		         name.len ? name.ptr : "", name.len ? "'" : "");
	return ETCORE_FAILED;
}

etcore_result etc_intake_no_memory(struct etc_intake *in)
{
	in->out_of_memory = true;
	return ETCORE_NOMEM;
}

etcore_result etc_intake_check(struct etc_intake *in, struct etcore_text t, struct etc_str name)
{
	if (t.len && !t.ptr)
		return etc_intake_fault(in, "text without a pointer", name);
	if (t.len > ETC_LIMIT_PLUGIN_TEXT)
		return etc_intake_fault(in, "text longer than the limit of 16 MiB", name);
	if (etc_utf8_fault(etc_plugin_text(t)) != SIZE_MAX)
		return etc_intake_fault(in, "text that is not UTF-8", name);
	return ETCORE_OK;
}

bool etc_intake_fits(struct etc_intake *in, size_t bytes)
{
	if (in->spare == 0 || bytes == 0 || etc_fits(in->arena->budget, in->spare, bytes))
		return true;
	etc_intake_fault(in, "more than there is memory for", (struct etc_str){ 0 });
	return false;
}

etcore_result etc_intake_copy(struct etc_intake *in, struct etcore_text t, struct etc_str *out)
{
	if (!etc_intake_fits(in, (size_t)t.len))
		return ETCORE_FAILED;
	*out = etc_arena_str(in->arena, etc_plugin_text(t));
	return out->ptr ? ETCORE_OK : etc_intake_no_memory(in);
}

/* Sets `*head` and `*tail` to the first and the last eight bytes of a text. Together with the
 * length they identify a text of up to 16 bytes. */
static void ends_of(struct etc_str s, uint64_t *head, uint64_t *tail)
{
	uint64_t last = etc_str_last_word(s);

	*head = last;
	*tail = 0;
	if (s.len >= sizeof *head) {
		memcpy(head, s.ptr, sizeof *head);
		*tail = last;
	}
}

/* Returns the two entries of the cache in which a text may be. A hash of the text's length and of
 * its first and last bytes selects them. */
static struct etc_recent_text *place_among(const struct etc_recent *recent,
                                           const struct etc_recent_text *t)
{
	/* A bit of a factor changes only the same and higher bits of a product. So the highest byte
	 * of t->tail, the last character of the text, would only change the highest byte of the
	 * product. It is therefore mixed into lower bits first. */
	uint64_t tail = t->tail ^ t->tail >> 32;
	uint64_t h = t->head ^ (tail * 0x9e3779b97f4a7c15u) ^ t->text.len;

	h ^= h >> 32;
	h = (h ^ h >> 16) * 0xff51afd7ed558ccdu;
	return recent->texts[(h >> 32) & (recent->text_sets - 1)].set;
}

static void put_recent(struct etc_recent *recent, const struct etc_recent_text *t)
{
	struct etc_recent_text *at = place_among(recent, t);

	at[1] = at[0];
	at[0] = *t;
	recent->texts_put++;
}

/* Adds a text to the cache. If a larger cache cannot be allocated, the cache is emptied; this does
 * not change any result. The failed allocation is recorded, and makes the command fail later. */
static void remember(struct etc_intake *in, const struct etc_recent_text *t)
{
	struct etc_recent *recent = in->recent, old = *recent;

	if (old.texts_put >= old.text_sets && old.text_sets < ETC_RECENT_TEXTS) {
		uint32_t sets = old.text_sets ? old.text_sets * 4 : ETC_RECENT_FIRST;

		sets = sets < ETC_RECENT_TEXTS ? sets : ETC_RECENT_TEXTS;
		recent->texts = etc_new(in->arena, struct etc_recent_texts, sets);
		recent->text_sets = recent->texts ? sets : 0;
		recent->texts_put = 0;
		for (uint32_t i = 0; recent->texts && i < 2 * old.text_sets; i++)
			if (old.texts[i / 2].set[i % 2].text.len)
				put_recent(recent, &old.texts[i / 2].set[i % 2]);
	}
	if (recent->texts)
		put_recent(recent, t);
}

static bool is_same(const struct etc_recent_text *a, const struct etc_recent_text *b)
{
	return a->text.len == b->text.len && a->head == b->head && a->tail == b->tail &&
	       (a->text.len <= 2 * sizeof a->head ||
	        memcmp(a->text.ptr, b->text.ptr, a->text.len) == 0);
}

etcore_result etc_intake_look(struct etc_intake *in, struct etcore_text t, struct etc_str *out)
{
	struct etc_recent_text text = { .text = etc_plugin_text(t) };
	bool brief = in->recent && t.ptr && t.len && t.len <= ETC_RECENT_MAX;
	etcore_result r;

	if (brief)
		ends_of(text.text, &text.head, &text.tail);
	if (brief && in->recent->texts) {
		const struct etc_recent_text *recent = place_among(in->recent, &text);

		for (int i = 0; i < 2; i++)
			if (is_same(&recent[i], &text)) {
				*out = recent[i].text;
				return ETCORE_OK;
			}
	}
	r = etc_intake_check(in, t, (struct etc_str){ 0 });
	if (r == ETCORE_OK)
		r = etc_intake_copy(in, t, out);
	if (r == ETCORE_OK && brief) {
		text.text = *out;
		remember(in, &text);
	}
	return r;
}

/* Makes room for one more element of `size` bytes in a malloc'ed array. */
bool etc_intake_grow(void **array, uint32_t count, uint32_t *room, size_t size)
{
	uint32_t more = *room ? *room * 2 : 8;
	void *p;

	if (count < *room)
		return true;
	p = etc_realloc(*array, more * size);
	if (!p)
		return false;
	*array = p;
	*room = more;
	return true;
}

/* ---- parse_metadata ------------------------------------------------------- */

static bool declares(const struct etcore_column *c, struct etc_str name)
{
	struct etc_str d = etc_str_of(c->name);

	if (etc_str_eq(d, ETC_STR("*")))
		return true;
	if (etc_str_ends(d, ETC_STR(".*")))
		return etc_str_starts(name, etc_str_sub(d, 0, d.len - 1));
	return etc_str_eq(d, name);
}

/* Returns the plugin's declaration of the column `name`. A column with exactly this name is
 * preferred to a family that contains the name. NULL: the plugin declares neither. */
static const struct etcore_column *column_of(const struct etcore_plugin *p, struct etc_str name)
{
	const struct etcore_column *family = NULL;

	for (uint32_t i = 0; p->columns && p->columns[i]; i++) {
		const struct etcore_column *c = p->columns[i];

		if (etc_str_eq(etc_str_of(c->name), name))
			return c;
		if (!family && declares(c, name))
			family = c;
	}
	return family;
}

bool etc_sink_declares(const struct etcore_plugin *p, struct etc_str name)
{
	const struct etcore_column *c = column_of(p, name);

	return c && strcmp(c->name, "*") != 0;
}

/* May a value of `kind` be in a column of `type`? An integer in a column of doubles stays an
 * integer, as in Python; a json column takes any value. */
static bool type_fits(uint32_t type, uint8_t kind)
{
	switch (kind) {
	case ETC_DATUM_NULL:
		return true;
	case ETC_DATUM_STR:
		return type == ETCORE_TYPE_STR || type == ETCORE_TYPE_JSON;
	case ETC_DATUM_I64:
		return type == ETCORE_TYPE_I64 || type == ETCORE_TYPE_F64 ||
		       type == ETCORE_TYPE_JSON;
	case ETC_DATUM_F64:
		return type == ETCORE_TYPE_F64 || type == ETCORE_TYPE_JSON;
	case ETC_DATUM_BOOL:
		return type == ETCORE_TYPE_BOOL || type == ETCORE_TYPE_JSON;
	default:
		return type == ETCORE_TYPE_JSON;
	}
}

/* Copies the name of a column that belongs to a family. Different names are counted, since their
 * number is limited: each becomes a column of a table. */
static etcore_result family_name(struct etc_datum_intake *to, struct etcore_text name,
                                 struct etc_str *out)
{
	struct etc_map *known = to->in.families;
	bool is_new = known && etc_map_get(known, etc_plugin_text(name)) == ETC_MAP_NONE;
	etcore_result r;

	if (is_new && known->count >= ETC_LIMIT_PLUGIN_COLUMNS)
		return etc_intake_fault(&to->in, "more columns than the limit of 4096",
		                        (struct etc_str){ 0 });
	r = etc_intake_keep(&to->in, name, out);
	if (r == ETCORE_OK && is_new && etc_map_add(known, *out, 0) == ETC_MAP_NONE)
		return etc_intake_no_memory(&to->in);
	return r;
}

/* Sets `*at` to the index at which a value called `name` is stored: in a list (`list`), the end; in
 * a dict, the index of an earlier value with this name, or the end if there is none. */
static etcore_result place_of(struct etc_datum_intake *to, struct etc_str name, bool list,
                              uint32_t *at)
{
	const struct etc_datum *items = to->in_columns ? to->columns : to->items;
	uint32_t count = to->in_columns ? to->column_count : to->count;
	size_t known;

	*at = count;
	if (list)
		return ETCORE_OK;
	if (count < LINEAR) {
		for (uint32_t i = 0; i < count; i++)
			if (etc_str_eq(items[i].name, name))
				*at = i;
		return ETCORE_OK;
	}
	if (count == LINEAR && !to->names.count)
		for (uint32_t i = 0; i < count; i++)
			if (etc_map_add(&to->names, items[i].name, i) == ETC_MAP_NONE)
				return etc_intake_no_memory(&to->in);
	known = etc_map_add(&to->names, name, count);
	if (known == ETC_MAP_NONE)
		return etc_intake_no_memory(&to->in);
	*at = (uint32_t)known;
	return ETCORE_OK;
}

/* Stores a value at index `at` of the answer's items, or, after begin_columns(), of its columns. */
static etcore_result put_at(struct etc_datum_intake *to, uint32_t at, const struct etc_datum *value)
{
	struct etc_datum **items = to->in_columns ? &to->columns : &to->items;
	uint32_t *count = to->in_columns ? &to->column_count : &to->count;
	uint32_t *room = to->in_columns ? &to->column_room : &to->room;
	void *array = *items;

	if (!etc_intake_grow(&array, at, room, sizeof **items))
		return etc_intake_no_memory(&to->in);
	*items = array;
	(*items)[at] = *value;
	*count += at == *count;
	return ETCORE_OK;
}

/* Stores one value under the name `name`. */
static etcore_result take(struct etc_datum_intake *to, struct etcore_text name,
                          struct etc_datum value)
{
	struct etc_str n = etc_plugin_text(name);
	bool in_list = to->form == ETC_PARSED_LIST && !to->in_columns;
	uint8_t form = ETC_PARSED_LIST;
	uint32_t at;
	etcore_result r = etc_intake_check(&to->in, name, (struct etc_str){ 0 });

	/* A value with a name makes the answer a dict. An empty name counts as a name, too, if the
	 * family "*" accepts it, because parsers may take names from the data. */
	if (name.len || (!in_list && column_of(to->in.plugin, n)))
		form = ETC_PARSED_DICT;

	if (r != ETCORE_OK)
		return r;
	if (form == ETC_PARSED_LIST && !in_list)
		return etc_intake_fault(&to->in, "a value without a name outside a list", n);
	if (form == ETC_PARSED_DICT && in_list)
		return etc_intake_fault(&to->in, "a named value inside a list:", n);
	if (form == ETC_PARSED_DICT) {
		const struct etcore_column *c = column_of(to->in.plugin, n);

		if (!c)
			return etc_intake_fault(&to->in, "undeclared column", n);
		if (!type_fits(c->type, value.kind))
			return etc_intake_fault(
				&to->in, "a value of another type than declared in column", n);
		if (!to->in_columns)
			to->form = ETC_PARSED_DICT;
		value.type = (uint8_t)c->type;
		value.rollup = (uint8_t)etc_column_rollup(c);
		if (strcmp(c->name, "*") == 0 || etc_str_ends(etc_str_of(c->name), ETC_STR(".*")))
			r = family_name(to, name, &n);
		else
			n = etc_str_of(c->name);
		if (r != ETCORE_OK)
			return r;
	}
	r = place_of(to, n, form == ETC_PARSED_LIST, &at);
	value.name = n;
	return r == ETCORE_OK ? put_at(to, at, &value) : r;
}

static etcore_result take_text(void *handle, struct etcore_text name, struct etcore_text value,
                               uint8_t kind, bool has_bytes)
{
	struct etc_datum_intake *to = handle;
	struct etc_datum d = { .kind = kind, .has_bytes = has_bytes };
	etcore_result r = etc_intake_admit(&to->in);

	if (r == ETCORE_OK)
		r = etc_intake_check(&to->in, value, etc_plugin_text(name));
	if (r == ETCORE_OK && has_bytes && to->in_columns)
		r = etc_intake_fault(&to->in, "bytes in column", etc_plugin_text(name));
	if (r == ETCORE_OK && kind == ETC_DATUM_JSON &&
	    !(has_bytes ? etc_json_bytes_valid(etc_plugin_text(value))
	                : etc_json_valid(etc_plugin_text(value))))
		r = etc_intake_fault(&to->in,
		                     "a json value that is not JSON:", etc_plugin_text(name));
	if (r == ETCORE_OK)
		r = etc_intake_copy(&to->in, value, &d.text);
	return r == ETCORE_OK ? take(to, name, d) : r;
}

static etcore_result datum_str(void *handle, struct etcore_text name, struct etcore_text value)
{
	return take_text(handle, name, value, ETC_DATUM_STR, false);
}

static etcore_result datum_json(void *handle, struct etcore_text name, struct etcore_text value)
{
	return take_text(handle, name, value, ETC_DATUM_JSON, false);
}

static etcore_result datum_json_bytes(void *handle, struct etcore_text name,
                                      struct etcore_text value)
{
	return take_text(handle, name, value, ETC_DATUM_JSON, true);
}

static etcore_result take_number(void *handle, struct etcore_text name, struct etc_datum d)
{
	struct etc_datum_intake *to = handle;
	etcore_result r = etc_intake_admit(&to->in);

	return r == ETCORE_OK ? take(to, name, d) : r;
}

static etcore_result datum_i64(void *handle, struct etcore_text name, int64_t value)
{
	return take_number(handle, name, (struct etc_datum){ .kind = ETC_DATUM_I64, .i = value });
}

static etcore_result datum_f64(void *handle, struct etcore_text name, double value)
{
	return take_number(handle, name, (struct etc_datum){ .kind = ETC_DATUM_F64, .f = value });
}

static etcore_result datum_boolean(void *handle, struct etcore_text name, int32_t value)
{
	return take_number(handle, name,
	                   (struct etc_datum){ .kind = ETC_DATUM_BOOL, .i = value != 0 });
}

static etcore_result datum_null(void *handle, struct etcore_text name)
{
	return take_number(handle, name, (struct etc_datum){ .kind = ETC_DATUM_NULL });
}

static etcore_result datum_begin_list(void *handle)
{
	struct etc_datum_intake *to = handle;
	etcore_result r = etc_intake_admit(&to->in);

	if (r == ETCORE_OK && (to->form != ETC_PARSED_NONE || to->in_columns))
		r = etc_intake_fault(&to->in, "begin_list after other values",
		                     (struct etc_str){ 0 });
	if (r == ETCORE_OK)
		to->form = ETC_PARSED_LIST;
	return r;
}

static etcore_result datum_begin_columns(void *handle)
{
	struct etc_datum_intake *to = handle;
	etcore_result r = etc_intake_admit(&to->in);

	if (r == ETCORE_OK && to->in_columns)
		r = etc_intake_fault(&to->in, "begin_columns a second time", (struct etc_str){ 0 });
	if (r != ETCORE_OK)
		return r;
	to->in_columns = true;
	etc_map_init(&to->names, to->in.arena);
	return ETCORE_OK;
}

void etc_datum_intake_release(struct etc_datum_intake *to)
{
	free(to->items);
	free(to->columns);
}

struct etcore_sink etc_datum_sink(struct etc_datum_intake *to)
{
	etc_map_init(&to->names, to->in.arena);
	return (struct etcore_sink){
		.size = sizeof(struct etcore_sink),
		.handle = to,
		.str = datum_str,
		.i64 = datum_i64,
		.f64 = datum_f64,
		.boolean = datum_boolean,
		.null = datum_null,
		.json = datum_json,
		.begin_list = datum_begin_list,
		.begin_columns = datum_begin_columns,
		.json_bytes = datum_json_bytes,
	};
}
