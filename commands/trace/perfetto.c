/* perfetto.c -- `etcore trace -o perfetto`: writes TrackEvents in Perfetto's protobuf format.
 *
 * A Trace is a sequence of packets, so packets are written as soon as they are complete. All
 * packets have the same sequence id; the first packet clears the state of this sequence. A name is
 * written only once, and later packets refer to it by number. A run has a default track, which most
 * of its slices use; it is set once. Timestamps are absolute: differences (an incremental clock)
 * would be shorter, but appear in the viewer's clock statistics. Tracks are plain tracks (neither
 * processes nor threads), because only plain tracks nest and keep their order. */
#include "commands/trace/forms.h"

#include <stdio.h>

#include "base/map.h"
#include "commands/trace/protobuf.h"
#include "commands/trace/timeline.h"

/* Field numbers: protos/perfetto/trace/trace_packet.proto and track_event/. */
enum {
	TRACE_PACKET = 1,

	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK = 60,
	DEFAULTS_EVENT = 11,

	FLAG_CLEARED = 1,
	FLAG_NEEDED = 2,

	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	TRACK_ORDERING = 11,
	TRACK_RANK = 12,
	TRACK_DESCRIPTION = 14,
	TRACK_MERGE = 15,
	ORDERING_EXPLICIT = 3,
	MERGE_NONE = 2,
	COUNTER_UNIT = 3,
	UNIT_BYTES = 3,

	EVENT_CATEGORY = 3,
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_NAME = 10,
	EVENT_TRACK = 11,
	EVENT_COUNTER = 30,
	EVENT_SOURCE = 34,
	EVENT_FLOW = 47,
	EVENT_FLOW_END = 48,
	TYPE_BEGIN = 1,
	TYPE_END = 2,
	TYPE_COUNTER = 4,

	ANNOTATION_NAME = 1,
	ANNOTATION_UINT = 3,
	ANNOTATION_INT = 4,
	ANNOTATION_STRING = 6,
	ANNOTATION_TEXT = 17,

	INTERNED_CATEGORIES = 1,
	INTERNED_NAMES = 2,
	INTERNED_ANNOTATIONS = 3,
	INTERNED_SOURCES = 4,
	INTERNED_TEXTS = 29,
	INTERNED_IID = 1,
	INTERNED_VALUE = 2,
	SOURCE_FILE = 2,
	SOURCE_LINE = 4
};

/* Kinds of names. The names of each kind are numbered separately. */
enum kind { CATEGORIES, NAMES, ANNOTATIONS, SOURCES, TEXTS, KINDS };

static const uint32_t field_of[KINDS] = { INTERNED_CATEGORIES, INTERNED_NAMES, INTERNED_ANNOTATIONS,
	                                  INTERNED_SOURCES, INTERNED_TEXTS };

/* The encoded packet that begins a slice, without its timestamp. The slices of one event in several
 * runs share the packet if they have the same `track`, `usual`, `start` and `dispatch`. */
struct rest {
	struct etc_str bytes;
	/* `track`: the slice's track; `usual`: the track that was the default when the packet was
	 * encoded */
	uint32_t track, usual;
	uint8_t start; /* how the slice's start is known: enum etc_walk_start */
	bool dispatch; /* the slice is an OPERATOR_CALL around a kernel */
};

/* Data of an event that are the same in all runs. If the id `source`, `module`, `kernel` or `work`
 * is 0, the event has no such value. */
struct known {
	/* ids of two names of the event: its own, and the one for its OPERATOR_CALL (the dispatch);
	 * 0: no id assigned yet */
	uint32_t name[2];
	uint32_t source, module, kernel, work;
	/* the packet that began the last slice of the event; NULL: none yet */
	const struct rest *rest;
};

struct writer {
	struct etc_text *out;
	uint32_t dumps;
	struct etc_track dump;               /* track of the current dump */
	struct etc_text packet, event, part; /* working memory for parts of a packet */
	struct etc_arena arena, of_list;
	struct etc_map names[KINDS];
	uint32_t counts[KINDS];
	struct known *known; /* data of each event of the current event list */
	uint32_t usual;      /* the default track; 0: not set yet */
	uint32_t ended;      /* the track of `end`; 0: none */
	/* the packet that ends a slice on the track `ended`, without its timestamp */
	struct etc_text end;
	bool begun;
};

/* Appends the last fields of the packet. `needs`: the packet refers to names or to the default
 * track. */
static void put_sequence(struct writer *w, bool needs)
{
	etc_pb_u64(&w->packet, PACKET_SEQUENCE, 1);
	if (needs)
		etc_pb_u64(&w->packet, PACKET_FLAGS, w->begun ? FLAG_NEEDED : FLAG_CLEARED);
	w->begun = true;
	w->out->failed = w->out->failed || w->packet.failed || w->event.failed || w->part.failed;
}

/* Appends the packet to the output. */
static void end_packet(struct writer *w, bool needs)
{
	put_sequence(w, needs);
	etc_pb_bytes(w->out, TRACE_PACKET, etc_text_str(&w->packet));
	w->packet.len = 0;
}

/* Returns the id of a text among the texts of its kind. If the text is new, first writes a packet
 * that assigns the id. `line`: the line number, for SOURCES. 0: out of memory. */
static uint32_t intern(struct writer *w, enum kind kind, struct etc_str key, struct etc_str text,
                       uint32_t line)
{
	size_t at = etc_map_intern(&w->names[kind], key, w->counts[kind] + 1);

	if (at == ETC_MAP_NONE || at <= w->counts[kind])
		return at == ETC_MAP_NONE ? 0 : (uint32_t)at;
	w->counts[kind]++;
	w->part.len = w->event.len = 0;
	etc_text_shown(&w->part, text);
	etc_pb_u64(&w->event, INTERNED_IID, at);
	etc_pb_bytes(&w->event, kind == SOURCES ? SOURCE_FILE : INTERNED_VALUE,
	             etc_text_str(&w->part));
	if (kind == SOURCES)
		etc_pb_u64(&w->event, SOURCE_LINE, line);
	w->part.len = 0;
	etc_pb_bytes(&w->part, field_of[kind], etc_text_str(&w->event));
	etc_pb_bytes(&w->packet, PACKET_INTERNED, etc_text_str(&w->part));
	end_packet(w, true);
	return (uint32_t)at;
}

static uint32_t intern_text(struct writer *w, enum kind kind, struct etc_str text)
{
	return text.len || kind == NAMES ? intern(w, kind, text, text, 0) : 0;
}

/* ---- tracks ----------------------------------------------------------------------- */

static void put_descriptor(struct writer *w, const struct etc_track *track)
{
	w->event.len = w->part.len = 0;
	etc_text_shown(&w->part, track->name);
	etc_pb_u64(&w->event, TRACK_UUID, track->id);
	etc_pb_bytes(&w->event, TRACK_NAME, etc_text_str(&w->part));
	if (track->parent)
		etc_pb_u64(&w->event, TRACK_PARENT, track->parent);
	if (track->counter) {
		w->part.len = 0;
		etc_pb_u64(&w->part, COUNTER_UNIT, UNIT_BYTES);
		etc_pb_bytes(&w->event, TRACK_COUNTER, etc_text_str(&w->part));
	}
	if (!track->parent)
		etc_pb_u64(&w->event, TRACK_ORDERING, ORDERING_EXPLICIT);
	etc_pb_u64(&w->event, TRACK_RANK, track->rank);
	if (track->description.len) {
		w->part.len = 0;
		etc_text_shown(&w->part, track->description);
		etc_pb_bytes(&w->event, TRACK_DESCRIPTION, etc_text_str(&w->part));
	}
	etc_pb_u64(&w->event, TRACK_MERGE, MERGE_NONE);
	etc_pb_bytes(&w->packet, PACKET_TRACK, etc_text_str(&w->event));
	end_packet(w, false);
}

/* Writes the track that is the parent of the tracks of several dumps. Its id is 1, the id of the
 * first dump's own track, which put_track() leaves out. */
static bool put_above(struct writer *w)
{
	struct etc_track above = { .id = 1 };

	above.name = etc_arena_printf(&w->arena, "%u dumps", w->dumps);
	put_descriptor(w, &above);
	return above.name.ptr != NULL;
}

/* Writes a track. The Perfetto UI shows the children of a track at first only if there is exactly
 * one track without a parent. So one track is above all others: the track of the only dump, or, for
 * several dumps, an additional track; in that case the tracks of the dumps are left out. */
static bool put_track(void *to, const struct etc_track *track)
{
	struct writer *w = to;
	struct etc_track below = *track;

	if (!track->parent)
		w->dump = *track;
	if (w->dumps > 1 && !track->parent)
		return track->dump > 0 || put_above(w);
	if (w->dumps > 1) {
		below.parent = 1;
		below.name = etc_arena_printf(&w->arena, ETC_STR_FMT ": " ETC_STR_FMT,
		                              ETC_STR_ARG(w->dump.name), ETC_STR_ARG(track->name));
		below.description = etc_arena_printf(&w->arena, ETC_STR_FMT " " ETC_STR_FMT ".",
		                                     ETC_STR_ARG(track->description),
		                                     ETC_STR_ARG(w->dump.description));
	}
	put_descriptor(w, &below);
	return below.name.ptr && below.description.ptr;
}

/* ---- slices ----------------------------------------------------------------------- */

/* Returns the id of the source line that all nodes of the event share. 0: there is none, or the
 * nodes have different source lines. */
static uint32_t source_of(struct writer *w, const struct etc_walk_run *run, uint32_t event)
{
	const struct etc_node *n = etc_walk_node(run, event);
	struct etc_str key;

	if (!n || !n->source_file.len || !n->source_line)
		return 0;
	w->part.len = 0;
	etc_text_printf(&w->part, "%u ", n->source_line);
	etc_text_put(&w->part, n->source_file);
	key = etc_arena_str(&w->of_list, etc_text_str(&w->part));
	return key.ptr ? intern(w, SOURCES, key, n->source_file, n->source_line) : 0;
}

static bool begin_list(void *to, const struct etc_traced *dump, const struct etc_walk_run *run)
{
	struct writer *w = to;

	(void)dump;
	etc_arena_reuse(&w->of_list);
	w->known = etc_new(&w->of_list, struct known, run->event_count);
	if (!w->known)
		return false;
	for (uint32_t i = 0; i < run->event_count; i++) {
		const struct etc_walk_about e = etc_walk_about(run, i);

		w->known[i] = (struct known){
			.source = source_of(w, run, i),
			.module = e.place && e.place->count
			                  ? intern_text(w, TEXTS, e.place->module->name)
			                  : 0,
			.kernel =
				!e.kernel.len || etc_str_eq(e.kernel, etc_walk_name(run, i, false))
					? 0
					: intern_text(w, TEXTS, e.kernel),
			.work = intern_text(w, TEXTS, e.category),
		};
	}
	return true;
}

/* Annotations: the named values of a slice. Their ids, like the ids of categories, are indices
 * (from 1) into a list of names, which is written first. */
enum annotation { INSTRUCTION = 1, CHAIN, MODULE, KERNEL, WORK, RUN, USE, ID, CUT, START, STOP };
static const char *const annotations[] = { "instruction", "chain",       "module",   "kernel",
	                                   "kind",        "run",         "use",      "delegate id",
	                                   "cut_ns",      "start_ticks", "end_ticks" };
static const char *const uses[] = {
	[ETC_USE_WARMUP] = "warm-up", [ETC_USE_KEPT] = "kept", [ETC_USE_TYPICAL] = "typical"
};

static void annotate(struct writer *w, enum annotation name, uint32_t field, uint64_t value)
{
	w->part.len = 0;
	etc_pb_u64(&w->part, ANNOTATION_NAME, name);
	etc_pb_u64(&w->part, field, value);
	etc_pb_bytes(&w->event, EVENT_ANNOTATION, etc_text_str(&w->part));
}

static void annotate_text(struct writer *w, enum annotation name, const char *text)
{
	w->part.len = 0;
	etc_pb_u64(&w->part, ANNOTATION_NAME, name);
	etc_pb_bytes(&w->part, ANNOTATION_STRING, etc_str_of(text));
	etc_pb_bytes(&w->event, EVENT_ANNOTATION, etc_text_str(&w->part));
}

/* Writes an annotation with a number of ticks. A number of 2^63 or more is written as text, because
 * viewers would show it as a negative integer. */
static void annotate_ticks(struct writer *w, enum annotation name, uint64_t ticks)
{
	char digits[24];

	if (ticks <= INT64_MAX) {
		annotate(w, name, ANNOTATION_UINT, ticks);
		return;
	}
	snprintf(digits, sizeof digits, "%llu", (unsigned long long)ticks);
	annotate_text(w, name, digits);
}

/* Writes the annotations that may differ between the slices of one event. */
static void annotate_own(struct writer *w, const struct etc_drawn *d)
{
	if (d->cut)
		annotate_ticks(w, CUT, d->cut);
	if (d->unplaced || d->slice->start == ETC_WALK_REBASED) {
		annotate_ticks(w, START, d->run->start[d->slice->event]);
		annotate_ticks(w, STOP, d->run->end[d->slice->event]);
	}
}

static void annotate_root(struct writer *w, const struct etc_drawn *d)
{
	if (d->dump->number[d->run->run])
		annotate(w, RUN, ANNOTATION_UINT, d->dump->number[d->run->run]);
	if (d->run->path < ETC_WALK_NO_PATH)
		annotate_text(w, USE, uses[d->run->use]);
}

static void put_body(struct writer *w, const struct etc_drawn *d, const struct known *known)
{
	const struct etc_event *e = etc_walk_ids(d->run, d->slice->event);
	bool instruction = d->kind == ETC_WALK_INSTRUCTION || d->kind == ETC_WALK_DELEGATE_CALL;

	etc_pb_u64(&w->event, EVENT_CATEGORY, etc_drawn_category(d) + 1);
	etc_pb_u64(&w->event, EVENT_NAME, known->name[d->slice->dispatch]);
	if (known->source)
		etc_pb_u64(&w->event, EVENT_SOURCE, known->source);
	if (d->kind == ETC_WALK_ROOT)
		annotate_root(w, d);
	if (instruction)
		annotate(w, INSTRUCTION, ANNOTATION_INT, (uint64_t)(int64_t)e->instruction_id);
	if (instruction && e->chain)
		annotate(w, CHAIN, ANNOTATION_INT, e->chain);
	if (d->kind == ETC_WALK_DELEGATE && !e->has_delegate_name)
		annotate(w, ID, ANNOTATION_INT, (uint64_t)(int64_t)e->delegate_id);
	if (known->module)
		annotate(w, MODULE, ANNOTATION_TEXT, known->module);
	if (known->kernel)
		annotate(w, KERNEL, ANNOTATION_TEXT, known->kernel);
	if (known->work)
		annotate(w, WORK, ANNOTATION_TEXT, known->work);
}

/* Encodes the packet of w->event, without its timestamp. */
static void encode(struct writer *w, bool needs)
{
	w->packet.len = 0;
	etc_pb_bytes(&w->packet, PACKET_EVENT, etc_text_str(&w->event));
	put_sequence(w, needs);
}

/* Appends a packet to the output. Its first field is the timestamp `at`; `rest` has the other
 * fields. */
static bool put_packet(struct writer *w, uint64_t at, struct etc_str rest)
{
	char time[1 + ETC_VARINT_MAX];
	const size_t size = (size_t)(etc_varint_put(&time[1], at) - time);
	char *to = etc_text_reserve(w->out, 1 + ETC_VARINT_MAX + sizeof time + rest.len);

	w->packet.len = 0;
	if (!to)
		return true; /* the failure is recorded in w->out->failed */
	time[0] = PACKET_TIMESTAMP << 3 | ETC_WIRE_VARINT;
	*to++ = TRACE_PACKET << 3 | ETC_WIRE_BYTES;
	to = etc_varint_put(to, size + rest.len);
	memcpy(to, time, sizeof time);
	memcpy(to + size, rest.ptr, rest.len);
	w->out->len = (size_t)(to + size + rest.len - w->out->ptr);
	return true;
}

/* Writes the packet that makes `track` the default track of slices. */
static void set_usual_track(struct writer *w, uint32_t track)
{
	w->usual = track;
	w->ended = 0;
	w->event.len = w->part.len = 0;
	etc_pb_u64(&w->part, EVENT_TRACK, track);
	etc_pb_bytes(&w->event, DEFAULTS_EVENT, etc_text_str(&w->part));
	etc_pb_bytes(&w->packet, PACKET_DEFAULTS, etc_text_str(&w->event));
	end_packet(w, true);
}

static void name_track(struct writer *w, uint32_t track)
{
	if (track != w->usual)
		etc_pb_u64(&w->event, EVENT_TRACK, track);
}

/* Does the slice's packet differ in more than the timestamp from the packets that the event has in
 * other runs? */
static bool is_own(const struct etc_drawn *d)
{
	return d->kind == ETC_WALK_ROOT || d->cut || d->unplaced ||
	       d->slice->start == ETC_WALK_REBASED || d->flow_out || d->flow_in;
}

/* Stores the packet for slices of the same event in later runs. */
static bool keep(struct writer *w, const struct etc_drawn *d, struct known *known)
{
	struct rest *rest = etc_new(&w->of_list, struct rest, 1);

	known->rest = rest;
	if (rest)
		*rest = (struct rest){ etc_arena_str(&w->of_list, etc_text_str(&w->packet)),
			               d->track, w->usual, d->slice->start, d->slice->dispatch };
	return rest && rest->bytes.ptr;
}

static bool begin_slice(void *to, const struct etc_drawn *d)
{
	struct writer *w = to;
	struct known *known = &w->known[d->slice->event];
	uint32_t *name = &known->name[d->slice->dispatch];
	const struct rest *rest = known->rest;
	const bool again = *name != 0, own = is_own(d);

	if (rest && !own && rest->track == d->track && rest->usual == w->usual &&
	    rest->start == d->slice->start && rest->dispatch == d->slice->dispatch)
		return put_packet(w, d->at, rest->bytes);
	if (!*name)
		*name = intern_text(w, NAMES,
		                    etc_walk_name(d->run, d->slice->event, d->slice->dispatch));
	if (!*name)
		return false;
	if (d->kind == ETC_WALK_ROOT && d->track != w->usual)
		set_usual_track(w, d->track);
	w->event.len = 0;
	etc_pb_u64(&w->event, EVENT_TYPE, TYPE_BEGIN);
	name_track(w, d->track);
	put_body(w, d, known);
	annotate_own(w, d);
	if (d->flow_out)
		etc_pb_fixed64(&w->event, EVENT_FLOW, d->flow_out);
	if (d->flow_in)
		etc_pb_fixed64(&w->event, EVENT_FLOW_END, d->flow_in);
	encode(w, true);
	/* if this is the event's first slice, no copy of the packet is kept: the event list may
	 * have only one run */
	if (again && !own && !keep(w, d, known))
		return false;
	return put_packet(w, d->at, etc_text_str(&w->packet));
}

static bool end_slice(void *to, const struct etc_drawn *d)
{
	struct writer *w = to;

	if (d->track != w->ended) {
		w->ended = d->track;
		w->event.len = w->end.len = 0;
		etc_pb_u64(&w->event, EVENT_TYPE, TYPE_END);
		name_track(w, d->track);
		encode(w, d->track == w->usual);
		etc_text_put(&w->end, etc_text_str(&w->packet));
		w->out->failed = w->out->failed || w->end.failed;
	}
	return put_packet(w, d->at + d->length, etc_text_str(&w->end));
}

static bool put_count(void *to, const struct etc_track *track, uint64_t at, uint64_t value)
{
	struct writer *w = to;

	w->event.len = 0;
	etc_pb_u64(&w->event, EVENT_TYPE, TYPE_COUNTER);
	etc_pb_u64(&w->event, EVENT_TRACK, track->id);
	etc_pb_u64(&w->event, EVENT_COUNTER, value < INT64_MAX ? value : INT64_MAX);
	encode(w, false);
	return put_packet(w, at, etc_text_str(&w->packet));
}

enum etc_status etc_trace_perfetto(struct etc_tracing *tracing, struct etc_text *out,
                                   struct etc_error *err)
{
	struct writer w = { .out = out, .dumps = tracing->count };
	const struct etc_timeline_sink sink = {
		&w, put_track, begin_list, begin_slice, end_slice, put_count,
	};
	enum etc_status st;

	etc_arena_init(&w.arena, tracing->session->arena.budget);
	etc_arena_init(&w.of_list, tracing->session->arena.budget);
	for (unsigned k = 0; k < KINDS; k++)
		etc_map_init(&w.names[k], &w.arena);
	for (size_t i = 0; i < sizeof annotations / sizeof *annotations; i++)
		intern_text(&w, ANNOTATIONS, etc_str_of(annotations[i]));
	for (size_t i = 0; i < ETC_DRAWN_CATEGORIES; i++)
		intern_text(&w, CATEGORIES, etc_str_of(etc_drawn_categories[i]));
	st = etc_timeline_draw(tracing, &sink, err);
	etc_text_release(&w.packet);
	etc_text_release(&w.event);
	etc_text_release(&w.part);
	etc_text_release(&w.end);
	etc_arena_release(&w.of_list);
	etc_arena_release(&w.arena);
	return st;
}
