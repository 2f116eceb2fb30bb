/* tensors.c -- `etcore dump` of a file of external data (.ptd).
 *
 * Members of the JSON document have the names of flat_tensor.fbs. */
#include "commands/dump/dump.h"
#include "commands/dump/schema.h"
#include "formats/program/tensor_file.h"
#include "commands/dump/bundled_text.h"

static enum etc_status read(struct etc_dump *d, struct etc_error *err)
{
	struct etc_session *s = d->session;
	struct etc_tensor_file *f = etc_new(&s->arena, struct etc_tensor_file, 1);

	ETC_NEED(f, err);
	d->content = f;
	return etc_tensor_file_read(d->bytes, &s->settings.limits, &s->arena, f, err);
}

static void text(struct etc_dump *d, struct etc_text *out)
{
	etc_view_dump_tensor_file(d->content, d->bytes, out);
}

static void segment_at(const struct etc_walk *w, const char *name, const void *segment)
{
	const struct etc_tensor_file *f = w->up->object;

	etc_emit_u64(w->e, name, f->segments_at + ((const struct etc_segment *)segment)->offset);
}

/* clang-format off */
static const struct etc_schema segment = { ETC_SCHEMA(struct etc_segment,
	{ ETC_FIELD(struct etc_segment, "offset", offset) },
	{ ETC_FIELD(struct etc_segment, "size", size) },
	{ ETC_FIELD_BY("at", segment_at) }) };

#define DATA struct etc_external_data
static const struct etc_schema data = { ETC_SCHEMA(DATA,
	{ ETC_FIELD(DATA, "key", key) },
	{ ETC_FIELD(DATA, "segment_index", segment) },
	{ ETC_FIELD_GROUP(DATA, "tensor_layout",
	  { ETC_FIELD(DATA, "scalar_type", scalar_type), .word = etc_scalar_type_word },
	  { ETC_FIELD_VECTOR(DATA, "sizes", sizes, INT, 4) },
	  { ETC_FIELD_NUMBERS(DATA, "dim_order", dim_order.ptr, dim_order.len, UINT, 1) }), ETC_FIELD_IF(DATA, is_tensor) }) };

#define FLAT struct etc_tensor_file
static const struct etc_schema flat_tensor = { ETC_SCHEMA(FLAT,
	{ ETC_FIELD_IS("identifier", "FT01") },
	{ ETC_FIELD_GROUP(FLAT, "header",
	  { ETC_FIELD(FLAT, "length", header_length) },
	  { ETC_FIELD(FLAT, "flatbuffer_offset", flatbuffer_at) },
	  { ETC_FIELD(FLAT, "flatbuffer_size", flatbuffer_bytes) },
	  { ETC_FIELD(FLAT, "segment_base_offset", segments_at) },
	  { ETC_FIELD(FLAT, "segment_data_size", segments_bytes) }) },
	{ ETC_FIELD(FLAT, "version", version) },
	{ ETC_FIELD_TABLES(FLAT, "segments", segments, segment_count, segment), .lines = true },
	{ ETC_FIELD_TABLES(FLAT, "named_data", data, data_count, data), .lines = true }),
	.lines = true };
/* clang-format on */

static void json(struct etc_dump *d, struct etc_emit *e)
{
	etc_walk_table(&(struct etc_walk){ .e = e, .file = d->bytes }, "flat_tensor", &flat_tensor,
	               d->content);
}

const struct etc_dump_kind etc_dump_tensors = {
	.kind = ETC_FILE_TENSORS,
	.name = "flat_tensor",
	.read = read,
	.text = text,
	.json = json,
};
