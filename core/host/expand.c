/* expand.c -- calls expand_event, by which a plugin splits an event into children, and collects
 * the children. */
#include "host/expand.h"
#include "host/host.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/contract.h"
#include "host/sink_intake.h"

/* Estimated number of bytes that one child needs later (as an event, as a row, as a line of
 * --events), in addition to its samples. */
enum { CHILD_COSTS = 1536 };

/* Did the sink for facts or the sink for columns find a fault? If so, copies the first fault to
 * to->in. */
static bool has_fault(struct etc_child_intake *to)
{
	const struct etc_intake *parts[] = { &to->data->in, &to->facts->in };

	for (int i = 0; i < 2; i++) {
		to->in.out_of_memory |= parts[i]->out_of_memory;
		if (parts[i]->fault[0] && !to->in.fault[0])
			memcpy(to->in.fault, parts[i]->fault, sizeof to->in.fault);
	}
	return to->in.fault[0] != '\0';
}

static etcore_result fault(struct etc_child_intake *to, const char *what)
{
	return etc_intake_fault(&to->in, what, ETC_STR_NONE);
}

static bool fits(struct etc_child_intake *to, uint64_t bytes)
{
	const size_t budget = to->lists ? to->lists->budget : SIZE_MAX;

	if (to->in.spare == 0 || (bytes <= SIZE_MAX && etc_fits(budget, to->in.spare, bytes)))
		return true;
	fault(to, "more than there is memory for");
	return false;
}

/* Ends the current child: stores its facts and columns, and empties the two sinks for the next
 * child. */
static etcore_result end_child(struct etc_child_intake *to)
{
	struct etc_part_said *child = to->count ? &to->v[to->count - 1] : NULL;
	const struct etc_facts nothing = { .owner = to->owner, .backend = to->backend };
	/* memcmp() also compares padding bytes. If only these differ, the facts are stored although
	 * they are empty, which costs memory but is not wrong.
	 * NOLINTNEXTLINE(*-suspicious-memory-comparison) */
	bool named = memcmp(&to->said, &nothing, sizeof nothing) != 0, keeps = child && to->host;
	struct etc_parsed *parsed;
	struct etc_datum *items;

	if (has_fault(to))
		return ETCORE_FAILED;
	if (!child && (to->data->in.calls || to->facts->in.calls))
		return fault(to, "something of a child that was not begun");
	if (to->data->form == ETC_PARSED_LIST || to->data->in_columns)
		return fault(to, "a list of values, or columns beside others, of a child");
	if (keeps && named && !(child->facts = etc_facts_keep(to->host, &to->said)))
		return etc_intake_no_memory(&to->in);
	if (keeps && to->data->count) {
		parsed = etc_new(to->in.arena, struct etc_parsed, 1);
		items = etc_new(to->in.arena, struct etc_datum, to->data->count);
		if (!parsed || !items)
			return etc_intake_no_memory(&to->in);
		memcpy(items, to->data->items, to->data->count * sizeof *items);
		*parsed = (struct etc_parsed){ .form = ETC_PARSED_DICT,
			                       .items = items,
			                       .count = to->data->count };
		child->metadata = parsed;
	}
	memcpy(&to->said, &nothing, sizeof nothing);
	to->data->form = ETC_PARSED_NONE;
	to->data->count = 0;
	if (to->data->names.count)
		etc_map_init(&to->data->names, to->data->in.arena);
	etc_intake_again(&to->data->in);
	etc_intake_again(&to->facts->in);
	return ETCORE_OK;
}

/* Copies the members that this version of etcore has, except those that do not apply to a child:
 * parent, start, wrap-around, synchronisation. */
static struct etcore_time time_now(const struct etcore_time *t)
{
	struct etcore_time now = { .size = sizeof now };

	memcpy(&now, t, t->size < sizeof now ? t->size : sizeof now);
	now.parent = ETCORE_PARENT_CALL;
	now.start = ETCORE_START_MEASURED;
	now.wraps_at = now.sync_device = now.sync_host = 0;
	return now;
}

static const char *fault_of(const struct etc_child_intake *to, const struct etcore_child *c)
{
	struct etcore_time time;

	if (!c || !ETCORE_HAS(c, struct etcore_child, time))
		return "a child that is too small";
	if (to->count == ETC_LIMIT_PLUGIN_CHILDREN)
		return "more children than the limit of 1048576";
	if (c->name.len == 0)
		return "a child without a name";
	if (c->parent != ETCORE_PARENT_CALL && (c->parent < 0 || (uint32_t)c->parent >= to->count))
		return "a child whose parent is no earlier child";
	if (c->samples != to->samples)
		return "a child with another number of samples than the event";
	if (c->samples && !c->durations)
		return "a child without durations";
	if (!c->time)
		return NULL;
	if (!ETCORE_HAS(c->time, struct etcore_time, wraps_at))
		return "etcore_time that is too small";
	time = time_now(c->time);
	return etc_time_fault(&time, 0, 1, ETCORE_PLUGIN_ABI_MINOR);
}

static const uint64_t *copy_samples(struct etc_child_intake *to, const uint64_t *from)
{
	uint64_t *copy = etc_new(to->lists, uint64_t, to->samples);

	if (copy && to->samples)
		memcpy(copy, from, to->samples * sizeof *copy);
	return copy;
}

static bool keep_time(struct etc_child_intake *to, const struct etcore_time *from,
                      struct etc_part_said *child)
{
	struct etcore_time now = time_now(from);
	struct etc_time_facts *copy, time = etc_time_taken(&now);

	child->same_clock = to->of && time.clock == to->of->clock && time.unit == to->of->unit &&
	                    time.ns_per_unit == to->of->ns_per_unit;
	/* memcmp() also compares padding bytes. If only these differ, an equal time is copied once
	 * more, which costs memory but is not wrong.
	 * NOLINTNEXTLINE(*-suspicious-memory-comparison) */
	if (to->time && memcmp(to->time, &time, sizeof time) == 0) {
		child->time = to->time;
		return true;
	}
	child->time = to->time = copy = etc_new(to->in.arena, struct etc_time_facts, 1);
	if (copy)
		memcpy(copy, &time, sizeof time);
	return copy != NULL;
}

static etcore_result keep_child(struct etc_child_intake *to, const struct etcore_child *c)
{
	struct etc_part_said child = { .parent = c->parent < 0 ? UINT32_MAX : (uint32_t)c->parent,
		                       .same_clock = !c->time };
	uint64_t samples = to->samples * sizeof(uint64_t) * (c->starts ? 4 : 3);
	etcore_result r = etc_intake_keep(&to->in, c->name, &child.name);

	if (r != ETCORE_OK)
		return r;
	if (!fits(to, (sizeof child + CHILD_COSTS + samples) * (to->count + 1)))
		return ETCORE_FAILED;
	if (to->lists) {
		child.durations = copy_samples(to, c->durations);
		child.starts = c->starts ? copy_samples(to, c->starts) : NULL;
		if (!child.durations || (c->starts && !child.starts))
			return etc_intake_no_memory(&to->in);
	}
	if ((c->time && !keep_time(to, c->time, &child)) ||
	    !etc_intake_grow((void **)&to->v, to->count, &to->room, sizeof *to->v))
		return etc_intake_no_memory(&to->in);
	to->v[to->count++] = child;
	return ETCORE_OK;
}

static etcore_result begin(void *handle, const struct etcore_child *c)
{
	struct etc_child_intake *to = handle;
	etcore_result r = end_child(to);
	const char *what;

	if (r != ETCORE_OK)
		return r;
	what = fault_of(to, c);
	return what ? fault(to, what) : keep_child(to, c);
}

struct etcore_child_sink etc_child_sink(struct etc_child_intake *to,
                                        const struct etcore_text_sink *facts,
                                        const struct etcore_sink *columns)
{
	to->facts->first = ETCORE_NAME_DISPLAY;
	to->facts->last = ETCORE_CLASS_MICROKERNEL;
	to->facts->out = &to->said;
	/* Also clears padding, because facts are compared byte by byte. */
	memset(&to->said, 0, sizeof to->said);
	to->said.owner = to->owner;
	to->said.backend = to->backend;
	return (struct etcore_child_sink){ .size = sizeof(struct etcore_child_sink),
		                           .handle = to,
		                           .begin = begin,
		                           .facts = facts,
		                           .columns = columns };
}

void etc_child_intake_end(struct etc_child_intake *to)
{
	if (end_child(to) == ETCORE_NOMEM)
		to->in.out_of_memory = true;
}

static void note_refused(struct etc_plugin *p, const struct etcore_call *call, uint32_t index,
                         const struct etc_child_intake *in)
{
	char text[ETC_FAULT_MAX + 60];

	snprintf(text, sizeof text, "%s; it had %u child%s so far", in->in.fault, in->count,
	         in->count == 1 ? "" : "ren");
	etc_hook_note(p, in->lists ? W0626 : W0627, ETC_HOOK_EXPAND, call, index, text);
}

static enum etc_status keep_children(const struct etc_child_intake *in, struct etc_children *out,
                                     struct etc_error *err)
{
	struct etc_part_said *v = etc_new(in->in.arena, struct etc_part_said, in->count);

	ETC_NEED(v, err);
	if (in->count)
		memcpy(v, in->v, in->count * sizeof *v);
	*out = (struct etc_children){ v, in->count, false, in->samples };
	for (uint32_t i = 0; i < in->count; i++)
		out->columns |= v[i].metadata != NULL;
	return ETC_OK;
}

void etc_expand_differs(struct etc_plugin *p, const struct etcore_call *call, uint32_t index,
                        const struct etc_children *before, const struct etc_children *now)
{
	char text[160];

	snprintf(text, sizeof text, "%u child%s of %llu samples, then %u%s of %llu", before->count,
	         before->count == 1 ? "" : "ren", (unsigned long long)before->samples, now->count,
	         before->count == now->count ? " others" : "",
	         (unsigned long long)call->events[index]->samples);
	etc_hook_note(p, W0627, ETC_HOOK_EXPAND, call, index, text);
}

enum etc_status etc_host_expand(struct etc_plugin *p, const struct etcore_call *call,
                                uint32_t index, const struct etc_time_facts *of,
                                struct etc_arena *lists, struct etc_children *out,
                                struct etc_error *err)
{
	struct etc_datum_intake data = { .form = ETC_PARSED_NONE };
	struct etc_facts_intake facts = { .only_absent = false };
	struct etc_child_intake in = { .data = &data,
		                       .facts = &facts,
		                       .samples = call->events[index]->samples,
		                       .of = of,
		                       .host = p->host,
		                       .owner = p->name,
		                       .backend = etc_explain_backend(p, call),
		                       .lists = lists };
	struct etc_hook_args a = {
		.call = call, .index = index, .in = &in.in, .result = ETCORE_FAILED
	};
	enum etc_status st = ETC_OK;
	struct etcore_child_sink sink;
	struct etcore_text_sink to_facts;
	struct etcore_sink to_data;

	*out = (struct etc_children){ 0 };
	etc_hook_intake(p, &in.in);
	etc_hook_intake(p, &data.in);
	etc_hook_intake(p, &facts.in);
	to_facts = etc_facts_sink(&facts);
	to_data = etc_datum_sink(&data);
	sink = etc_child_sink(&in, &to_facts, &to_data);
	a.children = &sink;
	a.facts = &to_facts;
	a.data = &to_data;
	if (etc_hook_run(p, ETC_HOOK_EXPAND, &a)) {
		etc_child_intake_end(&in);
		if (in.in.out_of_memory)
			st = etc_no_memory(err);
		else if (in.in.fault[0])
			note_refused(p, call, index, &in);
		else if (etc_hook_accepted(p, ETC_HOOK_EXPAND, &a))
			st = keep_children(&in, out, err);
	}
	free(in.v);
	etc_datum_intake_release(&data);
	return st;
}

bool etc_plugin_expands(const struct etc_plugin *p)
{
	return p->state == ETC_PLUGIN_LOADED && !p->broken && p->abi->role == ETCORE_ROLE_OWNER &&
	       etc_contract_expands(p->abi);
}

bool etc_host_expands(const struct etc_host *host)
{
	for (uint32_t i = 0; i < host->count; i++)
		if (etc_plugin_expands(&host->plugins[i]))
			return true;
	return false;
}
