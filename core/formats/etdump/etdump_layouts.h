/* etdump_layouts.h -- the layouts that the ExecuTorch runtime gives to the tables of an ETDump.
 * They replace the vtables that a truncated file has lost.
 *
 * ETDumpGen adds the fields of a table in a fixed order and omits fields that have their default
 * value. So its vtables follow a rule: each field has the next free offset that is aligned to its
 * size, and the table ends after the last field. Source: devtools/etdump/etdump_flatcc.cpp of
 * pytorch/executorch, builder.c of flatcc. */
#ifndef ETC_FORMATS_ETDUMP_ETDUMP_LAYOUTS_H
#define ETC_FORMATS_ETDUMP_ETDUMP_LAYOUTS_H

#include "formats/etdump/etdump_reader.h"

enum { ETC_RUNTIME_LAYOUTS = 32 };

struct etc_runtime_layout {
	struct etc_fb_layout layout; /* its member `vtable` is not set */
	uint16_t vtable_bytes;
	uint8_t align; /* alignment of the first field: 4 or 8 */
	uint64_t gaps; /* bit i: byte i of the table is padding, and 0 */
};

/* Sets `out` to all different layouts that a table of this type can have. Returns their number. */
unsigned etc_runtime_layouts(enum table_type type,
                             struct etc_runtime_layout out[ETC_RUNTIME_LAYOUTS]);

/* Writes the vtable of `l` in the form that it has in a file; returns its length. */
size_t etc_runtime_vtable(const struct etc_runtime_layout *l, uint8_t out[4 + 2 * ETC_FB_FIELDS]);

/* --- targets of fields -------------------------------------------------------------- */

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
	uint8_t kind; /* enum etc_member_kind */
	/* TABLE, TABLES: enum table_type of the table or tables that the field leads to */
	uint8_t child;
	int8_t absent; /* NUMBER: the default value; the runtime does not write a field that has
	                * this value */
};

extern const struct etc_member etc_etdump_members[TABLE_TYPES][ETC_FB_FIELDS];

#endif
