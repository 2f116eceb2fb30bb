/* trust.h -- decides whether a plugin's file can be trusted. It can if only root, the user and the
 * owner of the running executable are able to replace it. The file, and every folder and link on
 * its path, are checked. If all of them are safe, nobody else can replace the file between the
 * check and dlopen(). */
#ifndef ETC_HOST_TRUST_H
#define ETC_HOST_TRUST_H

#include <sys/types.h>

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ETC_TRUST_PATH = 4096, ETC_TRUST_WHY = 512 };

struct etc_trust {
	/* the users who are trusted in addition to root: the current user, and the owner of the
	 * running executable; if the folder of the executable is unknown, `owner` is the current
	 * user, too */
	uid_t user, owner;
	/* The folder of the running executable, with all links resolved; empty: unknown. This
	 * folder and its parents are not checked, because a user who can write to them can replace
	 * the executable itself. */
	char program[ETC_TRUST_PATH];
};

/* Prepares the checks. `program_folder` is the folder of the running executable; NULL: unknown. */
void etc_trust_begin(struct etc_trust *t, const char *program_folder);

/* May plugins in this folder be loaded? If not, `why` has the reason, such as "everybody may write
 * to it". Also true for a folder that does not exist and that no other user can create. */
bool etc_trust_folder(const struct etc_trust *t, const char *path, char why[ETC_TRUST_WHY]);

/* May the file be loaded as a plugin? A folder to which everybody may write is accepted only if it
 * has the sticky bit, which prevents users from replacing files of others. */
bool etc_trust_file(const struct etc_trust *t, const char *path, char why[ETC_TRUST_WHY]);

/* Like etc_trust_file(), for a file in a folder that was found safe. */
bool etc_trust_file_within(const struct etc_trust *t, const char *path, char why[ETC_TRUST_WHY]);

/* May the libraries that the plugin needs be loaded? Checks only libraries whose name is a path,
 * and libraries in folders that the plugin itself names (DT_RPATH, DT_RUNPATH). */
bool etc_trust_libraries(const struct etc_trust *t, const char *path, char why[ETC_TRUST_WHY]);

#ifdef __cplusplus
}
#endif
#endif
