/* public.h -- private to the files that implement etcore/etcore.h. They define _GNU_SOURCE
 * first, for locale_t. */
#ifndef ETC_LIBRARY_PUBLIC_H
#define ETC_LIBRARY_PUBLIC_H

#include <locale.h>

#include "commands/analyze/answer.h"
#include "context/ask.h"
#include "base/file.h"
#include "base/fold.h"
#include "base/memory.h"
#include "base/opened.h"
#include "etcore/etcore.h"

/* An input that the caller added as memory or as a file descriptor; `file` is set only for a
 * descriptor. */
struct etc_input {
	struct etc_given given;
	struct etc_file file;
	struct etc_input *next;
};

/* A note of the last etcore_run(). */
struct etc_kept_note {
	const struct etc_code_info *info;
	struct etc_str file, text;
	uint64_t count;
};

struct etcore_query {
	const struct etc_question *question;
	/* memory for options and names, which the query needs until it is freed */
	struct etc_arena words;
	void *args; /* the command's own struct, with the values of its options */
	struct etc_input *inputs;

	/* answer of the last etcore_run(), if the command keeps it; else NULL */
	struct etc_kept *answer;
	struct etc_arena said; /* memory of the notes of the last etcore_run() */
	struct etc_kept_note *notes;
	uint32_t note_count, note_room;
	bool maps; /* files of inputs are mapped instead of read (etcore_map_files) */
	/* the operands that follow are values of an option; the command's member `gathers` has the
	 * name of this option */
	bool gathering;
};

/* Copies the struct `all` of `size` bytes to the caller's struct `out`. Both begin with their size.
 * Copies only as many bytes as the caller's version of the struct has. Does nothing if `out` is
 * NULL. */
void etc_public_copy(void *out, const void *all, size_t size);

/* Converts a diagnostic without location to the caller's struct. */
void etc_public_diagnostic(struct etcore_diagnostic *out, const struct etc_code_info *info,
                           struct etc_str file, struct etc_str text, uint64_t count);

/* Finds a table of the query's answer, and makes it at the first request. E0991: there is no such
 * table, or no answer. E0904, and errors of plugins: E0605. */
enum etc_status etc_public_table(struct etcore_query *q, uint32_t table,
                                 const struct etc_typed_table **out,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Between etc_locale_enter() and etc_locale_leave() this thread uses the locale "C", so that
 * reports do not depend on the caller's locale. */
struct etc_locale {
	locale_t callers;
};
struct etc_locale etc_locale_enter(void);

/* Does not change the locale, and returns a value for etc_locale_leave(). Used in the process of an
 * isolated plugin, because the plugin may set a locale. */
struct etc_locale etc_locale_stay(void);
void etc_locale_leave(struct etc_locale l);

/* State for passing pieces of a report to the caller's function, in the caller's locale. It is the
 * `arg` of etc_receive(), which is a sink of struct etc_text. */
struct etc_receiver {
	etcore_write_fn *write;
	void *arg;
	/* the locale of the caller, which is restored while `write` runs */
	struct etc_locale locale;
	const struct etc_text *of; /* the text whose pieces are passed */
	struct etc_fold fold;      /* state for wrapping the lines of the text */
	bool stopped;
};

/* Parses the options --width and --ascii, and prepares `out` for them. The sink of `out` is
 * etc_receive(). E0505. */
enum etc_status etc_receive_begin(struct etc_text *out, struct etc_common_options *options,
                                  struct etc_error *err) ETC_MUST_CHECK;
bool etc_receive(void *receiver, struct etc_str chunk);

/* Ends and releases the text of a report. If a command with status `st` has a report, first passes
 * the rest of the text to the receiver. E0903: the receiver stopped the text. E0904. */
enum etc_status etc_receive_end(struct etc_text *out, enum etc_status st,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Returns `st` if no allocation failed while the query ran. Otherwise fails: with E0905 if the
 * budget of the query was used up, else with E0904. */
enum etc_status etc_public_whole(enum etc_status st, struct etc_error *err) ETC_MUST_CHECK;

/* Writes the error to the caller's struct `out`; returns `st` as an int. */
int etc_public_error(struct etcore_diagnostic *out, enum etc_status st,
                     const struct etc_error *err);

#endif
