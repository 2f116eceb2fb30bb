/* library.c -- writes the header line about the kernels of an annotator's library; see screen.h.
 *
 * Only matrix kernels are counted. The annotator concludes from a token in a kernel's name (QP8,
 * PF32, F32 ...) whether the library ran; the kernels are grouped by this token. */
#include "base/text.h"
#include "profile/screen.h"

enum { KINDS = 16, LIBRARIES = ETC_VIEW_LIBRARIES };

/* Matrix kernels about which the annotator concluded, for the same reason, that the library ran, or
 * that it did not. */
struct kind {
	struct etc_str why, isa;
	uint8_t ran; /* ETC_RAN_* */
	double calls;
};

struct tally {
	struct kind kinds[KINDS];
	uint32_t count;
	double all, ran[3];
};

static void add(struct tally *t, const struct etc_profile *profile,
                const struct etc_profile_row *row)
{
	const struct etc_facts *f = row->facts;
	double calls =
		etc_ratio_double(etc_ratio(row->calls, profile->paths[row->path].typical_runs));
	uint32_t k = 0;

	if (f->library_ran > ETC_RAN_YES)
		return;
	while (k < t->count &&
	       !(etc_str_eq(t->kinds[k].why, f->library_why) && t->kinds[k].ran == f->library_ran &&
	         etc_str_eq(t->kinds[k].isa, f->isa)))
		k++;
	t->all += calls;
	t->ran[f->library_ran] += calls;
	if (k == KINDS)
		return;
	if (k == t->count)
		t->kinds[t->count++] = (struct kind){ f->library_why, f->isa, f->library_ran, 0 };
	t->kinds[k].calls += calls;
}

static void put_count(struct etc_text *t, double v)
{
	etc_text_printf(t, "%.6g", v);
}

static void put_kinds(struct etc_text *t, const struct tally *all, uint8_t ran)
{
	bool first = true;

	etc_text_cstr(t, ran == ETC_RAN_YES       ? ": "
	                 : ran == ETC_RAN_UNKNOWN ? "; cannot tell: "
	                                          : "; not: ");
	for (uint32_t k = 0; k < all->count; k++) {
		const struct kind *kind = &all->kinds[k];

		if (kind->ran != ran)
			continue;
		etc_text_cstr(t, first ? "" : ", ");
		put_count(t, kind->calls);
		if (kind->why.len) {
			etc_text_char(t, ' ');
			etc_text_put(t, kind->why);
		}
		if (kind->isa.len && ran == ETC_RAN_YES) {
			etc_text_cstr(t, " (");
			etc_text_put(t, kind->isa);
			etc_text_char(t, ')');
		}
		first = false;
	}
}

/* Returns the title of the library whose use the annotator examined for the row's events. Empty:
 * none was examined, the row is of another path, or it has no matrix kernel. */
static struct etc_str library_of(const struct etc_profile_row *r, uint32_t path)
{
	const struct etc_facts *f = r->facts;

	if (r->path != path || !f || !f->is_matrix)
		return ETC_STR_NONE;
	return f->library.len ? f->library : f->annotator;
}

/* Returns library number `nth`, from 0, in order of first appearance; empty: there are fewer. */
static struct etc_str library_at(const struct etc_profile *profile, uint32_t path, uint32_t nth)
{
	struct etc_str seen[LIBRARIES];
	uint32_t count = 0;

	for (size_t i = 0; i < profile->row_count && count < LIBRARIES; i++) {
		struct etc_str library = library_of(&profile->rows[i], path);
		uint32_t k = 0;

		if (library.len == 0)
			continue;
		while (k < count && !etc_str_eq(seen[k], library))
			k++;
		if (k < count)
			continue;
		if (count == nth)
			return library;
		seen[count++] = library;
	}
	return ETC_STR_NONE;
}

struct etc_str etc_view_library(const struct etc_profile *profile, uint32_t path, uint32_t nth,
                                struct etc_arena *arena)
{
	struct etc_str library = library_at(profile, path, nth);
	struct tally all = { .count = 0 };
	struct etc_text t = { 0 };

	for (size_t i = 0; library.len && i < profile->row_count; i++)
		if (etc_str_eq(library_of(&profile->rows[i], path), library))
			add(&all, profile, &profile->rows[i]);
	if (all.all <= 0)
		return ETC_STR_NONE;
	etc_text_put(&t, library);
	etc_text_cstr(&t, "  ");
	put_count(&t, all.ran[ETC_RAN_YES]);
	etc_text_cstr(&t, " of ");
	put_count(&t, all.all);
	etc_text_cstr(&t, " matrix kernels");
	if (all.ran[ETC_RAN_YES] > 0)
		put_kinds(&t, &all, ETC_RAN_YES);
	if (all.ran[ETC_RAN_NO] > 0)
		put_kinds(&t, &all, ETC_RAN_NO);
	if (all.ran[ETC_RAN_UNKNOWN] > 0)
		put_kinds(&t, &all, ETC_RAN_UNKNOWN);
	return etc_text_keep(&t, arena);
}
