/* etdump_layouts.h -- which layouts the ExecuTorch runtime gives the tables of an
 * ETDump: for files whose vtables are lost.
 *
 * ETDumpGen adds the fields of a table in one fixed order and leaves out those that
 * have their default, so that its vtables follow from a rule: each field has the next
 * free place of its alignment, and the table ends behind the last one. Source:
 * devtools/etdump/etdump_flatcc.cpp of pytorch/executorch, builder.c of flatcc. */
#ifndef ETC_READ_ETDUMP_LAYOUTS_H
#define ETC_READ_ETDUMP_LAYOUTS_H

#include "formats/etdump/etdump_reader.h"

enum { ETC_RUNTIME_LAYOUTS = 32 };

struct etc_runtime_layout {
	struct etc_fb_layout layout; /* .vtable is not set */
	uint16_t vtable_bytes;
	uint8_t align; /* of the first field's place: 4 or 8 */
	uint64_t gaps; /* bit i: byte i of the table belongs to no field, and is 0 */
};

/* All that a table of this type can have, each once; returns how many. */
unsigned etc_runtime_layouts(enum table_type type,
                             struct etc_runtime_layout out[ETC_RUNTIME_LAYOUTS]);

/* The first `bytes` bytes of the vtable of `l`, as in a file. */
size_t etc_runtime_vtable(const struct etc_runtime_layout *l, uint8_t out[4 + 2 * ETC_FB_FIELDS]);

/* --- what a field leads to ---------------------------------------------------------- */

enum etc_member_kind {
	ETC_MEMBER_NONE,
	ETC_MEMBER_NUMBER,
	ETC_MEMBER_TEXT,
	ETC_MEMBER_BYTES,
	ETC_MEMBER_LONGS,
	ETC_MEMBER_TABLE,
	ETC_MEMBER_TABLES
};

struct etc_member {
	uint8_t kind;  /* enum etc_member_kind */
	uint8_t child; /* enum table_type of TABLE and TABLES */
	int8_t absent; /* default of NUMBER: such a field is not written */
};

extern const struct etc_member etc_etdump_members[TABLE_TYPES][ETC_FB_FIELDS];

#endif
