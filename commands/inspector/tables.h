/* tables.h -- the Inspector's event blocks as tables of the library (context/kept.h), for
 * programs that reimplement the Python class. */
#ifndef ETC_COMMANDS_INSPECTOR_TABLES_H
#define ETC_COMMANDS_INSPECTOR_TABLES_H

#include "commands/inspector/inspector.h"
#include "context/kept.h"
#include "context/session.h"
#include "inspector/inspector.h"

/* Indices of the tables of an answer; the numbers are those of ETCORE_TABLE_*. */
enum {
	ETC_INSP_BLOCKS = 7,
	ETC_INSP_EVENTS,
	ETC_INSP_SAMPLES,
	ETC_INSP_VALUES,
	ETC_INSP_TABLES_END,
	ETC_INSP_TABLES = ETC_INSP_TABLES_END - ETC_INSP_BLOCKS
};

/* The forms of columns in *_columns.def. */
#define ETC_INSP_FORM_TEXT         .cell = ETC_CELL_TEXT
#define ETC_INSP_FORM_INT          .cell = ETC_CELL_INT
#define ETC_INSP_FORM_UINT         .cell = ETC_CELL_UINT
#define ETC_INSP_FORM_REAL         .cell = ETC_CELL_REAL
#define ETC_INSP_FORM_BOOL         .cell = ETC_CELL_BOOL
#define ETC_INSP_FORM_BYTES        .cell = ETC_CELL_BYTES
#define ETC_INSP_FORM_SIZE         .cell = ETC_CELL_UINT, .unit = "bytes"
#define ETC_INSP_FORM_LIST_OF_TEXT .cell = ETC_CELL_LIST, .items = ETC_CELL_TEXT
#define ETC_INSP_FORM_LIST_OF_INT  .cell = ETC_CELL_LIST, .items = ETC_CELL_INT

/* Everything that one execution of `etcore inspector` reads and computes. */
struct etc_insp_kept {
	struct etc_kept kept;
	struct etc_inspector_options options;
	struct etc_session session;
	struct etc_record record;
	struct etc_trace trace;
	struct etc_inspector in;

	struct etc_typed_table tables[ETC_INSP_TABLES];
	bool is_prepared; /* the first table has been made: the following members are set */
	/* row, in the table of events, of each block's first event; the last of the block_count + 1
	 * entries is the number of events */
	const uint32_t *first_event;
	/* row, in the table of samples, of each event's first sample; the last entry is the number
	 * of samples */
	const uint32_t *first_sample;
	/* rich[event]: the members that only some events have; NULL: this event has none. `rich`
	 * itself is NULL if no event has any. */
	const struct etc_insp_rich *const *rich;
	/* The row, in the table of values, of each block's first run_output and first reference
	 * output, and of each event's first value. first_value is NULL if no event has a value. */
	uint32_t *first_output, *first_reference, *first_value;
	struct etc_insp_item *items;
	uint32_t item_count, item_room;
	/* number of items of lists of reference outputs that were visited so far. It is limited,
	 * since a list may contain itself */
	uint32_t referred;
};

/* The values of an event that only some events have, as cells of tables. */
struct etc_insp_rich {
	struct etc_cell op_types, debug_handles; /* a LIST, or blank */
	struct etc_str stack_traces, module_hierarchy;
	struct etc_str as_json;
};

/* Implements etc_kept_kind.make: makes table `which`. The tables are numbered from ETC_INSP_BLOCKS.
 * E0904. */
enum etc_status etc_insp_make_table(struct etc_kept *kept, uint32_t which,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* Sets *out to a cell with the list of `items`; blank if there are none. `items` NULL: E0904. */
enum etc_status etc_insp_make_list(struct etc_inspector *in, struct etc_cell *items, uint32_t count,
                                   struct etc_cell *out, struct etc_error *err) ETC_MUST_CHECK;

/* values_table.c: makes the rows of the table of values, then reads their contents. E0904. */
enum etc_status etc_insp_find_items(struct etc_insp_kept *k, struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_insp_load_items(struct etc_insp_kept *k, struct etc_error *err) ETC_MUST_CHECK;
enum { ETC_INSP_VALUE_COLUMNS = 15 };
extern const struct etc_column etc_insp_value_columns[];
etc_column_maker_fn etc_insp_fill_items;

bool etc_insp_has_reference(const struct etc_insp_kept *k, uint32_t block);

#endif
