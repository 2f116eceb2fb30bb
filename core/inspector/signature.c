/* signature.c -- see signature.h: implements the Inspector's classes InstructionEvent and
 * EventSignature. */
#include "inspector/signature.h"

#include "base/map.h"
#include "inspector/inspector.h"
#include "inspector/numbering.h"

/* ---- events with a unique signature -------------------------------------------- */

/* This section finds out whether all events of a template have different signatures; in nearly all
 * templates they have. It needs no hash table: an event is compared only with the few earlier
 * events whose marks (struct mark) have the same low bits.
 *
 * In this file, a site is the set of events with equal ids (is_same_site()). The Inspector handles
 * events site by site. So if a few events are not adjacent to the others of their site, such as a
 * Method::execute with the ids of the first instruction, they are moved next to them. */

/* Is the chain index negative? The chain index of a debug event is unsigned, so it is never
 * negative, although 2^64 - 1 has the same bits as -1 in a profile event. */
static inline bool has_negative_chain(const struct etc_event *e)
{
	return e->kind == ETC_EVENT_PROFILE && e->chain >> 63;
}

/* Are the InstructionEventSignatures of both events equal? An empty text differs from an absent
 * one. */
static inline bool is_same_site(const struct etc_event *a, const struct etc_event *b)
{
	return a->instruction_id == b->instruction_id && a->delegate_id == b->delegate_id &&
	       a->chain == b->chain && has_negative_chain(a) == has_negative_chain(b) &&
	       a->has_delegate_name == b->has_delegate_name &&
	       (!a->has_delegate_name ||
	        etc_str_eq(etc_event_delegate_name(a), etc_event_delegate_name(b)));
}

static inline struct etc_str name_of_event(const struct etc_event *e)
{
	return e->has_name ? etc_event_name(e) : ETC_STR_NONE;
}

static inline struct etc_str delegate_name_of(const struct etc_event *e)
{
	return e->has_delegate_name ? etc_event_delegate_name(e) : ETC_STR_NONE;
}

/* Are the two events equal as ProfileEventSignatures or DebugEventSignatures? Compares the
 * instruction id, the delegate's id, the name, and the delegate's name. An absent name equals an
 * empty one. */
static inline bool is_same_half(const struct etc_event *a, const struct etc_event *b)
{
	if (!a || !b)
		return a == b;
	return a->instruction_id == b->instruction_id && a->delegate_id == b->delegate_id &&
	       etc_str_eq(name_of_event(a), name_of_event(b)) &&
	       etc_str_eq(delegate_name_of(a), delegate_name_of(b));
}

#define NONE UINT32_MAX

/* Two hashes of an event: of its ids (`site`) and of its name. They are made of few bytes, in which
 * most events differ. Equal events have equal marks. */
struct mark {
	uint32_t site, name;
};

/* An event that is moved, because it is not adjacent to the others of its site, and the event after
 * which it is inserted. */
struct late {
	uint32_t event, behind;
};

enum { FEW = 8, LATE = 4 };

struct own {
	const struct etc_template *template;
	struct mark *marks; /* for each event: hashes of its ids and of its name */
	/* for each value of the low bits of mark.site: the last event with these bits */
	uint32_t *last;
	/* for each event: the last earlier event whose mark.site has the same low bits */
	uint32_t *before;
	struct late late[LATE];
	uint32_t late_count;
};

/* Returns a hash of the text; most different texts have different hashes. 0: the text is absent. */
static uint32_t mark_text(struct etc_str s)
{
	uint32_t end = (uint32_t)(etc_str_last_word(s) >> 32);

	return (uint32_t)s.len * 0x85ebca6bu + end * 0xc2b2ae35u;
}

/* Computes the marks of all events. The marks `site` of events with consecutive instruction ids and
 * without delegate id are consecutive numbers, so that the low bits of these marks differ. */
static void mark_events(const struct own *o)
{
	for (size_t i = 0; i < o->template->count; i++) {
		const struct etc_event *e = &o->template->events[i];

		o->marks[i].site = (uint32_t)e->instruction_id +
		                   ((uint32_t)e->delegate_id + 1) * 0x9e3779b1u +
		                   mark_text(delegate_name_of(e));
		o->marks[i].name = mark_text(name_of_event(e));
	}
}

static bool are_of_one_site(const struct own *o, uint32_t a, uint32_t b)
{
	return o->marks[a].site == o->marks[b].site &&
	       is_same_site(&o->template->events[a], &o->template->events[b]);
}

static bool are_of_one_name(const struct own *o, uint32_t a, uint32_t b)
{
	return o->marks[a].name == o->marks[b].name &&
	       is_same_half(&o->template->events[a], &o->template->events[b]);
}

/* Event `first` and the events directly after it are of one site (is_same_site()). Event `i` is of
 * the same site, but not adjacent to them. Adds it to o->late, the list of events to be moved
 * behind them. False: the list is full. */
static bool put_off(struct own *o, uint32_t first, uint32_t i)
{
	uint32_t end = first;

	if (o->late_count == LATE)
		return false;
	while (are_of_one_site(o, end, end + 1))
		end++;
	o->late[o->late_count++] = (struct late){ i, end };
	return true;
}

/* Are the signatures of all events different? Returns false also if this cannot be decided by
 * comparing and moving a few events. */
static bool is_each_own(struct own *o, uint32_t mask)
{
	uint32_t beside = 0;

	for (uint32_t i = 0; i < o->template->count; i++) {
		uint32_t *with = &o->last[o->marks[i].site & mask], met = 0, first = NONE;

		if (i && !are_of_one_site(o, i - 1, i))
			beside = i;
		for (uint32_t k = *with; k != NONE; k = o->before[k]) {
			if (met++ == FEW || are_of_one_name(o, k, i))
				return false;
			if (k < beside && are_of_one_site(o, k, i))
				first = k;
		}
		if (first != NONE && !put_off(o, first, i))
			return false;
		o->before[i] = *with;
		*with = i;
	}
	return true;
}

/* Writes the indices of all events to `order` in the Inspector's order: site by site. */
static void put_in_order(const struct own *o, uint32_t *order)
{
	uint32_t met = 0, n = 0;

	for (uint32_t i = 0; i < o->template->count; i++) {
		if (met < o->late_count && o->late[met].event == i) {
			met++;
			continue;
		}
		order[n++] = i;
		for (uint32_t k = 0; k < o->late_count; k++)
			if (o->late[k].behind == i)
				order[n++] = o->late[k].event;
	}
}

/* Sets `*own` to true if the signatures of all events of the template are found to be different
 * from each other. This is tested only if all events are profile events, and nearly all events of
 * each instruction are adjacent. If the Inspector's order of the events is not that of the list,
 * sets `*order` to an array in the arena with that order. Returns false if out of memory. */
static bool look_for_own(const struct etc_template *template, struct etc_arena *arena,
                         struct etc_arena *scratch, bool *own, const uint32_t **order)
{
	struct own o = { .template = template };
	uint32_t *other;
	size_t room = 1;

	*own = template->profiles == template->count;
	if (!*own)
		return true;
	while (room < template->count)
		room *= 2;
	o.marks = etc_new(scratch, struct mark, template->count);
	o.last = etc_new(scratch, uint32_t, room);
	o.before = etc_new(scratch, uint32_t, template->count);
	if (!o.marks || !o.last || !o.before)
		return false;
	mark_events(&o);
	memset(o.last, 0xff, room * sizeof *o.last);
	*own = is_each_own(&o, (uint32_t)(room - 1));
	if (!*own || o.late_count == 0)
		return true;
	other = etc_new(arena, uint32_t, template->count);
	if (other)
		put_in_order(&o, other);
	*order = other;
	return other != NULL;
}

#define NONE UINT32_MAX

/* An InstructionEvent of the Inspector while it is made: the events with the same raw ids. The
 * members are indices of events of the template. */
struct site {
	/* the first event with these ids, even if it logs an output of the method and so is no
	 * part of the InstructionEvent */
	uint32_t key;
	/* first and last of the events with these ids that are part of the InstructionEvent;
	 * signing.next chains them */
	uint32_t first, last;
};

struct signing {
	const struct etc_trace *trace;
	const struct etc_run *run;
	const struct etc_template *template;
	uint64_t seed;
	struct etc_numbering known; /* used twice: for the sites, and then for the signatures */
	struct site *sites;
	uint32_t site_count;
	uint32_t *next;
	/* arrays that become the members of these names in struct etc_insp_variant */
	uint32_t *profile, *profile_at, *debug_at, *debug_first, *debug_count, *debug_list;
	uint32_t count, debug_used;
};

/* ---- sites: events with the same raw ids --------------------------------------------- */

static bool same_sites(const void *things, uint32_t a, uint32_t b)
{
	const struct signing *g = things;

	return is_same_site(&g->template->events[g->sites[a].key],
	                    &g->template->events[g->sites[b].key]);
}

static uint64_t hash_ids(uint64_t hash, const struct etc_event *e)
{
	return etc_hash_mix(hash,
	                    (uint64_t)(uint32_t)e->instruction_id << 32 | (uint32_t)e->delegate_id);
}

static uint64_t hash_site(uint64_t seed, const struct etc_event *e)
{
	uint64_t hash = etc_hash_mix(hash_ids(seed, e), e->chain);

	return e->has_delegate_name ? etc_hash_text(hash, etc_event_delegate_name(e)) : hash;
}

/* Collects events with equal ids, in order of appearance, as the Inspector's gen_from_events()
 * does. Events of one instruction are usually adjacent, so the previous event is compared first. */
static void collate(struct signing *g)
{
	const struct etc_event *events = g->template->events, *before = NULL;
	uint32_t at = 0;

	for (uint32_t i = 0; i < g->template->count; i++) {
		const struct etc_event *e = &events[i];
		struct site *s;

		if (!before || !is_same_site(before, e)) {
			g->sites[g->site_count] = (struct site){ i, NONE, NONE };
			at = etc_numbering_add(&g->known, hash_site(g->seed, e), g->site_count,
			                       same_sites, g);
			g->site_count += at == g->site_count;
		}
		before = e;
		g->next[i] = NONE;
		if (e->kind == ETC_EVENT_DEBUG && etc_insp_is_output(g->trace, g->run, e))
			continue;
		s = &g->sites[at];
		if (s->first == NONE)
			s->first = i;
		else
			g->next[s->last] = i;
		s->last = i;
	}
}

/* ---- signatures ------------------------------------------------------------------------ */

static uint64_t hash_half(uint64_t hash, const struct etc_event *e)
{
	struct etc_str id = delegate_name_of(e);

	hash = etc_hash_text(hash_ids(hash, e), name_of_event(e));
	return id.len ? etc_hash_text(hash, id) : hash;
}

static const struct etc_event *profile_at(const struct etc_template *template, const uint32_t *at,
                                          uint32_t i)
{
	i = at ? at[i] : i;
	return i == NONE ? NULL : &template->events[i];
}

static const struct etc_event *debug_at(const struct etc_template *template, const uint32_t *at,
                                        uint32_t i)
{
	return at && at[i] != NONE ? &template->events[at[i]] : NULL;
}

/* Are two EventSignatures equal? They are if their profile halves and their debug halves are equal.
 * Each half contains the instruction id. */
static bool same_signatures(const void *things, uint32_t a, uint32_t b)
{
	const struct signing *g = things;

	return is_same_half(profile_at(g->template, g->profile_at, a),
	                    profile_at(g->template, g->profile_at, b)) &&
	       is_same_half(debug_at(g->template, g->debug_at, a),
	                    debug_at(g->template, g->debug_at, b));
}

bool etc_insp_same_signatures(const struct etc_insp_variant *a, const struct etc_insp_variant *b)
{
	bool same = a->count == b->count;

	for (uint32_t i = 0; i < a->count && same; i++)
		same = is_same_half(profile_at(a->template, a->profile_at, i),
		                    profile_at(b->template, b->profile_at, i)) &&
		       is_same_half(debug_at(a->template, a->debug_at, i),
		                    debug_at(b->template, b->debug_at, i));
	return same;
}

/* Hashes one event. An event may have a profile part and a debug part; the hash includes whether
 * each is present. So a template none of whose debug events is used has the same hash as a template
 * without debug events. */
static uint64_t hash_signature(uint64_t hash, const struct etc_event *profile,
                               const struct etc_event *debug)
{
	hash = profile ? hash_half(hash, profile) : hash;
	return debug ? hash_half(etc_hash_mix(hash, 1), debug) : hash;
}

uint64_t etc_insp_hash_signatures(const struct etc_insp_variant *v)
{
	uint64_t hash = etc_hash(ETC_STR_NONE);

	for (uint32_t i = 0; i < v->count; i++)
		hash = hash_signature(etc_hash_mix(hash, i),
		                      profile_at(v->template, v->profile_at, i),
		                      debug_at(v->template, v->debug_at, i));
	return hash;
}

/* The debug events of a site. `at` is the index in the template of the first of them, or NONE.
 * Their `count` columns are in debug_list, from `first` on. */
struct debugs {
	uint32_t at, first, count;
};

/* Adds an EventSignature with its columns. If an equal signature was added before, its columns are
 * replaced by the new ones, as the value of a key in a Python dict. */
static void add_signature(struct signing *g, uint32_t profile, struct debugs d)
{
	const struct etc_event *events = g->template->events;
	uint64_t hash = hash_signature(g->seed, profile == NONE ? NULL : &events[profile],
	                               d.at == NONE ? NULL : &events[d.at]);
	uint32_t at;

	g->profile_at[g->count] = profile;
	if (g->debug_at)
		g->debug_at[g->count] = d.at;
	at = etc_numbering_add(&g->known, hash, g->count, same_signatures, g);
	g->count += at == g->count;
	g->profile[at] = profile == NONE ? NONE : events[profile].column;
	g->profile_at[at] = profile;
	if (g->debug_at) {
		g->debug_at[at] = d.at;
		g->debug_first[at] = d.first;
		g->debug_count[at] = d.count;
	}
}

static struct debugs list_debugs(struct signing *g, const struct site *s)
{
	struct debugs d = { NONE, g->debug_used, 0 };

	for (uint32_t i = s->first; g->debug_at && i != NONE; i = g->next[i]) {
		const struct etc_event *e = &g->template->events[i];

		if (e->kind != ETC_EVENT_DEBUG)
			continue;
		d.at = d.at == NONE ? i : d.at;
		d.count++;
		g->debug_list[g->debug_used++] = e->column;
	}
	return d;
}

static void sign_site(struct signing *g, const struct site *s)
{
	struct debugs d = list_debugs(g, s);
	bool any = false;

	for (uint32_t i = s->first; i != NONE; i = g->next[i])
		if (g->template->events[i].kind != ETC_EVENT_DEBUG) {
			add_signature(g, i, d);
			any = true;
		}
	if (!any && s->first != NONE)
		add_signature(g, NONE, d);
}

static bool make_room(struct signing *g, struct etc_arena *arena, struct etc_arena *scratch)
{
	uint32_t count = g->template->count;
	bool only_profiles;

	g->seed = etc_hash(ETC_STR_NONE);
	/* The table is allocated first, so that it is in huge pages: it is accessed at random
	 * addresses. */
	if (!etc_numbering_init(&g->known, scratch, count))
		return false;
	g->sites = etc_new(scratch, struct site, count);
	g->next = etc_new(scratch, uint32_t, count);
	/* If all events are profile events, an event's column is its index. */
	only_profiles = g->template->profiles == count;
	g->profile = etc_new(only_profiles ? scratch : arena, uint32_t, count);
	g->profile_at = only_profiles ? g->profile : etc_new(arena, uint32_t, count);
	if (g->template->debugs) {
		g->debug_at = etc_new(arena, uint32_t, count);
		g->debug_first = etc_new(arena, uint32_t, count);
		g->debug_count = etc_new(arena, uint32_t, count);
		g->debug_list = etc_new(arena, uint32_t, g->template->debugs);
		if (!g->debug_at || !g->debug_first || !g->debug_count || !g->debug_list)
			return false;
	}
	return g->sites && g->next && g->profile && g->profile_at;
}

/* Copies g->profile (the column of each event) from scratch memory to the arena. If event i has
 * column i for every i, as in most dumps, sets g->profile and g->profile_at to NULL instead.
 * False: out of memory. */
static bool keep_columns(struct signing *g, struct etc_arena *arena)
{
	uint32_t same = 0, *kept = NULL;

	if (g->profile_at != g->profile)
		return true;
	while (same < g->count && g->profile[same] == same)
		same++;
	if (same < g->count) {
		kept = etc_new(arena, uint32_t, g->count);
		if (!kept)
			return false;
		memcpy(kept, g->profile, g->count * sizeof *kept);
	}
	g->profile = g->profile_at = kept;
	return true;
}

enum etc_status etc_insp_sign(const struct etc_inspector *in, const struct etc_run *run,
                              struct etc_insp_variant *v, struct etc_error *err)
{
	struct signing g = { .trace = in->trace,
		             .run = run,
		             .template = etc_run_template(in->trace, run) };
	struct etc_arena scratch;
	bool ok, own;

	*v = (struct etc_insp_variant){ .template = g.template, .count = g.template->count };
	etc_arena_init(&scratch, in->arena->budget);
	ok = look_for_own(g.template, in->arena, &scratch, &own, &v->profile);
	etc_arena_release(&scratch);
	v->profile_at = v->profile;
	if (ok && own)
		return ETC_OK;
	ok = ok && make_room(&g, in->arena, &scratch);
	if (ok) {
		collate(&g);
		etc_numbering_clear(&g.known);
		for (uint32_t k = 0; k < g.site_count; k++)
			sign_site(&g, &g.sites[k]);
	}
	ok = ok && keep_columns(&g, in->arena);
	etc_arena_release(&scratch);
	ETC_NEED(ok, err);
	*v = (struct etc_insp_variant){
		.count = g.count,
		.template = g.template,
		.profile = g.profile,
		.profile_at = g.profile_at,
		.debug_at = g.debug_at,
		.debug_first = g.debug_first,
		.debug_count = g.debug_count,
		.debug_list = g.debug_list,
	};
	return ETC_OK;
}
