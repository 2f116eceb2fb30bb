/* flatbuf.c -- see flatbuf.h.
 *
 * This is the code that runs once per vtable or once per file. It ensures two conditions, so that
 * the functions in the header need not check them: the vtable of a cached layout is inside the
 * buffer, and each field of the layout is inside its table. */
#include "formats/container/flatbuf.h"

enum { VISITS_LEAST = 1 << 20, BYTES_PER_VISIT = 16 };

const struct etc_fb_layout etc_fb_no_layout = { .bytes = 0 };

void etc_fb_init(struct etc_fb *fb, struct etc_span buf, size_t visits)
{
	*fb = (struct etc_fb){
		.ptr = buf.ptr, .len = buf.len, .visits = visits, .allowed = visits
	};
	fb->no_nul = SIZE_MAX;
}

void etc_fb_layouts_init(struct etc_fb_layouts *layouts, const struct etc_fb_type *type)
{
	layouts->type = type;
	/* An empty entry of the cache (`way`) has a vtable position that would be stored in another
	 * entry, so no lookup finds it. SIZE_MAX cannot mean "empty", because the vtable of a
	 * hostile table can have this position, one byte before the buffer. */
	for (size_t i = 0; i < ETC_FB_WAYS; i++)
		layouts->way[i].vtable = i ? 0 : 2;
}

void etc_fb_fault(struct etc_fb *fb, size_t at, const char *what)
{
	if (fb->fault)
		return;
	fb->fault = what;
	fb->fault_at = at;
}

void etc_fb_overspent(struct etc_fb *fb)
{
	if (!fb->fault)
		fb->spent = true;
	etc_fb_fault(fb, 0, "more tables than the file can hold unshared");
}

static uint16_t load16(const struct etc_fb *fb, size_t at)
{
	uint16_t v;

	memcpy(&v, fb->ptr + at, sizeof v);
	return v;
}

/* Does field `field` overlap a field with a lower number? No writer lets fields overlap, so such a
 * vtable is damaged. */
static bool overlaps(const struct etc_fb_type *type, const struct etc_fb_layout *l, unsigned field)
{
	unsigned at = l->slot[field], end = at + type->width[field];

	for (unsigned i = 0; i < field; i++)
		if (l->slot[i] && at < (unsigned)l->slot[i] + type->width[i] && l->slot[i] < end)
			return true;
	return false;
}

/* Copies the inferred layout of a vtable that is beyond the end of a truncated buffer. Returns
 * false if the layout is not known. */
static bool recall(const struct etc_fb *fb, const struct etc_fb_type *type,
                   struct etc_fb_layout *layout, size_t vtable)
{
	for (size_t i = 0; i < fb->known_count; i++) {
		const struct etc_fb_known *k = &fb->known[i];

		if (k->layout.vtable == vtable && k->type == type) {
			*layout = k->layout;
			return true;
		}
	}
	return false;
}

bool etc_fb_learn(struct etc_fb *fb, const struct etc_fb_type *type, struct etc_fb_layout *layout,
                  size_t vtable)
{
	struct etc_fb_layout l = { .vtable = vtable };
	const char *what = NULL;
	size_t size = 0;

	if (fb->known_count && recall(fb, type, layout, vtable))
		return true;
	if (!etc_fits(fb->len, vtable, 4)) {
		what = "vtable begins outside the file";
	} else {
		size = load16(fb, vtable);
		l.bytes = load16(fb, vtable + 2);
		if (size < 4 || size % 2 != 0)
			what = "vtable of an impossible size";
		else if (!etc_fits(fb->len, vtable, size))
			what = "vtable ends outside the file";
		else if (l.bytes < 4)
			what = "table of an impossible size";
	}
	for (unsigned i = 0; !what && i < type->fields && etc_fits(size, 4 + 2 * i, 2); i++) {
		l.slot[i] = load16(fb, vtable + 4 + 2 * i);
		if (l.slot[i] && (l.slot[i] < 4 || !etc_fits(l.bytes, l.slot[i], type->width[i])))
			what = "field outside its table";
		else if (l.slot[i] && overlaps(type, &l, i))
			what = "two fields in one place";
	}
	if (what) {
		if (!fb->fault)
			fb->where = type->name;
		etc_fb_fault(fb, vtable < fb->len ? vtable : fb->len, what);
		return false;
	}
	*layout = l;
	return true;
}

enum etc_status etc_fb_check_as(const struct etc_fb *fb, enum etc_code damaged, enum etc_code spent,
                                struct etc_error *err)
{
	if (!fb->fault)
		return ETC_OK;
	if (fb->spent)
		return etc_fail(err, spent, "%s: %zu for %zu bytes", fb->fault, fb->allowed,
		                fb->len);
	if (fb->where)
		return etc_fail_at(err, damaged, fb->fault_at, "%s: %s", fb->where, fb->fault);
	return etc_fail_at(err, damaged, fb->fault_at, "%s", fb->fault);
}

enum etc_status etc_fb_check(const struct etc_fb *fb, struct etc_error *err)
{
	return etc_fb_check_as(fb, E0205, E0206, err);
}

size_t etc_fb_visits(size_t len, size_t limit)
{
	size_t visits = len / BYTES_PER_VISIT;

	if (limit)
		return limit;
	return visits > VISITS_LEAST ? visits : VISITS_LEAST;
}
