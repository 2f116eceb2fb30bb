/* npy.c -- writes numpy's format for one array (numpy/lib/format.py); see tensor_files.h. */
#include "commands/numeric/tensor_files.h"

enum { BLOCK = ETC_ELEMENT_BLOCK, WIDEST = 16, PREFIX = 10, ALIGN = 64 };

uint64_t etc_export_bytes(const struct etc_elements *e)
{
	return e->count * etc_element_width(e);
}

void etc_export_each(const struct etc_elements *e, etc_export_taker *take, void *arg)
{
	uint8_t room[BLOCK * WIDEST];
	struct etc_element_walk w;
	const uint8_t *from;
	size_t n;

	etc_element_walk_begin(&w, e);
	while ((n = etc_element_walk_bytes(&w, room, BLOCK, &from)) > 0)
		take(arg, (struct etc_span){ from, n * etc_element_width(e) });
}

const char *etc_npy_type(const struct etc_elements *e)
{
	static const struct {
		uint8_t kind, bits, parts;
		const char *name;
	} types[] = {
		{ ETC_SCALAR_UNSIGNED, 8, 1, "|u1" },  { ETC_SCALAR_SIGNED, 8, 1, "|i1" },
		{ ETC_SCALAR_UNSIGNED, 16, 1, "<u2" }, { ETC_SCALAR_SIGNED, 16, 1, "<i2" },
		{ ETC_SCALAR_UNSIGNED, 32, 1, "<u4" }, { ETC_SCALAR_SIGNED, 32, 1, "<i4" },
		{ ETC_SCALAR_UNSIGNED, 64, 1, "<u8" }, { ETC_SCALAR_SIGNED, 64, 1, "<i8" },
		{ ETC_SCALAR_BOOL, 8, 1, "|b1" },      { ETC_SCALAR_HALF, 16, 1, "<f2" },
		{ ETC_SCALAR_FLOAT, 32, 1, "<f4" },    { ETC_SCALAR_FLOAT, 64, 1, "<f8" },
		{ ETC_SCALAR_FLOAT, 32, 2, "<c8" },    { ETC_SCALAR_FLOAT, 64, 2, "<c16" },
	};

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (types[i].kind == e->kind && types[i].bits == e->bits &&
		    types[i].parts == e->parts)
			return types[i].name;
	return NULL;
}

void etc_write_npy(const struct etc_export *tensor, struct etc_text *out)
{
	const struct etc_elements *e = &tensor->elements;
	struct etc_text head = { 0 };
	size_t len;

	etc_text_printf(&head, "{'descr': '%s', 'fortran_order': False, 'shape': (",
	                etc_npy_type(e));
	for (uint32_t i = 0; i < e->rank; i++) {
		etc_text_cstr(&head, i ? ", " : "");
		etc_text_i64(&head, e->sizes[i]);
	}
	etc_text_cstr(&head, e->rank == 1 ? ",), }" : "), }");
	/* Adds blanks and a line feed, so that the elements begin at a multiple of 64 bytes. */
	while (!head.failed && (PREFIX + head.len + 1) % ALIGN)
		etc_text_char(&head, ' ');
	etc_text_char(&head, '\n');
	len = head.len;
	etc_text_put(out, (struct etc_str){ "\x93NUMPY\1\0", 8 });
	etc_text_char(out, (char)(len & 255));
	etc_text_char(out, (char)(len >> 8));
	etc_text_put(out, etc_text_str(&head));
	out->failed = out->failed || head.failed;
	etc_text_release(&head);
	etc_export_each(e, etc_export_put, out);
}
