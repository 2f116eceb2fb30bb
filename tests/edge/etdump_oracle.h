/* etdump_oracle.h -- a second implementation of the rules of an ETDump, independent of
 * core/formats: comparing both finds files that are accepted, rejected or read wrongly, whatever
 * the bytes are.
 *
 * Slow, general and simple: the schema is a table, one function checks any table, and every byte
 * that has a meaning is marked with its role. */
#ifndef ETC_EDGE_ETDUMP_ORACLE_H
#define ETC_EDGE_ETDUMP_ORACLE_H

#include "model/raw.h"

/* The role of a byte of an ETDump. */
enum oracle_role {
	ORACLE_UNUSED, /* padding, and bytes that no offset leads to */
	ORACLE_HEAD,   /* size prefix, identifier */
	ORACLE_OFFSET, /* to a table, vector or string; from a table back to its vtable */
	ORACLE_VTABLE,
	ORACLE_COUNT,  /* number of elements, or of bytes of metadata */
	ORACLE_LENGTH, /* length of a string */
	ORACLE_TAG,    /* selects the member of a value */
	ORACLE_NUMBER, /* times, ids, sizes of tensors */
	ORACLE_TEXT,   /* bytes of strings and of metadata */
	ORACLE_END,    /* the NUL behind a string */
	ORACLE_ROLES
};

enum oracle_verdict {
	ORACLE_WHOLE,   /* every offset, vtable, length and count lies in the file */
	ORACLE_DAMAGED, /* at least one lies outside: `why`, `at` */
	ORACLE_FOREIGN, /* no identifier of an ETDump */
	ORACLE_ENDLESS  /* tables are shared so often that this oracle gives up */
};

struct oracle {
	const uint8_t *ptr;
	/* length of the dump: by the size prefix if that is right, else the whole file */
	size_t len;
	size_t visits;  /* number of table visits that are still allowed */
	uint8_t *roles; /* NULL, or enum oracle_role per byte */
	enum oracle_verdict verdict;
	const char *why;
	size_t at;
	uint32_t version;
	size_t runs, events;
	bool any_2023; /* a value has the layout of before December 2023 */
	struct etc_raw_tensor *tensors;
	size_t room;
	size_t run_list;   /* first element */
	size_t event_list; /* first element of the event list of the run that was asked for last */
};

struct oracle_run {
	struct etc_str name;
	int32_t bundled_input_index;
	bool has_events, has_allocators;
	uint32_t events, allocators;
	size_t at, first_allocator;
};

/* Judges the whole file. `roles` has `len` bytes, or is NULL. oracle_release() must be called in
 * any case. */
void oracle_open(struct oracle *o, const uint8_t *ptr, size_t len, uint8_t *roles);
void oracle_release(struct oracle *o);

/* The parts of a whole file, by index. */
struct oracle_run oracle_run(struct oracle *o, size_t run);
struct etc_str oracle_allocator(struct oracle *o, const struct oracle_run *run, uint32_t i);
struct etc_raw_event oracle_event(struct oracle *o, size_t i);

/* Hash of the file's content: files of equal content have equal hashes. */
uint64_t oracle_digest(struct oracle *o);

#endif
