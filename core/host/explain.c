/* explain.c -- the hooks that say what an event was: name_event and classify
 * of its owner, then classify of the annotators, who see the owner's facts. */
#include "host/internal.h"

static struct etc_str text_of(struct etcore_text t)
{
	return (struct etc_str){ t.ptr, (size_t)t.len };
}

/* One of the two hooks; what it says replaces *out only when all of it counts. */
static enum etc_status ask(struct etc_plugin *p, bool naming, bool annotator,
                           const struct etcore_call *call, uint32_t index, struct etc_facts *out,
                           bool *spoke, struct etc_error *err)
{
	enum etc_hook hook = naming ? ETC_HOOK_NAME : ETC_HOOK_CLASSIFY;
	const struct etc_facts before = *out;
	struct etc_facts_intake in = {
		.first = naming ? ETCORE_NAME_DISPLAY : ETCORE_CLASS_CATEGORY,
		.last = naming ? ETCORE_NAME_KERNEL : ETCORE_CLASS_MICROKERNEL,
		.only_absent = annotator,
		.out = out,
	};
	struct etc_hook_args a = {
		.call = call, .index = index, .in = &in.in, .result = ETCORE_FAILED
	};
	struct etcore_text_sink sink;

	*spoke = false;
	if (naming ? !ETC_HAS_HOOK(p, name_event) : !ETC_HAS_HOOK(p, classify))
		return ETC_OK;
	etc_hook_intake(p, &in.in);
	sink = etc_facts_sink(&in);
	a.facts = &sink;
	*spoke = etc_hook_run(p, hook, &a);
	if (*spoke && in.in.out_of_memory)
		return etc_hook_nomem(err, etc_hook_name(hook));
	*spoke = *spoke && etc_hook_accepted(p, hook, &a);
	if (!*spoke && in.in.calls)
		*out = before;
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

bool etc_explain_annotates(const struct etc_plugin *p, const struct etc_facts *facts)
{
	return p->state == ETC_PLUGIN_LOADED && p->abi->role == ETCORE_ROLE_ANNOTATOR &&
	       !p->broken && facts->backend.len && lists(p->abi, facts->backend);
}

enum etc_status etc_explain_own(struct etc_plugin *owner, const struct etcore_call *call,
                                struct etc_facts *out, struct etc_error *err)
{
	const struct etc_facts nothing = { .owner = owner ? owner->name : (struct etc_str){ 0 },
		                           .backend = backend_of(owner, call) };
	bool spoke;

	for (uint32_t i = 0; i < call->count; i++) {
		out[i] = nothing;
		ETC_TRY(ask(owner, true, false, call, i, &out[i], &spoke, err));
		ETC_TRY(ask(owner, false, false, call, i, &out[i], &spoke, err));
	}
	return ETC_OK;
}

enum etc_status etc_explain_fill(struct etc_plugin *p, const struct etcore_call *call,
                                 struct etc_facts *facts, struct etc_error *err)
{
	bool spoke;

	for (uint32_t i = 0; i < call->count; i++) {
		ETC_TRY(ask(p, true, true, call, i, &facts[i], &spoke, err));
		ETC_TRY(ask(p, false, true, call, i, &facts[i], &spoke, err));
	}
	return ETC_OK;
}

enum etc_status etc_explain_annotated(const struct etcore_call *call, const struct etc_facts *facts,
                                      struct etc_arena *arena, struct etcore_call *out,
                                      struct etc_error *err)
{
	uint32_t n = call->count;
	const struct etcore_event **events = etc_new(arena, const struct etcore_event *, n);
	struct etcore_event *copies = etc_new(arena, struct etcore_event, n);
	struct etcore_facts *owned = etc_new(arena, struct etcore_facts, n);

	if (!events || !copies || !owned)
		return etc_hook_nomem(err, "classify");
	for (uint32_t i = 0; i < n; i++) {
		owned[i] = for_annotator(&facts[i]);
		copies[i] = *call->events[i];
		copies[i].facts = &owned[i];
		events[i] = &copies[i];
	}
	*out = *call;
	out->events = events;
	return ETC_OK;
}

enum etc_status etc_explain_annotate(struct etc_plugin *p, const struct etcore_call *annotated,
                                     struct etc_facts *out, struct etc_error *err)
{
	bool spoke;

	for (uint32_t i = 0; i < annotated->count; i++) {
		ETC_TRY(ask(p, false, true, annotated, i, &out[i], &spoke, err));
		if (spoke && !out[i].annotator.len)
			out[i].annotator = p->name;
	}
	return ETC_OK;
}
