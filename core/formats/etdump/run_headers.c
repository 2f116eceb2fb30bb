/* run_headers.c -- per-run metadata other than events (name, allocators, bundled input), stored
 * once for all runs that share it.
 *
 * A header is compared with the previous run's header, then with the cached header of the same
 * hash. A header that was dropped from the cache is stored again when it occurs again. So a file
 * whose headers all differ needs no more time and memory than if headers were not shared. */
#include "base/map.h"
#include "formats/etdump/etdump_reader.h"

static bool same_text(struct etc_str a, struct etc_str b)
{
	return (a.ptr != NULL) == (b.ptr != NULL) && etc_str_eq(a, b);
}

static bool same_head(const struct etc_run_head *a, const struct etc_run_head *b)
{
	if (a->bundled_input_index != b->bundled_input_index || a->has_events != b->has_events ||
	    a->has_allocators != b->has_allocators || a->allocator_count != b->allocator_count ||
	    !same_text(a->name, b->name))
		return false;
	for (uint32_t i = 0; i < a->allocator_count; i++)
		if (!same_text(a->allocators[i], b->allocators[i]))
			return false;
	return true;
}

struct etc_str *etc_heads_names(struct etc_etdump_reader *r, size_t count)
{
	struct etc_run_heads *h = &r->heads;

	/* A spare list with room for more than twice `count` names is not reused, because the
	 * run header would keep all of its memory. */
	if (h->spare && h->spare_room >= count && h->spare_room / 2 <= count)
		return h->spare;
	h->spare = etc_new(r->arena, struct etc_str, count);
	h->spare_room = count;
	return h->spare;
}

enum etc_status etc_heads_match(struct etc_etdump_reader *r, const struct etc_run_head *head,
                                uint32_t *found, struct etc_error *err)
{
	struct etc_run_heads *h = &r->heads;
	struct etc_run_head *new;
	uint64_t hash;
	uint32_t *recent;

	*found = h->last;
	if (h->count && same_head(head, &h->list[h->last]))
		return ETC_OK;
	hash = etc_hash_mix(etc_hash(head->name), (uint32_t)head->bundled_input_index);
	recent = &h->recent[hash % ETC_HEADS_RECENT];
	if (*recent >= h->count || !same_head(head, &h->list[*recent])) {
		*recent = h->count;
		new = ETC_APPEND(r->arena, h->list, h->count, h->room);
		ETC_NEED(new, err);
		*new = *head;
		h->spare = NULL;
		h->spare_room = 0;
	}
	*found = h->last = *recent;
	return ETC_OK;
}
