/* logged.c -- lists the values that runs logged; see logged.h */
#include "commands/numeric/logged.h"

#include "formats/etdump/debug_buffer.h"
#include "join/method.h"
#include "join/places.h"

/* ---- the operators of logged values -------------------------------------------- */

/* A debug event has only a location: chain, instruction, delegate id. Its operator is found in the
 * program and the record, and by the profile events that were logged around it. Operators are found
 * once per template, since they depend only on names. */

/* An instruction of a program, used as the key of a map. */
struct spot {
	uint64_t chain;
	int64_t instruction;
};

/* The profile events of an instruction: `call` is OPERATOR_CALL or DELEGATE_CALL, `kernel` is
 * "native_call_…". NULL: not logged. */
struct seen {
	const struct etc_event *call, *kernel;
};

static bool is_inside(const struct etc_event *e)
{
	return e->chain != UINT64_MAX && e->instruction_id >= 0;
}

static bool is_call(const struct etc_event *e)
{
	return etc_str_eq(etc_event_name(e), ETC_STR("OPERATOR_CALL")) ||
	       etc_str_eq(etc_event_name(e), ETC_STR("DELEGATE_CALL"));
}

/* Removes the library from an operator's name: "aten::add.out" becomes "add.out". */
static struct etc_str short_name(struct etc_str text)
{
	size_t colons = etc_str_find(text, ETC_STR("::"), 0);

	return colons == SIZE_MAX ? text : etc_str_sub(text, colons + 2, text.len);
}

/* Returns the operator of the nodes of the place, if all of them have the same operator; else an
 * empty text. */
static struct etc_str op_of(const struct etc_place *place)
{
	for (uint32_t i = 1; i < place->count; i++)
		if (!etc_str_eq(place->nodes[i]->op, place->nodes[0]->op))
			return (struct etc_str){ 0 };
	return place->count ? place->nodes[0]->op : ETC_STR_NONE;
}

static struct etc_str delegate_id(const struct etc_event *e, struct etc_arena *arena)
{
	return e->has_delegate_name ? etc_event_delegate_name(e)
	                            : etc_arena_printf(arena, "%d", (int)e->delegate_id);
}

static bool calls_delegate(const struct seen *s, const struct etc_method *method,
                           const struct etc_event *e)
{
	if (s->call)
		return etc_str_eq(etc_event_name(s->call), ETC_STR("DELEGATE_CALL"));
	return etc_method_entry(method, e->instruction_id) != NULL;
}

static enum etc_status describe(struct etc_logged_event *l, const struct seen *s,
                                const struct etc_method *method, struct etc_places *places,
                                struct etc_arena *arena, struct etc_error *err)
{
	const struct etc_event *e = l->event;
	const struct etc_operator *op;
	bool partition;

	l->place = &places->nowhere;
	l->name = etc_event_name(e);
	if (!is_inside(e))
		return ETC_OK;
	partition = !etc_event_is_delegate(e) && calls_delegate(s, method, e);
	l->what = etc_event_is_delegate(e) ? ETC_LOGGED_DELEGATE
	          : partition              ? ETC_LOGGED_ARGUMENT
	                                   : ETC_LOGGED_OPERATOR;
	l->handles = etc_places_handles(places, e);
	l->place = etc_places_of_event(places, e, partition);
	ETC_NEED(l->place, err);
	if (l->name.len)
		return ETC_OK;
	if (l->what == ETC_LOGGED_DELEGATE) {
		l->name = delegate_id(e, arena);
		return l->name.ptr ? ETC_OK : etc_no_memory(err);
	}
	op = partition ? NULL : etc_method_operator(method, e);
	if (partition)
		l->name = ETC_STR("DELEGATE_CALL");
	else if (s->kernel)
		l->name = etc_str_sub(etc_event_name(s->kernel), sizeof "native_call_" - 1,
		                      etc_event_name(s->kernel).len);
	else
		l->name = op ? short_name(op->text) : op_of(l->place);
	return ETC_OK;
}

/* Describes each debug event of the template in out[event->column]. Visits the last event first: an
 * event is logged when it ends, so the event that encloses a value comes after the value. */
static enum etc_status walk(const struct etc_template *template, const struct etc_method *method,
                            struct etc_places *places, struct etc_arena *arena,
                            struct etc_arena *scratch, struct etc_logged_event *out,
                            struct etc_error *err)
{
	struct spot *spots = etc_new(scratch, struct spot, template->count);
	struct seen *seen = etc_new(scratch, struct seen, template->count);
	struct etc_map map;
	size_t kinds = 0;

	ETC_NEED(spots && seen, err);
	etc_map_init(&map, scratch);
	for (uint32_t i = template->count; i-- > 0;) {
		const struct etc_event *e = &template->events[i];
		struct etc_str key = { (const char *)&spots[i], sizeof spots[i] };
		size_t n;

		if (e->kind != ETC_EVENT_PROFILE && e->kind != ETC_EVENT_DEBUG)
			continue;
		spots[i] = (struct spot){ e->chain, e->instruction_id };
		n = etc_map_add(&map, key, kinds);
		if (n == ETC_MAP_NONE)
			return etc_no_memory(err);
		kinds += n == kinds;
		if (e->kind == ETC_EVENT_PROFILE && !etc_event_is_delegate(e)) {
			if (is_call(e))
				seen[n] = (struct seen){ .call = e };
			else if (etc_str_starts(etc_event_name(e), ETC_STR("native_call_")))
				seen[n].kernel = e;
		}
		if (e->kind != ETC_EVENT_DEBUG)
			continue;
		out[e->column].event = e;
		out[e->column].index = i;
		ETC_TRY(describe(&out[e->column], &seen[n], method, places, arena, err));
	}
	return ETC_OK;
}

/* Makes one struct etc_logged_event per debug event of the template, in file order
 * (etc_event.column). `places` has the places of the nodes of `method`, which is never NULL.
 * E0904. */
static enum etc_status find_operators(const struct etc_template *template,
                                      const struct etc_method *method, struct etc_places *places,
                                      struct etc_arena *arena, struct etc_logged_event **out,
                                      struct etc_error *err)
{
	struct etc_arena scratch;
	enum etc_status st;

	*out = etc_new(arena, struct etc_logged_event, template->debugs);
	ETC_NEED(*out, err);
	etc_arena_init(&scratch, arena->budget);
	st = walk(template, method, places, arena, &scratch, *out, err);
	etc_arena_release(&scratch);
	return st;
}

struct lister {
	const struct etc_trace *trace;
	const struct etc_span *buffer;
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

/* Is the value an output of the program? The runtime marks outputs that are tensors. A scalar that
 * was logged outside of instructions is also an output, since the runtime logs no other values
 * there. */
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
	const struct etc_record *record = etc_inputs_record(in);
	struct lister l = { .trace = t, .buffer = buffer };
	size_t n = count_values(t);
	struct etc_logged_event **events;
	struct etc_methods methods;
	struct etc_all_places places;
	struct etc_paths paths;

	l.v = etc_new(arena, struct etc_logged, n);
	events = etc_new(arena, struct etc_logged_event *, t->template_count);
	ETC_NEED(l.v && events, err);
	ETC_TRY(etc_paths_find(&paths, t, arena, err));
	ETC_TRY(etc_methods_find(&methods, &paths, t, etc_inputs_program(in), record, arena, err));
	ETC_TRY(etc_places_all(&places, record, arena, err));
	for (size_t r = 0; r < t->run_count; r++) {
		uint32_t s = t->runs[r].template;
		const struct etc_method *method = etc_methods_of(&methods, &paths, s);
		struct etc_places *p;

		if (!events[s]) {
			ETC_TRY(etc_places_of(&places, method, &p, err));
			ETC_TRY(find_operators(&t->templates[s], method, p, arena, &events[s],
			                       err));
		}
		add_run(&l, r, events[s], method->name);
	}
	*out = (struct etc_logged_list){ l.v, l.count };
	return ETC_OK;
}
