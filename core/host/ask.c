/* ask.c -- calls hooks for many delegate calls at once: finds the owner of each call, calls the
 * owner's hooks, and then those of the annotators. */
#include "host/expand.h"
#include "host/host.h"
#include "host/isolated/remote.h"
#include "host/rules/ini_backend.h"

/* A delegate call that is being processed, and its facts so far. */
struct asking {
	struct etc_asked *c;
	struct etc_facts *facts; /* facts of each event of the call; NULL: the call has no owner */
};

static enum etc_status own(struct asking *a, struct etc_arena *scratch, struct etc_error *err)
{
	struct etc_asked *c = a->c;
	uint32_t n = c->call->count;
	struct etc_time_facts *times = etc_new(scratch, struct etc_time_facts, n);

	a->facts = etc_new(scratch, struct etc_facts, n);
	ETC_NEED(times && a->facts, err);
	ETC_TRY(etc_host_describe_time(c->owner, c->call, times, &c->described, err));
	ETC_TRY(etc_ruled_times_add(c->owner, c->call, times, &c->described, err));
	ETC_TRY(etc_explain_own(c->owner, c->call, a->facts, err));
	ETC_TRY(etc_ruled_facts_add(c->owner, c->call, a->facts, err));
	for (uint32_t i = 0; i < n; i++)
		a->facts[i].time = times[i];
	return ETC_OK;
}

/* Calls expand_event for the requested events. Called after describe_time, because the clock of a
 * child depends on how describe_time describes the event. */
static enum etc_status expand(struct etc_asked *c, struct etc_arena *scratch, struct etc_error *err)
{
	uint32_t n = c->call->count;
	struct etc_time_facts *times = etc_new(scratch, struct etc_time_facts, n);
	bool described;

	c->children = etc_new(scratch, struct etc_children, n);
	ETC_NEED(times && c->children, err);
	ETC_TRY(etc_host_describe_time(c->owner, c->call, times, &described, err));
	ETC_TRY(etc_ruled_times_add(c->owner, c->call, times, &described, err));
	for (uint32_t i = 0; i < n; i++)
		if (c->expand[i])
			ETC_TRY(etc_host_expand(c->owner, c->call, i, &times[i], c->lists,
			                        &c->children[i], err));
	return ETC_OK;
}

static bool same_children(const struct etc_children *a, const struct etc_children *b)
{
	uint32_t i = 0;

	while (a->count == b->count && i < a->count && a->v[i].parent == b->v[i].parent &&
	       etc_str_eq(a->v[i].name, b->v[i].name))
		i++;
	return a->count == b->count && i == a->count;
}

/* Calls expand_event a second time, now with the samples of the typical runs only, and replaces the
 * columns of the children by those in the second answer. If this answer is invalid, or has other
 * children than the first, the children keep their columns, which were computed from all runs. */
static enum etc_status expand_again(struct etc_asked *c, struct etc_arena *scratch,
                                    struct etc_error *err)
{
	uint32_t n = c->call->count;

	c->children = etc_new(scratch, struct etc_children, n);
	ETC_NEED(c->children, err);
	for (uint32_t i = 0; i < n; i++) {
		struct etc_children *now = &c->children[i];

		if (!c->again[i])
			continue;
		ETC_TRY(etc_host_expand(c->owner, c->call, i, NULL, NULL, now, err));
		if (same_children(now, c->again[i]))
			continue;
		/* `samples` is 0 if the second answer is invalid, which was reported already */
		if (!c->owner->quarantined && now->samples)
			etc_expand_differs(c->owner, c->call, i, c->again[i], now);
		*now = (struct etc_children){ 0 };
	}
	return ETC_OK;
}

static enum etc_status annotate(struct etc_plugin *p, const struct etcore_call *call,
                                struct etc_facts *facts, const struct etc_parsed *parsed,
                                struct etc_error *err)
{
	struct etcore_call annotated;
	struct etc_arena scratch;
	enum etc_status st;

	if (call->count == 0 || !etc_explain_annotates(p, facts))
		return ETC_OK;
	etc_arena_init(&scratch, p->host->arena->budget);
	st = etc_explain_annotated(call, facts, parsed, &scratch, &annotated, err);
	if (st == ETC_OK)
		st = etc_explain_annotate(p, &annotated, facts, err);
	etc_arena_release(&scratch);
	return st;
}

/* ---- isolated plugins: requests sent ahead ----------------------------------------- */

struct ahead {
	struct etc_wire_call *calls;
	uint32_t count;
};

static enum etc_status ahead_init(struct ahead *a, uint32_t room, struct etc_arena *scratch,
                                  struct etc_error *err)
{
	*a = (struct ahead){ .calls = etc_new(scratch, struct etc_wire_call, room) };
	return a->calls ? ETC_OK : etc_no_memory(err);
}

static void ahead_add(struct ahead *a, const struct etcore_call *call, enum etc_hook hook)
{
	a->calls[a->count++] =
		(struct etc_wire_call){ .call = call, .hooks = 1u << hook, .only = -1 };
}

static enum etc_status probe_ahead(struct etc_plugin *p, const struct asking *all, uint32_t count,
                                   struct etc_arena *scratch, struct etc_error *err)
{
	struct ahead a;

	if (!p->remote || p->broken)
		return ETC_OK;
	ETC_TRY(ahead_init(&a, count, scratch, err));
	for (uint32_t i = 0; i < count; i++)
		if (etc_owner_probes(p, all[i].c->call))
			ahead_add(&a, all[i].c->call, ETC_HOOK_PROBE);
	return etc_remote_ahead(p, a.calls, a.count, err);
}

/* Returns the set of hooks of the owner `p` that must be called for this delegate call: a bit 1 <<
 * enum etc_hook for each. */
static uint32_t hooks_of(const struct etc_plugin *p, const struct etc_asked *c)
{
	const struct etcore_plugin *abi = p->abi;

	if (c->expand)
		return !etc_plugin_expands(p)
		               ? 0
		               : 1u << ETC_HOOK_EXPAND |
		                         (abi->describe_time ? 1u << ETC_HOOK_DESCRIBE : 0);
	return (c->again && etc_plugin_expands(p) ? 1u << ETC_HOOK_EXPAND : 0) |
	       (abi->describe_time ? 1u << ETC_HOOK_DESCRIBE : 0) |
	       (abi->name_event ? 1u << ETC_HOOK_NAME : 0) |
	       (abi->classify ? 1u << ETC_HOOK_CLASSIFY : 0) |
	       (c->map && abi->map_event ? 1u << ETC_HOOK_MAP : 0) |
	       (c->parse && abi->parse_metadata ? 1u << ETC_HOOK_PARSE : 0);
}

static enum etc_status own_ahead(struct etc_plugin *p, const struct asking *all, uint32_t count,
                                 struct etc_arena *scratch, struct etc_error *err)
{
	struct ahead a;

	if (!p->remote || p->broken)
		return ETC_OK;
	ETC_TRY(ahead_init(&a, count, scratch, err));
	for (uint32_t i = 0; i < count; i++)
		if (all[i].c->owner == p && hooks_of(p, all[i].c))
			a.calls[a.count++] = (struct etc_wire_call){
				.call = all[i].c->call,
				.hooks = hooks_of(p, all[i].c),
				.only = -1,
				.parse = all[i].c->expand ? all[i].c->expand : all[i].c->parse,
				.unchanged = etc_owner_probes(p, all[i].c->call)
			};
	return etc_remote_ahead(p, a.calls, a.count, err);
}

/* Calls an annotator's classify for all delegate calls: in one message if the annotator is
 * isolated, else one call after the other. */
static enum etc_status annotate_all(struct etc_plugin *p, const struct asking *all, uint32_t count,
                                    struct etc_error *err)
{
	struct etcore_call *annotated;
	struct etc_arena scratch;
	struct ahead a = { 0 };
	enum etc_status st;

	for (uint32_t i = 0; i < count && !p->remote; i++)
		if (all[i].facts)
			ETC_TRY(annotate(p, all[i].c->call, all[i].facts, all[i].c->parsed, err));
	if (!p->remote || p->broken || p->abi->role != ETCORE_ROLE_ANNOTATOR || !p->abi->classify)
		return ETC_OK;
	etc_arena_init(&scratch, p->host->arena->budget);
	annotated = etc_new(&scratch, struct etcore_call, count);
	st = annotated ? ahead_init(&a, count, &scratch, err) : etc_no_memory(err);
	for (uint32_t i = 0; i < count && st == ETC_OK; i++) {
		if (!all[i].facts || !etc_explain_annotates(p, all[i].facts))
			continue;
		st = etc_explain_annotated(all[i].c->call, all[i].facts, all[i].c->parsed, &scratch,
		                           &annotated[i], err);
		ahead_add(&a, &annotated[i], ETC_HOOK_CLASSIFY);
	}
	if (st == ETC_OK)
		st = etc_remote_ahead(p, a.calls, a.count, err);
	for (uint32_t i = 0; i < count && st == ETC_OK; i++)
		if (annotated[i].events)
			st = etc_explain_annotate(p, &annotated[i], all[i].facts, err);
	etc_arena_release(&scratch);
	return st;
}

/* ---- cache of facts ----------------------------------------------------------------- */

static const struct etc_facts **place_of(const struct etc_recent *recent, const struct etc_facts *f)
{
	/* Hash the fields in which facts differ most often. */
	const uint64_t words[] = { (uintptr_t)f->display.ptr,   (uintptr_t)f->library_why.ptr,
		                   (uintptr_t)f->canonical.ptr, (uintptr_t)f->category.ptr,
		                   (uint64_t)f->ordinal,        (uint64_t)f->time.parent };
	uint64_t h = 0;

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		h = (h ^ words[i]) * 0xff51afd7ed558ccdu;
	return recent->facts[(h >> 32) & (recent->fact_sets - 1)].set;
}

static void put_recent(struct etc_recent *recent, const struct etc_facts *f)
{
	const struct etc_facts **at = place_of(recent, f);

	at[1] = at[0];
	at[0] = f;
	recent->facts_put++;
}

/* Adds facts to the cache. If a larger cache cannot be allocated, the cache is emptied; this does
 * not change any result. The failed allocation is recorded, and makes the command fail later. */
static void remember(struct etc_host *host, const struct etc_facts *f)
{
	struct etc_recent *recent = host->recent, old = *recent;

	if (old.facts_put >= old.fact_sets && old.fact_sets < ETC_RECENT_FACTS) {
		uint32_t sets = old.fact_sets ? old.fact_sets * 4 : ETC_RECENT_FIRST;

		sets = sets < ETC_RECENT_FACTS ? sets : ETC_RECENT_FACTS;
		recent->facts = etc_new(host->arena, struct etc_recent_facts, sets);
		recent->fact_sets = recent->facts ? sets : 0;
		recent->facts_put = 0;
		for (uint32_t i = 0; recent->facts && i < 2 * old.fact_sets; i++)
			if (old.facts[i / 2].set[i % 2])
				put_recent(recent, old.facts[i / 2].set[i % 2]);
	}
	if (recent->facts)
		put_recent(recent, f);
}

/* Returns a copy of the facts; if a recent copy is equal, returns that one. The structs are
 * compared byte by byte, with their pointers to texts. This finds nearly all equal facts, because
 * equal texts are usually stored only once. */
const struct etc_facts *etc_facts_keep(struct etc_host *host, const struct etc_facts *f)
{
	const struct etc_facts *const *recent =
		host->recent->facts ? place_of(host->recent, f) : NULL;
	struct etc_facts *copy;

	for (int i = 0; recent && i < 2; i++)
		/* memcmp() also compares padding bytes. If only these differ, equal facts are
		 * copied once more, which costs memory but is not wrong.
		 * NOLINTNEXTLINE(*-suspicious-memory-comparison) */
		if (recent[i] && memcmp(recent[i], f, sizeof *f) == 0)
			return recent[i];
	copy = etc_new(host->arena, struct etc_facts, 1);
	if (!copy)
		return NULL;
	memcpy(copy, f, sizeof *copy);
	remember(host, copy);
	return copy;
}

static enum etc_status keep_all(struct asking *a, struct etc_host *host, struct etc_arena *scratch,
                                struct etc_error *err)
{
	uint32_t n = a->c->call->count;
	const struct etc_facts **kept = etc_new(scratch, const struct etc_facts *, n);

	a->c->facts = kept;
	for (uint32_t i = 0; kept && i < n; i++) {
		kept[i] = etc_facts_keep(host, &a->facts[i]);
		if (!kept[i])
			kept = NULL;
	}
	return kept ? ETC_OK : etc_no_memory(err);
}

static enum etc_status map(struct etc_asked *c, struct etc_arena *arena, struct etc_error *err)
{
	c->mapped = etc_new(arena, struct etc_mapped, c->call->count);
	ETC_NEED(c->mapped, err);
	for (uint32_t i = 0; i < c->call->count; i++)
		ETC_TRY(etc_host_map_event(c->owner, c->call, i, &c->mapped[i], err));
	return ETC_OK;
}

static enum etc_status parse(struct etc_asked *c, struct etc_arena *arena, struct etc_error *err)
{
	if (!ETC_HAS_HOOK(c->owner, parse_metadata) && !etc_ruled_beside(c->owner, c->call))
		return ETC_OK;
	c->parsed = etc_new(arena, struct etc_parsed, c->call->count);
	ETC_NEED(c->parsed, err);
	for (uint32_t i = 0; i < c->call->count; i++)
		if (c->parse[i]) {
			ETC_TRY(etc_host_parse_metadata(c->owner, c->call, i, &c->parsed[i], err));
			ETC_TRY(etc_host_add_columns(c->owner, c->call, i, &c->parsed[i], err));
		}
	return ETC_OK;
}

/* Calls the owners' hooks for all delegate calls. If an owner is quarantined before it has answered
 * for all its calls, its earlier answers are dropped, too, because a result in which only some of
 * its calls are explained would be inconsistent. */
static enum etc_status ask_owners(struct etc_host *host, struct asking *all, uint32_t count,
                                  struct etc_arena *scratch, struct etc_error *err)
{
	for (uint32_t i = 0; i < count; i++) {
		ETC_TRY(etc_host_doubt(host, all[i].c->call, scratch, err));
		ETC_TRY(etc_host_recognise(host, all[i].c->call, err));
	}
	for (uint32_t k = 0; k < host->count; k++)
		ETC_TRY(probe_ahead(&host->plugins[k], all, count, scratch, err));
	for (uint32_t i = 0; i < count; i++)
		ETC_TRY(etc_host_owner(host, all[i].c->call, &all[i].c->owner, err));
	for (uint32_t k = 0; k < host->count; k++)
		ETC_TRY(own_ahead(&host->plugins[k], all, count, scratch, err));
	for (uint32_t i = 0; i < count; i++) {
		struct etc_asked *c = all[i].c;

		if (c->owner && !c->owner->quarantined && !c->expand)
			ETC_TRY(own(&all[i], scratch, err));
		else if (c->owner && !c->owner->quarantined && etc_plugin_expands(c->owner))
			ETC_TRY(expand(c, scratch, err));
	}
	for (uint32_t i = 0; i < count; i++) {
		struct etc_asked *c = all[i].c;

		if (c->owner && c->map && !c->owner->quarantined)
			ETC_TRY(map(c, host->arena, err));
		if (c->parse)
			ETC_TRY(parse(c, host->arena, err));
		if (c->again && c->owner && !c->owner->quarantined && etc_plugin_expands(c->owner))
			ETC_TRY(expand_again(c, scratch, err));
	}
	for (uint32_t i = 0; i < count; i++) {
		struct etc_asked *c = all[i].c;

		if (!c->owner || !c->owner->quarantined)
			continue;
		all[i].facts = NULL;
		c->owner = NULL;
		c->mapped = NULL;
		c->children = NULL;
		if (c->parsed)
			memset(c->parsed, 0, c->call->count * sizeof *c->parsed);
	}
	return ETC_OK;
}

enum etc_status etc_host_ask(struct etc_host *host, struct etc_asked *calls, uint32_t count,
                             struct etc_arena *scratch, struct etc_error *err)
{
	struct asking *all = etc_new(scratch, struct asking, count);

	ETC_NEED(all, err);
	for (uint32_t i = 0; i < count; i++)
		all[i].c = &calls[i];
	ETC_TRY(ask_owners(host, all, count, scratch, err));
	for (uint32_t k = 0; k < host->count; k++)
		ETC_TRY(annotate_all(&host->plugins[k], all, count, err));
	for (uint32_t i = 0; i < count; i++)
		if (all[i].facts)
			ETC_TRY(keep_all(&all[i], host, scratch, err));
	return ETC_OK;
}

enum etc_status etc_host_explain_call(struct etc_host *host, struct etc_plugin *owner,
                                      const struct etcore_call *call, struct etc_facts *out,
                                      struct etc_error *err)
{
	memset(out, 0, call->count * sizeof *out);
	ETC_TRY(etc_explain_own(owner, call, out, err));
	for (uint32_t k = 0; k < host->count; k++)
		ETC_TRY(annotate(&host->plugins[k], call, out, NULL, err));
	return ETC_OK;
}

/* ---- convert_time and parse_metadata for the Inspector ------------------------------ */

static struct etc_wire_call wire_of(const struct etc_expected *e)
{
	const struct etcore_plugin *abi = e->plugin->abi;
	bool convert = e->scales && abi->convert_time, parse = e->parse && abi->parse_metadata;

	return (struct etc_wire_call){
		.call = e->call,
		.hooks =
			(convert ? 1u << ETC_HOOK_CONVERT : 0) | (parse ? 1u << ETC_HOOK_PARSE : 0),
		.only = -1,
		.scales = e->scales,
		.starts = e->starts,
		.ends = e->ends,
		.count = e->count,
	};
}

enum etc_status etc_host_expect(struct etc_host *host, const struct etc_expected *all,
                                uint32_t count, struct etc_arena *scratch, struct etc_error *err)
{
	for (uint32_t k = 0; k < host->count; k++) {
		struct etc_plugin *p = &host->plugins[k];
		struct ahead a;

		if (!p->remote || p->broken)
			continue;
		ETC_TRY(ahead_init(&a, count, scratch, err));
		for (uint32_t i = 0; i < count; i++) {
			if (!all[i].plugin && etc_owner_probes(p, all[i].call))
				ahead_add(&a, all[i].call, ETC_HOOK_PROBE);
			if (all[i].plugin == p && wire_of(&all[i]).hooks)
				a.calls[a.count++] = wire_of(&all[i]);
		}
		ETC_TRY(etc_remote_ahead(p, a.calls, a.count, err));
	}
	return ETC_OK;
}
