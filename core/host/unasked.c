/* unasked.c -- explains why a loaded plugin was called for no event (N0625), and reports sections
 * [backend.ID] that apply to no event (W0555). */
#include <stdio.h>

#include "base/nearest.h"
#include "host/host.h"
#include "host/internal.h"
#include "host/rules/ini_backend.h"
#include "host/rules/ini_rules.h"

/* Returns, as a part of a message, the reason why the plugin that the section's `owner =` names
 * cannot own a call. "": it can, or the setting is `owner = none`. */
static const char *unfit(const struct etc_host *host, const struct etc_backend_settings *b)
{
	if (etc_str_eq(b->owner, ETC_STR("none")))
		return "";
	for (uint32_t i = 0; i < host->count; i++)
		if (host->plugins[i].state == ETC_PLUGIN_LOADED &&
		    etc_str_eq(host->plugins[i].name, b->owner))
			return "";
	return ", which is not loaded";
}

/* Returns the setting as text, such as "[backend.AcmeBackend] owner = other". */
static struct etc_str owner_of(const struct etc_host *host, const struct etc_backend_settings *b)
{
	return etc_arena_printf(host->arena, "[backend." ETC_STR_FMT "] owner = " ETC_STR_FMT "%s",
	                        ETC_STR_ARG(b->id), ETC_STR_ARG(b->owner), unfit(host, b));
}

/* Returns why the plugin does not own a call whose backend is known: another owner is configured
 * for the backend, or the plugin does not list it. */
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

/* Returns why plugin `p` does not own a call whose backend is unknown. `owner`: the owner of the
 * call; NULL: it has none. */
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

/* Is it reported that the plugin does not own this call? For a plugin of --plugin, always; for
 * an installed plugin, never. For any other plugin, only if no plugin owns the call (a plugin
 * made from rules does not count), and if the reason is one of these: the plugin that `owner =`
 * names cannot own a call; the backend is only known from the rules' `probe =` (then the plugin
 * perhaps does not list it); or the backend is unknown, and the plugin has no probe. */
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

void etc_host_met(struct etc_host *host, const struct etcore_call *call,
                  const struct etc_plugin *owner)
{
	const struct etc_backend_settings *b = etc_host_section(host, owner, call);
	struct etc_str backend = etc_plugin_text(call->backend);
	uint32_t i = 0;

	host->met_calls = true;
	if (b)
		host->met_sections[b - host->settings->backends] = true;
	while (i < host->backend_count && !etc_str_eq(host->backends[i], backend))
		i++;
	if (backend.len == 0 || i < host->backend_count ||
	    i == sizeof host->backends / sizeof host->backends[0])
		return;
	host->backends[i] = etc_arena_str(host->arena, backend);
	host->backend_count += host->backends[i].ptr != NULL;
}

static bool has_probe(const struct etc_backend_settings *b)
{
	uint32_t i = 0;

	while (i < b->rule_count && b->rules[i].kind != ETC_RULE_PROBE)
		i++;
	return i < b->rule_count;
}

/* Is the section's id probably a mistyped name of a backend of the delegate calls? */
static bool is_mistyped(const struct etc_host *host, const struct etc_backend_settings *b)
{
	return etc_nearest(b->id, host->backends, host->backend_count).len > 0;
}

/* Reports sections that were given for this command, but apply to no delegate call. The file of
 * --config may have sections for several models; so if one of its sections applies, only those with
 * mistyped ids are reported. Sections of files that every command reads may be for other dumps, so
 * they are not reported. */
static void note_sections(struct etc_host *host)
{
	char known[400] = "";
	size_t used = 0;
	bool applies = false;

	for (uint32_t i = 0; i < host->settings->backend_count; i++)
		applies |= host->settings->backends[i].given && host->met_sections[i];
	for (uint32_t i = 0; i < host->backend_count && used < sizeof known; i++)
		used += (size_t)snprintf(known + used, sizeof known - used, "%s" ETC_STR_FMT,
		                         i ? ", " : "", ETC_STR_ARG(host->backends[i]));
	for (uint32_t i = 0; i < host->settings->backend_count; i++) {
		const struct etc_backend_settings *b = &host->settings->backends[i];

		if (host->met_calls && b->given && !host->met_sections[i] &&
		    (!applies || is_mistyped(host, b)))
			etc_note_each(host->notes, W0555,
			              "[backend." ETC_STR_FMT "] (" ETC_STR_FMT "): %s%s",
			              ETC_STR_ARG(b->id), ETC_STR_ARG(b->origin),
			              known[0]       ? "the delegated events are of "
			              : has_probe(b) ? "its probe matches no delegated events"
			                             : "nothing names the backend of the "
			                               "delegated events",
			              known);
	}
}

/* Reports the rules `level.N` of a section that have no effect: events have several levels, but no
 * event became the parent of another. */
static void note_levels(struct etc_host *host)
{
	for (uint32_t i = 0; i < host->ruled_count; i++) {
		const struct etc_ruled *r = host->ruled[i].self;
		uint32_t k = 0;

		if (!r || !r->several_levels || r->nests)
			continue;
		while (r->backend->rules[k].kind != ETC_RULE_LEVEL)
			k++;
		etc_note_each(host->notes, W0558,
		              "[backend." ETC_STR_FMT "] (" ETC_STR_FMT "): " ETC_STR_FMT
		              " and the other levels",
		              ETC_STR_ARG(r->backend->id), ETC_STR_ARG(r->backend->rules[k].origin),
		              ETC_STR_ARG(r->backend->rules[k].key));
	}
}

void etc_unasked_call(struct etc_host *host, const struct etcore_call *call,
                      const struct etc_plugin *owner)
{
	host->met_delegates = true;
	etc_host_met(host, call, owner);
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

	if (!host->notes)
		return;
	host->notes->file = ETC_STR_NONE;
	note_sections(host);
	note_levels(host);
	for (uint32_t i = 0; i < host->count && host->met_delegates; i++) {
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
