/* again.h -- writes command lines that the user can run next. */
#ifndef ETC_CONTEXT_AGAIN_H
#define ETC_CONTEXT_AGAIN_H

#include "context/question.h"

/* Returns a command line for a POSIX shell that runs the command `question` on the operands of
 * `args`. The command line has the options given in `args`, except those whose names are in
 * `without` (a blank after each name), and ends with the text `more`. The result is empty if an
 * operand is standard input, which cannot be read again; {NULL} if out of memory. */
struct etc_str etc_again(const struct etc_question *question, const struct etc_common_options *args,
                         const char *without, const char *more, struct etc_arena *arena);

#endif
