/* program_diff_screen.c -- see program_diff_screen.h */
#include "commands/dump/program_diff_screen.h"

#include "commands/dump/etdump_text.h"

static void amount(const struct etc_part_row *r, int side, struct etc_text *out)
{
	const struct etc_part_amount *a = &r->side[side];
	bool bytes = r->part == ETC_PART_SIZE || r->part == ETC_PART_MEMORY;

	if (!a->present)
		etc_text_printf(out, " %13s", "-");
	else
		etc_text_printf(out, " %13llu", (unsigned long long)(bytes ? a->bytes : a->count));
}

static void row(const struct etc_part_row *r, struct etc_text *out)
{
	etc_text_printf(out, "%-9s", etc_part_text(r->part));
	amount(r, 0, out);
	amount(r, 1, out);
	etc_text_cstr(out, "  ");
	if (r->method.len && r->part != ETC_PART_METHOD) {
		etc_view_clean(r->method, out);
		etc_text_cstr(out, ": ");
	}
	etc_view_clean(r->name, out);
	if (r->part == ETC_PART_DELEGATE || r->part == ETC_PART_CONSTANT ||
	    r->part == ETC_PART_NAMED)
		etc_text_printf(out, ", %llu bytes",
		                (unsigned long long)(r->side[0].present ? r->side[0].bytes
		                                                        : r->side[1].bytes));
	else if (r->part == ETC_PART_METHOD)
		etc_text_cstr(out, ", instructions");
	else if (r->part != ETC_PART_OPERATOR)
		etc_text_cstr(out, ", bytes");
	etc_text_char(out, '\n');
}

/* The rows may cover all differences, or only some. */
static const char *rest(const struct etc_program_diff *d)
{
	if (d->identical)
		return ": the programs are identical";
	if (d->equal_count == d->row_count)
		return ", but the programs differ: in order or arguments of instructions, values, "
		       "or "
		       "bytes "
		       "that no row counts";
	return "";
}

void etc_view_program_diff(const struct etc_program_diff *d, const char *const paths[2],
                           struct etc_text *out)
{
	for (int i = 0; i < 2; i++) {
		etc_text_printf(out, "%c  ", "AB"[i]);
		etc_view_clean(etc_str_of(paths[i]), out);
		etc_text_char(out, '\n');
	}
	if (d->equal_count < d->row_count)
		etc_text_printf(out, "\n%-9s %13s %13s\n", "", "A", "B");
	for (uint32_t i = 0; i < d->row_count && !out->failed; i++)
		if (!etc_part_equal(&d->rows[i]))
			row(&d->rows[i], out);
	etc_text_printf(out, "\n%lu of %lu equal%s\n", (unsigned long)d->equal_count,
	                (unsigned long)d->row_count, rest(d));
}
