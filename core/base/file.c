/* file.c -- implements the functions of file.h for input. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/opened.h"
#include "base/progress.h"

static enum etc_status read_all(struct etc_file *file, int fd, size_t limit, struct etc_error *err)
{
	size_t room = 0, used = 0;
	uint8_t *bytes = NULL;

	for (;;) {
		ssize_t got;

		if (used == room) {
			uint8_t *more;

			room = room ? room * 2 : 1 << 16;
			more = etc_realloc(bytes, room);
			if (!more) {
				free(bytes);
				return etc_no_memory(err);
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
		etc_progress("reading", file->path, used, 0);
		if (used > limit) {
			free(bytes);
			return etc_fail(err, E0906, "more than %zu bytes", limit);
		}
	}
	file->bytes = (struct etc_span){ bytes, used };
	return ETC_OK;
}

static struct etc_file_mark mark_of(const struct stat *st)
{
	return (struct etc_file_mark){
		.device = (uint64_t)st->st_dev,
		.inode = (uint64_t)st->st_ino,
		.size = st->st_size,
		.seconds = st->st_mtim.tv_sec,
		.nanoseconds = st->st_mtim.tv_nsec,
	};
}

static bool is_same(const struct etc_file_mark *a, const struct etc_file_mark *b)
{
	return a->size == b->size && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}

/* Reads the file into memory, so that later changes of the file have no effect. */
static enum etc_status copy(struct etc_file *file, int fd, struct etc_error *err)
{
	size_t size = (size_t)file->mark.size, used = 0;
	uint8_t *bytes = etc_malloc(size);
	struct etc_file_mark now;
	ssize_t got = 1;
	struct stat st;

	ETC_NEED(bytes, err);
	etc_memory_wish_huge(bytes, size);
	while (used < size && got != 0) {
		got = pread(fd, bytes + used, size - used, (off_t)used);
		if (got < 0 && errno != EINTR)
			break;
		used += got > 0 ? (size_t)got : 0;
	}
	if (got < 0 || fstat(fd, &st) != 0) {
		free(bytes);
		return etc_fail(err, E0902, "%s", strerror(errno));
	}
	now = mark_of(&st);
	if (used < size || !is_same(&now, &file->mark)) {
		free(bytes);
		return etc_fail(err, E0907, "it was written to or cut");
	}
	file->bytes = (struct etc_span){ bytes, size };
	return ETC_OK;
}

/* Reads a regular file whose size is 0 according to the system. The file is empty, or it is a file
 * of /proc, which has content nevertheless. Sets O_NONBLOCK, because reading some files of /proc
 * blocks, as with a pipe. `limit` 0: the file must be empty; if it has content, this was written
 * after `before` was read. E0907: the file changed meanwhile. */
static enum etc_status read_empty(struct etc_file *file, int fd, const struct stat *before,
                                  size_t limit, struct etc_error *err)
{
	const struct etc_file_mark was = mark_of(before);
	struct etc_file_mark is = was;
	enum etc_status st;
	struct stat now;

	(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	st = read_all(file, fd, limit, err);
	if (fstat(fd, &now) == 0)
		is = mark_of(&now);
	if (is_same(&is, &was) && (limit || st != ETC_LIMIT))
		return st;
	etc_file_release(file);
	return etc_fail(err, E0907, "it was written to or cut");
}

/* Are files mapped? maps_always applies to all threads of the process, maps_here to this thread. */
static atomic_bool maps_always;
static _Thread_local bool maps_here;

void etc_file_map_always(void)
{
	maps_always = true;
}

void etc_file_map_never(void)
{
	maps_always = maps_here = false;
}

bool etc_file_map(bool on)
{
	bool before = maps_here;

	maps_here = on;
	return before;
}

static enum etc_status take(struct etc_file *file, int fd, bool regular, size_t limit,
                            struct etc_error *err)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st) != 0)
		return etc_fail(err, E0902, "%s", strerror(errno));
	if (S_ISDIR(st.st_mode))
		return etc_fail(err, E0901, "is a directory, expected a file");
	if (!S_ISREG(st.st_mode))
		return regular ? etc_fail(err, E0901, "is a pipe or a device, expected a file")
		               : read_all(file, fd, limit, err);
	if (st.st_size == 0)
		return read_empty(file, fd, &st, limit, err);
	etc_opened_add(&st);
	file->mark = mark_of(&st);
	if (!maps_always && !maps_here)
		return copy(file, fd, err);
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return etc_fail(err, E0902, "cannot map %lld bytes: %s", (long long)st.st_size,
		                strerror(errno));
	file->bytes = (struct etc_span){ p, (size_t)st.st_size };
	file->mapped = true;
	etc_mapped_add(p, file->bytes.len, file->path);
	return ETC_OK;
}

int etc_descriptor_open(const char *path, int flags, unsigned mode)
{
	int fd;

	do
		fd = open(path, flags | O_CLOEXEC | O_NOCTTY, mode);
	while (fd < 0 && errno == EINTR);
	return fd;
}

int etc_descriptor_open_at(int folder, const char *name, int flags, unsigned mode)
{
	int fd;

	do
		fd = openat(folder, name, flags | O_CLOEXEC | O_NOCTTY, mode);
	while (fd < 0 && errno == EINTR);
	return fd;
}

static enum etc_status open_path(struct etc_file *file, const char *path, bool regular,
                                 size_t limit, struct etc_error *err)
{
	int fd = etc_descriptor_open(path, O_RDONLY | (regular ? O_NONBLOCK : 0), 0);
	enum etc_status st;

	*file = (struct etc_file){ .path = path };
	if (fd < 0)
		return etc_in_file(err, etc_fail(err, E0901, "%s", strerror(errno)), path);
	st = take(file, fd, regular, limit, err);
	close(fd);
	return etc_in_file(err, st, path);
}

enum etc_status etc_file_open_found(struct etc_file *file, const char *path, size_t limit,
                                    struct etc_error *err)
{
	return open_path(file, path, true, limit, err);
}

enum etc_status etc_file_open(struct etc_file *file, const char *path, size_t limit,
                              struct etc_error *err)
{
	if (strcmp(path, "-") == 0) {
		struct stat in;

		*file = (struct etc_file){ .path = path };
		if (fstat(STDIN_FILENO, &in) == 0 && S_ISREG(in.st_mode))
			etc_opened_add(&in);
		return etc_in_file(err, read_all(file, STDIN_FILENO, limit, err), "-");
	}
	return open_path(file, path, false, limit, err);
}

enum etc_status etc_file_open_descriptor(struct etc_file *file, int fd, const char *name,
                                         size_t limit, struct etc_error *err)
{
	*file = (struct etc_file){ .path = name };
	return etc_in_file(err, take(file, fd, false, limit, err), name);
}

/* Calls madvise() for the pages of bytes [from, to) of a mapped file. */
static void advise(const struct etc_file *file, size_t from, size_t to, int advice)
{
	enum { PAGE = 4096 };
	size_t begin = from & ~(size_t)(PAGE - 1);

	if (file->mapped && !file->borrowed && begin < to && to <= file->bytes.len)
		(void)madvise((uint8_t *)(uintptr_t)file->bytes.ptr + begin, to - begin, advice);
}

void etc_file_rest(const struct etc_file *file)
{
	advise(file, 0, file->bytes.len, MADV_DONTNEED);
}

void etc_file_rest_part(const struct etc_file *file, size_t from, size_t to)
{
	advise(file, from, to, MADV_DONTNEED);
}

size_t etc_file_page(void)
{
	long size = sysconf(_SC_PAGESIZE);

	return size > 0 ? (size_t)size : 4096;
}

void etc_file_forget(const struct etc_file *file, size_t from, size_t to)
{
	const size_t page = etc_file_page();
	uintptr_t base = (uintptr_t)file->bytes.ptr, begin, end;

	if (file->mapped || file->borrowed || from > to)
		return;
	begin = (base + from + page - 1) / page * page;
	end = (base + (to < file->bytes.len ? to : file->bytes.len)) / page * page;
	if (begin < end)
		(void)madvise((uint8_t *)begin, end - begin, MADV_DONTNEED);
}

void etc_file_fetch(const struct etc_file *file, size_t from, size_t to)
{
	enum { REACH = 64 << 10 }; /* bytes that Linux maps around a faulting page */
	const volatile uint8_t *bytes = file->bytes.ptr;

	for (size_t i = from; file->mapped && i < to && i < file->bytes.len; i += REACH)
		(void)bytes[i];
}

void etc_file_release(struct etc_file *file)
{
	if (file->borrowed) {
		*file = (struct etc_file){ .path = file->path };
	} else if (file->mapped) {
		etc_mapped_remove(file->bytes.ptr);
		munmap((void *)(uintptr_t)file->bytes.ptr, file->bytes.len);
	} else {
		free((void *)(uintptr_t)file->bytes.ptr);
	}
	*file = (struct etc_file){ .path = file->path };
}

int etc_file_again(const struct etc_file *file)
{
	/* O_NONBLOCK: the path may name a pipe now, and opening that would block. */
	int fd = file->mapped ? etc_descriptor_open(file->path, O_RDONLY | O_NONBLOCK, 0) : -1;
	struct etc_file_mark now;
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0) {
		now = mark_of(&st);
		if (memcmp(&now, &file->mark, sizeof now) == 0)
			return fd;
	}
	close(fd);
	return -1;
}

enum etc_file_fate etc_file_fate(const struct etc_file *file)
{
	const struct etc_file_mark *was = &file->mark;
	struct etc_file_mark is;
	struct stat st;

	if (!file->mapped || file->borrowed || stat(file->path, &st) != 0)
		return ETC_FILE_SAME;
	is = mark_of(&st);
	if (is.device != was->device || is.inode != was->inode)
		return ETC_FILE_REPLACED;
	if (is.size > was->size)
		return ETC_FILE_GREW;
	return is_same(&is, was) ? ETC_FILE_SAME : ETC_FILE_CHANGED;
}

bool etc_file_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}
