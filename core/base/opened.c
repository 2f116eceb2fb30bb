/* opened.c -- see opened.h */
#define _POSIX_C_SOURCE 200809L
#include "base/opened.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

struct etc_opened {
	struct etc_opened *next;
	dev_t device;
	ino_t inode;
};

static _Thread_local struct etc_opened *opened;
/* number of queries that this thread has begun and not ended */
static _Thread_local unsigned queries;

struct etc_opened *etc_opened_begin(void)
{
	struct etc_opened *before = opened;

	opened = NULL;
	queries++;
	return before;
}

void etc_opened_end(struct etc_opened *before)
{
	while (opened) {
		struct etc_opened *o = opened;

		opened = o->next;
		free(o);
	}
	opened = before;
	queries--;
}

static bool is_opened(const struct stat *file)
{
	for (const struct etc_opened *o = opened; o; o = o->next)
		if (o->device == file->st_dev && o->inode == file->st_ino)
			return true;
	return false;
}

void etc_opened_add(const struct stat *file)
{
	struct etc_opened *o;

	if (!queries || is_opened(file))
		return;
	o = etc_malloc(sizeof *o);
	if (!o)
		return;
	*o = (struct etc_opened){ opened, file->st_dev, file->st_ino };
	opened = o;
}

enum etc_status etc_opened_spare(const char *path, struct etc_error *err)
{
	struct stat file;

	bool out = strcmp(path, "-") == 0;

	if ((out ? fstat(STDOUT_FILENO, &file) : stat(path, &file)) != 0 ||
	    !S_ISREG(file.st_mode) || !is_opened(&file))
		return ETC_OK;
	return etc_in_file(err, etc_fail(err, E0909, "it was read for this answer"),
	                   out ? "standard output" : path);
}

/* ---- mapped files ------------------------------------------------------------- */

/* A signal handler may read this table at any moment, so its entries never move, and a size of 0
 * marks a free entry. If the table is full, a further file is not added, and the handler does not
 * find it. */
enum { PLACES = 1024 };

static struct {
	_Atomic uintptr_t at;
	_Atomic size_t size;
	const char *_Atomic path;
} places[PLACES];

void etc_mapped_add(const void *at, size_t size, const char *path)
{
	for (size_t i = 0; i < PLACES; i++) {
		uintptr_t none = 0;

		if (!atomic_compare_exchange_strong(&places[i].at, &none, (uintptr_t)at))
			continue;
		places[i].path = path;
		places[i].size = size;
		return;
	}
}

void etc_mapped_remove(const void *at)
{
	for (size_t i = 0; i < PLACES; i++) {
		if (places[i].at != (uintptr_t)at)
			continue;
		places[i].size = 0;
		places[i].at = 0;
		return;
	}
}

const char *etc_mapped_at(const void *address, size_t *offset)
{
	uintptr_t a = (uintptr_t)address;

	for (size_t i = 0; i < PLACES; i++) {
		uintptr_t at = places[i].at;

		if (at && a >= at && a - at < places[i].size) {
			*offset = a - at;
			return places[i].path;
		}
	}
	return NULL;
}
