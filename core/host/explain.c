/* explain.c -- calls the hooks that explain events: name_event and classify of the owner, then
 * classify of the annotators, which get the owner's facts about the events. */
#include "host/host.h"
#include "host/internal.h"
#include "host/sink.h"
#include "model/datum.h"

/* State for calling name_event, or classify, of a plugin for each event of a call. */
struct asker {
	struct etc_plugin *p;
	enum etc_hook hook;
	bool has; /* the plugin has the hook */
	struct etc_facts_intake in;
	struct etcore_text_sink sink;
	struct etc_hook_args a;
};

static void asker_init(struct asker *q, struct etc_plugin *p, bool naming, bool annotator,
                       const struct etcore_call *call)
{
	q->p = p;
	q->hook = naming ? ETC_HOOK_NAME : ETC_HOOK_CLASSIFY;
	q->has = naming ? ETC_HAS_HOOK(p, name_event) : ETC_HAS_HOOK(p, classify);
	if (!q->has)
		return;
	q->in = (struct etc_facts_intake){
		.first = naming ? ETCORE_NAME_DISPLAY : ETCORE_CLASS_CATEGORY,
		.last = naming ? ETCORE_NAME_KERNEL : ETCORE_CLASS_MICROKERNEL,
		.only_absent = annotator,
	};
	etc_hook_intake(p, &q->in.in);
	q->sink = etc_facts_sink(&q->in);
	q->a = (struct etc_hook_args){ .call = call, .facts = &q->sink, .in = &q->in.in };
}

static enum etc_status ask(struct asker *q, uint32_t index, struct etc_facts *out, bool *spoke,
                           struct etc_error *err)
{
	*spoke = false;
	if (!q->has || q->p->broken)
		return ETC_OK;
	etc_intake_again(&q->in.in);
	q->in.out = out;
	q->a.index = index;
	q->a.result = ETCORE_FAILED;
	*spoke = etc_hook_run(q->p, q->hook, &q->a);
	if (*spoke && q->in.in.out_of_memory)
		return etc_no_memory(err);
	*spoke = *spoke && etc_hook_accepted(q->p, q->hook, &q->a);
	return ETC_OK;
}

/* Copies the facts that the hook name_event returns. In struct etc_facts they come before those
 * that the hook classify returns. */
static void copy_names(struct etc_facts *to, const struct etc_facts *from)
{
	enum { FIRST = offsetof(struct etc_facts, display) };

	memcpy((char *)to + FIRST, (const char *)from + FIRST,
	       offsetof(struct etc_facts, category) - FIRST);
}

static void copy_classes(struct etc_facts *to, const struct etc_facts *from)
{
	enum { FIRST = offsetof(struct etc_facts, category) };

	memcpy((char *)to + FIRST, (const char *)from + FIRST, sizeof *to - FIRST);
}

/* Calls the hook name_event for one event, and sets the names in `*out`. If the hook gives no valid
 * answer, the names are copied from `*before`, the facts that are known already. */
static enum etc_status ask_name(struct asker *q, uint32_t index, struct etc_facts *out,
                                const struct etc_facts *before, struct etc_error *err)
{
	bool spoke;

	ETC_TRY(ask(q, index, out, &spoke, err));
	if (!spoke)
		copy_names(out, before);
	return ETC_OK;
}

static enum etc_status ask_class(struct asker *q, uint32_t index, struct etc_facts *out,
                                 const struct etc_facts *before, bool *spoke, struct etc_error *err)
{
	ETC_TRY(ask(q, index, out, spoke, err));
	if (!*spoke)
		copy_classes(out, before);
	return ETC_OK;
}

static struct etcore_time times_of(const struct etc_time_facts *t)
{
	return (struct etcore_time){
		.size = sizeof(struct etcore_time),
		.kind = t->kind,
		.unit = t->unit,
		.clock = t->clock,
		.start = t->start,
		.duration = t->duration,
		.rounding = t->rounding,
		.parent = t->parent,
		.ns_per_unit = t->ns_per_unit,
		.resolution = t->resolution,
		.wraps_at = t->wraps_at,
		.sync_device = t->sync_device,
		.sync_host = t->sync_host,
	};
}

/* Converts the value to JSON text, in which bytes are the string "<base64>". False: out of
 * memory. */
static bool plain_json(const struct etc_datum *d, struct etc_arena *arena, struct etcore_text *out)
{
	struct etc_text t = { 0 };
	struct etc_str copy;

	etc_datum_put(&t, d);
	copy = etc_text_keep(&t, arena);
	*out = etc_text_of_ours(copy);
	return copy.ptr;
}

/* Converts a value to a struct etcore_value, for a plugin. False: out of memory. */
static bool value_of(const struct etc_datum *d, struct etc_arena *arena, struct etcore_value *out)
{
	*out = (struct etcore_value){ .size = sizeof *out, .name = etc_text_of_ours(d->name) };
	switch (d->kind) {
	case ETC_DATUM_BOOL:
		out->type = ETCORE_TYPE_BOOL;
		out->i64 = d->i;
		return true;
	case ETC_DATUM_I64:
		out->type = d->type == ETC_TYPE_F64 ? ETCORE_TYPE_F64 : ETCORE_TYPE_I64;
		out->i64 = out->type == ETCORE_TYPE_I64 ? d->i : 0;
		out->f64 = out->type == ETCORE_TYPE_F64 ? (double)d->i : 0;
		return true;
	case ETC_DATUM_F64:
		out->type = ETCORE_TYPE_F64;
		out->f64 = d->f;
		return true;
	case ETC_DATUM_JSON:
		out->type = ETCORE_TYPE_JSON;
		out->text = etc_text_of_ours(d->text);
		return !d->has_bytes || plain_json(d, arena, &out->text);
	default:
		out->type = ETCORE_TYPE_STR;
		out->text = etc_text_of_ours(d->text);
		return true;
	}
}

/* Sets the columns of `out` to the declared columns in `p`, the answer of the owner's
 * parse_metadata. False: out of memory. */
static bool columns_of(const struct etc_parsed *p, struct etc_arena *arena,
                       struct etcore_facts *out)
{
	const struct etc_datum *all = p->has_columns ? p->columns : p->items;
	uint32_t n = p->has_columns ? p->column_count : p->form == ETC_PARSED_DICT ? p->count : 0;
	struct etcore_value *values;
	const struct etcore_value **list;

	if (n == 0)
		return true;
	values = etc_new(arena, struct etcore_value, n);
	out->columns = list = etc_new(arena, const struct etcore_value *, n);
	if (!values || !list)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		if (!all[i].type || all[i].kind == ETC_DATUM_NULL)
			continue;
		list[out->column_count] = &values[i];
		out->column_count++;
		if (!value_of(&all[i], arena, &values[i]))
			return false;
	}
	return true;
}

static struct etcore_facts for_annotator(const struct etc_facts *f, struct etcore_time *time)
{
	*time = times_of(&f->time);
	return (struct etcore_facts){
		.size = sizeof(struct etcore_facts),
		.owner = etc_text_of_ours(f->owner),
		.backend = etc_text_of_ours(f->backend),
		.display = etc_text_of_ours(f->display),
		.operator_name = etc_text_of_ours(f->operator_name),
		.layout = etc_text_of_ours(f->layout),
		.types = etc_text_of_ours(f->types),
		.kernel = etc_text_of_ours(f->kernel),
		.ordinal = f->ordinal,
		.category = etc_text_of_ours(f->category),
		.compute_unit = etc_text_of_ours(f->compute_unit),
		.precision = etc_text_of_ours(f->precision),
		.time = time,
	};
}

struct etc_str etc_explain_backend(const struct etc_plugin *owner, const struct etcore_call *call)
{
	if (call->backend.len)
		return etc_plugin_text(call->backend);
	if (owner && owner->abi->backends && owner->abi->backends[0])
		return etc_str_of(owner->abi->backends[0]);
	return (struct etc_str){ 0 };
}

bool etc_explain_annotates(const struct etc_plugin *p, const struct etc_facts *facts)
{
	return p->state == ETC_PLUGIN_LOADED && p->abi->role == ETCORE_ROLE_ANNOTATOR &&
	       !p->broken && facts->backend.len && etc_plugin_lists(p, facts->backend);
}

enum etc_status etc_explain_own(struct etc_plugin *owner, const struct etcore_call *call,
                                struct etc_facts *out, struct etc_error *err)
{
	const struct etc_facts nothing = { .owner = owner ? owner->name : ETC_STR_NONE,
		                           .backend = etc_explain_backend(owner, call) };
	struct asker name, class;
	bool spoke;

	asker_init(&name, owner, true, false, call);
	asker_init(&class, owner, false, false, call);
	for (uint32_t i = 0; i < call->count; i++) {
		out[i].owner = nothing.owner;
		out[i].backend = nothing.backend;
		ETC_TRY(ask_name(&name, i, &out[i], &nothing, err));
		ETC_TRY(ask_class(&class, i, &out[i], &nothing, &spoke, err));
	}
	return ETC_OK;
}

enum etc_status etc_explain_fill(struct etc_plugin *p, const struct etcore_call *call,
                                 struct etc_facts *facts, struct etc_error *err)
{
	struct asker name, class;
	bool spoke;

	asker_init(&name, p, true, true, call);
	asker_init(&class, p, false, true, call);
	for (uint32_t i = 0; i < call->count; i++) {
		const struct etc_facts before = facts[i];

		ETC_TRY(ask_name(&name, i, &facts[i], &before, err));
		ETC_TRY(ask_class(&class, i, &facts[i], &before, &spoke, err));
	}
	return ETC_OK;
}

enum etc_status etc_explain_annotated(const struct etcore_call *call, const struct etc_facts *facts,
                                      const struct etc_parsed *parsed, struct etc_arena *arena,
                                      struct etcore_call *out, struct etc_error *err)
{
	uint32_t n = call->count;
	const struct etcore_event **events = etc_new(arena, const struct etcore_event *, n);
	struct etcore_event *copies = etc_new(arena, struct etcore_event, n);
	struct etcore_facts *owned = etc_new(arena, struct etcore_facts, n);
	struct etcore_time *times = etc_new(arena, struct etcore_time, n);

	ETC_NEED(events && copies && owned && times, err);
	for (uint32_t i = 0; i < n; i++) {
		owned[i] = for_annotator(&facts[i], &times[i]);
		if (parsed && !columns_of(&parsed[i], arena, &owned[i]))
			return etc_no_memory(err);
		copies[i] = *call->events[i];
		copies[i].facts = &owned[i];
		events[i] = &copies[i];
	}
	*out = *call;
	out->events = events;
	return ETC_OK;
}

static bool speaks_of_library(const struct etc_facts *before, const struct etc_facts *now)
{
	return before->library_ran != now->library_ran || before->is_matrix != now->is_matrix ||
	       !etc_str_eq(before->library_why, now->library_why) ||
	       !etc_str_eq(before->kernel_library, now->kernel_library);
}

static struct etc_str title_of(const struct etc_plugin *p)
{
	const struct etcore_plugin *abi = p->abi;

	return ETCORE_HAS(abi, struct etcore_plugin, title) && abi->title ? etc_str_of(abi->title)
	                                                                  : etc_str_of(abi->name);
}

const char *etc_host_library(const struct etc_host *host)
{
	const struct etc_plugin *only = NULL;

	for (uint32_t i = 0; host && i < host->count; i++) {
		const struct etc_plugin *p = &host->plugins[i];

		if (p->state != ETC_PLUGIN_LOADED || p->abi->role != ETCORE_ROLE_ANNOTATOR)
			continue;
		if (only)
			return NULL;
		only = p;
	}
	return only ? title_of(only).ptr : NULL;
}

enum etc_status etc_explain_annotate(struct etc_plugin *p, const struct etcore_call *annotated,
                                     struct etc_facts *out, struct etc_error *err)
{
	struct asker class;
	bool spoke;

	p->asked = true;
	asker_init(&class, p, false, true, annotated);
	for (uint32_t i = 0; i < annotated->count; i++) {
		struct etc_facts before;

		copy_classes(&before, &out[i]);
		ETC_TRY(ask_class(&class, i, &out[i], &before, &spoke, err));
		if (spoke && speaks_of_library(&before, &out[i])) {
			out[i].annotator = p->name;
			out[i].library = title_of(p);
		}
	}
	return ETC_OK;
}
