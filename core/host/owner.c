/* owner.c -- finds the owner of a call. If the backend is known, it is the plugin that the
 * configuration names for the backend, else the plugin that lists the backend. If the backend is
 * unknown, it is the plugin with the highest probe score. */
#include "host/contract.h"
#include "host/host.h"
#include "host/internal.h"
#include "host/rules/ini_backend.h"

static int32_t probe(struct etc_plugin *p, const struct etcore_call *call)
{
	struct etc_hook_args a = { .call = call };

	if (!p->abi->probe || !etc_hook_run(p, ETC_HOOK_PROBE, &a))
		return 0;
	if (a.score >= 0 && a.score <= 100)
		return a.score;
	etc_hook_note(p, W0611, ETC_HOOK_PROBE, call, -1, "a score that is not 0 to 100");
	return 0;
}

bool etc_plugin_lists(const struct etc_plugin *p, struct etc_str backend)
{
	for (uint32_t i = 0; p->abi->backends && p->abi->backends[i]; i++)
		if (etc_str_eq(etc_str_of(p->abi->backends[i]), backend))
			return true;
	return false;
}

/* Returns the kind of a call, one of ETCORE_SEES_*. Only plugins whose descriptor has this kind in
 * its field `sees` are called. */
static uint32_t kind_of(const struct etcore_call *call)
{
	struct etc_str name = { 0 };

	if (call->backend.len || call->count == 0)
		return ETCORE_SEES_DELEGATE;
	for (uint32_t i = 0; i < call->count; i++)
		if (call->events[i]->flags & (ETCORE_EVENT_DELEGATE | ETCORE_EVENT_DELEGATE_CALL))
			return ETCORE_SEES_DELEGATE;
	name = (struct etc_str){ call->events[0]->name.ptr, (size_t)call->events[0]->name.len };
	return etc_str_starts(name, ETC_STR("native_call_")) ||
	                       etc_str_eq(name, ETC_STR("OPERATOR_CALL"))
	               ? ETCORE_SEES_OPERATOR
	               : ETCORE_SEES_FRAMEWORK;
}

bool etc_host_sees(const struct etc_host *host, uint32_t kind)
{
	for (uint32_t i = 0; i < host->count; i++) {
		const struct etc_plugin *p = &host->plugins[i];

		if (p->state == ETC_PLUGIN_LOADED && !p->broken &&
		    p->abi->role == ETCORE_ROLE_OWNER && p->abi->sees & kind)
			return true;
	}
	return false;
}

static bool sees(const struct etc_plugin *p, uint32_t kind)
{
	return etc_contract_sees(p->abi) & kind;
}

static bool may_own(const struct etc_plugin *p)
{
	return p->state == ETC_PLUGIN_LOADED && !p->broken && p->abi->role == ETCORE_ROLE_OWNER;
}

/* Returns the backend that is assumed if the plugin owns a call whose backend is unknown. This is
 * the first backend that the plugin lists. */
static struct etc_str first_backend(const struct etc_plugin *p)
{
	return p->abi->backends ? etc_str_of(p->abi->backends[0]) : ETC_STR_NONE;
}

static bool is_none(const struct etc_backend_settings *b)
{
	return b && etc_str_eq(b->owner, ETC_STR("none"));
}

/* Does an `owner =` reserve the backend for another plugin, or for no plugin? */
static bool gives_away(const struct etc_backend_settings *b, const struct etc_plugin *p)
{
	return b && b->owner.len && !etc_str_eq(b->owner, p->name);
}

const struct etc_backend_settings *etc_owner_appointing(const struct etc_plugin *p)
{
	const struct etc_settings *s = p->host->settings;

	for (uint32_t i = 0; i < s->backend_count; i++)
		if (etc_str_eq(s->backends[i].owner, p->name))
			return &s->backends[i];
	return NULL;
}

const struct etc_backend_settings *etc_owner_bar(const struct etc_plugin *p,
                                                 const struct etcore_call *call)
{
	const struct etc_backend_settings *b = etc_host_section(p->host, p, call);

	if (!gives_away(b, p) || (call->backend.len == 0 && etc_owner_appointing(p)))
		return NULL;
	return b;
}

bool etc_host_lets_own(const struct etc_plugin *p, const struct etcore_call *call)
{
	return !etc_owner_bar(p, call);
}

bool etc_owner_probes(const struct etc_plugin *p, const struct etcore_call *call)
{
	return may_own(p) && p->abi->probe && call->backend.len == 0 && sees(p, kind_of(call)) &&
	       !etc_owner_bar(p, call);
}

/* ---- the highest probe score ----------------------------------------------------------- */

struct contest {
	/* `second`: another plugin with the same score as `best`; NULL: there is none */
	struct etc_plugin *best, *second;
	int32_t score;
};

/* Compares a plugin and its probe score with the best plugin so far. If scores are equal, a plugin
 * named by --plugin is preferred. */
static void enter(struct contest *c, struct etc_plugin *p, int32_t score)
{
	if (score <= 0 || score < c->score ||
	    (score == c->score && c->best->by_option && !p->by_option))
		return;
	if (score == c->score && c->best->by_option == p->by_option)
		c->second = p;
	else
		*c = (struct contest){ .best = p, .score = score };
}

static enum etc_status settle(const struct contest *c, struct etc_str backend,
                              struct etc_error *err)
{
	if (!c->second)
		return ETC_OK;
	if (backend.len)
		return etc_fail(err, E0605,
		                "plugins '" ETC_STR_FMT "' and '" ETC_STR_FMT "' own " ETC_STR_FMT,
		                ETC_STR_ARG(c->best->name), ETC_STR_ARG(c->second->name),
		                ETC_STR_ARG(backend));
	return etc_fail(err, E0605,
	                "plugins '" ETC_STR_FMT "' and '" ETC_STR_FMT
	                "' score %d each, and nothing names the backend",
	                ETC_STR_ARG(c->best->name), ETC_STR_ARG(c->second->name), (int)c->score);
}

enum etc_status etc_host_recognise(struct etc_host *host, struct etcore_call *call,
                                   struct etc_error *err)
{
	struct contest c = { 0 };

	if (call->backend.len || kind_of(call) != ETCORE_SEES_DELEGATE)
		return ETC_OK;
	for (uint32_t i = 0; i < host->ruled_count; i++)
		enter(&c, &host->ruled[i], probe(&host->ruled[i], call));
	ETC_TRY(settle(&c, ETC_STR_NONE, err));
	if (c.best)
		call->backend = etc_ruled_backend(c.best);
	return ETC_OK;
}

/* Finds the owner of a call whose backend is known. If the backend's section has `owner = P`,
 * only plugin P can be the owner, even if P is not loaded; with `owner = none`, no plugin can.
 * Without `owner =`, the owner is the plugin that lists the backend and accepts calls of this
 * `kind`; if no plugin does, the owner is the plugin made from the section's rules. `*owner` is
 * NULL if there is no owner. */
static enum etc_status by_name(struct etc_host *host, struct etc_str backend, uint32_t kind,
                               struct etc_plugin **owner, struct etc_error *err)
{
	const struct etc_backend_settings *b = etc_settings_backend(host->settings, backend);
	struct contest c = { 0 };

	for (uint32_t i = 0; i < host->count && !is_none(b); i++) {
		struct etc_plugin *p = &host->plugins[i];

		if (!may_own(p))
			continue;
		if (b && b->owner.len)
			enter(&c, p, etc_str_eq(p->name, b->owner) ? 100 : 0);
		else if (sees(p, kind))
			enter(&c, p, etc_plugin_lists(p, backend) ? 100 : 0);
	}
	ETC_TRY(settle(&c, backend, err));
	*owner = c.best ? c.best : etc_ruled_of(host, backend);
	return ETC_OK;
}

/* ---- backend named by files, contradicted by events ------------------------------------- */

enum {
	/* if the probe of another plugin returns at least this score, the backend that the files
	 * name is rejected */
	SURE = 50,
	/* after this number of calls that neither the plugin nor another one recognised, the plugin
	 * counts as their owner, as the files say */
	TRIES = 16
};

/* Returns the plugin, other than `p`, whose probe returns the highest score for the call's events,
 * if this score is at least SURE; else NULL. */
static struct etc_plugin *other_owner(struct etc_host *host, const struct etc_plugin *p,
                                      const struct etcore_call *call, int32_t *score)
{
	struct contest c = { 0 };

	for (uint32_t i = 0; i < host->count; i++)
		if (&host->plugins[i] != p && etc_owner_probes(&host->plugins[i], call))
			enter(&c, &host->plugins[i], probe(&host->plugins[i], call));
	*score = c.score;
	return c.score >= SURE ? c.best : NULL;
}

static bool has_delegate_events(const struct etcore_call *call)
{
	for (uint32_t i = 0; i < call->count; i++)
		if (call->events[i]->flags & ETCORE_EVENT_DELEGATE)
			return true;
	return false;
}

static void judge_files(struct etc_plugin *p, const struct etcore_call *named,
                        const struct etcore_call *call)
{
	struct etc_plugin *ruled = etc_ruled_of(p->host, etc_plugin_text(named->backend)), *other;
	int32_t score;

	if (probe(p, call) > 0 || (ruled && probe(ruled, call) > 0) || ++p->doubts == TRIES) {
		p->belief = ETC_BELIEF_FILES;
		return;
	}
	other = other_owner(p->host, p, call, &score);
	if (!other)
		return;
	if (etc_plugin_lists(other, etc_plugin_text(named->backend))) {
		/* the other plugin lists this backend, too, so the events do not contradict the
		 * files that name it */
		p->belief = ETC_BELIEF_FILES;
		return;
	}
	p->belief = ETC_BELIEF_EVENTS;
	etc_note_each(p->host->notes, W0636,
	              "the delegate of instruction %lld is said to be of " ETC_STR_FMT
	              ", but plugin '" ETC_STR_FMT
	              "' knows its events (%d of 100), and '" ETC_STR_FMT "' does not",
	              (long long)call->events[0]->instruction_id,
	              ETC_STR_ARG(etc_plugin_text(named->backend)), ETC_STR_ARG(other->name),
	              (int)score, ETC_STR_ARG(p->name));
}

/* Returns the plugin that lists the call's backend and has a probe. NULL: there is none, or an
 * `owner =` decides which plugin owns the call. */
static struct etc_plugin *lister(struct etc_host *host, const struct etcore_call *call)
{
	struct etc_str backend = etc_plugin_text(call->backend);
	const struct etc_backend_settings *b = etc_settings_backend(host->settings, backend);

	if (b && b->owner.len)
		return NULL;
	for (uint32_t i = 0; i < host->count; i++) {
		struct etc_plugin *p = &host->plugins[i];

		if (may_own(p) && etc_plugin_lists(p, backend))
			return p->abi->probe && sees(p, ETCORE_SEES_DELEGATE) ? p : NULL;
	}
	return NULL;
}

enum etc_status etc_host_doubt(struct etc_host *host, struct etcore_call *call,
                               struct etc_arena *scratch, struct etc_error *err)
{
	struct etc_plugin *p = call->backend.len ? lister(host, call) : NULL;
	struct etcore_call *unnamed;

	if (!p || p->belief == ETC_BELIEF_FILES || !has_delegate_events(call))
		return ETC_OK;
	if (p->belief == ETC_BELIEF_UNKNOWN) {
		unnamed = etc_new(scratch, struct etcore_call, 1);
		ETC_NEED(unnamed, err);
		*unnamed = *call;
		unnamed->backend = (struct etcore_text){ 0 };
		judge_files(p, call, unnamed);
	}
	if (p->belief == ETC_BELIEF_EVENTS)
		call->backend = (struct etcore_text){ 0 };
	return ETC_OK;
}

/* Finds the plugin with the highest probe score. Plugins that an `owner =` names are tried first,
 * then the others. If the plugin found is named by an `owner =`, the call's backend is set to that
 * of the section with this `owner =`, but only in two cases: the plugin lists no backend, or
 * another `owner =` gives the first backend in its list to another plugin. */
static enum etc_status by_probe(struct etc_host *host, struct etcore_call *call,
                                struct etc_plugin **owner, struct etc_error *err)
{
	const struct etc_backend_settings *b;

	for (int others = 0; others < 2 && !*owner; others++) {
		struct contest c = { 0 };

		for (uint32_t i = 0; i < host->count; i++) {
			struct etc_plugin *p = &host->plugins[i];

			if (etc_owner_probes(p, call) && !etc_owner_appointing(p) == (bool)others)
				enter(&c, p, probe(p, call));
		}
		ETC_TRY(settle(&c, ETC_STR_NONE, err));
		*owner = c.best;
	}
	b = *owner ? etc_owner_appointing(*owner) : NULL;
	if (b && (first_backend(*owner).len == 0 ||
	          gives_away(etc_host_section(host, *owner, call), *owner)))
		call->backend = (struct etcore_text){ b->id.ptr, b->id.len };
	return ETC_OK;
}

/* Marks the owner of a call, and the plugin made from the rules of the call's backend, so that
 * tables list the columns of both. */
static void mark_owner(struct etc_plugin *owner, const struct etcore_call *call)
{
	struct etc_plugin *beside = etc_ruled_beside(owner, call);

	if (owner)
		owner->owns = true;
	if (beside)
		beside->owns = true;
}

enum etc_status etc_host_owner(struct etc_host *host, struct etcore_call *call,
                               struct etc_plugin **owner, struct etc_error *err)
{
	uint32_t kind = kind_of(call);

	*owner = NULL;
	if (call->backend.len)
		ETC_TRY(by_name(host, etc_plugin_text(call->backend), kind, owner, err));
	else
		ETC_TRY(by_probe(host, call, owner, err));
	if (kind == ETCORE_SEES_DELEGATE)
		etc_unasked_call(host, call, *owner);
	if (*owner)
		(*owner)->asked = true;
	mark_owner(*owner, call);
	return ETC_OK;
}

/* ---- columns -------------------------------------------------------------------------- */

void etc_host_meet(struct etc_host *host, struct etc_str backend)
{
	struct etcore_call call = { .size = sizeof call, .backend = { backend.ptr, backend.len } };
	struct etc_plugin *owner = NULL;
	/* the error that two plugins list the backend; etc_host_owner() reports it for a call */
	struct etc_error ignored;

	if (backend.len && by_name(host, backend, ETCORE_SEES_DELEGATE, &owner, &ignored) == ETC_OK)
		mark_owner(owner, &call);
}

static struct etc_declared declared_by(const struct etc_plugin *p, const struct etcore_column *c)
{
	return (struct etc_declared){
		.name = etc_str_of(c->name),
		.by = p->name,
		.type = (uint8_t)c->type,
		.rollup = (uint8_t)etc_column_rollup(c),
		.owned = p->owns,
		.unit = c->unit,
		.help = c->help,
	};
}

/* Called for the second declaration (`other`) of a column: gives the column (`to`) a type and a
 * roll-up that fit both declarations. */
static void agree(struct etc_declared *to, const struct etc_declared *other)
{
	bool numbers = (to->type == ETC_TYPE_I64 || to->type == ETC_TYPE_F64) &&
	               (other->type == ETC_TYPE_I64 || other->type == ETC_TYPE_F64);
	bool list = to->rollup == ETC_ROLLUP_SET;

	if (!to->owned || !other->owned || (to->type == other->type && to->rollup == other->rollup))
		return;
	to->type = numbers ? ETC_TYPE_F64 : to->type == other->type ? to->type : ETC_TYPE_JSON;
	if (list != (other->rollup == ETC_ROLLUP_SET)) {
		to->type = ETC_TYPE_JSON;
		to->rollup = ETC_ROLLUP_NONE;
	}
}

static void add_declared(const struct etc_plugin *p, struct etc_declared *all, uint32_t *count)
{
	for (uint32_t i = 0; p->abi->columns && p->abi->columns[i]; i++) {
		struct etc_declared d = declared_by(p, p->abi->columns[i]);
		uint32_t k = 0;

		while (k < *count && !etc_str_eq(all[k].name, d.name))
			k++;
		if (k == *count)
			all[(*count)++] = d;
		else
			agree(&all[k], &d);
	}
}

static bool may_declare(const struct etc_plugin *p)
{
	return p->state == ETC_PLUGIN_LOADED && p->abi->role == ETCORE_ROLE_OWNER;
}

/* Lists the columns of the plugins that own calls (if `owns` is true), or of all other plugins. */
static void list_declared(const struct etc_host *host, bool owns, struct etc_declared *all,
                          uint32_t *count)
{
	for (uint32_t i = 0; i < host->count; i++)
		if (may_declare(&host->plugins[i]) && host->plugins[i].owns == owns)
			add_declared(&host->plugins[i], all, count);
	for (uint32_t i = 0; i < host->ruled_count; i++)
		if (host->ruled[i].owns == owns)
			add_declared(&host->ruled[i], all, count);
}

static uint32_t columns_of(const struct etc_plugin *p)
{
	uint32_t n = 0;

	while (p->abi && p->abi->columns && p->abi->columns[n])
		n++;
	return n;
}

enum etc_status etc_host_declared(const struct etc_host *host, struct etc_arena *arena,
                                  const struct etc_declared **out, uint32_t *count,
                                  struct etc_error *err)
{
	struct etc_declared *all;
	uint32_t room = 0;

	for (uint32_t i = 0; i < host->count; i++)
		room += columns_of(&host->plugins[i]);
	for (uint32_t i = 0; i < host->ruled_count; i++)
		room += columns_of(&host->ruled[i]);
	*count = 0;
	*out = all = etc_new(arena, struct etc_declared, room);
	ETC_NEED(all, err);
	list_declared(host, true, all, count);
	list_declared(host, false, all, count);
	return ETC_OK;
}
