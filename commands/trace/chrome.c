/* chrome.c -- `etcore trace -o chrome`: writes Chrome's trace events as JSON, one object per line.
 *
 * A dump is shown as a process, and a track as a thread of that process. Times are in microseconds
 * with three decimals. They are written from whole nanoseconds, because a double would round them.
 *
 * A slice is written as a begin event and an end event, in the order in which slices nest. Complete
 * events ("X") and instants ("i") are not used. Perfetto nests complete events only by their times;
 * of two complete events at the same time, it shows the one without length as the parent. Of two
 * instants at the same time, it shows the later one as the parent.
 *
 * speedscope sorts begin events and end events separately. So for a slice without length, the time
 * of its end event gets three more decimals that count such slices. Events after it in the same
 * nanosecond get these decimals, too. The decimals keep the order, and are too small to change the
 * nanosecond to which viewers round. */
#include "commands/trace/forms.h"

#include "base/grow.h"
#include "commands/trace/timeline.h"

/* Largest number that the three additional decimals may count: 400 is 0.400 ns. Viewers would round
 * 0.500 ns up to the next nanosecond. */
enum { ORDER_MAX = 400 };

struct thread {
	uint32_t process; /* 1 + index of the dump of the thread */
	uint32_t ended;   /* number of slices without length that ended at `at` */
	uint64_t at;      /* the time that was written last for the thread */
};

struct writer {
	const struct etc_tracing *tracing;
	struct etc_text *out;
	struct etc_text name;    /* working memory for a name */
	struct etc_grow threads; /* struct thread of each track; index: the track's id minus 1 */
	struct etc_arena arena;
	uint32_t args; /* number of arguments of the current event */
	bool any;
};

/* Writes a text from a file, escaped for display, and then as a JSON string. A backslash at the end
 * of the text is written as \u005c: Perfetto reads \\" at the end of a JSON string as an escaped
 * quote, and rejects the file. */
static void put_string(struct writer *w, struct etc_str s)
{
	struct etc_str shown;
	bool slash;

	w->name.len = 0;
	etc_text_shown(&w->name, s);
	shown = etc_text_str(&w->name);
	slash = shown.len && shown.ptr[shown.len - 1] == '\\';
	etc_text_char(w->out, '"');
	etc_text_json(w->out, etc_str_sub(shown, 0, shown.len - slash));
	etc_text_cstr(w->out, slash ? "\\u005c\"" : "\"");
	w->out->failed = w->out->failed || w->name.failed;
}

static void put_time(struct writer *w, uint64_t ns)
{
	etc_text_printf(w->out, ",\"ts\":%llu.%03u", (unsigned long long)(ns / 1000),
	                (unsigned)(ns % 1000));
}

static struct thread *thread_of(const struct writer *w, uint32_t track)
{
	return &((struct thread *)w->threads.items)[track - 1];
}

/* Writes the time of a begin or end event. `ends`: the event is the end of a slice without
 * length. */
static void put_ordered(struct writer *w, uint32_t track, uint64_t ns, bool ends)
{
	struct thread *t = thread_of(w, track);

	if (t->at != ns)
		t->ended = 0;
	t->at = ns;
	t->ended += ends && t->ended < ORDER_MAX;
	put_time(w, ns);
	if (t->ended)
		etc_text_printf(w->out, "%03u", t->ended);
}

static void open_event(struct writer *w, const char *phase, uint32_t track)
{
	etc_text_cstr(w->out, w->any ? ",\n" : "\n");
	w->any = true;
	etc_text_printf(w->out, "{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u", phase,
	                thread_of(w, track)->process, track);
}

/* Adds the thread of a new track. It belongs to the process of the track's dump. */
static bool keep_thread(struct writer *w, const struct etc_track *track)
{
	struct thread *t = ETC_GROW(&w->arena, &w->threads, struct thread);

	if (t)
		t->process = track->dump + 1;
	return t != NULL;
}

/* Writes the number of runs that a truncated dump lost, next to the name of the dump. */
static bool put_lost(struct writer *w, const struct etc_track *track)
{
	const struct etc_str lost = etc_traced_lost(&w->tracing->dumps[track->dump], &w->arena);

	if (lost.len) {
		open_event(w, "M", track->id);
		etc_text_cstr(w->out, ",\"name\":\"process_labels\",\"args\":{\"labels\":");
		put_string(w, lost);
		etc_text_cstr(w->out, "}}");
	}
	return lost.ptr != NULL;
}

static bool put_track(void *to, const struct etc_track *track)
{
	struct writer *w = to;

	if (!keep_thread(w, track))
		return false;
	if (track->counter)
		return true;
	open_event(w, "M", track->id);
	etc_text_printf(w->out, ",\"name\":\"%s\",\"args\":{\"name\":",
	                track->parent ? "thread_name" : "process_name");
	put_string(w, track->name);
	etc_text_cstr(w->out, "}}");
	if (!track->parent && !put_lost(w, track))
		return false;
	if (track->slices) {
		open_event(w, "M", track->id);
		etc_text_printf(w->out,
		                ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}",
		                track->id);
		etc_text_char(w->out, '}');
	}
	return true;
}

static bool begin_list(void *to, const struct etc_traced *dump, const struct etc_walk_run *run)
{
	(void)to;
	(void)dump;
	(void)run;
	return true;
}

static void put_key(struct writer *w, const char *key)
{
	etc_text_printf(w->out, "%s\"%s\":", w->args++ ? "," : "", key);
}

static void put_int(struct writer *w, const char *key, int64_t value)
{
	put_key(w, key);
	etc_text_printf(w->out, "%lld", (long long)value);
}

static void put_ticks(struct writer *w, const char *key, uint64_t ticks)
{
	const char *quote = ticks > INT64_MAX ? "\"" : "";

	put_key(w, key);
	etc_text_printf(w->out, "%s%llu%s", quote, (unsigned long long)ticks, quote);
}

static void put_text(struct writer *w, const char *key, struct etc_str text)
{
	if (!text.len)
		return;
	put_key(w, key);
	put_string(w, text);
}

static void put_args(struct writer *w, const struct etc_drawn *d)
{
	const struct etc_walk_about about = etc_walk_about(d->run, d->slice->event);
	const struct etc_event *ids = etc_walk_ids(d->run, d->slice->event);

	etc_text_cstr(w->out, ",\"args\":{");
	w->args = 0;
	if (d->dump->number[d->run->run])
		put_int(w, "run", d->dump->number[d->run->run]);
	if (d->kind == ETC_WALK_INSTRUCTION || d->kind == ETC_WALK_DELEGATE_CALL) {
		put_int(w, "chain", (int64_t)ids->chain);
		put_int(w, "instruction", ids->instruction_id);
	}
	if (about.place && about.place->count) {
		put_text(w, "module", about.place->module->name);
		put_text(w, "source", about.place->source->name);
	}
	if (!etc_str_eq(about.kernel, etc_walk_name(d->run, d->slice->event, false)))
		put_text(w, "kernel", about.kernel);
	put_text(w, "kind", about.category);
	if (d->cut)
		put_ticks(w, "cut_ns", d->cut);
	if (d->unplaced || d->slice->start == ETC_WALK_REBASED) {
		put_ticks(w, "start_ticks", d->run->start[d->slice->event]);
		put_ticks(w, "end_ticks", d->run->end[d->slice->event]);
	}
	etc_text_cstr(w->out, "}}");
}

static void put_flow(struct writer *w, const struct etc_drawn *d, bool end, uint64_t flow)
{
	open_event(w, end ? "f\",\"bp\":\"e" : "s", d->track);
	etc_text_printf(w->out, ",\"id\":%llu,\"name\":\"delegate\",\"cat\":\"flow\"",
	                (unsigned long long)flow);
	put_ordered(w, d->track, d->at, false);
	etc_text_char(w->out, '}');
}

static bool begin_slice(void *to, const struct etc_drawn *d)
{
	struct writer *w = to;

	open_event(w, "B", d->track);
	etc_text_cstr(w->out, ",\"name\":");
	put_string(w, etc_walk_name(d->run, d->slice->event, d->slice->dispatch));
	etc_text_printf(w->out, ",\"cat\":\"%s\"", etc_drawn_categories[etc_drawn_category(d)]);
	put_ordered(w, d->track, d->at, false);
	put_args(w, d);
	if (d->flow_out)
		put_flow(w, d, false, d->flow_out);
	if (d->flow_in)
		put_flow(w, d, true, d->flow_in);
	return true;
}

static bool end_slice(void *to, const struct etc_drawn *d)
{
	struct writer *w = to;

	open_event(w, "E", d->track);
	etc_text_cstr(w->out, ",\"name\":");
	put_string(w, etc_walk_name(d->run, d->slice->event, d->slice->dispatch));
	put_ordered(w, d->track, d->at + d->length, !d->length);
	etc_text_char(w->out, '}');
	return true;
}

static bool put_count(void *to, const struct etc_track *track, uint64_t at, uint64_t value)
{
	struct writer *w = to;

	open_event(w, "C", track->id);
	etc_text_cstr(w->out, ",\"name\":");
	put_string(w, track->name);
	put_time(w, at);
	etc_text_printf(w->out, ",\"args\":{\"bytes\":%llu}}", (unsigned long long)value);
	return true;
}

enum etc_status etc_trace_chrome(struct etc_tracing *tracing, struct etc_text *out,
                                 struct etc_error *err)
{
	struct writer w = { .tracing = tracing, .out = out };
	const struct etc_timeline_sink sink = {
		&w, put_track, begin_list, begin_slice, end_slice, put_count,
	};
	enum etc_status st;

	etc_arena_init(&w.arena, tracing->session->arena.budget);
	etc_text_cstr(out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	st = etc_timeline_draw(tracing, &sink, err);
	etc_text_cstr(out, "\n]}\n");
	etc_text_release(&w.name);
	etc_arena_release(&w.arena);
	return st;
}
