/* names.h -- parses XNNPACK's profiling names.
 *
 * ExecuTorch's XNNProfiler logs XNNPACK's own name of every operator:
 *
 *     event    := operator [ " " kernel ] " #" ordinal
 *     operator := words " (" [ layout ] { ", " type } ")"
 *               | "Invalid" [ " Unary Op" | " Binary Op" ]
 *
 * as written by xnn_operator_type_to_string_v2 and runtime.c. The kernel is given unless the
 * micro-kernel is of the default type; the ordinal counts equal texts within one delegate call.
 * Names of newer and older releases have the same grammar. */
#ifndef PLUGINS_XNNPACK_NAMES_H
#define PLUGINS_XNNPACK_NAMES_H

#include <etcore/plugin.h>
#include <stdbool.h>

/* Views into the name. */
struct xnnpack_name {
	struct etcore_text display;       /* everything except " #n" */
	struct etcore_text operator_name; /* the words before " (": "Fully Connected" */
	struct etcore_text layout;        /* the layout: "NHWC"; empty: none given */
	/* the types of the operands: "QD8, F32, QC4W"; empty: none given */
	struct etcore_text types;
	/* the kind of micro-kernel: "IGEMM"; empty: the default kind */
	struct etcore_text kernel;
	int64_t ordinal; /* number among equal texts of the call, from 1 */
};

/* Parses a name into `name`. Returns false if the text is not a name of XNNPACK's. */
bool xnnpack_name_parse(struct etcore_text text, struct xnnpack_name *name);

/* The two steps of xnnpack_name_parse(): xnnpack_name_take_ordinal() parses the ordinal and removes
 * it from `*text`. The function after it parses the rest, and sets name->ordinal to 0. */
bool xnnpack_name_take_ordinal(struct etcore_text *text, int64_t *ordinal);
bool xnnpack_name_parse_rest(struct etcore_text text, struct xnnpack_name *name);

/* Does the name have a form that only XNNPACK's names have? Either it has a layout such as NHWC, or
 * its first type is one such as X8, or it has neither layout nor types. */
bool xnnpack_name_is_typical(const struct xnnpack_name *name);

#endif
