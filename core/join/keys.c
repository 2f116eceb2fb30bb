/* keys.c -- see keys.h */
#include "join/keys.h"

#include "base/text.h"
#include "join/outside.h"

/* Returns the name of one site's row; {NULL, 0}: out of memory. */
typedef struct etc_str key_fn(struct etc_sites *sites, uint32_t i, struct etc_arena *arena);

/* Key: the name of the event. It is "" for an event without a name, which a damaged file may
 * have. */
static struct etc_str by_op(struct etc_sites *sites, uint32_t i, struct etc_arena *arena)
{
	const struct etc_site *s = &sites->v[i];
	struct etc_str name = etc_site_name(sites, i, arena);

	return name.ptr || s->delegate || etc_event_name(etc_site_event(sites, s)).ptr
	               ? name
	               : ETC_STR("");
}

static struct etc_str by_kernel(struct etc_sites *sites, uint32_t i, struct etc_arena *arena)
{
	const struct etc_facts *f = etc_site_said(sites, &sites->v[i]).facts;

	return f && f->kernel.len ? f->kernel : by_op(sites, i, arena);
}

static struct etc_str by_module(struct etc_sites *sites, uint32_t i, struct etc_arena *arena)
{
	(void)arena;
	return sites->place[i]->module->name;
}

static struct etc_str by_source(struct etc_sites *sites, uint32_t i, struct etc_arena *arena)
{
	(void)arena;
	return sites->place[i]->source->name;
}

static struct etc_str by_category(struct etc_sites *sites, uint32_t i, struct etc_arena *arena)
{
	const struct etc_site *s = &sites->v[i];
	struct etc_str category = etc_sites_category(sites, i);

	(void)arena;
	if (category.len)
		return category;
	if (s->delegate)
		return ETC_STR("uncategorized delegate events");
	if (s->delegate_call)
		return ETC_STR("delegate calls without events");
	return s->native ? ETC_STR("uncategorized kernels") : ETC_STR("runtime");
}

static struct etc_str by_backend(struct etc_sites *sites, uint32_t i, struct etc_arena *arena)
{
	const struct etc_site *s = &sites->v[i];

	(void)arena;
	if (s->reading->backend.len)
		return s->reading->backend;
	if (s->delegate || s->delegate_call)
		return ETC_STR("unknown backend");
	return s->native ? ETC_STR("portable kernels") : ETC_STR("runtime");
}

/* Key: each DELEGATE_CALL is a row, and the events inside it are hidden. All kernels outside
 * delegates are one row, and all other events are one row. */
static struct etc_str by_delegate(struct etc_sites *sites, uint32_t i, struct etc_arena *arena)
{
	struct etc_site *s = &sites->v[i];
	const struct etc_event *e = etc_site_event(sites, s);
	struct etc_reading as = *s->reading;

	if (s->call != ETC_NO_SITE && sites->v[s->call].delegate_call) {
		s->hidden = true;
		as.why = ETC_DETACH_BELOW;
		as.resolution = 0;
		if (!etc_sites_read(sites, s, &as))
			return ETC_STR_NONE;
	}
	if (!s->delegate_call)
		return s->native ? ETC_STR("portable kernels") : ETC_STR("runtime");
	if ((int64_t)e->chain > 0)
		return etc_arena_printf(arena, "delegate at instruction %d of chain %lld",
		                        (int)e->instruction_id, (long long)e->chain);
	return etc_arena_printf(arena, "delegate at instruction %d", (int)e->instruction_id);
}

/* Returns the event's names: one per key of --by that names events. NULL: out of memory. */
static struct etc_row_event *all_keys(struct etc_sites *sites, uint32_t i, struct etc_arena *arena)
{
	static key_fn *const keys[ETC_EVENT_KEYS] = {
#define ETC_EVENT_KEY(id, word, title, detail, offered, places, stored, function) \
	[ETC_BY_##id] = function,
#include "model/keys.def"
	};
	struct etc_row_event *e = etc_new(arena, struct etc_row_event, 1);

	if (!e)
		return NULL;
	e->event = etc_site_event(sites, &sites->v[i]);
	e->place = etc_sites_place_of(sites, i);
	for (uint8_t by = 0; by < ETC_EVENT_KEYS; by++) {
		if (etc_row_key(by)->places && !e->place)
			continue;
		e->key[by] = keys[by](sites, i, arena);
		if (!e->key[by].ptr)
			return NULL;
	}
	return e;
}

/* Returns the name with the number of its instruction in front, "3: mean.out". If the chain is not
 * the first, the number of the chain is in front of that: "1.3: mean.out". */
static struct etc_str numbered(const struct etc_event *e, struct etc_str name,
                               struct etc_arena *arena)
{
	if ((int64_t)e->chain > 0)
		return etc_arena_printf(arena, "%lld.%d: " ETC_STR_FMT, (long long)e->chain,
		                        (int)e->instruction_id, ETC_STR_ARG(name));
	return etc_arena_printf(arena, "%d: " ETC_STR_FMT, (int)e->instruction_id,
	                        ETC_STR_ARG(name));
}

/* Key: each OPERATOR_CALL is a row, named by its instruction and kernel, "3: mean.out". All
 * delegates are one row. Events inside an instruction are hidden. A kernel outside of instructions
 * is in the row of its operator, and all other events are one row. */
static struct etc_str by_fallback(struct etc_sites *sites, uint32_t i, struct etc_arena *arena)
{
	struct etc_site *s = &sites->v[i];
	const struct etc_event *e = etc_site_event(sites, s);
	uint32_t kernel = sites->kernel[i];
	struct etc_row_event *all = all_keys(sites, i, arena);
	struct etc_reading as = *s->reading;
	struct etc_str name;

	if (!all)
		return ETC_STR_NONE;
	sites->keys[i] = all;
	if (s->call != ETC_NO_SITE) {
		s->hidden = true;
		as.why = ETC_DETACH_BELOW;
		as.resolution = 0;
		if (!etc_sites_read(sites, s, &as))
			return ETC_STR_NONE;
	}
	all->delegated = s->delegate || s->delegate_call;
	if (all->delegated)
		return ETC_STR("in delegates");
	if (e->word != ETC_WORD_OPERATOR_CALL || !s->instruction)
		return s->native ? all->key[ETC_BY_OP] : ETC_STR("runtime");
	name = kernel == ETC_NO_SITE ? all->key[ETC_BY_OP] : etc_site_name(sites, kernel, arena);
	all->outside =
		etc_outside_make(sites, i, kernel == ETC_NO_SITE ? ETC_STR_NONE : name, arena);
	return all->outside ? numbered(e, name, arena) : ETC_STR_NONE;
}

/* Sets sites->kernel: for each OPERATOR_CALL, the site of the first kernel inside of it. False: out
 * of memory. */
static bool find_kernels(struct etc_sites *sites)
{
	sites->kernel = etc_new(sites->arena, uint32_t, sites->count);
	for (uint32_t i = 0; i < sites->count && sites->kernel; i++)
		sites->kernel[i] = ETC_NO_SITE;
	for (uint32_t i = sites->count; i-- > 0 && sites->kernel;)
		if (sites->v[i].native && !sites->v[i].delegate && sites->v[i].call != ETC_NO_SITE)
			sites->kernel[sites->v[i].call] = i;
	return sites->kernel != NULL;
}

/* Key: each event is a row, such as "3: Fully Connected (NC, F32) GEMM #2". Before the event's name
 * comes its instruction, "3", or, if the chain is not the first, chain and instruction, "1.3". An
 * event with a number as delegate id has this number after its name, "[17]". An event outside of
 * instructions has just its name. */
static struct etc_str by_event(struct etc_sites *sites, uint32_t i, struct etc_arena *arena)
{
	const struct etc_site *s = &sites->v[i];
	const struct etc_event *e = etc_site_event(sites, s);
	const struct etc_row_event *all = all_keys(sites, i, arena);
	struct etc_text text = { 0 };
	struct etc_str name;

	if (!all)
		return ETC_STR_NONE;
	sites->keys[i] = all;
	name = s->delegate && e->has_delegate_name ? etc_event_delegate_name(e)
	                                           : all->key[ETC_BY_OP];
	if ((int64_t)e->chain > 0) {
		etc_text_i64(&text, (int64_t)e->chain);
		etc_text_char(&text, '.');
	}
	if ((int64_t)e->chain >= 0) {
		etc_text_i64(&text, (int)e->instruction_id);
		etc_text_cstr(&text, ": ");
	}
	etc_text_put(&text, name);
	if (s->delegate && !e->has_delegate_name) {
		etc_text_cstr(&text, " [");
		etc_text_i64(&text, (int)e->delegate_id);
		etc_text_char(&text, ']');
	}
	return etc_text_keep(&text, arena);
}

static key_fn *const keys[ETC_BY_COUNT] = {
#define ETC_KEY(id, word, title, detail, offered, places, function) [ETC_BY_##id] = function,
#include "model/keys.def"
};

struct etc_str etc_sites_category(const struct etc_sites *sites, uint32_t site)
{
	const struct etc_site *s = &sites->v[site];
	const struct etc_facts *f = etc_site_said(sites, s).facts;

	if (sites->category)
		return sites->category[site];
	if (f && f->category.len)
		return f->category;
	if (!s->native || s->delegate)
		return ETC_STR_NONE;
	return etc_kernel_category(etc_site_name(sites, site, sites->arena));
}

/* Stores the category of each site. Called before rows are named by another key, because categories
 * depend on the names of operators. */
static bool keep_categories(struct etc_sites *sites)
{
	struct etc_str *category = etc_new(sites->arena, struct etc_str, sites->count);

	for (uint32_t i = 0; i < sites->count && category; i++)
		category[i] = etc_sites_category(sites, i);
	sites->category = category;
	return category != NULL;
}

enum etc_status etc_sites_key(struct etc_sites *sites, uint8_t by, struct etc_arena *arena,
                              struct etc_error *err)
{
	struct etc_str *name;
	bool of_events = by == ETC_BY_EVENT || by == ETC_BY_FALLBACK;

	sites->by = by;
	if (by == ETC_BY_OP || !keys[by])
		return ETC_OK;
	name = etc_new(sites->arena, struct etc_str, sites->count);
	if (of_events)
		sites->keys = etc_new(sites->arena, const struct etc_row_event *, sites->count);
	if (!name || !keep_categories(sites) || (of_events && !sites->keys) ||
	    (by == ETC_BY_FALLBACK && !find_kernels(sites)))
		return etc_no_memory(err);
	for (uint32_t i = 0; i < sites->count; i++) {
		name[i] = keys[by](sites, i, arena);
		ETC_NEED(name[i].ptr, err);
	}
	sites->name = name;
	return ETC_OK;
}
