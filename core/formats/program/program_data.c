/* program_data.c -- see program.h: reads the positions of a program's constants, initial
 * states, named and inline data. Only their tables are read, never the data. */
#include "formats/program/program_reader.h"

/* Numbers of fields: the position of each field in its table of program.fbs, from 0. */
enum { PROGRAM_BUFFERS = 2, PROGRAM_CONSTANTS = 5, PROGRAM_MUTABLE, PROGRAM_NAMED };
enum { BUFFER_BYTES };
enum { SUBSEGMENTS_SEGMENT, SUBSEGMENTS_OFFSETS };
enum { NAMED_KEY, NAMED_SEGMENT };

/* Reads the bytes of each table in `v`. The tables are of type Buffer or BackendDelegateInlineData,
 * which have one field, a [ubyte]. */
static enum etc_status read_buffers(struct etc_program_reader *r, struct etc_fb_vec v,
                                    const struct etc_span **out, uint32_t *count,
                                    struct etc_error *err)
{
	struct etc_span *buffers = etc_new(r->arena, struct etc_span, v.count);

	ETC_NEED(buffers, err);
	*out = buffers;
	*count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++)
		buffers[i] = etc_fb_bytes(&r->fb, etc_program_element(r, TABLE_INLINE, v, i),
		                          BUFFER_BYTES);
	return etc_program_check(&r->fb, err);
}

static enum etc_status check_segment(const struct etc_program_reader *r, struct etc_fb_table t,
                                     uint32_t segment, const char *whose, struct etc_error *err)
{
	if (segment < r->segments.count)
		return ETC_OK;
	return etc_fail_at(err, E0433, t.at, "%s in segment %lu of %zu", whose,
	                   (unsigned long)segment, r->segments.count);
}

/* Reads subsegments. Their offsets are not checked here. Whether a tensor lies inside its segment
 * is checked when the tensor is read, because its number of bytes is not known before. */
static enum etc_status read_subsegments(struct etc_program_reader *r, struct etc_fb_table t,
                                        const char *whose, struct etc_subsegments *out,
                                        struct etc_error *err)
{
	out->present = t.at != 0;
	out->segment = etc_fb_u32(&r->fb, t, SUBSEGMENTS_SEGMENT, 0);
	ETC_TRY(etc_program_numbers(r, t, SUBSEGMENTS_OFFSETS, 8, &out->offsets, err));
	return out->offsets.count ? check_segment(r, t, out->segment, whose, err) : ETC_OK;
}

static enum etc_status read_mutable(struct etc_program_reader *r, struct etc_fb_table root,
                                    struct etc_error *err)
{
	struct etc_subsegments *out;
	struct etc_fb_vec v;

	ETC_TRY(etc_program_list(&r->fb, root, PROGRAM_MUTABLE, &v, err));
	r->out->mutable_segments = out = etc_new(r->arena, struct etc_subsegments, v.count);
	ETC_NEED(out, err);
	r->out->mutable_segment_count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++)
		ETC_TRY(read_subsegments(r, etc_program_element(r, TABLE_SUBSEGMENTS, v, i),
		                         "mutable data", &out[i], err));
	return ETC_OK;
}

static enum etc_status read_named(struct etc_program_reader *r, struct etc_fb_table root,
                                  struct etc_error *err)
{
	struct etc_named_data *out;
	struct etc_fb_vec v;

	ETC_TRY(etc_program_list(&r->fb, root, PROGRAM_NAMED, &v, err));
	r->out->named_data = out = etc_new(r->arena, struct etc_named_data, v.count);
	ETC_NEED(out, err);
	r->out->named_count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++) {
		struct etc_fb_table t = etc_program_element(r, TABLE_NAMED, v, i);

		out[i].key = etc_fb_str(&r->fb, t, NAMED_KEY);
		out[i].segment = etc_fb_u32(&r->fb, t, NAMED_SEGMENT, 0);
		ETC_TRY(etc_program_check(&r->fb, err));
		ETC_TRY(check_segment(r, t, out[i].segment, "named data", err));
	}
	return ETC_OK;
}

enum etc_status etc_program_read_data(struct etc_program_reader *r, struct etc_fb_table root,
                                      struct etc_error *err)
{
	struct etc_program *out = r->out;
	struct etc_fb_vec buffers;

	ETC_TRY(etc_program_list(&r->fb, root, PROGRAM_BUFFERS, &buffers, err));
	ETC_TRY(read_buffers(r, buffers, &out->constant_buffers, &out->constant_buffer_count, err));
	ETC_TRY(read_buffers(r, r->inlines, &out->inline_data, &out->inline_count, err));
	ETC_TRY(read_subsegments(r, etc_program_sub(r, TABLE_SUBSEGMENTS, root, PROGRAM_CONSTANTS),
	                         "constants", &out->constants, err));
	ETC_TRY(read_mutable(r, root, err));
	return read_named(r, root, err);
}
