/* site_nodes.c -- see site_nodes.h */
#include "work/site_nodes.h"

#include "base/map.h"
#include "join/operator_stem.h"
#include "model/graph_flow.h"
#include "model/place.h"

/* The sites that have the same debug handle and operator. `sites`: number of these sites. `seen`:
 * number of those that have been given a node so far. */
struct kin {
	uint32_t sites, seen;
};

struct finder {
	const struct etc_sites *sites;
	const struct etc_program_method *m;
	const struct etc_node **node;
	struct etc_str *stem; /* for each site, the stem of its operator; empty: unknown */
	struct etc_map names; /* key: address of the first node of a handle, and the stem of an
	                       * operator; value: index in `kin` */
	struct kin *kin;
	struct etc_arena scratch;
};

/* Returns the stem of an operator. The stem of et_view is "view", because the lowered operator
 * et_view computes the same as view. */
static struct etc_str node_stem(struct etc_str operator_name)
{
	const struct etc_str stem = etc_operator_stem(operator_name);

	return etc_str_eq(stem, ETC_STR("et_view")) ? ETC_STR("view") : stem;
}

static void find_stems(struct finder *f)
{
	const struct etc_sites *s = f->sites;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct etc_site *site = &s->v[i];
		const struct etc_event *e = etc_site_event(s, site);
		const struct etc_instruction *n =
			f->m && site->instruction
				? etc_program_instruction(f->m, e->chain, e->instruction_id)
				: NULL;

		if (n && n->kind == ETC_INSTRUCTION_KERNEL &&
		    (uint32_t)n->index < f->m->operator_count)
			f->stem[i] = node_stem(f->m->operators[n->index].name);
		else if (!f->m && site->native && !site->delegate && site->call != ETC_NO_SITE)
			f->stem[site->call] = node_stem(etc_event_name(e));
	}
}

static const struct etc_place *place_of(const struct finder *f, uint32_t i)
{
	const struct etc_place *p = f->sites->place[i];

	return p && p->how == ETC_PLACE_EXACT && p->count && f->sites->v[i].instruction &&
	                       !f->sites->v[i].delegate_call
	               ? p
	               : NULL;
}

/* Returns node number `nth`, from 0, among the nodes of the place that have the operator `stem`.
 * NULL: the place does not have exactly `count` such nodes. */
static const struct etc_node *nth_node(const struct etc_place *p, struct etc_str stem, uint32_t nth,
                                       uint32_t count)
{
	const struct etc_node *found = NULL;

	for (uint32_t i = 0; i < p->count; i++)
		if (etc_str_eq(etc_node_stem(p->nodes[i]), stem) && count-- && nth-- == 0)
			found = p->nodes[i];
	return count ? NULL : found;
}

/* Returns the struct kin of the sites whose place is `p` and whose operator has the stem `stem`.
 * Makes it if there is none. NULL: out of memory. */
static struct kin *kin_of(struct finder *f, const struct etc_place *p, struct etc_str stem)
{
	struct etc_str key = etc_arena_printf(&f->scratch, "%zx " ETC_STR_FMT, (size_t)p->nodes[0],
	                                      ETC_STR_ARG(stem));
	size_t at = key.ptr ? etc_map_add(&f->names, key, f->names.count) : ETC_MAP_NONE;

	return at == ETC_MAP_NONE ? NULL : &f->kin[at];
}

static enum etc_status find(struct finder *f, struct etc_error *err)
{
	const uint32_t count = f->sites->count;
	struct kin **kin = etc_new(&f->scratch, struct kin *, count);

	f->stem = etc_new(&f->scratch, struct etc_str, count);
	f->kin = etc_new(&f->scratch, struct kin, count);
	ETC_NEED(kin && f->stem && f->kin, err);
	etc_map_init(&f->names, &f->scratch);
	find_stems(f);
	for (uint32_t i = 0; i < count; i++) {
		const struct etc_place *p = place_of(f, i);

		if (!p || p->count == 1 || !f->stem[i].len || f->sites->repeats)
			continue;
		kin[i] = kin_of(f, p, f->stem[i]);
		ETC_NEED(kin[i], err);
		kin[i]->sites++;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct etc_place *p = place_of(f, i);

		if (p && p->count == 1)
			f->node[i] = p->nodes[0];
		else if (kin[i])
			f->node[i] = nth_node(p, f->stem[i], kin[i]->seen++, kin[i]->sites);
	}
	return ETC_OK;
}

enum etc_status etc_site_nodes_find(const struct etc_sites *sites,
                                    const struct etc_program_method *m, struct etc_arena *arena,
                                    const struct etc_node ***out, struct etc_error *err)
{
	struct finder f = { .sites = sites, .m = m };
	enum etc_status st;

	*out = NULL;
	if (!sites->place || !sites->graph || !sites->graph->tensors ||
	    !sites->graph->tensors->whole)
		return ETC_OK;
	*out = f.node = etc_new(arena, const struct etc_node *, sites->count);
	ETC_NEED(f.node, err);
	etc_arena_init(&f.scratch, arena->budget);
	st = find(&f, err);
	etc_arena_release(&f.scratch);
	return st;
}
