/* operand.c -- makes operands of a comparison; see operand.h */
#include "commands/numeric/operand.h"

/* Makes a tensor without dimensions from a number. */
static enum etc_status number(struct etc_operand *out, const char *type, uint8_t kind,
                              const void *v, struct etc_arena *arena, struct etc_error *err)
{
	uint8_t *bytes = etc_new(arena, uint8_t, sizeof(int64_t));

	ETC_NEED(bytes, err);
	memcpy(bytes, v, sizeof(int64_t));
	*out = (struct etc_operand){
		.type = type,
		.e = {
			.type = type,
			.bytes = { bytes, sizeof(int64_t) },
			.count = 1,
			.kind = kind,
			.bits = 64,
			.parts = 1,
			.contiguous = true,
		},
	};
	return ETC_OK;
}

static enum etc_status nothing(struct etc_operand *out, const char *type, const char *why)
{
	*out = (struct etc_operand){ .type = type, .why = why };
	return ETC_OK;
}

/* ---- a run ----------------------------------------------------------------------- */

static enum etc_status of_tensor(const struct etc_logged *g, struct etc_operand *out)
{
	out->e = g->elements;
	out->type = g->readable ? g->elements.type : NULL;
	out->why = g->readable  ? NULL
	           : g->problem ? etc_code_info(g->problem)->title
	                        : "no debug buffer";
	return ETC_OK;
}

enum etc_status etc_operand_of_logged(const struct etc_logged *g, struct etc_arena *arena,
                                      struct etc_operand *out, struct etc_error *err)
{
	const struct etc_value *v = g->value;

	*out = (struct etc_operand){ 0 };
	switch (v->tag) {
	case ETC_VALUE_TENSOR:
	case ETC_VALUE_TENSOR_LIST:
		return g->tensor ? of_tensor(g, out) : nothing(out, NULL, "no tensor was logged");
	case ETC_VALUE_INT:
		return number(out, "int", ETC_SCALAR_SIGNED, &v->i, arena, err);
	case ETC_VALUE_BOOL:
		return number(out, "bool", ETC_SCALAR_SIGNED, &v->i, arena, err);
	case ETC_VALUE_FLOAT:
	case ETC_VALUE_DOUBLE:
		return number(out, "float", ETC_SCALAR_FLOAT, &v->d, arena, err);
	default:
		return nothing(out, v->tag == ETC_VALUE_STRING ? "string" : NULL, "no number");
	}
}

/* ---- a record --------------------------------------------------------------------- */

static enum etc_status of_ref_tensor(const struct etc_ref_tensor *t, struct etc_operand *out)
{
	*out = (struct etc_operand){ .type = t->dtype->name.ptr };
	if (t->quantizer)
		out->why = "the reference is quantised: its numbers need their scale";
	else if (!etc_elements_of_reference(t, &out->e))
		out->why =
			t->storage ? "a type that has no numbers" : "a meta tensor has no values";
	return ETC_OK;
}

enum etc_status etc_operand_of_reference(const struct etc_ref_value *v, struct etc_arena *arena,
                                         struct etc_operand *out, struct etc_error *err)
{
	*out = (struct etc_operand){ 0 };
	switch (v->kind) {
	case ETC_REF_TENSOR:
		return of_ref_tensor(v->tensor, out);
	case ETC_REF_INT:
		return number(out, "int", ETC_SCALAR_SIGNED, &v->integer, arena, err);
	case ETC_REF_BOOL:
		return number(out, "bool", ETC_SCALAR_SIGNED, &v->integer, arena, err);
	case ETC_REF_FLOAT:
		return number(out, "float", ETC_SCALAR_FLOAT, &v->real[0], arena, err);
	case ETC_REF_NONE:
		return nothing(out, NULL, "the reference is None");
	default:
		return nothing(out, NULL, "the reference is neither tensor nor number");
	}
}

/* ---- a BundledProgram ---------------------------------------------------------------- */

enum etc_status etc_operand_of_bundled(const struct etc_bundled_value *v, struct etc_arena *arena,
                                       struct etc_operand *out, struct etc_error *err)
{
	int64_t *places;

	*out = (struct etc_operand){ 0 };
	switch (v->kind) {
	case ETC_BUNDLED_INT:
		return number(out, "int", ETC_SCALAR_SIGNED, &v->integer, arena, err);
	case ETC_BUNDLED_BOOL:
		return number(out, "bool", ETC_SCALAR_SIGNED, &v->integer, arena, err);
	case ETC_BUNDLED_DOUBLE:
		return number(out, "float", ETC_SCALAR_FLOAT, &v->number, arena, err);
	case ETC_BUNDLED_TENSOR:
		break;
	default:
		return nothing(out, NULL, "the expected output is of a newer kind");
	}
	places = etc_new(arena, int64_t, 2 * ETC_LIMIT_TENSOR_RANK);
	ETC_NEED(places, err);
	if (!etc_elements_of_bundled(v, places, places + ETC_LIMIT_TENSOR_RANK, &out->e))
		return nothing(out, NULL, "the expected output has no numbers that fit its sizes");
	out->type = out->e.type;
	return ETC_OK;
}

struct etc_str etc_operand_shape(const struct etc_operand *o, struct etc_arena *arena)
{
	struct etc_text t = { 0 };

	etc_text_char(&t, '[');
	for (uint32_t d = 0; d < o->e.rank; d++) {
		etc_text_cstr(&t, d ? ", " : "");
		etc_text_i64(&t, o->e.sizes[d]);
	}
	etc_text_char(&t, ']');
	return etc_text_keep(&t, arena);
}
