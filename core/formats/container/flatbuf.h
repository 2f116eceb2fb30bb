/* flatbuf.h -- a bounds-checked FlatBuffers reader.
 *
 * Every byte of the buffer may be hostile. A read outside the buffer returns the field's default
 * and records a fault in struct etc_fb. The fault is sticky, as with ferror(3), so parsing code
 * reads a table without branches and checks once:
 *
 *     start = etc_fb_u64(&fb, event, PROFILE_START, 0);
 *     end   = etc_fb_u64(&fb, event, PROFILE_END, 0);
 *     ETC_TRY(etc_fb_check(&fb, err));
 *
 * A vtable is verified once per type of table that uses it, and the offsets of its fields are kept
 * in a small cache. Reading a field then needs no further check. Alignment is not required. Sharing
 * (two offsets to one table) is legal in FlatBuffers, so a small file can describe a huge tree.
 * Therefore the reader has a budget of visits to tables, which the caller reduces by
 * etc_fb_spend().
 *
 *   table:   [i32 back to vtable][fields ...]
 *   vtable:  [u16 own size][u16 table size][u16 offset of field 0][...]
 *   string:  [u32 length][bytes][0]      vector: [u32 count][elements]
 *
 * Format: https://flatbuffers.dev/internals/ */
#ifndef ETC_FORMATS_CONTAINER_FLATBUF_H
#define ETC_FORMATS_CONTAINER_FLATBUF_H

#include "base/error.h"
#include "base/span.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "FlatBuffers are little-endian, and so are the loads of this header"
#endif

enum { ETC_FB_FIELDS = 20, ETC_FB_WAYS = 16 };

/* A type of table in the schema: width[i] is the number of bytes of field i inside the table. */
struct etc_fb_type {
	const char *name;
	unsigned fields;
	uint8_t width[ETC_FB_FIELDS];
};

/* One verified vtable. slot[]: byte offset of a field in its table, 0: absent. */
struct etc_fb_layout {
	size_t vtable;
	uint16_t bytes; /* size of the table in bytes */
	uint16_t slot[ETC_FB_FIELDS];
};

/* A cache of vtables that were checked already, for tables of one type. It is direct-mapped: each
 * vtable has one place in `way`, which depends on the vtable's position. */
struct etc_fb_layouts {
	const struct etc_fb_type *type;
	struct etc_fb_layout way[ETC_FB_WAYS];
};

/* A table in the buffer. If `at` is 0, the table is absent, and its fields read as their defaults.
 * Valid until the next table of the same type is read. */
struct etc_fb_table {
	size_t at;
	const struct etc_fb_layout *layout;
};

struct etc_fb_vec {
	size_t at, count; /* offset of the first element; number of elements */
	bool present;
};

/* The inferred layout of a vtable that is missing because the file was truncated. The vtable's
 * position, layout.vtable, is beyond the end of the file. */
struct etc_fb_known {
	const struct etc_fb_type *type;
	struct etc_fb_layout layout;
};

struct etc_fb {
	const uint8_t *ptr;
	size_t len;
	size_t visits;     /* number of visits to tables that the reader may still make */
	size_t allowed;    /* first value of `visits` */
	const char *fault; /* description of the first fault; NULL: none */
	const char *where; /* type of the table with the fault; NULL: unknown */
	size_t fault_at;   /* byte offset of the first fault */
	bool spent;        /* the first fault is that `visits` was used up */
	/* offset of the first string without a NUL after it; SIZE_MAX: none */
	size_t no_nul;

	const struct etc_fb_known *known; /* inferred layouts, for vtables beyond the end of the
	                                   * buffer */
	size_t known_count;
};

extern const struct etc_fb_layout etc_fb_no_layout;

/* Initialises a reader of `buf`. `buf` must stay valid while the reader or a view that it returned
 * is used. */
void etc_fb_init(struct etc_fb *fb, struct etc_span buf, size_t visits);
void etc_fb_layouts_init(struct etc_fb_layouts *layouts, const struct etc_fb_type *type);

/* Fails with E0205 and the position of the first fault, or with E0206 if more tables were visited
 * than `visits` allowed; etc_fb_check_as() uses the codes of another format. */
enum etc_status etc_fb_check(const struct etc_fb *fb, struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_fb_check_as(const struct etc_fb *fb, enum etc_code damaged, enum etc_code spent,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Returns how many visits of tables the reader of a buffer of `len` bytes may make: one per 16
 * bytes, because a table that is not shared needs 16 bytes, and at least a million. If `limit` is
 * not 0, returns `limit` instead. */
size_t etc_fb_visits(size_t len, size_t limit);

/* Records a fault in the file; only the first fault is kept. */
void etc_fb_fault(struct etc_fb *fb, size_t at, const char *what) ETC_COLD;

/* The rare cases of the functions below; not inlined. */
void etc_fb_overspent(struct etc_fb *fb) ETC_COLD;
bool etc_fb_learn(struct etc_fb *fb, const struct etc_fb_type *type, struct etc_fb_layout *layout,
                  size_t vtable) ETC_COLD;

static inline uint32_t etc_fb_load32(const struct etc_fb *fb, size_t at)
{
	uint32_t v;

	memcpy(&v, fb->ptr + at, sizeof v);
	return v;
}

/* Subtracts `n` from fb->visits, the number of visits to tables that are still allowed. If fewer
 * than `n` are left, records a fault instead. */
static inline void etc_fb_spend(struct etc_fb *fb, size_t n)
{
	if (n > fb->visits)
		etc_fb_overspent(fb);
	else
		fb->visits -= n;
}

/* Follows the u32 offset at `at`, which lies in the buffer, and returns the position of its target.
 * If the target is outside, records a fault and returns 0. */
static inline size_t etc_fb_follow(struct etc_fb *fb, size_t at)
{
	size_t step = etc_fb_load32(fb, at);

	if (step == 0 || !etc_fits(fb->len, at, step)) {
		etc_fb_fault(fb, at, "offset leads outside the file");
		return 0;
	}
	return at + step;
}

/* Returns the table at byte `at`. If `at` is 0, or after a fault, returns the absent table. */
static ETC_INLINE struct etc_fb_table etc_fb_table_at(struct etc_fb *fb,
                                                      struct etc_fb_layouts *layouts, size_t at)
{
	struct etc_fb_table t = { 0, &etc_fb_no_layout };
	struct etc_fb_layout *l;
	size_t vtable;

	if (at == 0)
		return t;
	if (!etc_fits(fb->len, at, 4)) {
		etc_fb_fault(fb, at, "table begins outside the file");
		return t;
	}
	vtable = at - (size_t)(int64_t)(int32_t)etc_fb_load32(fb, at);
	/* The table's offset to its vtable is 0, so the vtable begins with this offset. Both sizes
	 * in the vtable are then 0, so the table has no fields. */
	if (vtable == at) {
		t.at = at;
		return t;
	}
	l = &layouts->way[vtable / 2 % ETC_FB_WAYS];
	if (l->vtable != vtable && !etc_fb_learn(fb, layouts->type, l, vtable))
		return t;
	if (!etc_fits(fb->len, at, l->bytes)) {
		etc_fb_fault(fb, at, "table ends outside the file");
		return t;
	}
	t.at = at;
	t.layout = l;
	return t;
}

static inline bool etc_fb_has(struct etc_fb_table t, unsigned field)
{
	return t.layout->slot[field] != 0;
}

static inline uint8_t etc_fb_u8(const struct etc_fb *fb, struct etc_fb_table t, unsigned field,
                                uint8_t absent)
{
	size_t slot = t.layout->slot[field];

	return slot ? fb->ptr[t.at + slot] : absent;
}

static inline uint32_t etc_fb_u32(const struct etc_fb *fb, struct etc_fb_table t, unsigned field,
                                  uint32_t absent)
{
	size_t slot = t.layout->slot[field];

	return slot ? etc_fb_load32(fb, t.at + slot) : absent;
}

static inline int32_t etc_fb_i32(const struct etc_fb *fb, struct etc_fb_table t, unsigned field,
                                 int32_t absent)
{
	return (int32_t)etc_fb_u32(fb, t, field, (uint32_t)absent);
}

static inline uint64_t etc_fb_u64(const struct etc_fb *fb, struct etc_fb_table t, unsigned field,
                                  uint64_t absent)
{
	size_t slot = t.layout->slot[field];
	uint64_t v = absent;

	if (slot)
		memcpy(&v, fb->ptr + t.at + slot, sizeof v);
	return v;
}

/* Returns the position that the offset in `field` leads to; 0 if the field is absent or faulty. */
static inline size_t etc_fb_ref(struct etc_fb *fb, struct etc_fb_table t, unsigned field)
{
	size_t slot = t.layout->slot[field];

	return slot ? etc_fb_follow(fb, t.at + slot) : 0;
}

static inline struct etc_fb_table etc_fb_sub(struct etc_fb *fb, struct etc_fb_layouts *layouts,
                                             struct etc_fb_table t, unsigned field)
{
	return etc_fb_table_at(fb, layouts, etc_fb_ref(fb, t, field));
}

/* Returns the vector in `field`, whose elements have `width` bytes each. Its count is 0 if the
 * field is absent or faulty. */
static ETC_INLINE struct etc_fb_vec etc_fb_vector(struct etc_fb *fb, struct etc_fb_table t,
                                                  unsigned field, size_t width)
{
	struct etc_fb_vec v = { 0, 0, false };
	size_t at = etc_fb_ref(fb, t, field), count;

	if (at == 0)
		return v;
	if (!etc_fits(fb->len, at, 4)) {
		etc_fb_fault(fb, at, "vector begins outside the file");
		return v;
	}
	count = etc_fb_load32(fb, at);
	if (count > (fb->len - at - 4) / width) {
		etc_fb_fault(fb, at, "vector ends outside the file");
		return v;
	}
	return (struct etc_fb_vec){ at + 4, count, true };
}

/* Returns element `i` of a vector of tables; `i` must be less than its count. */
static inline struct etc_fb_table etc_fb_element(struct etc_fb *fb, struct etc_fb_layouts *layouts,
                                                 struct etc_fb_vec v, size_t i)
{
	return etc_fb_table_at(fb, layouts, etc_fb_follow(fb, v.at + 4 * i));
}

/* Returns the bytes of a vector [ubyte]; ptr is NULL if the field is absent. */
static ETC_INLINE struct etc_span etc_fb_bytes(struct etc_fb *fb, struct etc_fb_table t,
                                               unsigned field)
{
	struct etc_span s = { NULL, 0 };

	if (etc_fb_has(t, field)) {
		struct etc_fb_vec v = etc_fb_vector(fb, t, field, 1);

		if (v.present)
			s = (struct etc_span){ fb->ptr + v.at, v.count };
	}
	return s;
}

/* Returns a string; its ptr is NULL if the field is absent. A long string also takes visits from
 * the budget, one per 256 bytes, because comparing or hashing it takes time in proportion to its
 * length. So a string that many tables share cannot multiply the work. */
static ETC_INLINE struct etc_str etc_fb_str(struct etc_fb *fb, struct etc_fb_table t,
                                            unsigned field)
{
	struct etc_str s = { NULL, 0 };
	struct etc_span b = etc_fb_bytes(fb, t, field);
	size_t at;

	if (!b.ptr)
		return s;
	at = (size_t)(b.ptr - fb->ptr);
	if (b.len == fb->len - at) {
		etc_fb_fault(fb, at, "string ends outside the file");
		return s;
	}
	if (b.ptr[b.len] != 0 && fb->no_nul == SIZE_MAX)
		fb->no_nul = at;
	if (b.len >= 256)
		etc_fb_spend(fb, b.len / 256);
	s.ptr = (const char *)b.ptr;
	s.len = b.len;
	return s;
}

/* Like etc_fb_str(), but returns a struct etc_sized. */
static ETC_INLINE struct etc_sized etc_fb_sized(struct etc_fb *fb, struct etc_fb_table t,
                                                unsigned field)
{
	return (struct etc_sized){ etc_fb_str(fb, t, field).ptr };
}

#endif
