/* etdump_headers.c -- see etdump_ahead.h: what many runs are beside their events.
 *
 * Runs lie all over the file, so that to count them is to wait for memory, and for the kernel
 * to map it: it is done by ranges. A thread stops at what is not as in the run before
 * them: that is read in its turn, where it is kept, judged and paid for. */
#include "base/parallel.h"
#include "formats/etdump/etdump_ahead.h"

enum { MANY = 1 << 10 /* runs that are worth a thread */, FAR = 32 };

struct work {
	struct etc_etdump_reader *r;
	struct etc_fb_vec all;
	uint32_t like;      /* head of those that are read */
	size_t from, count; /* runs */
	unsigned parts;
};

void etc_heads_prefetch(struct etc_etdump_reader *r, struct etc_fb_table run,
                        struct etc_fb_vec events, struct etc_str name)
{
	const uintptr_t at[] = { (uintptr_t)r->fb.ptr + run.at, (uintptr_t)r->fb.ptr + events.at,
		                 (uintptr_t)name.ptr };

	/* Runs of a loop are as long as each other. */
	for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
		__builtin_prefetch((const void *)(at[i] + FAR * (at[i] - r->parts[i])));
		r->parts[i] = at[i];
	}
}

/* False: it is another one. */
static bool read_head(const struct work *w, struct etc_etdump_reader *apart, size_t i)
{
	const struct etc_run_head *like = &apart->heads.list[w->like];
	struct etc_fb *fb = &apart->fb;
	struct etc_fb_table t = etc_fb_element(fb, etc_layouts(apart, TABLE_RUN), w->all, i);
	struct etc_fb_vec events = etc_fb_vector(fb, t, RUN_EVENTS, 4);
	struct etc_str name = etc_fb_str(fb, t, RUN_NAME);

	etc_heads_prefetch(apart, t, events, name);
	if (etc_etdump_is_odd(apart) || !name.ptr || !etc_str_eq(name, like->name) ||
	    etc_fb_i32(fb, t, RUN_BUNDLED_INPUT_INDEX, -1) != like->bundled_input_index ||
	    events.present != like->has_events || etc_fb_has(t, RUN_ALLOCATORS))
		return false;
	apart->runs[i].first_sample = (uint32_t)events.count;
	apart->runs[i].head = w->like;
	apart->runs[i].at = (uint32_t)t.at;
	return true;
}

static void do_part(void *work, unsigned part)
{
	const struct work *w = work;
	struct etc_etdump_reader apart;
	struct etc_trace found;
	size_t i = w->from + etc_part_begin(w->count, w->parts, part);
	size_t to = w->from + etc_part_begin(w->count, w->parts, part + 1);

	etc_etdump_apart(w->r, &apart, &found);
	while (i < to && read_head(w, &apart, i))
		i++;
}

void etc_heads_ahead(struct etc_etdump_reader *r, struct etc_fb_vec all, size_t i)
{
	struct work w = { .r = r, .all = all, .like = r->runs[i].head, .from = i + 1 };
	const struct etc_run_head *like = &r->heads.list[w.like];

	w.count = r->out->run_count - w.from;
	w.parts = etc_parts(r->jobs, w.count / MANY);
	if (w.parts > 1 && !r->only && like->has_name && !like->has_allocators)
		etc_parallel(w.parts, do_part, &w);
}
