/* expand.c -- see expand.h */
#include "join/expand.h"

#include "etcore/plugin.h"
#include "join/owner.h"
#include "join/paths.h"

/* ---- calling the plugins ----------------------------------------------------------- */

struct expander {
	const struct etc_trace *trace;
	struct etc_join_input in;
	struct etc_paths paths;
	struct etc_methods methods;
	struct etc_arena *arena;
	/* memory of the hooks' arguments and of copies of their answers */
	struct etc_arena lists;
	uint32_t *runs; /* indices of the runs, template by template, in file order */
	/* for each template, the index in `runs` of its first run; one entry more than there are
	 * templates */
	size_t *first;
	/* per template: the children of each profile event; NULL: no event has any */
	struct etc_children **children;
	size_t samples;                 /* number of samples of all children */
	struct etc_template *templates; /* the templates of the new trace */
};

static enum etc_status sort_runs(struct expander *x, struct etc_error *err)
{
	const struct etc_trace *t = x->trace;

	x->first = etc_new(&x->lists, size_t, t->template_count + 2);
	x->runs = etc_new(&x->lists, uint32_t, t->run_count);
	x->children = etc_new(&x->lists, struct etc_children *, t->template_count);
	ETC_NEED(x->first && x->runs && x->children, err);
	for (size_t r = 0; r < t->run_count; r++)
		x->first[t->runs[r].template + 2]++;
	for (size_t s = 2; s < t->template_count + 2; s++)
		x->first[s] += x->first[s - 1];
	for (uint32_t r = 0; r < t->run_count; r++)
		x->runs[x->first[t->runs[r].template + 1]++] = r;
	return ETC_OK;
}

static size_t runs_of(const struct expander *x, size_t template)
{
	return x->first[template + 1] - x->first[template];
}

static enum etc_status ask_template(struct expander *x, uint32_t s, struct etc_arena *scratch,
                                    struct etc_error *err)
{
	const struct etc_template *template = &x->trace->templates[s];
	struct etc_children *children = etc_new(&x->lists, struct etc_children, template->profiles);
	struct etc_expansion expansion = { children, &x->lists };
	struct etc_join_input in = x->in;
	struct etc_sites sites;
	size_t count = 0;

	ETC_NEED(children, err);
	in.method = etc_methods_of(&x->methods, &x->paths, s);
	in.expansion = &expansion;
	ETC_TRY(etc_sites_make(&sites, template, in.clock, scratch, err));
	ETC_TRY(etc_sites_calls(&sites, err));
	ETC_TRY(etc_sites_own(&sites, &in, x->runs + x->first[s], runs_of(x, s), scratch, err));
	for (uint32_t i = 0; i < template->profiles; i++)
		count += children[i].count;
	if (count)
		x->children[s] = children;
	x->samples += count * runs_of(x, s);
	return ETC_OK;
}

static enum etc_status ask_all(struct expander *x, struct etc_error *err)
{
	enum etc_status st = ETC_OK;

	for (uint32_t s = 0; s < x->trace->template_count && st == ETC_OK; s++) {
		struct etc_arena scratch;

		etc_arena_init(&scratch, x->arena->budget);
		st = ask_template(x, s, &scratch, err);
		etc_arena_release(&scratch);
	}
	return st;
}

/* ---- making the new trace ------------------------------------------------------------- */

/* Makes the event of one child. */
static bool add_event(struct etc_event *to, const struct etc_event *of,
                      const struct etc_part_said *c, struct etc_arena *arena)
{
	*to = (struct etc_event){ .chain = of->chain,
		                  .instruction_id = of->instruction_id,
		                  .delegate_id = -1,
		                  .kind = ETC_EVENT_PROFILE,
		                  .has_delegate_name = true,
		                  .expanded = true };
	to->delegate_name = etc_arena_sized(arena, c->name);
	return to->delegate_name.ptr != NULL;
}

/* Makes template number `s` of the new trace: the events of the old template, each followed by its
 * children. */
static enum etc_status make_template(struct expander *x, size_t s, struct etc_error *err)
{
	const struct etc_template *from = &x->trace->templates[s];
	const struct etc_children *children = x->children[s];
	struct etc_template *to = &x->templates[s];
	struct etc_expanded *expanded;
	struct etc_children *kept;
	struct etc_event *events;
	uint32_t extra = 0, n = 0, at = 0, k = 0;

	*to = *from;
	if (!children)
		return ETC_OK;
	for (uint32_t i = 0; i < from->profiles; i++)
		extra += children[i].count;
	if (extra > UINT32_MAX / 2 - from->count)
		return etc_fail(err, E0904, "%u events", extra);
	events = etc_new(x->arena, struct etc_event, from->count + extra);
	expanded = etc_new(x->arena, struct etc_expanded, extra);
	kept = etc_new(x->arena, struct etc_children, from->profiles);
	ETC_NEED(events && expanded && kept, err);
	memcpy(kept, children, from->profiles * sizeof *kept);
	for (uint32_t i = 0; i < from->count; i++) {
		const struct etc_event *e = &from->events[i];
		const struct etc_children *c =
			e->kind == ETC_EVENT_PROFILE ? &kept[e->column] : NULL;
		uint32_t of = at;

		events[n] = *e;
		if (c)
			events[n].column = at++;
		n++;
		for (uint32_t j = 0; c && j < c->count; j++, n++, at++, k++) {
			const struct etc_part_said *child = &c->v[j];

			ETC_NEED(add_event(&events[n], e, child, x->arena), err);
			events[n].column = at;
			expanded[k] = (struct etc_expanded){
				.site = at,
				.of = of,
				.parent = child->parent == UINT32_MAX ? of : of + 1 + child->parent,
				.same_clock = child->same_clock,
				.child = child,
				.all = c,
			};
		}
	}
	to->events = events;
	to->count += extra;
	to->profiles += extra;
	to->expanded = expanded;
	to->expanded_count = extra;
	to->learned = false;
	etc_template_learn(to);
	return ETC_OK;
}

struct columns {
	/* `start`, `end`: times of the new trace's samples; `next`: for each event of a run, the
	 * start of its next child */
	uint64_t *start, *end, *next;
	/* for each sample, the offset of its metadata in the file, or 0; NULL: no sample has
	 * metadata */
	uint32_t *metadata;
	size_t at;
};

/* Adds a child's times. If the plugin gives starts, they count from the start of the expanded event
 * (if the child is on the same clock as this event) or from 0. If the plugin gives none, the
 * children of a parent follow each other without gaps, from the start of the parent. A child that
 * would end after the largest tick is moved back, so that it ends at this tick. */
static void add_child(struct columns *to, size_t first, const struct etc_expanded *e, size_t sample)
{
	const struct etc_part_said *c = e->child;
	uint64_t base = e->same_clock ? to->start[first + e->of] : 0, start;
	uint64_t duration = c->durations[sample];

	if (!c->starts)
		start = to->next[e->parent];
	else if (__builtin_add_overflow(base, c->starts[sample], &start))
		start = UINT64_MAX;
	start = start > UINT64_MAX - duration ? UINT64_MAX - duration : start;
	to->start[first + e->site] = start;
	to->end[first + e->site] = start + duration;
	to->next[e->site] = start;
	if (!c->starts)
		to->next[e->parent] = start + duration;
}

static void add_run(const struct expander *x, const struct etc_run *run, size_t sample,
                    struct columns *to)
{
	const struct etc_trace *t = x->trace;
	const struct etc_template *template = &x->templates[run->template];
	const struct etc_expanded *e = template->expanded;
	size_t from = run->first_sample;
	uint32_t k = 0;

	for (uint32_t i = 0; i < template->profiles; i++) {
		if (k < template->expanded_count && e[k].site == i) {
			add_child(to, to->at, &e[k++], sample);
			continue;
		}
		to->start[to->at + i] = t->start[from];
		to->end[to->at + i] = t->end[from];
		if (template->expanded_count)
			to->next[i] = t->start[from];
		if (to->metadata)
			to->metadata[to->at + i] = etc_metadata_at(&t->metadata, from);
		from++;
	}
	to->at += template->profiles;
}

static enum etc_status make_columns(struct expander *x, struct etc_trace *out,
                                    struct etc_error *err)
{
	const struct etc_trace *t = x->trace;
	struct etc_run *runs = etc_new(x->arena, struct etc_run, t->run_count);
	size_t *sample = etc_new(&x->lists, size_t, t->template_count), most = 0;
	struct columns to = {
		.start = etc_new(x->arena, uint64_t, out->sample_count),
		.end = etc_new(x->arena, uint64_t, out->sample_count),
		.metadata = etc_new(&x->lists, uint32_t, t->metadata.has ? out->sample_count : 0),
	};

	for (size_t s = 0; s < t->template_count; s++)
		most = x->templates[s].profiles > most ? x->templates[s].profiles : most;
	to.next = etc_new(&x->lists, uint64_t, most);
	ETC_NEED(runs && sample && to.start && to.end && to.metadata && to.next, err);
	to.metadata = t->metadata.has ? to.metadata : NULL;
	for (size_t r = 0; r < t->run_count; r++) {
		runs[r] = t->runs[r];
		runs[r].first_sample = (uint32_t)to.at;
		add_run(x, &t->runs[r], sample[t->runs[r].template]++, &to);
	}
	out->runs = runs;
	out->start = to.start;
	out->end = to.end;
	if (to.metadata &&
	    !etc_metadata_pack(to.metadata, out->sample_count, x->arena, &out->metadata))
		return etc_no_memory(err);
	return ETC_OK;
}

static enum etc_status make_trace(struct expander *x, const struct etc_trace **out,
                                  struct etc_error *err)
{
	const struct etc_trace *t = x->trace;
	struct etc_trace *made = etc_new(x->arena, struct etc_trace, 1);

	x->templates = etc_new(x->arena, struct etc_template, t->template_count);
	ETC_NEED(made && x->templates, err);
	if (x->samples > UINT32_MAX - t->sample_count)
		return etc_fail(err, E0904, "%zu samples", x->samples);
	*made = *t;
	made->templates = x->templates;
	made->sample_count += x->samples;
	made->expanded = x->samples;
	for (size_t s = 0; s < t->template_count; s++)
		ETC_TRY(make_template(x, s, err));
	ETC_TRY(make_columns(x, made, err));
	*out = made;
	return ETC_OK;
}

static enum etc_status expand(struct expander *x, const struct etc_program *program,
                              const struct etc_record *record, const struct etc_trace **out,
                              struct etc_error *err)
{
	ETC_TRY(etc_paths_find(&x->paths, x->trace, x->arena, err));
	ETC_TRY(etc_methods_find(&x->methods, &x->paths, x->trace, program, record, x->arena, err));
	ETC_TRY(sort_runs(x, err));
	ETC_TRY(ask_all(x, err));
	return x->samples ? make_trace(x, out, err) : ETC_OK;
}

enum etc_status etc_trace_expand(const struct etc_trace *trace, const struct etc_join_input *in,
                                 const struct etc_program *program, const struct etc_record *record,
                                 struct etc_arena *arena, const struct etc_trace **out,
                                 struct etc_error *err)
{
	struct expander x = { .trace = trace, .in = *in, .arena = arena };
	enum etc_status st;

	*out = trace;
	if (!in->host || trace->sparse || !etc_host_expands(in->host))
		return ETC_OK;
	x.in.trace = trace;
	etc_arena_init(&x.lists, arena->budget);
	st = expand(&x, program, record, out, err);
	etc_arena_release(&x.lists);
	return st;
}
