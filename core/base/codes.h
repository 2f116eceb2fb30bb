/* codes.h -- the table of diagnostics (codes.def) as C.
 *
 * Every error (E), warning (W) and note (N) that etcore can show has a row there: letter,
 * number (unique over the three letters), status, title, hint. The enum, the exit status,
 * `etcore explain` and docs/codes.md are made from it. */
#ifndef ETC_BASE_CODES_H
#define ETC_BASE_CODES_H

#ifdef __cplusplus
extern "C" {
#endif

enum etc_code {
	ETC_CODE_NONE = 0,
/* The number after the letter, such as 0201, is written as 10201 - 10000, because C reads numbers
 * with leading zeros as octal. */
#define X(letter, number, status, title, hint) letter##number = 1##number - 10000,
#include "base/codes.def"
#undef X
};

struct etc_code_info {
	enum etc_code code;
	char letter;       /* 'E', 'W' or 'N' */
	int status;        /* enum etc_status; of a warning: the exit status with --strict */
	const char *name;  /* "E0201" */
	const char *title; /* "not an ETDump" */
	const char *hint;  /* what the user can do, or "" */
};

/* Returns the row of `code`, never NULL: ETC_CODE_NONE has an empty row. */
const struct etc_code_info *etc_code_info(enum etc_code code);

/* Returns the severity as text: "error", "warning" or "note". */
const char *etc_code_severity(const struct etc_code_info *info);

/* Returns all rows of codes.def in the order of their numbers, and sets `*count` to the number of
 * rows. */
const struct etc_code_info *etc_code_list(unsigned *count);

#ifdef __cplusplus
}
#endif
#endif
