/* fence.c -- see fence.h */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/fence.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"

struct etc_fenced {
	struct etc_fenced *next;
	char *map;
	/* number of bytes of the mapping, without and with the fence at its end */
	size_t usable, bytes;
	bool sealed;
};

static struct etc_fenced *make(size_t size, size_t page)
{
	struct etc_fenced *one;

	if (size > SIZE_MAX / 2)
		return NULL;
	one = etc_calloc(1, sizeof *one);
	if (!one)
		return NULL;
	one->usable = size ? (size + page - 1) / page * page : page;
	one->bytes = one->usable + page;
	one->map =
		mmap(NULL, one->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (one->map != MAP_FAILED && mprotect(one->map + one->usable, page, PROT_NONE) == 0)
		return one;
	if (one->map != MAP_FAILED)
		munmap(one->map, one->bytes);
	free(one);
	return NULL;
}

void *etc_fence_new(struct etc_fence *f, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct etc_fenced *one;

	if (f->pool && f->pool->free && size <= page) {
		one = f->pool->free;
		f->pool->free = one->next;
		memset(one->map + one->usable - size, 0, size);
	} else {
		one = make(size, page);
	}
	if (!one)
		return NULL;
	one->next = f->all;
	f->all = one;
	return one->map + one->usable - size;
}

bool etc_fence_seal(struct etc_fence *f)
{
	bool ok = true;

	for (struct etc_fenced *one = f->all; one; one = one->next) {
		one->sealed = true;
		ok &= mprotect(one->map, one->usable, PROT_READ) == 0;
	}
	return ok;
}

static void unmap(struct etc_fenced *one)
{
	munmap(one->map, one->bytes);
	free(one);
}

void etc_fence_release(struct etc_fence *f)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	while (f->all) {
		struct etc_fenced *one = f->all;

		f->all = one->next;
		if (!f->pool || one->usable > page ||
		    (one->sealed && mprotect(one->map, page, PROT_READ | PROT_WRITE) != 0)) {
			unmap(one);
			continue;
		}
		one->sealed = false;
		one->next = f->pool->free;
		f->pool->free = one;
	}
}

void etc_fence_pool_release(struct etc_fence_pool *pool)
{
	while (pool->free) {
		struct etc_fenced *one = pool->free;

		pool->free = one->next;
		unmap(one);
	}
}
