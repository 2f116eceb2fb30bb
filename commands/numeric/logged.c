/* logged.c -- see logged.h */
#include "commands/numeric/logged.h"

#include "formats/etdump/debug_buffer.h"

struct lister {
	const struct etc_trace *trace;
	const struct etc_span *buffer;
	struct etc_arena *arena;
	struct etc_logged *v;
	size_t count;
};

static size_t count_values(const struct etc_trace *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->value_count; i++)
		n += t->values[i].count ? t->values[i].count : 1;
	return n;
}

static void read_tensor(struct lister *l, struct etc_logged *g)
{
	struct etc_span any = { NULL, SIZE_MAX };
	struct etc_tensor_view view;
	struct etc_error why = { .code = ETC_CODE_NONE };

	if (etc_debug_tensor(g->tensor, l->buffer ? *l->buffer : any, &view, &why) != ETC_OK)
		g->problem = why.code == E0703 && !l->buffer ? ETC_CODE_NONE : why.code;
	else
		g->readable = etc_elements_of_view(&view, &g->elements);
}

/* Is it an output? The runtime marks outputs that are tensors. A scalar logged outside of
 * instructions is also an output, since nothing else is logged there. */
static bool is_output(const struct etc_logged *g)
{
	int8_t tag = g->value->tag;

	return g->value->output ||
	       (g->of->what == ETC_LOGGED_OTHER && tag >= ETC_VALUE_INT && tag <= ETC_VALUE_DOUBLE);
}

static void add_value(struct lister *l, struct etc_logged g, int32_t *outputs)
{
	uint32_t count = g.value->count;

	g.what = is_output(&g) ? ETC_LOGGED_OUTPUT : g.of->what;
	for (uint32_t i = 0; i < count || i == 0; i++) {
		g.tensor = count ? &g.value->tensors[i] : NULL;
		g.item = g.value->tag == ETC_VALUE_TENSOR_LIST && count ? (int32_t)i : -1;
		if (g.what == ETC_LOGGED_OUTPUT)
			g.item = (*outputs)++;
		g.readable = false;
		g.problem = ETC_CODE_NONE;
		g.elements = (struct etc_elements){ 0 };
		if (g.tensor)
			read_tensor(l, &g);
		l->v[l->count++] = g;
	}
}

static void add_run(struct lister *l, size_t r, const struct etc_logged_event *events,
                    struct etc_str method)
{
	const struct etc_run *run = &l->trace->runs[r];
	uint32_t debugs = etc_run_template(l->trace, run)->debugs;
	int32_t outputs = 0;

	for (uint32_t d = 0; d < debugs; d++) {
		struct etc_logged g = {
			.run = (uint32_t)r,
			.event = events[d].index,
			.of = &events[d],
			.value = &l->trace->values[run->first_value + d],
			.method = method,
		};

		add_value(l, g, &outputs);
	}
}

enum etc_status etc_logged_list(const struct etc_inputs *in, const struct etc_span *buffer,
                                struct etc_arena *arena, struct etc_logged_list *out,
                                struct etc_error *err)
{
	const struct etc_trace *t = &in->trace;
	const struct etc_record *record = in->etrecord.path ? &in->record : NULL;
	struct lister l = { .trace = t, .buffer = buffer, .arena = arena };
	size_t n = count_values(t);
	struct etc_logged_event **events;
	struct etc_methods methods;
	struct etc_all_places places;
	struct etc_paths paths;

	l.v = etc_new(arena, struct etc_logged, n);
	events = etc_new(arena, struct etc_logged_event *, t->template_count);
	ETC_NEED(l.v && events, err);
	ETC_TRY(etc_paths_find(&paths, t, arena, err));
	ETC_TRY(etc_methods_find(&methods, &paths, t, in->program.path ? &in->code : NULL, record,
	                         arena, err));
	ETC_TRY(etc_places_all(&places, record, arena, err));
	for (size_t r = 0; r < t->run_count; r++) {
		uint32_t s = t->runs[r].template;
		const struct etc_method *method = etc_methods_of(&methods, &paths, s);
		struct etc_places *p;

		if (!events[s]) {
			ETC_TRY(etc_places_of(&places, method, &p, err));
			ETC_TRY(etc_logged_find(&t->templates[s], method, p, arena, &events[s],
			                        err));
		}
		add_run(&l, r, events[s], method->name);
	}
	*out = (struct etc_logged_list){ l.v, l.count };
	return ETC_OK;
}
