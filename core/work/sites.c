/* sites.c -- see sites.h
 *
 * The work of an operator outside delegates is that of its kernel's event, where there is one, and
 * the OPERATOR_CALL around it has none; that of a delegate is that of its events, or of the
 * DELEGATE_CALL where no event of it has a row. A DELEGATE_CALL only has a row where its events do
 * not divide its time, as those in another unit: what it computes is then unknown. */
#include "work/sites.h"

#include "host/host.h"
#include "join/operator_stem.h"
#include "work/delegate.h"
#include "work/kernel.h"

struct finder {
	struct etc_works *w;
	struct etc_sites *sites;
	struct etc_arena scratch, each; /* `each`: for one operator */
	uint32_t *inner; /* per site: the start of its events in `list`, if it is a DELEGATE_CALL */
	uint32_t *list;
	uint32_t *kernels; /* per site: kernels that ran in it */
};

void etc_works_init(struct etc_works *w, struct etc_arena *arena)
{
	*w = (struct etc_works){ .arena = arena };
	etc_map_init(&w->graphs, arena);
}

/* The one method of the program that ran, or NULL. */
static const struct etc_program_method *method_of(const struct etc_sites *sites)
{
	const struct etc_method *m = sites->method;

	return m && m->fit_count == 1 ? m->fits[0] : NULL;
}

/* ---- operators -------------------------------------------------------------------- */

/* The node of the record's graph that an operator is, if there is exactly one. */
static const struct etc_node *node_of(const struct etc_sites *sites, uint32_t site)
{
	const struct etc_place *place = sites->place ? sites->place[site] : NULL;
	const struct etc_graph *g = sites->graph;

	return place && g && g->flow && g->flow->whole && place->count == 1 &&
	                       place->how == ETC_PLACE_EXACT
	               ? place->nodes[0]
	               : NULL;
}

/* The work of an OPERATOR_CALL's instruction; `kernel`: the kernel that ran, empty: not known. */
static enum etc_status of_operator(struct finder *f, uint32_t site, struct etc_str kernel,
                                   struct etc_work *out, struct etc_error *err)
{
	const struct etc_event *e = etc_site_event(f->sites, &f->sites->v[site]);
	const struct etc_program_method *m = method_of(f->sites);
	const struct etc_instruction *n =
		m ? etc_program_instruction(m, e->chain, e->instruction_id) : NULL;
	const struct etc_node *node = m ? NULL : node_of(f->sites, site);

	*out = (struct etc_work){ .why = ETC_WORK_NO_SHAPES };
	if (n && n->kind == ETC_INSTRUCTION_KERNEL) {
		if (kernel.len && !etc_str_eq(etc_operator_stem(kernel),
		                              etc_operator_stem(m->operators[n->index].name))) {
			out->why = ETC_WORK_NO_NODE; /* a kernel that the operator's kernel calls */
			return ETC_OK;
		}
		ETC_NEED(etc_work_of_kernel(m, n, &f->each, out), err);
	} else if (node) {
		const struct etc_graph_flow *flow = f->sites->graph->flow;

		ETC_NEED(etc_work_of_node(flow, &flow->calls[node - f->sites->graph->nodes], node,
		                          &f->each, out),
		         err);
	}
	etc_arena_reuse(&f->each);
	return ETC_OK;
}

static bool is_kernel(const struct etc_site *s)
{
	return s->native && !s->delegate && s->call != ETC_NO_SITE;
}

/* The kernel of an OPERATOR_CALL. Of kernels that call others it is not known what each does. */
static enum etc_status of_kernel(struct finder *f, uint32_t site, struct etc_error *err)
{
	const struct etc_site *s = &f->sites->v[site];
	struct etc_work *call = &f->sites->work[s->call], *own = &f->sites->work[site];

	*own = (struct etc_work){ .why = ETC_WORK_NO_NODE };
	if (f->kernels[s->call] == 1)
		ETC_TRY(of_operator(f, s->call, etc_event_name(etc_site_event(f->sites, s)), own,
		                    err));
	if (s->hidden)
		*call = *own;
	return ETC_OK;
}

static enum etc_status of_operators(struct finder *f, struct etc_error *err)
{
	const struct etc_sites *s = f->sites;

	f->kernels = etc_new(&f->scratch, uint32_t, s->count);
	ETC_NEED(f->kernels, err);
	for (uint32_t i = 0; i < s->count; i++)
		if (is_kernel(&s->v[i]))
			f->kernels[s->v[i].call]++;
	for (uint32_t i = 0; i < s->count; i++) {
		if (is_kernel(&s->v[i]))
			ETC_TRY(of_kernel(f, i, err));
		else if (etc_site_event(s, &s->v[i])->word == ETC_WORD_OPERATOR_CALL &&
		         s->v[i].instruction && !f->kernels[i])
			ETC_TRY(of_operator(f, i, ETC_STR_NONE, &f->sites->work[i], err));
	}
	return ETC_OK;
}

/* ---- delegates -------------------------------------------------------------------- */

static enum etc_status graph_of(struct finder *f, struct etc_span blob,
                                const struct etc_work_graph **out, struct etc_error *err)
{
	const uint8_t *key = blob.ptr;
	struct etc_str name = { (const char *)&key, sizeof key };
	size_t at = etc_map_get(&f->w->graphs, name);
	struct etc_work_graph *g;

	*out = (const struct etc_work_graph *)at;
	if (at != ETC_MAP_NONE)
		return ETC_OK;
	*out = g = etc_new(f->w->arena, struct etc_work_graph, 1);
	ETC_NEED(g, err);
	ETC_TRY(etc_work_graph_read(blob, f->w->arena, g, err));
	ETC_NEED(etc_map_intern(&f->w->graphs, name, (size_t)g) != ETC_MAP_NONE, err);
	return ETC_OK;
}

static int64_t handle_of(const struct etc_mapped *m)
{
	return m && m->count == 1 && !m->not_edge_handles ? m->handles[0] : 0;
}

/* The events of a call: `count` of f->list from `first`. */
static enum etc_status match(struct finder *f, const struct etc_work_graph *g,
                             const uint32_t *events, uint32_t count, struct etc_error *err)
{
	struct etc_work_event *all = etc_new(&f->scratch, struct etc_work_event, count);

	ETC_NEED(all, err);
	for (uint32_t i = 0; i < count; i++) {
		const struct etc_said said = etc_site_said(f->sites, &f->sites->v[events[i]]);

		all[i].handle = handle_of(said.mapped);
		if (said.facts)
			all[i].operator_name = said.facts->operator_name;
	}
	ETC_TRY(etc_work_graph_match(g, all, count, &f->scratch, err));
	for (uint32_t i = 0; i < count; i++)
		f->sites->work[events[i]] = all[i].work;
	return ETC_OK;
}

static void set_all(struct finder *f, const uint32_t *events, uint32_t count, uint8_t why)
{
	for (uint32_t i = 0; i < count; i++)
		f->sites->work[events[i]] = (struct etc_work){ .why = why };
}

/* One DELEGATE_CALL, and its events that have rows. */
static enum etc_status of_delegate(struct finder *f, uint32_t site, const uint32_t *events,
                                   uint32_t count, struct etc_error *err)
{
	const struct etc_event *e = etc_site_event(f->sites, &f->sites->v[site]);
	const struct etc_program_delegate d = f->sites->method
	                                              ? etc_method_delegate(f->sites->method, e)
	                                              : (struct etc_program_delegate){ 0 };
	struct etc_work *own = &f->sites->work[site];
	const struct etc_work_graph *g = NULL;

	own->why = ETC_WORK_NO_SHAPES;
	set_all(f, events, count, ETC_WORK_NO_SHAPES);
	if (!d.processed.len)
		return ETC_OK;
	ETC_TRY(graph_of(f, d.processed, &g, err));
	if (!g->read)
		return ETC_OK;
	if (d.dynamic) {
		set_all(f, events, count, ETC_WORK_DYNAMIC);
		if (!count)
			own->why = ETC_WORK_DYNAMIC;
		return ETC_OK;
	}
	if (!count)
		*own = g->all;
	return count ? match(f, g, events, count, err) : ETC_OK;
}

/* Lists the events of each DELEGATE_CALL that have rows. */
static bool list_inner(struct finder *f)
{
	const struct etc_sites *s = f->sites;
	uint32_t sum = 0;

	f->inner = etc_new(&f->scratch, uint32_t, (size_t)s->count + 2);
	f->list = etc_new(&f->scratch, uint32_t, s->count);
	if (!f->inner || !f->list)
		return false;
	for (uint32_t i = 0; i < s->count; i++)
		if (s->v[i].delegate && !s->v[i].hidden && s->v[i].call != ETC_NO_SITE)
			f->inner[s->v[i].call + 1]++;
	for (uint32_t i = 0; i < s->count + 2; i++)
		f->inner[i] = sum += f->inner[i];
	for (uint32_t i = s->count; i-- > 0;)
		if (s->v[i].delegate && !s->v[i].hidden && s->v[i].call != ETC_NO_SITE)
			f->list[--f->inner[s->v[i].call + 1]] = i;
	return true;
}

/* Is it an event of a DELEGATE_CALL? Scopes that a backend's code logs have no delegate id. */
static bool is_inside(const struct etc_sites *s, uint32_t site)
{
	const uint32_t call = s->v[site].call;

	return call != ETC_NO_SITE && s->v[call].delegate_call;
}

static enum etc_status of_delegates(struct finder *f, struct etc_error *err)
{
	const struct etc_sites *s = f->sites;

	ETC_NEED(list_inner(f), err);
	for (uint32_t i = 0; i < s->count; i++)
		if (s->v[i].delegate || is_inside(s, i))
			f->sites->work[i].why = ETC_WORK_NO_SHAPES;
	for (uint32_t i = 0; i < s->count; i++)
		if (s->v[i].delegate_call)
			ETC_TRY(of_delegate(f, i, f->list + f->inner[i + 1],
			                    f->inner[i + 2] - f->inner[i + 1], err));
	return ETC_OK;
}

enum etc_status etc_works_of(struct etc_works *w, struct etc_sites *sites, struct etc_error *err)
{
	struct finder f = { .w = w, .sites = sites };
	enum etc_status st;

	sites->work = etc_new(sites->arena, struct etc_work, sites->count);
	ETC_NEED(sites->work, err);
	etc_arena_init(&f.scratch, sites->arena->budget);
	etc_arena_init(&f.each, sites->arena->budget);
	st = of_delegates(&f, err);
	if (st == ETC_OK)
		st = of_operators(&f, err);
	etc_arena_release(&f.each);
	etc_arena_release(&f.scratch);
	return st;
}
