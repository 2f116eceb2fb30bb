/* owner.c -- see owner.h
 *
 * The events of a call are gathered with their samples and sent to the host; the
 * host's answers are written into the sites. */
#include "join/owner.h"

#include "base/bisect.h"
#include "join/answer.h"
#include "join/instruction_index.h"
#include "join/site.h"

/* ---- columns ----------------------------------------------------------------------------- */

/* Returns the children of the event at `site`; NULL: it has none. Sets `*first` to the index of the
 * first child among all children of the template. */
static const struct etc_children *children_of(const struct etc_sites *sites, uint32_t site,
                                              uint32_t *first)
{
	size_t at;

	ETC_BISECT(at, sites->expanded_count, sites->expanded[at].of >= site);
	*first = (uint32_t)at;
	return at < sites->expanded_count && sites->expanded[at].of == site
	               ? sites->expanded[at].all
	               : NULL;
}

/* Replaces the stored columns of an event's children by the columns in `said`. The owner computed
 * these from the samples that it received last. False if out of memory. */
static bool fill_children(struct etc_sites *sites, uint32_t site, const struct etc_children *said)
{
	uint32_t first, n = sites->expanded_count;
	const struct etc_children *known = children_of(sites, site, &first);

	if (!known || known->count != said->count)
		return true;
	if (!sites->expanded_columns) {
		sites->expanded_columns = etc_new(sites->arena, const struct etc_parsed *, n);
		for (uint32_t k = 0; sites->expanded_columns && k < n; k++)
			sites->expanded_columns[k] = sites->expanded[k].child->metadata;
	}
	for (uint32_t j = 0; sites->expanded_columns && j < said->count; j++)
		sites->expanded_columns[first + j] = said->v[j].metadata;
	return sites->expanded_columns != NULL;
}

/* ---- readings of children --------------------------------------------------------- */

/* Copies facts of an expanded event, `of`, to one of its children: owner and backend always;
 * category, compute unit and precision only if the plugin gave none for the child. */
static void inherit(struct etc_facts *to, const struct etc_facts *of)
{
	to->owner = of->owner;
	to->backend = of->backend;
	if (!to->category.len)
		to->category = of->category;
	if (!to->compute_unit.len)
		to->compute_unit = of->compute_unit;
	if (!to->precision.len)
		to->precision = of->precision;
}

/* Arguments and result of the last call of facts_of(). Many children are alike, and equal arguments
 * give the same result, so this saves most calls. */
struct alike {
	const struct etc_facts *child, *of;
	const struct etc_time_facts *time;
	bool synthetic;
	struct etc_facts *made;
};

static struct etc_facts *facts_of(const struct etc_sites *sites, const struct etc_expanded *e,
                                  struct alike *last, struct etc_arena *arena)
{
	const struct etc_facts *of = etc_site_said(sites, &sites->v[e->of]).facts;
	const struct etc_part_said *c = e->child;
	struct etc_facts *f;

	if (last->made && last->child == c->facts && last->of == of && last->time == c->time &&
	    last->synthetic == !c->starts)
		return last->made;
	f = etc_new(arena, struct etc_facts, 1);
	if (!f)
		return NULL;
	if (c->facts)
		*f = *c->facts;
	f->time = (struct etc_time_facts){ .parent = ETCORE_PARENT_CALL, .resolution = 1 };
	if (of) {
		inherit(f, of);
		f->time = of->time;
	}
	if (c->time)
		f->time = *c->time;
	if (of && e->same_clock && !of->time.wraps_at) {
		f->time.sync_device = of->time.sync_device;
		f->time.sync_host = of->time.sync_host;
	}
	f->time.start = (uint8_t)(c->starts ? ETCORE_START_MEASURED : ETCORE_START_SYNTHETIC);
	*last = (struct alike){ c->facts, of, c->time, !c->starts, f };
	return f;
}

/* Sets readings, parents and facts of expanded events, after etc_sites_own() has set those of all
 * other events. Facts live in `arena`. E0904. */
static enum etc_status settle_children(struct etc_sites *sites, struct etc_arena *arena,
                                       struct etc_error *err)
{
	struct alike last = { 0 };

	for (uint32_t k = 0; k < sites->expanded_count; k++) {
		const struct etc_expanded *e = &sites->expanded[k];
		struct etc_site *s = &sites->v[e->site];
		struct etc_reading as = *sites->v[e->of].reading;
		struct etc_said *said = etc_sites_say(sites, s);
		bool ok = said != NULL;

		if (ok) {
			said->facts = facts_of(sites, e, &last, arena);
			said->metadata = sites->expanded_columns ? sites->expanded_columns[k]
			                                         : e->child->metadata;
			said->mapped = etc_site_said(sites, &sites->v[e->of]).mapped;
		}
		if (e->child->time)
			etc_reading_take(sites, e->child->time, &as);
		as.wraps_at = 0;
		as.synthetic = !e->child->starts;
		ok = ok && said->facts && etc_sites_hang(sites, s, e->parent) &&
		     etc_sites_read(sites, s, &as);
		ETC_NEED(ok, err);
	}
	return ETC_OK;
}

/* ---- the calls that plugins receive -------------------------------------------- */

/* The groups of events that plugins receive together. A group consists of the events of one call,
 * with its DELEGATE_CALL or other instruction event. Outside of calls (while a method is loaded) it
 * consists of the events of one (chain, instruction). Expanded events are in no group. */

struct calls {
	uint32_t count;
	uint32_t *site;    /* for each group: its instruction event, or ETC_NO_SITE */
	uint32_t *end;     /* for each group: the end of its events in `at` */
	uint32_t *at;      /* sites, group by group, in file order */
	bool *any_outside; /* for each group: does it have delegate events, but no DELEGATE_CALL? */
};

static uint32_t instruction_of(const struct etc_sites *sites, uint32_t i)
{
	return sites->v[i].instruction ? i : sites->v[i].call;
}

/* Sets of[i] to 1 + the number of the group of event i, or to 0 if the event is passed to no
 * plugin. The group of an instruction event is made when the first event of its call is found. */
static enum etc_status number(struct calls *calls, const struct etc_sites *sites, bool delegates,
                              uint32_t *of, struct etc_arena *arena, struct etc_error *err)
{
	uint32_t n = sites->count, outsiders = 0, *outside;
	struct etc_spots spots;

	for (uint32_t i = 0; i < n; i++)
		outsiders += !sites->v[i].expanded && instruction_of(sites, i) == ETC_NO_SITE;
	outside = etc_new(arena, uint32_t, outsiders);
	ETC_NEED(outside, err);
	etc_spots_init(&spots, sites->events, outsiders, arena);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t site = instruction_of(sites, i), spot, *call;

		if (sites->v[i].expanded)
			continue;
		if (delegates && (site == ETC_NO_SITE || !sites->v[site].delegate_call))
			continue;
		if (site == ETC_NO_SITE) {
			spot = etc_spots_number(&spots, etc_site_event(sites, &sites->v[i]));
			if (spot == ETC_NO_SPOT)
				return etc_no_memory(err);
			call = &outside[spot];
		} else {
			call = &of[site];
		}
		if (!*call) {
			calls->site[calls->count++] = site;
			*call = calls->count;
		}
		of[i] = *call;
	}
	return ETC_OK;
}

/* Groups the events by their calls. The groups are in the order of their first events. With
 * `delegates`, makes only the groups of DELEGATE_CALLs. Memory is the arena's. E0904. */
static enum etc_status find_calls(struct calls *calls, const struct etc_sites *sites,
                                  bool delegates, struct etc_arena *arena, struct etc_error *err)
{
	uint32_t n = sites->count, sum = 0;
	uint32_t *of = etc_new(arena, uint32_t, n);

	*calls = (struct calls){ .site = etc_new(arena, uint32_t, n),
		                 .end = etc_new(arena, uint32_t, n),
		                 .at = etc_new(arena, uint32_t, n),
		                 .any_outside = etc_new(arena, bool, n) };
	ETC_NEED(of && calls->site && calls->end && calls->at && calls->any_outside, err);
	ETC_TRY(number(calls, sites, delegates, of, arena, err));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t c = of[i] - 1, site;

		if (!of[i])
			continue;
		site = calls->site[c];
		calls->end[c]++;
		if (sites->v[i].delegate && (site == ETC_NO_SITE || !sites->v[site].delegate_call))
			calls->any_outside[c] = true;
	}
	for (uint32_t c = 0; c < calls->count; c++) {
		uint32_t size = calls->end[c];

		calls->end[c] = sum;
		sum += size;
	}
	for (uint32_t i = 0; i < n; i++)
		if (of[i])
			calls->at[calls->end[of[i] - 1]++] = i;
	return ETC_OK;
}

enum {
	TOGETHER = 1 << 19, /* approximate number of bytes that are sent to the host at once */
	EVENT = 512,        /* number of bytes that an event needs besides its samples */
	TOGETHER_CALLS = 1 << 12
};

static bool is_nameless(const struct etc_join_input *in, const struct etc_site *s,
                        const struct etc_event *e)
{
	const struct etc_operator *op;

	if (s->delegate || e->word != ETC_WORD_OPERATOR_CALL)
		return false;
	op = etc_method_operator(in->method, e);
	return !op || op->text.len == 0;
}

/* Returns the backend of a call according to the record; if the record has none, according to the
 * program. */
static struct etc_str backend_of(const struct etc_join_input *in, const struct etc_event *call)
{
	const struct etc_delegate_entry *e = etc_method_entry(in->method, call->instruction_id);

	return e && e->backend.len ? e->backend : etc_method_delegate(in->method, call).backend;
}

/* Sets the backend in the readings of all events of a call. Most of the events share one reading,
 * so a new reading is made only if the event's old reading differs from the old reading of the
 * previous event. */
static enum etc_status name_backend(struct etc_call *c, struct etc_error *err)
{
	const struct etc_reading *from = NULL, *to = NULL;

	for (uint32_t i = 0; i < c->count; i++) {
		struct etc_site *s = &c->sites->v[c->at[i]];

		if (s->reading == from) {
			s->reading = to;
		} else {
			struct etc_reading as = *s->reading;

			from = s->reading;
			as.backend = c->backend;
			ETC_NEED(etc_sites_read(c->sites, s, &as), err);
			to = s->reading;
		}
	}
	return ETC_OK;
}

/* ---- batches of calls ---------------------------------------------------------------- */

/* Calls that are sent to the host together. */
struct batch {
	struct etc_arena scratch;
	struct etc_call *calls;
	struct etc_asked *asked;
	uint32_t count;
};

struct owning {
	const struct etc_join_input *in;
	struct etc_call shape; /* only the members that are the same for all calls are set */
	struct calls found;
	/* Did some plugin declare ETCORE_SEES_OPERATOR? The same for ETCORE_SEES_FRAMEWORK. */
	bool sees_operators, sees_framework;
	bool *asked;   /* for each call: is it sent to plugins? */
	uint32_t *end; /* for each batch: the end of its calls in `found` */
	size_t batches;
	struct etc_arena *arena;
};

static uint32_t begin_of(const struct owning *o, uint32_t i)
{
	return i ? o->found.end[i - 1] : 0;
}

static bool in_delegate(const struct owning *o, uint32_t i)
{
	uint32_t site = o->found.site[i];

	return site != ETC_NO_SITE && o->shape.sites->v[site].delegate_call;
}

static struct etc_call call_of(const struct owning *o, uint32_t i)
{
	struct etc_call c = o->shape;

	c.site = o->found.site[i];
	c.at = o->found.at + begin_of(o, i);
	c.count = o->found.end[i] - begin_of(o, i);
	if (etc_call_in_delegate(&c))
		c.backend = backend_of(c.in, etc_site_event(c.sites, &c.sites->v[c.site]));
	return c;
}

/* Is call `i` sent to plugins? Events outside of delegate calls are sent only if a plugin declares
 * that it sees them. */
static bool is_asked(const struct owning *o, uint32_t i)
{
	const struct etc_sites *sites = o->shape.sites;
	const struct etc_host *host = o->in->host;
	uint32_t from = begin_of(o, i);
	const struct etc_site *first = &sites->v[o->found.at[from]];

	if (in_delegate(o, i))
		return o->found.end[i] - from > 1;
	if (o->found.any_outside[i])
		return host && host->count;
	if (o->sees_operators == o->sees_framework)
		return o->sees_operators;
	return first->native || etc_site_event(sites, first)->word == ETC_WORD_OPERATOR_CALL
	               ? o->sees_operators
	               : o->sees_framework;
}

/* Sets the backend of a DELEGATE_CALL that has no events. */
static enum etc_status name_alone(const struct owning *o, uint32_t i, struct etc_error *err)
{
	struct etc_call c;

	if (!in_delegate(o, i))
		return ETC_OK;
	c = call_of(o, i);
	if (o->in->host)
		etc_host_meet(o->in->host, c.backend);
	return name_backend(&c, err);
}

/* Finds the calls about which plugins are asked, and divides them into batches: sets `asked` and
 * `end`. A call about which no plugin is asked only gets the name of its backend. */
static enum etc_status divide(struct owning *o, struct etc_arena *arena, struct etc_error *err)
{
	const struct etc_host *host = o->in->host;
	uint32_t n = o->found.count, count = 0, last = 0;
	size_t bytes = 0, samples = o->shape.run_count * 2 * sizeof(uint64_t);

	o->sees_operators = host && etc_host_sees(host, ETCORE_SEES_OPERATOR);
	o->sees_framework = host && etc_host_sees(host, ETCORE_SEES_FRAMEWORK);
	o->asked = etc_new(arena, bool, n);
	o->end = etc_new(arena, uint32_t, n);
	ETC_NEED(o->asked && o->end, err);
	for (uint32_t i = 0; i < n; i++) {
		o->asked[i] = is_asked(o, i);
		if (!o->asked[i]) {
			ETC_TRY(name_alone(o, i, err));
			continue;
		}
		last = i + 1;
		count++;
		bytes += (o->found.end[i] - begin_of(o, i)) * (samples + EVENT);
		if (count < TOGETHER_CALLS && bytes < TOGETHER)
			continue;
		o->end[o->batches++] = last;
		count = 0;
		bytes = 0;
	}
	if (count)
		o->end[o->batches++] = last;
	return ETC_OK;
}

/* Does the host have something to do: is there a plugin or a rule that could own events, or are
 * there metadata to decode? */
static bool asks(const struct etc_join_input *in)
{
	return in->host && (in->host->count || in->host->ruled_count || in->metadata);
}

/* Lists in asked->again the events whose children's columns were computed from another number of
 * samples than this call has. The host then calls the hooks again for these events. */
static enum etc_status ask_again(const struct etc_call *c, struct etc_asked *asked,
                                 struct etc_arena *scratch, struct etc_error *err)
{
	const struct etc_children **again;
	uint32_t first;
	bool any = false;

	if (!c->sites->expanded_count)
		return ETC_OK;
	again = etc_new(scratch, const struct etc_children *, c->count);
	ETC_NEED(again, err);
	for (uint32_t i = 0; i < c->count; i++) {
		const struct etc_children *all = children_of(c->sites, c->at[i], &first);

		again[i] = all && all->columns && all->samples != c->run_count ? all : NULL;
		any = any || again[i];
	}
	asked->again = any ? again : NULL;
	return ETC_OK;
}

/* Gathers the events of the call, and sets in `asked` which hooks the host calls for them. */
static enum etc_status prepare(struct etc_call *c, struct etc_asked *asked,
                               struct etc_arena *scratch, struct etc_error *err)
{
	bool *parse, any = false, expands = c->in->expansion != NULL;

	ETC_TRY(etc_call_gather(c, scratch, err));
	*asked = (struct etc_asked){ .call = &c->call, .map = c->in->places };
	c->asked = asked;
	if (!c->in->metadata && !expands)
		return ETC_OK;
	parse = etc_new(scratch, bool, c->count);
	ETC_NEED(parse, err);
	for (uint32_t i = 0; i < c->count; i++) {
		parse[i] = c->sites->v[c->at[i]].delegate;
		any = any || parse[i];
	}
	if (!expands)
		ETC_TRY(ask_again(c, asked, scratch, err));
	if (any && expands)
		asked->lists = c->in->expansion->lists;
	if (any)
		*(expands ? &asked->expand : &asked->parse) = parse;
	return ETC_OK;
}

static enum etc_status gather(const struct owning *o, struct batch *b, uint32_t from, uint32_t to,
                              struct etc_error *err)
{
	uint32_t count = 0;

	for (uint32_t i = from; i < to; i++)
		count += o->asked[i];
	b->count = 0;
	b->calls = etc_new(&b->scratch, struct etc_call, count);
	b->asked = etc_new(&b->scratch, struct etc_asked, count);
	ETC_NEED(b->calls && b->asked, err);
	for (uint32_t i = from; i < to; i++) {
		if (!o->asked[i])
			continue;
		b->calls[b->count] = call_of(o, i);
		if (asks(o->in))
			ETC_TRY(prepare(&b->calls[b->count], &b->asked[b->count], &b->scratch,
			                err));
		b->count++;
	}
	return ETC_OK;
}

/* Sets the backend of a delegate call to the one that the host found, if it found one. */
static void take_backend(struct etc_call *c)
{
	if (etc_call_in_delegate(c))
		c->backend = (struct etc_str){ c->call.backend.ptr, (size_t)c->call.backend.len };
}

static enum etc_status take_children(const struct etc_call *c, struct etc_error *err)
{
	for (uint32_t i = 0; c->asked && c->asked->children && i < c->count; i++) {
		const struct etc_children *said = &c->asked->children[i];

		if (c->in->expansion)
			c->in->expansion->children[c->at[i]] = *said;
		else if (said->count && !fill_children(c->sites, c->at[i], said))
			return etc_no_memory(err);
	}
	return ETC_OK;
}

/* Calls the plugins' hooks for all calls of a batch, and then writes the answers into the sites. */
static enum etc_status own_batch(const struct owning *o, struct batch *b, struct etc_error *err)
{
	const struct etc_join_input *in = o->in;

	if (asks(in))
		ETC_TRY(etc_host_ask(in->host, b->asked, b->count, &b->scratch, err));
	for (uint32_t i = 0; i < b->count; i++)
		ETC_TRY(take_children(&b->calls[i], err));
	for (uint32_t i = 0; i < b->count && !in->expansion; i++) {
		take_backend(&b->calls[i]);
		ETC_TRY(name_backend(&b->calls[i], err));
		ETC_TRY(etc_call_take(&b->calls[i], o->arena, err));
	}
	return ETC_OK;
}

static enum etc_status own_batches(const struct owning *o, struct etc_error *err)
{
	enum etc_status st = ETC_OK;
	struct batch b = { .count = 0 };

	etc_arena_init(&b.scratch, o->arena->budget);
	for (size_t i = 0; i < o->batches && st == ETC_OK; i++) {
		st = gather(o, &b, i ? o->end[i - 1] : 0, o->end[i], err);
		if (st == ETC_OK)
			st = own_batch(o, &b, err);
		etc_arena_reuse(&b.scratch);
		etc_trace_rest(o->in->trace); /* releases pages of the file: the metadata of this
		                               * batch have been read */
	}
	etc_arena_release(&b.scratch);
	return st;
}

static enum etc_status own_all(struct owning *o, struct etc_arena *lists, struct etc_error *err)
{
	/* Without plugins, only the built-in rules are left. They apply to delegate calls only. */
	bool delegates = !o->in->host || !o->in->host->count;

	ETC_TRY(find_calls(&o->found, o->shape.sites, delegates, lists, err));
	ETC_TRY(divide(o, lists, err));
	return own_batches(o, err);
}

enum etc_status etc_sites_own(struct etc_sites *sites, const struct etc_join_input *in,
                              const uint32_t *runs, size_t run_count, struct etc_arena *arena,
                              struct etc_error *err)
{
	struct owning o = { .in = in, .arena = arena };
	struct etc_arena lists;
	enum etc_status st;

	o.shape = (struct etc_call){
		.in = in, .runs = runs, .run_count = run_count, .sites = sites, .site = ETC_NO_SITE
	};
	sites->method = in->method;
	for (uint32_t i = 0; i < sites->count; i++)
		sites->v[i].nameless =
			is_nameless(in, &sites->v[i], etc_site_event(sites, &sites->v[i]));
	for (uint32_t i = 0; i < sites->count; i++)
		if (sites->v[i].native && sites->v[i].call != ETC_NO_SITE)
			sites->v[sites->v[i].call].nameless = false;
	etc_arena_init(&lists, arena->budget);
	st = own_all(&o, &lists, err);
	etc_arena_release(&lists);
	return st == ETC_OK ? settle_children(sites, arena, err) : st;
}

static size_t list_runs(const uint32_t *run, const uint8_t *use, size_t count, uint8_t least,
                        uint32_t *out)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (use[i] >= least)
			out[n++] = run[i];
	return n;
}

size_t etc_runs_asked(const uint32_t *run, const uint8_t *use, size_t count, uint32_t *out)
{
	size_t n = list_runs(run, use, count, ETC_USE_TYPICAL, out);

	n = n ? n : list_runs(run, use, count, ETC_USE_KEPT, out);
	return n ? n : list_runs(run, use, count, ETC_USE_WARMUP, out);
}
