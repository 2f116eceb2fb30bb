/* delimited.c -- writes the table as DataFrame.to_csv() does: with csv.QUOTE_MINIMAL, floats as
 * repr() prints them, and empty fields for None and NaN. A lone '\r' is not quoted, because lines
 * end with '\n'. */
#include "commands/inspector/frame.h"
#include "inspector/pyrepr.h"

static void put_field(struct etc_text *out, struct etc_str s, char separator)
{
	bool quote = false;
	size_t from = 0;

	for (size_t i = 0; i < s.len && !quote; i++)
		quote = s.ptr[i] == separator || s.ptr[i] == '"' || s.ptr[i] == '\n';
	if (!quote) {
		etc_text_put(out, s);
		return;
	}
	etc_text_char(out, '"');
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] == '"') {
			etc_text_put(out, etc_str_sub(s, from, i + 1));
			etc_text_char(out, '"');
			from = i + 1;
		}
	etc_text_put(out, etc_str_sub(s, from, s.len));
	etc_text_char(out, '"');
}

static void put_cell(const struct etc_frame *f, const struct etc_frame_row *row, uint32_t column,
                     char separator, struct etc_text *scratch, struct etc_text *out)
{
	struct etc_frame_cell c = etc_frame_cell(f, row, column);

	switch (c.kind) {
	case ETC_FRAME_BOOL:
		etc_text_cstr(out, c.i ? "True" : "False");
		break;
	case ETC_FRAME_INT:
		etc_text_i64(out, c.i);
		break;
	case ETC_FRAME_FLOAT:
		if (c.f == c.f)
			etc_py_float(out, c.f);
		break;
	case ETC_FRAME_STR:
		put_field(out, c.s, separator);
		break;
	case ETC_FRAME_OBJECT:
		scratch->len = 0;
		etc_frame_text(f, row, column, scratch);
		put_field(out, etc_text_str(scratch), separator);
		break;
	default:
		break;
	}
}

static enum etc_status write_frame(const struct etc_frame *f, char separator, struct etc_text *out,
                                   struct etc_error *err)
{
	struct etc_text scratch = { 0 };
	struct etc_frame_row row = { 0 };

	for (uint32_t c = 0; c < f->column_count; c++) {
		etc_text_char(out, separator);
		put_field(out, f->columns[c].name, separator);
	}
	etc_text_char(out, '\n');
	for (uint32_t r = 0; r < f->row_count; r++) {
		etc_text_u64(out, r);
		etc_frame_go(f, &row, r);
		for (uint32_t c = 0; c < f->column_count; c++) {
			etc_text_char(out, separator);
			put_cell(f, &row, c, separator, &scratch, out);
		}
		etc_text_char(out, '\n');
	}
	out->failed = out->failed || scratch.failed;
	etc_text_release(&scratch);
	return out->failed ? etc_fail(err, E0903, "the table") : ETC_OK;
}

enum etc_status etc_insp_tsv(struct etc_inspector *in, const struct etc_insp_switches *switches,
                             struct etc_text *out, struct etc_error *err)
{
	struct etc_frame f;

	ETC_TRY(etc_frame_make(in, switches, true, &f, err));
	return write_frame(&f, '\t', out, err);
}

enum etc_status etc_insp_csv(struct etc_inspector *in, const struct etc_insp_switches *switches,
                             struct etc_text *out, struct etc_error *err)
{
	struct etc_frame f;

	ETC_TRY(etc_frame_make(in, switches, false, &f, err));
	return write_frame(&f, ',', out, err);
}
