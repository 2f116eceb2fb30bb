/* etdump_oracle.h -- the rules of an ETDump a second time, written without a look at
 * core/formats: who asks both can tell a wrong acceptance, a wrong refusal and a wrong
 * number from a right one, whatever the bytes are.
 *
 * Slow, general and simple: the schema is a table, one function checks any table, and
 * every byte that has a meaning is marked with it. */
#ifndef ETC_EDGE_ETDUMP_ORACLE_H
#define ETC_EDGE_ETDUMP_ORACLE_H

#include "model/raw.h"

/* What a byte of an ETDump is. */
enum oracle_role {
	ORACLE_UNUSED, /* padding, what nothing leads to */
	ORACLE_HEAD,   /* size prefix, identifier */
	ORACLE_OFFSET, /* to a table, vector or string; from a table back to its vtable */
	ORACLE_VTABLE,
	ORACLE_COUNT,  /* of elements, of bytes of metadata */
	ORACLE_LENGTH, /* of a string */
	ORACLE_TAG,    /* which member a value is */
	ORACLE_NUMBER, /* times, ids, sizes of tensors */
	ORACLE_TEXT,   /* of strings, and metadata */
	ORACLE_END,    /* the NUL behind a string */
	ORACLE_ROLES
};

enum oracle_verdict {
	ORACLE_WHOLE,   /* every offset, vtable, length and count lies in the file */
	ORACLE_DAMAGED, /* one does not: `why`, `at` */
	ORACLE_FOREIGN, /* no identifier of an ETDump */
	ORACLE_ENDLESS  /* shared so often that this oracle gives up */
};

struct oracle {
	const uint8_t *ptr;
	size_t len;     /* that the dump is: of a size prefix that is right, else all */
	size_t visits;  /* left */
	uint8_t *roles; /* NULL, or enum oracle_role per byte */
	enum oracle_verdict verdict;
	const char *why;
	size_t at;
	uint32_t version;
	size_t runs, events;
	bool any_2023; /* a value where it was before December 2023 */
	struct etc_raw_tensor *tensors;
	size_t room;
	size_t run_list;   /* first element */
	size_t event_list; /* of the run that was asked for last */
};

struct oracle_run {
	struct etc_str name;
	int32_t bundled_input_index;
	bool has_events, has_allocators;
	uint32_t events, allocators;
	size_t at, first_allocator;
};

/* Judges all of it. `roles` has `len` bytes, or is NULL. Release in any case. */
void oracle_open(struct oracle *o, const uint8_t *ptr, size_t len, uint8_t *roles);
void oracle_release(struct oracle *o);

/* Of a whole file: its parts, by index. */
struct oracle_run oracle_run(struct oracle *o, size_t run);
struct etc_str oracle_allocator(struct oracle *o, const struct oracle_run *run, uint32_t i);
struct etc_raw_event oracle_event(struct oracle *o, size_t i);

/* One number for everything that the file says: equal content, equal number. */
uint64_t oracle_digest(struct oracle *o);

#endif
