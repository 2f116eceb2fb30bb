/* drawing.h -- `etcore dump --graph -o dot|svg`: the graph as a drawing, coloured by time with
 * --times. */
#ifndef ETC_COMMANDS_DUMP_DRAWING_H
#define ETC_COMMANDS_DUMP_DRAWING_H

#include "commands/dump/dump.h"
#include "commands/dump/record.h"

/* Times of the graph's nodes. */
struct etc_drawing {
	struct etc_map at;   /* FX name -> index in `time` */
	const double *time;  /* time of each node in `unit`, -1: unknown; NULL: no --times */
	double most, whole;  /* most: the largest of `time`; whole: the time of the run */
	double sum;          /* sum of the known times in `time` */
	const char *unit;    /* unit of `time`: "\xc2\xb5s" (µs), "cycles" */
	struct etc_text svg; /* the drawing as SVG, for -o svg */
};

/* Reads the dump of --times into c->drawing; with `svg` also runs graphviz. E0580 no times for this
 * graph, E0581 graphviz is missing or failed, and errors of reading dumps. */
enum etc_status etc_drawing_make(struct etc_dump *d, struct etc_dump_record *c, bool svg,
                                 struct etc_error *err) ETC_MUST_CHECK;
void etc_drawing_dot(const struct etc_dump_record *c, struct etc_text *out);

#endif
