/* etdump_sparse.c -- a trace without columns: what is kept, and how times are read again.
 *
 * For who asks for the times of half of the runs, once: to read them again costs less
 * than memory for 16 bytes of each event, which the kernel clears.
 *
 * Reading has checked every offset; what reads it again checks it once more, because the
 * file is not ours: of what does not lie in it the times are 0. */
#include "read/etdump_reader.h"

struct again {
	struct etc_sparse sparse; /* first: what others see */
	struct etc_fb fb;
	struct etc_fb_layouts run, event, profile;
	const struct etc_run *runs;
	const struct etc_shape *shapes;
	uint64_t *start, *end;
};

static struct etc_run_times read_again(struct etc_sparse *sparse, size_t run)
{
	struct again *a = (struct again *)sparse;
	const struct etc_run *r = &a->runs[run];
	struct etc_fb_table t = etc_fb_table_at(&a->fb, &a->run, r->at), p;
	struct etc_fb_vec events = etc_fb_vector(&a->fb, t, RUN_EVENTS, 4);
	uint32_t n = 0, profiles = a->shapes[r->shape].profiles;

	for (size_t i = 0; i < events.count && n < profiles; i++) {
		t = etc_fb_element(&a->fb, &a->event, events, i);
		p = etc_fb_sub(&a->fb, &a->profile, t, EVENT_PROFILE);
		if (!p.at)
			continue;
		a->start[n] = etc_fb_u64(&a->fb, p, PROFILE_START, 0);
		a->end[n++] = etc_fb_u64(&a->fb, p, PROFILE_END, 0);
	}
	for (; n < profiles; n++)
		a->start[n] = a->end[n] = 0;
	return (struct etc_run_times){ a->start, a->end };
}

enum etc_status etc_sparse_init(struct etc_etdump_reader *r, struct etc_error *err)
{
	struct again *a = etc_new(r->arena, struct again, 1);
	size_t runs = r->out->run_count;

	if (!a)
		return etc_fail(err, E0904, "%zu runs", runs);
	r->sparse = &a->sparse;
	r->place = etc_new(&r->scratch, uint32_t, runs);
	a->sparse.start = etc_new(r->arena, uint64_t, runs);
	a->sparse.end = etc_new(r->arena, uint64_t, runs);
	a->sparse.read = read_again;
	if (!r->place || !a->sparse.start || !a->sparse.end)
		return etc_fail(err, E0904, "%zu runs", runs);
	etc_fb_init(&a->fb, (struct etc_span){ r->fb.ptr, r->fb.len }, SIZE_MAX);
	etc_fb_layouts_init(&a->run, &etc_etdump_types[TABLE_RUN]);
	etc_fb_layouts_init(&a->event, &etc_etdump_types[TABLE_EVENT]);
	etc_fb_layouts_init(&a->profile, &etc_etdump_types[TABLE_PROFILE]);
	a->runs = r->runs;
	a->shapes = r->shapes.list;
	a->start = r->start; /* nobody needs them when all is read */
	a->end = r->end;
	return ETC_OK;
}

void etc_sparse_keep(struct etc_etdump_reader *r, size_t i)
{
	uint32_t number = r->runs[i].shape, *place = &r->place[number];
	const struct etc_shape *shape = &r->shapes.list[number];

	if (shape->first_run == i)
		*place = r->keep(shape);
	if (*place < r->samples) {
		r->sparse->start[i] = r->start[*place];
		r->sparse->end[i] = r->end[*place];
	}
	etc_wraps_add(&r->sparse->wraps, r->start, r->end, r->samples);
	r->passed += r->samples;
	r->samples = 0;
}
