/* references.c -- see references.h. */
#include "formats/etrecord/references.h"

#include <stdalign.h>

#include "base/map.h"
#include "base/number.h"
#include "base/text.h"
#include "formats/etrecord/etrecord_reader.h"
#include "formats/container/json.h"
#include "formats/container/safetensors.h"

struct reader {
	struct etc_arena *arena;
	struct etc_safetensors file;
	struct etc_map names; /* names of the file's tensors */
	struct etc_json *doc;
	struct etc_grow methods; /* struct etc_reference_method */
	struct etc_error *err;
};

static enum etc_status damaged(const struct reader *r, const char *what)
{
	return etc_fail(r->err, E1183, "%s", what);
}

static enum etc_status text_of(struct reader *r, const struct etc_json_value *v,
                               struct etc_str *out)
{
	bool bad = false;

	if (etc_json_type(v) != ETC_JSON_STRING)
		return damaged(r, "a name is no text");
	if (etc_json_unescape(r->arena, etc_json_inside(v->raw), out, &bad))
		return ETC_OK;
	return bad ? damaged(r, "a name is no text") : etc_no_memory(r->err);
}

/* ---- references with metadata -------------------------------------------------------- */

static enum etc_status read_handle(struct reader *r, const struct etc_json_value *v,
                                   struct etc_reference *out)
{
	struct etc_grow list = { 0 };
	struct etc_json_iter it;

	if (!etc_json_enter(v, &it))
		return damaged(r, "\"handle\" is no list");
	while (etc_json_more(&it)) {
		int64_t *h = ETC_GROW(r->arena, &list, int64_t);

		ETC_NEED(h, r->err);
		if (etc_json_type(&it.value) != ETC_JSON_INT || !etc_json_int(it.value.raw, h))
			return damaged(r, "\"handle\" holds more than whole numbers");
	}
	out->handle = list.items;
	out->handle_count = list.count;
	return ETC_OK;
}

static enum etc_status read_op(struct reader *r, const struct etc_json_value *v,
                               struct etc_reference_op *op)
{
	struct etc_json_iter it;
	int n = 0;

	if (!etc_json_enter(v, &it))
		return damaged(r, "an entry of \"ops\" is no list");
	for (; etc_json_more(&it); n++) {
		if (n > 1)
			return damaged(r, "an entry of \"ops\" is longer than name and trace");
		if (n == 0)
			ETC_TRY(text_of(r, &it.value, &op->name));
		else if (etc_json_type(&it.value) != ETC_JSON_NULL)
			ETC_TRY(text_of(r, &it.value, &op->stack_trace));
	}
	return n ? ETC_OK : damaged(r, "an entry of \"ops\" has no name");
}

static enum etc_status read_ops(struct reader *r, const struct etc_json_value *v,
                                struct etc_reference *out)
{
	struct etc_grow list = { 0 };
	struct etc_json_iter it;

	if (!etc_json_enter(v, &it))
		return damaged(r, "\"ops\" is no list");
	while (etc_json_more(&it)) {
		struct etc_reference_op *op = ETC_GROW(r->arena, &list, struct etc_reference_op);

		ETC_NEED(op, r->err);
		ETC_TRY(read_op(r, &it.value, op));
	}
	out->ops = list.items;
	out->op_count = list.count;
	return ETC_OK;
}

static bool kind_of(struct etc_str word, uint8_t *kind)
{
	static const char *const words[] = { "none", "tensor", "list", "number" };

	for (uint8_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (etc_str_eq(word, etc_str_of(words[i]))) {
			*kind = i;
			return true;
		}
	return false;
}

/* Returns the name METHOD/HANDLE for the tensors of a value; several handles are separated by
 * ",". */
static struct etc_str name_of_handles(struct reader *r, struct etc_str method,
                                      const struct etc_reference *v)
{
	struct etc_text t = { 0 };

	etc_text_put(&t, method);
	for (uint32_t i = 0; i < v->handle_count; i++) {
		etc_text_char(&t, i ? ',' : '/');
		etc_text_i64(&t, v->handle[i]);
	}
	return etc_text_keep(&t, r->arena);
}

/* Returns NAME, or NAME/INDEX if `index` is not negative. */
static struct etc_str name_of(struct reader *r, struct etc_str name, int64_t index)
{
	return index < 0 ? name
	                 : etc_arena_printf(r->arena, ETC_STR_FMT "/%lld", ETC_STR_ARG(name),
	                                    (long long)index);
}

static enum etc_status find_items(struct reader *r, struct etc_str of, int64_t count,
                                  struct etc_reference *out)
{
	const struct etc_safetensor **items;

	if (count < 0 || (uint64_t)count > r->file.count)
		return damaged(r, "a list has more values than the file has tensors");
	items = etc_new(r->arena, const struct etc_safetensor *, (size_t)count);
	ETC_NEED(items, r->err);
	for (int64_t i = 0; i < count; i++) {
		struct etc_str name = name_of(r, of, out->kind == ETC_REFERENCE_LIST ? i : -1);
		size_t at = name.ptr ? etc_map_get(&r->names, name) : ETC_MAP_NONE;

		ETC_NEED(name.ptr, r->err);
		if (at == ETC_MAP_NONE)
			return etc_fail(r->err, E1183, "there is no tensor '" ETC_STR_FMT "'",
			                ETC_STR_ARG(name));
		items[i] = &r->file.tensors[at];
	}
	out->items = items;
	out->count = (uint32_t)count;
	return ETC_OK;
}

/* Reads one entry of "values" or "nodes". `name` is the name of its tensors, without the index in a
 * list. If `name` is empty, the name is made of the method and the handles. */
static enum etc_status read_value(struct reader *r, const struct etc_json_value *v,
                                  struct etc_str method, struct etc_str name,
                                  struct etc_reference *out)
{
	struct etc_json_iter it;
	struct etc_str word = { 0 };
	int64_t count = 1;

	if (!etc_json_enter(v, &it))
		return damaged(r, "an entry of \"values\" is no object");
	while (etc_json_more(&it)) {
		if (etc_str_eq(it.key, ETC_STR("handle")))
			ETC_TRY(read_handle(r, &it.value, out));
		else if (etc_str_eq(it.key, ETC_STR("ops")))
			ETC_TRY(read_ops(r, &it.value, out));
		else if (etc_str_eq(it.key, ETC_STR("kind")))
			ETC_TRY(text_of(r, &it.value, &word));
		else if (etc_str_eq(it.key, ETC_STR("count")) &&
		         !etc_json_int(it.value.raw, &count))
			return damaged(r, "\"count\" is no whole number");
	}
	if (etc_json_failed(r->doc))
		return ETC_OK;
	if (!kind_of(word, &out->kind))
		return damaged(r, "\"kind\" is none of tensor, list, number, none");
	if (!out->handle_count)
		return damaged(r, "a value without a handle");
	if (out->kind != ETC_REFERENCE_LIST)
		count = out->kind != ETC_REFERENCE_NONE;
	if (!name.len)
		name = name_of_handles(r, method, out);
	ETC_NEED(name.ptr, r->err);
	return find_items(r, name, count, out);
}

static enum etc_status read_values(struct reader *r, const struct etc_json_value *v, bool nodes,
                                   struct etc_reference_method *m)
{
	struct etc_grow list = { 0 };
	struct etc_json_iter it;

	if (!etc_json_enter(v, &it))
		return damaged(r, nodes ? "\"nodes\" is no list" : "\"values\" is no list");
	while (etc_json_more(&it)) {
		struct etc_reference *value = ETC_GROW(r->arena, &list, struct etc_reference);
		struct etc_str name = { 0 };

		if (value && nodes)
			name = etc_arena_printf(r->arena, ETC_STR_FMT "/nodes/%u",
			                        ETC_STR_ARG(m->method), (unsigned)list.count - 1);
		ETC_NEED(value && (name.ptr || !nodes), r->err);
		ETC_TRY(read_value(r, &it.value, m->method, name, value));
	}
	*(nodes ? &m->nodes : &m->values) = list.items;
	*(nodes ? &m->node_count : &m->count) = list.count;
	return ETC_OK;
}

static enum etc_status read_method(struct reader *r, struct etc_str key,
                                   const struct etc_json_value *v)
{
	struct etc_reference_method *m =
		ETC_GROW(r->arena, &r->methods, struct etc_reference_method);
	struct etc_json_value member;
	struct etc_json_iter it;
	bool bad = false;

	if (!m || !etc_json_unescape(r->arena, key, &m->method, &bad))
		return bad ? damaged(r, "a method's name is no text") : etc_no_memory(r->err);
	if (!etc_json_enter(v, &it))
		return damaged(r, "a method is no object");
	while (etc_json_next(&it, &key, &member)) {
		if (etc_str_eq(key, ETC_STR("graph")))
			ETC_TRY(text_of(r, &member, &m->graph));
		else if (etc_str_eq(key, ETC_STR("values")))
			ETC_TRY(read_values(r, &member, false, m));
		else if (etc_str_eq(key, ETC_STR("nodes")))
			ETC_TRY(read_values(r, &member, true, m));
	}
	return ETC_OK;
}

static enum etc_status read_document(struct reader *r)
{
	struct etc_json_value root;
	struct etc_json_iter it, methods;
	int64_t version = 0;

	etc_json_root(r->doc, &root);
	if (!etc_json_enter(&root, &it))
		return damaged(r, "the metadata is no JSON object");
	while (etc_json_more(&it)) {
		if (etc_str_eq(it.key, ETC_STR("version")) &&
		    etc_json_int(it.value.raw, &version) && version != 1)
			return etc_fail(r->err, E1182, "version %lld of the metadata, not 1",
			                (long long)version);
		if (!etc_str_eq(it.key, ETC_STR("methods")))
			continue;
		if (!etc_json_enter(&it.value, &methods))
			return damaged(r, "\"methods\" is no object");
		while (etc_json_more(&methods))
			ETC_TRY(read_method(r, methods.key, &methods.value));
	}
	return ETC_OK;
}

static enum etc_status by_metadata(struct reader *r, struct etc_str text)
{
	struct etc_error why = { .at = -1 };
	enum etc_status st;

	ETC_TRY(etc_json_open(text, 0, r->arena, &r->doc, r->err));
	st = read_document(r);
	if (st == ETC_OK && etc_json_check_end(r->doc, &why) != ETC_OK)
		st = etc_fail(r->err, E1183, "%s", why.text);
	etc_json_close(r->doc);
	return st;
}

/* ---- references without metadata ----------------------------------------------------- */

/* Splits a name such as "forward/12" into "forward" and 12. */
static bool split(struct etc_str name, struct etc_str *before, uint64_t *number)
{
	size_t slash = name.len;

	while (slash > 0 && name.ptr[slash - 1] != '/')
		slash--;
	if (slash < 2)
		return false;
	*before = etc_str_sub(name, 0, slash - 1);
	return etc_number_parse_u64(etc_str_sub(name, slash, name.len), number) &&
	       *number <= INT64_MAX;
}

static struct etc_reference_method *method_of(struct reader *r, struct etc_map *index,
                                              struct etc_str name)
{
	size_t at = etc_map_add(index, name, r->methods.count);
	struct etc_reference_method *m = r->methods.items;

	if (at == ETC_MAP_NONE)
		return NULL;
	if (at < r->methods.count)
		return m + at;
	m = ETC_GROW(r->arena, &r->methods, struct etc_reference_method);
	if (m)
		*m = (struct etc_reference_method){
			.method = name,
			.values = etc_new(r->arena, struct etc_reference, r->file.count),
		};
	return m && m->values ? m : NULL;
}

/* For a tensor named METHOD/HANDLE, adds a value. For a tensor named METHOD/HANDLE/0, adds a list
 * with this tensor and METHOD/HANDLE/1 ... For other names, adds nothing. */
static enum etc_status add_named(struct reader *r, struct etc_map *index,
                                 const struct etc_safetensor *t)
{
	struct etc_reference value = { .handle_count = 1, .kind = ETC_REFERENCE_TENSOR };
	struct etc_reference_method *m;
	struct etc_str method, outer, of = t->name;
	int64_t *handle = etc_new(r->arena, int64_t, 1), count = 1;
	uint64_t last, number;

	ETC_NEED(handle, r->err);
	if (!split(t->name, &method, &last))
		return ETC_OK;
	*handle = (int64_t)last;
	if (split(method, &outer, &number)) {
		if (last > 0)
			return ETC_OK;
		*handle = (int64_t)number;
		value.kind = ETC_REFERENCE_LIST;
		of = method;
		method = outer;
		while (etc_map_get(&r->names, name_of(r, of, count)) != ETC_MAP_NONE)
			count++;
	}
	m = method_of(r, index, method);
	ETC_NEED(m, r->err);
	value.handle = handle;
	ETC_TRY(find_items(r, of, count, &value));
	((struct etc_reference *)m->values)[m->count++] = value;
	return ETC_OK;
}

static enum etc_status by_names(struct reader *r)
{
	struct etc_map index;

	etc_map_init(&index, r->arena);
	for (uint32_t i = 0; i < r->file.count; i++)
		ETC_TRY(add_named(r, &index, &r->file.tensors[i]));
	return ETC_OK;
}

enum etc_status etc_references_read(struct etc_span file, struct etc_arena *arena,
                                    struct etc_references *out, struct etc_error *err)
{
	struct reader r = { .arena = arena, .err = err };
	struct etc_str text;

	*out = (struct etc_references){ 0 };
	ETC_TRY(etc_safetensors_read(file, arena, &r.file, err));
	etc_map_init(&r.names, arena);
	for (uint32_t i = 0; i < r.file.count; i++)
		if (etc_map_add(&r.names, r.file.tensors[i].name, i) == ETC_MAP_NONE)
			return etc_no_memory(r.err);
	text = etc_safetensors_get(&r.file, ETC_STR("etcore.references"));
	ETC_TRY(text.ptr ? by_metadata(&r, text) : by_names(&r));
	if (!r.methods.count)
		return etc_fail(err, E1182, "no tensor is named METHOD/HANDLE");
	*out = (struct etc_references){ r.methods.items, r.methods.count };
	return ETC_OK;
}
