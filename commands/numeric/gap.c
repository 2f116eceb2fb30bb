/* gap.c -- `etcore numeric gap`: compares every intermediate value with its reference, and finds
 * where the error starts. The references are the values in another dump of the same model, or in a
 * file of values that were computed from the exported graph. */
#include "commands/numeric/numeric.h"

#include <math.h>

#include "commands/numeric/fed.h"
#include "commands/numeric/gap_graph.h"
#include "commands/numeric/gap_side.h"
#include "commands/numeric/gap_table.h"
#include "commands/numeric/gap_verdict.h"
#include "commands/numeric/sheet.h"
#include "context/files.h"
#include "formats/etrecord/etrecord.h"
#include "formats/etrecord/references.h"
#include "profile/profile.h"
#include "profile/remarks.h"

/* ---- the runs that are compared ------------------------------------------------ */

struct matches {
	/* per run of the dump: the run of the reference that it is compared with; NULL: none */
	const struct etc_gap_run **reference;
};

/* Counts the runs of each method. */
struct counter {
	struct etc_map methods; /* maps a method to its index in `counts` */
	/* counts: number of runs of each method; kinds: number of methods */
	uint32_t *counts, kinds;
};

static bool begin_count(struct counter *c, uint32_t runs, struct etc_arena *arena)
{
	*c = (struct counter){ .counts = etc_new(arena, uint32_t, runs) };
	etc_map_init(&c->methods, arena);
	return c->counts != NULL;
}

/* Counts a run of the method. Returns the number of earlier runs of the method; UINT32_MAX: out of
 * memory. */
static uint32_t count_run(struct counter *c, struct etc_str method)
{
	size_t at = etc_map_add(&c->methods, method, c->kinds);

	if (at == ETC_MAP_NONE)
		return UINT32_MAX;
	c->kinds += at == c->kinds;
	return c->counts[at]++;
}

/* Returns the key of a run in a map: the name of the method, a line feed, and `ordinal`, the number
 * of the run among the runs of that method, from 0. */
static struct etc_str nth(struct etc_arena *arena, struct etc_str method, uint32_t ordinal)
{
	return etc_arena_printf(arena, ETC_STR_FMT "\n%u", ETC_STR_ARG(method), (unsigned)ordinal);
}

static bool index_runs(struct etc_map *index, const struct etc_gap_side *side,
                       struct etc_arena *arena)
{
	struct counter c;

	etc_map_init(index, arena);
	if (!begin_count(&c, side->run_count, arena))
		return false;
	for (uint32_t i = 0; i < side->run_count; i++) {
		struct etc_str method = side->runs[i].method, key = { 0 };
		uint32_t n = count_run(&c, method);

		if (n != UINT32_MAX)
			key = nth(arena, method, n);
		if (!key.ptr || etc_map_add(index, key, i) == ETC_MAP_NONE)
			return false;
	}
	return true;
}

static bool find(const struct etc_map *index, const struct etc_gap_side *reference,
                 struct etc_str method, uint32_t ordinal, struct etc_arena *arena,
                 const struct etc_gap_run **out)
{
	const uint32_t ordinals[] = { ordinal, 0 };
	const struct etc_gap_run *runs = reference->runs;

	*out = NULL;
	for (int k = 0; k < 2 && !*out; k++) {
		struct etc_str key = nth(arena, method, ordinals[k]);
		size_t at = key.ptr ? etc_map_get(index, key) : ETC_MAP_NONE;

		if (!key.ptr)
			return false;
		if (at != ETC_MAP_NONE)
			*out = &runs[at];
	}
	if (!*out && reference->run_count == 1 && (!method.len || !runs[0].method.len))
		*out = runs;
	return true;
}

/* For each run, finds the run of the reference that it is compared with:
 * - the n-th run of a method is compared with the reference's n-th run of that method;
 * - if the reference has fewer runs of the method, with the first of them;
 * - if the reference has only one run, of another or of an unknown method: with that run, if the
 *   method of that run or of this run is unknown; otherwise with none.
 *
 * False: out of memory. */
static bool match_runs(struct matches *m, const struct etc_gap_side *run,
                       const struct etc_gap_side *reference, struct etc_arena *arena)
{
	struct etc_map index;
	struct counter c;

	m->reference = etc_new(arena, const struct etc_gap_run *, run->run_count);
	if (!m->reference || !index_runs(&index, reference, arena) ||
	    !begin_count(&c, run->run_count, arena))
		return false;
	for (uint32_t i = 0; i < run->run_count; i++) {
		uint32_t n = count_run(&c, run->runs[i].method);

		if (n == UINT32_MAX ||
		    !find(&index, reference, run->runs[i].method, n, arena, &m->reference[i]))
			return false;
	}
	return true;
}

struct work {
	struct etc_session *session;
	const struct etc_numeric_options *options;
	struct etc_inputs in, other;
	bool other_is_dump;
	struct etc_logged_list logged, other_logged;
	struct etc_references references;
	struct etc_gap_graphs graphs, other_graphs;
	struct etc_gap_side run, reference;
	uint8_t join; /* enum etc_gap_join */
	/* the instructions that the record lists, per graph. Only set with ETC_GAP_BY_SPOT (values
	 * are matched by instruction) and a record; else NULL */
	const struct etc_gap_nodes *calls;
	struct matches matches;
	struct etc_gap_line *lines;
	uint32_t line_count, uncompared, starts, unproven;
	bool several_methods, several_runs;
	bool same_program; /* both sides ran the same instructions */
	/* runs: number of runs that logged values; runs_compared: number of those runs that have
	 * lines in the table */
	uint32_t runs, runs_compared;
	/* number of outputs of all runs, and number of those outputs that were compared */
	uint32_t outputs, outputs_compared;
	/* the first output whose error is clearly larger than the errors of all compared
	 * intermediate values */
	struct etc_gap_line output_off;
	/* read_sample() sets the members from here to `example`, if the dumps do not contain all
	 * inputs */
	/* the record, read again with ETC_RECORD_VALUES: with the inputs that it contains */
	struct etc_record values;
	bool values_read;
	struct etc_str sample_method;
	/* inputs of the method `sample_method` in the record. `sample`: its representative inputs;
	 * `example`: the inputs with which the model was exported */
	struct etc_fed sample, example;
	uint32_t other_inputs; /* number of runs whose inputs differ from the reference's */
};

/* ---- files --------------------------------------------------------------------------- */

static enum etc_status open_dump(struct work *w, const struct etc_input_paths *paths,
                                 struct etc_inputs *in, struct etc_error *err)
{
	ETC_TRY(etc_inputs_open(w->session, paths, in, err));
	etc_remark_foreign(in, &w->session->notes);
	if (in->record_foreign.len) {
		in->etrecord = (struct etc_input_file){ 0 };
		in->record = (struct etc_record){ 0 };
	}
	if (!in->debug_buffer.path)
		return etc_fail(err, E1175, "%s", paths->dump);
	return etc_profile_meet(w->session, &w->options->common, in, err);
}

/* If only one of the two dumps has a record, uses this record for both dumps. */
static void share_record(struct etc_inputs *a, struct etc_inputs *b)
{
	if (a->etrecord.path && !b->etrecord.path) {
		b->etrecord = a->etrecord;
		b->record = a->record;
		/* record_foreign is about a record of `b` itself, which is not used */
		b->record_foreign = ETC_STR_NONE;
	} else if (b->etrecord.path && !a->etrecord.path) {
		a->etrecord = b->etrecord;
		a->record = b->record;
		a->record_foreign = ETC_STR_NONE;
	}
}

static enum etc_status open_reference(struct work *w, struct etc_error *err)
{
	const struct etc_numeric_options *o = w->options;
	struct etc_session *s = w->session;
	struct etc_span bytes;

	ETC_TRY(etc_session_open(s, o->reference, &bytes, err));
	w->other_is_dump = etc_file_kind_of(bytes) == ETC_FILE_ETDUMP;
	if (w->other_is_dump) {
		const struct etc_input_paths paths = {
			.dump = o->reference,
			.etrecord = o->reference_etrecord,
			.debug_buffer = o->reference_buffer,
			.no_siblings = o->paths.no_siblings,
			.verbose = o->paths.verbose,
		};

		return open_dump(w, &paths, &w->other, err);
	}
	if (o->reference_buffer || o->reference_etrecord)
		return etc_fail(err, E0501, "--reference-%s is of a --reference that is a dump",
		                o->reference_buffer ? "buffer" : "etrecord");
	return etc_in_file(err, etc_references_read(bytes, &s->arena, &w->references, err),
	                   o->reference);
}

/* Is the record the same for both sides? Also true if neither side has a record. */
static bool same_record(const struct work *w)
{
	const struct etc_span a = w->in.etrecord.bytes, b = w->other.etrecord.bytes;

	return a.len == b.len && (a.ptr == b.ptr || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static enum etc_status open_all(struct work *w, struct etc_error *err)
{
	const struct etc_numeric_options *o = w->options;
	struct etc_arena *arena = &w->session->arena;

	ETC_TRY(open_dump(w, &o->paths, &w->in, err));
	ETC_TRY(open_reference(w, err));
	if (w->other_is_dump)
		share_record(&w->in, &w->other);
	else if (!w->in.etrecord.path && w->in.record_foreign.len)
		return etc_fail(err, E1184, "%s: the one given is of another export: " ETC_STR_FMT,
		                o->paths.dump, ETC_STR_ARG(w->in.record_foreign));
	else if (!w->in.etrecord.path)
		return etc_fail(err, E1184, "%s", o->paths.dump);
	ETC_TRY(etc_gap_graphs_read(&w->in, arena, &w->graphs, err));
	ETC_TRY(etc_logged_list(&w->in, &w->in.debug_buffer.bytes, arena, &w->logged, err));
	if (!w->other_is_dump)
		return ETC_OK;
	w->other_graphs = w->graphs;
	if (!same_record(w))
		ETC_TRY(etc_gap_graphs_read(&w->other, arena, &w->other_graphs, err));
	return etc_logged_list(&w->other, &w->other.debug_buffer.bytes, arena, &w->other_logged,
	                       err);
}

/* ---- the two sides of the comparison ------------------------------------------------- */

/* Returns how the values of the two sides are matched (enum etc_gap_join). If both sides have
 * graphs, values are matched by node, since several nodes may have the same debug handle. */
static uint8_t join_of(const struct work *w)
{
	if (w->other_is_dump && !w->in.etrecord.path)
		return ETC_GAP_BY_SPOT;
	if (!w->graphs.count || (w->other_is_dump && !w->other_graphs.count))
		return ETC_GAP_BY_HANDLE;
	return ETC_GAP_BY_NODE;
}

/* Are the nodes of at least half of the run's values unknown, although the records belong to the
 * programs that ran? */
static bool nodes_are_unknown(const struct work *w)
{
	const struct etc_gap_side *side = &w->run;
	uint64_t values = 0, unknown = 0;

	for (uint32_t i = 0; i < w->graphs.count; i++)
		if (side->nodes[i].foreign)
			return false;
	for (uint32_t i = 0; i < w->other_graphs.count; i++)
		if (w->reference.nodes[i].foreign)
			return false;
	for (uint32_t i = 0; i < side->run_count; i++)
		for (uint32_t k = 0; k < side->runs[i].count; k++, values++)
			unknown += side->runs[i].values[k].why != NULL;
	return values && unknown * 2 >= values;
}

static enum etc_status make_sides(struct work *w, struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	struct etc_gap_keys keys = { .arena = arena };
	struct etc_gap_translations translations;
	struct etc_gap_keying of_run = { .graphs = &w->graphs, .keys = &keys };
	struct etc_gap_keying of_other = { .graphs = &w->other_graphs, .keys = &keys };

	etc_map_init(&keys.spots, arena);
	w->join = of_run.join = of_other.join = join_of(w);
	of_other.is_reference = true;
	of_other.run = &w->run;
	of_other.run_graphs = &w->graphs;
	ETC_TRY(etc_gap_of_dump(&w->in, &w->logged, &of_run, arena, &w->run, err));
	if (!w->other_is_dump)
		return etc_gap_of_references(&w->references, &w->graphs, &w->run, arena,
		                             &w->reference, err);
	w->same_program = of_run.same_program = of_other.same_program =
		same_record(w) ||
		etc_gap_same_program(&w->graphs, &w->in.record, &w->other_graphs, &w->other.record);
	if (w->join == ETC_GAP_BY_NODE && !of_other.same_program) {
		ETC_TRY(etc_gap_translate(&w->other_graphs, &w->graphs, arena, &translations, err));
		of_other.translations = &translations;
	}
	ETC_TRY(etc_gap_of_dump(&w->other, &w->other_logged, &of_other, arena, &w->reference, err));
	if (w->join != ETC_GAP_BY_NODE || !w->same_program || !nodes_are_unknown(w))
		return ETC_OK;
	/* Both sides ran the same program, so an instruction computes the same values on both
	 * sides, even if its nodes are unknown. */
	w->calls = w->run.nodes;
	w->join = of_run.join = of_other.join = ETC_GAP_BY_SPOT;
	ETC_TRY(etc_gap_of_dump(&w->in, &w->logged, &of_run, arena, &w->run, err));
	return etc_gap_of_dump(&w->other, &w->other_logged, &of_other, arena, &w->reference, err);
}

/* ---- comparison of one value --------------------------------------------------------- */

/* Returns the relative difference of two values. It is infinite if an element is NaN or infinite on
 * only one side. It is 0 if the quotient is 0 / 0. */
static double relative_of(const struct etc_difference *d)
{
	double v = isinf(d->max_abs) ? (double)INFINITY : etc_difference_relative(d);

	return isnan(v) ? 0 : v;
}

static double epsilon_of(const struct etc_operand *a, const struct etc_operand *b)
{
	double x = etc_epsilon_of(&a->e), y = etc_epsilon_of(&b->e);

	return x > y ? x : y;
}

static struct etc_str module_of(const struct etc_node *n)
{
	return n && n->module_count ? n->modules[n->module_count - 1].path : ETC_STR_NONE;
}

/* `line` has a value that one of several nodes computed. Do all of these nodes have the same module
 * and source line as `n`? */
static bool is_known_place(const struct etc_gap_graph *g, const struct etc_gap_line *line,
                           const struct etc_node *n)
{
	bool all = true;

	for (uint32_t i = 0; i < line->may_count; i++) {
		const struct etc_node *m = g->lines.v[line->may[i]].node;

		all = all && m && etc_str_eq(module_of(m), module_of(n)) &&
		      etc_str_eq(m->source_file, n->source_file) &&
		      m->source_line == n->source_line;
	}
	return all;
}

static void describe_node(const struct etc_gap_graph *g, struct etc_arena *arena,
                          struct etc_gap_line *line)
{
	uint32_t at = line->line;
	const struct etc_node *n;

	if (at == UINT32_MAX && g)
		at = etc_gap_flow_line(&g->flow, line->handle);
	if (at == UINT32_MAX || !g)
		return;
	n = g->lines.v[at].node;
	if (!line->may || line->line != UINT32_MAX)
		line->nodes = n->name;
	if (!is_known_place(g, line, n))
		return;
	line->module = module_of(n);
	if (n->source_file.len)
		line->source =
			etc_arena_printf(arena, ETC_STR_FMT ":%u", ETC_STR_ARG(n->source_file),
		                         (unsigned)n->source_line);
}

static enum etc_status compare(struct work *w, const struct etc_gap_value *reference,
                               const struct etc_gap_value *run, uint32_t item, bool viewed,
                               struct etc_gap_line *line, struct etc_error *err)
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
	/* A view of a tensor has the same elements in the same order. So the reference gets the
	 * shape of the run's value before the comparison. */
	if ((viewed || reference->viewed) && a.e.count == b.e.count && a.e.contiguous &&
	    b.e.contiguous) {
		a.e.sizes = b.e.sizes;
		a.e.strides = b.e.strides;
		a.e.rank = b.e.rank;
	}
	switch (etc_difference_of(&a.e, &b.e, none, false, &line->difference)) {
	case ETC_COMPARED_SHAPES:
		line->problem = etc_arena_printf(arena, "the reference is " ETC_STR_FMT,
		                                 ETC_STR_ARG(etc_operand_shape(&a, arena)));
		return line->problem.ptr ? ETC_OK : etc_no_memory(err);
	case ETC_COMPARED_MANY:
		line->problem = ETC_STR("more elements than are stored");
		return ETC_OK;
	default:
		line->verdict = ETC_GAP_CLEAN;
		line->compared = true;
		line->relative = relative_of(&line->difference);
		line->epsilon = epsilon_of(&a, &b);
		line->is_integer = a.e.kind != ETC_SCALAR_FLOAT || b.e.kind != ETC_SCALAR_FLOAT;
		return ETC_OK;
	}
}

/* Returns the reference's value of the line `key`, or NULL. If the line is a view, and the
 * reference has no value for it, returns the reference's value of the viewed node, which has the
 * same elements, and sets *viewed. (A runtime may have computed the view on one side only.) */
static const struct etc_gap_value *find_reference(const struct etc_gap_graph *g,
                                                  const struct etc_gap_run *reference, int64_t key,
                                                  uint32_t occurrence, bool *viewed)
{
	const struct etc_gap_value *r = etc_gap_find(reference, key, occurrence);

	for (*viewed = false; !r && g && key >= 0 && key < g->lines.count; *viewed = true) {
		const struct etc_node *n = etc_gap_called_node(&g->lines.v[key]);
		const uint32_t *first = g->flow.first_input;

		if (!n || !etc_gap_may_vanish(n) || first[key] == first[key + 1])
			return NULL;
		key = g->flow.inputs[first[key]];
		r = etc_gap_find(reference, key, occurrence);
	}
	return r;
}

/* Compares the value `v`, whose node is one of v->may, with the reference's value of each of these
 * nodes. Stores the smallest difference, because the error of `v` is at least that large. A node is
 * left out if its value cannot be compared with `v`, for example because the shapes differ. If the
 * reference lacks the value of any of these nodes, nothing is compared. */
static enum etc_status compare_choices(struct work *w, const struct etc_gap_graph *g,
                                       const struct etc_gap_run *reference,
                                       const struct etc_gap_value *v, struct etc_gap_line *line,
                                       struct etc_error *err)
{
	uint32_t *may = etc_new(&w->session->arena, uint32_t, v->may_count);
	struct etc_gap_line best;

	ETC_NEED(may, err);
	line->problem =
		ETC_STR("several operators have this handle: which gave the value is not known");
	best = *line;
	best.may_count = 0;
	for (uint32_t i = 0; i < v->may_count; i++) {
		bool viewed;
		const struct etc_gap_value *r =
			find_reference(g, reference, v->may[i], v->occurrence, &viewed);
		struct etc_gap_line one = *line;

		if (!r || r->why)
			return ETC_OK;
		one.problem = ETC_STR_NONE;
		ETC_TRY(compare(w, r, v, 0, viewed, &one, err));
		if (!one.compared)
			continue;
		may[best.may_count] = v->may[i];
		one.may_count = best.may_count + 1;
		one.line = v->may[i];
		one.other = r;
		if (!best.compared || one.relative < best.relative)
			best = one;
		best.may_count = one.may_count;
	}
	best.may = may;
	*line = best;
	return ETC_OK;
}

/* ---- inputs -------------------------------------------------------------------------- */

/* Reads the inputs of a method from the record: into w->sample the representative inputs, from
 * which a reference file was computed, and into w->example the inputs of the export. */
static enum etc_status read_sample(struct work *w, struct etc_str method, struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;

	if (!w->values_read)
		ETC_TRY(etc_in_file(err,
		                    etc_etrecord_read(w->in.etrecord.bytes, ETC_RECORD_VALUES,
		                                      arena, NULL, &w->values, err),
		                    w->in.etrecord.path));
	else if (etc_str_eq(w->sample_method, method))
		return ETC_OK;
	w->values_read = true;
	w->sample_method = method;
	ETC_TRY(etc_fed_record(&w->values.example_inputs, method, arena, &w->example, err));
	return etc_fed_record(&w->values.representative_inputs, method, arena, &w->sample, err);
}

static size_t first_of_run(const struct etc_logged_list *list, uint32_t run)
{
	size_t i = 0;

	while (i < list->count && list->v[i].run != run)
		i++;
	return i;
}

static bool is_whole(const struct etc_fed *f)
{
	return f->count && !f->partial;
}

static enum etc_status compare_inputs(struct work *w, const struct etc_gap_run *run,
                                      const struct etc_gap_run *reference,
                                      struct etc_gap_verdicts *verdicts, struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	struct etc_fed a, b = { 0 }, sample = { 0 }, example = { 0 };
	uint8_t answer;

	ETC_TRY(etc_fed_run(&w->in, &w->logged, first_of_run(&w->logged, run->run), arena, &a,
	                    err));
	if (w->other_is_dump)
		ETC_TRY(etc_fed_run(&w->other, &w->other_logged,
		                    first_of_run(&w->other_logged, reference->run), arena, &b,
		                    err));
	if (!is_whole(&b) && (!is_whole(&a) || !w->other_is_dump) && w->in.etrecord.path) {
		ETC_TRY(read_sample(w, run->method, err));
		sample = w->sample;
		example = w->example;
	}
	verdicts->fed_most = etc_fed_most(is_whole(&a)        ? &a
	                                  : is_whole(&b)      ? &b
	                                  : is_whole(&sample) ? &sample
	                                                      : &example);
	if (!a.count)
		return ETC_OK;
	answer = etc_fed_compare(&a, w->other_is_dump ? &b : &sample);
	verdicts->other_inputs = answer == ETC_FED_OTHER;
	verdicts->near_inputs = answer == ETC_FED_NEAR;
	/* The inputs count as the same only if the reference is a dump. A reference file may have
	 * been computed from inputs that the record does not have. */
	verdicts->same_inputs = answer == ETC_FED_SAME && w->other_is_dump && is_whole(&a);
	w->other_inputs += verdicts->other_inputs;
	return ETC_OK;
}

/* ---- outputs ------------------------------------------------------------------------- */

/* Returns output `item` of a run; NULL: the run logged no such output. */
static const struct etc_logged *output_of(const struct etc_logged_list *list, uint32_t run,
                                          int32_t item)
{
	for (size_t i = first_of_run(list, run); i < list->count && list->v[i].run == run; i++)
		if (list->v[i].what == ETC_LOGGED_OUTPUT && list->v[i].item == item)
			return &list->v[i];
	return NULL;
}

/* Compares the outputs of two runs. If w->output_off is not set yet, sets it to the first output
 * whose error is clearly larger than the errors of all compared intermediate values. */
static enum etc_status compare_outputs(struct work *w, const struct etc_gap_run *run,
                                       const struct etc_gap_run *reference,
                                       const struct etc_gap_verdicts *verdicts,
                                       struct etc_error *err)
{
	const struct etc_logged *x;
	double most = 0;

	for (uint32_t i = 0; i < verdicts->count; i++)
		most = fmax(most, verdicts->lines[i].relative);
	for (int32_t k = 0; (x = output_of(&w->logged, run->run, k)) != NULL; k++) {
		const struct etc_logged *y = output_of(&w->other_logged, reference->run, k);
		const struct etc_gap_value a = { .logged = y, .count = 1 };
		const struct etc_gap_value b = { .logged = x, .count = 1 };
		struct etc_gap_line l = { .run = run->run, .item = k };

		if (!y)
			continue;
		ETC_TRY(compare(w, &a, &b, 0, false, &l, err));
		w->outputs_compared += l.compared;
		l.input = most;
		if (l.compared && !w->output_off.compared && !etc_gap_is_carried(&l))
			w->output_off = l;
	}
	return ETC_OK;
}

/* ---- comparison of one run ----------------------------------------------------------- */

/* Returns the number of outputs in all values of the run (the sum of their members `count`). The
 * run has at most this many rows in the table of results. */
static uint32_t lines_of(const struct etc_gap_run *run)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < run->count; i++)
		n += run->values[i].count;
	return n;
}

static bool is_delegates(const struct etc_gap_value *v)
{
	return v && v->logged && v->logged->what != ETC_LOGGED_OPERATOR;
}

static struct etc_gap_line line_of(const struct work *w, const struct etc_gap_run *run,
                                   const struct etc_gap_value *v)
{
	struct etc_gap_line l = {
		.method = run->method,
		.run = run->run,
		.occurrence = v->occurrence,
		.handle = v->handle,
		.has_handle = w->join != ETC_GAP_BY_SPOT,
		.instruction = v->instruction,
		.item = -1,
		.line = UINT32_MAX,
		.name = v->name,
		.may = v->may,
		.may_count = v->may_count,
		.is_delegate = is_delegates(v),
		.verdict = ETC_GAP_UNKNOWN,
	};

	if (w->join == ETC_GAP_BY_NODE && !v->why && !v->may_count)
		l.line = (uint32_t)v->key;
	return l;
}

/* Returns the reason why two values cannot be compared, for example because they are of different
 * operators. Returns NULL if they can be compared, or if only compare_choices() can find out. `r`
 * is NULL if the reference has no value. */
static const char *why_not(const struct work *w, const struct etc_gap_value *r,
                           const struct etc_gap_value *v)
{
	if (v->why)
		return v->why;
	if (!r && v->may_count)
		return NULL;
	if (!r)
		return "the reference logged no such round of the loop";
	if (r->why)
		return r->why;
	if (w->join != ETC_GAP_BY_NODE && r->logged && !etc_str_eq(r->name, v->name))
		return "the reference logged another operator there";
	if (w->join == ETC_GAP_BY_HANDLE && !r->logged)
		return "no graph tells which operator the reference is of";
	return NULL;
}

static enum etc_status compare_value(struct work *w, struct etc_gap_graph *g,
                                     const struct etc_gap_run *run,
                                     const struct etc_gap_run *reference,
                                     const struct etc_gap_value *v, struct etc_gap_line *lines,
                                     uint32_t *n, struct etc_error *err)
{
	bool viewed;
	const struct etc_gap_value *r =
		find_reference(g, reference, v->key, v->occurrence, &viewed);
	const char *why = why_not(w, r, v);
	uint32_t pairs = why || !r ? 1 : etc_gap_pairs(r, v);

	/* A node without any value in the reference gets no row. But if the node is in a loop, and
	 * the reference has values of it from earlier iterations only, a later iteration gets a
	 * row. */
	if (!r && !v->why && !v->may_count &&
	    (!v->occurrence || !etc_gap_find(reference, v->key, 0)))
		return ETC_OK;
	for (uint32_t k = 0; k < pairs; k++, (*n)++) {
		struct etc_gap_line *l = &lines[*n];

		*l = line_of(w, run, v);
		l->method = run->method.len ? run->method : reference->method;
		l->reference_name = r ? r->name : ETC_STR_NONE;
		l->approximates = l->is_delegate != is_delegates(r);
		l->item = pairs > 1 ? (int32_t)k : -1;
		l->value = v;
		l->other = r;
		if (why)
			l->problem = etc_str_of(why);
		else if (r)
			ETC_TRY(compare(w, r, v, k, viewed, l, err));
		else
			ETC_TRY(compare_choices(w, g, reference, v, l, err));
		describe_node(g, &w->session->arena, l);
		w->uncompared += l->verdict == ETC_GAP_UNKNOWN;
	}
	return ETC_OK;
}

static enum etc_status compare_run(struct work *w, const struct etc_gap_run *run,
                                   const struct etc_gap_run *reference, struct etc_error *err)
{
	struct etc_gap_graph *g =
		w->join == ETC_GAP_BY_NODE ? etc_gap_graph_of(&w->graphs, run->method) : NULL;
	const struct etc_gap_graph *of_calls =
		w->calls ? etc_gap_graph_of(&w->graphs, run->method) : NULL;
	struct etc_gap_verdicts verdicts = {
		.lines = w->lines + w->line_count,
		.graph = g,
		.nodes = g ? &w->run.nodes[g - w->graphs.v] : NULL,
		.calls = of_calls ? &w->calls[of_calls - w->graphs.v] : NULL,
		.run = run,
		.reference = reference,
		.same_program = w->same_program,
		.later = run->run != w->logged.v[0].run ||
		         (w->other_is_dump && reference->run != w->other_logged.v[0].run),
	};
	uint32_t n = 0;

	for (uint32_t i = 0; i < run->count; i++)
		ETC_TRY(compare_value(w, g, run, reference, &run->values[i],
		                      w->lines + w->line_count, &n, err));
	w->line_count += n;
	verdicts.count = n;
	verdicts.all = n == lines_of(run);
	ETC_TRY(compare_inputs(w, run, reference, &verdicts, err));
	ETC_TRY(etc_gap_judge(&verdicts, &w->session->arena, err));
	w->starts += verdicts.starts;
	w->unproven += !verdicts.starts && verdicts.unproven;
	return w->other_is_dump ? compare_outputs(w, run, reference, &verdicts, err) : ETC_OK;
}

static bool is_wanted(const struct work *w, struct etc_str method)
{
	return !w->options->method || !method.len ||
	       etc_str_eq(method, etc_str_of(w->options->method));
}

/* Counts the runs that logged values, and the outputs of these runs. Runs of which nothing can be
 * compared count, too, because the user may have chosen the wrong reference for them. */
static void count_logged(struct work *w)
{
	const struct etc_logged *v = w->logged.v;

	for (size_t i = 0; i < w->logged.count; i++) {
		if (!is_wanted(w, v[i].method))
			continue;
		w->outputs += v[i].what == ETC_LOGGED_OUTPUT;
		w->runs += !i || v[i].run != v[i - 1].run;
	}
}

static enum etc_status compare_all(struct work *w, struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	uint32_t most = 0, without = 0;

	for (uint32_t i = 0; i < w->run.run_count; i++)
		most += lines_of(&w->run.runs[i]);
	count_logged(w);
	w->lines = etc_new(arena, struct etc_gap_line, most);
	ETC_NEED(w->lines && match_runs(&w->matches, &w->run, &w->reference, arena), err);
	for (uint32_t i = 0; i < w->run.run_count; i++) {
		const struct etc_gap_run *run = &w->run.runs[i], *reference;
		uint32_t before = w->line_count;

		if (!is_wanted(w, run->method))
			continue;
		reference = w->matches.reference[i];
		if (reference)
			ETC_TRY(compare_run(w, run, reference, err));
		else
			without++;
		w->runs_compared += w->line_count > before;
		if (w->line_count > before && before)
			w->several_methods |=
				!etc_str_eq(w->lines[before].method, w->lines[0].method);
	}
	w->several_runs = w->runs_compared > 1;
	w->session->notes.file = etc_str_of(w->in.dump.path);
	if (without)
		etc_note_each(&w->session->notes, W1173, "%u run%s", (unsigned)without,
		              without > 1 ? "s" : "");
	if (w->other_inputs)
		etc_note_each(&w->session->notes, W0460, "%u run%s", (unsigned)w->other_inputs,
		              w->other_inputs > 1 ? "s" : "");
	if (w->run.unjoined)
		etc_note_each(&w->session->notes, N1178, "%u events", (unsigned)w->run.unjoined);
	if (!w->line_count)
		return etc_fail(err, E1172, "%s and %s have no %s in common",
		                w->options->paths.dump, w->options->reference,
		                w->join == ETC_GAP_BY_SPOT ? "instruction" : "debug handle");
	if (w->uncompared)
		etc_note_each(&w->session->notes, W1176, "%u of %u", (unsigned)w->uncompared,
		              (unsigned)w->line_count);
	return ETC_OK;
}

/* ---- the answer ---------------------------------------------------------------------- */

static bool is_start(const struct etc_gap_line *l)
{
	return l->verdict == ETC_GAP_STARTS || l->verdict == ETC_GAP_STARTS_IF;
}

/* Returns a text about where the error of a line was seen: "at linear (a)", "in the delegate of
 * instruction 4, seen at linear (a)", or "in debug handle 3, which several instructions compute,
 * seen at linear (a)". */
static struct etc_str place_text(const struct work *w, const struct etc_gap_line *l)
{
	struct etc_arena *arena = &w->session->arena;
	struct etc_str what = l->nodes.len ? l->nodes : l->name, in = { 0 };

	if (l->is_spread)
		in = etc_arena_printf(arena,
		                      "in debug handle %lld, which several instructions compute, "
		                      "seen ",
		                      (long long)l->handle);
	else if (l->is_delegate && l->instruction >= 0)
		in = etc_arena_printf(arena, "in the delegate of instruction %d, seen ",
		                      (int)l->instruction);
	return etc_arena_printf(arena, ETC_STR_FMT "at " ETC_STR_FMT "%s" ETC_STR_FMT "%s",
	                        ETC_STR_ARG(in), ETC_STR_ARG(what), l->module.len ? " (" : "",
	                        ETC_STR_ARG(l->module), l->module.len ? ")" : "");
}

/* Returns the line above the table about where the error of a run starts, or is first seen: "run 1:
 * the error starts at linear (a): 0.0012 of the reference, after 2e-08 of its inputs". If there is
 * a condition, it comes first: "if both sides had the same inputs, the error starts". */
static struct etc_str start_text(const struct work *w, const struct etc_gap_line *l)
{
	struct etc_arena *arena = &w->session->arena;
	bool starts = is_start(l);

	return etc_arena_printf(
		arena,
		ETC_STR_FMT "%srun %u: %s " ETC_STR_FMT
			    ": %.2g of the reference, after %.2g of its inputs%s" ETC_STR_FMT,
		ETC_STR_ARG(w->several_methods ? l->method : ETC_STR_NONE),
		w->several_methods ? ", " : "", (unsigned)l->run,
		l->verdict == ETC_GAP_STARTS_IF
			? "if both sides had the same inputs, the error starts"
		: starts ? "the error starts"
			 : "where the error starts is not known; it is first seen",
		ETC_STR_ARG(place_text(w, l)), l->relative, l->input, starts ? "" : "; ",
		ETC_STR_ARG(starts ? ETC_STR_NONE : l->problem));
}

/* Returns the line above the table about the first value that differs, although both sides computed
 * it by the same operators from equal values. Empty: there is no such value. */
static struct etc_str other_bits_text(const struct work *w)
{
	for (uint32_t i = 0; i < w->line_count; i++)
		if (w->lines[i].other_bits)
			return etc_arena_printf(
				&w->session->arena,
				"run %u: both sides ran the same operators on the same inputs, but "
				"differ " ETC_STR_FMT
				", by %.2g of the reference: other constants, another build or "
				"another machine",
				(unsigned)w->lines[i].run, ETC_STR_ARG(place_text(w, &w->lines[i])),
				w->lines[i].relative);
	return ETC_STR_NONE;
}

/* Returns the line above the table for the case that no error starts anywhere. It has the number of
 * compared values. */
static struct etc_str agreement_text(const struct work *w)
{
	struct etc_arena *arena = &w->session->arena;
	const struct etc_gap_line *off = &w->output_off;
	uint32_t runs_left = w->runs - w->runs_compared;
	bool outputs =
		w->other_is_dump ? w->outputs && w->outputs_compared == w->outputs : !w->uncompared;
	bool all = outputs && !runs_left;
	struct etc_str bits = other_bits_text(w), rest = { 0 };
	uint32_t compared = 0;

	for (uint32_t i = 0; i < w->line_count; i++)
		compared += w->lines[i].compared;
	if (off->compared)
		return etc_arena_printf(arena,
		                        "where the error starts is not known: in run %u output %d "
		                        "is off by %.2g of the reference; the %u of %u values "
		                        "that were compared do not explain it",
		                        (unsigned)off->run, (int)off->item, off->relative,
		                        (unsigned)compared, (unsigned)w->line_count);
	if (compared == 0)
		return ETC_STR("no value could be compared: where an error starts is not known");
	if (bits.len)
		return bits;
	if (compared == w->line_count && all)
		return etc_arena_printf(arena,
		                        "no error starts: all %u values were compared, and agree "
		                        "as far as rounding goes",
		                        (unsigned)compared);
	if (runs_left)
		rest = etc_arena_printf(arena, "; %u of %u runs could not be compared",
		                        (unsigned)runs_left, (unsigned)w->runs);
	else if (!outputs)
		rest = ETC_STR("; not all outputs of the model were compared");
	return etc_arena_printf(arena,
	                        "%s%u of %u values were compared, and agree as far as rounding "
	                        "goes" ETC_STR_FMT,
	                        all ? "no error starts: " : "", (unsigned)compared,
	                        (unsigned)w->line_count, ETC_STR_ARG(rest));
}

enum { HEADS = 8 };

static uint32_t make_head(const struct work *w, struct etc_str head[HEADS + 2])
{
	uint32_t n = 0;

	head[n++] = etc_arena_printf(&w->session->arena, "values against %s, joined by %s",
	                             w->options->reference,
	                             w->join == ETC_GAP_BY_SPOT ? "instruction" : "debug handle");
	for (uint32_t i = 0; i < w->line_count && n < HEADS; i++)
		if (is_start(&w->lines[i]) || w->lines[i].first_seen)
			head[n++] = start_text(w, &w->lines[i]);
	if (w->starts + w->unproven == 0)
		head[n++] = agreement_text(w);
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

	page.file_count = etc_list_files(&w->in, hashes, arena, files);
	if (w->other_is_dump)
		page.file_count +=
			etc_list_files(&w->other, hashes, arena, files + page.file_count);
	page.head = head;
	page.head_count = make_head(w, head);
	page.shown = etc_gap_columns(w->several_methods, w->several_runs,
	                             w->join != ETC_GAP_BY_SPOT, w->uncompared > 0);
	ETC_TRY(etc_view_gap(w->lines, w->line_count, arena, &table, err));
	ETC_TRY(etc_numeric_sheet_select(sheet, &table, &page, arena, err));
	return etc_numeric_sheet_write(sheet, &page, w->session, out, err);
}

static enum etc_status run(struct work *w, struct etc_numeric_sheet *sheet,
                           const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_numeric_options *o = w->options;

	ETC_TRY(etc_numeric_sheet_begin(sheet, o, "etcore.numeric.gap/1", etc_table_formats,
	                                w->session, err));
	if (!o->reference)
		return etc_fail(err, E0501, "numeric gap needs --reference FILE");
	ETC_TRY(open_all(w, err));
	ETC_TRY(make_sides(w, err));
	ETC_TRY(compare_all(w, err));
	ETC_TRY(etc_session_report(w->session, o->common.strict, reply, err));
	return write_page(w, sheet, reply->out, err);
}

enum etc_status etc_numeric_gap(struct etc_session *s, const void *options,
                                const struct etc_reply *reply, struct etc_error *err)
{
	struct etc_numeric_sheet sheet = { 0 };
	struct work w = { .session = s, .options = options };
	enum etc_status st = run(&w, &sheet, reply, err);

	etc_selection_release(&sheet.selection);
	return st;
}
