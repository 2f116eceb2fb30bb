/* declared.h -- makes the columns that plugins and the configuration's sections [backend.ID]
 * declare. The type of a column follows from its declaration only, never from its values. */
#ifndef ETC_COMMANDS_ANALYZE_DECLARED_H
#define ETC_COMMANDS_ANALYZE_DECLARED_H

#include "base/map.h"
#include "model/facts.h"
#include "table/table.h"

/* The columns of one table, each name once. Declared columns come first. Columns that are found
 * only in the data follow, in the order of their first appearance. These are undeclared columns,
 * and columns of declared families such as "acme.*". */
struct etc_declared_columns {
	const struct etc_declared *all;
	uint32_t count; /* length of `all` */
	struct etc_map at;
	/* true: a row of the table stands for several events, and a value is aggregated over them;
	 * false: a value is that of one event */
	bool of_rows;
	struct etc_arena *arena;
};

/* Starts the list of a table's columns with the columns that the owners of the dump's calls
 * declare. Families such as "acme.*" are left out. False: out of memory. */
bool etc_declared_begin(struct etc_declared_columns *d, const struct etc_declared *all,
                        uint32_t count, bool of_rows, struct etc_arena *arena);
/* Adds a column found in the data. False: out of memory. */
bool etc_declared_meet(struct etc_declared_columns *d, struct etc_str name);

/* Writes the columns of the list, d->at.count in number, to `to`. False: out of memory. */
bool etc_declared_columns(const struct etc_declared_columns *d, struct etc_column *to);

/* Writes to `to` the declared columns that no owner in this analysis uses, and returns their
 * number; UINT32_MAX: out of memory. The table does not have these columns, but --columns accepts
 * their names; the member `typed` (table/table.h) says so. `to` must have room for all declared
 * columns. */
uint32_t etc_declared_elsewhere(const struct etc_declared *all, uint32_t count,
                                struct etc_column *to, struct etc_arena *arena);

/* Returns a value as a cell of its column. The cell's kind is UINT8_MAX if out of memory. */
struct etc_cell etc_declared_cell(const struct etc_column *column, const struct etc_datum *d,
                                  struct etc_arena *arena);

#endif
