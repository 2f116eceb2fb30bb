/* safetensors.c -- see safetensors.h.
 *
 *   [u64 n][n bytes of JSON][data]
 *   {"__metadata__": {"k": "v"}, "name": {"dtype": "F32", "shape": [2, 3],
 *    "data_offsets": [from, to]}}     offsets count from the first byte of the data */
#include "formats/container/safetensors.h"

#include <stdalign.h>

#include "base/grow.h"
#include "base/map.h"
#include "model/limits.h"
#include "formats/container/json.h"

enum { LENGTH_BYTES = 8, MOST_HEADER = 100000000 };

struct reader {
	struct etc_arena *arena;
	struct etc_span data;
	struct etc_json *doc;
	struct etc_map names;
	/* arrays: `tensors` has elements of type struct etc_safetensor, `metadata` of type struct
	 * etc_safetensors_entry */
	struct etc_grow tensors, metadata;
	struct etc_error *err;
};

/* clang-format off */
static const struct { const char *name; int8_t code; } dtypes[] = {
	{ "F64", 7 }, { "F32", 6 }, { "F16", 5 }, { "BF16", 15 }, { "I64", 4 }, { "I32", 3 },
	{ "I16", 2 }, { "I8", 1 }, { "U8", 0 }, { "BOOL", 11 }, { "U16", 27 }, { "U32", 28 },
	{ "U64", 29 }, { "F8_E5M2", 23 }, { "F8_E4M3", 24 }, { "F8_E5M2FNUZ", 25 },
	{ "F8_E4M3FNUZ", 26 },
};
/* clang-format on */

static const struct etc_scalar_type *type_of(struct etc_str dtype)
{
	for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++)
		if (etc_str_eq(dtype, etc_str_of(dtypes[i].name)))
			return etc_scalar_type(dtypes[i].code);
	return NULL;
}

static enum etc_status damaged(const struct reader *r, struct etc_str name, const char *what)
{
	return etc_fail(r->err, E1181, "tensor '" ETC_STR_FMT "': %s", ETC_STR_ARG(name), what);
}

static enum etc_status text_of(struct reader *r, struct etc_str inside, struct etc_str *out)
{
	bool bad = false;

	if (etc_json_unescape(r->arena, inside, out, &bad))
		return ETC_OK;
	return bad ? etc_fail(r->err, E1181, "a text of the header is no JSON")
	           : etc_no_memory(r->err);
}

/* Reads a non-negative integer; false for any other value. */
static bool number(const struct etc_json_value *v, int64_t *out)
{
	return etc_json_type(v) == ETC_JSON_INT && etc_json_int(v->raw, out) && *out >= 0;
}

static enum etc_status read_shape(struct reader *r, const struct etc_json_value *v,
                                  struct etc_safetensor *t)
{
	int64_t sizes[ETC_LIMIT_TENSOR_RANK], *kept;
	struct etc_json_iter it;

	if (!etc_json_enter(v, &it))
		return damaged(r, t->name, "shape is no list");
	t->rank = 0;
	while (etc_json_more(&it)) {
		if (t->rank == ETC_LIMIT_TENSOR_RANK || !number(&it.value, &sizes[t->rank]))
			return damaged(r, t->name, "shape is no list of sizes");
		t->rank++;
	}
	kept = etc_new(r->arena, int64_t, t->rank);
	ETC_NEED(kept, r->err);
	memcpy(kept, sizes, t->rank * sizeof *sizes);
	t->sizes = kept;
	return ETC_OK;
}

static enum etc_status read_offsets(struct reader *r, const struct etc_json_value *v,
                                    struct etc_safetensor *t)
{
	int64_t at[2] = { 0, 0 };
	struct etc_json_iter it;
	unsigned n = 0;

	if (!etc_json_enter(v, &it))
		return damaged(r, t->name, "data_offsets is no list");
	while (etc_json_more(&it)) {
		if (n == 2 || !number(&it.value, &at[n]))
			return damaged(r, t->name, "data_offsets are not two offsets");
		n++;
	}
	if (n != 2 || at[0] > at[1] || (uint64_t)at[1] > r->data.len)
		return damaged(r, t->name, "its bytes lie outside of the file");
	t->bytes = (struct etc_span){ r->data.ptr + at[0], (size_t)(at[1] - at[0]) };
	return ETC_OK;
}

/* Sets the number of elements. Fails if it does not agree with the length in bytes. */
static enum etc_status check_size(struct reader *r, struct etc_safetensor *t)
{
	uint64_t n = 1;
	bool none = false, many = false;

	for (uint32_t d = 0; d < t->rank; d++)
		none |= t->sizes[d] == 0;
	for (uint32_t d = 0; d < t->rank && !none; d++) {
		many |= n > UINT64_MAX / 16 / (uint64_t)t->sizes[d];
		n = many ? n : n * (uint64_t)t->sizes[d];
	}
	t->count = none ? 0 : n;
	if (many || (t->type && t->count * t->type->bytes != t->bytes.len))
		return damaged(r, t->name, "its sizes do not fit its bytes");
	return ETC_OK;
}

static enum etc_status read_tensor(struct reader *r, const struct etc_json_value *v,
                                   struct etc_safetensor *t)
{
	bool dtype = false, shape = false, offsets = false;
	struct etc_json_iter it;

	if (!etc_json_enter(v, &it))
		return damaged(r, t->name, "is no object");
	while (etc_json_more(&it)) {
		if (etc_str_eq(it.key, ETC_STR("dtype")) &&
		    etc_json_type(&it.value) == ETC_JSON_STRING) {
			dtype = true;
			ETC_TRY(text_of(r, etc_json_inside(it.value.raw), &t->dtype));
		} else if (etc_str_eq(it.key, ETC_STR("shape"))) {
			shape = true;
			ETC_TRY(read_shape(r, &it.value, t));
		} else if (etc_str_eq(it.key, ETC_STR("data_offsets"))) {
			offsets = true;
			ETC_TRY(read_offsets(r, &it.value, t));
		} else {
			return damaged(r, t->name, "a member that the format does not have");
		}
	}
	if (etc_json_failed(r->doc))
		return ETC_OK;
	if (!dtype || !shape || !offsets)
		return damaged(r, t->name, "dtype, shape or data_offsets is missing");
	t->type = type_of(t->dtype);
	return check_size(r, t);
}

static enum etc_status read_metadata(struct reader *r, const struct etc_json_value *v)
{
	struct etc_json_iter it;

	if (!etc_json_enter(v, &it))
		return etc_fail(r->err, E1181, "__metadata__ is no object");
	while (etc_json_more(&it)) {
		struct etc_safetensors_entry *e;

		if (etc_json_type(&it.value) != ETC_JSON_STRING)
			return etc_fail(r->err, E1181, "__metadata__ holds more than texts");
		e = ETC_GROW(r->arena, &r->metadata, struct etc_safetensors_entry);
		ETC_NEED(e, r->err);
		ETC_TRY(text_of(r, it.key, &e->key));
		ETC_TRY(text_of(r, etc_json_inside(it.value.raw), &e->value));
	}
	return ETC_OK;
}

static enum etc_status read_header(struct reader *r)
{
	struct etc_json_value root;
	struct etc_json_iter it;

	etc_json_root(r->doc, &root);
	if (!etc_json_enter(&root, &it))
		return etc_fail(r->err, E1181, "the header is no JSON object");
	while (etc_json_more(&it)) {
		struct etc_safetensor *t;
		struct etc_str name;
		size_t n;

		ETC_TRY(text_of(r, it.key, &name));
		if (etc_str_eq(name, ETC_STR("__metadata__"))) {
			ETC_TRY(read_metadata(r, &it.value));
			continue;
		}
		n = etc_map_add(&r->names, name, r->tensors.count);
		if (n != ETC_MAP_NONE && n != r->tensors.count)
			return damaged(r, name, "the name comes twice");
		t = n == ETC_MAP_NONE ? NULL
		                      : etc_grow_add(r->arena, &r->tensors, sizeof *t,
		                                     alignof(struct etc_safetensor));
		ETC_NEED(t, r->err);
		*t = (struct etc_safetensor){ .name = name };
		ETC_TRY(read_tensor(r, &it.value, t));
	}
	return ETC_OK;
}

enum etc_status etc_safetensors_read(struct etc_span file, struct etc_arena *arena,
                                     struct etc_safetensors *out, struct etc_error *err)
{
	struct reader r = { .arena = arena, .err = err };
	struct etc_error why = { .at = -1 };
	uint64_t length = 0;
	enum etc_status st;

	*out = (struct etc_safetensors){ 0 };
	if (file.len >= LENGTH_BYTES)
		memcpy(&length, file.ptr, sizeof length);
	if (length < 2 || length > MOST_HEADER || length > file.len - LENGTH_BYTES ||
	    file.ptr[LENGTH_BYTES] != '{')
		return etc_fail(err, E1180, "no length and header of JSON in its %zu bytes",
		                file.len);
	r.data = (struct etc_span){ file.ptr + LENGTH_BYTES + length,
		                    file.len - LENGTH_BYTES - (size_t)length };
	etc_map_init(&r.names, arena);
	ETC_TRY(etc_json_open(
		(struct etc_str){ (const char *)file.ptr + LENGTH_BYTES, (size_t)length },
		r.data.len, arena, &r.doc, err));
	st = read_header(&r);
	if (st == ETC_OK && etc_json_check_end(r.doc, &why) != ETC_OK)
		st = etc_fail(err, E1181, "%s", why.text);
	etc_json_close(r.doc);
	if (st == ETC_OK)
		*out = (struct etc_safetensors){ r.tensors.items, r.tensors.count, r.metadata.items,
			                         r.metadata.count };
	return st;
}
