/* kit_analyse.c -- computes the kit's statistics of a timeline; see kit_csv.h. */
#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/number.h"
#include "commands/pipeline/categories.h"
#include "commands/pipeline/kit_csv.h"
#include "table/csv.h"

struct maker {
	const struct etc_kit_dump *dump;
	struct etc_arena *arena;
	struct etc_kit_analysis *out;
	double *value; /* scratch: one number for each row of the timeline */
	/* per event: index of the next event with the same name; if there is none, the number of
	 * events */
	uint32_t *next;
	uint32_t *last; /* per operator: index of the last event that was added to it */
	struct etc_kit_operator *operators;
};

/* Returns the value that results from writing `v` to the CSV file and reading it again. */
static double reread(double v)
{
	char text[ETC_NUMBER_MAX];
	size_t len = etc_number_repr(text, v);

	return etc_kit_read((struct etc_str){ text, len });
}

static size_t read_event(const struct etc_kit_event *e, double *to)
{
	for (size_t r = 0; r < e->runs; r++)
		to[r] = reread(e->duration_ms[r]);
	return e->runs;
}

static bool is_named(const struct etc_kit_event *e, const char *name)
{
	return etc_str_eq(e->name, etc_str_of(name));
}

static bool is_framework(const struct etc_kit_event *e)
{
	static const char *const names[] = { "Method::execute", "DELEGATE_CALL", "OPERATOR_CALL",
		                             "Program::load_method", "Method::init" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (is_named(e, names[i]))
			return true;
	return false;
}

/* ---- end to end ---------------------------------------------------------------- */

static enum etc_status latencies(struct maker *mk, size_t most, struct etc_error *err)
{
	const struct etc_kit_dump *d = mk->dump;
	struct etc_kit_analysis *a = mk->out;
	struct etc_kit_group *runs = etc_new(mk->arena, struct etc_kit_group, most);
	double *latency;

	ETC_NEED(runs, err);
	for (uint32_t i = 0; i < d->count; i++) {
		const struct etc_kit_event *e = &d->events[i];

		if (!is_named(e, "Method::execute"))
			continue;
		for (size_t r = 0; r < e->runs; r++)
			etc_kit_group_add(&runs[r], reread(e->duration_ms[r]));
		a->runs = e->runs > a->runs ? e->runs : a->runs;
	}
	latency = etc_new(mk->arena, double, a->runs);
	ETC_NEED(latency, err);
	a->latency_ms = latency;
	for (size_t r = 0; r < a->runs; r++)
		latency[r] = runs[r].sum;
	if (!a->runs)
		return ETC_OK;
	ETC_TRY(etc_kit_robust_of(latency, a->runs, mk->arena, &a->robust, err));
	a->total_ms = etc_insp_sum(latency, a->runs);
	a->avg_ms = a->total_ms / (double)a->runs;
	a->min_ms = a->robust.min;
	a->max_ms = a->robust.max;
	return ETC_OK;
}

static double share(const struct maker *mk, double avg)
{
	return mk->out->avg_ms > 0 ? avg / mk->out->avg_ms * 100 : 0;
}

/* ---- operators ------------------------------------------------------------------ */

static enum etc_status find_operators(struct maker *mk, struct etc_error *err)
{
	const struct etc_kit_dump *d = mk->dump;
	struct etc_map known;
	size_t count = 0;

	etc_map_init(&known, mk->arena);
	for (uint32_t i = 0; i < d->count; i++) {
		const struct etc_kit_event *e = &d->events[i];
		size_t at;

		mk->next[i] = d->count;
		if (!e->runs || is_framework(e))
			continue;
		at = etc_map_add(&known, e->name, count);
		if (at == ETC_MAP_NONE)
			return etc_no_memory(err);
		if (at == count) {
			mk->operators[count++] = (struct etc_kit_operator){
				.name = e->name,
				.category = etc_category_v2(e->name),
				.first = i,
			};
		} else {
			mk->next[mk->last[at]] = i;
		}
		mk->last[at] = i;
		mk->operators[at].events += e->runs;
	}
	mk->out->operator_count = (uint32_t)count;
	return ETC_OK;
}

static int slower_operator(const void *x, const void *y)
{
	const struct etc_kit_operator *a = x, *b = y;

	if (a->avg_ms != b->avg_ms)
		return a->avg_ms < b->avg_ms ? 1 : -1;
	return (a->first > b->first) - (a->first < b->first);
}

static void measure_operators(struct maker *mk)
{
	const struct etc_kit_dump *d = mk->dump;

	for (uint32_t k = 0; k < mk->out->operator_count; k++) {
		struct etc_kit_operator *o = &mk->operators[k];
		size_t n = 0;

		for (uint32_t i = o->first; i < d->count; i = mk->next[i])
			n += read_event(&d->events[i], mk->value + n);
		o->total_ms = etc_insp_sum(mk->value, n);
		o->avg_ms = o->total_ms / (double)mk->out->runs;
		o->pct_of_e2e = share(mk, o->avg_ms);
	}
	if (mk->out->operator_count)
		qsort(mk->operators, mk->out->operator_count, sizeof *mk->operators,
		      slower_operator);
	mk->out->operators = mk->operators;
}

/* ---- categories ------------------------------------------------------------------ */

static int slower_category(const void *x, const void *y)
{
	const struct etc_kit_category *a = x, *b = y;

	if (a->avg_ms != b->avg_ms)
		return a->avg_ms < b->avg_ms ? 1 : -1;
	return strcmp(a->name, b->name);
}

static enum etc_status measure_categories(struct maker *mk, const char *const *of_event,
                                          struct etc_error *err)
{
	const struct etc_kit_dump *d = mk->dump;
	struct etc_kit_category *c = etc_new(mk->arena, struct etc_kit_category, ETC_KIT_V2_COUNT);
	uint32_t count = 0;

	ETC_NEED(c, err);
	for (uint32_t k = 0; k < mk->out->operator_count; k++) {
		uint32_t at = 0;

		while (at < count && c[at].name != mk->operators[k].category)
			at++;
		count += at == count;
		c[at].name = mk->operators[k].category;
		c[at].operators++;
	}
	for (uint32_t k = 0; k < count; k++) {
		size_t n = 0;

		for (uint32_t i = 0; i < d->count; i++)
			if (of_event[i] == c[k].name)
				n += read_event(&d->events[i], mk->value + n);
		c[k].total_ms = etc_insp_sum(mk->value, n);
		c[k].avg_ms = c[k].total_ms / (double)mk->out->runs;
		c[k].pct_of_e2e = share(mk, c[k].avg_ms);
	}
	if (count)
		qsort(c, count, sizeof *c, slower_category);
	mk->out->categories = c;
	mk->out->category_count = count;
	return ETC_OK;
}

enum etc_status etc_kit_analyse(const struct etc_kit_dump *d, struct etc_kit_analysis *out,
                                struct etc_error *err)
{
	struct etc_arena *arena = d->arena;
	struct maker mk = { .dump = d, .arena = arena, .out = out };
	const char **of_event = etc_new(arena, const char *, d->count);
	size_t rows = 0, most = 0;

	*out = (struct etc_kit_analysis){ .id = d->id };
	for (uint32_t i = 0; i < d->count; i++) {
		rows += d->events[i].runs;
		most = d->events[i].runs > most ? d->events[i].runs : most;
	}
	mk.value = etc_new(arena, double, rows);
	mk.next = etc_new(arena, uint32_t, d->count);
	mk.last = etc_new(arena, uint32_t, d->count);
	mk.operators = etc_new(arena, struct etc_kit_operator, d->count);
	ETC_NEED(of_event && mk.value && mk.next && mk.last && mk.operators, err);
	ETC_TRY(latencies(&mk, most, err));
	if (!out->runs)
		return ETC_OK;
	ETC_TRY(find_operators(&mk, err));
	for (uint32_t k = 0; k < out->operator_count; k++)
		for (uint32_t i = mk.operators[k].first; i < d->count; i = mk.next[i])
			of_event[i] = mk.operators[k].category;
	measure_operators(&mk);
	return measure_categories(&mk, of_event, err);
}

/* ---- CSV ------------------------------------------------------------------------- */

/* Writes numbers as fields of CSV. A nan is an empty field, as in pandas. */
static void put_reals(struct etc_text *out, const double *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		etc_text_char(out, ',');
		if (!isnan(v[i]))
			etc_kit_put_real(out, v[i]);
	}
}

void etc_kit_category_summary_csv(const void *analysis, struct etc_text *out)
{
	const struct etc_kit_analysis *a = analysis;

	if (!a->category_count) {
		etc_text_char(out, '\n'); /* pandas writes an empty data frame without a header */
		return;
	}
	etc_text_cstr(out, "category,total_ms,avg_ms,pct_of_e2e,operator_count\n");
	for (uint32_t i = 0; i < a->category_count; i++) {
		const struct etc_kit_category *c = &a->categories[i];
		const double cells[] = { c->total_ms, c->avg_ms, c->pct_of_e2e };

		etc_text_cstr(out, c->name);
		put_reals(out, cells, 3);
		etc_text_printf(out, ",%lu\n", (unsigned long)c->operators);
	}
}

static void put_operator(const struct etc_kit_operator *o, struct etc_text *out)
{
	const double cells[] = { o->total_ms, o->avg_ms, o->pct_of_e2e };

	etc_csv_field(out, o->name, ',');
	etc_text_char(out, ',');
	etc_text_cstr(out, o->category);
	put_reals(out, cells, 3);
	etc_text_printf(out, ",%zu\n", o->events);
}

static const char operator_head[] = "operator,category,total_ms,avg_ms,pct_of_e2e,event_count\n";

void etc_kit_operator_details_csv(const void *analysis, struct etc_text *out)
{
	const struct etc_kit_analysis *a = analysis;

	etc_text_cstr(out, a->operator_count ? operator_head : "\n");
	for (uint32_t i = 0; i < a->operator_count; i++)
		put_operator(&a->operators[i], out);
}

void etc_kit_other_top_ops_csv(const void *analysis, struct etc_text *out)
{
	const struct etc_kit_analysis *a = analysis;
	int shown = 0;

	for (uint32_t i = 0; i < a->operator_count && shown < 2; i++) {
		if (strcmp(a->operators[i].category, "OTHER") != 0)
			continue;
		if (!shown++)
			etc_text_cstr(out, operator_head);
		put_operator(&a->operators[i], out);
	}
}

void etc_kit_e2e_latency_csv(const void *analysis, struct etc_text *out)
{
	const struct etc_kit_analysis *a = analysis;
	const double cells[] = { a->total_ms, a->avg_ms, a->min_ms, a->max_ms };

	etc_text_cstr(out, "model_name,num_runs,total_ms,avg_ms,min_ms,max_ms\n");
	etc_csv_field(out, a->id, ',');
	etc_text_printf(out, ",%zu", a->runs);
	put_reals(out, cells, 4);
	etc_text_char(out, '\n');
}

static const struct etc_kit_category *find_category(const struct etc_kit_analysis *a,
                                                    const char *name)
{
	static const struct etc_kit_category none = { 0 };

	for (uint32_t i = 0; i < a->category_count; i++)
		if (strcmp(a->categories[i].name, name) == 0)
			return &a->categories[i];
	return &none;
}

/* Writes the comparison of a pair by category. A speedup is baseline / candidate, as in the kit. */
void etc_kit_comparison_csv(const void *pair, struct etc_text *out)
{
	const struct etc_kit_pair *p = pair;
	/* sorted by name */
	static const char *const names[ETC_KIT_V2_COUNT] = {
		"ACTIVATION", "ATTENTION", "CONV",    "DATA_MOVEMENT", "ELEMENTWISE",
		"EMBEDDING",  "GEMM",      "NORM",    "OTHER",         "POOL",
		"QUANT",      "REDUCTION", "RESHAPE", "RESIZE",        "RNN",
	};

	if (!p->candidate->category_count && !p->base->category_count) {
		etc_text_char(out, '\n');
		return;
	}
	etc_text_printf(out, "category,%s_ms,%s_ms,speedup,%s_pct,%s_pct\n", p->candidate_name,
	                p->base_name, p->candidate_name, p->base_name);
	for (size_t i = 0; i < ETC_KIT_V2_COUNT; i++) {
		const struct etc_kit_category *x = find_category(p->candidate, names[i]),
					      *y = find_category(p->base, names[i]);
		const double cells[] = { x->avg_ms, y->avg_ms,
			                 x->avg_ms > 0 ? y->avg_ms / x->avg_ms : 0, x->pct_of_e2e,
			                 y->pct_of_e2e };

		if (!x->name && !y->name)
			continue;
		etc_text_cstr(out, names[i]);
		put_reals(out, cells, 5);
		etc_text_char(out, '\n');
	}
}
