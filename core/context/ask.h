/* ask.h -- runs one command from inside another, so that both show the same results. */
#ifndef ETC_CONTEXT_ASK_H
#define ETC_CONTEXT_ASK_H

#include "base/notes.h"
#include "context/question.h"

struct etc_asker {
	const struct etc_question *question; /* the calling command, and its options */
	const struct etc_common_options *args;
	/* names of options that etc_ask() does not pass on; NULL at the end */
	const char *const *own;
	/* inputs that the caller passes as bytes, each with a name (common.h); NULL: none */
	const struct etc_given *given;
	struct etc_kept **kept; /* where etc_ask() stores the next answer, if the command can keep
	                         * its answer (kept.h); NULL: the answer is not kept */
	struct etc_arena *arena;
	/* notes of all answers, equal ones only once, including W0226 (an answer from a part of a
	 * dump) */
	struct etc_notes notes;
};

/* An option of a command line, and its value; NULL: the option has no value. */
struct etc_ask_option {
	const char *name, *value;
};

/* Runs the command `question` on the operands, and writes its report to `out`. The command gets the
 * options `more`, a list that ends with a row without a name. It also gets the options of the
 * calling command, except options that it does not have, options listed in `own`, and options about
 * the screen. Returns the errors of the command. */
enum etc_status etc_ask(struct etc_asker *a, const char *question,
                        const struct etc_opt_list *operands, const struct etc_ask_option *more,
                        struct etc_text *out, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the command called `name`, or NULL. */
const struct etc_question *etc_ask_find(const char *name);

#endif
