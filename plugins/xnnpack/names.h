/* names.h -- parses XNNPACK's profiling names.
 *
 * ExecuTorch's XNNProfiler logs XNNPACK's own name of every operator:
 *
 *     event    := operator [ " " kernel ] " #" ordinal
 *     operator := words " (" [ layout ] { ", " type } ")"
 *               | "Invalid" [ " Unary Op" | " Binary Op" ]
 *
 * as xnn_operator_type_to_string_v2 and runtime.c of XNNPACK write it. The kernel is missing if the
 * micro-kernel is of the default type. The ordinal counts the events of one delegate call whose
 * names are equal apart from it. Names of all releases have this grammar. */
#ifndef PLUGINS_XNNPACK_NAMES_H
#define PLUGINS_XNNPACK_NAMES_H

#include <etcore/plugin.h>
#include <stdbool.h>

/* The parts of a name, as views into it. */
struct xnnpack_name {
	struct etcore_text display;       /* everything except " #n" */
	struct etcore_text operator_name; /* the words before " (": "Fully Connected" */
	struct etcore_text layout;        /* the layout: "NHWC"; empty: none given */
	/* the types of the operands: "QD8, F32, QC4W"; empty: none given */
	struct etcore_text types;
	/* the kind of micro-kernel: "IGEMM"; empty: the default kind */
	struct etcore_text kernel;
	/* number of the event among those of the call with an equal text, from 1 */
	int64_t ordinal;
};

/* Parses a name into `name`. Returns false if the text is not a name of XNNPACK's. */
bool xnnpack_name_parse(struct etcore_text text, struct xnnpack_name *name);

/* The two steps of xnnpack_name_parse(): xnnpack_name_take_ordinal() parses the ordinal and removes
 * it from `*text`. The function after it parses the rest, and sets name->ordinal to 0. */
bool xnnpack_name_take_ordinal(struct etcore_text *text, int64_t *ordinal);
bool xnnpack_name_parse_rest(struct etcore_text text, struct xnnpack_name *name);

/* Does the name have a form that only XNNPACK's names have? True if it has a layout such as NHWC,
 * or if its first type is a type such as X8, or if it has neither a layout nor types. */
bool xnnpack_name_is_typical(const struct xnnpack_name *name);

#endif
