/* convert.c -- converts the times of delegated events, or parses their metadata, if a plugin or a
 * section [backend.ID] does this. Events are sent to plugins in batches (struct window), because
 * each message to a plugin in another process takes time. */
#include <stdlib.h>

#include "base/map.h"
#include "host/sink.h"
#include "base/memory.h"
#include "inspector/perf.h"

static double value_of(const struct etc_converted *c)
{
	return c->is_integer ? (double)c->i : c->f;
}

/* Computes the time from `start` to `end` as the Inspector does: exactly for two ints, otherwise in
 * doubles. False: the Inspector raises an exception. */
static bool difference(const struct etc_converted *start, const struct etc_converted *end,
                       struct etc_converted *out)
{
	double d;

	if (start->is_integer && end->is_integer) {
		int64_t e;

		if (start->i > end->i) {
			if (start->i > (int64_t)ETC_INSP_MAX_U32 ||
			    end->i > (int64_t)ETC_INSP_MAX_U32)
				return false;
			e = (int64_t)ETC_INSP_MAX_U32 - start->i + end->i;
		} else {
			e = (int64_t)((uint64_t)end->i - (uint64_t)start->i);
		}
		*out = (struct etc_converted){ .is_integer = true, .i = e };
		return true;
	}
	if (!etc_insp_elapsed(value_of(start), value_of(end), &d))
		return false;
	*out = (struct etc_converted){ .is_integer = false, .f = d };
	return true;
}

static bool serves(const struct etc_plugin *p)
{
	return p->state == ETC_PLUGIN_LOADED && p->named && p->abi &&
	       p->abi->role == ETCORE_ROLE_OWNER;
}

/* If exactly one plugin can convert times or parse metadata, returns this plugin; else NULL. Sets
 * `*many` to true if there are several such plugins, or if the configuration has rules for
 * backends. */
static struct etc_plugin *only_server(const struct etc_inspector *in, bool *many)
{
	struct etc_plugin *only = NULL;
	uint32_t count = 0;

	for (uint32_t i = 0; i < in->host->count; i++)
		if (serves(&in->host->plugins[i])) {
			only = &in->host->plugins[i];
			count++;
		}
	*many = count > 1 || in->host->ruled_count > 0;
	return count > 1 ? NULL : only;
}

/* One event as the argument of hooks. It has the data that the Inspector passes to the two
 * functions that its user can supply. */
struct one_event {
	struct etc_insp_block *block;
	struct etc_insp_event *insp;
	/* the plugin that converts the event's times and parses the event's metadata; NULL: there
	 * is no such plugin */
	struct etc_plugin *plugin;
	struct etcore_call call;
	struct etcore_event event;
	const struct etcore_event *list[1];
	uint64_t *start, *end;
	struct etcore_bytes *metadata;
};

static enum etc_status describe(struct etc_inspector *in, struct etc_insp_block *b,
                                struct etc_insp_event *e, struct etc_arena *arena,
                                struct one_event *out, struct etc_error *err)
{
	uint32_t number = (uint32_t)(e - b->events), n = b->run_count;
	const struct etc_event *profile = etc_insp_profile(in, b, number);
	const struct etc_insp_extra *x = etc_insp_extra(e);

	*out = (struct one_event){ .block = b, .insp = e };
	out->start = etc_new(arena, uint64_t, n);
	out->end = etc_new(arena, uint64_t, n);
	out->metadata = in->trace->metadata.has ? etc_new(arena, struct etcore_bytes, n) : NULL;
	if (!out->start || !out->end || (in->trace->metadata.has && !out->metadata))
		return etc_no_memory(err);
	for (uint32_t i = 0; i < n; i++) {
		size_t at = etc_insp_sample(in, b, number, i);

		if (at == SIZE_MAX)
			continue;
		out->start[i] = in->trace->start[at];
		out->end[i] = in->trace->end[at];
		if (out->metadata) {
			struct etc_span m = etc_trace_metadata(in->trace, at);

			out->metadata[i] = (struct etcore_bytes){ m.ptr, m.len };
		}
	}
	out->event = (struct etcore_event){
		.size = sizeof out->event,
		.flags = ETCORE_EVENT_DELEGATE,
		.instruction_id = e->instruction_id,
		.delegate_id = (profile ? profile : x->debug)->delegate_id,
		.delegate_name = etc_text_of_ours(e->id_is_int ? ETC_STR_NONE : etc_insp_id(e)),
		.samples = profile ? n : 0,
		.start = out->start,
		.end = out->end,
		.metadata = e->has_metadata ? out->metadata : NULL,
	};
	out->list[0] = &out->event;
	out->call = (struct etcore_call){
		.size = sizeof out->call,
		.count = 1,
		.backend = etc_text_of_ours(x->has_backend ? x->backend : ETC_STR_NONE),
		.block = etc_text_of_ours(b->name),
		.events = out->list,
	};
	return ETC_OK;
}

/* Converts the times of an event with its plugin, first all starts, then all ends, and stores the
 * differences in extra->converted. If the plugin declines, extra->converted stays NULL. */
static enum etc_status convert(struct etc_inspector *in, struct one_event *one,
                               const struct etcore_scales *scales, struct etc_error *err)
{
	struct etc_insp_event *e = one->insp;
	struct etc_plugin *p = one->plugin;
	uint32_t n = one->block->run_count;
	struct etc_converted *start = etc_new(in->arena, struct etc_converted, n);
	struct etc_converted *end = etc_new(in->arena, struct etc_converted, n);
	bool declined, also;

	ETC_NEED(start && end && etc_insp_extend(in, e), err);
	ETC_TRY(etc_host_convert_time(p, &one->call, 0, scales, one->start, n, start, &declined,
	                              err));
	if (declined)
		return ETC_OK;
	ETC_TRY(etc_host_convert_time(p, &one->call, 0, scales, one->end, n, end, &also, err));
	if (also)
		return ETC_OK;
	e->int_raw = true;
	for (uint32_t i = 0; i < n; i++) {
		if (!difference(&start[i], &end[i], &start[i]))
			return etc_insp_wraps(err, e, value_of(&start[i]), value_of(&end[i]));
		e->int_raw = e->int_raw && start[i].is_integer;
	}
	e->extra->converted = start;
	return ETC_OK;
}

/* Computes the statistics of an event from extra->converted, its converted times. */
static enum etc_status take_converted(const struct etc_insp_block *b, struct etc_insp_event *e,
                                      struct etc_error *err)
{
	const struct etc_converted *c = e->extra->converted;
	uint32_t event = (uint32_t)(e - b->events), n = b->run_count;
	double *v = etc_malloc(n * sizeof *v);
	uint64_t *keys = etc_malloc(n * sizeof *keys);

	for (uint32_t i = 0; v && keys && i < n; i++)
		v[i] = value_of(&c[i]);
	if (v && keys)
		etc_insp_statistics(b, event, v, keys);
	free(keys);
	free(v);
	ETC_NEED(v && keys, err);
	/* Python's min() and max() return an element unchanged, so their type is that of this
	 * element */
	for (uint32_t i = n; i-- > 0;) {
		if (value_of(&c[i]) == etc_insp_stat(b, event, ETC_INSP_MIN))
			e->int_min = c[i].is_integer;
		if (value_of(&c[i]) == etc_insp_stat(b, event, ETC_INSP_MAX))
			e->int_max = c[i].is_integer;
	}
	return ETC_OK;
}

/* ---- windows of events, for plugins in another process --------------------------- */

enum { WINDOW_EVENTS = 1024, WINDOW_BYTES = 1 << 20 };

/* The key of a delegate call in a hash map: chain and instruction of its events. */
struct call_key {
	uint64_t chain, instruction;
};

/* The delegate calls of a block, with the backends that rules of the configuration recognise. Kept
 * for the block that was handled last. */
struct known_calls {
	struct etc_arena arena;
	const struct etc_insp_block *block; /* NULL: none yet */
	/* for each event, the number of its call; UINT32_MAX: it has none */
	uint32_t *call;
	/* for each call, the backend that the rules recognise */
	struct etcore_text *backend;
};

struct window {
	struct etc_inspector *in;
	struct etc_arena arena; /* memory of the events in `v` */
	struct one_event *v;
	uint32_t count;
	size_t bytes;
	/* arguments of convert_time; if the member `size` is 0, metadata is parsed instead */
	struct etcore_scales scales;

	struct known_calls known;
};

/* Numbers the calls of the block from 0. Sets known->call to the number of each event's call
 * (UINT32_MAX: the event is in no call), and `*call_count` to the number of calls. E0904. */
static enum etc_status find_calls(struct etc_inspector *in, struct etc_insp_block *b,
                                  struct known_calls *known, uint32_t *call_count,
                                  struct etc_error *err)
{
	struct call_key *keys = etc_new(&known->arena, struct call_key, b->event_count);
	struct etc_map map;

	known->call = etc_new(&known->arena, uint32_t, b->event_count);
	ETC_NEED(keys && known->call, err);
	etc_map_init(&map, &known->arena);
	*call_count = 0;
	for (uint32_t k = 0; k < b->event_count; k++) {
		const struct etc_event *profile = etc_insp_profile(in, b, k);
		size_t at;

		known->call[k] = UINT32_MAX;
		if (!profile || !b->events[k].is_delegated)
			continue;
		keys[k].chain = (uint64_t)profile->chain;
		keys[k].instruction = (uint64_t)(int64_t)profile->instruction_id;
		at = etc_map_add(&map, (struct etc_str){ (const char *)&keys[k], sizeof keys[k] },
		                 *call_count);
		if (at == ETC_MAP_NONE)
			return etc_no_memory(err);
		*call_count += at == *call_count;
		known->call[k] = (uint32_t)at;
	}
	return ETC_OK;
}

/* Finds the backend of one call by the rules of the configuration. The first event of the call is
 * `first`, and next[k] is the event of the call after event k. */
static enum etc_status ask_rules(struct etc_inspector *in, struct etc_insp_block *b,
                                 const uint32_t *next, uint32_t first, struct etcore_text *backend,
                                 struct etc_arena *scratch, struct etc_error *err)
{
	struct etcore_call call = { .size = sizeof call, .block = etc_text_of_ours(b->name) };
	const struct etcore_event **list;
	struct one_event *v;
	uint32_t n = 0;

	for (uint32_t k = first; k != UINT32_MAX; k = next[k])
		n++;
	v = etc_new(scratch, struct one_event, n);
	list = etc_new(scratch, const struct etcore_event *, n);
	ETC_NEED(v && list, err);
	for (uint32_t k = first; k != UINT32_MAX; k = next[k]) {
		ETC_TRY(describe(in, b, &b->events[k], scratch, &v[call.count], err));
		list[call.count] = &v[call.count].event;
		call.count++;
	}
	call.events = list;
	ETC_TRY(etc_host_recognise(in->host, &call, err));
	*backend = call.backend;
	return ETC_OK;
}

/* Finds the backend of each call of a block by the rules of the configuration. The rules need all
 * events of a call, because the score of a rule `probe =` is the share of events that match. */
static enum etc_status know_calls(struct etc_inspector *in, struct etc_insp_block *b,
                                  struct known_calls *known, struct etc_error *err)
{
	uint32_t *next, *first, count = 0;
	enum etc_status st = ETC_OK;

	etc_arena_release(&known->arena);
	etc_arena_init(&known->arena, in->arena->budget);
	known->block = b;
	ETC_TRY(find_calls(in, b, known, &count, err));
	next = etc_new(&known->arena, uint32_t, b->event_count);
	first = etc_new(&known->arena, uint32_t, count);
	known->backend = etc_new(&known->arena, struct etcore_text, count);
	ETC_NEED(next && first && known->backend, err);
	memset(first, 0xff, count * sizeof *first);
	for (uint32_t k = b->event_count; k-- > 0;)
		if (known->call[k] != UINT32_MAX) {
			next[k] = first[known->call[k]];
			first[known->call[k]] = k;
		}
	for (uint32_t c = 0; c < count && st == ETC_OK; c++) {
		struct etc_arena scratch;

		etc_arena_init(&scratch, in->arena->budget);
		st = ask_rules(in, b, next, first[c], &known->backend[c], &scratch, err);
		etc_arena_release(&scratch);
	}
	return st;
}

/* If neither record nor program names the backend of an event, sets the backend that the rules of a
 * section [backend.ID] recognised for its call. */
static enum etc_status recognise(struct window *w, struct one_event *one, struct etc_error *err)
{
	struct etc_insp_block *b = one->block;
	uint32_t number = (uint32_t)(one->insp - b->events);

	if (one->call.backend.len || w->in->host->ruled_count == 0)
		return ETC_OK;
	if (w->known.block != b)
		ETC_TRY(know_calls(w->in, b, &w->known, err));
	if (w->known.call[number] == UINT32_MAX)
		return etc_host_recognise(w->in->host, &one->call, err);
	one->call.backend = w->known.backend[w->known.call[number]];
	return ETC_OK;
}

/* Finds the plugin for each event of the window. Tells the host in advance (etc_host_expect())
 * which hooks will be called for the event. */
static enum etc_status expect(struct window *w, struct etc_error *err)
{
	struct etc_expected *all = etc_new(&w->arena, struct etc_expected, w->count);
	bool many, convert = w->scales.size != 0;
	struct etc_plugin *only = only_server(w->in, &many);
	uint32_t n = 0;

	ETC_NEED(all, err);
	for (uint32_t i = 0; i < w->count; i++) {
		all[i].call = &w->v[i].call;
		ETC_TRY(recognise(w, &w->v[i], err));
	}
	if (many)
		ETC_TRY(etc_host_expect(w->in->host, all, w->count, &w->arena, err));
	for (uint32_t i = 0; i < w->count; i++) {
		struct one_event *one = &w->v[i];

		if (many)
			ETC_TRY(etc_host_owner(w->in->host, &one->call, &one->plugin, err));
		if (!one->plugin && only && etc_host_lets_own(only, &one->call)) {
			one->plugin = only;
			only->asked = true;
		}
		if (one->plugin)
			all[n++] = (struct etc_expected){ .call = &one->call,
				                          .plugin = one->plugin,
				                          .scales = convert ? &w->scales : NULL,
				                          .starts = one->start,
				                          .ends = one->end,
				                          .count = one->block->run_count,
				                          .parse = !convert };
	}
	return etc_host_expect(w->in->host, all, n, &w->arena, err);
}

/* Is `metadata =` the only setting of the section [backend.ID]? If so, the section does nothing for
 * an event without metadata. */
static bool only_decodes(const struct etc_backend_settings *b)
{
	return b->has_metadata && !b->rule_count && !b->source_time_scale &&
	       b->ticks_per_second <= 0;
}

/* Returns the section [backend.ID] for the event's backend, or NULL. Records in in->sections that
 * the section was used. */
static const struct etc_backend_settings *section_of(struct window *w, const struct one_event *one)
{
	const struct etc_host *host = w->in->host;
	const struct etc_backend_settings *b = etc_host_section(host, one->plugin, &one->call);

	etc_host_met(w->in->host, &one->call, one->plugin);
	if (b && w->in->sections) {
		uint8_t *met = &w->in->sections[b - host->settings->backends];

		if (one->insp->has_metadata || !only_decodes(b))
			*met = ETC_SECTION_SERVED;
		else if (*met == ETC_SECTION_UNMET)
			*met = ETC_SECTION_MET;
	}
	return b;
}

/* Converts `ticks` to a number of Python without changing its unit: to an integer, or, if it
 * exceeds 63 bits, to a double. */
static struct etc_converted unchanged(uint64_t ticks)
{
	if (ticks <= INT64_MAX)
		return (struct etc_converted){ .is_integer = true, .i = (int64_t)ticks };
	return (struct etc_converted){ .f = (double)ticks };
}

/* Converts the times of an event by a division: from the unit that the section `b` sets, to the
 * target scale. Times in a unit that cannot be converted (bytes, cycles of unknown length) stay as
 * logged. Does nothing if the section sets no unit. */
static enum etc_status divide(struct window *w, struct one_event *one,
                              const struct etc_backend_settings *b, struct etc_error *err)
{
	const uint32_t n = one->block->run_count;
	struct etc_converted *out = etc_new(w->in->arena, struct etc_converted, n);
	struct etc_insp_event *e = one->insp;
	double rate, divisor;
	uint8_t unit;

	ETC_TRY(etc_host_scale(w->in->host, b, &one->call, 0, &unit, &rate, err));
	if (unit == ETC_UNIT_UNKNOWN && rate <= 0)
		return ETC_OK;
	divisor = etc_insp_divisor(w->in, unit, rate);
	ETC_NEED(out && etc_insp_extend(w->in, e), err);
	e->int_raw = true;
	for (uint32_t i = 0; i < n; i++) {
		struct etc_converted start = unchanged(one->start[i]), end = unchanged(one->end[i]);

		if (divisor > 0) {
			start = (struct etc_converted){ .f = (double)one->start[i] / divisor };
			end = (struct etc_converted){ .f = (double)one->end[i] / divisor };
		}
		if (!difference(&start, &end, &out[i]))
			return etc_insp_wraps(err, e, value_of(&start), value_of(&end));
		e->int_raw = e->int_raw && out[i].is_integer;
	}
	e->extra->converted = out;
	return ETC_OK;
}

static void put_datum(struct etc_text *t, const struct etc_datum *d)
{
	switch (d->kind) {
	case ETC_DATUM_NULL:
		etc_text_cstr(t, "null");
		break;
	case ETC_DATUM_BOOL:
		etc_text_cstr(t, d->i ? "true" : "false");
		break;
	case ETC_DATUM_I64:
		etc_text_i64(t, d->i);
		break;
	case ETC_DATUM_F64:
		etc_text_json_real(t, d->f);
		break;
	case ETC_DATUM_STR:
		etc_text_json_string(t, d->text);
		break;
	default:
		etc_text_put(t, d->text);
	}
}

void etc_insp_put_parsed(struct etc_text *t, const struct etc_parsed *p)
{
	bool dict = p->form == ETC_PARSED_DICT;

	if (p->form == ETC_PARSED_NONE) {
		etc_text_cstr(t, "null");
		return;
	}
	etc_text_char(t, dict ? '{' : '[');
	for (uint32_t i = 0; i < p->count; i++) {
		if (i)
			etc_text_put(t, ETC_STR(", "));
		if (dict) {
			etc_text_json_string(t, p->items[i].name);
			etc_text_cstr(t, ": ");
		}
		put_datum(t, &p->items[i]);
	}
	etc_text_char(t, dict ? '}' : ']');
}

/* Adds the columns that the configuration defines to a plugin's answer that is a list. Columns have
 * names, but items of a Python list have none. So the result becomes a dict: first the list as
 * "delegate_debug_metadata", then the columns. */
static enum etc_status add_to_list(struct window *w, struct one_event *one,
                                   struct etc_parsed *parsed, struct etc_error *err)
{
	struct etc_datum *items;
	struct etc_parsed more = { 0 };
	struct etc_text list = { 0 };

	ETC_TRY(etc_host_add_columns(one->plugin, &one->call, 0, &more, err));
	if (more.form != ETC_PARSED_DICT)
		return ETC_OK;
	items = etc_new(w->in->arena, struct etc_datum, (size_t)more.count + 1);
	etc_insp_put_parsed(&list, parsed);
	if (!items || list.failed) {
		etc_text_release(&list);
		return etc_no_memory(err);
	}
	items[0] = (struct etc_datum){ .name = ETC_STR("delegate_debug_metadata"),
		                       .kind = ETC_DATUM_JSON,
		                       .text = etc_arena_str(w->in->arena, etc_text_str(&list)) };
	etc_text_release(&list);
	for (uint32_t i = 0; i < parsed->count; i++)
		items[0].has_bytes = items[0].has_bytes || parsed->items[i].has_bytes;
	memcpy(items + 1, more.items, more.count * sizeof *items);
	*parsed = (struct etc_parsed){ .form = ETC_PARSED_DICT,
		                       .items = items,
		                       .count = more.count + 1 };
	return items[0].text.ptr ? ETC_OK : etc_no_memory(err);
}

/* Parses the metadata of an event with its plugin, and adds the columns that the section
 * [backend.ID] defines. If the result is still empty then, and the section sets the key `metadata`,
 * the result is a list of the metadata of all runs, decoded as the key says. */
static enum etc_status parse(struct window *w, struct one_event *one,
                             const struct etc_backend_settings *b, struct etc_error *err)
{
	struct etc_insp_extra *x = etc_insp_extend(w->in, one->insp);
	struct etc_plugin *p = one->plugin;

	ETC_NEED(x, err);
	ETC_TRY(etc_host_parse_metadata(p, &one->call, 0, &x->parsed, err));
	x->was_parsed = p && p->abi->parse_metadata && !p->quarantined;
	if (x->parsed.form == ETC_PARSED_LIST && x->parsed.count)
		ETC_TRY(add_to_list(w, one, &x->parsed, err));
	else if (!x->parsed.corrupt)
		ETC_TRY(etc_host_add_columns(p, &one->call, 0, &x->parsed, err));
	if (b && b->has_metadata && x->parsed.form == ETC_PARSED_NONE && !x->parsed.corrupt)
		ETC_TRY(etc_host_decode((enum etc_decoder)b->metadata, one->event.metadata,
		                        one->event.samples, w->in->arena, &x->parsed, err));
	x->was_parsed = x->was_parsed || x->parsed.form != ETC_PARSED_NONE;
	return ETC_OK;
}

/* Sets `*left` to true if the section [backend.ID], and not the plugin, converts the times of an
 * event: the section sets their unit, and the plugin's describe_time returns neither a unit nor the
 * runtime's clock. */
static enum etc_status leaves_unit(struct one_event *one, const struct etc_backend_settings *b,
                                   bool *left, struct etc_error *err)
{
	struct etc_time_facts facts;

	*left = false;
	if (!one->plugin || !b || !b->source_time_scale)
		return ETC_OK;
	ETC_TRY(etc_host_describe_time(one->plugin, &one->call, &facts, left, err));
	*left = *left && facts.unit == ETCORE_UNIT_UNKNOWN && facts.ns_per_unit <= 0 &&
	        facts.clock != ETCORE_CLOCK_HOST;
	return ETC_OK;
}

static enum etc_status ask_one(struct window *w, struct one_event *one, struct etc_error *err)
{
	const struct etc_backend_settings *b = section_of(w, one);
	struct etc_insp_event *e = one->insp;
	bool left;

	if (w->scales.size == 0)
		return parse(w, one, b, err);
	ETC_TRY(leaves_unit(one, b, &left, err));
	if (one->plugin && !left)
		ETC_TRY(convert(w->in, one, &w->scales, err));
	if (b && !etc_insp_extra(e)->converted)
		ETC_TRY(divide(w, one, b, err));
	return etc_insp_extra(e)->converted ? take_converted(one->block, e, err) : ETC_OK;
}

static enum etc_status window_ask(struct window *w, struct etc_error *err)
{
	enum etc_status st = w->count ? expect(w, err) : ETC_OK;

	for (uint32_t i = 0; i < w->count && st == ETC_OK; i++)
		st = ask_one(w, &w->v[i], err);
	etc_arena_release(&w->arena);
	w->v = NULL;
	w->count = 0;
	w->bytes = 0;
	return st;
}

static enum etc_status window_add(struct window *w, struct etc_insp_block *b,
                                  struct etc_insp_event *e, struct etc_error *err)
{
	if (!w->v)
		w->v = etc_new(&w->arena, struct one_event, WINDOW_EVENTS);
	ETC_NEED(w->v, err);
	ETC_TRY(describe(w->in, b, e, &w->arena, &w->v[w->count++], err));
	w->bytes += b->run_count * 2 * sizeof(uint64_t);
	if (w->count < WINDOW_EVENTS && w->bytes < WINDOW_BYTES)
		return ETC_OK;
	return window_ask(w, err);
}

/* Converts the times, or parses the metadata, of all delegated events of `count` blocks. When
 * converting times, leaves out events without times. */
static enum etc_status ask_events(struct window *w, struct etc_insp_block *b, uint32_t count,
                                  struct etc_error *err)
{
	for (; count--; b++)
		for (uint32_t k = 0; k < b->event_count; k++)
			if (b->events[k].is_delegated &&
			    (b->events[k].has_profile || w->scales.size == 0))
				ETC_TRY(window_add(w, b, &b->events[k], err));
	return window_ask(w, err);
}

/* Converts the times of delegated events if scales.size is not 0; otherwise parses their
 * metadata. */
static enum etc_status serve(struct etc_inspector *in, struct etc_insp_block *b, uint32_t count,
                             struct etcore_scales scales, struct etc_error *err)
{
	struct window w = { .in = in, .scales = scales };
	enum etc_status st;

	if (!in->host)
		return ETC_OK;
	etc_arena_init(&w.arena, in->arena->budget);
	etc_arena_init(&w.known.arena, in->arena->budget);
	st = ask_events(&w, b, count, err);
	etc_arena_release(&w.arena);
	etc_arena_release(&w.known.arena);
	return st;
}

enum etc_status etc_insp_convert(struct etc_inspector *in, struct etc_insp_block *b,
                                 struct etc_error *err)
{
	const struct etcore_scales scales = { sizeof scales, in->source, in->target, 0,
		                              in->factor };

	return serve(in, b, 1, scales, err);
}

enum etc_status etc_insp_parse_metadata(struct etc_inspector *in, struct etc_error *err)
{
	return serve(in, in->blocks, in->block_count, (struct etcore_scales){ 0 }, err);
}
