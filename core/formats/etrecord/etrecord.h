/* etrecord.h -- reads an ETRecord: the graphs and maps that the exporter recorded.
 *
 * An ETRecord is a zip archive with a marker entry ("ETRECORD_V0"), three JSON maps, one JSON graph
 * per recorded program and blobs of weights. Every version since 2023 is read; docs/formats.md has
 * their differences. Only the entries that the query needs are read; weights are never read. If one
 * part is damaged, the others are still read. A fault at which the Inspector would raise an
 * exception is stored (inspector_refuses).
 *
 * Schema: devtools/etrecord/_etrecord.py and exir/serde/schema.py in pytorch/executorch. */
#ifndef ETC_FORMATS_ETRECORD_ETRECORD_H
#define ETC_FORMATS_ETRECORD_ETRECORD_H

#include "base/notes.h"
#include "model/record.h"

/* What etc_etrecord_read() reads of a record; bits of its argument `want`. */
enum {
	/* the three maps (of debug handles, of delegates and of numbers of outputs), and the id of
	 * the exported graph */
	ETC_RECORD_MAPS = 1,
	ETC_RECORD_EDGE = 2,   /* nodes of the edge dialect programs */
	ETC_RECORD_GRAPHS = 4, /* nodes of every graph */
	/* finds every fault at which the Inspector would raise an exception; this reads the nodes
	 * of all graphs except the exported one */
	ETC_RECORD_INSPECTOR = 8,
	ETC_RECORD_VALUES = 16, /* reference outputs and representative inputs */
	ETC_RECORD_ALL = 31,
	/* The origins of nodes (source line, modules) are read later, on demand, by
	 * etc_node_origin(), and not by etc_etrecord_read(). */
	ETC_RECORD_LATER = 32,
	/* together with EDGE: also the tensors of the edge programs' graphs */
	ETC_RECORD_FLOWS = 64
};

/* Fills `*out`. `file` must stay mapped while `*out` is used: text points into it. Faults that
 * leave the record readable go to `notes` (W0410 to W0419, W0427, N0428, W0437).
 *
 *   E0401 not an ETRecord          E0402 a newer ETRecord
 *   E0403 truncated                E0404 damaged archive or entry
 *   E0405 encrypted, or an unknown compression
 *   E0406 damaged JSON in a map    E0407, E0408 larger or deeper than allowed
 *   E0904 out of memory            E0905 budget of the arena exhausted */
enum etc_status etc_etrecord_read(struct etc_span file, uint32_t want, struct etc_arena *arena,
                                  struct etc_notes *notes, struct etc_record *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif
