/* drawing.h -- `etcore dump --graph -o dot|svg`: writes the graph as a drawing. With --times, nodes
 * are coloured by time. */
#ifndef ETC_COMMANDS_DUMP_DRAWING_H
#define ETC_COMMANDS_DUMP_DRAWING_H

#include "commands/dump/dump.h"
#include "commands/dump/record.h"

/* The drawing of a graph, and the times of its nodes. */
struct etc_drawing {
	struct etc_map at;   /* maps the FX name of a node to its index in `time` */
	const double *time;  /* time of each node in `unit`, -1: unknown; NULL: no --times */
	double most, whole;  /* most: the largest value in `time`; whole: the time of the run */
	double sum;          /* sum of the known times in `time` */
	const char *unit;    /* unit of `time`: "\xc2\xb5s" (µs), "cycles" */
	struct etc_text svg; /* the drawing as SVG, for -o svg */
};

/* Reads the dump of --times into c->drawing. If `svg` is set, also runs graphviz. E0580: the dump
 * has no times for this graph. E0581: graphviz is missing or failed. Also returns the errors of
 * reading dumps. */
enum etc_status etc_drawing_make(struct etc_dump *d, struct etc_dump_record *c, bool svg,
                                 struct etc_error *err) ETC_MUST_CHECK;
void etc_drawing_dot(const struct etc_dump_record *c, struct etc_text *out);

#endif
