/* safetensors.c -- writes a file as huggingface/safetensors does: a length, a JSON header, the
 * tensors; see tensor_files.h. */

#include "commands/numeric/tensor_files.h"

enum { ALIGN = 8 };

const char *etc_safetensors_type(const struct etc_elements *e)
{
	static const struct {
		uint8_t kind, bits, parts;
		const char *name;
	} types[] = {
		{ ETC_SCALAR_UNSIGNED, 8, 1, "U8" },
		{ ETC_SCALAR_SIGNED, 8, 1, "I8" },
		{ ETC_SCALAR_UNSIGNED, 16, 1, "U16" },
		{ ETC_SCALAR_SIGNED, 16, 1, "I16" },
		{ ETC_SCALAR_UNSIGNED, 32, 1, "U32" },
		{ ETC_SCALAR_SIGNED, 32, 1, "I32" },
		{ ETC_SCALAR_UNSIGNED, 64, 1, "U64" },
		{ ETC_SCALAR_SIGNED, 64, 1, "I64" },
		{ ETC_SCALAR_BOOL, 8, 1, "BOOL" },
		{ ETC_SCALAR_HALF, 16, 1, "F16" },
		{ ETC_SCALAR_BFLOAT16, 16, 1, "BF16" },
		{ ETC_SCALAR_FLOAT, 32, 1, "F32" },
		{ ETC_SCALAR_FLOAT, 64, 1, "F64" },
		{ ETC_SCALAR_E5M2, 8, 1, "F8_E5M2" },
		{ ETC_SCALAR_E4M3FN, 8, 1, "F8_E4M3" },
		{ ETC_SCALAR_E5M2FNUZ, 8, 1, "F8_E5M2FNUZ" },
		{ ETC_SCALAR_E4M3FNUZ, 8, 1, "F8_E4M3FNUZ" },
		{ ETC_SCALAR_FLOAT, 32, 2, "C64" },
	};

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (types[i].kind == e->kind && types[i].bits == e->bits &&
		    types[i].parts == e->parts)
			return types[i].name;
	return NULL;
}

static bool before(const struct etc_export *a, const struct etc_export *b)
{
	size_t wa = etc_element_width(&a->elements), wb = etc_element_width(&b->elements);

	return wa != wb ? wa > wb : etc_str_cmp(a->name, b->name) < 0;
}

/* One step of heap sort: moves the index at `from` down to its place in the heap. Heap sort is used
 * because it needs neither a global variable for the comparison nor recursion, and its time is
 * never quadratic. */
static void sift(const struct etc_export *t, size_t *order, size_t from, size_t count)
{
	for (size_t child; (child = 2 * from + 1) < count; from = child) {
		size_t held = order[from];

		if (child + 1 < count && before(&t[order[child]], &t[order[child + 1]]))
			child++;
		if (!before(&t[held], &t[order[child]]))
			return;
		order[from] = order[child];
		order[child] = held;
	}
}

static void sort(const struct etc_export *t, size_t *order, size_t count)
{
	for (size_t i = 0; i < count; i++)
		order[i] = i;
	for (size_t i = count / 2; i-- > 0;)
		sift(t, order, i, count);
	for (size_t end = count; end-- > 1;) {
		size_t last = order[end];

		order[end] = order[0];
		order[0] = last;
		sift(t, order, 0, end);
	}
}

static void put_entry(struct etc_text *head, const struct etc_export *t, uint64_t from)
{
	const struct etc_elements *e = &t->elements;

	etc_text_char(head, '"');
	etc_text_json(head, t->name);
	etc_text_printf(head, "\":{\"dtype\":\"%s\",\"shape\":[", etc_safetensors_type(e));
	for (uint32_t i = 0; i < e->rank; i++) {
		etc_text_cstr(head, i ? "," : "");
		etc_text_i64(head, e->sizes[i]);
	}
	etc_text_printf(head, "],\"data_offsets\":[%llu,%llu]}", (unsigned long long)from,
	                (unsigned long long)(from + etc_export_bytes(e)));
}

void etc_write_safetensors(const struct etc_export *tensors, size_t count, size_t *order,
                           struct etc_text *out)
{
	struct etc_text head = { 0 };
	uint64_t at = 0;

	sort(tensors, order, count);
	etc_text_char(&head, '{');
	for (size_t i = 0; i < count; i++) {
		const struct etc_export *t = &tensors[order[i]];

		etc_text_cstr(&head, i ? "," : "");
		put_entry(&head, t, at);
		at += etc_export_bytes(&t->elements);
	}
	etc_text_char(&head, '}');
	while (!head.failed && head.len % ALIGN)
		etc_text_char(&head, ' ');
	for (int i = 0; i < 8; i++)
		etc_text_char(out, (char)((uint64_t)head.len >> (8 * i) & 255));
	etc_text_put(out, etc_text_str(&head));
	out->failed = out->failed || head.failed;
	etc_text_release(&head);
	for (size_t i = 0; i < count && !out->failed; i++)
		etc_export_each(&tensors[order[i]].elements, etc_export_put, out);
}
