/* public.h -- what the files behind etcore/etcore.h share. They define _GNU_SOURCE
 * first, for locale_t. */
#ifndef ETC_API_PUBLIC_H
#define ETC_API_PUBLIC_H

#include <locale.h>

#include "commands/analyze/answer.h"
#include "context/question.h"
#include "base/file.h"
#include "base/fold.h"
#include "base/memory.h"
#include "base/opened.h"
#include "etcore/etcore.h"

/* An input that was handed in, with the file when it came by a descriptor. */
struct etc_input {
	struct etc_given given;
	struct etc_file file;
	struct etc_input *next;
};

/* A note of the last run. */
struct etc_kept_note {
	const struct etc_code_info *info;
	struct etc_str file, text;
	uint64_t count;
};

struct etcore_query {
	const struct etc_question *question;
	struct etc_arena words; /* options and names, until the query ends */
	void *args;             /* the question's struct */
	struct etc_input *inputs;

	struct etc_answer *answer; /* of the last run, if it was an analysis; or NULL */
	struct etc_arena said;     /* the notes of the last run */
	struct etc_kept_note *notes;
	uint32_t note_count, note_room;
	bool maps;      /* inputs are mapped */
	bool gathering; /* operands go to the question's option `gathers` */
};

/* The question of that name, or NULL. */
const struct etc_question *etc_question_find(const char *name);

/* Copies a struct that begins with its size: as much of `all` as the caller's version
 * has; `out` NULL: nothing. */
void etc_public_copy(void *out, const void *all, size_t size);

/* Hands out a diagnostic without a place in its file. */
void etc_public_diagnostic(struct etcore_diagnostic *out, const struct etc_code_info *info,
                           struct etc_str file, struct etc_str text, uint64_t count);

/* A table of the query's answer. E0991, E0505, and those of etc_answer_table. */
enum etc_status etc_public_table(struct etcore_query *q, uint32_t table,
                                 const struct etc_typed_table **out,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Between the two calls this thread is in the locale "C": numbers have a point, and
 * every answer the same bytes, whatever the caller has set. */
struct etc_locale {
	locale_t callers;
};
struct etc_locale etc_locale_enter(void);

/* As if entered, but the locale stays: what has a process to itself may set it. */
struct etc_locale etc_locale_stay(void);
void etc_locale_leave(struct etc_locale l);

/* Passes pieces of a report to the caller's function, in the caller's locale; a sink of
 * struct etc_text with this struct as `arg`. */
struct etc_receiver {
	etcore_write_fn *write;
	void *arg;
	struct etc_locale locale;  /* that was left */
	const struct etc_text *of; /* the text */
	struct etc_fold fold;      /* how its prose is shown */
	bool stopped;
};

/* Prepares for `out`, whose receiver is set, what --width and --ascii say, and reads the width. E0505. */
enum etc_status etc_receive_begin(struct etc_text *out, struct etc_common_options *options,
                                  struct etc_error *err) ETC_MUST_CHECK;
bool etc_receive(void *receiver, struct etc_str chunk);

/* Ends the text of an answer: hands over what is left of it when all went well,
 * releases it. E0903 when the receiver stopped it, E0904. */
enum etc_status etc_receive_end(struct etc_text *out, enum etc_status st,
                                struct etc_error *err) ETC_MUST_CHECK;

/* If an allocation failed during the run, the result is E0904; the message says which
 * budget was exhausted. */
enum etc_status etc_public_whole(enum etc_status st, struct etc_error *err) ETC_MUST_CHECK;

/* Hands out an error; returns its status as it crosses. */
int etc_public_error(struct etcore_diagnostic *out, enum etc_status st,
                     const struct etc_error *err);

#endif
