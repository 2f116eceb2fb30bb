/* error.h -- how functions report failure.
 *
 * A function that can fail returns enum etc_status and takes a struct etc_error * as its last
 * parameter. The status is also the exit status of the program; the error describes what
 * happened and where: a code from codes.def, the file, the byte or line, a sentence. A caller
 * that only needs the status passes NULL.
 *
 * Problems that do not end the work go to struct etc_notes (notes.h). */
#ifndef ETC_BASE_ERROR_H
#define ETC_BASE_ERROR_H

#include "base/attr.h"
#include "base/codes.h"
#include "base/span.h"

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
/*         name         exit  meaning for the user */
#define ETC_STATUS_MAP(X)                                                     \
	X(OK,           0, "success")                                         \
	X(FINDING,      1, "a check found something")                         \
	X(USAGE,        2, "the command line or configuration is wrong")      \
	X(IO,           3, "the operating system refused")                    \
	X(FORMAT,       4, "not a file of the expected kind")                 \
	X(CORRUPT,      5, "right kind of file, damaged contents")            \
	X(UNSUPPORTED,  6, "valid, but not supported here: newer than this etcore, or a program is missing") \
	X(LIMIT,        7, "larger than the configured limit")                \
	X(NOMEM,        8, "out of memory")                                   \
	X(PLUGIN,       9, "a plugin crashed or failed")                      \
	X(RAISES,      10, "the Inspector raises here")                       \
	X(NO_VERDICT,  11, "a check could not tell")
/* clang-format on */

enum etc_status {
#define X(name, exit_code, text) ETC_##name = exit_code,
	ETC_STATUS_MAP(X)
#undef X
};

struct etc_error {
	enum etc_code code;
	char file[256];  /* path as the user gave it, or "" */
	int64_t at;      /* byte offset in the file, -1: none */
	uint32_t line;   /* number of a line in a text file, from 1; 0: none */
	char text[1024]; /* what was expected and found; one line, printable */
};

/* Records the cause and returns the status of the code's row in codes.def:
 *     return etc_fail(err, E0205, "vtable at %zu is %u bytes", at, n);
 * Replaces an error that was recorded before. Unprintable characters of names are escaped
 * (etc_text_clean). */
enum etc_status etc_fail(struct etc_error *err, enum etc_code code, const char *fmt, ...)
	ETC_PRINTF(3, 4) ETC_COLD;

/* Like etc_fail(), and records `at`, the byte offset of the damage in the file. */
enum etc_status etc_fail_at(struct etc_error *err, enum etc_code code, size_t at, const char *fmt,
                            ...) ETC_PRINTF(4, 5) ETC_COLD;

/* Fails with E0904, and the size of the first failed allocation (memory.h). Call it when an
 * allocation returned NULL. */
enum etc_status etc_no_memory(struct etc_error *err) ETC_COLD;

/* Prefixes the text with a context: "run 2: event 17: vtable at ...". Returns `status`. */
enum etc_status etc_context(struct etc_error *err, enum etc_status status, const char *fmt, ...)
	ETC_PRINTF(3, 4) ETC_COLD;

/* Records `path` as the file that the error is about, unless a file is recorded already. Returns
 * `status`. */
enum etc_status etc_in_file(struct etc_error *err, enum etc_status status,
                            const char *path) ETC_COLD;

const char *etc_status_text(enum etc_status status);

/* Writes a message to `to`: the title of the code, then `text`, which describes this occurrence. */
void etc_code_message(const struct etc_code_info *info, struct etc_str text, char *to, size_t room);

/* Evaluates `expr`, a status. If it is not ETC_OK, the function that contains the macro returns it.
 * A function that must free something uses `goto done` instead. ETC_TRY and ETC_NEED are the only
 * macros with control flow. */
#define ETC_TRY(expr)                              \
	do {                                       \
		enum etc_status etc_try_ = (expr); \
		if (etc_try_ != ETC_OK)            \
			return etc_try_;           \
	} while (0)

/* If `got` is false, that is, if an allocation failed, the function that contains the macro returns
 * the status of E0904: ETC_NEED(rows && cells, err). */
#define ETC_NEED(got, err)                           \
	do {                                         \
		if (!(got))                          \
			return etc_no_memory((err)); \
	} while (0)

#ifdef __cplusplus
}
#endif
#endif
