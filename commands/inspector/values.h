/* values.h -- writes values that events logged, and nodes of the graph, as JSON or as Python prints
 * them. */
#ifndef ETC_COMMANDS_INSPECTOR_VALUES_H
#define ETC_COMMANDS_INSPECTOR_VALUES_H

#include "inspector/inspector.h"

enum etc_insp_style { ETC_INSP_JSON, ETC_INSP_PYTHON };

/* Appends the separator between two items of a list, unless item `i` is the first. */
static inline void etc_insp_comma(struct etc_text *t, uint32_t i)
{
	if (i)
		etc_text_put(t, ETC_STR(", "));
}

/* Write a string, a float, a bool, and None or null. JSON has "nan", "inf" and "-inf" for floats
 * that it cannot represent. */
void etc_insp_put_str(struct etc_text *t, enum etc_insp_style style, struct etc_str s);
void etc_insp_put_real(struct etc_text *t, enum etc_insp_style style, double v);
void etc_insp_put_bool(struct etc_text *t, enum etc_insp_style style, bool v);
void etc_insp_put_none(struct etc_text *t, enum etc_insp_style style);

/* Writes a tensor as JSON: {"dtype", "shape", "sha256"}. `digest` NULL: its bytes cannot be
 * read. */
void etc_insp_put_tensor(struct etc_text *t, struct etc_str dtype, const int64_t *sizes,
                         uint32_t rank, const uint8_t *digest);

/* Writes a list of values. In the style of Python, a tensor is "float32[1,2] SHA-256". */
void etc_insp_put_values(struct etc_text *t, enum etc_insp_style style,
                         const struct etc_insp_value *v, uint32_t count);

/* Writes the event's times in all runs of the event block as a list: PerfData.raw of the
 * Inspector's class Event. */
void etc_insp_put_raw(struct etc_text *t, enum etc_insp_style style, const struct etc_inspector *in,
                      const struct etc_insp_block *b, const struct etc_insp_event *e);

/* Writes an event's stack traces, or module hierarchies, by name of the node. Names of nodes get a
 * trailing '_' (FXOperatorGraph._get_node_name). */
void etc_insp_put_nodes(struct etc_text *t, enum etc_insp_style style,
                        const struct etc_insp_event *e, bool modules);

/* etc_insp_reference() returns the test case of the record's reference outputs that belongs to the
 * block; NULL: none. etc_insp_put_reference() writes it as JSON. */
const struct etc_ref_value *etc_insp_reference(const struct etc_inspector *in,
                                               const struct etc_insp_block *b);
void etc_insp_put_reference(struct etc_text *t, const struct etc_inspector *in,
                            const struct etc_insp_block *b);

#endif
