/* file_text.c -- see file_text.h */
#include "table/file_text.h"

#include "model/scalar_type.h"

enum { SHOWN = 16 /* number of a tensor's sizes that are shown */ };

void etc_view_clean(struct etc_str s, struct etc_text *out)
{
	etc_text_clean(out, s, "");
}

void etc_view_quoted(struct etc_str s, struct etc_text *out)
{
	if (!s.ptr) {
		etc_text_char(out, '-');
		return;
	}
	etc_text_char(out, '"');
	etc_text_clean(out, s, "\"\\");
	etc_text_char(out, '"');
}

void etc_view_scalar_type(int8_t code, struct etc_text *out)
{
	const struct etc_scalar_type *type = etc_scalar_type(code);

	if (type)
		etc_text_cstr(out, type->name);
	else
		etc_text_i64(out, code);
}

void etc_view_type_and_sizes(int8_t scalar_type, struct etc_numbers sizes, struct etc_text *out)
{
	etc_view_scalar_type(scalar_type, out);
	etc_text_cstr(out, " (");
	for (uint32_t i = 0; i < sizes.count && i < SHOWN; i++)
		etc_text_printf(out, i ? ", %ld" : "%ld", (long)etc_i32_at(sizes, i));
	etc_text_cstr(out, sizes.count > SHOWN ? ", ...)" : ")");
}
