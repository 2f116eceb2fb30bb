/* shell.h -- words of a POSIX shell. */
#ifndef ETC_BASE_SHELL_H
#define ETC_BASE_SHELL_H

#include "base/arena.h"

/* Quotes a word for a POSIX shell, if necessary. ptr is NULL if memory was refused. */
struct etc_str etc_shell_word(const char *word, struct etc_arena *arena);

/* Like etc_shell_word(), for a command that is displayed: unprintable bytes become octal escapes in
 * $'...', which bash, zsh, ksh and POSIX of 2024 read. */
struct etc_str etc_shell_shown(const char *word, struct etc_arena *arena);

#endif
