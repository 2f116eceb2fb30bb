/* etrecord_reader.h -- what the files of the ETRecord reader share; not for other code. */
#ifndef ETC_FORMATS_ETRECORD_ETRECORD_READER_H
#define ETC_FORMATS_ETRECORD_ETRECORD_READER_H

#include "base/grow.h"
#include "formats/etrecord/etrecord.h"
#include "formats/container/json.h"
#include "formats/container/zip.h"

/* Estimates how many members a container has. Assumes that the other members are as long, on
 * average, as the `count` members before `now`. The result is at most `most`. Callers estimate
 * once, after ETC_GROW_SAMPLE members. */
enum { ETC_GROW_SAMPLE = 256 };
uint32_t etc_grow_estimate(const struct etc_json_value *container, const struct etc_json_value *now,
                           uint32_t count, size_t most);

struct etc_record_reader {
	struct etc_zip zip;
	struct etc_arena *arena;
	struct etc_notes *notes;
	struct etc_record *out;
	uint32_t want;
};

/* --- one reader per ETRecord version (etrecord_v0.c) ------------------------ */

enum etc_status etc_record_read_v0(struct etc_record_reader *r, struct etc_error *err);

/* --- functions that the readers of all versions use ------------------------- */

/* Sets `*text` to the text of a JSON entry as UTF-8, and `*room` to the number of readable bytes
 * after it. */
enum etc_status etc_record_text(struct etc_record_reader *r, const struct etc_zip_entry *e,
                                struct etc_str *text, size_t *room, struct etc_error *err);

/* Opens an entry as JSON; close the document even after a failure. */
enum etc_status etc_record_json(struct etc_record_reader *r, const struct etc_zip_entry *e,
                                struct etc_json **doc, struct etc_error *err);

/* Reads the maps that the archive contains (etrecord_maps.c). */
enum etc_status etc_record_read_maps(struct etc_record_reader *r, struct etc_error *err);

/* Reads the nodes of one graph; faults are stored in the graph itself. Fails only if out of
 * memory (etrecord_graph.c). */
enum etc_status etc_record_read_graph(struct etc_record_reader *r, const struct etc_zip_entry *e,
                                      struct etc_graph *g, struct etc_error *err);

/* Reads reference_outputs and representative_inputs. Errors in these entries are stored in struct
 * etc_record_blob and reported as notes; the function fails only if out of memory
 * (etrecord_values.c). */
enum etc_status etc_record_read_values(struct etc_record_reader *r, struct etc_error *err);

/* Reads a JSON value, of any type, where debug handles are expected. Sets `*odd` if the value is
 * not an integer, a list of integers or null. False: out of memory, or the document is damaged. */
bool etc_record_handles(struct etc_arena *arena, const struct etc_json_value *v,
                        struct etc_handles *out, bool *odd);

/* Stores why the Inspector would refuse the record, unless an earlier reason is stored already. */
void etc_record_refuse(struct etc_record_reader *r, enum etc_code code, const char *fmt, ...)
	ETC_PRINTF(3, 4);

#endif
