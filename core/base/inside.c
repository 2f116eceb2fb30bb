/* inside.c -- see inside.h */
#define _GNU_SOURCE /* O_PATH */
#include "base/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_MOST = 255, TRIES = 3 };

/* Opens the folder `name` in the folder `in`. Makes it if it does not exist, or instead of a link
 * of this name. Returns the descriptor, or -1 with errno set. */
static int step(int in, const char *name)
{
	struct stat st;

	for (int i = 0; i < TRIES; i++) {
		int fd = openat(in, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (fd >= 0 || (errno != ENOENT && errno != ENOTDIR && errno != ELOOP))
			return fd;
		if (fstatat(in, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
			if (S_ISDIR(st.st_mode)) /* another process has made the folder */
				continue;
			if (!S_ISLNK(st.st_mode)) {
				errno = ENOTDIR;
				return -1;
			}
			if (unlinkat(in, name, 0) != 0 && errno != ENOENT)
				return -1;
		}
		if (mkdirat(in, name, 0777) != 0 && errno != EEXIST)
			return -1;
	}
	errno = ELOOP;
	return -1;
}

/* Opens the folder that contains the last component of `*rest`, a path relative to `in`, and sets
 * `*rest` to that component. Closes `in`. Returns the descriptor, or -1 with errno set. */
static int walk(int in, const char **rest)
{
	while (in >= 0) {
		size_t n = strcspn(*rest, "/"), blank = n + strspn(*rest + n, "/");
		char name[NAME_MOST + 1];
		int next = -1;

		if (n == 2 && memcmp(*rest, "..", 2) == 0) {
			errno = EINVAL;
		} else if ((*rest)[blank] == '\0') {
			return in;
		} else if (n > NAME_MOST) {
			errno = ENAMETOOLONG;
		} else if (n == 0 || (n == 1 && **rest == '.')) {
			*rest += blank;
			continue;
		} else {
			snprintf(name, sizeof name, "%.*s", (int)n, *rest);
			next = step(in, name);
			*rest += blank;
		}
		n = (size_t)errno;
		close(in);
		errno = (int)n;
		in = next;
	}
	return in;
}

/* Opens the folder that contains `path`, and sets `*name` to the last component of `path`. Returns
 * the descriptor, or -1 with errno set. */
static int enter(const char *folder, const char *path, const char **name)
{
	size_t n = strlen(folder);

	if (strncmp(path, folder, n) != 0 || path[n] != '/') {
		errno = EINVAL;
		return -1;
	}
	*name = path + n + 1;
	return walk(etc_descriptor_open(n ? folder : "/", O_PATH | O_DIRECTORY, 0), name);
}

enum etc_status etc_inside_open(struct etc_output *o, const char *folder, const char *path,
                                struct etc_error *err)
{
	const char *name;
	int in = enter(folder, path, &name);

	if (in < 0)
		return etc_in_file(err, etc_fail(err, E0903, "%s", strerror(errno)), path);
	return etc_output_open_at(o, in, path, (size_t)(name - path), err);
}

enum etc_status etc_inside_write(const char *folder, const char *path, struct etc_str text,
                                 struct etc_error *err)
{
	struct etc_output o;

	ETC_TRY(etc_inside_open(&o, folder, path, err));
	etc_output_sink(&o, text);
	return etc_output_close(&o, true, err);
}

enum etc_status etc_inside_write_beside(const char *path, struct etc_str text,
                                        struct etc_error *err)
{
	const char *slash = strrchr(path, '/');
	char folder[4096], whole[4096];
	int n = snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1,
	                 slash ? path : ".");
	int m = snprintf(whole, sizeof whole, "%s%s", slash ? "" : "./", path);

	if (n >= (int)sizeof folder || m >= (int)sizeof whole)
		return etc_in_file(err, etc_fail(err, E0903, "%s", strerror(ENAMETOOLONG)), path);
	return etc_in_file(err, etc_inside_write(folder, whole, text, err), path);
}

int etc_inside_create(const char *folder, const char *path, unsigned mode)
{
	const char *name;
	int in = enter(folder, path, &name), fd, why;

	if (in < 0)
		return -1;
	(void)unlinkat(in, name, 0);
	fd = etc_descriptor_open_at(in, name, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW,
	                            mode);
	why = errno;
	close(in);
	errno = why;
	return fd;
}

void etc_inside_remove(const char *folder, const char *path)
{
	const char *name;
	int in = enter(folder, path, &name);

	if (in < 0)
		return;
	(void)unlinkat(in, name, 0);
	close(in);
}

enum etc_status etc_inside_make(const char *folder, const char *path, struct etc_error *err)
{
	const char *name;
	int in = enter(folder, path, &name);
	int made = in < 0 ? -1 : step(in, name), why = errno;

	if (in >= 0)
		close(in);
	if (made < 0)
		return etc_in_file(err, etc_fail(err, E0903, "%s", strerror(why)), path);
	close(made);
	return ETC_OK;
}
