/* overlay.c -- writes times as node data of Model Explorer; see overlay.h
 *
 * One file per adapter and path:
 *
 *   STEM.etrecord.json  graph: `forward` or the method; node: its FX name and "_"
 *   STEM.pte.json       graph: the method; node: METHOD_CHAIN_INSTRUCTION
 *                       inside XNNPACK's partitions: graph FILE::METHOD_CHAIN_INSTRUCTION; node:
 *                       number of the operator in the delegate's blob
 *
 * A method's second path, with other instructions, has files of its own: STEM.path2.pte.json. */
#include "commands/analyze/overlay.h"

#include "base/folder.h"
#include "base/inside.h"
#include "base/opened.h"
#include "formats/program/delegate_graph.h"
#include "profile/nodes.h"
#include "table/emit.h"

struct etc_overlay_file {
	const char *folder, *path;
	struct etc_str text;
};

/* ---- the option --------------------------------------------------------------------- */

enum etc_status etc_overlay_parse(const struct etc_opt_list *options, struct etc_arena *arena,
                                  struct etc_opt_list *rest, struct etc_overlay_target *out,
                                  struct etc_error *err)
{
	static const char name[] = "model-explorer";
	const size_t n = sizeof name - 1;

	*rest = (struct etc_opt_list){ 0 };
	*out = (struct etc_overlay_target){ 0 };
	for (uint32_t i = 0; i < options->count; i++) {
		const char *o = options->v[i];

		if (strncmp(o, name, n) != 0 || (o[n] && o[n] != '=')) {
			ETC_TRY(etc_opt_append(rest, o, arena, err));
			continue;
		}
		if (out->wanted)
			return etc_fail(err, E0501, "-o %s twice", name);
		out->wanted = true;
		out->folder = o[n] ? o + n + 1 : NULL;
		if (o[n] && !out->folder[0])
			return etc_fail(err, E0505, "-o %s: no folder after '='", o);
	}
	return ETC_OK;
}

/* ---- one path of one part ------------------------------------------------------------ */

/* The time of a node; `id` identifies the node. */
struct value {
	struct etc_str id;
	etc_u128 time;
};

struct values {
	struct etc_arena *arena;
	struct etc_map at; /* maps the id of a node to its index in `v` */
	struct value *v;
	uint32_t count, room;
	etc_u128 sum;
};

struct graph {
	struct etc_str id;
	struct values values;
	etc_u128 whole;
	size_t per;
	uint8_t unit;
	const char *stat;
};

struct maker {
	struct etc_answer *a;
	const struct etc_part *part;
	struct etc_node_profiles nodes;
	struct etc_profile by_delegate;
	struct etc_arena *arena;
	/* `folder`: the folder of the files; `stem`: path of the files up to their extensions */
	const char *folder, *stem;
	bool is_shared; /* the folder is the same for all parts */
	/* the reason why a path has no file: that of the first path without one; empty if every
	 * path has a file */
	struct etc_str unnamed;
	struct etc_overlay *out;
	struct etc_notes *notes;
};

static void values_init(struct values *v, struct etc_arena *arena)
{
	*v = (struct values){ .arena = arena };
	etc_map_init(&v->at, arena);
}

static bool add_time(struct values *v, struct etc_str id, etc_u128 time)
{
	const size_t at = id.ptr ? etc_map_add(&v->at, id, v->count) : ETC_MAP_NONE;
	struct value *new;

	if (at == ETC_MAP_NONE)
		return false;
	if (at == v->count) {
		new = ETC_APPEND(v->arena, v->v, v->count, v->room);
		if (!new)
			return false;
		new->id = id;
	}
	v->v[at].time += time;
	v->sum += time;
	return true;
}

/* Returns the name of a graph's values: "time, µs, typical run; 59 % of it on nodes". */
static struct etc_str name_of(const struct graph *g, struct etc_arena *arena)
{
	const double share = g->whole ? etc_ratio_double(etc_ratio(g->values.sum, g->whole)) : 0;

	return etc_arena_printf(arena, "time, %s, %s; %.0f %% of it on nodes",
	                        g->unit == ETC_UNIT_NS ? "\xc2\xb5s" : etc_unit_name(g->unit),
	                        g->stat, share * 100);
}

static void put_graph(struct etc_emit *e, const struct graph *g, struct etc_arena *arena)
{
	const double scale = g->unit == ETC_UNIT_NS ? 1e3 : 1;

	etc_emit_open_key(e, g->id, '{');
	etc_emit_text(e, "name", name_of(g, arena));
	etc_emit_block(e, "results", '{');
	for (uint32_t i = 0; i < g->values.count; i++) {
		const struct value *v = &g->values.v[i];

		etc_emit_open_key(e, v->id, '{');
		etc_emit_real(e, "value", etc_ratio_double(etc_ratio(v->time, g->per)) / scale);
		etc_emit_close(e);
	}
	etc_emit_close(e);
	etc_emit_open(e, "gradient", '[');
	for (int i = 0; i < 2; i++) {
		etc_emit_open(e, NULL, '{');
		etc_emit_i64(e, "stop", i);
		etc_emit_cstr(e, "bgColor", i ? "#ef9a9a" : "#f1f8e9");
		etc_emit_close(e);
	}
	etc_emit_close(e);
	etc_emit_close(e);
}

static enum etc_status add_file(struct maker *m, const char *ending, unsigned nth,
                                const struct graph *graphs, uint32_t count, struct etc_error *err)
{
	struct etc_text text = { 0 };
	struct etc_emit e = { .out = &text };
	struct etc_overlay_file *f = &m->out->files[m->out->count++];
	struct etc_str path =
		nth ? etc_arena_printf(m->arena, "%s.path%u.%s.json", m->stem, nth + 1, ending)
		    : etc_arena_printf(m->arena, "%s.%s.json", m->stem, ending);

	etc_emit_block(&e, NULL, '{');
	for (uint32_t i = 0; i < count; i++)
		put_graph(&e, &graphs[i], m->arena);
	etc_emit_close(&e);
	f->folder = m->folder;
	f->path = path.ptr;
	f->text = etc_text_keep(&text, m->arena);
	ETC_NEED(f->path && f->text.ptr, err);
	return ETC_OK;
}

static struct graph new_graph(const struct maker *m, uint32_t path, struct etc_str id)
{
	const struct etc_profile_path *p = &m->nodes.by_event.paths[path];
	struct graph g = { .id = id,
		           .whole = p->time,
		           .per = p->per,
		           .unit = m->nodes.by_event.unit,
		           .stat = m->nodes.by_event.stat == ETC_STAT_TYPICAL
		                           ? "typical run"
		                           : etc_stat_name(m->nodes.by_event.stat) };

	values_init(&g.values, m->arena);
	return g;
}

/* Returns the id that Arm's adapter gives to the graph. A single edge program is "forward". If
 * there are several edge programs, the id of each is the name of its method. Other graphs have
 * their own names. */
static struct etc_str record_graph_id(const struct etc_graph *g)
{
	if (g->kind == ETC_GRAPH_EDGE)
		return g->per_method ? g->method : ETC_STR("forward");
	return g->name;
}

static enum etc_status make_record_graph(struct maker *m, uint32_t path, struct graph *out,
                                         struct etc_error *err)
{
	const struct etc_record *record = etc_inputs_record(&m->part->in);
	struct etc_node_times t;

	ETC_TRY(etc_node_times(&m->nodes, path, record, m->arena, &t, err));
	*out = new_graph(m, path, t.graph ? record_graph_id(t.graph) : ETC_STR_NONE);
	for (uint32_t i = 0; t.graph && i < t.graph->node_count; i++)
		if (t.events[i])
			ETC_NEED(add_time(&out->values,
			                  etc_arena_printf(m->arena, ETC_STR_FMT "_",
			                                   ETC_STR_ARG(t.graph->nodes[i].name)),
			                  t.time[i]),
			         err);
	return ETC_OK;
}

/* The ids of nodes contain the name of the path's method. Returns NULL if that name is known, else
 * the reason why it is unknown. If there is no program, the method is assumed to be "forward", the
 * default of exports. */
static const char *why_unnamed(const struct maker *m, uint32_t path)
{
	const struct etc_profile_path *p = &m->nodes.by_event.paths[path];

	if (p->method.len)
		return NULL;
	if (p->methods_fit)
		return "several methods fit";
	if (m->part->in.program.path)
		return "no method of the program fits";
	return NULL;
}

static struct etc_str plan_of(const struct maker *m, uint32_t path)
{
	const struct etc_str method = m->nodes.by_event.paths[path].method;

	return method.len ? method : ETC_STR("forward");
}

static struct etc_str instruction_id(const struct maker *m, uint32_t path,
                                     const struct etc_event *e)
{
	return etc_arena_printf(m->arena, ETC_STR_FMT "_%lld_%d", ETC_STR_ARG(plan_of(m, path)),
	                        (long long)e->chain, (int)e->instruction_id);
}

static bool in_instruction(const struct etc_event *e)
{
	return (int64_t)e->chain >= 0 && e->instruction_id >= 0;
}

/* Returns the DELEGATE_CALL that a row of --by delegate stands for; NULL: there is none. */
static const struct etc_event *call_of(const struct maker *m, const struct etc_profile_row *r)
{
	const struct etc_trace *t = m->part->trace;
	const struct etc_template *template = etc_run_template(t, &t->runs[r->first_run]);

	/* r->first_event counts only profile events, because only these have sites. The template
	 * may have other events before this event. */
	for (uint32_t i = r->first_event; !r->detached && i < template->count; i++) {
		const struct etc_event *e = &template->events[i];

		if (e->kind == ETC_EVENT_PROFILE && e->column == r->first_event)
			return e->word == ETC_WORD_DELEGATE_CALL && in_instruction(e) ? e : NULL;
	}
	return NULL;
}

/* Adds the times of instructions, from the rows of profile `of`. If `of` is m->by_delegate, adds
 * the whole time of each delegate call. Otherwise adds operators, jumps and moves outside of
 * delegates. */
static enum etc_status add_instructions(struct maker *m, uint32_t path,
                                        const struct etc_profile *of, struct values *to,
                                        struct etc_error *err)
{
	size_t from, end;

	etc_profile_rows(of, path, &from, &end);
	for (size_t i = from; i < end; i++) {
		const struct etc_profile_row *r = &of->rows[i];
		const struct etc_event *e = NULL;

		if (of == &m->by_delegate)
			e = call_of(m, r);
		else if (etc_row_counts(of, r) && !r->delegate && in_instruction(r->event->event))
			e = r->event->event;
		if (e)
			ETC_NEED(add_time(to, instruction_id(m, path, e), r->self), err);
	}
	return ETC_OK;
}

static enum etc_status make_plan_graph(struct maker *m, uint32_t path, struct graph *out,
                                       struct etc_error *err)
{
	*out = new_graph(m, path, plan_of(m, path));
	ETC_TRY(add_instructions(m, path, &m->nodes.by_fallback, &out->values, err));
	ETC_TRY(add_instructions(m, path, &m->nodes.by_event, &out->values, err));
	return add_instructions(m, path, &m->by_delegate, &out->values, err);
}

/* ---- inside of XNNPACK's partitions --------------------------------------------------- */

static const struct etc_program_method *program_method(const struct maker *m, struct etc_str plan)
{
	const struct etc_program *p = etc_inputs_program(&m->part->in);

	for (uint32_t i = 0; p && i < p->method_count; i++)
		if (etc_str_eq(p->methods[i].name, plan))
			return &p->methods[i];
	return NULL;
}

static const struct etc_program_delegate *delegate_of(const struct etc_program_method *method,
                                                      const struct etc_event *e)
{
	const struct etc_program_chain *c;
	const struct etc_instruction *i;

	if (!method || e->chain >= method->chain_count || e->instruction_id < 0)
		return NULL;
	c = &method->chains[e->chain];
	i = (uint32_t)e->instruction_id < c->count ? &c->instructions[e->instruction_id] : NULL;
	return i && i->kind == ETC_INSTRUCTION_DELEGATE && i->index >= 0 &&
	                       (uint32_t)i->index < method->delegate_count
	               ? &method->delegates[i->index]
	               : NULL;
}

/* Returns the operator that has the debug handle of `node`. If several operators have it, returns
 * the first one that is not a conversion. UINT32_MAX: there is none. */
static uint32_t operator_of(const struct etc_delegate_graph *g, const struct etc_node *node)
{
	uint32_t first = UINT32_MAX;

	for (uint32_t k = 0; k < node->debug_handle.count; k++)
		for (uint32_t i = 0; i < g->count; i++) {
			if (g->nodes[i].handle != node->debug_handle.v[k])
				continue;
			if (g->nodes[i].kind != ETC_DELEGATE_KINDS)
				return i;
			first = first == UINT32_MAX ? i : first;
		}
	return first;
}

/* Makes the graph of the partition that `call`, a DELEGATE_CALL, runs. out->values.count is 0 if no
 * node of that partition is known. */
static enum etc_status make_partition(struct maker *m, uint32_t path, const struct etc_event *call,
                                      struct graph *out, struct etc_error *err)
{
	const struct etc_program_delegate *d =
		delegate_of(program_method(m, plan_of(m, path)), call);
	struct etc_delegate_graph blob;
	size_t from, to;
	bool read;

	*out = new_graph(m, path, ETC_STR_NONE);
	if (!d)
		return ETC_OK;
	ETC_TRY(etc_delegate_graph_read(d->processed, m->arena, &blob, &read, err));
	out->id = etc_arena_printf(m->arena, "%s::" ETC_STR_FMT,
	                           etc_file_name(m->part->in.program.path),
	                           ETC_STR_ARG(instruction_id(m, path, call)));
	etc_profile_rows(&m->nodes.by_event, path, &from, &to);
	for (size_t i = from; read && i < to; i++) {
		const struct etc_profile_row *r = &m->nodes.by_event.rows[i];
		const struct etc_event *e = r->event ? r->event->event : NULL;
		const struct etc_node *n;
		uint32_t at;

		if (!e || !etc_row_counts(&m->nodes.by_event, r) || !r->delegate ||
		    e->chain != call->chain || e->instruction_id != call->instruction_id)
			continue;
		n = etc_row_node(&m->nodes.by_event, r);
		at = n ? operator_of(&blob, n) : UINT32_MAX;
		if (at != UINT32_MAX)
			ETC_NEED(add_time(&out->values, etc_arena_printf(m->arena, "%u", at),
			                  r->self),
			         err);
	}
	return ETC_OK;
}

/* Returns the number of earlier paths of the same method. */
static unsigned nth_path(const struct etc_profile *p, uint32_t path)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < path; i++)
		n += etc_str_eq(p->paths[i].method, p->paths[path].method);
	return n;
}

static void remark(struct maker *m, uint32_t path, const struct graph *record)
{
	const struct etc_profile_path *p = &m->nodes.by_event.paths[path];
	const double share =
		p->time ? etc_ratio_double(etc_ratio(p->time - record->values.sum, p->time)) : 0;

	if (etc_inputs_record(&m->part->in) && share >= 0.005)
		etc_note_each(m->notes, N0680, "path %u: %.0f %% of the time", p->number,
		              share * 100);
}

/* Appends the graph of a path's method, and the graphs of the partitions that the path calls.
 * Appends nothing if the name of the method is unknown. */
static enum etc_status make_plan_graphs(struct maker *m, uint32_t path, struct graph *plans,
                                        uint32_t *count, struct etc_error *err)
{
	const char *unnamed = why_unnamed(m, path);
	size_t from, to;

	if (unnamed) {
		const struct etc_str text = etc_arena_printf(
			m->arena, "path %u: %s", m->nodes.by_event.paths[path].number, unnamed);

		ETC_NEED(text.ptr, err);
		etc_note_each(m->notes, W0681, ETC_STR_FMT, ETC_STR_ARG(text));
		m->unnamed = m->unnamed.len ? m->unnamed : text;
		return ETC_OK;
	}
	ETC_TRY(make_plan_graph(m, path, &plans[*count], err));
	*count += plans[*count].values.count > 0;
	etc_profile_rows(&m->by_delegate, path, &from, &to);
	for (size_t i = from; i < to; i++) {
		const struct etc_event *call = call_of(m, &m->by_delegate.rows[i]);

		if (!call)
			continue;
		ETC_TRY(make_partition(m, path, call, &plans[*count], err));
		*count += plans[*count].values.count > 0;
	}
	return ETC_OK;
}

/* Makes the files of every method's path number `nth`, counted from 0. Sets *more to false if no
 * method has that many paths. */
static enum etc_status make_nth(struct maker *m, unsigned nth, bool *more, struct etc_error *err)
{
	const uint32_t paths = m->nodes.by_event.path_count;
	size_t rows = m->by_delegate.row_count + paths;
	struct graph *records = etc_new(m->arena, struct graph, paths);
	struct graph *plans = etc_new(m->arena, struct graph, rows);
	uint32_t record_count = 0, plan_count = 0;

	ETC_NEED(records && plans, err);
	*more = false;
	for (uint32_t p = 0; p < paths; p++) {
		struct graph *record = &records[record_count];

		if (nth_path(&m->nodes.by_event, p) != nth)
			continue;
		*more = true;
		ETC_TRY(make_record_graph(m, p, record, err));
		remark(m, p, record);
		record_count += record->values.count > 0;
		ETC_TRY(make_plan_graphs(m, p, plans, &plan_count, err));
	}
	if (record_count)
		ETC_TRY(add_file(m, "etrecord", nth, records, record_count, err));
	return plan_count ? add_file(m, "pte", nth, plans, plan_count, err) : ETC_OK;
}

static enum etc_status make_profile(struct maker *m, uint8_t by, struct etc_profile *out,
                                    struct etc_error *err)
{
	const char *method = m->a->options->plan.method;
	struct etc_profile_options po = m->part->options;

	po.by = by;
	po.places = by != ETC_BY_DELEGATE;
	ETC_TRY(etc_profile_make(m->part->trace, &po, m->arena, out, err));
	return method ? etc_profile_only(out, etc_str_of(method), m->arena, err) : ETC_OK;
}

/* Returns the folder given by the user, else the dump's folder; NULL: out of memory. */
static const char *folder_of(const char *asked, const char *dump, struct etc_arena *arena)
{
	const char *of = asked ? asked : dump;
	size_t n = asked ? strlen(asked) : (size_t)(etc_file_name(dump) - dump);

	while (n > 1 && of[n - 1] == '/')
		n--;
	return n ? etc_arena_cstr(arena, (struct etc_str){ of, n }) : ".";
}

/* Returns the path of a dump without its extension. If the outputs go to another folder, returns
 * only the file name without its extension. */
static struct etc_str stem(const struct maker *m, uint32_t part)
{
	const char *path = m->a->parts[part].names[0].ptr, *name = etc_file_name(path),
		   *dot = strrchr(name, '.'), *from = m->is_shared ? name : path;

	return etc_str_sub(etc_str_of(from), 0,
	                   dot && dot > name ? (size_t)(dot - from) : SIZE_MAX);
}

/* Returns the path of a part's files without their extensions. If an earlier part has the same
 * path, a number is appended. */
static const char *place_of(const struct maker *m, uint32_t part)
{
	const char *path = m->a->parts[part].names[0].ptr;
	struct etc_str own = stem(m, part), name = own;
	unsigned same = 1;

	if (strcmp(path, "-") == 0)
		name = ETC_STR("stdin");
	else if (!m->is_shared)
		name = etc_str_sub(own, (size_t)(etc_file_name(path) - path), own.len);
	for (uint32_t i = 0; i < part; i++)
		same += etc_str_eq(stem(m, i), own);
	if (same > 1)
		return etc_arena_printf(m->arena, "%s/" ETC_STR_FMT "-%u", m->folder,
		                        ETC_STR_ARG(name), same)
		        .ptr;
	return etc_arena_printf(m->arena, "%s/" ETC_STR_FMT, m->folder, ETC_STR_ARG(name)).ptr;
}

enum etc_status etc_overlay_make(struct etc_answer *a, const struct etc_overlay_target *target,
                                 struct etc_overlay *out, struct etc_error *err)
{
	struct etc_arena *arena = &a->session->arena;
	struct etc_str unnamed = ETC_STR_NONE;
	size_t most = 0;

	*out = (struct etc_overlay){ 0 };
	for (uint32_t i = 0; i < a->part_count; i++)
		most += 2 * (size_t)a->parts[i].profile.path_count;
	out->files = etc_new(arena, struct etc_overlay_file, most);
	ETC_NEED(out->files, err);
	for (uint32_t i = 0; i < a->part_count; i++) {
		struct maker m = { .a = a,
			           .part = &a->parts[i],
			           .arena = arena,
			           .out = out,
			           .notes = &a->session->notes };
		bool more = true;

		m.is_shared = target->folder != NULL;
		m.folder = folder_of(target->folder, m.part->names[0].ptr, arena);
		ETC_NEED(m.folder, err);
		m.stem = place_of(&m, i);
		ETC_NEED(m.stem, err);
		m.notes->file = m.part->names[0];
		ETC_TRY(make_profile(&m, ETC_BY_EVENT, &m.nodes.by_event, err));
		ETC_TRY(make_profile(&m, ETC_BY_FALLBACK, &m.nodes.by_fallback, err));
		ETC_TRY(make_profile(&m, ETC_BY_DELEGATE, &m.by_delegate, err));
		for (unsigned nth = 0; more; nth++)
			ETC_TRY(make_nth(&m, nth, &more, err));
		unnamed = unnamed.len ? unnamed : m.unnamed;
	}
	if (out->count == 0)
		return etc_in_file(
			err,
			etc_fail(err, E0580, ETC_STR_FMT,
		                 ETC_STR_ARG(unnamed.len ? unnamed
		                                         : ETC_STR("no execute run has events"))),
			a->dumps[0]);
	return ETC_OK;
}

enum etc_status etc_overlay_write(const struct etc_overlay *overlay, bool quiet,
                                  struct etc_text *out, struct etc_error *err)
{
	for (uint32_t i = 0; i < overlay->count; i++)
		ETC_TRY(etc_opened_spare(overlay->files[i].path, err));
	for (uint32_t i = 0; i < overlay->count; i++) {
		const struct etc_overlay_file *f = &overlay->files[i];

		ETC_TRY(etc_folder_make_all(f->folder, err));
		ETC_TRY(etc_inside_write(f->folder, f->path, f->text, err));
	}
	for (uint32_t i = 0; i < overlay->count && !quiet; i++)
		etc_text_tell(out, "%s\n", overlay->files[i].path);
	return ETC_OK;
}
