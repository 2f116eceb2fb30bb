/* file_output.c -- see file.h: output.
 *
 * The temporary file is made in the folder of the resolved target, so that rename() never crosses a
 * file system and a symbolic link stays a link. The folder stays open, so that the output is also
 * completed if the folder is renamed meanwhile. */
#define _GNU_SOURCE /* O_PATH, getrandom, mode_t, readlink */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/temporary.h"

enum { LINKS_MOST = 40, TRIES = 16 };

int etc_descriptor_put(int fd, struct etc_str text)
{
	for (size_t at = 0; at < text.len;) {
		ssize_t put = write(fd, text.ptr + at, text.len - at);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return errno;
		at += (size_t)put;
	}
	return 0;
}

void etc_descriptor_write(int fd, struct etc_str text)
{
	(void)etc_descriptor_put(fd, text);
}

void etc_descriptors_hold(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int etc_descriptor_named(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		size_t n = strlen(folders[i]);
		char *end;
		long fd;

		if (strncmp(path, folders[i], n) != 0 || path[n] < '0' || path[n] > '9')
			continue;
		fd = strtol(path + n, &end, 10);
		return *end || fd > 1 << 20 ? -1 : (int)fd;
	}
	return -1;
}

/* Resolves the links of `path` into `to`. With `own`, stops at the first name that stands for a
 * descriptor of this process, such as /dev/stdout. Returns errno or 0. */
static int follow(const char *path, bool own, char *to, size_t room)
{
	char link[4096], next[4096];

	if (snprintf(to, room, "%s", path) >= (int)room)
		return ENAMETOOLONG;
	for (int i = 0; i < LINKS_MOST; i++) {
		ssize_t n = readlink(to, link, sizeof link - 1);
		const char *slash = strrchr(to, '/');
		int folder;

		if (own && etc_descriptor_named(to) >= 0)
			return 0;
		if (n < 0)
			return errno == EINVAL || errno == ENOENT ? 0 : errno;
		link[n] = '\0';
		folder = link[0] != '/' && slash ? (int)(slash - to) + 1 : 0;
		n = snprintf(next, sizeof next, "%.*s%s", folder, to, link);
		if (n >= (int)sizeof next || snprintf(to, room, "%s", next) >= (int)room)
			return ENAMETOOLONG;
	}
	return ELOOP;
}

int etc_output_place(const char *path, char *to, size_t room)
{
	return follow(path, false, to, room);
}

int etc_file_random(char to[17])
{
	unsigned long long random;
	ssize_t got;

	do
		got = getrandom(&random, sizeof random, 0);
	while (got < 0 && errno == EINTR);
	if (got != (ssize_t)sizeof random)
		return got < 0 ? errno : EIO;
	snprintf(to, 17, "%016llx", random);
	return 0;
}

bool etc_output_is_temporary(const char *name)
{
	const struct etc_str all = etc_str_of(name), begin = ETC_STR(".etcore-"),
			     end = ETC_STR(".tmp");

	return all.len == begin.len + 16 + end.len && etc_str_starts(all, begin) &&
	       etc_str_ends(all, end);
}

/* Opens a new file with an unguessable name in the folder of o->target. Returns 0 or an errno. */
static int open_temporary(struct etc_output *o)
{
	for (int i = 0; i < TRIES; i++) {
		char random[17];
		int n, why = etc_file_random(random);

		if (why)
			return why;
		n = snprintf(o->temporary, sizeof o->temporary, "%.*s.etcore-%s.tmp", (int)o->skip,
		             o->target, random);
		if (n >= (int)sizeof o->temporary)
			return ENAMETOOLONG;
		o->noted = etc_temporary_note(o->folder, o->temporary + o->skip);
		o->fd = etc_descriptor_open_at(o->folder, o->temporary + o->skip,
		                               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
		if (o->fd >= 0)
			return 0;
		n = errno;
		etc_temporary_forget(o->noted);
		if (n != EEXIST)
			return n;
	}
	return EEXIST;
}

/* Opens the file that will replace the target. `old` is the state of the target, which is open as
 * o->fd; NULL: the target does not exist. Returns 0 or an errno. */
static int begin_beside(struct etc_output *o, const struct stat *old)
{
	int why;

	if (old) {
		close(o->fd);
		o->fd = -1;
		o->replaces = true;
	}
	o->renames = true;
	why = open_temporary(o);
	if (!why && old)
		(void)fchmod(o->fd, old->st_mode & 0777);
	return why;
}

/* Opens the folder of the target as o->folder, because the folder may be renamed before the output
 * is complete. Returns 0 or an errno. */
static int enter(struct etc_output *o)
{
	const char *slash = strrchr(o->target, '/');
	char folder[sizeof o->target];

	if (!slash)
		return 0;
	o->skip = (size_t)(slash - o->target) + 1;
	snprintf(folder, sizeof folder, "%.*s", (int)o->skip, o->target);
	o->folder = etc_descriptor_open(folder, O_PATH | O_DIRECTORY, 0);
	return o->folder < 0 ? errno : 0;
}

/* Opens the output; returns errno or 0. A device or a pipe is written to directly, since rename()
 * would replace it. A file that is not writable is not replaced either. */
static int begin(struct etc_output *o)
{
	int own, why = follow(o->path, true, o->target, sizeof o->target);
	struct stat st;
	bool there;

	if (why)
		return why;
	own = etc_descriptor_named(o->target);
	if (own >= 0) {
		o->fd = fcntl(own, F_DUPFD_CLOEXEC, 3);
		return o->fd < 0 ? errno : 0;
	}
	there = stat(o->target, &st) == 0;
	if (!there && errno != ENOENT)
		return errno;
	if (there) {
		o->fd = etc_descriptor_open(o->target, O_WRONLY, 0);
		if (o->fd < 0 || !S_ISREG(st.st_mode))
			return o->fd < 0 ? errno : 0;
	}
	why = enter(o);
	return why ? why : begin_beside(o, there ? &st : NULL);
}

/* Opens the file `name` of o->folder for writing if it is a regular file. If a link or a pipe
 * replaces it meanwhile, opening neither follows the link nor blocks. Returns errno or 0. */
static int open_old(struct etc_output *o, const char *name, struct stat *st)
{
	o->fd = etc_descriptor_open_at(o->folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	if (o->fd < 0)
		return errno == ELOOP || errno == ENXIO || errno == ENOENT ? 0 : errno;
	if (fstat(o->fd, st) != 0)
		return errno;
	if (S_ISREG(st->st_mode))
		return 0;
	close(o->fd);
	o->fd = -1;
	return 0;
}

/* Like begin(), but in the open folder o->folder: a link, a device or a pipe with that name is
 * replaced. */
static int begin_at(struct etc_output *o)
{
	const char *name = o->target + o->skip;
	struct stat st;
	bool there;
	int why = 0;

	if (snprintf(o->target, sizeof o->target, "%s", o->path) >= (int)sizeof o->target)
		return ENAMETOOLONG;
	there = fstatat(o->folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
	if (!there && errno != ENOENT)
		return errno;
	if (there && S_ISDIR(st.st_mode))
		return EISDIR;
	if (there && S_ISREG(st.st_mode))
		why = open_old(o, name, &st);
	return why ? why : begin_beside(o, o->fd >= 0 ? &st : NULL);
}

static void close_folder(struct etc_output *o)
{
	if (o->folder >= 0)
		close(o->folder);
	o->folder = AT_FDCWD;
}

static enum etc_status opened(struct etc_output *o, int why, struct etc_error *err)
{
	if (!why)
		return ETC_OK;
	if (o->fd >= 0)
		close(o->fd);
	close_folder(o);
	o->temporary[0] = '\0';
	return etc_in_file(err, etc_fail(err, E0903, "%s", strerror(why)), o->path);
}

enum etc_status etc_output_open(struct etc_output *o, const char *path, struct etc_error *err)
{
	*o = (struct etc_output){
		.path = path, .fd = -1, .noted = -1, .folder = AT_FDCWD, .temporary = ""
	};
	return opened(o, begin(o), err);
}

enum etc_status etc_output_open_at(struct etc_output *o, int folder, const char *path, size_t skip,
                                   struct etc_error *err)
{
	*o = (struct etc_output){
		.path = path, .fd = -1, .noted = -1, .folder = folder, .skip = skip
	};
	return opened(o, begin_at(o), err);
}

bool etc_output_sink(void *arg, struct etc_str chunk)
{
	struct etc_output *o = arg;

	if (!o->refused)
		o->refused = etc_descriptor_put(o->fd, chunk);
	o->written += chunk.len;
	etc_progress("writing", o->path, o->written, 0);
	return !o->refused;
}

/* If the output replaces another file, writes it to disk before the rename: otherwise a crash of
 * the machine could lose both files. Returns errno or 0. It is no error if the file system does not
 * support fsync(). */
static int settle(const struct etc_output *o)
{
	int r;

	if (!o->replaces)
		return 0;
	do
		r = fsync(o->fd);
	while (r != 0 && errno == EINTR);
	return r == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP ? 0 : errno;
}

enum etc_status etc_output_close(struct etc_output *o, bool keep, struct etc_error *err)
{
	size_t lacks = etc_memory_refused().wanted;
	bool wanted = keep;
	int why;

	keep = keep && !lacks;
	why = keep ? o->refused : 0;
	if (keep && !why && o->renames)
		why = settle(o);
	/* close() is not repeated if a signal interrupts it: the descriptor is closed
	 * nevertheless. */
	if (close(o->fd) != 0 && errno != EINTR && keep && !why)
		why = errno;
	o->fd = -1;
	if (o->renames) {
		if (keep && !why &&
		    renameat(o->folder, o->temporary + o->skip, o->folder, o->target + o->skip) !=
		            0)
			why = errno;
		if (!keep || why)
			(void)unlinkat(o->folder, o->temporary + o->skip, 0);
		etc_temporary_forget(o->noted);
	}
	close_folder(o);
	if (wanted && lacks)
		return etc_in_file(err, etc_no_memory(err), o->path);
	if (!why)
		return ETC_OK;
	return etc_in_file(err, etc_fail(err, E0903, "%s", strerror(why)), o->path);
}

enum etc_status etc_file_write(const char *path, struct etc_str text, struct etc_error *err)
{
	struct etc_output o;

	if (strcmp(path, "-") == 0) {
		int why = etc_descriptor_put(STDOUT_FILENO, text);

		return !why ? ETC_OK
		            : etc_in_file(err, etc_fail(err, E0903, "%s", strerror(why)),
		                          "standard output");
	}
	ETC_TRY(etc_output_open(&o, path, err));
	etc_output_sink(&o, text);
	return etc_output_close(&o, true, err);
}
