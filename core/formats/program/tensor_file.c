/* tensor_file.c -- see tensor_file.h.
 *
 *   file:  [u32 root]["FT01"]["FH01" header][FlatBuffer ...][segment data ...]
 *   FlatTensor ─┬─ segments[]  <──────────┐
 *               └─ named_data[] ── segment_index, tensor_layout */
#include "formats/program/tensor_file.h"

#include "formats/program/program_reader.h"

/* Numbers of fields: the position of each field in its table of flat_tensor.fbs, from 0. */
enum { FILE_VERSION, FILE_SEGMENTS, FILE_DATA };
enum { SEGMENT_OFFSET, SEGMENT_SIZE };
enum { DATA_KEY, DATA_SEGMENT, DATA_LAYOUT };
enum { LAYOUT_TYPE, LAYOUT_SIZES, LAYOUT_DIM_ORDER };

enum { TABLE_FILE, TABLE_FILE_SEGMENT, TABLE_DATA, TABLE_LAYOUT, TABLES };

static const struct etc_fb_type types[TABLES] = {
	[TABLE_FILE] = { "FlatTensor", 3, { 4, 4, 4 } },
	[TABLE_FILE_SEGMENT] = { "DataSegment", 2, { 8, 8 } },
	[TABLE_DATA] = { "NamedData", 3, { 4, 4, 4 } },
	[TABLE_LAYOUT] = { "TensorLayout", 3, { 1, 4, 4 } },
};

/* The header (flat_tensor_header.h) begins at byte 8: a magic number, its length as u32, and four
 * u64. */
enum { HEADER_AT = 8, LENGTH_AT = 12, FIELDS_AT = 16, HEADER_BYTES = 40 };

struct reader {
	struct etc_fb fb;
	struct etc_fb_layouts layouts[TABLES];
	struct etc_arena *arena;
	struct etc_span file;
	struct etc_tensor_file *out;
};

static enum etc_status read_header(struct etc_span file, struct etc_tensor_file *out,
                                   struct etc_error *err)
{
	uint64_t v[4];

	if (!etc_fits(file.len, 4, 4) || memcmp(file.ptr + 4, "FT01", 4) != 0)
		return etc_fail(err, E0430, "no identifier 'FT01' of a .ptd at byte 4 of %zu",
		                file.len);
	if (!etc_fits(file.len, HEADER_AT, HEADER_BYTES))
		return etc_fail_at(err, E0432, HEADER_AT, "the file ends in its header");
	memcpy(&out->header_length, file.ptr + LENGTH_AT, sizeof out->header_length);
	memcpy(v, file.ptr + FIELDS_AT, sizeof v);
	if (memcmp(file.ptr + HEADER_AT, "FH01", 4) != 0 || out->header_length < HEADER_BYTES)
		return etc_fail_at(err, E0433, HEADER_AT, "no header 'FH01' of %d bytes or more",
		                   HEADER_BYTES);
	out->flatbuffer_at = v[0];
	out->flatbuffer_bytes = v[1];
	out->segments_at = v[2];
	out->segments_bytes = v[3];
	if (v[0] > file.len || v[1] > file.len - v[0])
		return etc_fail_at(err, E0432, FIELDS_AT,
		                   "a FlatBuffer of %llu bytes from byte %llu on, the file has %zu",
		                   (unsigned long long)v[1], (unsigned long long)v[0], file.len);
	if (v[2] > file.len || v[3] > file.len - v[2])
		return etc_fail_at(err, E0432, FIELDS_AT,
		                   "%llu bytes of segments from byte %llu on, the file has %zu",
		                   (unsigned long long)v[3], (unsigned long long)v[2], file.len);
	return ETC_OK;
}

static enum etc_status read_segments(struct reader *r, struct etc_fb_table root,
                                     struct etc_error *err)
{
	uint64_t room = r->file.len - r->out->segments_at;
	struct etc_segment *s;
	struct etc_fb_vec v;

	ETC_TRY(etc_program_list(&r->fb, root, FILE_SEGMENTS, &v, err));
	r->out->segments = s = etc_new(r->arena, struct etc_segment, v.count);
	ETC_NEED(s, err);
	r->out->segment_count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++) {
		struct etc_fb_table t =
			etc_fb_element(&r->fb, &r->layouts[TABLE_FILE_SEGMENT], v, i);

		s[i].offset = etc_fb_u64(&r->fb, t, SEGMENT_OFFSET, 0);
		s[i].size = etc_fb_u64(&r->fb, t, SEGMENT_SIZE, 0);
		ETC_TRY(etc_program_check(&r->fb, err));
		if (s[i].offset > room || s[i].size > room - s[i].offset)
			return etc_fail_at(err, E0432, t.at,
			                   "segment %zu: %llu bytes from byte %llu + %llu on, the "
			                   "file has %zu",
			                   i, (unsigned long long)s[i].size,
			                   (unsigned long long)r->out->segments_at,
			                   (unsigned long long)s[i].offset, r->file.len);
	}
	return ETC_OK;
}

static enum etc_status read_layout(struct reader *r, struct etc_fb_table t,
                                   struct etc_external_data *out, struct etc_error *err)
{
	struct etc_fb_vec sizes;

	out->is_tensor = t.at != 0;
	ETC_TRY(etc_program_list(&r->fb, t, LAYOUT_SIZES, &sizes, err));
	out->sizes = (struct etc_numbers){ r->fb.ptr + sizes.at, (uint32_t)sizes.count };
	out->scalar_type = (int8_t)etc_fb_u8(&r->fb, t, LAYOUT_TYPE, 0);
	out->dim_order = etc_fb_bytes(&r->fb, t, LAYOUT_DIM_ORDER);
	return etc_program_check(&r->fb, err);
}

static enum etc_status read_data(struct reader *r, struct etc_fb_table root, struct etc_error *err)
{
	struct etc_external_data *d;
	struct etc_fb_vec v;

	ETC_TRY(etc_program_list(&r->fb, root, FILE_DATA, &v, err));
	r->out->data = d = etc_new(r->arena, struct etc_external_data, v.count);
	ETC_NEED(d, err);
	r->out->data_count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++) {
		struct etc_fb_table t = etc_fb_element(&r->fb, &r->layouts[TABLE_DATA], v, i);
		const struct etc_segment *s;

		d[i].key = etc_fb_str(&r->fb, t, DATA_KEY);
		d[i].segment = etc_fb_u32(&r->fb, t, DATA_SEGMENT, 0);
		ETC_TRY(read_layout(r,
		                    etc_fb_sub(&r->fb, &r->layouts[TABLE_LAYOUT], t, DATA_LAYOUT),
		                    &d[i], err));
		if (d[i].segment >= r->out->segment_count)
			return etc_fail_at(err, E0433, t.at, "data %zu in segment %lu of %lu", i,
			                   (unsigned long)d[i].segment,
			                   (unsigned long)r->out->segment_count);
		s = &r->out->segments[d[i].segment];
		d[i].bytes = (struct etc_span){ r->file.ptr + r->out->segments_at + s->offset,
			                        (size_t)s->size };
	}
	return ETC_OK;
}

enum etc_status etc_tensor_file_read(struct etc_span file, const struct etc_limits *limits,
                                     struct etc_arena *arena, struct etc_tensor_file *out,
                                     struct etc_error *err)
{
	struct etc_tensor_file found = { 0 };
	struct reader r = { .arena = arena, .file = file, .out = &found };
	struct etc_fb_table root;
	size_t len;

	*out = found;
	ETC_TRY(read_header(file, &found, err));
	len = (size_t)(found.flatbuffer_at + found.flatbuffer_bytes);
	if (len < HEADER_AT)
		return etc_fail_at(err, E0433, FIELDS_AT, "a FlatBuffer of %zu bytes", len);
	etc_fb_init(&r.fb, (struct etc_span){ file.ptr, len },
	            etc_fb_visits(len, limits ? limits->max_visits : 0));
	for (size_t i = 0; i < TABLES; i++)
		etc_fb_layouts_init(&r.layouts[i], &types[i]);
	root = etc_fb_table_at(&r.fb, &r.layouts[TABLE_FILE], etc_fb_follow(&r.fb, 0));
	found.version = etc_fb_u32(&r.fb, root, FILE_VERSION, 0);
	ETC_TRY(read_segments(&r, root, err));
	ETC_TRY(read_data(&r, root, err));
	*out = found;
	return ETC_OK;
}
