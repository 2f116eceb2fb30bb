/* record_text.h -- writes an ETRecord as text for `etcore dump`. Texts from the file are quoted
 * as in etdump_text.h. */
#ifndef ETC_COMMANDS_DUMP_RECORD_TEXT_H
#define ETC_COMMANDS_DUMP_RECORD_TEXT_H

#include "base/text.h"
#include "model/record.h"

/* One entry of the archive. */
struct etc_view_entry {
	struct etc_str name;
	uint64_t bytes, packed; /* size of the entry unpacked, and as packed in the file */
	uint32_t crc;
	const char *method; /* name of the compression method: "stored" */
	const char *use;    /* its role in the record: "graph"; "unknown" */
};

void etc_view_entry_head(struct etc_text *out);
void etc_view_entry(size_t index, const struct etc_view_entry *entry, struct etc_text *out);

/* Writes the three maps as in the file: missing, null, or by method. */
void etc_view_record_maps(const struct etc_record *r, struct etc_text *out);
void etc_view_record_graphs(const struct etc_record *r, struct etc_text *out);

/* Writes reference outputs or representative inputs: types and shapes, no elements. */
void etc_view_record_blob(const char *name, const struct etc_record_blob *b, struct etc_text *out);

/* The name of an enum etc_graph_kind: "edge", "exported", "extra". */
const char *etc_view_graph_kind(unsigned kind);

/* The word for an enum etc_ref_kind: "tensor", "list" ... */
const char *etc_view_ref_kind(unsigned kind);

/* Text for an enum etc_record_values. */
const char *etc_view_values_state(unsigned state);

#endif
