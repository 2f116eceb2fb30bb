/* again.h -- writes command lines that the user can run next. */
#ifndef ETC_CONTEXT_AGAIN_H
#define ETC_CONTEXT_AGAIN_H

#include "context/question.h"

/* Returns the command line, for a POSIX shell, that asks `question` about the operands of `args`
 * again, with the options given in `args`, except those whose names are in `without` (a blank after
 * each), and with `more` at the end. It is empty if one of these files is standard input, which
 * cannot be read again. ptr is NULL if memory was refused. */
struct etc_str etc_again(const struct etc_question *question, const struct etc_common_options *args,
                         const char *without, const char *more, struct etc_arena *arena);

#endif
