/* schema.h -- describes tables of a file by rows, one per field, and writes them as JSON.
 *
 * A row has the field's name in the format's schema and the member of the C struct that
 * contains it. A field that is no plain member has a function instead. */
#ifndef ETC_COMMANDS_DUMP_SCHEMA_H
#define ETC_COMMANDS_DUMP_SCHEMA_H

#include <stddef.h>

#include "table/emit.h"

/* clang-format off */
enum etc_field_type {
	ETC_FIELD_INT, ETC_FIELD_UINT, ETC_FIELD_BOOL, ETC_FIELD_REAL, /* numbers of `size` bytes */
	ETC_FIELD_TEXT,  /* struct etc_str */
	ETC_FIELD_CSTR,  /* const char * */
	ETC_FIELD_BYTES, /* struct etc_span, as hexadecimal digits */
	ETC_FIELD_PLACE, /* struct etc_span, as {"at": byte of the file, "size"} */
	ETC_FIELD_CONST, /* a constant text of the row; NULL: null */
	ETC_FIELD_TABLE, /* a struct inside the struct, or members of the same struct */
	ETC_FIELD_LINK,  /* a pointer to a struct */
	ETC_FIELD_LIST,  /* a pointer to structs, or to unaligned numbers of `size` bytes */
	ETC_FIELD_CALL,  /* a function; `name` may be NULL if it writes several members */
};

#define ETC_FIELD_TYPE(x) _Generic((x), \
	signed char: ETC_FIELD_INT, int: ETC_FIELD_INT, long: ETC_FIELD_INT, \
	long long: ETC_FIELD_INT, unsigned char: ETC_FIELD_UINT, unsigned: ETC_FIELD_UINT, \
	unsigned long: ETC_FIELD_UINT, unsigned long long: ETC_FIELD_UINT, \
	bool: ETC_FIELD_BOOL, float: ETC_FIELD_REAL, double: ETC_FIELD_REAL, \
	struct etc_str: ETC_FIELD_TEXT, const char *: ETC_FIELD_CSTR, \
	struct etc_span: ETC_FIELD_BYTES)

#define ETC_FIELD_AS(kind, T, json, member) \
	.name = json, .type = ETC_FIELD_##kind, .at = offsetof(T, member), \
	.size = sizeof(((T *)0)->member)

/* A field whose type is determined by the type of its member. */
#define ETC_FIELD(T, json, member) \
	.name = json, .type = ETC_FIELD_TYPE(((T *)0)->member), .at = offsetof(T, member), \
	.size = sizeof(((T *)0)->member)

#define ETC_FIELD_COUNTED(T, json, array, length) \
	.name = json, .type = ETC_FIELD_LIST, .at = offsetof(T, array), \
	.count = offsetof(T, length), .count_size = sizeof(((T *)0)->length)
#define ETC_FIELD_TABLES(T, json, array, length, schema) \
	ETC_FIELD_COUNTED(T, json, array, length), .of = &schema
#define ETC_FIELD_NUMBERS(T, json, array, length, kind, bytes) \
	ETC_FIELD_COUNTED(T, json, array, length), .item = ETC_FIELD_##kind, .size = bytes
/* A field whose member is a struct etc_numbers. */
#define ETC_FIELD_VECTOR(T, json, member, kind, bytes) \
	ETC_FIELD_NUMBERS(T, json, member.ptr, member.count, kind, bytes)

/* A table made of the rows `...`, whose members are in the same struct. */
#define ETC_FIELD_GROUP(T, json, ...) \
	.name = json, .type = ETC_FIELD_TABLE, \
	.of = &(const struct etc_schema){ ETC_SCHEMA(T, __VA_ARGS__) }

#define ETC_FIELD_IS(json, words) .name = json, .type = ETC_FIELD_CONST, .text = words
#define ETC_FIELD_BY(json, function) .name = json, .type = ETC_FIELD_CALL, .call = function

/* ETC_FIELD_IF: the field is present if the member is not 0. ETC_FIELD_WHEN: it is present if the
 * schema's tag is `kind`. */
#define ETC_FIELD_IF(T, member) \
	.present = offsetof(T, member), .present_size = sizeof(((T *)0)->member)
#define ETC_FIELD_WHEN(kind) .when = 1 + (kind)

#define ETC_SCHEMA(T, ...) \
	.fields = (const struct etc_field[]){ __VA_ARGS__ }, \
	.count = sizeof((const struct etc_field[]){ __VA_ARGS__ }) / sizeof(struct etc_field), \
	.size = sizeof(T)
/* clang-format on */

struct etc_walk;

struct etc_field {
	const char *name;
	uint8_t type, item; /* enum etc_field_type */
	bool lines;         /* LIST: one line per element */
	bool omit;          /* omit the member if the field is absent; else it is null */
	bool word_or_null;  /* a number that word() does not name is written as null */
	uint8_t when;       /* 1 + the tag with which the field is present; 0: with any tag */
	/* Offset and size, in the struct, of: the member (`at`, `size`); the length of a list
	 * (`count…`); the member that is not 0 if the field is present (`present…`). */
	uint16_t at, size, count, count_size, present, present_size;
	/* for TABLE, LINK and LIST: the schema of the struct or of the elements */
	const struct etc_schema *of;
	/* Names an enumerator. One without a name is written as a number (word_or_null: as null). */
	const char *(*word)(unsigned number);
	const char *text;
	void (*call)(const struct etc_walk *w, const char *name, const void *object);
};

struct etc_schema {
	const struct etc_field *fields;
	uint16_t count, size; /* number of rows; size of the struct */
	uint16_t tag;         /* offset of the uint8_t member that selects rows */
	bool lines;           /* one line per member */
	bool bare;            /* without braces: its fields become members of the enclosing table */
};

struct etc_walk {
	struct etc_emit *e;
	/* bytes of the file, from which positions (ETC_FIELD_PLACE) are counted */
	struct etc_span file;
	void *context;             /* passed to the functions of rows */
	const struct etc_walk *up; /* the enclosing table; NULL: none */
	const void *object;        /* the struct of this table */
};

/* Writes a table as an object; `name` is NULL in an array. */
void etc_walk_table(const struct etc_walk *w, const char *name, const struct etc_schema *schema,
                    const void *object);

/* Returns the name of a scalar type, or NULL. It can be the member `word` of a row. */
const char *etc_scalar_type_word(unsigned code);

#endif
