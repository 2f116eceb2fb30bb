/* tree.c -- parses a JSON document into a tree; see tree.h */
#include "commands/pipeline/tree.h"

#include <math.h>

#include "base/file.h"
#include "base/map.h"
#include "base/number.h"
#include "base/text.h"

struct reader {
	struct etc_arena *arena;
	struct etc_json *doc;
	struct etc_str text;
	/* offset in `text` of the last value that was read; that value is in line `line` */
	size_t at;
	uint32_t line, values;
	bool no_memory, too_many;
};

/* Returns the line of a value. Must be called for values in the order of the file. */
static uint32_t line_of(struct reader *r, const struct etc_json_value *v)
{
	size_t at = r->text.len - etc_json_rest(v);

	for (; r->at < at; r->at++)
		r->line += r->text.ptr[r->at] == '\n';
	return r->line;
}

static bool read_text(struct reader *r, struct etc_str inside, struct etc_str *out)
{
	bool bad = false;

	if (!etc_json_unescape(r->arena, inside, out, &bad)) {
		r->no_memory = r->no_memory || !bad;
		return false;
	}
	*out = etc_arena_str(r->arena, *out);
	if (out->len && !out->ptr)
		r->no_memory = true;
	return !r->no_memory;
}

static bool read_value(struct reader *r, const struct etc_json_value *v, struct etc_tree *to);

static bool read_members(struct reader *r, const struct etc_json_value *v, struct etc_tree *to)
{
	const struct etc_tree **last = &to->first;
	struct etc_json_iter it;

	if (!etc_json_enter(v, &it))
		return false;
	while (etc_json_more(&it)) {
		struct etc_tree *t = etc_new(r->arena, struct etc_tree, 1);

		r->no_memory = r->no_memory || !t;
		r->too_many = r->too_many || ++r->values > ETC_TREE_VALUES;
		if (r->no_memory || r->too_many || !read_value(r, &it.value, t))
			return false;
		if (it.key.ptr && !read_text(r, it.key, &t->key))
			return false;
		*last = t;
		last = &t->next;
		to->count++;
	}
	return true;
}

static bool read_value(struct reader *r, const struct etc_json_value *v, struct etc_tree *to)
{
	to->type = (uint8_t)etc_json_type(v);
	if (to->type != ETC_JSON_BAD)
		to->line = line_of(r, v);
	switch (to->type) {
	case ETC_JSON_OBJECT:
	case ETC_JSON_ARRAY:
		return read_members(r, v, to);
	case ETC_JSON_STRING:
		if (read_text(r, etc_json_inside(v->raw), &to->text))
			return true;
		if (!r->no_memory)
			etc_json_reject(v, "text");
		return false;
	case ETC_JSON_BAD:
		etc_json_reject(v, "a JSON value");
		return false;
	default:
		to->text = etc_arena_str(r->arena, v->raw);
		r->no_memory = r->no_memory || (to->text.len && !to->text.ptr);
		return !r->no_memory;
	}
}

/* Checks the text in the same way as Python's Path.read_text(encoding="utf-8"): it must be UTF-8
 * without a byte order mark. */
static enum etc_status check_text(struct etc_str text, struct etc_error *err)
{
	size_t fault;

	if (text.len > ETC_TREE_BYTES) /* this is checked before anything is parsed */
		return etc_fail(err, E1067, "%zu bytes of JSON; %d are read", text.len,
		                ETC_TREE_BYTES);
	fault = etc_utf8_fault(text);
	if (fault != SIZE_MAX)
		return etc_fail_at(err, E1052, fault, "not UTF-8");
	if (etc_str_starts(text, ETC_STR("\xef\xbb\xbf")))
		return etc_fail_at(err, E1052, 0, "begins with a byte order mark");
	if (etc_json_long_number(text))
		return etc_fail(err, E1052, "a number of more than 4300 digits");
	if (!etc_str_trim(text).len)
		return etc_fail_at(err, E1052, 0, "there is nothing in it");
	return ETC_OK;
}

enum etc_status etc_tree_read(struct etc_span bytes, struct etc_arena *arena,
                              const struct etc_tree **out, struct etc_error *err)
{
	struct etc_str text = { (const char *)bytes.ptr, bytes.len };
	struct reader r = { .arena = arena, .text = text, .line = 1 };
	struct etc_tree *root = etc_new(arena, struct etc_tree, 1);
	struct etc_json_value v;
	struct etc_error why = { 0 };
	enum etc_status st;

	*out = NULL;
	ETC_NEED(root, err);
	ETC_TRY(check_text(text, err));
	ETC_TRY(etc_json_open(text, 0, arena, &r.doc, err));
	etc_json_root(r.doc, &v);
	(void)read_value(&r, &v, root);
	st = r.no_memory || r.too_many ? ETC_OK : etc_json_check_end(r.doc, &why);
	etc_json_close(r.doc);
	if (r.no_memory)
		return etc_no_memory(err);
	if (r.too_many)
		return etc_fail(err, E1067, "more than %d values in a JSON file", ETC_TREE_VALUES);
	if (st == ETC_NOMEM)
		return etc_no_memory(err);
	if (st != ETC_OK)
		return why.at >= 0 ? etc_fail_at(err, E1052, (size_t)why.at, "%s", why.text)
		                   : etc_fail(err, E1052, "%s", why.text);
	*out = root;
	return ETC_OK;
}

enum etc_status etc_tree_open(const char *path, struct etc_arena *arena,
                              const struct etc_tree **out, struct etc_error *err)
{
	struct etc_file file;
	enum etc_status st;

	*out = NULL;
	ETC_TRY(etc_in_file(err, etc_file_open_found(&file, path, ETC_TREE_BYTES + (size_t)1, err),
	                    path));
	st = etc_tree_read(file.bytes, arena, out, err);
	etc_file_release(&file);
	return st == ETC_OK ? st : etc_in_file(err, st, path);
}

const struct etc_tree *etc_tree_get(const struct etc_tree *object, const char *key)
{
	const struct etc_tree *found = NULL;

	if (!object || object->type != ETC_JSON_OBJECT)
		return NULL;
	for (const struct etc_tree *t = object->first; t; t = t->next)
		if (etc_str_eq(t->key, etc_str_of(key)))
			found = t;
	return found;
}

/* If a key occurs twice in the object `value`, or in an object inside it, sets *out to a member
 * with this key. False: out of memory. */
static bool find_repeated(const struct etc_tree *value, struct etc_arena *arena,
                          const struct etc_tree **out)
{
	struct etc_map keys;

	etc_map_init(&keys, arena);
	for (const struct etc_tree *t = value->first; t && !*out; t = t->next) {
		if (value->type == ETC_JSON_OBJECT && value->count > 1) {
			size_t before = keys.count;

			if (etc_map_add(&keys, t->key, 0) == ETC_MAP_NONE)
				return false;
			*out = keys.count == before ? t : NULL;
		}
		if (!*out && !find_repeated(t, arena, out))
			return false;
	}
	return true;
}

enum etc_status etc_tree_repeated(const struct etc_tree *value, const struct etc_tree **out,
                                  struct etc_error *err)
{
	struct etc_arena scratch;
	bool ok;

	*out = NULL;
	etc_arena_init(&scratch, (size_t)ETC_TREE_VALUES * 512);
	ok = find_repeated(value, &scratch, out);
	etc_arena_release(&scratch);
	return ok ? ETC_OK : etc_no_memory(err);
}

struct etc_str etc_tree_text(const struct etc_tree *value)
{
	return value && value->type == ETC_JSON_STRING ? value->text : ETC_STR_NONE;
}

/* Returns the value that Python reads for a number that is too large or too small for a double:
 * infinity or 0. The sign is ignored. */
static double beyond(struct etc_str s)
{
	size_t e = 0, point, first = 0;
	double exponent;

	while (e < s.len && (s.ptr[e] | 0x20) != 'e')
		e++;
	while (first < e && !(s.ptr[first] >= '1' && s.ptr[first] <= '9'))
		first++;
	point = etc_str_find(etc_str_sub(s, 0, e), ETC_STR("."), 0);
	point = point == SIZE_MAX ? e : point;
	if (!etc_number_parse(etc_str_sub(s, e + 1, s.len), &exponent))
		exponent = e + 1 < s.len && s.ptr[e + 1] == '-' ? -HUGE_VAL
		           : e < s.len                          ? HUGE_VAL
		                                                : 0;
	return (double)point - (double)first + exponent > 0 ? (double)INFINITY : 0;
}

bool etc_tree_number(const struct etc_tree *value, double *v)
{
	if (!value || (value->type != ETC_JSON_INT && value->type != ETC_JSON_FLOAT))
		return false;
	if (etc_number_parse(value->text, v))
		return true;
	*v = etc_str_eq(value->text, ETC_STR("NaN"))          ? (double)NAN
	     : etc_str_ends(value->text, ETC_STR("Infinity")) ? (double)INFINITY
	                                                      : beyond(value->text);
	if (etc_str_starts(value->text, ETC_STR("-")))
		*v = -*v;
	return true;
}

bool etc_tree_count(const struct etc_tree *value, uint64_t *v)
{
	return value && value->type == ETC_JSON_INT && etc_number_parse_u64(value->text, v);
}

struct etc_str etc_tree_shown(const struct etc_tree *value)
{
	return value && value->text.len ? value->text : etc_str_of(etc_tree_kind(value));
}

const char *etc_tree_kind(const struct etc_tree *value)
{
	static const char *const words[] = {
		[ETC_JSON_BAD] = "nothing",  [ETC_JSON_OBJECT] = "an object",
		[ETC_JSON_ARRAY] = "a list", [ETC_JSON_STRING] = "text",
		[ETC_JSON_INT] = "a number", [ETC_JSON_FLOAT] = "a number",
		[ETC_JSON_TRUE] = "true",    [ETC_JSON_FALSE] = "false",
		[ETC_JSON_NULL] = "null",
	};

	return value ? words[value->type] : "nothing";
}
