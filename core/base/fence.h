/* fence.h -- memory that ends at an inaccessible page (the fence), so that reading or writing one
 * byte beyond its end raises SIGSEGV. Sealed memory is read-only. Used to check plugins' code. */
#ifndef ETC_BASE_FENCE_H
#define ETC_BASE_FENCE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct etc_fenced;

/* Released fenced pages, which are reused without a system call. A pool may be used by one thread
 * only. */
struct etc_fence_pool {
	struct etc_fenced *free;
};

struct etc_fence {
	/* receives released memory, for reuse; NULL: memory is not reused */
	struct etc_fence_pool *pool;
	struct etc_fenced *all;
};

/* Returns `size` zeroed bytes that end at the fence, or NULL. They are aligned to any power of two
 * that divides `size`. */
void *etc_fence_new(struct etc_fence *f, size_t size);

/* Makes all memory of `f` read-only: a write raises SIGSEGV. False: the system does not allow
 * it. */
bool etc_fence_seal(struct etc_fence *f);

/* Releases all memory of `f`, to the pool if there is one. */
void etc_fence_release(struct etc_fence *f);
void etc_fence_pool_release(struct etc_fence_pool *pool);

#ifdef __cplusplus
}
#endif
#endif
