/* graph_schema.c -- see graph_schema.h.
 *
 * Contains the dataclasses of exir/serde/schema.py (schema 5.4) as tables. Python builds them with
 * cls(**data), so a missing or additional member is a TypeError. A union is an object with exactly
 * one known member; a value of a plain type must not be a container, except an empty list. */
#include "formats/etrecord/graph_schema.h"

enum type {
	PLAIN,  /* number, text, boolean or null: not checked further */
	TEXT,   /* text */
	NUMBER, /* number or boolean */
	PROGRAM,
	GRAPH_MODULE,
	GRAPH,
	ARGUMENT,
	TENSOR_ARGUMENT,
	SYM_INT_ARGUMENT,
	SYM_BOOL_ARGUMENT,
	DEVICE,
	GRAPH_ARGUMENT,
	OPTIONAL_TENSOR,
	CUSTOM_OBJECT,
	NODE,
	NAMED_ARGUMENT,
	TENSOR_META,
	SYM_INT,
	SYM_BOOL,
	SYM_EXPR,
	SYM_HINT,
	SIGNATURE,
	INPUT_SPEC,
	INPUT_USER,
	INPUT_PARAMETER,
	INPUT_BUFFER,
	INPUT_CONSTANT,
	INPUT_CUSTOM,
	INPUT_VALUE,
	TOKEN_SPEC,
	CONSTANT_VALUE,
	OUTPUT_SPEC,
	OUTPUT_BUFFER,
	OUTPUT_PARAMETER,
	OUTPUT_USER_INPUT,
	TENSOR_SPEC,
	MODULE_CALL,
	MODULE_SIGNATURE,
	RANGE,
	VERSION
};

enum shape {
	ONE,
	LIST,  /* a list of values of the type */
	TABLE, /* an object, whose members have the type */
	MAYBE, /* a value of the type, or null */
	LOOSE  /* a scalar of any kind, or a list or object whose items have the type */
};

struct field {
	struct etc_str name;
	uint8_t type;  /* enum type */
	uint8_t shape; /* enum shape */
	bool optional; /* the field has a default value, so it may be missing */
};

#define F(name, ...)                                    \
	{                                               \
		{ name, sizeof(name) - 1 }, __VA_ARGS__ \
	}

/* clang-format off */
static const struct field program[] = {
	F("graph_module", GRAPH_MODULE, ONE, false), F("opset_version", PLAIN, LOOSE, false),
	F("range_constraints", RANGE, TABLE, false), F("schema_version", VERSION, ONE, false),
	F("dialect", PLAIN, ONE, true), F("verifiers", TEXT, LIST, true),
};
static const struct field graph_module[] = {
	F("graph", GRAPH, ONE, false), F("signature", SIGNATURE, ONE, false),
	F("module_call_graph", MODULE_CALL, LIST, false),
};
static const struct field graph[] = {
	F("inputs", ARGUMENT, LIST, false), F("outputs", ARGUMENT, LIST, false),
	F("nodes", NODE, LIST, false), F("tensor_values", TENSOR_META, TABLE, false),
	F("sym_int_values", SYM_INT, TABLE, false), F("sym_bool_values", SYM_BOOL, TABLE, false),
	F("is_single_tensor_return", PLAIN, ONE, true),
	F("custom_obj_values", CUSTOM_OBJECT, TABLE, true),
};
static const struct field argument[] = {
	F("as_none", PLAIN, ONE, false), F("as_tensor", TENSOR_ARGUMENT, ONE, false),
	F("as_tensors", TENSOR_ARGUMENT, LIST, false), F("as_int", PLAIN, ONE, false),
	F("as_ints", PLAIN, LIST, false), F("as_float", PLAIN, ONE, false),
	F("as_floats", PLAIN, LIST, false), F("as_string", PLAIN, ONE, false),
	F("as_strings", PLAIN, LIST, false), F("as_sym_int", SYM_INT_ARGUMENT, ONE, false),
	F("as_sym_ints", SYM_INT_ARGUMENT, LIST, false), F("as_scalar_type", PLAIN, ONE, false),
	F("as_memory_format", PLAIN, ONE, false), F("as_layout", PLAIN, ONE, false),
	F("as_device", DEVICE, ONE, false), F("as_bool", PLAIN, ONE, false),
	F("as_bools", PLAIN, LIST, false), F("as_sym_bool", SYM_BOOL_ARGUMENT, ONE, false),
	F("as_sym_bools", SYM_BOOL_ARGUMENT, LIST, false), F("as_graph", GRAPH_ARGUMENT, ONE, false),
	F("as_optional_tensors", OPTIONAL_TENSOR, LIST, false),
	F("as_custom_obj", CUSTOM_OBJECT, ONE, false), F("as_operator", PLAIN, ONE, false),
};
static const struct field named[] = { F("name", TEXT, ONE, false) };
static const struct field sym_int_argument[] = {
	F("as_name", PLAIN, ONE, false), F("as_int", PLAIN, ONE, false),
};
static const struct field sym_bool_argument[] = {
	F("as_name", PLAIN, ONE, false), F("as_bool", PLAIN, ONE, false),
};
static const struct field device[] = {
	F("type", TEXT, ONE, false), F("index", PLAIN, MAYBE, true),
};
static const struct field graph_argument[] = {
	F("name", TEXT, ONE, false), F("graph", GRAPH, ONE, false),
};
static const struct field optional_tensor[] = {
	F("as_tensor", TENSOR_ARGUMENT, ONE, false), F("as_none", PLAIN, ONE, false),
};
static const struct field custom_object[] = {
	F("name", PLAIN, ONE, false), F("class_fqn", PLAIN, ONE, false),
};
static const struct field node[] = {
	F("name", PLAIN, ONE, false), F("target", TEXT, ONE, false),
	F("inputs", NAMED_ARGUMENT, LIST, false), F("outputs", ARGUMENT, LIST, false),
	F("metadata", PLAIN, TABLE, false),
};
static const struct field named_argument[] = {
	F("name", TEXT, ONE, false), F("arg", ARGUMENT, ONE, false),
};
static const struct field tensor_meta[] = {
	F("dtype", NUMBER, ONE, false), F("sizes", SYM_INT, LIST, false),
	F("requires_grad", PLAIN, ONE, false), F("device", DEVICE, ONE, false),
	F("strides", SYM_INT, LIST, false), F("storage_offset", SYM_INT, ONE, false),
	F("layout", PLAIN, ONE, false),
};
static const struct field sym_int[] = {
	F("as_expr", SYM_EXPR, ONE, false), F("as_int", NUMBER, ONE, false),
};
static const struct field sym_bool[] = {
	F("as_expr", SYM_EXPR, ONE, false), F("as_bool", PLAIN, ONE, false),
};
static const struct field sym_expr[] = {
	F("expr_str", PLAIN, ONE, false), F("hint", SYM_HINT, MAYBE, true),
};
static const struct field sym_hint[] = {
	F("as_int", PLAIN, ONE, false), F("as_float", PLAIN, ONE, false),
	F("as_bool", PLAIN, ONE, false),
};
static const struct field signature[] = {
	F("input_specs", INPUT_SPEC, LIST, false), F("output_specs", OUTPUT_SPEC, LIST, false),
};
static const struct field input_spec[] = {
	F("user_input", INPUT_USER, ONE, false), F("parameter", INPUT_PARAMETER, ONE, false),
	F("buffer", INPUT_BUFFER, ONE, false), F("tensor_constant", INPUT_CONSTANT, ONE, false),
	F("custom_obj", INPUT_CUSTOM, ONE, false), F("token", TOKEN_SPEC, ONE, false),
	F("constant_input", INPUT_VALUE, ONE, false),
};
static const struct field input_user[] = { F("arg", ARGUMENT, ONE, false) };
static const struct field input_parameter[] = {
	F("arg", TENSOR_ARGUMENT, ONE, false), F("parameter_name", PLAIN, ONE, false),
};
static const struct field input_buffer[] = {
	F("arg", TENSOR_ARGUMENT, ONE, false), F("buffer_name", PLAIN, ONE, false),
	F("persistent", PLAIN, ONE, false),
};
static const struct field input_constant[] = {
	F("arg", TENSOR_ARGUMENT, ONE, false), F("tensor_constant_name", PLAIN, ONE, false),
};
static const struct field input_custom[] = {
	F("arg", CUSTOM_OBJECT, ONE, false), F("custom_obj_name", PLAIN, ONE, false),
};
static const struct field input_value[] = {
	F("name", PLAIN, ONE, false), F("value", CONSTANT_VALUE, ONE, false),
};
static const struct field constant_value[] = {
	F("as_none", PLAIN, ONE, false), F("as_int", PLAIN, ONE, false),
	F("as_float", PLAIN, ONE, false), F("as_string", PLAIN, ONE, false),
	F("as_bool", PLAIN, ONE, false),
};
static const struct field output_spec[] = {
	F("user_output", INPUT_USER, ONE, false), F("loss_output", TENSOR_SPEC, ONE, false),
	F("buffer_mutation", OUTPUT_BUFFER, ONE, false),
	F("gradient_to_parameter", OUTPUT_PARAMETER, ONE, false),
	F("gradient_to_user_input", OUTPUT_USER_INPUT, ONE, false),
	F("user_input_mutation", OUTPUT_USER_INPUT, ONE, false), F("token", TOKEN_SPEC, ONE, false),
};
static const struct field output_buffer[] = {
	F("arg", TENSOR_ARGUMENT, ONE, false), F("buffer_name", PLAIN, ONE, false),
};
static const struct field output_user_input[] = {
	F("arg", TENSOR_ARGUMENT, ONE, false), F("user_input_name", PLAIN, ONE, false),
};
static const struct field tensor_spec[] = { F("arg", TENSOR_ARGUMENT, ONE, false) };
static const struct field module_call[] = {
	F("fqn", PLAIN, ONE, false), F("signature", MODULE_SIGNATURE, MAYBE, true),
};
static const struct field module_signature[] = {
	F("inputs", ARGUMENT, LIST, false), F("outputs", ARGUMENT, LIST, false),
	F("in_spec", TEXT, ONE, false), F("out_spec", TEXT, ONE, false),
};
static const struct field range[] = {
	F("min_val", PLAIN, ONE, false), F("max_val", PLAIN, ONE, false),
};
static const struct field version[] = {
	F("major", PLAIN, ONE, false), F("minor", PLAIN, ONE, false),
};

#define CLASS(t) { t, sizeof t / sizeof t[0], false }
#define UNION(t) { t, sizeof t / sizeof t[0], true }

static const struct {
	const struct field *fields;
	uint8_t count;
	bool one_of;
} types[] = {
	[PROGRAM] = CLASS(program),                   [GRAPH_MODULE] = CLASS(graph_module),
	[GRAPH] = CLASS(graph),                       [ARGUMENT] = UNION(argument),
	[TENSOR_ARGUMENT] = CLASS(named),             [SYM_INT_ARGUMENT] = UNION(sym_int_argument),
	[SYM_BOOL_ARGUMENT] = UNION(sym_bool_argument), [DEVICE] = CLASS(device),
	[GRAPH_ARGUMENT] = CLASS(graph_argument),     [OPTIONAL_TENSOR] = UNION(optional_tensor),
	[CUSTOM_OBJECT] = CLASS(custom_object),       [NODE] = CLASS(node),
	[NAMED_ARGUMENT] = CLASS(named_argument),     [TENSOR_META] = CLASS(tensor_meta),
	[SYM_INT] = UNION(sym_int),                   [SYM_BOOL] = UNION(sym_bool),
	[SYM_EXPR] = CLASS(sym_expr),                 [SYM_HINT] = UNION(sym_hint),
	[SIGNATURE] = CLASS(signature),               [INPUT_SPEC] = UNION(input_spec),
	[INPUT_USER] = CLASS(input_user),             [INPUT_PARAMETER] = CLASS(input_parameter),
	[INPUT_BUFFER] = CLASS(input_buffer),         [INPUT_CONSTANT] = CLASS(input_constant),
	[INPUT_CUSTOM] = CLASS(input_custom),         [INPUT_VALUE] = CLASS(input_value),
	[TOKEN_SPEC] = CLASS(tensor_spec),            [CONSTANT_VALUE] = UNION(constant_value),
	[OUTPUT_SPEC] = UNION(output_spec),           [OUTPUT_BUFFER] = CLASS(output_buffer),
	[OUTPUT_PARAMETER] = CLASS(input_parameter),  [OUTPUT_USER_INPUT] = CLASS(output_user_input),
	[TENSOR_SPEC] = CLASS(tensor_spec),           [MODULE_CALL] = CLASS(module_call),
	[MODULE_SIGNATURE] = CLASS(module_signature), [RANGE] = CLASS(range),
	[VERSION] = CLASS(version),
};
/* clang-format on */

static bool complain(struct etc_graph_checker *c, const char *what, struct etc_str name)
{
	c->why = etc_arena_printf(c->arena, "%s '" ETC_STR_FMT "'", what, ETC_STR_ARG(name));
	return false;
}

static bool check_value(struct etc_graph_checker *c, enum type t, enum shape shape,
                        struct etc_str name, const struct etc_json_value *v);

/* Checks the value of a member. If Python does not use the member, any value that is not a
 * container is accepted instead of a text. */
static bool check_member(struct etc_graph_checker *c, const struct field *f,
                         const struct etc_json_value *v)
{
	const bool unread = c->unread;
	bool ok;

	c->unread |= f->type == SIGNATURE || (f->type == SYM_INT && f->shape == ONE);
	ok = check_value(c, (enum type)f->type, (enum shape)f->shape, f->name, v);
	c->unread = unread;
	return ok;
}

/* Returns the index of the field called `key`; the number of fields if there is no such field. */
static uint32_t find_field(struct etc_graph_checker *c, enum type t, struct etc_str key)
{
	const struct field *fields = types[t].fields;
	uint32_t count = types[t].count, i = c->next[t];

	if (i >= count || !etc_str_eq(fields[i].name, key))
		for (i = 0; i < count && !etc_str_eq(fields[i].name, key);)
			i++;
	/* The next member is probably the next field, because members come in schema order. A union
	 * has one member, which is probably the same field as in the last union of this type. */
	c->next[t] = (uint8_t)(i + !types[t].one_of);
	return i;
}

/* Checks an object of a class or union. */
static bool check_object(struct etc_graph_checker *c, enum type t, struct etc_str name,
                         const struct etc_json_value *v, enum etc_json_type type)
{
	struct etc_json_iter it;
	uint32_t seen = 0, i;

	if (type != ETC_JSON_OBJECT)
		return complain(c, "no object in", name);
	if (!etc_json_enter(v, &it))
		return false;
	c->next[t] = types[t].one_of ? c->next[t] : 0;
	while (etc_json_more(&it)) {
		bool bad;

		i = find_field(c, t, it.key);
		if (i == types[t].count && memchr(it.key.ptr, '\\', it.key.len)) {
			if (!etc_json_unescape(c->arena, it.key, &it.key, &bad))
				return false;
			i = find_field(c, t, it.key);
		}
		if (i == types[t].count)
			return complain(c, "unknown member", it.key);
		seen |= 1U << i;
		if (!check_member(c, &types[t].fields[i], &it.value))
			return false;
	}
	if (types[t].one_of)
		return (seen && !(seen & (seen - 1))) || complain(c, "not one member in", name);
	for (i = 0; i < types[t].count; i++)
		if (!(seen & 1U << i) && !types[t].fields[i].optional)
			return complain(c, "missing member", types[t].fields[i].name);
	return true;
}

/* Checks an object. Most objects are similar to an earlier valid object, and are therefore
 * valid. */
static bool check_alike(struct etc_graph_checker *c, struct etc_json_likes *likes, enum type t,
                        struct etc_str name, const struct etc_json_value *v,
                        enum etc_json_type type)
{
	if (etc_json_like(likes, v) < ETC_JSON_LIKES)
		return true;
	if (!check_object(c, t, name, v, type))
		return false;
	etc_json_learn(likes, v, NULL, 0);
	return true;
}

/* Checks a value that must be neither a list nor an object; only an empty list is allowed. */
static bool check_plain(struct etc_graph_checker *c, enum type t, struct etc_str name,
                        const struct etc_json_value *v, enum etc_json_type type)
{
	struct etc_json_iter it;

	if (c->unread)
		t = PLAIN;
	if (t == TEXT && type != ETC_JSON_STRING)
		return complain(c, "no text in", name);
	if (t == NUMBER && (type == ETC_JSON_STRING || type == ETC_JSON_NULL ||
	                    type == ETC_JSON_ARRAY || type == ETC_JSON_OBJECT))
		return complain(c, "no number in", name);
	if (type == ETC_JSON_OBJECT)
		return complain(c, "an object in", name);
	if (type != ETC_JSON_ARRAY)
		return true;
	if (!etc_json_enter(v, &it))
		return false;
	return !etc_json_more(&it) || complain(c, "a list in", name);
}

static bool check_item(struct etc_graph_checker *c, enum type t, struct etc_str name,
                       const struct etc_json_value *v, enum etc_json_type type)
{
	if (t == TENSOR_META)
		return check_alike(c, &c->tensors, t, name, v, type);
	if (t == NODE)
		return check_alike(c, &c->nodes, t, name, v, type);
	return t <= NUMBER ? check_plain(c, t, name, v, type) : check_object(c, t, name, v, type);
}

static bool check_value(struct etc_graph_checker *c, enum type t, enum shape shape,
                        struct etc_str name, const struct etc_json_value *v)
{
	enum etc_json_type type = etc_json_type(v);
	struct etc_json_iter it;

	if (shape == MAYBE && type == ETC_JSON_NULL)
		return true;
	if (shape == LOOSE && type != ETC_JSON_ARRAY && type != ETC_JSON_OBJECT)
		return true;
	if (shape == ONE || shape == MAYBE)
		return check_item(c, t, name, v, type);
	for (uint32_t i = 0; i < c->right_count; i++)
		if (v->at == c->right_at[i]) {
			etc_json_pass(v, c->right_tokens[i]);
			return true;
		}
	if (shape != LOOSE && type != (shape == LIST ? ETC_JSON_ARRAY : ETC_JSON_OBJECT))
		return complain(c, shape == LIST ? "no list in" : "no object in", name);
	if (!etc_json_enter(v, &it))
		return false;
	while (etc_json_more(&it))
		if (!check_item(c, t, name, &it.value, etc_json_type(&it.value)))
			return false;
	return true;
}

void etc_graph_checker_init(struct etc_graph_checker *c, struct etc_arena *arena)
{
	*c = (struct etc_graph_checker){ .arena = arena };
	c->nodes.arena = c->tensors.arena = arena;
}

bool etc_graph_check_node(struct etc_graph_checker *c, const struct etc_json_value *v)
{
	const bool right = check_item(c, NODE, ETC_STR("nodes"), v, etc_json_type(v)) &&
	                   !etc_json_failed(v->doc);

	etc_json_forgive(v->doc);
	c->why = (struct etc_str){ 0 };
	return right;
}

void etc_graph_is_right(struct etc_graph_checker *c, const struct etc_json_value *v)
{
	const uint32_t tokens = etc_json_tokens(v);

	if (tokens == 0 || c->right_count == ETC_GRAPH_RIGHT)
		return;
	c->right_at[c->right_count] = v->at;
	c->right_tokens[c->right_count++] = tokens;
}

void etc_graph_check_member(struct etc_graph_checker *c, struct etc_str key,
                            const struct etc_json_value *v)
{
	const enum etc_json_type type = etc_json_type(v);
	const uint32_t i = find_field(c, GRAPH, key), before = c->right_count;
	struct etc_json_iter again;

	if (i == types[GRAPH].count || (type != ETC_JSON_OBJECT && type != ETC_JSON_ARRAY))
		return;
	if (check_member(c, &graph[i], v))
		etc_graph_is_right(c, v);
	etc_json_forgive(v->doc);
	c->why = (struct etc_str){ 0 };
	if (c->right_count == before)
		etc_json_enter(v, &again);
}

struct etc_str etc_graph_check_schema(struct etc_graph_checker *c,
                                      const struct etc_json_value *root)
{
	check_object(c, PROGRAM, ETC_STR("the program"), root, etc_json_type(root));
	return c->why;
}
