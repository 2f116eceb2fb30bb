/* file.c -- see file.h */
#define _DEFAULT_SOURCE /* mkstemps, madvise */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Name of the output file under construction, of the one that was begun last when
 * several threads write. A signal handler has no other way to know it. */
static const char *_Atomic under_construction;

static enum etc_status read_all(struct etc_file *file, int fd, size_t limit, struct etc_error *err)
{
	size_t room = 0, used = 0;
	uint8_t *bytes = NULL;

	for (;;) {
		ssize_t got;

		if (used == room) {
			uint8_t *more;

			room = room ? room * 2 : 1 << 16;
			more = realloc(bytes, room);
			if (!more) {
				free(bytes);
				return etc_fail(err, E0904, "%zu bytes for the input", room);
			}
			bytes = more;
		}
		got = read(fd, bytes + used, room - used);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			free(bytes);
			return etc_fail(err, E0902, "%s", strerror(errno));
		}
		if (got == 0)
			break;
		used += (size_t)got;
		if (used > limit) {
			free(bytes);
			return etc_fail(err, E0906, "more than %zu bytes", limit);
		}
	}
	file->bytes = (struct etc_span){ bytes, used };
	return ETC_OK;
}

static enum etc_status map(struct etc_file *file, int fd, size_t limit, struct etc_error *err)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st) != 0)
		return etc_fail(err, E0902, "%s", strerror(errno));
	if (S_ISDIR(st.st_mode))
		return etc_fail(err, E0901, "is a directory, expected a file");
	if (!S_ISREG(st.st_mode))
		return read_all(file, fd, limit, err);
	if (st.st_size == 0)
		return ETC_OK;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return etc_fail(err, E0902, "cannot map %lld bytes: %s", (long long)st.st_size,
		                strerror(errno));
	file->bytes = (struct etc_span){ p, (size_t)st.st_size };
	file->mapped = true;
	return ETC_OK;
}

enum etc_status etc_file_open(struct etc_file *file, const char *path, size_t limit,
                              struct etc_error *err)
{
	enum etc_status st;
	int fd;

	*file = (struct etc_file){ .path = path };
	if (strcmp(path, "-") == 0)
		return etc_in_file(err, read_all(file, STDIN_FILENO, limit, err), "-");
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return etc_in_file(err, etc_fail(err, E0901, "%s", strerror(errno)), path);
	st = map(file, fd, limit, err);
	close(fd);
	return etc_in_file(err, st, path);
}

enum etc_status etc_file_open_descriptor(struct etc_file *file, int fd, const char *name,
                                         size_t limit, struct etc_error *err)
{
	*file = (struct etc_file){ .path = name };
	return etc_in_file(err, map(file, fd, limit, err), name);
}

void etc_file_rest(const struct etc_file *file)
{
	if (file->mapped && !file->borrowed)
		(void)madvise((void *)(uintptr_t)file->bytes.ptr, file->bytes.len, MADV_DONTNEED);
}

void etc_file_release(struct etc_file *file)
{
	if (file->borrowed)
		*file = (struct etc_file){ .path = file->path };
	else if (file->mapped)
		munmap((void *)(uintptr_t)file->bytes.ptr, file->bytes.len);
	else
		free((void *)(uintptr_t)file->bytes.ptr);
	*file = (struct etc_file){ .path = file->path };
}

bool etc_file_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

/* errno of what stopped it, or 0. */
static int write_all(int fd, struct etc_str text)
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
	(void)write_all(fd, text);
}

void etc_file_abandon(void)
{
	const char *name = under_construction;

	if (name)
		unlink(name);
}

/* A device or pipe (/dev/null, /dev/fd/3) cannot be renamed over: its
 * descriptor, or -1 for everything else. */
static int open_special(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	struct stat s;

	if (fd >= 0 && (fstat(fd, &s) != 0 || S_ISREG(s.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

enum etc_status etc_output_open(struct etc_output *o, const char *path, struct etc_error *err)
{
	int len;

	*o = (struct etc_output){ .path = path, .fd = open_special(path), .temporary = "" };
	if (o->fd >= 0)
		return ETC_OK;
	o->renames = true;
	len = snprintf(o->temporary, sizeof o->temporary, "%s.XXXXXX.tmp", path);
	if (len > 0 && (size_t)len < sizeof o->temporary)
		o->fd = mkstemps(o->temporary, 4);
	under_construction = o->fd >= 0 ? o->temporary : NULL;
	if (o->fd >= 0)
		return ETC_OK;
	o->temporary[0] = '\0';
	return etc_in_file(
		err, etc_fail(err, E0903, "%s", len > 0 ? strerror(errno) : "path too long"), path);
}

bool etc_output_sink(void *arg, struct etc_str chunk)
{
	struct etc_output *o = arg;

	if (!o->refused)
		o->refused = write_all(o->fd, chunk);
	return !o->refused;
}

enum etc_status etc_output_close(struct etc_output *o, bool keep, struct etc_error *err)
{
	int why = keep ? o->refused : 0;

	if (o->renames && fchmod(o->fd, 0644) != 0 && keep && !why)
		why = errno;
	if (close(o->fd) != 0 && keep && !why)
		why = errno;
	o->fd = -1;
	if (o->renames) {
		const char *mine = o->temporary;

		if (keep && !why && rename(o->temporary, o->path) != 0)
			why = errno;
		if (!keep || why)
			unlink(o->temporary);
		atomic_compare_exchange_strong(&under_construction, &mine, NULL);
	}
	if (!why)
		return ETC_OK;
	return etc_in_file(err, etc_fail(err, E0903, "%s", strerror(why)), o->path);
}

enum etc_status etc_file_write(const char *path, struct etc_str text, struct etc_error *err)
{
	struct etc_output o;

	if (strcmp(path, "-") == 0) {
		int why = write_all(STDOUT_FILENO, text);

		return !why ? ETC_OK
		            : etc_in_file(err, etc_fail(err, E0903, "%s", strerror(why)),
		                          "standard output");
	}
	ETC_TRY(etc_output_open(&o, path, err));
	etc_output_sink(&o, text);
	return etc_output_close(&o, true, err);
}
