/* etdump_hint.h -- fast path for decoding Events: compares the bytes of an Event with those of an
 * Event that was validated before, at the same relative offsets.
 *
 * The hottest path of the program. The runtime writes all runs of a loop in the same way: the parts
 * of an event are at the same distances from the event as in an earlier run, and all bytes except
 * the times are equal. A hint has the position of a validated event and the distances of its parts.
 * If a later event passes one bounds check and its bytes match, its offsets need not be followed.
 * An event that does not match is decoded by etdump_entry.h; after some misses templates.c makes a
 * new hint. Private to the ETDump reader. */
#ifndef ETC_FORMATS_ETDUMP_ETDUMP_HINT_H
#define ETC_FORMATS_ETDUMP_ETDUMP_HINT_H

#include "formats/etdump/etdump_reader.h"

enum { ETC_HINT_PATIENCE = 15, ETC_HINT_TIMES_END = 20 };

/* Position and layout of a validated event. The struct is small, because a template has one hint
 * per event. */
struct etc_hint {
	uint32_t at;                     /* offset of the ProfileEvent in the file */
	uint32_t vtable, profile_vtable; /* positions of the vtables of Event and ProfileEvent */
	uint16_t after;   /* number of bytes from the start of the Event to the end of its last
			   * part: of the Event itself, of its ProfileEvent or of a text */
	uint16_t profile; /* distance from the Event to its ProfileEvent */
	uint16_t slot;    /* offset of the field profile_event in the Event */
	/* distances from the ProfileEvent to the targets of these fields; 0: absent */
	uint16_t name, id, metadata;
	/* number of bytes in the ProfileEvent after its times. In another event they are compared
	 * with this event's in one step */
	uint8_t same;
	uint8_t start, end; /* offsets of the times in the ProfileEvent */
	uint8_t name_len, id_len;
	/* number of further events that may differ from the hint without consequence; the next
	 * event after these that differs causes a new hint to be made */
	uint8_t misses;
	bool made; /* the hint is valid */
};

/* The bytes of the file. They are in a struct of their own, apart from data that is written while
 * reading, so that the compiler can keep pointer and length in registers. */
struct etc_bytes {
	const uint8_t *ptr;
	size_t len;
};

/* The fields of an event that was recognised by a hint. */
struct etc_hinted {
	uint64_t start, end;
	uint32_t metadata_at; /* offset of the metadata's length; 0: none */
};

static ETC_INLINE uint64_t etc_differ_8(const uint8_t *p, const uint8_t *q)
{
	return etc_load64(p) ^ etc_load64(q);
}

static ETC_INLINE uint64_t etc_differ_16(const uint8_t *p, const uint8_t *q)
{
	return etc_differ_8(p, q) | etc_differ_8(p + 8, q + 8);
}

/* Compares a few bytes that are mostly equal, faster than a call of memcmp. Compares one part from
 * each end; the parts may overlap. */
static ETC_INLINE bool etc_same_bytes(const uint8_t *p, const uint8_t *q, size_t n)
{
	size_t at = 0;

	if (n > 64)
		return memcmp(p, q, n) == 0;
	if (n > 32)
		return (etc_differ_16(p, q) | etc_differ_16(p + 16, q + 16) |
		        etc_differ_16(p + n - 32, q + n - 32) |
		        etc_differ_16(p + n - 16, q + n - 16)) == 0;
	if (n >= 16)
		return (etc_differ_16(p, q) | etc_differ_16(p + n - 16, q + n - 16)) == 0;
	if (n >= 8)
		return (etc_differ_8(p, q) | etc_differ_8(p + n - 8, q + n - 8)) == 0;
	for (; at < n; at++)
		if (p[at] != q[at])
			return false;
	return true;
}

static ETC_INLINE bool etc_same_text(struct etc_str a, struct etc_str b)
{
	return a.len == b.len &&
	       etc_same_bytes((const uint8_t *)a.ptr, (const uint8_t *)b.ptr, a.len);
}

/* Returns the offset of the vtable of the table at `at`. */
static ETC_INLINE size_t etc_hint_vtable(struct etc_bytes f, size_t at)
{
	return at - (size_t)(int64_t)(int32_t)etc_load32(f.ptr + at);
}

/* Prefetches the bytes that etc_hint_leads() will read. */
static ETC_INLINE void etc_hint_fetch_event(struct etc_bytes f, size_t at)
{
	__builtin_prefetch((const void *)((uintptr_t)f.ptr + at + etc_load32(f.ptr + at)));
}

/* Prefetches the bytes that etc_hint_holds() will read. */
static ETC_INLINE void etc_hint_fetch(struct etc_bytes f, size_t at, const struct etc_hint *h)
{
	etc_hint_fetch_event(f, at);
	__builtin_prefetch((const void *)((uintptr_t)f.ptr + h->at));
}

/* Does the offset at byte `at` point to an Event that is laid out as in the hint and completely
 * inside the file? If so, `*profile` is the position of its ProfileEvent, whose times are at the
 * hint's offsets. */
static ETC_INLINE bool etc_hint_leads(struct etc_bytes f, size_t at, const struct etc_hint *h,
                                      size_t *profile)
{
	size_t event = at + etc_load32(f.ptr + at);

	if (!h->made || event <= at || !etc_fits(f.len, event, h->after))
		return false;
	*profile = event + h->profile;
	return etc_hint_vtable(f, event) == h->vtable &&
	       etc_hint_vtable(f, *profile) == h->profile_vtable &&
	       etc_load32(f.ptr + event + h->slot) == (uint32_t)h->profile - h->slot;
}

/* Does the event equal the hint's event in everything but its times? */
static ETC_INLINE bool etc_hint_holds(struct etc_bytes f, size_t at, const struct etc_hint *h,
                                      struct etc_hinted *out)
{
	enum { LENGTH = 4 };
	const uint8_t *p, *q = f.ptr + h->at;
	size_t profile, count;

	if (!etc_hint_leads(f, at, h, &profile))
		return false;
	p = f.ptr + profile;
	if (!etc_same_bytes(p + ETC_HINT_TIMES_END, q + ETC_HINT_TIMES_END, h->same))
		return false;
	/* Also compare the length before the text and the NUL after it. */
	if ((h->name &&
	     !etc_same_bytes(p + h->name, q + h->name, LENGTH + (size_t)h->name_len + 1)) ||
	    (h->id && !etc_same_bytes(p + h->id, q + h->id, LENGTH + (size_t)h->id_len + 1)))
		return false;
	out->metadata_at = 0;
	if (h->metadata) {
		count = etc_load32(p + h->metadata);
		if (!etc_fits(f.len, profile + h->metadata + LENGTH, count))
			return false;
		/* If the metadata equal those of the hint's event, refer to the metadata of that
		 * event, so that fewer pages of the file stay in use. */
		if (count && count == etc_load32(q + h->metadata) &&
		    etc_same_bytes(p + h->metadata + LENGTH, q + h->metadata + LENGTH, count))
			profile = h->at;
		out->metadata_at = count ? (uint32_t)(profile + h->metadata) : 0;
	}
	out->start = etc_load64(p + h->start);
	out->end = etc_load64(p + h->end);
	return true;
}

/* Makes a hint from `event`, which was decoded as `x` without a fault. h->made stays false if
 * `event` is not a profile event of the usual layout. */
void etc_hint_make(const struct etc_fb *fb, struct etc_fb_table event, const struct etc_entry *x,
                   struct etc_hint *h);

#endif
