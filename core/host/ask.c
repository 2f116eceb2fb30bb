/* ask.c -- delegate calls on their way through the plugins, many at a time: who
 * owns each, what the owner says, then what annotators add. */
#include "host/internal.h"

static enum etc_status own(struct etc_asked *c, struct etc_arena *arena, struct etc_error *err)
{
	uint32_t n = c->call->count;
	struct etc_time_facts *times = etc_new(arena, struct etc_time_facts, n);

	c->facts = etc_new(c->owner->host->arena, struct etc_facts, n);
	if (!times || !c->facts)
		return etc_fail(err, E0904, "%u events", (unsigned)n);
	ETC_TRY(etc_host_describe_time(c->owner, c->call, times, &c->described, err));
	ETC_TRY(etc_explain_own(c->owner, c->call, c->facts, err));
	for (uint32_t i = 0; i < n; i++)
		c->facts[i].time = times[i];
	return ETC_OK;
}

static enum etc_status annotate(struct etc_host *host, struct etc_plugin *p,
                                struct etc_asked *calls, uint32_t count, struct etc_error *err)
{
	enum etc_status st = ETC_OK;

	for (uint32_t i = 0; i < count && st == ETC_OK; i++) {
		struct etc_asked *c = &calls[i];
		struct etcore_call annotated;
		struct etc_arena scratch;

		if (!c->facts || !etc_explain_annotates(p, c->facts))
			continue;
		etc_arena_init(&scratch, host->arena->budget);
		st = etc_explain_annotated(c->call, c->facts, &scratch, &annotated, err);
		if (st == ETC_OK)
			st = etc_explain_annotate(p, &annotated, c->facts, err);
		etc_arena_release(&scratch);
	}
	return st;
}

static enum etc_status map(struct etc_asked *c, struct etc_arena *arena, struct etc_error *err)
{
	c->mapped = etc_new(arena, struct etc_mapped, c->call->count);
	if (!c->mapped)
		return etc_fail(err, E0904, "nodes of an event");
	for (uint32_t i = 0; i < c->call->count; i++)
		ETC_TRY(etc_host_map_event(c->owner, c->call, i, &c->mapped[i], err));
	return ETC_OK;
}

static enum etc_status parse(struct etc_asked *c, struct etc_arena *arena, struct etc_error *err)
{
	c->parsed = etc_new(arena, struct etc_parsed, c->call->count);
	if (!c->parsed)
		return etc_fail(err, E0904, "metadata of an event");
	for (uint32_t i = 0; i < c->call->count; i++)
		if (c->parse[i])
			ETC_TRY(etc_host_parse_metadata(c->owner, c->call, i, &c->parsed[i], err));
	return ETC_OK;
}

enum etc_status etc_host_ask(struct etc_host *host, struct etc_asked *calls, uint32_t count,
                             struct etc_arena *scratch, struct etc_error *err)
{
	for (uint32_t i = 0; i < count; i++)
		ETC_TRY(etc_host_owner(host, calls[i].call, &calls[i].owner, err));
	for (uint32_t i = 0; i < count; i++)
		if (calls[i].owner)
			ETC_TRY(own(&calls[i], scratch, err));
	for (uint32_t k = 0; k < host->count; k++)
		ETC_TRY(annotate(host, &host->plugins[k], calls, count, err));
	for (uint32_t i = 0; i < count; i++) {
		if (calls[i].owner && calls[i].map)
			ETC_TRY(map(&calls[i], host->arena, err));
		if (calls[i].parse)
			ETC_TRY(parse(&calls[i], host->arena, err));
	}
	return ETC_OK;
}

enum etc_status etc_host_explain_call(struct etc_host *host, struct etc_plugin *owner,
                                      const struct etcore_call *call, struct etc_facts *out,
                                      struct etc_error *err)
{
	struct etc_asked one = { .call = call, .facts = out };

	ETC_TRY(etc_explain_own(owner, call, out, err));
	for (uint32_t k = 0; k < host->count; k++)
		ETC_TRY(annotate(host, &host->plugins[k], &one, 1, err));
	return ETC_OK;
}
