/* metadata.c -- etc_metadata_pack(): stores where the samples' metadata are. A sample without
 * metadata needs less than two bits. */
#include "model/trace.h"

enum { WORD = 64 };

bool etc_metadata_pack(const uint32_t *at, size_t count, struct etc_arena *arena,
                       struct etc_metadata *out)
{
	size_t words = (count + WORD - 1) / WORD, all = 0;
	uint64_t *has = etc_new(arena, uint64_t, words);
	uint32_t *before = etc_new(arena, uint32_t, words), *found;

	if (!has || !before)
		return false;
	for (size_t w = 0; w < words; w++) {
		size_t from = w * WORD, here = count - from < WORD ? count - from : WORD;
		uint64_t bits = 0;

		while (here-- > 0)
			bits = bits << 1 | (at[from + here] != 0);
		has[w] = bits;
		before[w] = (uint32_t)all;
		all += (unsigned)__builtin_popcountll(bits);
	}
	found = etc_new(arena, uint32_t, all);
	if (!found)
		return false;
	*out = (struct etc_metadata){ all ? has : NULL, before, found };
	for (size_t w = 0; w < words; w++)
		for (uint64_t bits = has[w]; bits; bits &= bits - 1)
			*found++ = at[w * WORD + (unsigned)__builtin_ctzll(bits)];
	return true;
}
