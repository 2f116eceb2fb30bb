/* children.c -- see children.h */
#include "join/children.h"

#include "join/answer.h"

/* ---- columns ----------------------------------------------------------------------------- */

const struct etc_children *etc_sites_children(const struct etc_sites *sites, uint32_t site,
                                              uint32_t *first)
{
	uint32_t from = 0, to = sites->expanded_count;

	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		if (sites->expanded[middle].of < site)
			from = middle + 1;
		else
			to = middle;
	}
	*first = from;
	return from < sites->expanded_count && sites->expanded[from].of == site
	               ? sites->expanded[from].all
	               : NULL;
}

bool etc_sites_fill(struct etc_sites *sites, uint32_t site, const struct etc_children *said)
{
	uint32_t first, n = sites->expanded_count;
	const struct etc_children *known = etc_sites_children(sites, site, &first);

	if (!known || known->count != said->count)
		return true;
	if (!sites->expanded_columns) {
		sites->expanded_columns = etc_new(sites->arena, const struct etc_parsed *, n);
		for (uint32_t k = 0; sites->expanded_columns && k < n; k++)
			sites->expanded_columns[k] = sites->expanded[k].child->metadata;
	}
	for (uint32_t j = 0; sites->expanded_columns && j < said->count; j++)
		sites->expanded_columns[first + j] = said->v[j].metadata;
	return sites->expanded_columns != NULL;
}

/* ---- readings of children --------------------------------------------------------- */

/* Copies the facts that a child leaves empty from its parent. */
static void inherit(struct etc_facts *to, const struct etc_facts *of)
{
	to->owner = of->owner;
	to->backend = of->backend;
	if (!to->category.len)
		to->category = of->category;
	if (!to->compute_unit.len)
		to->compute_unit = of->compute_unit;
	if (!to->precision.len)
		to->precision = of->precision;
}

/* The facts of the previous child, which are shared if equal: many children are alike. */
struct alike {
	const struct etc_facts *child, *of;
	const struct etc_time_facts *time;
	bool synthetic;
	struct etc_facts *made;
};

static struct etc_facts *facts_of(const struct etc_sites *sites, const struct etc_expanded *e,
                                  struct alike *last, struct etc_arena *arena)
{
	const struct etc_facts *of = etc_site_said(sites, &sites->v[e->of]).facts;
	const struct etc_part_said *c = e->child;
	struct etc_facts *f;

	if (last->made && last->child == c->facts && last->of == of && last->time == c->time &&
	    last->synthetic == !c->starts)
		return last->made;
	f = etc_new(arena, struct etc_facts, 1);
	if (!f)
		return NULL;
	if (c->facts)
		*f = *c->facts;
	f->time = (struct etc_time_facts){ .parent = ETCORE_PARENT_CALL, .resolution = 1 };
	if (of) {
		inherit(f, of);
		f->time = of->time;
	}
	if (c->time)
		f->time = *c->time;
	if (of && e->same_clock && !of->time.wraps_at) {
		f->time.sync_device = of->time.sync_device;
		f->time.sync_host = of->time.sync_host;
	}
	f->time.start = (uint8_t)(c->starts ? ETCORE_START_MEASURED : ETCORE_START_SYNTHETIC);
	*last = (struct alike){ c->facts, of, c->time, !c->starts, f };
	return f;
}

enum etc_status etc_sites_expanded(struct etc_sites *sites, struct etc_arena *arena,
                                   struct etc_error *err)
{
	struct alike last = { 0 };

	for (uint32_t k = 0; k < sites->expanded_count; k++) {
		const struct etc_expanded *e = &sites->expanded[k];
		struct etc_site *s = &sites->v[e->site];
		struct etc_reading as = *sites->v[e->of].reading;
		struct etc_said *said = etc_sites_say(sites, s);
		bool ok = said != NULL;

		if (ok) {
			said->facts = facts_of(sites, e, &last, arena);
			said->metadata = sites->expanded_columns ? sites->expanded_columns[k]
			                                         : e->child->metadata;
			said->mapped = etc_site_said(sites, &sites->v[e->of]).mapped;
		}
		if (e->child->time)
			etc_reading_take(sites, e->child->time, &as);
		as.wraps_at = 0;
		as.synthetic = !e->child->starts;
		ok = ok && said->facts && etc_sites_hang(sites, s, e->parent) &&
		     etc_sites_read(sites, s, &as);
		ETC_NEED(ok, err);
	}
	return ETC_OK;
}
