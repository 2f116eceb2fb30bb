/* etrecord_maps.c -- reads the three JSON maps: debug handles, delegates, outputs.
 *
 * All have the form { method: { instruction id: value } }. They are small, so every token is
 * validated. If a key occurs several times, it has one entry, with the position of its first
 * occurrence and the value of its last, as in a Python dict. */
#include "formats/etrecord/etrecord_reader.h"

#include "base/number.h"

#include <math.h>
#include <stdalign.h>

enum { MOST_ROOM = 1 << 16 }; /* maximum number of entries that are allocated in advance */

enum map_kind { HANDLES, DELEGATES, NUM_OUTS };

/* State while one map is read. */
struct map_reader {
	struct etc_record_reader *r;
	enum map_kind kind;
	struct etc_str entry;
	struct etc_grow *methods; /* elements are struct etc_method_maps */
	struct etc_map *method_index;
	/* the last plain entry of a delegate (see PLAIN_TOKENS), and its text */
	struct etc_delegate_entry plain;
	struct etc_str plain_text;
	bool nomem;
};

/* Unescapes a key; an invalid escape is an error of the document. */
static bool key_text(struct map_reader *m, struct etc_str inside, const struct etc_json_value *v,
                     struct etc_str *key)
{
	bool bad;

	if (etc_json_unescape(m->r->arena, inside, key, &bad))
		return true;
	if (bad)
		etc_json_reject(v, "a key with valid escapes before this");
	else
		m->nomem = true;
	return false;
}

static void note_odd(struct map_reader *m, struct etc_str key, struct etc_str raw)
{
	etc_note(m->r->notes, W0412, ETC_STR_FMT ": '" ETC_STR_FMT "' has %.40s",
	         ETC_STR_ARG(m->entry), ETC_STR_ARG(key),
	         raw.len ? etc_arena_cstr(m->r->arena, etc_str_sub(raw, 0, 40)) : "?");
}

static bool add_text(struct map_reader *m, struct etc_grow *g, const struct etc_json_value *v)
{
	struct etc_str *to = ETC_GROW(m->r->arena, g, struct etc_str);

	m->nomem |= !to;
	return to && key_text(m, etc_json_inside(v->raw), v, to);
}

static bool list_texts(struct map_reader *m, const struct etc_json_value *v, struct etc_grow *g,
                       bool *any)
{
	struct etc_json_iter it;

	if (!etc_json_enter(v, &it))
		return false;
	while (etc_json_more(&it)) {
		*any = true;
		if (etc_json_type(&it.value) != ETC_JSON_STRING)
			etc_json_verify(&it.value);
		else if (!add_text(m, g, &it.value))
			return false;
	}
	return true;
}

/* Records in `*odd` a value that is not an object although it should be one. */
static bool read_odd(struct map_reader *m, struct etc_str key, const struct etc_json_value *v,
                     struct etc_odd *odd)
{
	struct etc_grow g = { 0 };
	double d;

	*odd = (struct etc_odd){ .kind = ETC_ODD_SCALAR };
	switch (etc_json_type(v)) {
	case ETC_JSON_NULL:
		odd->kind = ETC_ODD_NULL;
		break;
	case ETC_JSON_ARRAY:
		odd->kind = ETC_ODD_LIST;
		if (!list_texts(m, v, &g, &odd->truthy))
			return false;
		break;
	case ETC_JSON_STRING:
		odd->kind = ETC_ODD_TEXT;
		odd->truthy = v->raw.len > 2;
		if (!add_text(m, &g, v))
			return false;
		break;
	case ETC_JSON_FALSE:
		break;
	case ETC_JSON_BAD:
		etc_json_verify(v);
		return false;
	default:
		odd->truthy = !etc_number_parse(v->raw, &d) || d != 0;
	}
	odd->texts = g.items;
	odd->count = g.count;
	note_odd(m, key, v->raw);
	return true;
}

/* Finds equal keys of an object. Exporters write instruction ids in ascending order, and as long as
 * keys ascend, no two are equal. So the hash map is made only at the first key that does not
 * ascend. */
struct key_index {
	struct etc_map map;
	struct etc_str last;
	bool mixed; /* the keys do not ascend, so `map` contains all keys */
};

static bool ascends(struct etc_str last, struct etc_str key)
{
	return key.len != last.len ? key.len > last.len : etc_str_cmp(last, key) < 0;
}

/* Returns the index of the item with `key` in `g`, whose items start with their keys. g->count: no
 * item has this key; ETC_MAP_NONE: out of memory. */
static size_t find_key(struct key_index *x, const struct etc_grow *g, size_t size,
                       struct etc_str key)
{
	struct etc_str known;

	if (!x->mixed && (g->count == 0 || ascends(x->last, key))) {
		x->last = key;
		return g->count;
	}
	for (uint32_t i = 0; i < g->count && !x->mixed; i++) {
		memcpy(&known, (const char *)g->items + i * size, sizeof known);
		if (etc_map_add(&x->map, known, i) == ETC_MAP_NONE)
			return ETC_MAP_NONE;
	}
	x->mixed = true;
	return etc_map_add(&x->map, key, g->count);
}

/* Returns the item that gets the value of `key`: the item of an equal key, or a new one. */
static void *slot(struct map_reader *m, struct key_index *index, struct etc_grow *g,
                  struct etc_str key, size_t size, size_t align)
{
	size_t place = find_key(index, g, size, key);
	void *to;

	if (place != ETC_MAP_NONE && place != g->count) {
		etc_note(m->r->notes, W0411, ETC_STR_FMT ": '" ETC_STR_FMT "': the last one counts",
		         ETC_STR_ARG(m->entry), ETC_STR_ARG(key));
		to = (char *)g->items + place * size;
		memset(to, 0, size);
		return to;
	}
	to = place == ETC_MAP_NONE ? NULL : etc_grow_add(m->r->arena, g, size, align);
	m->nomem |= !to;
	return to;
}

/* Reads the value `v` of the member `key` of an object into `to`. False: the caller must stop. */
typedef bool value_reader(struct map_reader *m, struct etc_str key, const struct etc_json_value *v,
                          void *to);

static bool read_object(struct map_reader *m, const struct etc_json_value *v, size_t size,
                        size_t align, value_reader *read, struct etc_grow *g)
{
	struct etc_json_iter it;
	struct etc_str key;
	struct key_index index = { .mixed = false };

	etc_map_init(&index.map, m->r->arena);
	if (!etc_json_enter(v, &it))
		return false;
	while (etc_json_more(&it)) {
		void *to;

		if (!key_text(m, it.key, &it.value, &key))
			return false;
		if (g->count == ETC_GROW_SAMPLE)
			m->nomem |= !etc_grow_reserve(
				m->r->arena, g, size, align,
				etc_grow_estimate(v, &it.value, g->count, MOST_ROOM));
		to = slot(m, &index, g, key, size, align);
		if (!to || !read(m, key, &it.value, to))
			return false;
	}
	return true;
}

static bool read_handle_entry(struct map_reader *m, struct etc_str key,
                              const struct etc_json_value *v, void *to)
{
	struct etc_handle_entry *e = to;
	bool odd;

	e->key = key;
	if (!etc_record_handles(m->r->arena, v, &e->handles, &odd)) {
		m->nomem = true;
		return false;
	}
	if (odd)
		note_odd(m, key, e->handles.raw);
	return true;
}

static bool read_delegate_map(struct map_reader *m, struct etc_str key,
                              const struct etc_json_value *v, struct etc_delegate_entry *e)
{
	struct etc_grow g = { 0 };
	enum etc_json_type type = etc_json_type(v);

	e->map_is_null = type == ETC_JSON_NULL;
	e->odd_map = (struct etc_odd){ 0 };
	e->ids = NULL;
	e->count = 0;
	if (type == ETC_JSON_NULL)
		return true;
	if (type != ETC_JSON_OBJECT)
		return read_odd(m, key, v, &e->odd_map);
	if (!read_object(m, v, sizeof *e->ids, alignof(struct etc_handle_entry), read_handle_entry,
	                 &g))
		return false;
	e->ids = g.items;
	e->count = g.count;
	return true;
}

/* Number of tokens of {"name": "XnnpackBackend", "delegate_map": {}}, a "plain" entry. An exporter
 * without debug ids writes it ten thousand times. An entry is plain if it has this number of
 * tokens, its "name" is a text, its "delegate_map" is an object, it has no other member, and it
 * causes no note. */
enum { PLAIN_TOKENS = 10 };

static void keep_plain(struct map_reader *m, const struct etc_json_value *v,
                       const struct etc_delegate_entry *e)
{
	if (etc_json_tokens(v) != PLAIN_TOKENS || !e->has_backend || e->map_is_null ||
	    e->odd_map.kind != ETC_ODD_NONE)
		return;
	m->plain = *e;
	m->plain_text = etc_json_through(v);
}

/* Does the value start with the text of the last plain entry? Then it is an equal entry: `*e`
 * becomes a copy of the last one, and the value is skipped. */
static bool take_plain(const struct map_reader *m, const struct etc_json_value *v,
                       struct etc_delegate_entry *e)
{
	const struct etc_str plain = m->plain_text;

	if (plain.len == 0 || plain.len > etc_json_rest(v) ||
	    memcmp(plain.ptr, v->raw.ptr, plain.len) != 0)
		return false;
	*e = m->plain;
	etc_json_pass(v, PLAIN_TOKENS);
	return true;
}

/* Reads a value that pandas shows in one cell: a scalar, or the only item of a list. */
static bool read_cell(struct map_reader *m, const struct etc_json_value *v,
                      struct etc_odd_name *name)
{
	struct etc_datum *d = &name->cell;

	name->is_cell = true;
	d->kind = ETC_DATUM_JSON;
	etc_json_verify(v);
	d->text = etc_json_through(v);
	switch (etc_json_type(v)) {
	case ETC_JSON_BAD:
		return false;
	case ETC_JSON_STRING:
		d->kind = ETC_DATUM_STR;
		return key_text(m, etc_json_inside(v->raw), v, &d->text);
	case ETC_JSON_INT:
		if (etc_json_int(v->raw, &d->i))
			d->kind = ETC_DATUM_I64;
		return true;
	case ETC_JSON_FLOAT:
		d->kind = ETC_DATUM_F64;
		if (!etc_number_parse(v->raw, &d->f)) /* as in Python, a number that is too large is
		                                       * infinite */
			d->f = v->raw.ptr[0] == '-' ? -HUGE_VAL : HUGE_VAL;
		return true;
	case ETC_JSON_TRUE:
	case ETC_JSON_FALSE:
		d->kind = ETC_DATUM_BOOL;
		d->i = etc_json_type(v) == ETC_JSON_TRUE;
		return true;
	case ETC_JSON_NULL:
		d->kind = ETC_DATUM_NULL;
		return true;
	default:
		return true;
	}
}

static bool read_odd_name(struct map_reader *m, struct etc_str key, const struct etc_json_value *v,
                          struct etc_delegate_entry *e)
{
	struct etc_odd_name *name = etc_new(m->r->arena, struct etc_odd_name, 1);
	const enum etc_json_type type = etc_json_type(v);
	struct etc_json_iter it;

	m->nomem |= !name;
	if (!name)
		return false;
	e->odd_name = name;
	if (type == ETC_JSON_ARRAY) {
		if (!etc_json_enter(v, &it))
			return false;
		for (uint32_t n = 0; etc_json_more(&it); n++) {
			if (!read_cell(m, &it.value, name))
				return false;
			name->is_cell = n == 0;
		}
	} else if (type == ETC_JSON_OBJECT) {
		etc_json_verify(v);
	} else if (!read_cell(m, v, name)) {
		return false;
	}
	name->raw = etc_json_through(v);
	note_odd(m, key, name->raw);
	return true;
}

static bool read_delegate_entry(struct map_reader *m, struct etc_str key,
                                const struct etc_json_value *v, void *to)
{
	struct etc_delegate_entry *e = to;
	struct etc_json_iter it;
	struct etc_str name;

	if (take_plain(m, v, e)) {
		e->key = key;
		return true;
	}
	e->key = key;
	e->map_is_null = true;
	if (etc_json_type(v) != ETC_JSON_OBJECT)
		return read_odd(m, key, v, &e->odd);
	if (!etc_json_enter(v, &it))
		return false;
	while (etc_json_more(&it)) {
		if (!key_text(m, it.key, &it.value, &name))
			return false;
		if (etc_str_eq(name, ETC_STR("delegate_map"))) {
			if (!read_delegate_map(m, key, &it.value, e))
				return false;
			continue;
		}
		if (!etc_str_eq(name, ETC_STR("name"))) {
			etc_json_verify(&it.value);
			continue;
		}
		e->has_backend = etc_json_type(&it.value) == ETC_JSON_STRING;
		e->backend_is_null = etc_json_type(&it.value) == ETC_JSON_NULL;
		e->backend = (struct etc_str){ 0 };
		e->odd_name = NULL;
		if (e->backend_is_null) {
			etc_json_verify(&it.value);
		} else if (!e->has_backend) {
			if (!read_odd_name(m, key, &it.value, e))
				return false;
		} else if (!key_text(m, etc_json_inside(it.value.raw), &it.value, &e->backend)) {
			return false;
		}
	}
	keep_plain(m, v, e);
	return true;
}

static bool read_num_outs(struct map_reader *m, struct etc_str key, const struct etc_json_value *v,
                          void *to)
{
	struct etc_num_outs_entry *e = to;

	e->key = key;
	e->outputs = 1;
	if (etc_json_type(v) == ETC_JSON_INT && etc_json_int(v->raw, &e->outputs))
		return true;
	etc_json_verify(v);
	e->raw = etc_json_through(v);
	note_odd(m, key, e->raw);
	return true;
}

/* --- one method's part of a map ---------------------------------------------- */

static bool read_method(struct map_reader *m, const struct etc_json_value *v,
                        struct etc_method_maps *to)
{
	static const struct {
		size_t size, align;
		value_reader *read;
	} entries[] = {
		[HANDLES] = { sizeof *to->handles, alignof(struct etc_handle_entry),
		              read_handle_entry },
		[DELEGATES] = { sizeof *to->delegates, alignof(struct etc_delegate_entry),
		                read_delegate_entry },
		[NUM_OUTS] = { sizeof *to->num_outs, alignof(struct etc_num_outs_entry),
		               read_num_outs },
	};
	struct etc_odd odd = { 0 };
	struct etc_grow g = { 0 };
	bool done;

	if (etc_json_type(v) == ETC_JSON_OBJECT)
		done = read_object(m, v, entries[m->kind].size, entries[m->kind].align,
		                   entries[m->kind].read, &g);
	else
		done = read_odd(m, to->method, v, &odd);
	if (!done)
		return false;
	switch (m->kind) {
	case HANDLES:
		to->in_handle_map = true;
		to->odd_handle_map = odd;
		to->handles = g.items;
		to->handle_count = g.count;
		break;
	case DELEGATES:
		to->in_delegate_map = true;
		to->odd_delegate_map = odd;
		to->delegates = g.items;
		to->delegate_count = g.count;
		break;
	case NUM_OUTS:
		to->in_num_outs_map = true;
		to->odd_num_outs_map = odd;
		to->num_outs = g.items;
		to->num_outs_count = g.count;
		break;
	}
	return true;
}

static struct etc_method_maps *method_of(struct map_reader *m, struct etc_str name)
{
	size_t place = etc_map_add(m->method_index, name, m->methods->count);
	struct etc_method_maps *to = NULL;

	if (place != ETC_MAP_NONE && place != m->methods->count)
		return (struct etc_method_maps *)m->methods->items + place;
	if (place != ETC_MAP_NONE)
		to = ETC_GROW(m->r->arena, m->methods, struct etc_method_maps);
	if (to)
		to->method = name;
	m->nomem |= !to;
	return to;
}

static void read_methods(struct map_reader *m, const struct etc_json_value *root)
{
	struct etc_json_iter it;
	struct etc_str name;
	struct etc_map seen;

	etc_map_init(&seen, m->r->arena);
	if (!etc_json_enter(root, &it))
		return;
	for (size_t n = 0; etc_json_more(&it); n++) {
		struct etc_method_maps *to;

		if (!key_text(m, it.key, &it.value, &name))
			return;
		if (etc_map_add(&seen, name, n) != n)
			etc_note(m->r->notes, W0411,
			         ETC_STR_FMT ": method '" ETC_STR_FMT "': the last one counts",
			         ETC_STR_ARG(m->entry), ETC_STR_ARG(name));
		to = method_of(m, name);
		if (!to || !read_method(m, &it.value, to))
			return;
	}
}

static enum etc_status read_map(struct map_reader *m, const struct etc_zip_entry *e, bool *null,
                                bool *odd, struct etc_error *err)
{
	struct etc_odd instead;
	struct etc_json_value root;
	struct etc_json *doc;
	enum etc_status st = etc_record_json(m->r, e, &doc, err);

	if (st != ETC_OK)
		return st;
	etc_json_root(doc, &root);
	*null = etc_json_type(&root) != ETC_JSON_OBJECT;
	*odd = *null && etc_json_type(&root) != ETC_JSON_NULL;
	if (!*null)
		read_methods(m, &root);
	else if (*odd && !(m->r->want & ETC_RECORD_INSPECTOR))
		etc_json_reject(&root, "an object of methods");
	else if (*odd)
		read_odd(m, m->entry, &root, &instead);
	if (m->nomem)
		st = etc_no_memory(err);
	/* If a damaged document made the reader run out of memory, report the damage. */
	if (etc_json_check(doc, NULL) != ETC_OK || !m->nomem)
		st = etc_json_check_end(doc, err);
	etc_json_close(doc);
	return st == ETC_OK ? st : etc_context(err, st, ETC_STR_FMT, ETC_STR_ARG(e->name));
}

enum etc_status etc_record_read_maps(struct etc_record_reader *r, struct etc_error *err)
{
	struct etc_record *out = r->out;
	const struct {
		struct etc_str entry;
		bool *present, *null, *odd;
	} maps[] = {
		[HANDLES] = { ETC_STR("debug_handle_map"), &out->handle_map_present,
		              &out->handle_map_null, &out->handle_map_odd },
		[DELEGATES] = { ETC_STR("delegate_map"), &out->delegate_map_present,
		                &out->delegate_map_null, &out->delegate_map_odd },
		[NUM_OUTS] = { ETC_STR("instruction_id_to_num_outs_map"),
		               &out->num_outs_map_present, &out->num_outs_map_null,
		               &out->num_outs_map_odd },
	};
	struct etc_grow methods = { 0 };
	struct etc_map index;

	etc_map_init(&index, r->arena);
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		const struct etc_zip_entry *e = etc_zip_find(&r->zip, maps[i].entry);
		struct map_reader m = {
			.r = r,
			.kind = (enum map_kind)i,
			.entry = maps[i].entry,
			.methods = &methods,
			.method_index = &index,
		};

		*maps[i].present = e != NULL;
		if (e)
			ETC_TRY(read_map(&m, e, maps[i].null, maps[i].odd, err));
	}
	out->methods = methods.items;
	out->method_count = methods.count;
	if (!out->handle_map_present || out->handle_map_null)
		etc_note(r->notes, W0413, "debug_handle_map is %s",
		         out->handle_map_present ? "null" : "missing");
	if (!out->num_outs_map_present || out->num_outs_map_null)
		etc_note(r->notes, W0414, "instruction_id_to_num_outs_map is %s",
		         out->num_outs_map_present ? "null" : "missing");
	return ETC_OK;
}
