/* stacks.c -- converts runs to stacks for flame graphs; see stacks.h */
#include "commands/trace/stacks.h"

#include "base/grow.h"
#include "base/map.h"
#include "base/text.h"

struct maker {
	struct etc_tracing *tracing;
	struct etc_traced *dump;
	struct etc_arena *arena, of_list;
	struct etc_stacks *out;
	bool lines;
	struct etc_grow nodes, names; /* memory of out->v and out->frames */
	struct etc_map stacks, frames;
	struct etc_text text; /* working memory for a name */
	uint32_t template;    /* index of the current event list, plus 1 */
	/* two values for each event of the list: the frame of the event, and the frame of its
	 * dispatch slice (profile/walk.h). A value is 1 + the index of a frame; 0: no frame yet */
	uint32_t *frame;
	uint32_t *node; /* for each slice of the run, the index of its stack in out->v */
	/* the node that stands for the dump, above all stacks of the dump; only used if there are
	 * several dumps */
	uint32_t root;
};

/* Finds or adds a frame. UINT32_MAX: out of memory. */
static uint32_t find_frame(struct maker *m, struct etc_str name, struct etc_str file, uint32_t line)
{
	struct etc_stacks *o = m->out;
	struct etc_stack_frame *frame;
	struct etc_str shown;
	size_t at;

	m->text.len = 0;
	etc_text_shown(&m->text, name);
	for (size_t i = 0; i < m->text.len && !m->lines; i++)
		if (m->text.ptr[i] == ';')
			m->text.ptr[i] = ':';
	shown = etc_arena_str(m->arena, etc_text_str(&m->text));
	etc_text_printf(&m->text, "\n%u ", line);
	etc_text_put(&m->text, file);
	at = m->text.failed || !shown.ptr
	             ? ETC_MAP_NONE
	             : etc_map_intern(&m->frames, etc_text_str(&m->text), o->frame_count);
	if (at != o->frame_count)
		return at == ETC_MAP_NONE ? UINT32_MAX : (uint32_t)at;
	frame = ETC_GROW(m->arena, &m->names, struct etc_stack_frame);
	if (!frame)
		return UINT32_MAX;
	*frame = (struct etc_stack_frame){ shown, file, line };
	o->frames = m->names.items;
	return o->frame_count++;
}

/* Finds the node of a stack, which is given by its parent node and its last frame; adds the node if
 * there is none. UINT32_MAX: out of memory. */
static uint32_t find_stack(struct maker *m, uint32_t parent, uint32_t frame)
{
	const uint32_t key[2] = { parent, frame };
	struct etc_stacks *o = m->out;
	struct etc_stack *node;
	size_t at = etc_map_intern(&m->stacks, (struct etc_str){ (const char *)key, sizeof key },
	                           o->count);

	if (at != o->count)
		return at == ETC_MAP_NONE ? UINT32_MAX : (uint32_t)at;
	node = ETC_GROW(m->arena, &m->nodes, struct etc_stack);
	if (!node)
		return UINT32_MAX;
	*node = (struct etc_stack){ .parent = parent, .frame = frame };
	o->v = m->nodes.items;
	return o->count++;
}

static bool begin_list(struct maker *m, const struct etc_walk_run *run)
{
	etc_arena_reuse(&m->of_list);
	m->template = run->template + 1;
	m->frame = etc_new(&m->of_list, uint32_t, (size_t)run->event_count * 2);
	m->node = etc_new(&m->of_list, uint32_t, run->event_count);
	return m->frame && m->node;
}

static uint32_t frame_of(struct maker *m, const struct etc_walk_run *run,
                         const struct etc_walk_slice *s)
{
	uint32_t *known = &m->frame[(size_t)s->event * 2 + s->dispatch];
	const struct etc_node *n;
	uint32_t f;

	if (*known)
		return *known - 1;
	n = m->lines ? etc_walk_node(run, s->event) : NULL;
	f = find_frame(m,
	               etc_walk_kind(run, s->event) == ETC_WALK_ROOT
	                       ? etc_traced_method(m->dump, run, &m->of_list)
	                       : etc_walk_name(run, s->event, s->dispatch),
	               n ? n->source_file : (struct etc_str){ 0 }, n ? n->source_line : 0);
	*known = f + 1;
	return f;
}

static enum etc_status visit(void *arg, const struct etc_walk_run *run, struct etc_error *err)
{
	struct maker *m = arg;

	ETC_NEED(m->template == run->template + 1 || begin_list(m, run), err);
	m->tracing->drawing.runs++;
	for (uint32_t i = 0; i < run->slice_count; i++) {
		const struct etc_walk_slice *s = &run->slices[i];
		uint32_t parent = s->parent == ETC_NO_SITE ? m->root : m->node[s->parent], frame;

		m->node[i] = ETC_NO_SITE;
		m->tracing->drawing.slices++;
		if (s->why != ETC_ATTACHED) {
			m->tracing->drawing.left_out += s->end - i;
			m->tracing->drawing.slices += s->end - i - 1;
			i = s->end - 1;
			continue;
		}
		frame = frame_of(m, run, s);
		m->node[i] = frame == UINT32_MAX ? UINT32_MAX : find_stack(m, parent, frame);
		ETC_NEED(m->node[i] != UINT32_MAX, err);
		m->out->v[m->node[i]].self += s->self;
		m->out->v[m->node[i]].calls++;
	}
	return ETC_OK;
}

/* Converts the times of one dump's stacks, which begin at index `from`, from 1/den ns to ns. The
 * fraction that is lost by rounding down is added to the next time. So for every n, the sum of the
 * first n times is the exact sum, rounded down. */
static void round_times(struct etc_stacks *stacks, uint32_t from, uint64_t den)
{
	etc_u128 rest = 0;

	for (uint32_t i = from; i < stacks->count; i++) {
		rest += stacks->v[i].self;
		stacks->v[i].self = rest / den;
		rest %= den;
	}
}

enum etc_status etc_stacks_make(struct etc_tracing *tracing, bool lines, struct etc_arena *arena,
                                struct etc_stacks *out, struct etc_error *err)
{
	struct maker m = { .tracing = tracing, .arena = arena, .out = out, .lines = lines };
	enum etc_status st = ETC_OK;

	*out = (struct etc_stacks){ 0 };
	tracing->drawing = (struct etc_drawing){ 0 };
	etc_arena_init(&m.of_list, arena->budget);
	etc_map_init(&m.stacks, arena);
	etc_map_init(&m.frames, arena);
	for (uint32_t i = 0; i < tracing->count && st == ETC_OK; i++) {
		struct etc_traced *d = &tracing->dumps[i];
		const uint32_t from = out->count;

		m.dump = d;
		m.template = 0;
		m.root = ETC_NO_SITE;
		if (tracing->count > 1) {
			uint32_t frame = find_frame(&m, d->name, (struct etc_str){ 0 }, 0);

			m.root = frame == UINT32_MAX ? frame : find_stack(&m, ETC_NO_SITE, frame);
			if (m.root == UINT32_MAX)
				st = etc_no_memory(err);
		}
		if (st == ETC_OK)
			st = etc_traced_walk(tracing, d, visit, &m, err);
		round_times(out, from, etc_clock_den(d->clock));
	}
	etc_text_release(&m.text);
	etc_arena_release(&m.of_list);
	if (st == ETC_OK && tracing->drawing.left_out == tracing->drawing.slices)
		return etc_fail(
			err, E0560,
			"no event is part of a measured run; a timeline shows them: -o perfetto");
	return st;
}
