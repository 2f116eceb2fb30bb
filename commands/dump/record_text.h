/* record_text.h -- writes an ETRecord as text for `etcore dump`. Texts from the file are quoted
 * as in etdump_text.h. */
#ifndef ETC_COMMANDS_DUMP_RECORD_TEXT_H
#define ETC_COMMANDS_DUMP_RECORD_TEXT_H

#include "base/text.h"
#include "model/record.h"

/* One entry of the record's zip archive. */
struct etc_view_entry {
	struct etc_str name;
	/* bytes: size of the unpacked entry; packed: its size in the file */
	uint64_t bytes, packed;
	uint32_t crc;
	const char *method; /* name of the compression method: "stored" */
	const char *use;    /* role of the entry in the record, such as "graph"; or "unknown" */
};

void etc_view_entry_head(struct etc_text *out);
void etc_view_entry(size_t index, const struct etc_view_entry *entry, struct etc_text *out);

/* Writes the record's maps of debug handles, delegates and numbers of outputs, as the file has
 * them: a map may be missing, null, or have an entry per method. */
void etc_view_record_maps(const struct etc_record *r, struct etc_text *out);
void etc_view_record_graphs(const struct etc_record *r, struct etc_text *out);

/* Writes types and shapes of reference outputs or representative inputs, but not their elements. */
void etc_view_record_blob(const char *name, const struct etc_record_blob *b, struct etc_text *out);

/* Returns the name of an enum etc_graph_kind, such as "edge". */
const char *etc_view_graph_kind(unsigned kind);

/* Returns the word for an enum etc_ref_kind, such as "tensor". */
const char *etc_view_ref_kind(unsigned kind);

/* Returns a text for an enum etc_record_values. */
const char *etc_view_values_state(unsigned state);

#endif
