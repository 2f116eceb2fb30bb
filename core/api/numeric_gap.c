/* numeric_gap.c -- `etcore numeric gap`: every intermediate value beside its reference,
 * and where the error starts. The reference is another dump of the same model, or a
 * file of what the exported graph gave. */
#include "api/numeric.h"

#include <math.h>

#include "api/files.h"
#include "api/gap_graph.h"
#include "api/gap_matches.h"
#include "api/numeric_sheet.h"
#include "read/references.h"
#include "view/gap.h"

/* An error counts from so many units of the last place on, and rises clearly when it
 * is so many times that of the inputs. */
#define FLOOR_ULPS 8.0
#define CLEARLY    4.0

struct work {
	struct etc_session *session;
	const struct etc_numeric_gap_options *options;
	struct etc_inputs in, other;
	bool other_is_dump;
	struct etc_logged_list logged, other_logged;
	struct etc_references references;
	struct etc_gap_graphs graphs, other_graphs;
	struct etc_gap_side run, reference;
	bool by_spot;
	struct etc_gap_matches matches;
	struct etc_gap_line *lines;
	uint32_t line_count, uncompared, starts;
	bool several_methods, several_runs;
};

/* ---- files --------------------------------------------------------------------------- */

static enum etc_status open_dump(struct work *w, const struct etc_input_paths *paths,
                                 struct etc_inputs *in, struct etc_error *err)
{
	ETC_TRY(etc_inputs_open(w->session, paths, in, err));
	return in->debug_buffer.path ? ETC_OK : etc_fail(err, E1175, "%s", paths->dump);
}

/* A record that only one of two dumps has is that of both. */
static void share_record(struct etc_inputs *a, struct etc_inputs *b)
{
	if (a->etrecord.path && !b->etrecord.path) {
		b->etrecord = a->etrecord;
		b->record = a->record;
	} else if (b->etrecord.path && !a->etrecord.path) {
		a->etrecord = b->etrecord;
		a->record = b->record;
	}
}

static enum etc_status open_reference(struct work *w, struct etc_error *err)
{
	const struct etc_numeric_gap_options *o = w->options;
	struct etc_session *s = w->session;
	struct etc_span bytes;

	ETC_TRY(etc_session_open(s, o->reference, &bytes, err));
	w->other_is_dump = etc_file_kind_of(bytes) == ETC_FILE_ETDUMP;
	if (w->other_is_dump) {
		const struct etc_input_paths paths = {
			.dump = o->reference,
			.etrecord = o->reference_etrecord,
			.debug_buffer = o->reference_buffer,
			.no_siblings = o->no_siblings,
			.verbose = o->common.verbose > 0,
		};

		return open_dump(w, &paths, &w->other, err);
	}
	return etc_in_file(err, etc_references_read(bytes, &s->arena, &w->references, err),
	                   o->reference);
}

static enum etc_status open_all(struct work *w, struct etc_error *err)
{
	const struct etc_numeric_gap_options *o = w->options;
	const struct etc_input_paths paths = {
		.dump = o->dump,
		.etrecord = o->etrecord,
		.debug_buffer = o->debug_buffer,
		.no_siblings = o->no_siblings,
		.verbose = o->common.verbose > 0,
	};
	struct etc_arena *arena = &w->session->arena;

	ETC_TRY(open_dump(w, &paths, &w->in, err));
	ETC_TRY(open_reference(w, err));
	if (w->other_is_dump)
		share_record(&w->in, &w->other);
	else if (!w->in.etrecord.path)
		return etc_fail(err, E1184, "%s", o->dump);
	ETC_TRY(etc_gap_graphs_read(&w->in, arena, &w->graphs, err));
	ETC_TRY(etc_logged_list(&w->in, &w->in.debug_buffer.bytes, arena, &w->logged, err));
	if (!w->other_is_dump)
		return ETC_OK;
	ETC_TRY(etc_gap_graphs_read(&w->other, arena, &w->other_graphs, err));
	return etc_logged_list(&w->other, &w->other.debug_buffer.bytes, arena, &w->other_logged,
	                       err);
}

/* ---- sides --------------------------------------------------------------------------- */

static bool same_bytes(struct etc_span a, struct etc_span b)
{
	return a.len == b.len && (a.ptr == b.ptr || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static enum etc_status make_sides(struct work *w, struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	struct etc_gap_keys keys = { .arena = arena };
	struct etc_gap_translations translations;
	bool translate = false;

	etc_map_init(&keys.spots, arena);
	w->by_spot = w->other_is_dump && !w->in.etrecord.path;
	ETC_TRY(etc_gap_of_dump(&w->in, &w->logged, w->by_spot, NULL, &keys, arena, &w->run, err));
	if (!w->other_is_dump)
		return etc_gap_of_references(&w->references, arena, &w->reference, err);
	translate = !w->by_spot && w->graphs.count && w->other_graphs.count &&
	            !same_bytes(w->in.etrecord.bytes, w->other.etrecord.bytes);
	if (translate)
		ETC_TRY(etc_gap_translate(&w->other_graphs, &w->graphs, arena, &translations, err));
	return etc_gap_of_dump(&w->other, &w->other_logged, w->by_spot,
	                       translate ? &translations : NULL, &keys, arena, &w->reference, err);
}

/* ---- one value ----------------------------------------------------------------------- */

/* A difference that no number tells is as large as can be. */
static double relative_of(const struct etc_difference *d)
{
	double v = isinf(d->max_abs) ? (double)INFINITY : etc_difference_relative(d);

	return isnan(v) ? 0 : v;
}

static double floor_of(const struct etc_operand *a, const struct etc_operand *b)
{
	double x = etc_epsilon_of(&a->e), y = etc_epsilon_of(&b->e);

	return FLOOR_ULPS * (x > y ? x : y);
}

static void describe_node(const struct etc_gap_graph *g, int64_t handle, struct etc_arena *arena,
                          struct etc_gap_line *line)
{
	uint32_t at = g ? etc_gap_flow_line(&g->flow, handle) : UINT32_MAX;
	const struct etc_node *n;

	if (at == UINT32_MAX)
		return;
	n = g->lines.v[at].node;
	line->nodes = n->name;
	if (n->module_count)
		line->module = n->modules[n->module_count - 1].path;
	if (n->source_file.len)
		line->source =
			etc_arena_printf(arena, ETC_STR_FMT ":%u", ETC_STR_ARG(n->source_file),
		                         (unsigned)n->source_line);
}

static enum etc_status compare(struct work *w, const struct etc_gap_value *reference,
                               const struct etc_gap_value *run, uint32_t item,
                               struct etc_gap_line *line, double *floor, struct etc_error *err)
{
	const struct etc_tolerance none = { 0, 0 };
	struct etc_arena *arena = &w->session->arena;
	struct etc_operand a, b;

	ETC_TRY(etc_gap_operands(reference, run, item, arena, &a, &b, err));
	line->reference_type = a.type;
	line->run_type = b.type;
	if (!b.why)
		line->shape = etc_operand_shape(&b, arena);
	line->verdict = ETC_GAP_UNKNOWN;
	if (a.why || b.why) {
		line->problem = etc_str_of(a.why ? a.why : b.why);
		return ETC_OK;
	}
	switch (etc_difference_of(&a.e, &b.e, none, false, &line->difference)) {
	case ETC_COMPARED_SHAPES:
		line->problem = etc_arena_printf(arena, "the reference is " ETC_STR_FMT,
		                                 ETC_STR_ARG(etc_operand_shape(&a, arena)));
		return line->problem.ptr ? ETC_OK : etc_fail(err, E0904, "a shape");
	case ETC_COMPARED_MANY:
		line->problem = ETC_STR("more elements than are stored");
		return ETC_OK;
	default:
		line->verdict = ETC_GAP_CLEAN;
		line->relative = relative_of(&line->difference);
		*floor = floor_of(&a, &b);
		return ETC_OK;
	}
}

/* ---- one run ------------------------------------------------------------------------- */

/* Errors of the inputs: along the graph, else of the value before. */
static enum etc_status judge(struct work *w, struct etc_gap_graph *g, struct etc_gap_line *lines,
                             const double *floors, uint32_t count, struct etc_error *err)
{
	uint32_t n = g ? g->lines.count : 0;
	double *known = etc_new(&w->session->arena, double, n), before = 0;
	bool started = false;

	if (!known)
		return etc_fail(err, E0904, "errors along the graph");
	for (uint32_t i = 0; i < n; i++)
		known[i] = -1;
	for (uint32_t i = 0; g && i < count; i++) {
		uint32_t at = etc_gap_flow_line(&g->flow, lines[i].handle);

		if (at != UINT32_MAX && lines[i].verdict != ETC_GAP_UNKNOWN &&
		    lines[i].relative > known[at])
			known[at] = lines[i].relative;
	}
	if (g)
		etc_gap_flow_run(&g->flow, known);
	for (uint32_t i = 0; i < count; i++) {
		struct etc_gap_line *l = &lines[i];
		uint32_t at = g ? etc_gap_flow_line(&g->flow, l->handle) : UINT32_MAX;
		double base;

		if (l->verdict == ETC_GAP_UNKNOWN)
			continue;
		l->input = at != UINT32_MAX ? etc_gap_flow_input(&g->flow, at) : before;
		before = l->relative;
		base = l->input > floors[i] ? l->input : floors[i];
		l->rise = l->relative == 0 ? 0 : l->relative / base;
		if (isinf(l->relative))
			l->rise = isinf(l->input) ? 1 : (double)INFINITY;
		if (l->relative <= floors[i])
			continue;
		l->verdict = l->rise <= CLEARLY ? ETC_GAP_CARRIES
		             : started          ? ETC_GAP_RISES
		                                : ETC_GAP_STARTS;
		started |= l->verdict == ETC_GAP_STARTS;
	}
	w->starts += started;
	return ETC_OK;
}

/* Lines that a run can make at most. */
static uint32_t lines_of(const struct etc_gap_run *run)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < run->count; i++)
		n += run->values[i].count;
	return n;
}

static enum etc_status compare_run(struct work *w, const struct etc_gap_run *run,
                                   const struct etc_gap_run *reference, struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	struct etc_gap_graph *g = w->by_spot ? NULL : etc_gap_graph_of(&w->graphs, run->method);
	struct etc_gap_line *lines = w->lines + w->line_count;
	double *floors = etc_new(arena, double, lines_of(run));
	uint32_t n = 0;

	if (!floors)
		return etc_fail(err, E0904, "%u values", (unsigned)run->count);
	for (uint32_t i = 0; i < run->count; i++) {
		const struct etc_gap_value *v = &run->values[i];
		const struct etc_gap_value *r = etc_gap_find(reference, v->key, v->occurrence);
		uint32_t pairs;

		/* Of a loop the reference may have logged one round. */
		if (!r && v->occurrence)
			r = etc_gap_find(reference, v->key, 0);
		if (!r)
			continue;
		pairs = etc_gap_pairs(r, v);
		for (uint32_t k = 0; k < pairs; k++, n++) {
			struct etc_gap_line *l = &lines[n];

			*l = (struct etc_gap_line){
				.method = run->method.len ? run->method : reference->method,
				.run = run->run,
				.occurrence = v->occurrence,
				.handle = v->key,
				.has_handle = !w->by_spot,
				.item = pairs > 1 ? (int32_t)k : -1,
				.name = v->name,
				.reference_name = r->name,
			};
			describe_node(g, v->key, arena, l);
			ETC_TRY(compare(w, r, v, k, l, &floors[n], err));
			w->uncompared += l->verdict == ETC_GAP_UNKNOWN;
		}
	}
	w->line_count += n;
	return judge(w, g, lines, floors, n, err);
}

static bool is_wanted(const struct work *w, const struct etc_gap_run *run)
{
	return !w->options->method || !run->method.len ||
	       etc_str_eq(run->method, etc_str_of(w->options->method));
}

static enum etc_status compare_all(struct work *w, struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	uint32_t most = 0, without = 0, runs = 0;

	for (uint32_t i = 0; i < w->run.run_count; i++)
		most += lines_of(&w->run.runs[i]);
	w->lines = etc_new(arena, struct etc_gap_line, most);
	if (!w->lines || !etc_gap_matches_make(&w->matches, &w->run, &w->reference, arena))
		return etc_fail(err, E0904, "%u values", (unsigned)most);
	for (uint32_t i = 0; i < w->run.run_count; i++) {
		const struct etc_gap_run *run = &w->run.runs[i], *reference;
		uint32_t before = w->line_count;

		if (!is_wanted(w, run))
			continue;
		reference = w->matches.reference[i];
		if (reference)
			ETC_TRY(compare_run(w, run, reference, err));
		else
			without++;
		runs += w->line_count > before;
		if (w->line_count > before && before)
			w->several_methods |=
				!etc_str_eq(w->lines[before].method, w->lines[0].method);
	}
	w->several_runs = runs > 1;
	if (without)
		etc_note_each(&w->session->notes, W1173, "%u run%s", (unsigned)without,
		              without > 1 ? "s" : "");
	if (w->run.unjoined)
		etc_note_each(&w->session->notes, N1178, "%u events", (unsigned)w->run.unjoined);
	if (!w->line_count)
		return etc_fail(err, E1172, "%s and %s have no debug handle in common",
		                w->options->dump, w->options->reference);
	if (w->uncompared)
		etc_note_each(&w->session->notes, W1176, "%u of %u", (unsigned)w->uncompared,
		              (unsigned)w->line_count);
	return ETC_OK;
}

/* ---- the answer ---------------------------------------------------------------------- */

/* "run 1: the error starts at linear (a): 1.2e-03 after 2.0e-08 of its inputs" */
static struct etc_str start_text(const struct work *w, const struct etc_gap_line *l)
{
	struct etc_arena *arena = &w->session->arena;
	struct etc_str what = l->nodes.len ? l->nodes : l->name;

	return etc_arena_printf(arena,
	                        ETC_STR_FMT "%srun %u: the error starts at " ETC_STR_FMT
	                                    "%s" ETC_STR_FMT
	                                    "%s: %.2g of the reference, after %.2g of its inputs",
	                        ETC_STR_ARG(w->several_methods ? l->method : ETC_STR_NONE),
	                        w->several_methods ? ", " : "", (unsigned)l->run, ETC_STR_ARG(what),
	                        l->module.len ? " (" : "", ETC_STR_ARG(l->module),
	                        l->module.len ? ")" : "", l->relative, l->input);
}

enum { HEADS = 8 };

static uint32_t make_head(const struct work *w, struct etc_str head[HEADS + 2])
{
	uint32_t n = 0;

	head[n++] = etc_arena_printf(&w->session->arena, "values against %s, joined by %s",
	                             w->options->reference,
	                             w->by_spot ? "instruction" : "debug handle");
	for (uint32_t i = 0; i < w->line_count && n < HEADS; i++)
		if (w->lines[i].verdict == ETC_GAP_STARTS)
			head[n++] = start_text(w, &w->lines[i]);
	if (w->starts == 0)
		head[n++] = ETC_STR("no error starts: all values agree as far as their types go");
	return n;
}

static enum etc_status write_page(struct work *w, struct etc_numeric_sheet *sheet,
                                  struct etc_text *out, struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	struct etc_report_file files[2 * ETC_FILE_KINDS];
	struct etc_numeric_page page = { .files = files };
	bool hashes = etc_targets_want_hashes(&sheet->targets);
	struct etc_str head[HEADS + 2];
	struct etc_table table;
	uint32_t *rows;

	page.file_count = etc_list_files(&w->in, hashes, arena, files);
	if (w->other_is_dump)
		page.file_count +=
			etc_list_files(&w->other, hashes, arena, files + page.file_count);
	page.head = head;
	page.head_count = make_head(w, head);
	page.shown = etc_gap_columns(w->several_methods, w->several_runs, !w->by_spot,
	                             w->uncompared > 0);
	ETC_TRY(etc_view_gap(w->lines, w->line_count, arena, &table, err));
	ETC_TRY(etc_numeric_sheet_rows(sheet, &table, arena, &rows, &page.row_count, err));
	page.table = &table;
	page.rows = rows;
	return etc_numeric_sheet_write(sheet, &page, w->session, out, err);
}

static enum etc_status run(struct work *w, struct etc_numeric_sheet *sheet, struct etc_text *out,
                           etc_note_fn *on_note, void *arg, struct etc_error *err)
{
	const struct etc_numeric_gap_options *o = w->options;

	ETC_TRY(etc_session_configure(w->session, &o->common, NULL, 0, 0, err));
	sheet->schema = "etcore.numeric.gap/1";
	ETC_TRY(etc_numeric_sheet_parse(sheet, &o->words, false, w->session, err));
	if (!o->reference)
		return etc_fail(err, E0501, "numeric gap needs --reference FILE");
	ETC_TRY(open_all(w, err));
	ETC_TRY(make_sides(w, err));
	ETC_TRY(compare_all(w, err));
	ETC_TRY(etc_session_report(w->session, o->common.strict, on_note, arg, err));
	return write_page(w, sheet, out, err);
}

enum etc_status etc_numeric_gap(const struct etc_numeric_gap_options *options, struct etc_text *out,
                                etc_note_fn *on_note, void *arg, struct etc_error *err)
{
	struct etc_numeric_sheet sheet = { 0 };
	struct etc_session s;
	struct work w = { .session = &s, .options = options };
	enum etc_status st;

	etc_session_init(&s, 0);
	st = run(&w, &sheet, out, on_note, arg, err);
	etc_numeric_sheet_release(&sheet);
	etc_session_release(&s);
	return st;
}
