/* etdump_salvage.c -- see etdump.h: reads the complete runs of truncated and damaged files.
 *
 * Without --salvage, such a file is refused, and the message has the number of its complete runs;
 * with --salvage, these runs are read.
 *
 * The runtime writes an ETDump from its end to its start: the last run comes first in the file, and
 * a vtable comes after the first table that used it. A truncated file lacks the first runs, and
 * nearly always the vtables of all runs. Each run is tried separately:
 *
 * - with the file's own vtables. The run is complete if everything below its RunData is in the file
 *   and valid, as for a full read.
 * - with inferred layouts for vtables beyond the end of the file. These are layouts that the
 * runtime writes (etdump_layouts.h). A layout is inferred only if no other one fits all tables of
 * the vtable. A layout fits a table if no field has its default value, every offset leads to an
 * object of its kind inside the file, and objects are as close together as the runtime writes them.
 *
 * Time and memory are linear in the size of the file. */
#include <stdio.h>

#include "base/arena.h"
#include "formats/etdump/etdump.h"
#include "formats/etdump/etdump_fit.h"
#include "formats/etdump/etdump_reader.h"
#include "model/limits.h"
#include "model/trace.h"

/* ---- the survey ---------------------------------------------------------------- */

/* The survey goes through all runs in several passes. In each pass, a table whose vtable is lost
 * is compared with the layouts that it can have; its children are skipped. At the end of a pass a
 * vtable is settled if only one layout is left.
 *
 * The owner of a text is the table with a field that leads to the text. Some layouts fit only if
 * another table is the owner of a text after the table. Such a layout is settled last: when the
 * owners of texts are known, or if no other layout gives all texts an owner. The final pass decides
 * which runs are complete. */

/* The remains of a truncated file. */
struct wreck {
	struct etc_span bytes; /* from the size prefix to the end of the file */
	size_t origin;         /* position of the offset to the root table, which is after the size
	                        * prefix */
	/* size of the file before truncation; 2 GiB if this size is unknown, 0 if the file was not
	 * truncated */
	size_t whole_bytes;
};

/* Limits of the search for lost vtables, that is, vtables beyond the end of the file. LOST_MOST:
 * number of lost vtables. PASSES_MOST: number of passes. LOOKS_MOST: number of tables with the same
 * vtable that a pass examines. SUPPOSED_MOST: number of layouts that suppose() tries for a vtable.
 * RUNS_MOST: number of runs with the vtable that are visited for each of these layouts. The runtime
 * writes about twelve vtables, and nests tables five levels deep. */
enum { LOST_MOST = 64, LOOKS_MOST = 4096, PASSES_MOST = 16, SUPPOSED_MOST = 8, RUNS_MOST = 1024 };

enum state { OPEN, SETTLED, HOPELESS };

/* A vtable beyond the end of the file, for tables of one type. The uint32_t members are sets of
 * layouts: bit i is the runtime's layout i of this type. */
struct lost {
	size_t at;
	uint8_t type;  /* enum table_type */
	uint8_t state; /* enum state */
	uint8_t layout;
	size_t looks;
	/* bits of the layouts that agree with those bytes of the vtable that are in the file */
	uint32_t can;
	/* The layouts that fit all tables examined in this pass. A run that no layout fits does not
	 * count. `perhaps` includes layouts with the result ETC_FIT_PERHAPS, `surely` does not. */
	uint32_t perhaps, surely;
	bool any_perhaps, any_surely;
	/* The layouts that fit all tables of run number `run`, counted from 1. */
	size_t run;
	uint32_t run_perhaps, run_surely;
};

struct surveyor {
	struct etc_fb fb;
	struct etc_fb_layouts layouts[TABLE_TYPES];
	struct etc_fitter fitter;
	bool infers, learns;
	struct lost lost[LOST_MOST];
	size_t lost_count;

	struct etc_fb_vec runs;
	size_t run;    /* number of the current run, from 1 */
	bool broken;   /* a part of the run is beyond the end of the file, or damaged */
	bool inferred; /* a table of the run needs an inferred layout */
	bool unsettled;
	const struct lost *supposed; /* the vtable whose layout is assumed; NULL: none */
	/* `met`: this run has a table with the vtable `supposed`. `sure`: the assumed layout fits
	 * every table with this vtable with certainty (ETC_FIT). */
	bool met, sure;
	unsigned supposed_count; /* number of assumptions so far */
};

/* --- a table without its vtable -------------------------------------------------------------- */

static bool is_lost(const struct surveyor *s, size_t vtable)
{
	uint16_t size;

	if (!s->infers || !vtable)
		return false;
	if (!etc_fits(s->fb.len, vtable, 4))
		return true;
	memcpy(&size, s->fb.ptr + vtable, sizeof size);
	return !etc_fits(s->fb.len, vtable, size);
}

static struct lost *find(struct surveyor *s, size_t vtable, enum table_type type)
{
	struct lost *l;

	for (size_t i = 0; i < s->lost_count; i++)
		if (s->lost[i].at == vtable && s->lost[i].type == (uint8_t)type)
			return &s->lost[i];
	if (s->lost_count == LOST_MOST)
		return NULL;
	l = &s->lost[s->lost_count++];
	*l = (struct lost){ .at = vtable, .type = (uint8_t)type };
	for (unsigned i = 0; i < s->fitter.counts[type]; i++)
		if (etc_fit_place(&s->fitter, &s->fitter.layouts[type][i], vtable))
			l->can |= UINT32_C(1) << i;
	l->perhaps = l->surely = l->can;
	return l;
}

static void look(struct surveyor *s, struct lost *l, size_t at, size_t next)
{
	enum table_type type = (enum table_type)l->type;

	if (l->run != s->run) {
		l->run = s->run;
		l->run_perhaps = l->run_surely = l->looks < LOOKS_MOST ? l->can : 0;
	}
	if (l->looks >= LOOKS_MOST)
		return;
	l->looks++;
	for (unsigned i = 0; i < s->fitter.counts[type]; i++) {
		uint32_t bit = UINT32_C(1) << i;
		enum etc_fit fit;

		if (!(l->run_perhaps & bit))
			continue;
		fit = etc_fit_table(&s->fitter, type, &s->fitter.layouts[type][i], at, next);
		l->run_perhaps &= fit == ETC_FIT_NOT ? ~bit : UINT32_MAX;
		l->run_surely &= fit != ETC_FIT ? ~bit : UINT32_MAX;
	}
}

/* Returns the layout of a table whose vtable is lost, and updates the state of the run. Returns
 * NULL if the layout is not known (state OPEN or HOPELESS), or if it does not fit this table. */
static const struct etc_fb_layout *recall(struct surveyor *s, enum table_type type, size_t vtable,
                                          size_t at, size_t next)
{
	struct lost *l = find(s, vtable, type);
	const struct etc_runtime_layout *layout;
	enum etc_fit fit;

	s->inferred = true;
	if (!l || l->state == HOPELESS) {
		s->broken = true;
		return NULL;
	}
	if (l->state == OPEN) {
		s->unsettled = true;
		if (s->learns)
			look(s, l, at, next);
		return NULL;
	}
	layout = &s->fitter.layouts[type][l->layout];
	s->fitter.shallow = true;
	fit = etc_fit_table(&s->fitter, type, layout, at, next);
	s->fitter.shallow = false;
	s->met |= l == s->supposed;
	s->sure &= l != s->supposed || fit == ETC_FIT;
	s->unsettled |= fit == ETC_FIT_PERHAPS;
	s->broken |= fit == ETC_FIT_NOT;
	return fit == ETC_FIT_NOT ? NULL : &layout->layout;
}

/* --- visiting a table and its children ------------------------------------------------------ */

static void visit(struct surveyor *s, enum table_type type, size_t at, size_t next);

static size_t ref(struct surveyor *s, struct etc_fb_table t, unsigned field)
{
	return etc_fb_ref(&s->fb, t, field);
}

static void visit_tables(struct surveyor *s, enum table_type type, struct etc_fb_table t,
                         unsigned field)
{
	struct etc_fb_vec v = etc_fb_vector(&s->fb, t, field, 4);
	bool events = type == TABLE_RUN && field == RUN_EVENTS;
	/* position of the object that was written before the current element, and so follows that
	 * element in the file; 0: unknown */
	size_t before = 0;

	if (events)
		before = etc_fb_has(t, RUN_ALLOCATORS) ? ref(s, t, RUN_ALLOCATORS)
		                                       : ref(s, t, RUN_NAME);
	etc_fb_spend(&s->fb, v.count);
	for (size_t i = 0; i < v.count && !s->broken && !s->fb.fault; i++) {
		size_t at = etc_fb_follow(&s->fb, v.at + 4 * i);

		visit(s, (enum table_type)etc_etdump_members[type][field].child, at, before);
		before = events ? at : 0;
	}
}

/* Is the field the integer of a Value that has the layout of November 2023? In that layout, each
 * field after the tensor has a number that is smaller by one than in the current layout. */
static bool is_old_integer(const struct surveyor *s, enum table_type type, struct etc_fb_table t,
                           unsigned field)
{
	static const uint8_t of[] = {
		[ETC_VALUE_INT] = VALUE_INT,
		[ETC_VALUE_BOOL] = VALUE_BOOL,
		[ETC_VALUE_FLOAT] = VALUE_FLOAT,
		[ETC_VALUE_DOUBLE] = VALUE_DOUBLE,
	};
	uint8_t tag;

	if (type != TABLE_VALUE || field != VALUE_TENSOR_LIST)
		return false;
	tag = etc_fb_u8(&s->fb, t, VALUE_TAG, ETC_VALUE_NULL);
	return tag >= ETC_VALUE_INT && tag <= ETC_VALUE_DOUBLE && !etc_fb_has(t, of[tag]) &&
	       etc_fb_has(t, of[tag] - 1u);
}

static void visit_member(struct surveyor *s, enum table_type type, struct etc_fb_table t,
                         unsigned field, size_t next)
{
	const struct etc_member *m = &etc_etdump_members[type][field];
	struct etc_str text;
	struct etc_fb_vec v;

	switch (m->kind) {
	case ETC_MEMBER_TEXT:
		text = etc_fb_str(&s->fb, t, field);
		if (s->infers && text.ptr)
			etc_fit_own(&s->fitter,
			            (size_t)((const uint8_t *)text.ptr - s->fb.ptr) - 4);
		break;
	case ETC_MEMBER_BYTES:
		(void)etc_fb_bytes(&s->fb, t, field);
		break;
	case ETC_MEMBER_LONGS:
		v = etc_fb_vector(&s->fb, t, field, sizeof(int64_t));
		etc_fb_spend(&s->fb, (v.count + 1) / 2);
		break;
	case ETC_MEMBER_TABLE:
		/* the runtime writes the tensor of a Value directly before the flag `output` */
		if (type == TABLE_VALUE && field == VALUE_OUTPUT)
			next = ref(s, t,
			           etc_fb_has(t, VALUE_TENSOR) ? VALUE_TENSOR : VALUE_TENSOR_LIST);
		visit(s, is_old_integer(s, type, t, field) ? TABLE_INT : (enum table_type)m->child,
		      ref(s, t, field), next);
		break;
	case ETC_MEMBER_TABLES:
		visit_tables(s, type, t, field);
		break;
	default:
		break;
	}
}

/* Visits the table at `at` and its children. `next` is the position of the first object after the
 * table that does not belong to the table; 0: unknown. */
static void visit(struct surveyor *s, enum table_type type, size_t at, size_t next)
{
	struct etc_fb_table t = { at, NULL };
	size_t vtable;

	etc_fb_spend(&s->fb, 1);
	if (s->broken || s->fb.fault)
		return;
	vtable = etc_fit_vtable(&s->fitter, at);
	if (is_lost(s, vtable))
		t.layout = recall(s, type, vtable, at, next);
	else
		t = etc_fb_table_at(&s->fb, &s->layouts[type], at);
	for (unsigned i = 0; t.layout && i < etc_etdump_types[type].fields; i++)
		if (etc_fb_has(t, i) && !s->broken && !s->fb.fault)
			visit_member(s, type, t, i, next);
}

/* --- runs ------------------------------------------------------------------------------------- */

/* Visits the tables of run `i`. False: no more visits are allowed (etc_fb.visits). */
static bool visit_run(struct surveyor *s, size_t i)
{
	s->run = i + 1;
	s->broken = s->inferred = s->unsettled = s->met = false;
	s->sure = true;
	s->fb.fault = s->fb.where = NULL;
	visit(s, TABLE_RUN, etc_fb_follow(&s->fb, s->runs.at + 4 * i), 0);
	s->broken |= s->fb.fault != NULL;
	return !s->fb.spent;
}

static void learn(struct surveyor *s)
{
	for (size_t i = 0; i < s->lost_count; i++) {
		struct lost *l = &s->lost[i];

		if (l->run != s->run)
			continue;
		l->perhaps &= l->run_perhaps ? l->run_perhaps : UINT32_MAX;
		l->surely &= l->run_surely ? l->run_surely : UINT32_MAX;
		l->any_perhaps |= l->run_perhaps != 0;
		l->any_surely |= l->run_surely != 0;
	}
}

static bool is_one(uint32_t set)
{
	return set && !(set & (set - 1));
}

/* Tables of several types may share a vtable. If different layouts were chosen for the vtable,
 * because of tables of two types, at least one of the layouts is wrong. Then no layout is used for
 * either type. */
static void agree(struct surveyor *s, struct lost *l)
{
	uint8_t mine[4 + 2 * ETC_FB_FIELDS], theirs[4 + 2 * ETC_FB_FIELDS];
	size_t n = etc_runtime_vtable(&s->fitter.layouts[l->type][l->layout], mine);

	for (size_t i = 0; i < s->lost_count; i++) {
		struct lost *o = &s->lost[i];

		if (o == l || o->at != l->at || o->state != SETTLED)
			continue;
		if (etc_runtime_vtable(&s->fitter.layouts[o->type][o->layout], theirs) != n ||
		    memcmp(mine, theirs, n) != 0)
			l->state = o->state = HOPELESS;
	}
}

/* Assigns a layout to each lost vtable (state OPEN) that only one layout fits; its state is then
 * SETTLED. If `surely` is true, a layout fits only if the result for all tables is ETC_FIT. Returns
 * whether a vtable was settled. */
static bool settle(struct surveyor *s, bool surely)
{
	bool any = false;

	for (size_t i = 0; i < s->lost_count; i++) {
		struct lost *l = &s->lost[i];
		uint32_t left = surely ? l->surely & l->perhaps : l->perhaps;

		if (l->state != OPEN || !is_one(left) ||
		    (surely ? !l->any_surely : !l->any_perhaps))
			continue;
		l->state = SETTLED;
		while (left >>= 1)
			l->layout++;
		any = true;
		agree(s, l);
	}
	return any;
}

/* Assumes that the lost vtable `l` has the layout l->layout. Returns true if at least one run with
 * tables of this vtable is then complete, and the layout fits all these tables with the result
 * ETC_FIT.
 *
 * Goes through the runs twice. The first time, only records for which texts it is known which
 * table owns them (leads to them), under this assumption. The second time, decides whether the
 * layout fits. */
static bool holds(struct surveyor *s, struct lost *l, size_t visits)
{
	bool any = false;

	l->state = SETTLED;
	s->supposed = l;
	for (unsigned k = 0; k < 2 && !s->fb.spent; k++) {
		size_t met = 0;

		s->fb.visits = visits;
		for (size_t i = 0; i < s->runs.count && met < RUNS_MOST && visit_run(s, i); i++) {
			met += s->met;
			any |= k && s->met && s->sure && !s->broken;
		}
	}
	s->supposed = NULL;
	l->state = OPEN;
	return any && !s->fb.spent;
}

/* Called if a pass settled no vtable, because it is not yet known which table owns each text
 * (refers to it). Tries the layouts of each open vtable. If holds() returns true for exactly one
 * layout of a vtable, settles this vtable and returns true. `owners`: working memory for `words`
 * words, in which the known owners of texts are saved. */
static bool suppose(struct surveyor *s, size_t visits, uint64_t *owners, size_t words)
{
	for (size_t i = 0; i < s->lost_count; i++) {
		struct lost *l = &s->lost[i];
		uint32_t good = 0;

		if (l->state != OPEN || !l->any_perhaps)
			continue;
		for (unsigned k = 0; k < s->fitter.counts[l->type]; k++) {
			if (!(l->perhaps >> k & 1))
				continue;
			if (s->supposed_count++ >= SUPPOSED_MOST)
				return false;
			memcpy(owners, s->fitter.texts, words * sizeof *owners);
			l->layout = (uint8_t)k;
			good |= holds(s, l, visits) ? UINT32_C(1) << k : 0;
			memcpy(s->fitter.texts, owners, words * sizeof *owners);
		}
		l->layout = 0;
		l->perhaps = good;
		if (is_one(good))
			return settle(s, false);
	}
	return false;
}

/* Visits all runs once, and narrows down the layouts of lost vtables. Returns true if this settled
 * a vtable, or found the table that a text belongs to; another pass can then settle more. */
static bool pass(struct surveyor *s, size_t visits)
{
	for (size_t i = 0; i < s->lost_count; i++) {
		struct lost *l = &s->lost[i];

		l->perhaps = l->surely = l->can;
		l->any_perhaps = l->any_surely = false;
		l->looks = l->run = 0;
	}
	s->fb.visits = visits;
	s->fitter.found_owner = false;
	for (size_t i = 0; i < s->runs.count && visit_run(s, i); i++)
		if (!s->broken)
			learn(s);
	return !s->fb.spent && (settle(s, false) || s->fitter.found_owner || settle(s, true));
}

/* Makes the final pass, which decides which runs are complete, and writes the result to `out`. */
static enum etc_status tell(struct surveyor *s, size_t visits, struct etc_arena *arena,
                            struct etc_survey *out, struct etc_error *err)
{
	uint32_t *index = etc_new(arena, uint32_t, s->runs.count);
	uint8_t *inferred = etc_new(arena, uint8_t, s->runs.count);
	size_t count = 0, own = 0;

	out->known = etc_new(arena, struct etc_fb_known, s->lost_count);
	ETC_NEED(index && inferred && out->known, err);
	s->learns = false;
	s->fb.visits = visits;
	for (size_t i = 0; i < s->runs.count; i++) {
		if (!visit_run(s, i))
			return etc_fb_check(&s->fb, err);
		if (s->broken || s->unsettled)
			continue;
		index[count] = (uint32_t)i;
		inferred[count++] = s->inferred;
		own += !s->inferred;
	}
	out->own = own;
	out->count = count;
	out->index = index;
	out->inferred = inferred;
	for (size_t i = 0; i < s->lost_count; i++) {
		const struct lost *l = &s->lost[i];
		struct etc_fb_known *k = &out->known[out->known_count];

		if (l->state != SETTLED)
			continue;
		*k = (struct etc_fb_known){ &etc_etdump_types[l->type],
			                    s->fitter.layouts[l->type][l->layout].layout };
		k->layout.vtable = l->at;
		out->known_count++;
	}
	return ETC_OK;
}

/* Finds the list of runs in the file. The file has the list's length even if the list itself is
 * truncated. */
static enum etc_status find_runs(struct surveyor *s, size_t origin, struct etc_survey *out,
                                 struct etc_error *err)
{
	struct etc_fb_table root = { 0, &etc_fb_no_layout };
	size_t at;

	if (etc_fits(s->fb.len, origin, 4))
		root = etc_fb_table_at(&s->fb, &s->layouts[TABLE_ETDUMP],
		                       etc_fb_follow(&s->fb, origin));
	at = etc_fb_ref(&s->fb, root, ETDUMP_RUN_DATA);
	if (at && etc_fits(s->fb.len, at, 4) && !s->fb.fault)
		out->runs = etc_fb_load32(&s->fb, at);
	if (out->runs > s->fitter.whole_bytes / 4)
		out->runs = 0;
	s->runs = etc_fb_vector(&s->fb, root, ETDUMP_RUN_DATA, 4);
	return etc_fb_check(&s->fb, err);
}

/* Visits all runs and puts the complete ones into `*out`. E0205: the list of runs cannot be read;
 * E0206: too many references to shared bytes; E0904. */
static enum etc_status survey_runs(const struct wreck *wreck, const struct etc_limits *limits,
                                   struct etc_arena *arena, struct etc_survey *out,
                                   struct etc_error *err)
{
	size_t visits = 4 * etc_fb_visits(wreck->bytes.len, limits ? limits->max_visits : 0);
	struct surveyor *s = etc_new(arena, struct surveyor, 1);
	size_t words = wreck->bytes.len / 256 + 1;
	uint64_t *owners;

	*out = (struct etc_survey){ 0 };
	ETC_NEED(s, err);
	etc_fb_init(&s->fb, wreck->bytes, visits);
	s->infers = wreck->whole_bytes != 0;
	s->fitter.whole_bytes = s->infers ? wreck->whole_bytes : wreck->bytes.len;
	s->fitter.fb = &s->fb;
	for (unsigned i = 0; i < TABLE_TYPES; i++) {
		etc_fb_layouts_init(&s->layouts[i], &etc_etdump_types[i]);
		s->fitter.counts[i] = etc_runtime_layouts((enum table_type)i, s->fitter.layouts[i]);
	}
	ETC_TRY(find_runs(s, wreck->origin, out, err));
	s->fitter.texts = etc_new(arena, uint64_t, s->infers ? words : 0);
	owners = etc_new(arena, uint64_t, s->infers ? words : 0);
	ETC_NEED(s->fitter.texts && owners, err);
	s->learns = s->infers;
	for (unsigned i = 0; i < PASSES_MOST && s->learns; i++)
		if (!pass(s, visits) && (s->fb.spent || !suppose(s, visits, owners, words)))
			break;
	s->fb.spent = false;
	return tell(s, visits, arena, out, err);
}

/* Largest size of a FlatBuffer, in bytes. */
#define FLATBUFFER_MOST ((size_t)INT32_MAX)

enum { PREFIX = ETC_ETDUMP_PREFIX, SURVEY_LEAST = 1 << 20 };

/* Finds the complete runs of a damaged file. The length before truncation is known only from
 * the size prefix. */
static enum etc_status survey(struct etc_span file, const struct etc_limits *limits,
                              struct etc_arena *arena, struct etc_survey *found)
{
	struct wreck wreck = { .bytes = file };
	uint32_t prefix = 0;
	bool prefixed;

	ETC_TRY(etc_etdump_identify(file, &prefixed, NULL));
	wreck.whole_bytes = FLATBUFFER_MOST;
	if (prefixed) {
		memcpy(&prefix, file.ptr, sizeof prefix);
		wreck.origin = PREFIX;
		wreck.whole_bytes = prefix > file.len - PREFIX ? (size_t)prefix + PREFIX : 0;
	}
	if (file.len > FLATBUFFER_MOST || wreck.whole_bytes > FLATBUFFER_MOST)
		return ETC_LIMIT;
	return survey_runs(&wreck, limits, arena, found, NULL);
}

/* Returns a text for a message: "0 of 9 runs are whole by the file's own vtables, 8 with the
 * layouts ...". */
static struct etc_str count_whole(const struct etc_survey *s, struct etc_arena *arena)
{
	return etc_arena_printf(arena,
	                        "%zu of %zu runs are whole by the file's own vtables, %zu with the "
	                        "layouts that the runtime always writes",
	                        s->own, s->runs, s->count);
}

/* Appends to err->text how many runs of the file are complete, as `found` says. `st` is the status
 * with which the survey of the file ended. */
static void put_whole(const struct etc_survey *found, enum etc_status st, struct etc_arena *arena,
                      struct etc_error *err)
{
	struct etc_str text = count_whole(found, arena);
	size_t used = strlen(err->text);

	if (st == ETC_CORRUPT && used + 48 < sizeof err->text)
		snprintf(err->text + used, sizeof err->text - used,
		         "; the list of its runs is not whole");
	else if (st == ETC_OK && text.ptr && used + text.len + 128 < sizeof err->text)
		snprintf(err->text + used, sizeof err->text - used, "; %s%s", text.ptr,
		         found->count ? "; --salvage of analyze, dump, inspector, report, summary, "
		                        "tokens, trace or what-if "
		                        "shows them"
		                      : "");
}

void etc_etdump_tell_whole(struct etc_span file, const struct etc_limits *limits,
                           struct etc_error *err)
{
	struct etc_survey found = { 0 };
	struct etc_arena scratch;

	etc_arena_init(&scratch, SURVEY_LEAST + 4 * file.len);
	put_whole(&found, survey(file, limits, &scratch, &found), &scratch, err);
	etc_arena_release(&scratch);
}

enum etc_status etc_etdump_read(struct etc_span file, const struct etc_limits *limits,
                                struct etc_arena *arena, struct etc_notes *notes,
                                struct etc_trace *out, struct etc_error *err)
{
	return etc_etdump_read_file(NULL, file, limits, arena, notes, out, err);
}

enum etc_status etc_etdump_read_file(const struct etc_file *from, struct etc_span file,
                                     const struct etc_limits *limits, struct etc_arena *arena,
                                     struct etc_notes *notes, struct etc_trace *out,
                                     struct etc_error *err)
{
	return etc_etdump_read_sparse(from, file, limits, NULL, arena, notes, out, err);
}

enum etc_status etc_etdump_read_sparse(const struct etc_file *from, struct etc_span file,
                                       const struct etc_limits *limits, etc_keep_fn *keep,
                                       struct etc_arena *arena, struct etc_notes *notes,
                                       struct etc_trace *out, struct etc_error *err)
{
	struct etc_etdump_reader r = { .arena = arena, .out = out, .file = from, .keep = keep };
	enum etc_status status = etc_etdump_file(&r, file, limits, notes, err);

	if (status == ETC_CORRUPT && err)
		etc_etdump_tell_whole(file, limits, err);
	return status;
}

static void note_inferred(const struct etc_survey *s, struct etc_notes *notes)
{
	uint32_t first = UINT32_MAX, last = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (!s->inferred[i])
			continue;
		first = s->index[i] < first ? s->index[i] : first;
		last = s->index[i];
	}
	if (s->own < s->count)
		etc_note(notes, N0227, "%zu of %zu that are left, run_data[%u] to run_data[%u]",
		         s->count - s->own, s->count, (unsigned)first, (unsigned)last);
}

/* Reads only the runs in `found`. */
static enum etc_status read_whole(struct etc_etdump_reader *r, struct etc_span file,
                                  const struct etc_limits *limits, const struct etc_survey *found,
                                  struct etc_error *err)
{
	struct etc_salvage *salvage = etc_new(r->arena, struct etc_salvage, 1);

	ETC_NEED(salvage, err);
	*salvage = (struct etc_salvage){ found->runs, found->own, found->index, found->inferred,
		                         found };
	r->only = found;
	ETC_TRY(etc_etdump_identify(file, &r->out->size_prefixed, err));
	ETC_TRY(etc_etdump_try(r, file, file.len, limits, err));
	r->out->salvage = salvage;
	return ETC_OK;
}

enum etc_status etc_etdump_salvage(struct etc_span file, const struct etc_limits *limits,
                                   struct etc_arena *arena, struct etc_notes *notes,
                                   struct etc_trace *out, struct etc_error *err)
{
	struct etc_etdump_reader r = { .arena = arena, .out = out };
	struct etc_error why = { .at = -1 };
	enum etc_status surveyed = ETC_OK;
	struct etc_survey *found;
	enum etc_status status = etc_etdump_file(&r, file, limits, notes, &why);

	if (status == ETC_OK)
		return ETC_OK;
	found = etc_new(arena, struct etc_survey, 1);
	if (status == ETC_CORRUPT && found)
		surveyed = survey(file, limits, arena, found);
	if (status != ETC_CORRUPT || !found || !found->count) {
		if (err)
			*err = why;
		if (status == ETC_CORRUPT && found && err)
			put_whole(found, surveyed, arena, err);
		return status;
	}
	status = read_whole(&r, file, limits, found, err);
	if (status != ETC_OK) {
		*out = (struct etc_trace){ 0 };
		return status;
	}
	etc_etdump_note(&r, notes);
	etc_note(notes, W0226, "%zu of %zu runs are lost; %s (%s: %s)", found->runs - found->count,
	         found->runs, count_whole(found, arena).ptr, etc_code_info(why.code)->name,
	         why.text);
	note_inferred(found, notes);
	return ETC_OK;
}
