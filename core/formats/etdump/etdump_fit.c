/* etdump_fit.c -- see etdump_fit.h. */
#include "formats/etdump/etdump_fit.h"

#include "model/trace.h"

/* CHAIN_MOST: the largest plausible chain index; events outside of instructions have -1.
 * STEPS_MOST: the largest number of objects that are examined after a table. */
enum { CHAIN_MOST = 0xffff, STEPS_MOST = 64 };

static size_t round_up(size_t at, size_t base)
{
	return base + ((at - base + 3) & ~(size_t)3);
}

static bool zeros(const struct etc_fb *fb, size_t from, size_t to)
{
	if (from > to || !etc_fits(fb->len, from, to - from))
		return false;
	for (; from < to; from++)
		if (fb->ptr[from])
			return false;
	return true;
}

size_t etc_fit_vtable(const struct etc_fitter *f, size_t at)
{
	size_t ahead;

	if (!etc_fits(f->fb->len, at, 4))
		return 0;
	/* The distance to the vtable is stored as a signed number that is subtracted from the
	 * table's position. The runtime writes vtables after their tables, so this number is
	 * negative. */
	ahead = 0u - etc_fb_load32(f->fb, at);
	ahead &= UINT32_MAX;
	return ahead > INT32_MAX || ahead < 4 || !etc_fits(f->whole_bytes, at, ahead + 4)
	               ? 0
	               : at + ahead;
}

bool etc_fit_place(const struct etc_fitter *f, const struct etc_runtime_layout *l, size_t vtable)
{
	uint8_t bytes[4 + 2 * ETC_FB_FIELDS];
	size_t n = etc_runtime_vtable(l, bytes);

	if (!etc_fits(f->whole_bytes, vtable, n))
		return false;
	if (vtable >= f->fb->len)
		return true;
	n = n < f->fb->len - vtable ? n : f->fb->len - vtable;
	return memcmp(f->fb->ptr + vtable, bytes, n) == 0;
}

/* --- text and bytes --------------------------------------------------------------------- */

/* Returns the end of the text at `at` including its padding; 0 if there is no text. */
static size_t text_end(struct etc_fb *fb, size_t at, size_t base)
{
	size_t len, end;

	if (!etc_fits(fb->len, at, 4))
		return 0;
	len = etc_fb_load32(fb, at);
	if (!etc_fits(fb->len, at + 4, len) || at + 4 + len == fb->len)
		return 0;
	etc_fb_spend(fb, 1 + len / 256);
	end = round_up(at + 5 + len, base);
	if (!zeros(fb, at + 4 + len, end) || (len && memchr(fb->ptr + at + 4, 0, len)))
		return 0;
	return end;
}

static size_t bytes_end(struct etc_fb *fb, size_t at, size_t base)
{
	size_t len, end;

	if (!etc_fits(fb->len, at, 4))
		return 0;
	len = etc_fb_load32(fb, at);
	if (!etc_fits(fb->len, at + 4, len))
		return 0;
	end = round_up(at + 4 + len, base);
	return zeros(fb, at + 4 + len, end) ? end : 0;
}

void etc_fit_own(struct etc_fitter *f, size_t at)
{
	uint64_t bit = UINT64_C(1) << (at / 4 % 64);

	f->found_owner |= !(f->texts[at / 256] & bit);
	f->texts[at / 256] |= bit;
}

static bool is_owned(const struct etc_fitter *f, size_t at)
{
	return f->texts[at / 256] >> (at / 4 % 64) & 1;
}

/* --- one field ---------------------------------------------------------------------------- */

static int64_t number_at(const struct etc_fb *fb, size_t at, unsigned width)
{
	uint64_t v = 0;

	memcpy(&v, fb->ptr + at, width);
	if (width == 4)
		return (int32_t)(uint32_t)v;
	return width == 1 ? (int8_t)(uint8_t)v : (int64_t)v;
}

/* Is `v` a value that the runtime never writes into this field? */
static bool is_odd(enum table_type type, unsigned field, int64_t v,
                   const struct etc_runtime_layout *l)
{
	static const uint8_t tags[] = {
		[VALUE_TENSOR] = ETC_VALUE_TENSOR, [VALUE_TENSOR_LIST] = ETC_VALUE_TENSOR_LIST,
		[VALUE_INT] = ETC_VALUE_INT,       [VALUE_FLOAT] = ETC_VALUE_FLOAT,
		[VALUE_DOUBLE] = ETC_VALUE_DOUBLE, [VALUE_BOOL] = ETC_VALUE_BOOL,
	};

	if ((type == TABLE_PROFILE && field == PROFILE_CHAIN_INDEX) ||
	    (type == TABLE_DEBUG && field == DEBUG_CHAIN_INDEX))
		return v < -1 || v > CHAIN_MOST;
	if ((type == TABLE_PROFILE && field == PROFILE_INSTRUCTION_ID) ||
	    (type == TABLE_DEBUG && field == DEBUG_INSTRUCTION_ID))
		return v < 0;
	if (type == TABLE_BOOL)
		return v != 1;
	if (type != TABLE_VALUE)
		return false;
	for (unsigned i = VALUE_TENSOR; i <= VALUE_BOOL; i++)
		if (l->layout.slot[i])
			return v != tags[i];
	return true;
}

/* Are the first and the last element of a vector of tables really tables? The vector starts at `at`
 * with its length. */
static bool are_tables(const struct etc_fitter *f, enum table_type child, size_t at)
{
	struct etc_fb *fb = f->fb;
	size_t count;

	if (!etc_fits(fb->len, at, 4))
		return false;
	count = etc_fb_load32(fb, at);
	if (count > (fb->len - at - 4) / 4)
		return false;
	for (size_t k = 0; k < 2 && count; k++) {
		size_t place = at + 4 + 4 * (k ? count - 1 : 0);
		size_t table = place + etc_fb_load32(fb, place);

		if (!etc_fit_vtable(f, table))
			return false;
		if ((child == TABLE_ALLOCATOR || child == TABLE_EVENT) &&
		    !etc_fits(fb->len, table, 8))
			return false;
		table += child == TABLE_ALLOCATOR || child == TABLE_EVENT
		                 ? 4 + etc_fb_load32(fb, table + 4)
		                 : 0;
		if (child == TABLE_ALLOCATOR ? !text_end(fb, table, table)
		                             : !etc_fit_vtable(f, table))
			return false;
	}
	return true;
}

/* Returns the position to which the offset in a field leads; 0: the offset leads to a position at
 * which the runtime never puts an object. */
static size_t target_of(const struct etc_fitter *f, const struct etc_runtime_layout *l, size_t at,
                        unsigned slot)
{
	size_t step = etc_fb_load32(f->fb, at + slot);

	if (slot + step < l->layout.bytes || (slot + step) % 4 ||
	    !etc_fits(f->fb->len, at + slot, step))
		return 0;
	return at + slot + step;
}

static bool leads_to(struct etc_fitter *f, const struct etc_member *m, size_t to, size_t base)
{
	struct etc_fb *fb = f->fb;

	if (!to)
		return false;
	switch (m->kind) {
	case ETC_MEMBER_TEXT:
		return text_end(fb, to, base) != 0;
	case ETC_MEMBER_BYTES:
		return bytes_end(fb, to, base) != 0;
	case ETC_MEMBER_LONGS:
		return etc_fits(fb->len, to, 4) && etc_fb_load32(fb, to) <= (fb->len - to - 4) / 8;
	case ETC_MEMBER_TABLE:
		return etc_fit_vtable(f, to) != 0;
	default:
		return are_tables(f, (enum table_type)m->child, to);
	}
}

static bool fields_fit(struct etc_fitter *f, enum table_type type,
                       const struct etc_runtime_layout *l, size_t at)
{
	const struct etc_fb_type *shape = &etc_etdump_types[type];

	for (unsigned i = 0; i < shape->fields; i++) {
		const struct etc_member *m = &etc_etdump_members[type][i];
		unsigned slot = l->layout.slot[i];

		if (!slot || m->kind != ETC_MEMBER_NUMBER)
			continue;
		int64_t v = number_at(f->fb, at + slot, shape->width[i]);

		if (v == m->absent || is_odd(type, i, v, l))
			return false;
	}
	for (unsigned i = 0; i < shape->fields; i++) {
		const struct etc_member *m = &etc_etdump_members[type][i];
		unsigned slot = l->layout.slot[i];

		if (slot && m->kind != ETC_MEMBER_NUMBER &&
		    !leads_to(f, m, target_of(f, l, at, slot), at))
			return false;
	}
	return true;
}

/* --- bytes after a table ----------------------------------------------------------------- */

/* For each type of table, the fields with offsets, in the reverse of the order in which the runtime
 * writes their targets; -1 ends the list. So the target of the first of these fields that is
 * present was written directly before the table. Since the file is written from its end to its
 * start, this target directly follows the table in the file. */
static const int8_t nearest[TABLE_TYPES][6] = {
	[TABLE_RUN] = { RUN_EVENTS, RUN_ALLOCATORS, RUN_NAME, -1 },
	[TABLE_ALLOCATOR] = { ALLOCATOR_NAME, -1 },
	[TABLE_EVENT] = { EVENT_PROFILE, EVENT_ALLOCATION, EVENT_DEBUG, -1 },
	[TABLE_PROFILE] = { PROFILE_METADATA, -1 },
	[TABLE_ALLOCATION] = { -1 },
	[TABLE_DEBUG] = { DEBUG_ENTRY, -1 },
	/* a Value has one more field that leads to an object: which one depends on the tag, so
	 * nearest_of() handles it */
	[TABLE_VALUE] = { VALUE_OUTPUT, -1 },
	[TABLE_TENSOR] = { TENSOR_STRIDES, -1 },
	[TABLE_TENSOR_LIST] = { TENSOR_LIST_TENSORS, -1 },
	[TABLE_INT] = { -1 },
	[TABLE_DOUBLE] = { -1 },
	[TABLE_BOOL] = { -1 },
};

static size_t nearest_of(const struct etc_fitter *f, enum table_type type,
                         const struct etc_runtime_layout *l, size_t at)
{
	for (const int8_t *i = nearest[type]; *i >= 0; i++)
		if (l->layout.slot[*i])
			return target_of(f, l, at, l->layout.slot[*i]);
	for (unsigned i = VALUE_TENSOR; type == TABLE_VALUE && i <= VALUE_BOOL; i++)
		if (l->layout.slot[i])
			return target_of(f, l, at, l->layout.slot[i]);
	return 0;
}

/* Returns the position after the table. If the runtime wrote a vtable for this table, the vtable
 * directly follows the table, and is included; `*exact` is then set, because no padding follows. */
static size_t behind(const struct etc_fitter *f, const struct etc_runtime_layout *l, size_t at,
                     bool *exact)
{
	size_t end = at + l->layout.bytes, vtable = etc_fit_vtable(f, at);

	*exact = vtable >= end && vtable - end < l->align && zeros(f->fb, end, vtable);
	return *exact ? vtable + l->vtable_bytes : end;
}

/* Returns how well the layout `l` fits a debug event, all of whose fields fit. ETC_FIT_PERHAPS: in
 * `l` the delegate id is an integer, but this integer, taken as an offset, leads to a text. So a
 * layout whose delegate id is a text may be the right one instead. */
static enum etc_fit owns(const struct etc_fitter *f, const struct etc_runtime_layout *l, size_t at)
{
	unsigned slot = l->layout.slot[DEBUG_DELEGATE_ID_INT];
	size_t text = slot ? target_of(f, l, at, slot) : 0;

	return text && text_end(f->fb, text, at) ? ETC_FIT_PERHAPS : ETC_FIT;
}

/* State of a walk over the objects that follow a profile event or a value in the file. `at` is the
 * position of the next object, `base` the position relative to which objects are aligned. `perhaps`
 * is set when the walk passes a text and it is unknown which table refers to this text. */
struct way {
	struct etc_fitter *f;
	size_t base, at;
	bool perhaps;
};

/* Moves past one object. `bytes` and `own` are the positions of the table's metadata and texts.
 * False: the object is of no known kind. */
static bool step(struct way *w, size_t bytes, const size_t own[2])
{
	struct etc_fb *fb = w->f->fb;
	size_t end;

	if (w->at == bytes) {
		end = bytes_end(fb, w->at, w->base);
	} else {
		end = text_end(fb, w->at, w->base);
		w->perhaps |= w->at != own[0] && w->at != own[1] && end && !is_owned(w->f, w->at);
	}
	w->at = end;
	return end != 0;
}

/* Judges what lies between the end of the table at `at` and the object at `next`. It may only be
 * the table's own metadata, its own texts, and texts whose owner (the table that refers to the
 * text) is known. */
static enum etc_fit territory(struct etc_fitter *f, enum table_type type,
                              const struct etc_runtime_layout *l, size_t at, size_t next)
{
	struct way w = { .f = f, .base = at };
	size_t bytes = 0, own[2] = { 0, 0 };
	bool exact;
	size_t end = behind(f, l, at, &exact);

	if (type == TABLE_PROFILE) {
		const uint16_t *slot = l->layout.slot;

		bytes = slot[PROFILE_METADATA] ? target_of(f, l, at, slot[PROFILE_METADATA]) : 0;
		own[0] = slot[PROFILE_NAME] ? target_of(f, l, at, slot[PROFILE_NAME]) : 0;
		own[1] = slot[PROFILE_DELEGATE_ID_STR]
		                 ? target_of(f, l, at, slot[PROFILE_DELEGATE_ID_STR])
		                 : 0;
	}
	if (next < end)
		return next ? ETC_FIT_NOT : ETC_FIT_PERHAPS;
	w.at = exact ? end : round_up(end, at);
	if (!zeros(f->fb, end, w.at))
		return ETC_FIT_NOT;
	if (exact)
		w.base = end;
	for (unsigned n = 0; w.at != next; n++) {
		size_t here = w.at;

		if (n == STEPS_MOST)
			return ETC_FIT_PERHAPS;
		if (w.at > next)
			return ETC_FIT_NOT;
		/* after a table with 8-byte fields there may be 4 bytes of padding before the first
		 * object */
		if (n == 0 && !exact && l->align == 8 && w.at != bytes && w.at != own[0] &&
		    w.at != own[1] && zeros(f->fb, w.at, w.at + 4)) {
			w.at += 4;
			continue;
		}
		if (!step(&w, bytes, own))
			return ETC_FIT_NOT;
		for (unsigned i = 0; i < 2; i++)
			if (own[i] > here && own[i] < w.at)
				return ETC_FIT_NOT;
	}
	return w.perhaps ? ETC_FIT_PERHAPS : ETC_FIT;
}

/* For the table at `at`: tries all layouts that agree with the part of its vtable that is in the
 * file. Returns how well the best of these layouts fits. */
static enum etc_fit some(struct etc_fitter *f, enum table_type type, size_t at, size_t next)
{
	size_t vtable = etc_fit_vtable(f, at);
	enum etc_fit best = ETC_FIT_NOT;

	for (unsigned i = 0; vtable && i < f->counts[type] && best != ETC_FIT; i++) {
		const struct etc_runtime_layout *l = &f->layouts[type][i];
		enum etc_fit fit = ETC_FIT_NOT;

		if (etc_fit_place(f, l, vtable))
			fit = etc_fit_table(f, type, l, at, next);
		best = fit > best ? fit : best;
	}
	return best;
}

enum etc_fit etc_fit_table(struct etc_fitter *f, enum table_type type,
                           const struct etc_runtime_layout *l, size_t at, size_t next)
{
	size_t end, near;
	bool exact;

	if (!etc_fits(f->fb->len, at, l->layout.bytes))
		return ETC_FIT_NOT;
	etc_fb_spend(f->fb, 1);
	for (unsigned i = 4; i < l->layout.bytes; i++)
		if (l->gaps >> i & 1 && f->fb->ptr[at + i])
			return ETC_FIT_NOT;
	if (!fields_fit(f, type, l, at))
		return ETC_FIT_NOT;
	near = nearest_of(f, type, l, at);
	end = behind(f, l, at, &exact);
	if (near &&
	    (near < end || near - end >= (exact ? 1u : l->align) || !zeros(f->fb, end, near)))
		return ETC_FIT_NOT;
	if (type == TABLE_DEBUG)
		return owns(f, l, at);
	if (type == TABLE_EVENT && f->shallow)
		return ETC_FIT;
	if (type == TABLE_EVENT) {
		for (unsigned i = 0; i <= EVENT_DEBUG; i++)
			if (l->layout.slot[i])
				return some(f, (enum table_type)etc_etdump_members[type][i].child,
				            near, next);
	}
	return type == TABLE_PROFILE || !near ? territory(f, type, l, at, next) : ETC_FIT;
}
