/* etrecord_reader.h -- what the parts of the ETRecord reader share. */
#ifndef ETC_READ_ETRECORD_READER_H
#define ETC_READ_ETRECORD_READER_H

#include "formats/etrecord/etrecord.h"
#include "formats/container/json.h"
#include "formats/container/zip.h"

/* An array that grows in an arena; what it leaves behind is at most as much
 * again. */
struct etc_grow {
	void *items;
	uint32_t count, room;
};

/* The next free item, zeroed, or NULL when memory is exhausted. */
void *etc_grow_add(struct etc_arena *arena, struct etc_grow *g, size_t size, size_t align);

/* Makes room for `room` items in all. False: memory is exhausted. */
bool etc_grow_reserve(struct etc_arena *arena, struct etc_grow *g, size_t size, size_t align,
                      uint32_t room);

/* How many members a container will have, of which `count` stand before `now`, if the others
 * are as long as those; at most `most`. */
enum { ETC_GROW_SAMPLE = 256 };
uint32_t etc_grow_estimate(const struct etc_json_value *container, const struct etc_json_value *now,
                           uint32_t count, size_t most);

#define ETC_GROW(arena, grow, type) \
	((type *)etc_grow_add((arena), (grow), sizeof(type), alignof(type)))

struct etc_record_reader {
	struct etc_zip zip;
	struct etc_arena *arena;
	struct etc_notes *notes;
	struct etc_record *out;
	uint32_t want;
};

/* --- generations (etrecord_v0.c) -------------------------------------------- */

enum etc_status etc_record_read_v0(struct etc_record_reader *r, struct etc_error *err);

/* --- pieces ----------------------------------------------------------------- */

/* The text of a JSON entry as UTF-8, with `*room` readable bytes behind it. */
enum etc_status etc_record_text(struct etc_record_reader *r, const struct etc_zip_entry *e,
                                struct etc_str *text, size_t *room, struct etc_error *err);

/* Opens an entry as JSON; close the document in any case. */
enum etc_status etc_record_json(struct etc_record_reader *r, const struct etc_zip_entry *e,
                                struct etc_json **doc, struct etc_error *err);

/* The three maps, as far as they are there (etrecord_maps.c). */
enum etc_status etc_record_read_maps(struct etc_record_reader *r, struct etc_error *err);

/* Nodes of one graph; what is wrong with it goes into the graph itself.
 * Fails only for lack of memory (etrecord_graph.c). */
enum etc_status etc_record_read_graph(struct etc_record_reader *r, const struct etc_zip_entry *e,
                                      struct etc_graph *g, struct etc_error *err);

/* Reads reference_outputs and representative_inputs. Errors in them are stored in the
 * blobs and the notes; fails only if out of memory (etrecord_values.c). */
enum etc_status etc_record_read_values(struct etc_record_reader *r, struct etc_error *err);

/* Any JSON value that may hold debug handles. False: memory is exhausted or
 * the document damaged. `*odd` is set if it is not an integer, a list of
 * integers or null. */
bool etc_record_handles(struct etc_arena *arena, const struct etc_json_value *v,
                        struct etc_handles *out, bool *odd);

/* Notes why the Inspector would refuse the record; the first reason stays. */
void etc_record_refuse(struct etc_record_reader *r, enum etc_code code, const char *fmt, ...)
	ETC_PRINTF(3, 4);

#endif
