/* ask.h -- runs one command from inside another, so that both show the same results. */
#ifndef ETC_CONTEXT_ASK_H
#define ETC_CONTEXT_ASK_H

#include "base/notes.h"
#include "context/question.h"

struct etc_asker {
	const struct etc_question *question; /* the calling command, and its options */
	const struct etc_common_options *args;
	const char *const *own; /* names of options that are not passed on; NULL at the end */
	const struct etc_given *given; /* inputs that cannot be read again; NULL: those of `args` */
	struct etc_kept **kept;        /* receives the next answer; or NULL */
	struct etc_arena *arena;
	struct etc_notes notes; /* notes of all answers, each once; also W0226 of partial answers */
};

/* An option of a command line, and its value; NULL: it has none. */
struct etc_ask_option {
	const char *name, *value;
};

/* Runs the command `question` on the operands; its report goes to `out`. That command gets the
 * options `more` (up to a row without a name), and those given to the calling command that both
 * commands have. Errors are the command's. */
enum etc_status etc_ask(struct etc_asker *a, const char *question,
                        const struct etc_opt_list *operands, const struct etc_ask_option *more,
                        struct etc_text *out, struct etc_error *err) ETC_MUST_CHECK;

/* The command of that name, or NULL. */
const struct etc_question *etc_ask_find(const char *name);

#endif
