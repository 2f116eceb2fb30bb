/* references.c -- reference_output of a block for `-o json`: the outputs that the exporter
 * recorded. Tensors are identified by their hash, as in run_output. */
#include "commands/inspector/values.h"

#include "base/sha256.h"
#include "tensor/summary.h"

enum { DEEPEST = 64, VALUES_MOST = 1 << 20 };

/* Limit of elements hashed per tensor. It is needed because a tensor with strides of 0 can have
 * many elements in a few bytes. */
static const uint64_t elements_most = (uint64_t)1 << 32;

static void put_tensor(struct etc_text *t, const struct etc_ref_tensor *v)
{
	uint8_t digest[ETC_SHA256_BYTES];
	struct etc_summary summary;
	struct etc_elements e;
	struct etc_sha256 s;

	if (!etc_elements_of_reference(v, &e) || e.count > elements_most) {
		etc_insp_put_tensor(t, v->dtype->name, v->sizes, v->rank, NULL);
		return;
	}
	etc_sha256_init(&s);
	etc_summarise(&e, &summary, etc_sha256_part, &s);
	etc_sha256_end(&s, digest);
	etc_insp_put_tensor(t, v->dtype->name, v->sizes, v->rank, digest);
}

/* Writes a value. A value may contain itself, so null is written in place of a value that is nested
 * too deeply, and of every value after the first *left ones. */
static void put_reference(struct etc_text *t, const struct etc_ref_value *v, unsigned depth,
                          uint32_t *left)
{
	if (depth > DEEPEST || *left == 0) {
		etc_text_cstr(t, "null");
		return;
	}
	--*left;
	if (v->kind == ETC_REF_TENSOR) {
		put_tensor(t, v->tensor);
	} else if (v->kind == ETC_REF_INT) {
		etc_text_i64(t, v->integer);
	} else if (v->kind == ETC_REF_BOOL) {
		etc_text_cstr(t, v->integer ? "true" : "false");
	} else if (v->kind == ETC_REF_FLOAT) {
		etc_text_json_real(t, v->real[0]);
	} else if (v->kind == ETC_REF_STRING) {
		etc_text_json_string(t, v->text);
	} else if (etc_ref_is_list(v)) {
		etc_text_char(t, '[');
		for (uint32_t i = 0; i < v->count && !t->failed; i++) {
			etc_text_cstr(t, i ? ", " : "");
			put_reference(t, v->items[i], depth + 1, left);
		}
		etc_text_char(t, ']');
	} else {
		etc_text_cstr(t, "null");
	}
}

const struct etc_ref_value *etc_insp_reference(const struct etc_inspector *in,
                                               const struct etc_insp_block *b)
{
	const struct etc_ref_value *all = in->record ? in->record->reference_outputs.value : NULL;
	const struct etc_ref_value *cases = all ? etc_ref_get(all, ETC_STR("forward")) : NULL;
	int64_t index = b->bundled_input_index;

	if (cases && etc_ref_is_list(cases) && index < 0)
		index += cases->count;
	if (!cases || !etc_ref_is_list(cases) || index < 0 || index >= cases->count)
		return NULL;
	return cases->items[index];
}

void etc_insp_put_reference(struct etc_text *t, const struct etc_inspector *in,
                            const struct etc_insp_block *b)
{
	const struct etc_ref_value *reference = etc_insp_reference(in, b);
	uint32_t left = VALUES_MOST;

	if (reference)
		put_reference(t, reference, 0, &left);
	else
		etc_text_cstr(t, "null");
}
