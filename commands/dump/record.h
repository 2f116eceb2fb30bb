/* record.h -- declarations that the files of `etcore dump` for an ETRecord share. */
#ifndef ETC_COMMANDS_DUMP_RECORD_H
#define ETC_COMMANDS_DUMP_RECORD_H

#include "base/error.h"
#include "model/graph_line.h"
#include "formats/container/zip.h"
#include "table/emit.h"

struct etc_dump_record {
	struct etc_record record;
	struct etc_zip zip;
	/* the graph of --graph; `lines` are the lines of that graph */
	const struct etc_graph *graph;
	struct etc_graph_lines lines;
	struct etc_drawing *drawing; /* the drawing, for -o dot and -o svg; else NULL */
};

/* These functions write members of the record's JSON object (record.c): the maps, the graphs
 * without their nodes, and the values by type and shape. If the file does not have a map, the map's
 * member is left out. */
void etc_dump_record_maps(const struct etc_record *r, struct etc_emit *e);
void etc_dump_record_graphs(const struct etc_record *r, struct etc_emit *e);
void etc_dump_record_values(const struct etc_record *r, struct etc_emit *e);

/* Writes the member `name` as {"code": ..., "text": ...}: the error that ExecuTorch's Python code
 * raises for the record or graph. If `code` is 0, writes null. */
void etc_dump_refusal(struct etc_emit *e, const char *name, uint32_t code, struct etc_str why);

/* --graph (graph.c). Finds and reads the graph called `name`; "" is the edge program that the
 * Inspector uses. E0521: no such graph. E0404, E0905. */
enum etc_status etc_dump_graph_read(struct etc_dump_record *c, const char *name,
                                    struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;
void etc_dump_graph_text(const struct etc_dump_record *c, struct etc_text *out);
void etc_dump_graph_json(const struct etc_dump_record *c, struct etc_emit *e);

#endif
