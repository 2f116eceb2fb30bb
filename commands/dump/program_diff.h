/* program_diff.h -- compares two programs: methods, operators, delegates, planned memory,
 * sizes, and data by their hash. */
#ifndef ETC_MEMORY_PROGRAM_DIFF_H
#define ETC_MEMORY_PROGRAM_DIFF_H

#include "tensor/program_sizes.h"

enum etc_program_part {
	ETC_PART_SIZE,     /* size of a part of the file */
	ETC_PART_METHOD,   /* count: number of instructions */
	ETC_PART_MEMORY,   /* planned bytes; name: memory id */
	ETC_PART_OPERATOR, /* count: number of calls */
	ETC_PART_DELEGATE, /* count: number of calls; name: backend and hash of its blob */
	ETC_PART_CONSTANT, /* count: number of tensors; name: type, sizes and hash of the data */
	ETC_PART_NAMED,    /* count: pieces of named data; name: key and hash */
	ETC_PARTS
};

/* One side of a row. */
struct etc_part_amount {
	bool present;
	uint64_t count, bytes;
};

struct etc_part_row {
	uint8_t part;          /* enum etc_program_part */
	struct etc_str method; /* empty: the row is about the file */
	struct etc_str name;
	struct etc_part_amount side[2]; /* amounts in A and B */
};

struct etc_program_diff {
	/* sorted by part, then in the order of A; rows that only B has come last */
	const struct etc_part_row *rows;
	uint32_t row_count, equal_count;
	bool identical; /* the programs have the same bytes: rows do not cover everything in a
	                 * program */
};

/* A program and its bytes. */
struct etc_diffed {
	const struct etc_program *program;
	struct etc_span file;
};

bool etc_part_equal(const struct etc_part_row *row);

/* "size", "method" ... */
const char *etc_part_text(unsigned part);

/* Reads all data of both programs once, for their hashes. E0904. */
enum etc_status etc_program_diff(const struct etc_diffed sides[2], struct etc_arena *arena,
                                 struct etc_program_diff *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
