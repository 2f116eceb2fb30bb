/* ask.c -- delegate calls on their way through the plugins, many at a time: who
 * owns each, what the owner says, then what annotators add. */
#include "host/internal.h"

/* A call while it is asked about. */
struct asking {
	struct etc_asked *c;
	struct etc_facts *facts; /* [call->count]; NULL without owner */
};

static enum etc_status own(struct asking *a, struct etc_arena *scratch, struct etc_error *err)
{
	struct etc_asked *c = a->c;
	uint32_t n = c->call->count;
	struct etc_time_facts *times = etc_new(scratch, struct etc_time_facts, n);

	a->facts = etc_new(scratch, struct etc_facts, n);
	if (!times || !a->facts)
		return etc_fail(err, E0904, "%u events", (unsigned)n);
	ETC_TRY(etc_host_describe_time(c->owner, c->call, times, &c->described, err));
	ETC_TRY(etc_explain_own(c->owner, c->call, a->facts, err));
	for (uint32_t i = 0; i < n; i++)
		a->facts[i].time = times[i];
	return ETC_OK;
}

static enum etc_status annotate(struct etc_plugin *p, const struct etcore_call *call,
                                struct etc_facts *facts, struct etc_error *err)
{
	struct etcore_call annotated;
	struct etc_arena scratch;
	enum etc_status st;

	if (call->count == 0 || !etc_explain_annotates(p, facts))
		return ETC_OK;
	etc_arena_init(&scratch, p->host->arena->budget);
	st = etc_explain_annotated(call, facts, &scratch, &annotated, err);
	if (st == ETC_OK)
		st = etc_explain_annotate(p, &annotated, facts, err);
	etc_arena_release(&scratch);
	return st;
}

/* A copy in the host's arena, or the one that was made lately of the same. Texts
 * are kept once, so most facts are equal byte by byte. */
static const struct etc_facts *keep(struct etc_host *host, const struct etc_facts *f)
{
	uint64_t words[sizeof *f / sizeof(uint64_t)], h = 0;
	const struct etc_facts **recent;
	struct etc_facts *copy;

	memcpy(words, f, sizeof words);
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		h = (h ^ words[i]) * 0xff51afd7ed558ccdu;
	recent = &host->recent->facts[(h >> 32) % ETC_RECENT_FACTS];
	if (*recent && memcmp(*recent, f, sizeof *f) == 0)
		return *recent;
	copy = etc_new(host->arena, struct etc_facts, 1);
	if (copy)
		*recent = memcpy(copy, f, sizeof *copy);
	return copy;
}

static enum etc_status keep_all(struct asking *a, struct etc_host *host, struct etc_arena *scratch,
                                struct etc_error *err)
{
	uint32_t n = a->c->call->count;
	const struct etc_facts **kept = etc_new(scratch, const struct etc_facts *, n);

	a->c->facts = kept;
	for (uint32_t i = 0; kept && i < n; i++) {
		kept[i] = keep(host, &a->facts[i]);
		if (!kept[i])
			kept = NULL;
	}
	return kept ? ETC_OK : etc_fail(err, E0904, "%u events", (unsigned)n);
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
	if (!ETC_HAS_HOOK(c->owner, parse_metadata))
		return ETC_OK;
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
	struct asking *all = etc_new(scratch, struct asking, count);

	if (!all)
		return etc_fail(err, E0904, "%u calls", (unsigned)count);
	for (uint32_t i = 0; i < count; i++) {
		all[i].c = &calls[i];
		ETC_TRY(etc_host_owner(host, calls[i].call, &calls[i].owner, err));
	}
	for (uint32_t i = 0; i < count; i++)
		if (calls[i].owner)
			ETC_TRY(own(&all[i], scratch, err));
	for (uint32_t k = 0; k < host->count; k++)
		for (uint32_t i = 0; i < count; i++)
			if (all[i].facts)
				ETC_TRY(annotate(&host->plugins[k], calls[i].call, all[i].facts,
				                 err));
	for (uint32_t i = 0; i < count; i++) {
		if (all[i].facts)
			ETC_TRY(keep_all(&all[i], host, scratch, err));
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
	ETC_TRY(etc_explain_own(owner, call, out, err));
	for (uint32_t k = 0; k < host->count; k++)
		ETC_TRY(annotate(&host->plugins[k], call, out, err));
	return ETC_OK;
}
