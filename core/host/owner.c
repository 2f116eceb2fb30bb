/* owner.c -- who explains a call: by the backend that it names, else by asking. */
#include "host/internal.h"
#include "host/ruled.h"

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

/* ETCORE_SEES_* of a call: what a plugin must have declared to be asked. */
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

/* A plugin that says nothing sees delegates. */
static bool sees(const struct etc_plugin *p, uint32_t kind)
{
	return p->abi->sees & kind || (p->abi->sees == 0 && kind == ETCORE_SEES_DELEGATE);
}

static bool may_own(const struct etc_plugin *p)
{
	return p->state == ETC_PLUGIN_LOADED && !p->broken && p->abi->role == ETCORE_ROLE_OWNER;
}

bool etc_owner_probes(const struct etc_plugin *p, const struct etcore_call *call)
{
	return may_own(p) && p->abi->probe && call->backend.len == 0 && sees(p, kind_of(call));
}

enum etc_status etc_host_owner(struct etc_host *host, const struct etcore_call *call,
                               struct etc_plugin **owner, struct etc_error *err)
{
	struct etc_str backend = { call->backend.ptr, (size_t)call->backend.len };
	const struct etc_backend_settings *b =
		backend.len ? etc_settings_backend(host->settings, backend) : NULL;
	uint32_t kind = kind_of(call);
	struct etc_plugin *best = NULL, *second = NULL;
	int32_t best_score = 0;

	*owner = NULL;
	if (b && etc_str_eq(b->owner, ETC_STR("none"))) {
		*owner = etc_ruled_of(host, backend);
		return ETC_OK;
	}
	for (uint32_t i = 0; i < host->count + host->ruled_count; i++) {
		bool ruled = i >= host->count;
		struct etc_plugin *p = ruled ? &host->ruled[i - host->count] : &host->plugins[i];
		int32_t score;

		if (!may_own(p))
			continue;
		/* By name, plugins come first. */
		if (ruled && backend.len)
			continue;
		if (b && b->owner.len) {
			if (etc_str_eq(p->name, b->owner))
				*owner = p;
			continue;
		}
		if (!sees(p, kind))
			continue;
		score = backend.len ? (etc_plugin_lists(p, backend) ? 100 : 0) : probe(p, call);
		if (score > best_score) {
			best = p;
			second = NULL;
			best_score = score;
		} else if (score == best_score && score > 0) {
			second = p;
		}
	}
	if (second && backend.len)
		return etc_fail(err, E0605,
		                "plugins '" ETC_STR_FMT "' and '" ETC_STR_FMT "' own " ETC_STR_FMT,
		                ETC_STR_ARG(best->name), ETC_STR_ARG(second->name),
		                ETC_STR_ARG(backend));
	if (second)
		return etc_fail(err, E0605,
		                "plugins '" ETC_STR_FMT "' and '" ETC_STR_FMT
		                "' score %d each, and nothing names the backend",
		                ETC_STR_ARG(best->name), ETC_STR_ARG(second->name),
		                (int)best_score);
	if (!*owner)
		*owner = best;
	if (!*owner && backend.len)
		*owner = etc_ruled_of(host, backend);
	return ETC_OK;
}
