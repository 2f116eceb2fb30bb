/* plan.c -- reads what Core ML's compute plan says about an operator; see plan.h */
#include "plan.h"

#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const units[UNIT_COUNT] = { "", "NE", "GPU", "CPU" };

const char *coreml_unit_word(enum coreml_unit unit)
{
	return units[unit];
}

static enum coreml_unit unit_of(struct etcore_text text)
{
	for (int u = UNIT_NE; u < UNIT_COUNT; u++)
		if (text.len == strlen(units[u]) &&
		    memcmp(text.ptr, units[u], (size_t)text.len) == 0)
			return (enum coreml_unit)u;
	return UNIT_NONE;
}

static bool is_word(struct etcore_text text)
{
	for (uint64_t i = 0; i < text.len; i++)
		if (text.ptr[i] <= ' ' || text.ptr[i] > '~')
			return false;
	return text.len > 0;
}

/* Stores the name of an operator without its opset, which is only a version: "ios17.conv" becomes
 * "conv". A text with blanks or characters other than printable ASCII is ignored. */
static void keep_operator(struct etcore_text text, struct coreml_plan *plan)
{
	const char *dot = text.len ? memchr(text.ptr, '.', (size_t)text.len) : NULL;

	if (!is_word(text))
		return;

	if (dot && dot > text.ptr && dot[-1] >= '0' && dot[-1] <= '9') {
		text.len -= (uint64_t)(dot + 1 - text.ptr);
		text.ptr = dot + 1;
	}
	if (text.len > 0 && text.len < sizeof plan->operator_name) {
		memcpy(plan->operator_name, text.ptr, (size_t)text.len);
		plan->operator_name[text.len] = '\0';
	}
}

static void read_string(struct pyjson_value value, struct coreml_plan *plan,
                        void (*keep)(struct etcore_text, struct coreml_plan *))
{
	struct etcore_text text = { "", 0 };
	char *owned = NULL;

	if (value.kind == PYJSON_STRING && pyjson_string(value, &text, &owned) == ETCORE_OK &&
	    text.len > 0)
		keep(text, plan);
	free(owned);
}

static void keep_preferred(struct etcore_text text, struct coreml_plan *plan)
{
	plan->preferred = unit_of(text);
}

static void keep_supported(struct etcore_text text, struct coreml_plan *plan)
{
	plan->supported[unit_of(text)] = true;
}

static void read_object(struct pyjson_value object, struct coreml_plan *plan)
{
	struct pyjson_value value, unit;
	uint64_t at = 0;

	if (pyjson_get(object, "operatorName", &value) == ETCORE_OK)
		read_string(value, plan, keep_operator);
	if (pyjson_get(object, "preferredComputeUnit", &value) == ETCORE_OK)
		read_string(value, plan, keep_preferred);
	if (pyjson_get(object, "estimatedCost", &value) == ETCORE_OK && value.kind == PYJSON_NUMBER)
		plan->has_cost = pyjson_f64(value, &plan->cost) == ETCORE_OK && plan->cost >= 0.0;
	if (pyjson_get(object, "supportedComputeUnits", &value) == ETCORE_OK &&
	    value.kind == PYJSON_ARRAY) {
		plan->lists_units = true;
		while (pyjson_element(value, &at, &unit))
			read_string(unit, plan, keep_supported);
	}
}

/* Reads the name of the operator from an id of the form "first_output:operator". */
static void read_id(struct etcore_text id, struct coreml_plan *plan)
{
	uint64_t at = id.len;

	while (at > 0 && id.ptr[at - 1] != ':')
		at--;
	if (at > 1 && at < id.len)
		keep_operator((struct etcore_text){ id.ptr + at, id.len - at }, plan);
}

bool coreml_plan_read(const struct etcore_event *event, struct coreml_plan *plan)
{
	struct pyjson doc;

	memset(plan, 0, sizeof *plan);
	if (event->metadata && event->samples > 0 &&
	    pyjson_load(&doc, event->metadata[0]) == PYJSON_OK) {
		if (doc.root.kind == PYJSON_OBJECT)
			read_object(doc.root, plan);
		pyjson_release(&doc);
	}
	if (!plan->operator_name[0])
		read_id(event->delegate_name, plan);
	return plan->operator_name[0] || plan->preferred || plan->lists_units || plan->has_cost;
}

/* Returns the main compute unit (such as the CPU) of a call. If `by_cost` is true (every operator
 * has a cost), it is the unit with the largest sum of costs; otherwise it is the unit that is
 * preferred for most operators. */
static enum coreml_unit most_of(const double *cost, const uint32_t *number, bool by_cost)
{
	enum coreml_unit best = UNIT_NONE;

	for (int u = UNIT_NE; u < UNIT_COUNT; u++)
		if (number[u] > 0 &&
		    (!best || (by_cost ? cost[u] > cost[best] : number[u] > number[best])))
			best = (enum coreml_unit)u;
	return best;
}

void coreml_summarize(const struct etcore_call *call, struct coreml_summary *out)
{
	double cost[UNIT_COUNT] = { 0 };
	uint32_t cannot[UNIT_COUNT] = { 0 }, number[UNIT_COUNT] = { 0 };
	bool by_cost = true;

	*out = (struct coreml_summary){ 0 };
	for (uint32_t i = 0; i < call->count; i++) {
		struct coreml_plan plan;

		if (!(call->events[i]->flags & ETCORE_EVENT_DELEGATE) ||
		    !coreml_plan_read(call->events[i], &plan) || !plan.preferred)
			continue;
		by_cost = by_cost && plan.has_cost;
		cost[plan.preferred] += plan.cost;
		number[plan.preferred]++;
		out->operators++;
		for (int u = UNIT_NE; u < UNIT_COUNT; u++)
			cannot[u] += plan.lists_units && !plan.supported[u];
	}
	out->main = most_of(cost, number, by_cost);
	if (out->main) {
		out->leave = out->operators - number[out->main];
		out->cannot = cannot[out->main];
	}
}

void coreml_unit_text(const struct coreml_plan *plan, enum coreml_unit main, char *text,
                      size_t size)
{
	const char *could = "";

	if (!plan->preferred || !main || plan->preferred == main) {
		snprintf(text, size, "%s", units[plan->preferred]);
		return;
	}
	if (plan->lists_units)
		could = plan->supported[main] ? " could" : " cannot";
	snprintf(text, size, "%s (%s%s%s)", units[plan->preferred], *could ? "" : "not ",
	         units[main], could);
}
