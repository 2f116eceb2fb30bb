/* schema.c -- writes tables as JSON, according to the rows that describe the tables; see
 * schema.h */
#include "commands/dump/schema.h"

#include "model/scalar_type.h"

const char *etc_scalar_type_word(unsigned code)
{
	const struct etc_scalar_type *type = etc_scalar_type((int8_t)code);

	return type ? type->name : NULL;
}

/* Loads an unaligned number. */
static int64_t int_at(const char *at, size_t size)
{
	int64_t wide;
	int32_t half;

	if (size == sizeof half)
		return memcpy(&half, at, sizeof half), half;
	return size == 1 ? (signed char)*at : (memcpy(&wide, at, sizeof wide), wide);
}

static uint64_t uint_at(const char *at, size_t size)
{
	uint64_t n = (uint64_t)int_at(at, size);

	return size == sizeof n ? n : n & ((UINT64_C(1) << 8 * size) - 1);
}

static double real_at(const char *at, size_t size)
{
	double wide;
	float half;

	if (size == sizeof half)
		return memcpy(&half, at, sizeof half), (double)half;
	return memcpy(&wide, at, sizeof wide), wide;
}

static void number(struct etc_emit *e, const char *name, uint8_t type, const char *at, size_t size)
{
	etc_emit_name(e, NULL);
	if (name) { /* names need no escaping */
		etc_text_char(e->out, '"');
		etc_text_cstr(e->out, name);
		etc_text_cstr(e->out, "\": ");
	}
	if (type == ETC_FIELD_INT)
		etc_text_i64(e->out, int_at(at, size));
	else if (type == ETC_FIELD_UINT)
		etc_text_u64(e->out, uint_at(at, size));
	else if (type == ETC_FIELD_BOOL)
		etc_text_cstr(e->out, uint_at(at, size) ? "true" : "false");
	else
		etc_text_json_real(e->out, real_at(at, size));
}

static void place(const struct etc_walk *w, const char *name, const struct etc_span *bytes)
{
	etc_emit_open(w->e, name, '{');
	if (bytes->ptr)
		etc_emit_u64(w->e, "at", (uint64_t)(bytes->ptr - w->file.ptr));
	else
		etc_emit_null(w->e, "at");
	etc_emit_u64(w->e, "size", bytes->len);
	etc_emit_close(w->e);
}

static void list(const struct etc_walk *w, const struct etc_field *f, const char *items,
                 uint64_t count)
{
	const size_t size = f->of ? f->of->size : f->size;

	if (f->lines)
		etc_emit_block(w->e, f->name, '[');
	else
		etc_emit_open(w->e, f->name, '[');
	for (uint64_t i = 0; i < count && !w->e->out->failed; i++, items += size)
		if (f->of)
			etc_walk_table(w, NULL, f->of, items);
		else
			number(w->e, NULL, f->item, items, size);
	etc_emit_close(w->e);
}

static void field(const struct etc_walk *w, const struct etc_field *f, const char *object)
{
	const void *at = object + f->at, *to;
	const char *word = f->word ? f->word((unsigned)int_at(at, f->size)) : NULL;

	if (word || f->word_or_null) {
		etc_emit_cstr(w->e, f->name, word);
		return;
	}
	switch (f->type) {
	case ETC_FIELD_TEXT:
		etc_emit_text(w->e, f->name, *(const struct etc_str *)at);
		break;
	case ETC_FIELD_CSTR:
		etc_emit_cstr(w->e, f->name, *(const char *const *)at);
		break;
	case ETC_FIELD_BYTES:
		etc_emit_hex(w->e, f->name, *(const struct etc_span *)at);
		break;
	case ETC_FIELD_PLACE:
		place(w, f->name, at);
		break;
	case ETC_FIELD_CONST:
		etc_emit_cstr(w->e, f->name, f->text);
		break;
	case ETC_FIELD_TABLE:
		etc_walk_table(w, f->name, f->of, at);
		break;
	case ETC_FIELD_LINK:
		etc_walk_table(w, f->name, f->of, (memcpy(&to, at, sizeof to), to));
		break;
	case ETC_FIELD_LIST:
		list(w, f, (memcpy(&to, at, sizeof to), to),
		     uint_at(object + f->count, f->count_size));
		break;
	case ETC_FIELD_CALL:
		f->call(w, f->name, object);
		break;
	default:
		number(w->e, f->name, f->type, at, f->size);
	}
}

static bool is_set(const char *member, size_t size)
{
	while (size && !member[size - 1])
		size--;
	return size > 0;
}

void etc_walk_table(const struct etc_walk *w, const char *name, const struct etc_schema *schema,
                    const void *object)
{
	const struct etc_walk in = { w->e, w->file, w->context, w, object };

	if (schema->lines)
		etc_emit_block(w->e, name, '{');
	else if (!schema->bare)
		etc_emit_open(w->e, name, '{');
	for (const struct etc_field *f = schema->fields; f < schema->fields + schema->count; f++) {
		if (f->when && f->when != 1 + ((const uint8_t *)object)[schema->tag])
			continue;
		if (f->present_size == 0 ||
		    is_set((const char *)object + f->present, f->present_size))
			field(&in, f, object);
		else if (!f->omit)
			etc_emit_null(w->e, f->name);
	}
	if (!schema->bare)
		etc_emit_close(w->e);
}
