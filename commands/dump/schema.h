/* schema.h -- describes each table of a file as a C array with a row per field, and writes tables
 * as JSON.
 *
 * A row has the name of the field in the format's schema, and the member of the C struct with the
 * field's value. If no single member has the value, the row has a function that writes it. */
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
	ETC_FIELD_PLACE, /* struct etc_span, as {"at", "size"}: offset in the file, and length */
	ETC_FIELD_CONST, /* a constant text, `text` of the row; NULL is written as null */
	/* a struct inside the struct, or a group of members of the struct itself */
	ETC_FIELD_TABLE,
	ETC_FIELD_LINK,  /* a pointer to a struct */
	ETC_FIELD_LIST,  /* a pointer to structs, or to unaligned numbers of `size` bytes */
	/* the row's function writes the member; if it writes several, `name` may be NULL */
	ETC_FIELD_CALL,
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

/* Defines a field. Its type is that of the struct's member. */
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
/* Defines a field whose value is in a member of type struct etc_numbers. */
#define ETC_FIELD_VECTOR(T, json, member, kind, bytes) \
	ETC_FIELD_NUMBERS(T, json, member.ptr, member.count, kind, bytes)

/* Defines a table inside the table. Its fields are the rows `...`; their values are members of the
 * same C struct, not of a struct inside it. */
#define ETC_FIELD_GROUP(T, json, ...) \
	.name = json, .type = ETC_FIELD_TABLE, \
	.of = &(const struct etc_schema){ ETC_SCHEMA(T, __VA_ARGS__) }

#define ETC_FIELD_IS(json, words) .name = json, .type = ETC_FIELD_CONST, .text = words
#define ETC_FIELD_BY(json, function) .name = json, .type = ETC_FIELD_CALL, .call = function

/* ETC_FIELD_IF: the field is present only if `member` is not 0. ETC_FIELD_WHEN: the field is
 * present only if the tag of the struct (etc_schema.tag) is `kind`. */
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
	/* `type`: the type of the field; `item`: for a LIST, the type of its elements. Both are an
	 * enum etc_field_type */
	uint8_t type, item;
	bool lines; /* LIST: each element is written on a line of its own */
	/* true: a field that is absent has no member in the JSON object; false: its member is
	 * null */
	bool omit;
	/* if word() has no name for a number, null is written instead of the number */
	bool word_or_null;
	/* 1 + the tag for which the field is present; 0: it is present for any tag */
	uint8_t when;
	/* Offsets and sizes in the struct. `at`, `size`: of the member. `count`, `count_size`: of
	 * the length of a list. `present`, `present_size`: of the member that is not 0 if the field
	 * is present. */
	uint16_t at, size, count, count_size, present, present_size;
	/* TABLE, LINK, LIST: the schema of the struct or of the elements */
	const struct etc_schema *of;
	/* Returns the name of an enumerator. If it returns NULL, the number is written, or null if
	 * word_or_null is set. */
	const char *(*word)(unsigned number);
	const char *text;
	void (*call)(const struct etc_walk *w, const char *name, const void *object);
};

struct etc_schema {
	const struct etc_field *fields;
	uint16_t count, size; /* number of fields; size of the struct in bytes */
	/* offset of the uint8_t member whose value selects the fields (etc_field.when) */
	uint16_t tag;
	bool lines; /* each member is written on a line of its own */
	bool bare;  /* no braces: the fields become members of the enclosing object */
};

struct etc_walk {
	struct etc_emit *e;
	/* bytes of the file; positions (ETC_FIELD_PLACE) are offsets in it */
	struct etc_span file;
	void *context;             /* data for the functions etc_field.call */
	const struct etc_walk *up; /* the walk of the enclosing table; NULL: there is none */
	const void *object;        /* the struct with the values of this table */
};

/* Writes a table as a JSON object with the name `name`; `name` NULL: the table is an element of an
 * array. */
void etc_walk_table(const struct etc_walk *w, const char *name, const struct etc_schema *schema,
                    const void *object);

/* Returns the name of a scalar type, or NULL. The function can be the member `word` of a row. */
const char *etc_scalar_type_word(unsigned code);

#endif
