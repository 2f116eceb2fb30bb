/* graph_argument.c -- see graph_argument.h. */
#include "formats/etrecord/graph_argument.h"

/* Limit of all text: a short value may be replaced by a long node name many times. */
enum { TEXT_MAX = 64 << 20 };

/* Numbers of exir/serde/schema.py: ScalarType, Layout, MemoryFormat. */
static const char *const scalar_types[] = {
	NULL,      "uint8",    "int8",    "int16",       "int32",         "int64",
	"float16", "float32",  "float64", "complex32",   "complex64",     "complex128",
	"bool",    "bfloat16", "uint16",  "float8_e5m2", "float8_e4m3fn",
};
static const char *const layouts[] = {
	NULL,         "sparse_coo", "sparse_csr", "sparse_csc",
	"sparse_bsr", "sparse_bsc", "_mkldnn",    "strided",
};
static const char *const memory_formats[] = {
	NULL, "contiguous_format", "channels_last", "channels_last_3d", "preserve_format",
};

static const struct {
	struct etc_str kind;
	const char *const *names;
	int64_t count;
} enums[] = {
	{ { "as_scalar_type", 14 }, scalar_types, sizeof scalar_types / sizeof *scalar_types },
	{ { "as_layout", 9 }, layouts, sizeof layouts / sizeof *layouts },
	{ { "as_memory_format", 16 },
	  memory_formats,
	  sizeof memory_formats / sizeof *memory_formats },
};

static void put_int(struct etc_argument_writer *w, struct etc_str kind, struct etc_str raw)
{
	int64_t n;

	for (size_t i = 0; i < sizeof enums / sizeof *enums; i++)
		if (etc_str_eq(kind, enums[i].kind) && etc_json_int(raw, &n) && n > 0 &&
		    n < enums[i].count) {
			etc_text_printf(&w->text, "torch.%s", enums[i].names[n]);
			return;
		}
	etc_text_put(&w->text, raw);
}

/* The text of a string; empty for other values. */
static struct etc_str string_of(struct etc_argument_writer *w, const struct etc_json_value *v)
{
	struct etc_str s = { 0 };
	bool bad = false;

	if (etc_json_type(v) != ETC_JSON_STRING)
		return s;
	if (!etc_json_unescape(w->arena, etc_json_inside(v->raw), &s, &bad))
		w->nomem |= !bad;
	return s;
}

static void put_name(struct etc_argument_writer *w, const struct etc_json_value *v)
{
	struct etc_str name = string_of(w, v);
	size_t at = w->aliases.count ? etc_map_get(&w->aliases, name) : ETC_MAP_NONE;

	etc_text_put(&w->text, at == ETC_MAP_NONE ? name : w->names[at]);
	w->nomem |= w->text.len > TEXT_MAX;
}

static void put_value(struct etc_argument_writer *w, struct etc_str kind,
                      const struct etc_json_value *v);

/* Writes an object such as {"name": x}, {"as_name": x}, {"as_tensor": {...}} or {"type": "cpu",
 * "index": 0}. */
static void put_object(struct etc_argument_writer *w, struct etc_str kind,
                       const struct etc_json_value *v)
{
	struct etc_json_iter it;
	bool graph = etc_str_eq(kind, ETC_STR("as_graph"));

	if (!etc_json_enter(v, &it))
		return;
	while (etc_json_more(&it)) {
		if (etc_json_type(&it.value) == ETC_JSON_NULL)
			continue;
		if (etc_str_eq(it.key, ETC_STR("name")) || etc_str_eq(it.key, ETC_STR("as_name"))) {
			if (graph)
				w->graph = string_of(w, &it.value);
			put_name(w, &it.value);
		} else if (etc_str_starts(it.key, ETC_STR("as_"))) {
			put_value(w, it.key, &it.value);
		} else if (etc_str_eq(it.key, ETC_STR("type"))) {
			etc_text_put(&w->text, string_of(w, &it.value));
		} else if (etc_str_eq(it.key, ETC_STR("index"))) {
			etc_text_char(&w->text, ':');
			etc_text_put(&w->text, it.value.raw);
		}
	}
}

static void put_list(struct etc_argument_writer *w, struct etc_str kind,
                     const struct etc_json_value *v)
{
	struct etc_json_iter it;
	bool none = etc_str_eq(kind, ETC_STR("as_none"));

	if (w->nomem || !etc_json_enter(v, &it))
		return;
	etc_text_cstr(&w->text, none ? "None" : "[");
	for (bool first = true; !w->nomem && etc_json_more(&it); first = false) {
		etc_text_cstr(&w->text, first ? "" : ", ");
		put_value(w, kind, &it.value);
	}
	etc_text_cstr(&w->text, none ? "" : "]");
}

static void put_value(struct etc_argument_writer *w, struct etc_str kind,
                      const struct etc_json_value *v)
{
	switch (etc_json_type(v)) {
	case ETC_JSON_OBJECT:
		put_object(w, kind, v);
		break;
	case ETC_JSON_ARRAY:
		put_list(w, kind, v);
		break;
	case ETC_JSON_TRUE:
	case ETC_JSON_FALSE:
		etc_text_cstr(&w->text, etc_str_eq(kind, ETC_STR("as_none")) ? "None"
		                        : etc_json_type(v) == ETC_JSON_TRUE  ? "True"
		                                                             : "False");
		break;
	case ETC_JSON_NULL:
		etc_text_cstr(&w->text, "None");
		break;
	case ETC_JSON_INT:
		put_int(w, kind, v->raw);
		break;
	case ETC_JSON_STRING:
		etc_text_put(&w->text, etc_str_eq(kind, ETC_STR("as_operator"))
		                               ? etc_json_inside(v->raw)
		                               : v->raw);
		break;
	case ETC_JSON_FLOAT:
		etc_text_put(&w->text, v->raw);
		break;
	case ETC_JSON_BAD:
		etc_json_verify(v);
		break;
	}
}

void etc_argument_put(struct etc_argument_writer *w, const struct etc_json_value *argument)
{
	struct etc_json_iter it;

	w->kind = w->graph = (struct etc_str){ 0 };
	if (etc_json_type(argument) != ETC_JSON_OBJECT || !etc_json_enter(argument, &it))
		return;
	/* Releases before 0.4 write all members of a union; those that are not set are null. */
	while (etc_json_more(&it)) {
		if (w->kind.len || etc_json_type(&it.value) == ETC_JSON_NULL)
			continue;
		w->kind = it.key;
		put_value(w, it.key, &it.value);
	}
	if (!w->kind.len)
		etc_text_cstr(&w->text, "None");
}
