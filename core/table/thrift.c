/* thrift.c -- see thrift.h */
#include "table/thrift.h"

void etc_thrift_varint(struct etc_text *out, uint64_t v)
{
	for (; v > 127; v >>= 7)
		etc_text_char(out, (char)(v | 128));
	etc_text_char(out, (char)v);
}

/* Writes a signed number so that numbers near 0 are short (zigzag): 0, -1, 1, -2, 2 ... become 0,
 * 1, 2, 3, 4 ... */
static void put_signed(struct etc_text *out, int64_t v)
{
	etc_thrift_varint(out, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

static void begin_field(struct etc_thrift *t, uint8_t field, enum etc_thrift_type type)
{
	uint8_t *last;

	if (!field || !t->depth)
		return;
	last = &t->last[t->depth - 1];
	if (field > *last && field - *last <= 15) {
		etc_text_char(t->out, (char)((unsigned)(field - *last) << 4 | type));
	} else {
		etc_text_char(t->out, (char)type);
		put_signed(t->out, field);
	}
	*last = field;
}

void etc_thrift_i8(struct etc_thrift *t, uint8_t field, int8_t v)
{
	begin_field(t, field, ETC_THRIFT_BYTE);
	etc_text_char(t->out, (char)v);
}

void etc_thrift_i32(struct etc_thrift *t, uint8_t field, int32_t v)
{
	begin_field(t, field, ETC_THRIFT_I32);
	put_signed(t->out, v);
}

void etc_thrift_i64(struct etc_thrift *t, uint8_t field, int64_t v)
{
	begin_field(t, field, ETC_THRIFT_I64);
	put_signed(t->out, v);
}

void etc_thrift_bool(struct etc_thrift *t, uint8_t field, bool v)
{
	begin_field(t, field, v ? ETC_THRIFT_TRUE : ETC_THRIFT_FALSE);
}

void etc_thrift_text(struct etc_thrift *t, uint8_t field, struct etc_str s)
{
	begin_field(t, field, ETC_THRIFT_TEXT);
	etc_thrift_varint(t->out, s.len);
	etc_text_put(t->out, s);
}

void etc_thrift_list(struct etc_thrift *t, uint8_t field, enum etc_thrift_type type, uint32_t count)
{
	begin_field(t, field, ETC_THRIFT_LIST);
	etc_text_char(t->out, (char)((count < 15 ? count : 15u) << 4 | type));
	if (count >= 15)
		etc_thrift_varint(t->out, count);
}

void etc_thrift_open(struct etc_thrift *t, uint8_t field)
{
	begin_field(t, field, ETC_THRIFT_STRUCT);
	/* Only a mistake in etcore itself can lead here, because the depth of the structs does not
	 * depend on the input. */
	if (t->depth == ETC_THRIFT_DEPTH)
		t->out->failed = true;
	else
		t->last[t->depth++] = 0;
}

void etc_thrift_close(struct etc_thrift *t)
{
	etc_text_char(t->out, 0);
	t->depth -= t->depth > 0;
}
