/* plan.h -- where Core ML's compute plan would run an operator.
 *
 * The metadata names the unit that the plan prefers (NE, the Neural Engine; GPU;
 * CPU) and those that can run the operator. Preferred is not proof of where it
 * ran, but an operator that leaves the unit of its neighbours is what people
 * look for. */
#ifndef PLUGINS_COREML_PLAN_H
#define PLUGINS_COREML_PLAN_H

#include <etcore/plugin.h>
#include <stdbool.h>

enum coreml_unit { UNIT_NONE, UNIT_NE, UNIT_GPU, UNIT_CPU, UNIT_COUNT };

struct coreml_plan {
	char operator_name[64];     /* "conv", without the opset; empty: unknown */
	enum coreml_unit preferred; /* UNIT_NONE: unknown */
	bool lists_units;           /* supported[] was given */
	bool supported[UNIT_COUNT];
	bool has_cost;
	double cost; /* share of the whole model */
};

/* Reads the first run's metadata, else the "output:operator" of the id. False: neither is
 * usable. */
bool coreml_plan_read(const struct etcore_event *event, struct coreml_plan *plan);

/* The plan's summary of a whole call. */
struct coreml_summary {
	enum coreml_unit main; /* preferred for most of it: by cost where every operator has one */
	uint32_t operators;    /* with a preferred unit */
	uint32_t leave;        /* of these: prefer another than `main` */
	uint32_t cannot;       /* list their units, `main` not among them */
};

void coreml_summarize(const struct etcore_call *call, struct coreml_summary *out);

/* "NE", or how the operator leaves the main unit: "CPU (NE cannot)", "GPU (NE could)". */
void coreml_unit_text(const struct coreml_plan *plan, enum coreml_unit main, char *text,
                      size_t size);

/* "NE", "GPU", "CPU" or "". */
const char *coreml_unit_word(enum coreml_unit unit);

/* A word of docs/columns.md for an operator of Core ML's MIL; NULL: none. */
const char *coreml_category(const char *operator_name);

#endif
