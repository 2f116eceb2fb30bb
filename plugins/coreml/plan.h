/* plan.h -- the compute unit on which Core ML's compute plan would run an operator.
 *
 * The metadata has the unit that the plan prefers for an operator (NE, which is the Neural Engine;
 * GPU; CPU), and the units that can run the operator. This does not prove where the operator ran,
 * but shows operators for which another unit is preferred than for their neighbours. */
#ifndef PLUGINS_COREML_PLAN_H
#define PLUGINS_COREML_PLAN_H

#include <etcore/plugin.h>
#include <stdbool.h>

enum coreml_unit { UNIT_NONE, UNIT_NE, UNIT_GPU, UNIT_CPU, UNIT_COUNT };

struct coreml_plan {
	/* name of the operator, "conv", without the opset; empty: unknown */
	char operator_name[64];
	enum coreml_unit preferred; /* the unit that the plan prefers; UNIT_NONE: unknown */
	/* the metadata has a list of the units that can run the operator */
	bool lists_units;
	bool supported[UNIT_COUNT];
	bool has_cost;
	double cost; /* the operator's expected share of the time of the whole model */
};

/* Reads the metadata of the event's first sample. If the metadata do not contain the operator's
 * name, it is read from the event's id "output:operator". False: neither metadata nor id have the
 * name, the unit or the cost of the operator. */
bool coreml_plan_read(const struct etcore_event *event, struct coreml_plan *plan);

/* What the compute plan says about all operators of a call together. */
struct coreml_summary {
	/* the unit that is preferred for most operators; if the cost of every operator is known,
	 * the one with the largest sum of costs */
	enum coreml_unit main;
	uint32_t operators; /* number of operators for which a preferred unit is known */
	/* number of operators for which another unit than `main` is preferred */
	uint32_t leave;
	uint32_t cannot; /* number of operators that the unit `main` cannot run */
};

void coreml_summarize(const struct etcore_call *call, struct coreml_summary *out);

/* Writes the operator's preferred unit to `text`. If it is not the unit `main`, adds whether `main`
 * could run the operator: "CPU (NE cannot)", "GPU (NE could)". */
void coreml_unit_text(const struct coreml_plan *plan, enum coreml_unit main, char *text,
                      size_t size);

/* Returns the name of a unit: "NE", "GPU" or "CPU"; "" for UNIT_NONE. */
const char *coreml_unit_word(enum coreml_unit unit);

/* Returns the category (docs/columns.md) of an operator of Core ML's intermediate language (MIL);
 * NULL: unknown. */
const char *coreml_category(const char *operator_name);

#endif
