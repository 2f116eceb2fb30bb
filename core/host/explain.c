/* explain.c -- the hooks that say what an event was: name_event and classify
 * of its owner, then classify of the annotators, who see the owner's facts. */
#include "host/internal.h"
#include "host/sink.h"

struct body {
	struct etc_plugin *p;
	const struct etcore_call *call;
	uint32_t index;
	etcore_result result;
	const struct etcore_text_sink *sink;
};

static struct etc_str text_of(struct etcore_text t)
{
	return (struct etc_str){ t.ptr, (size_t)t.len };
}

static void name_body(void *arg)
{
	struct body *a = arg;

	a->result = a->p->abi->name_event(a->p->self, a->call, a->index, a->sink);
}

static void classify_body(void *arg)
{
	struct body *a = arg;

	a->result = a->p->abi->classify(a->p->self, a->call, a->index, a->sink);
}

/* One of the two hooks; what it says replaces *out only when all of it counts. */
static enum etc_status ask(struct etc_plugin *p, bool naming, bool annotator,
                           const struct etcore_call *call, uint32_t index, struct etc_facts *out,
                           bool *spoke, struct etc_error *err)
{
	const char *hook = naming ? "name_event" : "classify";
	struct etc_facts facts = *out;
	struct etc_facts_intake in = {
		.first = naming ? ETCORE_NAME_DISPLAY : ETCORE_CLASS_CATEGORY,
		.last = naming ? ETCORE_NAME_KERNEL : ETCORE_CLASS_MICROKERNEL,
		.only_absent = annotator,
		.out = &facts,
	};
	struct body a = { .p = p, .call = call, .index = index, .result = ETCORE_FAILED };
	struct etcore_text_sink sink;

	*spoke = false;
	if (naming ? !ETC_HAS_HOOK(p, name_event) : !ETC_HAS_HOOK(p, classify))
		return ETC_OK;
	in.in.arena = p->host->arena;
	in.in.plugin = p->abi;
	sink = etc_facts_sink(&in);
	a.sink = &sink;
	if (!etc_hook_run(p, hook, call, index, naming ? name_body : classify_body, &a))
		return ETC_OK;
	if (in.in.out_of_memory)
		return etc_hook_nomem(err, hook);
	if (etc_hook_accepted(p, hook, call, index, a.result, &in.in)) {
		*out = facts;
		*spoke = true;
	}
	return ETC_OK;
}

static bool lists(const struct etcore_plugin *abi, struct etc_str backend)
{
	for (uint32_t i = 0; abi->backends && abi->backends[i]; i++)
		if (etc_str_eq(etc_str_of(abi->backends[i]), backend))
			return true;
	return false;
}

static struct etcore_text text(struct etc_str s)
{
	return (struct etcore_text){ s.ptr, s.len };
}

static struct etcore_facts for_annotator(const struct etc_facts *f)
{
	return (struct etcore_facts){
		.size = sizeof(struct etcore_facts),
		.owner = text(f->owner),
		.backend = text(f->backend),
		.display = text(f->display),
		.operator_name = text(f->operator_name),
		.layout = text(f->layout),
		.types = text(f->types),
		.kernel = text(f->kernel),
		.ordinal = f->ordinal,
		.category = text(f->category),
		.compute_unit = text(f->compute_unit),
		.precision = text(f->precision),
	};
}

static struct etc_str backend_of(const struct etc_plugin *owner, const struct etcore_call *call)
{
	if (call->backend.len)
		return text_of(call->backend);
	if (owner && owner->abi->backends && owner->abi->backends[0])
		return etc_str_of(owner->abi->backends[0]);
	return (struct etc_str){ 0 };
}

static bool annotates(const struct etc_plugin *p, struct etc_str backend)
{
	return p->state == ETC_PLUGIN_LOADED && p->abi->role == ETCORE_ROLE_ANNOTATOR &&
	       !p->broken && backend.len && lists(p->abi, backend);
}

/* The call as annotators see it: events [from, to) carry facts[0 ..). */
static enum etc_status annotated_call(struct etc_arena *arena, const struct etcore_call *call,
                                      uint32_t from, uint32_t to, const struct etc_facts *facts,
                                      struct etcore_call *out, struct etc_error *err)
{
	uint32_t n = to - from;
	const struct etcore_event **events =
		etc_new(arena, const struct etcore_event *, call->count);
	struct etcore_event *copies = etc_new(arena, struct etcore_event, n);
	struct etcore_facts *owned = etc_new(arena, struct etcore_facts, n);

	if (!events || !copies || !owned)
		return etc_hook_nomem(err, "classify");
	memcpy(events, call->events, call->count * sizeof *events);
	for (uint32_t i = 0; i < n; i++) {
		owned[i] = for_annotator(&facts[i]);
		copies[i] = *call->events[from + i];
		copies[i].facts = &owned[i];
		events[from + i] = &copies[i];
	}
	*out = *call;
	out->events = events;
	return ETC_OK;
}

static enum etc_status explain(struct etc_host *host, struct etc_plugin *owner,
                               const struct etcore_call *call, uint32_t from, uint32_t to,
                               struct etc_facts *out, struct etc_error *err)
{
	struct etc_str backend = backend_of(owner, call);
	struct etcore_call annotated = { 0 };
	bool spoke;

	for (uint32_t i = from; i < to; i++) {
		struct etc_facts *f = &out[i - from];

		*f = (struct etc_facts){ .owner = owner ? owner->name : (struct etc_str){ 0 },
			                 .backend = backend };
		ETC_TRY(ask(owner, true, false, call, i, f, &spoke, err));
		ETC_TRY(ask(owner, false, false, call, i, f, &spoke, err));
	}
	for (uint32_t k = 0; k < host->count; k++) {
		struct etc_plugin *p = &host->plugins[k];

		if (!annotates(p, backend))
			continue;
		if (!annotated.events)
			ETC_TRY(annotated_call(host->arena, call, from, to, out, &annotated, err));
		for (uint32_t i = from; i < to; i++) {
			ETC_TRY(ask(p, false, true, &annotated, i, &out[i - from], &spoke, err));
			if (spoke && !out[i - from].annotator.len)
				out[i - from].annotator = p->name;
		}
	}
	return ETC_OK;
}

enum etc_status etc_host_explain(struct etc_host *host, struct etc_plugin *owner,
                                 const struct etcore_call *call, uint32_t index,
                                 struct etc_facts *out, struct etc_error *err)
{
	return explain(host, owner, call, index, index + 1, out, err);
}

enum etc_status etc_host_explain_call(struct etc_host *host, struct etc_plugin *owner,
                                      const struct etcore_call *call, struct etc_facts *out,
                                      struct etc_error *err)
{
	return explain(host, owner, call, 0, call->count, out, err);
}
