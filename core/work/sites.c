/* sites.c -- see sites.h
 *
 * Which event gets the work:
 *   operator outside delegates  the kernel's event; the OPERATOR_CALL only if there is none
 *   delegate                    its events; the DELEGATE_CALL only if none of them has a row
 * A DELEGATE_CALL also has a row if the times of its events are not parts of its time, for example
 * because they have another unit. Its work is then unknown.
 *
 * If a run logged values, operators and delegates with dynamic shapes have the work of that run's
 * sizes. */
#include "work/sites.h"

#include "host/host.h"
#include "join/operator_stem.h"
#include "work/delegate.h"
#include "work/kernel.h"
#include "work/run_sizes.h"
#include "work/site_nodes.h"

struct finder {
	struct etc_works *w;
	struct etc_sites *sites;
	struct etc_arena *scratch, *each; /* `each`: memory for one operator */
	const struct etc_node **nodes;    /* for each site, its node; NULL: no node is known */
	/* The events of a call are list[k] with inner[i + 1] <= k < inner[i + 2], where i is the
	 * site of the DELEGATE_CALL. */
	uint32_t *inner;
	uint32_t *list;
	/* for each site, the number of kernels that ran inside it */
	uint32_t *kernels;
	/* for each operator of the method that ran, its formula, as a cache */
	const struct etc_formula **formulas;
};

void etc_works_init(struct etc_works *w, struct etc_arena *arena)
{
	*w = (struct etc_works){ .arena = arena };
	etc_map_init(&w->graphs, arena);
	etc_arena_init(&w->scratch, arena->budget);
	etc_arena_init(&w->each, arena->budget);
}

void etc_works_release(struct etc_works *w)
{
	etc_arena_release(&w->scratch);
	etc_arena_release(&w->each);
}

/* Returns the method that ran; NULL: it is unknown, or several methods of the program are
 * possible. */
static const struct etc_program_method *method_of(const struct etc_sites *sites)
{
	const struct etc_method *m = sites->method;

	return m && m->fit_count == 1 ? m->fits[0] : NULL;
}

/* ---- operators -------------------------------------------------------------------- */

/* Computes the work of the instruction of an OPERATOR_CALL. `kernel` is the name of the kernel that
 * ran; empty: unknown. `ran` has the sizes in one run, or is NULL. */
static enum etc_status of_operator(struct finder *f, uint32_t site, struct etc_str kernel,
                                   const struct etc_run_sizes *ran, struct etc_work *out,
                                   struct etc_error *err)
{
	const struct etc_event *e = etc_site_event(f->sites, &f->sites->v[site]);
	const struct etc_program_method *m = method_of(f->sites);
	const struct etc_instruction *n =
		m ? etc_program_instruction(m, e->chain, e->instruction_id) : NULL;
	const struct etc_node *node = m || !f->nodes ? NULL : f->nodes[site];

	*out = (struct etc_work){ .why = ETC_WORK_NO_SHAPES };
	if (n && n->kind == ETC_INSTRUCTION_KERNEL) {
		if (kernel.len && !etc_str_eq(etc_operator_stem(kernel),
		                              etc_operator_stem(m->operators[n->index].name))) {
			/* the kernel is not the operator's own, but was called by it, so this
			 * kernel's work is not that of the operator */
			out->why = ETC_WORK_NO_NODE;
			return ETC_OK;
		}
		ETC_NEED(etc_work_of_kernel(m, n, f->formulas, ran ? ran->ran : NULL, f->each, out),
		         err);
	} else if (node) {
		const struct etc_graph_flow *flow = f->sites->graph->tensors;

		ETC_NEED(etc_work_of_node(flow, &flow->calls[node - f->sites->graph->nodes], node,
		                          ran ? &ran->symbols : NULL, f->each, out),
		         err);
	}
	etc_arena_reuse(f->each);
	return ETC_OK;
}

static bool is_kernel(const struct etc_site *s)
{
	return s->native && !s->delegate && s->call != ETC_NO_SITE;
}

/* Sets the work of a kernel inside of an OPERATOR_CALL. If several kernels ran inside of it, the
 * work of each is unknown. If the kernel has no row, the OPERATOR_CALL gets the kernel's work. */
static enum etc_status of_kernel(struct finder *f, uint32_t site, struct etc_error *err)
{
	const struct etc_site *s = &f->sites->v[site];
	struct etc_work *call = &f->sites->work[s->call], *own = &f->sites->work[site];

	*own = (struct etc_work){ .why = ETC_WORK_NO_NODE };
	if (f->kernels[s->call] == 1)
		ETC_TRY(of_operator(f, s->call, etc_event_name(etc_site_event(f->sites, s)), NULL,
		                    own, err));
	if (s->hidden)
		*call = *own;
	return ETC_OK;
}

static enum etc_status of_operators(struct finder *f, struct etc_error *err)
{
	const struct etc_sites *s = f->sites;

	f->kernels = etc_new(f->scratch, uint32_t, s->count);
	ETC_NEED(f->kernels, err);
	for (uint32_t i = 0; i < s->count; i++)
		if (is_kernel(&s->v[i]))
			f->kernels[s->v[i].call]++;
	for (uint32_t i = 0; i < s->count; i++) {
		if (is_kernel(&s->v[i]))
			ETC_TRY(of_kernel(f, i, err));
		else if (etc_site_event(s, &s->v[i])->word == ETC_WORD_OPERATOR_CALL &&
		         s->v[i].instruction && !f->kernels[i])
			ETC_TRY(of_operator(f, i, ETC_STR_NONE, NULL, &f->sites->work[i], err));
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

/* Finds the work of the events of a delegate call and stores it in `works`, which has an element
 * for each site. `events` are the sites of these events. */
static enum etc_status match(struct finder *f, const struct etc_work_graph *g,
                             const uint32_t *events, uint32_t count, struct etc_work *works,
                             struct etc_error *err)
{
	struct etc_work_event *all = etc_new(f->scratch, struct etc_work_event, count);

	ETC_NEED(all, err);
	for (uint32_t i = 0; i < count; i++) {
		const struct etc_said said = etc_site_said(f->sites, &f->sites->v[events[i]]);

		all[i].handle = handle_of(said.mapped);
		if (said.facts)
			all[i].operator_name = said.facts->operator_name;
	}
	ETC_TRY(etc_work_graph_match(g, all, count, f->scratch, err));
	for (uint32_t i = 0; i < count; i++)
		works[events[i]] = all[i].work;
	return ETC_OK;
}

static void set_all(struct etc_work *works, const uint32_t *events, uint32_t count, uint8_t why)
{
	for (uint32_t i = 0; i < count; i++)
		works[events[i]] = (struct etc_work){ .why = why };
}

/* Returns an argument of a delegate call in the form in which XNNExecutor::prepare_args() passes it
 * on. */
static struct etc_call_argument argument(const struct etc_evalue_tensor *t, const uint64_t *ran)
{
	static const uint8_t channels_last[] = { 0, 2, 3, 1 };
	struct etc_call_argument a = { .rank = t->sizes.count };
	const bool last = a.rank == sizeof channels_last && t->dim_order.len == a.rank &&
	                  memcmp(t->dim_order.ptr, channels_last, a.rank) == 0;

	if (a.rank > sizeof a.size / sizeof *a.size)
		return (struct etc_call_argument){ 0 };
	a.known = !t->dynamism || ran;
	for (uint32_t i = 0; i < a.rank && a.known; i++) {
		const uint32_t of = last ? channels_last[i] : i;
		const uint64_t size = t->dynamism ? ran[of] : (uint64_t)etc_i32_at(t->sizes, of);

		a.known = size <= INT32_MAX;
		a.size[i] = (uint32_t)size;
	}
	return a;
}

/* Replaces `*g`, the graph of a call, by a copy with the sizes of a run. */
static enum etc_status resize(struct finder *f, const struct etc_event *e,
                              const struct etc_run_sizes *ran, const struct etc_work_graph **g,
                              struct etc_error *err)
{
	const struct etc_instruction *n =
		etc_program_instruction(ran->m, e->chain, e->instruction_id);
	struct etc_call_argument *args =
		etc_new(f->scratch, struct etc_call_argument, n->args.count);
	struct etc_work_graph *own = etc_new(f->scratch, struct etc_work_graph, 1);

	ETC_NEED(args && own, err);
	for (uint32_t i = 0; i < n->args.count; i++) {
		const int32_t v = etc_i32_at(n->args, i);

		if (v >= 0 && (uint32_t)v < ran->m->value_count &&
		    ran->m->values[v].kind == ETC_EVALUE_TENSOR)
			args[i] = argument(ran->m->values[v].tensor, ran->ran[v]);
	}
	ETC_TRY(etc_work_graph_resize(*g, args, n->args.count, f->scratch, own, err));
	*g = own;
	return ETC_OK;
}

/* Sets the work of one DELEGATE_CALL and of those of its events that have rows. `ran` has the sizes
 * of tensors in one run; NULL: they are unknown. `works` has an element for each site. */
static enum etc_status of_delegate(struct finder *f, uint32_t site, const uint32_t *events,
                                   uint32_t count, const struct etc_run_sizes *ran,
                                   struct etc_work *works, struct etc_error *err)
{
	const struct etc_event *e = etc_site_event(f->sites, &f->sites->v[site]);
	const struct etc_program_delegate d = f->sites->method
	                                              ? etc_method_delegate(f->sites->method, e)
	                                              : (struct etc_program_delegate){ 0 };
	struct etc_work *own = &works[site];
	const struct etc_work_graph *g = NULL;

	if (ran && !d.dynamic) /* the work of this call is the same in each run */
		return ETC_OK;
	own->why = ETC_WORK_NO_SHAPES;
	set_all(works, events, count, ETC_WORK_NO_SHAPES);
	if (!d.processed.len)
		return ETC_OK;
	ETC_TRY(graph_of(f, d.processed, &g, err));
	if (!g->read)
		return ETC_OK;
	if (d.dynamic && !ran) {
		set_all(works, events, count, ETC_WORK_DYNAMIC);
		if (!count)
			own->why = ETC_WORK_DYNAMIC;
		return ETC_OK;
	}
	if (d.dynamic)
		ETC_TRY(resize(f, e, ran, &g, err));
	if (!count)
		*own = g->all;
	return count ? match(f, g, events, count, works, err) : ETC_OK;
}

/* For each DELEGATE_CALL, lists those of its events that have rows. False: out of memory. */
static bool list_inner(struct finder *f)
{
	const struct etc_sites *s = f->sites;
	uint32_t sum = 0;

	f->inner = etc_new(f->scratch, uint32_t, (size_t)s->count + 2);
	f->list = etc_new(f->scratch, uint32_t, s->count);
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

/* Is the event inside a DELEGATE_CALL? It need not have a delegate id: events that a backend's own
 * code logs around several others (scopes) have none. */
static bool is_inside(const struct etc_sites *s, uint32_t site)
{
	const uint32_t call = s->v[site].call;

	return call != ETC_NO_SITE && s->v[call].delegate_call;
}

/* Sets the work of DELEGATE_CALLs and their events. If `ran` is not NULL, it has the sizes in one
 * run, and only calls with dynamic shapes are handled. If it is NULL, the sizes at export are used,
 * and the work of calls with dynamic shapes is unknown (ETC_WORK_DYNAMIC). */
static enum etc_status of_delegates(struct finder *f, const struct etc_run_sizes *ran,
                                    struct etc_work *works, struct etc_error *err)
{
	const struct etc_sites *s = f->sites;

	ETC_NEED(list_inner(f), err);
	for (uint32_t i = 0; i < s->count; i++)
		if (s->v[i].delegate || is_inside(s, i))
			works[i].why = ETC_WORK_NO_SHAPES;
	for (uint32_t i = 0; i < s->count; i++)
		if (s->v[i].delegate_call)
			ETC_TRY(of_delegate(f, i, f->list + f->inner[i + 1],
			                    f->inner[i + 2] - f->inner[i + 1], ran, works, err));
	return ETC_OK;
}

/* ---- runs ------------------------------------------------------------------------- */

/* The events whose work depends on the sizes in a run. */
struct varying {
	struct etc_varying as;
	struct finder f;
	const struct etc_trace *trace;
	/* for each element of as.site, its work in the run for which work_of_run() was called
	 * last */
	struct etc_work *work;
	bool delegates; /* some of the events are of delegates */
};

static bool is_delegated(const struct etc_sites *s, uint32_t i)
{
	return s->v[i].delegate_call || s->v[i].delegate || is_inside(s, i);
}

static enum etc_status work_of_run(const struct etc_varying *as, uint32_t run,
                                   const struct etc_work **out, struct etc_error *err)
{
	struct varying *v = (struct varying *)(uintptr_t)as;
	const struct etc_sites *sites = v->f.sites;
	struct etc_run_sizes ran;
	struct etc_work *works = NULL;

	etc_arena_reuse(v->f.scratch);
	ETC_TRY(etc_run_sizes_read(&ran, method_of(sites), sites, v->f.nodes, v->trace, run,
	                           v->f.scratch, err));
	if (v->delegates) {
		works = etc_new(v->f.scratch, struct etc_work, sites->count);
		ETC_NEED(works, err);
		ETC_TRY(of_delegates(&v->f, &ran, works, err));
	}
	for (uint32_t i = 0; i < as->count; i++) {
		const struct etc_site *s = &sites->v[as->site[i]];
		const bool kernel = is_kernel(s);

		if (is_delegated(sites, as->site[i])) {
			v->work[i] = works[as->site[i]];
			continue;
		}

		ETC_TRY(of_operator(&v->f, kernel ? s->call : as->site[i],
		                    kernel ? etc_event_name(etc_site_event(sites, s))
		                           : ETC_STR_NONE,
		                    &ran, &v->work[i], err));
	}
	*out = v->work;
	return ETC_OK;
}

/* May the event's work differ from run to run, and can logged values show it? For an event of a
 * delegate, the program is needed, too: it has the values that are the arguments of the
 * delegate. */
static bool may_vary(const struct etc_sites *s, uint32_t i)
{
	const struct etc_program_method *m = method_of(s);

	return s->work[i].why == ETC_WORK_DYNAMIC && (!is_delegated(s, i) || (m && m->value_count));
}

/* Finds the events whose work depends on the run, and sets sites->varying so that work_of_run()
 * computes it for each run. */
static enum etc_status find_varying(const struct finder *f, const struct etc_trace *trace,
                                    struct etc_error *err)
{
	struct etc_sites *s = f->sites;
	struct varying *v;
	uint32_t count = 0, *site;

	for (uint32_t i = 0; i < s->count; i++)
		count += may_vary(s, i);
	if (!count)
		return ETC_OK;
	v = etc_new(s->arena, struct varying, 1);
	site = etc_new(s->arena, uint32_t, count);
	ETC_NEED(v && site, err);
	*v = (struct varying){ .as = { .site = site, .of_run = work_of_run },
		               .f = *f,
		               .trace = trace,
		               .work = etc_new(s->arena, struct etc_work, count) };
	ETC_NEED(v->work, err);
	for (uint32_t i = 0; i < s->count; i++) {
		if (!may_vary(s, i))
			continue;
		v->delegates = v->delegates || is_delegated(s, i);
		site[v->as.count++] = i;
		s->work[i].why = ETC_WORK_NONE;
	}
	s->varying = &v->as;
	return ETC_OK;
}

enum etc_status etc_works_of(struct etc_works *w, struct etc_sites *sites,
                             const struct etc_trace *trace, uint32_t template,
                             struct etc_error *err)
{
	struct finder f = { .w = w, .sites = sites, .scratch = &w->scratch, .each = &w->each };
	const struct etc_program_method *m = method_of(sites);

	sites->work = etc_new(sites->arena, struct etc_work, sites->count);
	f.formulas = etc_new(sites->arena, const struct etc_formula *, m ? m->operator_count : 0);
	ETC_NEED(sites->work && f.formulas, err);
	etc_arena_reuse(&w->scratch);
	ETC_TRY(etc_site_nodes_find(sites, m, sites->arena, &f.nodes, err));
	ETC_TRY(of_delegates(&f, NULL, sites->work, err));
	ETC_TRY(of_operators(&f, err));
	return trace->templates[template].debugs ? find_varying(&f, trace, err) : ETC_OK;
}
