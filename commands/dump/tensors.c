/* tensors.c -- a file of external data (.ptd) for `etcore dump`.
 *
 * JSON has the names of flat_tensor.fbs. */
#include "commands/dump/dump.h"
#include "commands/dump/values.h"
#include "model/scalar_type.h"
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

static void layout(struct etc_emit *e, const struct etc_external_data *d)
{
	const struct etc_scalar_type *type = etc_scalar_type(d->scalar_type);

	if (!d->is_tensor) {
		etc_emit_null(e, "tensor_layout");
		return;
	}
	etc_emit_open(e, "tensor_layout", '{');
	if (type)
		etc_emit_text(e, "scalar_type", etc_str_of(type->name));
	else
		etc_emit_i64(e, "scalar_type", d->scalar_type);
	etc_dump_indices(e, "sizes", d->sizes);
	etc_dump_bytes(e, "dim_order", d->dim_order);
	etc_emit_close(e);
}

static void header(struct etc_emit *e, const struct etc_tensor_file *f)
{
	etc_emit_open(e, "header", '{');
	etc_emit_u64(e, "length", f->header_length);
	etc_emit_u64(e, "flatbuffer_offset", f->flatbuffer_at);
	etc_emit_u64(e, "flatbuffer_size", f->flatbuffer_bytes);
	etc_emit_u64(e, "segment_base_offset", f->segments_at);
	etc_emit_u64(e, "segment_data_size", f->segments_bytes);
	etc_emit_close(e);
}

static void json(struct etc_dump *d, struct etc_emit *e)
{
	const struct etc_tensor_file *f = d->content;

	etc_emit_block(e, "flat_tensor", '{');
	etc_emit_text(e, "identifier", ETC_STR("FT01"));
	header(e, f);
	etc_emit_u64(e, "version", f->version);
	etc_emit_block(e, "segments", '[');
	for (uint32_t i = 0; i < f->segment_count && !e->out->failed; i++) {
		etc_emit_open(e, NULL, '{');
		etc_emit_u64(e, "offset", f->segments[i].offset);
		etc_emit_u64(e, "size", f->segments[i].size);
		etc_emit_u64(e, "at", f->segments_at + f->segments[i].offset);
		etc_emit_close(e);
	}
	etc_emit_close(e);
	etc_emit_block(e, "named_data", '[');
	for (uint32_t i = 0; i < f->data_count && !e->out->failed; i++) {
		etc_emit_open(e, NULL, '{');
		etc_emit_text(e, "key", f->data[i].key);
		etc_emit_u64(e, "segment_index", f->data[i].segment);
		layout(e, &f->data[i]);
		etc_emit_close(e);
	}
	etc_emit_close(e);
	etc_emit_close(e);
}

const struct etc_dump_kind etc_dump_tensors = {
	.kind = ETC_FILE_TENSORS,
	.name = "flat_tensor",
	.read = read,
	.text = text,
	.json = json,
};
