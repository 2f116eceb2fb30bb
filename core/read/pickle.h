/* pickle.h -- how many test cases a torch.save archive holds, without values.
 *
 * Follows the opcodes that torch.save writes for a dict of lists of tensors and
 * remembers only which lists lie where; imports nothing, calls nothing. */
#ifndef ETC_READ_PICKLE_H
#define ETC_READ_PICKLE_H

#include "base/arena.h"
#include "base/text.h"

/* What a pickle's value has under a key. */
enum etc_pickle_found {
	ETC_PICKLE_UNKNOWN, /* no dict, no list there, or opcodes that we do not know */
	ETC_PICKLE_NO_KEY,
	ETC_PICKLE_LIST
};

/* The pickle is a dict: length of the list under `key` into `*count`. */
enum etc_pickle_found etc_pickle_list(struct etc_span pickle, struct etc_str key,
                                      struct etc_arena *arena, uint32_t *count);

#endif
