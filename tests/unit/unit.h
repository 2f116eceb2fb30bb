/* unit.h -- for all unit tests, which include it first: cmocka with the headers that it needs, and
 * assertions that cmocka 1.1.5 lacks. */
#ifndef ETC_UNIT_H
#define ETC_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/span.h"

/* Asserts that the view `got` equals the NUL-terminated text `want`. */
#define assert_str(got, want) unit_str((got), (want), __FILE__, __LINE__)

/* Initialises a struct etc_sized with the literal `lit`, which has its length before it in
 * memory. */
#define SIZED(lit)                              \
	{                                       \
		((const struct {                \
			uint32_t len;           \
			char text[sizeof(lit)]; \
		}){ sizeof(lit) - 1, lit })     \
			.text                   \
	}

/* Asserts |got - want| <= allowed; cmocka's assert_float_equal converts to float. */
#define assert_near(got, want, allowed) unit_near((got), (want), (allowed), __FILE__, __LINE__)

/* Asserts that the call returned ETC_OK, and prints the error's text if not. */
#define assert_ok(call, err) unit_status((call), ETC_OK, (err), __FILE__, __LINE__)

/* Asserts that the call failed with the code `want`: that it set this code and returned the code's
 * status. */
#define assert_fails(call, err, want)                                                              \
	do {                                                                                       \
		unit_status((call), (enum etc_status)etc_code_info(want)->status, (err), __FILE__, \
		            __LINE__);                                                             \
		if ((err)->code != (want))                                                         \
			unit_code((err), (want), __FILE__, __LINE__);                              \
	} while (0)

/* Returns the environment variable ETCORE_SHARE (tests/share.py): only every Nth repetition of a
 * check is run. 1: all are run. CMake gives tests that call this function the label `repeats`. */
static inline int unit_share(void)
{
	const char *share = getenv("ETCORE_SHARE");

	return share && atoi(share) > 1 ? atoi(share) : 1;
}

static inline void unit_str(struct etc_str got, const char *want, const char *file, int line)
{
	if (got.len == strlen(want) && (got.len == 0 || memcmp(got.ptr, want, got.len) == 0))
		return;
	print_error("got  '" ETC_STR_FMT "'\nwant '%s'\n", ETC_STR_ARG(got), want);
	_fail(file, line);
}

static inline void unit_near(double got, double want, double allowed, const char *file, int line)
{
	if (got - want <= allowed && want - got <= allowed)
		return;
	print_error("got %.17g, want %.17g +- %g\n", got, want, allowed);
	_fail(file, line);
}

static inline void unit_status(enum etc_status got, enum etc_status want,
                               const struct etc_error *err, const char *file, int line)
{
	if (got == want)
		return;
	print_error("status %d, want %d: %s %s\n", got, want,
	            err ? etc_code_info(err->code)->name : "", err ? err->text : "");
	_fail(file, line);
}

static inline void unit_code(const struct etc_error *err, enum etc_code want, const char *file,
                             int line)
{
	print_error("code %s (%s), want %s\n", etc_code_info(err->code)->name, err->text,
	            etc_code_info(want)->name);
	_fail(file, line);
}

#endif
