/* speedscope.c -- `etcore trace -o speedscope`: writes a profile for each run, of the type that
 * speedscope calls "evented".
 *
 * The viewer needs exactly one stack at each moment. So if sibling slices overlap, the later one
 * begins where the earlier one ends. Events outside of the run's root are left out. The frames are
 * written last, when all of them are known; the members of a JSON object may be in any order. */
#include "commands/trace/forms.h"

#include "base/map.h"

struct open_slice {
	uint32_t slice;
	uint64_t to;
};

struct writer {
	struct etc_tracing *tracing;
	struct etc_traced *dump;
	struct etc_text *out;
	struct etc_text frames, key; /* frames: JSON of all frames; key: scratch */
	struct etc_map known;
	struct etc_arena arena, of_list;
	uint32_t frame_count, template;
	/* two values for each event of the list: the frame of the event, and the frame of its
	 * dispatch slice (profile/walk.h). A value is 1 + the index of a frame; 0: no frame yet */
	uint32_t *frame;
	struct open_slice *open;
	bool any;
};

/* Returns the index of the frame of a slice; adds the frame if it is new. UINT32_MAX: out of
 * memory. */
static uint32_t find_frame(struct writer *w, const struct etc_walk_run *run,
                           const struct etc_walk_slice *s)
{
	const struct etc_node *n = etc_walk_node(run, s->event);
	size_t at, text;

	w->key.len = 0;
	etc_text_shown(&w->key, etc_walk_name(run, s->event, s->dispatch));
	text = w->key.len;
	if (n)
		etc_text_printf(&w->key, "\n%u " ETC_STR_FMT, n->source_line,
		                ETC_STR_ARG(n->source_file));
	at = etc_map_intern(&w->known, etc_text_str(&w->key), w->frame_count);
	if (at != w->frame_count || w->key.failed)
		return at == ETC_MAP_NONE || w->key.failed ? UINT32_MAX : (uint32_t)at;
	etc_text_cstr(&w->frames, at ? ",\n{\"name\":" : "\n{\"name\":");
	etc_text_json_string(&w->frames, etc_str_sub(etc_text_str(&w->key), 0, text));
	if (n && n->source_file.len) {
		etc_text_cstr(&w->frames, ",\"file\":");
		etc_text_json_string(&w->frames, n->source_file);
		etc_text_printf(&w->frames, ",\"line\":%u", n->source_line);
	}
	etc_text_char(&w->frames, '}');
	return w->frame_count++;
}

static enum etc_status begin_list(struct writer *w, const struct etc_walk_run *run,
                                  struct etc_error *err)
{
	etc_arena_reuse(&w->of_list);
	w->template = run->template + 1;
	w->frame = etc_new(&w->of_list, uint32_t, (size_t)run->event_count * 2);
	w->open = etc_new(&w->of_list, struct open_slice, run->event_count);
	ETC_NEED(w->frame && w->open, err);
	return ETC_OK;
}

/* Returns the index of the slice's frame. If out of memory, marks w->frames as failed and returns
 * 0. */
static uint32_t frame_of(struct writer *w, const struct etc_walk_run *run,
                         const struct etc_walk_slice *s)
{
	uint32_t *known = &w->frame[(size_t)s->event * 2 + s->dispatch], f;

	if (*known)
		return *known - 1;
	f = find_frame(w, run, s);
	w->frames.failed = w->frames.failed || f == UINT32_MAX;
	*known = f + 1;
	return f == UINT32_MAX ? 0 : f;
}

/* Converts a time to nanoseconds since `low`. */
static uint64_t ns_of(const struct writer *w, int64_t at, int64_t low)
{
	return etc_traced_ns(w->dump, (uint64_t)at - (uint64_t)low);
}

static void put_event(struct writer *w, char type, uint32_t frame, uint64_t at, bool first)
{
	etc_text_printf(w->out, "%s{\"type\":\"%c\",\"frame\":%u,\"at\":%llu}", first ? "" : ",",
	                type, frame, (unsigned long long)at);
}

static void put_name(struct writer *w, const struct etc_walk_run *run)
{
	static const char *const uses[] = { [ETC_USE_WARMUP] = " (warm-up)",
		                            [ETC_USE_KEPT] = "",
		                            [ETC_USE_TYPICAL] = " (typical)" };
	const struct etc_str lost = etc_traced_lost(w->dump, &w->of_list);
	struct etc_text shown = { 0 };

	w->out->failed = w->out->failed || !lost.ptr;
	w->key.len = 0;
	if (w->tracing->count > 1) {
		etc_text_put(&w->key, w->dump->name);
		etc_text_cstr(&w->key, ": ");
	}
	etc_text_put(&w->key, etc_traced_method(w->dump, run, &w->of_list));
	if (w->dump->number[run->run])
		etc_text_printf(&w->key, ", run %u%s", w->dump->number[run->run], uses[run->use]);
	if (lost.len)
		etc_text_printf(&w->key, "; " ETC_STR_FMT, ETC_STR_ARG(lost));
	etc_text_shown(&shown, etc_text_str(&w->key));
	etc_text_json_string(w->out, etc_text_str(&shown));
	w->out->failed = w->out->failed || shown.failed;
	etc_text_release(&shown);
}

/* Is the slice outside of the run's root? The answer is no if the run has no root. */
static bool is_outside(const struct etc_walk_run *run, uint32_t slice)
{
	const struct etc_walk_slice *s = &run->slices[slice];

	return run->sites->root != ETC_NO_SITE && s->parent == ETC_NO_SITE &&
	       s->event != run->sites->root;
}

/* Writes the slices of the run as events of speedscope: each slice is opened ("O") and closed
 * ("C"). Returns the time of the last event. */
static uint64_t put_events(struct writer *w, const struct etc_walk_run *run)
{
	struct etc_drawing *drawing = &w->tracing->drawing;
	uint64_t free = 0, from, to, most;
	uint32_t depth = 0;
	bool first = true;
	int64_t low = 0;

	for (uint32_t i = 0; i < run->slice_count; i = run->slices[i].end)
		if (!is_outside(run, i) && run->slices[i].from < low)
			low = run->slices[i].from;
	for (uint32_t i = 0; i < run->slice_count; i++) {
		const struct etc_walk_slice *s = &run->slices[i];

		if (is_outside(run, i)) {
			i = s->end - 1;
			continue;
		}
		for (; depth && run->slices[w->open[depth - 1].slice].end <= i; depth--) {
			free = w->open[depth - 1].to;
			put_event(w, 'C', frame_of(w, run, &run->slices[w->open[depth - 1].slice]),
			          free, false);
		}
		most = depth ? w->open[depth - 1].to : UINT64_MAX;
		from = ns_of(w, s->from, low);
		to = ns_of(w, s->to, low);
		from = from < free ? free : from;
		to = to > most ? most : to;
		to = to < from ? from : to;
		drawing->slices++;
		drawing->starts[s->start]++;
		if (s->start != ETC_WALK_UNPLACED && etc_traced_ns(w->dump, s->time) > to - from) {
			drawing->cut++;
			drawing->cut_time += etc_traced_ns(w->dump, s->time) - (to - from);
		}
		put_event(w, 'O', frame_of(w, run, s), from, first);
		first = false;
		w->open[depth++] = (struct open_slice){ i, to };
		free = from;
	}
	for (; depth; depth--) {
		free = w->open[depth - 1].to;
		put_event(w, 'C', frame_of(w, run, &run->slices[w->open[depth - 1].slice]), free,
		          false);
	}
	return free;
}

static enum etc_status visit(void *arg, const struct etc_walk_run *run, struct etc_error *err)
{
	struct writer *w = arg;
	uint64_t end;

	if (w->template != run->template + 1)
		ETC_TRY(begin_list(w, run, err));
	if (!run->slice_count)
		return ETC_OK;
	w->tracing->drawing.runs++;
	etc_text_cstr(w->out, w->any ? ",\n{\"type\":\"evented\",\"name\":"
	                             : "\n{\"type\":\"evented\",\"name\":");
	w->any = true;
	put_name(w, run);
	etc_text_cstr(w->out, ",\"unit\":\"nanoseconds\",\"startValue\":0,\"events\":[");
	end = put_events(w, run);
	etc_text_printf(w->out, "],\"endValue\":%llu}", (unsigned long long)end);
	return ETC_OK;
}

enum etc_status etc_trace_speedscope(struct etc_tracing *tracing, struct etc_text *out,
                                     struct etc_error *err)
{
	struct writer w = { .tracing = tracing, .out = out };
	enum etc_status st = ETC_OK;

	tracing->drawing = (struct etc_drawing){ 0 };
	etc_arena_init(&w.arena, tracing->session->arena.budget);
	etc_arena_init(&w.of_list, tracing->session->arena.budget);
	etc_map_init(&w.known, &w.arena);
	etc_text_cstr(out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
	                   "\"exporter\":\"etcore\",\"profiles\":[");
	for (uint32_t i = 0; i < tracing->count && st == ETC_OK; i++) {
		w.dump = &tracing->dumps[i];
		w.template = 0;
		st = etc_traced_walk(tracing, w.dump, visit, &w, err);
	}
	etc_text_cstr(out, "],\n\"shared\":{\"frames\":[");
	etc_text_pass(out, etc_text_str(&w.frames));
	etc_text_cstr(out, "]}}\n");
	out->failed = out->failed || w.frames.failed;
	etc_text_release(&w.frames);
	etc_text_release(&w.key);
	etc_arena_release(&w.of_list);
	etc_arena_release(&w.arena);
	return st;
}
