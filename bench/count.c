/* count.c -- a library for LD_PRELOAD that measures how much memory a program allocates with malloc
 * and mprotect.
 *
 *   LD_PRELOAD=count.so COUNT_TO=FILE PROGRAM...
 *
 * At exit it writes "PEAK-BYTES CALLS" to FILE: the largest number of bytes allocated at one time,
 * and the number of allocations. The size of a block is malloc_usable_size(), which includes what
 * malloc adds to the requested size. An arena's region (core/base/arena.c) counts from the
 * mprotect() that makes it writable until munmap(), even if its pages were never touched. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t align, size_t size);
extern void __libc_free(void *p);

static atomic_size_t live, peak, calls;

static void add(size_t n)
{
	size_t sum = atomic_fetch_add(&live, n) + n, most = atomic_load(&peak);

	atomic_fetch_add(&calls, 1);
	while (sum > most && !atomic_compare_exchange_weak(&peak, &most, sum))
		;
}

static void *took(void *p)
{
	add(p ? malloc_usable_size(p) : 0);
	return p;
}

static void gave(void *p)
{
	atomic_fetch_sub(&live, p ? malloc_usable_size(p) : 0);
}

void *malloc(size_t size)
{
	return took(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
	return took(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size)
{
	size_t before = old ? malloc_usable_size(old) : 0;
	void *p = __libc_realloc(old, size);

	if (p || size == 0)
		atomic_fetch_sub(&live, before);
	return p ? took(p) : p;
}

void *memalign(size_t align, size_t size)
{
	return took(__libc_memalign(align, size));
}

void *aligned_alloc(size_t align, size_t size)
{
	return took(__libc_memalign(align, size));
}

int posix_memalign(void **out, size_t align, size_t size)
{
	*out = took(__libc_memalign(align, size));
	return *out ? 0 : 12; /* ENOMEM */
}

void free(void *p)
{
	gave(p);
	__libc_free(p);
}

/* Per 2 MB of address space: has mprotect() made it writable, as memory of an arena's region? */
enum { PAGE_BITS = 21, ADDRESS_BITS = 47 };
static atomic_bool of_region[1 << (ADDRESS_BITS - PAGE_BITS)];

static void mark(void *at, size_t n, bool now)
{
	size_t from = (size_t)at >> PAGE_BITS, to = ((size_t)at + n) >> PAGE_BITS;

	for (size_t i = from; i < to; i++) {
		bool was = atomic_exchange(&of_region[i], now);

		if (now && !was)
			add((size_t)1 << PAGE_BITS);
		if (was && !now)
			atomic_fetch_sub(&live, (size_t)1 << PAGE_BITS);
	}
}

int mprotect(void *at, size_t n, int prot)
{
	long failed = syscall(SYS_mprotect, at, n, prot);

	if (!failed && prot & PROT_WRITE)
		mark(at, n, true);
	return (int)failed;
}

int munmap(void *at, size_t n)
{
	mark(at, n, false);
	return (int)syscall(SYS_munmap, at, n);
}

__attribute__((destructor)) static void tell(void)
{
	const char *path = getenv("COUNT_TO");
	size_t most = atomic_load(&peak), n = atomic_load(&calls);
	FILE *f = path ? fopen(path, "w") : NULL;

	if (!f)
		return;
	fprintf(f, "%zu %zu\n", most, n);
	fclose(f);
}
