/* metadata.c -- see trace.h: where few of many samples have metadata. */
#include "base/parallel.h"
#include "model/trace.h"

enum { WORD = 64, MANY = 1 << 16 }; /* MANY: samples that are worth a thread */

/* Words of bits, a range of them by each thread. */
struct packing {
	const uint32_t *at;
	size_t count, words;
	unsigned parts;
	uint64_t *has;
	uint32_t *before; /* in the range, then of all */
	uint32_t *found;
	size_t all[ETC_JOBS_MAX + 1]; /* that have some, before each range */
};

static void find_bits(void *packing, unsigned part)
{
	struct packing *p = packing;
	size_t to = etc_part_begin(p->words, p->parts, part + 1), all = 0;

	for (size_t w = etc_part_begin(p->words, p->parts, part); w < to; w++) {
		size_t from = w * WORD, here = p->count - from < WORD ? p->count - from : WORD;
		uint64_t bits = 0;

		while (here-- > 0)
			bits = bits << 1 | (p->at[from + here] != 0);
		p->has[w] = bits;
		p->before[w] = (uint32_t)all;
		all += (unsigned)__builtin_popcountll(bits);
	}
	p->all[part + 1] = all;
}

static void keep_found(void *packing, unsigned part)
{
	struct packing *p = packing;
	size_t to = etc_part_begin(p->words, p->parts, part + 1);
	uint32_t *found = p->found + p->all[part];

	for (size_t w = etc_part_begin(p->words, p->parts, part); w < to; w++) {
		p->before[w] += (uint32_t)p->all[part];
		for (uint64_t bits = p->has[w]; bits; bits &= bits - 1)
			*found++ = p->at[w * WORD + (unsigned)__builtin_ctzll(bits)];
	}
}

bool etc_metadata_pack(const uint32_t *at, size_t count, unsigned jobs, struct etc_arena *arena,
                       struct etc_metadata *out)
{
	struct packing p = { .at = at, .count = count, .words = (count + WORD - 1) / WORD };

	p.parts = count < MANY ? 1 : etc_parts(jobs, p.words);
	p.has = etc_new(arena, uint64_t, p.words);
	p.before = etc_new(arena, uint32_t, p.words);
	if (!p.has || !p.before)
		return false;
	etc_parallel(p.parts, find_bits, &p);
	for (unsigned i = 0; i < p.parts; i++)
		p.all[i + 1] += p.all[i];
	p.found = etc_new(arena, uint32_t, p.all[p.parts]);
	if (!p.found)
		return false;
	etc_parallel(p.parts, keep_found, &p);
	*out = (struct etc_metadata){ p.all[p.parts] ? p.has : NULL, p.before, p.found };
	return true;
}
