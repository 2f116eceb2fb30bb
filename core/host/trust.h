/* trust.h -- decides whether a plugin's file can be trusted: only root, the user and the
 * owner of the program may be able to replace it. Every folder and link on the path
 * counts. If all are safe, nobody else can replace the file between the check and
 * dlopen(). */
#ifndef ETC_HOST_TRUST_H
#define ETC_HOST_TRUST_H

#include <sys/types.h>

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ETC_TRUST_PATH = 4096, ETC_TRUST_WHY = 512 };

struct etc_trust {
	/* trusted besides root: the user and the owner of the program; both are the user if the
	 * program's folder is unknown */
	uid_t user, owner;
	/* The program's folder, links resolved, or empty. It and its parents are not
	 * checked: a user who can write to them can replace the program itself. */
	char program[ETC_TRUST_PATH];
};

/* Prepares the checks. `program_folder` is the folder of the running program; NULL: unknown. */
void etc_trust_begin(struct etc_trust *t, const char *program_folder);

/* May plugins in this folder be loaded? If not, `why` has the reason, such as "everybody may write
 * to it". Also true for a folder that does not exist and that no other user can create. */
bool etc_trust_folder(const struct etc_trust *t, const char *path, char why[ETC_TRUST_WHY]);

/* May the file be run? If everybody may write to its folder, the folder needs the sticky bit, which
 * prevents users from replacing files of others. */
bool etc_trust_file(const struct etc_trust *t, const char *path, char why[ETC_TRUST_WHY]);

/* Like etc_trust_file(), for a file in a folder that was found safe. */
bool etc_trust_file_within(const struct etc_trust *t, const char *path, char why[ETC_TRUST_WHY]);

/* May the libraries be loaded that the plugin names with a path, or that it needs from folders that
 * it names itself (DT_RPATH, DT_RUNPATH)? */
bool etc_trust_libraries(const struct etc_trust *t, const char *path, char why[ETC_TRUST_WHY]);

#ifdef __cplusplus
}
#endif
#endif
