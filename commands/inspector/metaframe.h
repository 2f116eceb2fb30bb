/* metaframe.h -- makes the columns of delegate metadata, which are next to those of the frame
 * (frame.h). They are the result of pd.DataFrame(list of Series) for the answers of the parsers. */
#ifndef ETC_COMMANDS_INSPECTOR_METAFRAME_H
#define ETC_COMMANDS_INSPECTOR_METAFRAME_H

#include "commands/inspector/frame.h"

struct etc_metacell;

struct etc_metaframe {
	const struct etc_inspector *in;
	struct etc_str *names; /* names of the columns, in the order of their first appearance */
	uint32_t column_count;
	/* for each block, its cells: one row of column_count cells for each event; NULL: the block
	 * has no metadata */
	struct etc_metacell **cells;
};

/* Makes the columns and all cells. E0823: a parser reported damage. E0904. */
enum etc_status etc_metaframe_make(struct etc_inspector *in, struct etc_metaframe **out,
                                   struct etc_error *err) ETC_MUST_CHECK;

struct etc_frame_cell etc_metaframe_cell(const struct etc_metaframe *m, uint32_t block,
                                         uint32_t event, uint32_t column);
void etc_metaframe_text(const struct etc_metaframe *m, uint32_t block, uint32_t event,
                        uint32_t column, struct etc_text *t);

#endif
