/* unasked.c -- explains why a loaded plugin was called for no event (N0625). */
#include "host/host.h"
#include "host/internal.h"
#include "host/rules/ini_backend.h"

/* Returns the reason why the plugin that `owner =` names explains no events, as a part of a
 * message. Empty: it can explain events, or the setting is `owner = none`. */
static const char *unfit(const struct etc_host *host, const struct etc_backend_settings *b)
{
	if (etc_str_eq(b->owner, ETC_STR("none")))
		return "";
	for (uint32_t i = 0; i < host->count; i++)
		if (host->plugins[i].state == ETC_PLUGIN_LOADED &&
		    etc_str_eq(host->plugins[i].name, b->owner))
			return host->plugins[i].abi->role == ETCORE_ROLE_OWNER
			               ? ""
			               : ", which is an annotator";
	return ", which is not loaded";
}

/* Returns the setting as text, such as "[backend.AcmeBackend] owner = other". */
static struct etc_str owner_of(const struct etc_host *host, const struct etc_backend_settings *b)
{
	return etc_arena_printf(host->arena, "[backend." ETC_STR_FMT "] owner = " ETC_STR_FMT "%s",
	                        ETC_STR_ARG(b->id), ETC_STR_ARG(b->owner), unfit(host, b));
}

/* Returns the reason for a call whose backend is known: another owner is configured for it, or the
 * plugin does not list it. */
static struct etc_str of_another(const struct etc_plugin *p, const struct etcore_call *call,
                                 struct etc_arena *arena)
{
	struct etc_str backend = etc_plugin_text(call->backend);

	if (etc_owner_bar(p, call) && etc_plugin_lists(p, backend))
		return owner_of(p->host, etc_owner_bar(p, call));
	if (etc_ruled_named(p->host, call))
		return etc_arena_printf(arena,
		                        "[backend." ETC_STR_FMT
		                        "] probe = names the backend, which it does not list",
		                        ETC_STR_ARG(backend));
	return etc_arena_printf(
		arena, "the events are said to be of " ETC_STR_FMT ", which it does not list",
		ETC_STR_ARG(backend));
}

/* Returns the reason for a call whose backend is unknown and whose events the plugin did not
 * recognise. */
static struct etc_str not_recognised(const struct etc_plugin *p, const struct etcore_call *call,
                                     const struct etc_plugin *owner, struct etc_arena *arena)
{
	if (etc_owner_bar(p, call))
		return owner_of(p->host, etc_owner_bar(p, call));
	if (!p->abi->probe)
		return ETC_STR("nothing names the backend, and it has no probe hook");
	if (owner && etc_owner_appointing(owner))
		return owner_of(p->host, etc_owner_appointing(owner));
	if (owner)
		return etc_arena_printf(arena,
		                        "nothing names the backend, and '" ETC_STR_FMT
		                        "' is surer that it owns the events",
		                        ETC_STR_ARG(owner->name));
	return ETC_STR("nothing names the backend, and its probe does not know the events");
}

/* Should the plugin be reported? Always for a plugin that was requested by name; for others only if
 * some events have no owner. */
static bool is_of_interest(const struct etc_plugin *p, const struct etcore_call *call,
                           const struct etc_plugin *owner)
{
	const struct etc_backend_settings *bar = etc_owner_bar(p, call);

	if (p->by_option)
		return true;
	if (etc_str_eq(p->origin, ETC_STR("installed")))
		return false;
	if (bar)
		return !owner && unfit(p->host, bar)[0] != '\0';
	if (call->backend.len)
		return (!owner || owner == etc_ruled_of(p->host, etc_plugin_text(call->backend))) &&
		       etc_ruled_named(p->host, call);
	return !owner && !p->abi->probe;
}

void etc_unasked_call(struct etc_host *host, const struct etcore_call *call,
                      const struct etc_plugin *owner)
{
	host->met_delegates = true;
	for (uint32_t i = 0; i < host->count; i++) {
		struct etc_plugin *p = &host->plugins[i];

		if (p == owner || p->asked || p->passed_over.len || p->state != ETC_PLUGIN_LOADED ||
		    p->abi->role != ETCORE_ROLE_OWNER || !is_of_interest(p, call, owner))
			continue;
		p->passed_over = call->backend.len ? of_another(p, call, host->arena)
		                                   : not_recognised(p, call, owner, host->arena);
	}
}

void etc_host_note_unasked(struct etc_host *host)
{
	struct etc_str file = host->notes ? host->notes->file : ETC_STR_NONE;

	if (!host->met_delegates || !host->notes)
		return;
	host->notes->file = ETC_STR_NONE;
	for (uint32_t i = 0; i < host->count; i++) {
		const struct etc_plugin *p = &host->plugins[i];
		struct etc_str why = p->passed_over;

		if (p->state != ETC_PLUGIN_LOADED || p->asked || p->broken ||
		    (why.len == 0 && !p->by_option))
			continue;
		if (why.len == 0)
			why = p->abi->role == ETCORE_ROLE_OWNER
			              ? ETC_STR("there are no events of a kind that it sees")
			              : ETC_STR("no plugin explains events of a backend that it "
			                        "lists");
		etc_note_each(host->notes, N0625, "plugin '" ETC_STR_FMT "': " ETC_STR_FMT,
		              ETC_STR_ARG(p->name), ETC_STR_ARG(why));
	}
	host->notes->file = file;
}
