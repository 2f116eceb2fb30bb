/* etdump_hint.h -- is an Event of an ETDump the one that is expected, by a short way?
 *
 * The hottest path of the whole program. Runs of a loop are written alike: what an
 * event points at lies as far from it as in the run before. A hint remembers the
 * distances; where every offset says the same again, one check says that all of it
 * lies in the file, and the numbers that stand beside the offsets are the same too.
 * What is not as before is not judged here but read by etdump_entry.h, and a new hint
 * is made of it. Not for others than the ETDump reader. */
#ifndef ETC_READ_ETDUMP_HINT_H
#define ETC_READ_ETDUMP_HINT_H

#include "read/etdump_reader.h"

enum { ETC_HINT_WORDS = 6, ETC_HINT_PATIENCE = 15 };

/* How an event lay in the file when a hint was made of it. Distances are from the
 * ProfileEvent, which is written with its times first; 0: absent. */
struct etc_hint {
	uint32_t vtable, profile_vtable; /* of Event and ProfileEvent: bytes in the file */
	uint32_t slot, offset;           /* of Event.profile_event; what it says */
	uint32_t after;                  /* bytes behind the Event that all of it needs */
	uint32_t name, id, metadata;
	uint32_t word[ETC_HINT_WORDS]; /* of the ProfileEvent: all of it behind the times */
	uint8_t words, start, end;     /* start, end: where the times are in it */
	uint8_t misses;                /* until a new one is made */
	bool made;
};

/* The bytes of the file, apart from what is written while they are read: the compiler
 * may keep them in registers. */
struct etc_bytes {
	const uint8_t *ptr;
	size_t len;
};

/* What a hint finds. */
struct etc_hinted {
	uint64_t start, end;
	uint32_t metadata_at; /* as in struct etc_entry */
};

static inline uint32_t etc_load32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static inline uint64_t etc_load64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

/* Short texts, mostly equal: a call of memcmp would cost more than the loop. */
static ETC_INLINE bool etc_same_text(struct etc_str a, struct etc_str b)
{
	const uint8_t *p = (const uint8_t *)a.ptr, *q = (const uint8_t *)b.ptr;
	size_t at = 0;

	if (a.len != b.len)
		return false;
	if (a.len > 64)
		return memcmp(p, q, a.len) == 0;
	if (a.len >= 8) {
		for (; at < a.len - 8; at += 8)
			if (etc_load64(p + at) != etc_load64(q + at))
				return false;
		return etc_load64(p + a.len - 8) == etc_load64(q + a.len - 8);
	}
	for (; at < a.len; at++)
		if (p[at] != q[at])
			return false;
	return true;
}

/* Does the string at `p`, which was as long as `text` when the hint was made, say so? */
static ETC_INLINE bool etc_hint_says(const uint8_t *p, struct etc_str text)
{
	struct etc_str found = { (const char *)p + 4, text.len };

	return etc_load32(p) == text.len && p[4 + text.len] == 0 && etc_same_text(found, text);
}

/* Is the Event that the offset at byte `at` leads to as the hint says, and so the same
 * as `e`, of which the hint was made? */
static ETC_INLINE bool etc_hint_holds(struct etc_bytes b, size_t at, const struct etc_hint *h,
                                      const struct etc_event *e, struct etc_hinted *out)
{
	size_t step = etc_load32(b.ptr + at), event = at + step, profile, count;
	const uint8_t *p;

	if (!h->made || step == 0 || !etc_fits(b.len, at, step) ||
	    !etc_fits(b.len, event, h->after))
		return false;
	profile = event + h->slot + h->offset;
	p = b.ptr + profile;
	if (event - (size_t)(int64_t)(int32_t)etc_load32(b.ptr + event) != h->vtable ||
	    etc_load32(b.ptr + event + h->slot) != h->offset ||
	    profile - (size_t)(int64_t)(int32_t)etc_load32(p) != h->profile_vtable)
		return false;
	for (unsigned i = 0; i < h->words; i++)
		if (etc_load32(p + 20 + 4 * i) != h->word[i])
			return false;
	if ((h->name && !etc_hint_says(p + h->name, e->name)) ||
	    (h->id && !etc_hint_says(p + h->id, e->delegate_name)))
		return false;
	out->metadata_at = 0;
	if (h->metadata) {
		count = etc_load32(p + h->metadata);
		if (!etc_fits(b.len, profile + h->metadata + 4, count))
			return false;
		out->metadata_at = count ? (uint32_t)(profile + h->metadata) : 0;
	}
	out->start = etc_load64(p + h->start);
	out->end = etc_load64(p + h->end);
	return true;
}

/* Makes a hint of the Event that the offset at byte `at` leads to, which was read as
 * `e` without a fault; none if it is of another kind. */
void etc_hint_make(struct etc_etdump_reader *r, size_t at, const struct etc_event *e,
                   struct etc_hint *h) ETC_COLD;

#endif
