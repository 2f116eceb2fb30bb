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
/* 1##0201 - 10000, because C reads numbers with leading zeros as octal. */
#define X(letter, number, status, title, hint) letter##number = 1##number - 10000,
#include "base/codes.def"
#undef X
};

struct etc_code_info {
	enum etc_code code;
	char letter;       /* 'E', 'W' or 'N' */
	int status;        /* enum etc_status; of a W: the status with --strict */
	const char *name;  /* "E0201" */
	const char *title; /* "not an ETDump" */
	const char *hint;  /* what the user can do, or "" */
};

/* The row of `code`, never NULL: ETC_CODE_NONE has an empty row. */
const struct etc_code_info *etc_code_info(enum etc_code code);

/* "error", "warning" or "note". */
const char *etc_code_severity(const struct etc_code_info *info);

/* All rows in the order of their numbers; `*count` is set to how many there are. */
const struct etc_code_info *etc_code_list(unsigned *count);

#ifdef __cplusplus
}
#endif
#endif
