/* shell.h -- quotes words for a POSIX shell. */
#ifndef ETC_BASE_SHELL_H
#define ETC_BASE_SHELL_H

#include "base/arena.h"

/* Returns the word, quoted for a POSIX shell if that is necessary. {NULL}: out of memory. */
struct etc_str etc_shell_word(const char *word, struct etc_arena *arena);

/* Like etc_shell_word(), for a command that is displayed: unprintable bytes become octal escapes in
 * $'...'. bash, zsh, ksh and the POSIX standard of 2024 support this form. */
struct etc_str etc_shell_shown(const char *word, struct etc_arena *arena);

#endif
