/* etdump_oracle.h -- a second reader of ETDumps, independent of core/formats. Comparing the two
 * finds files that core/formats accepts, rejects or reads wrongly, whatever the bytes are.
 *
 * This reader is slow, general and simple: the schema is a table, one function checks any table,
 * and each byte that has a meaning is marked with its role. */
#ifndef ETC_EDGE_ETDUMP_ORACLE_H
#define ETC_EDGE_ETDUMP_ORACLE_H

#include "model/raw.h"

/* The meaning of a byte of an ETDump. */
enum oracle_role {
	ORACLE_UNUSED, /* padding, and bytes that no offset leads to */
	ORACLE_HEAD,   /* the size prefix and the identifier */
	ORACLE_OFFSET, /* from anywhere to a table, vector or string; from a table to its vtable */
	ORACLE_VTABLE,
	ORACLE_COUNT,  /* number of elements, or of bytes of metadata */
	ORACLE_LENGTH, /* length of a string */
	ORACLE_TAG,    /* the tag of a Value, which selects its member */
	ORACLE_NUMBER, /* times, ids, sizes of tensors */
	ORACLE_TEXT,   /* bytes of strings and of metadata */
	ORACLE_END,    /* the NUL behind a string */
	ORACLE_ROLES
};

enum oracle_verdict {
	ORACLE_WHOLE,   /* every offset, vtable, length and count lies in the file */
	ORACLE_DAMAGED, /* at least one of them does not: `why` and `at` say which */
	ORACLE_FOREIGN, /* the file has no identifier of an ETDump */
	ORACLE_ENDLESS  /* tables are shared so often that this oracle gives up */
};

struct oracle {
	const uint8_t *ptr;
	/* length of the dump: what the size prefix covers if that is valid, else the whole file */
	size_t len;
	size_t visits;  /* number of tables that may still be visited before the oracle gives up */
	uint8_t *roles; /* enum oracle_role of each byte; NULL: not recorded */
	enum oracle_verdict verdict;
	const char *why;
	size_t at;
	uint32_t version;
	size_t runs, events;
	bool any_2023; /* a Value has the layout that was used before December 2023 */
	struct etc_raw_tensor *tensors;
	size_t room;
	size_t run_list;   /* position of the first run in the list of runs */
	size_t event_list; /* position of the first event of the run that was asked for last */
};

struct oracle_run {
	struct etc_str name;
	int32_t bundled_input_index;
	bool has_events, has_allocators;
	uint32_t events, allocators;
	size_t at, first_allocator;
};

/* Judges the whole file and sets o->verdict. Fills `roles`, of `len` bytes, unless it is NULL.
 * oracle_release() must be called whatever the verdict is. */
void oracle_open(struct oracle *o, const uint8_t *ptr, size_t len, uint8_t *roles);
void oracle_release(struct oracle *o);

/* Return a part of a file with the verdict ORACLE_WHOLE. oracle_event() returns event `i` of the
 * run for which oracle_run() was called last. */
struct oracle_run oracle_run(struct oracle *o, size_t run);
struct etc_str oracle_allocator(struct oracle *o, const struct oracle_run *run, uint32_t i);
struct etc_raw_event oracle_event(struct oracle *o, size_t i);

/* Returns a hash of the file's content. Files of equal content have equal hashes. */
uint64_t oracle_digest(struct oracle *o);

#endif
