/* tally.c -- see tally.h: the runs of a shape by several threads.
 *
 * While one nest holds, sums of ranges of runs add. The first range goes on as ever; each
 * of the others is added up by a thread that has the nest and its own sums, and stops
 * where the nest does not hold. What it has is taken when its turn comes, if the nest is
 * still the same. */
#include "join/tally.h"

#include "base/memory.h"
#include "base/parallel.h"

/* How often threads are started for one shape; runs and samples that are worth one. */
enum { ROUNDS = 8, RUNS = 4, SAMPLES = 1 << 12 };

struct range {
	struct etc_tally t; /* its own sums, under a copy of the nest */
	size_t to, at;      /* at: the first run that is not in them */
};

struct round {
	struct etc_tally *t;
	struct etc_error *err;
	enum etc_status status; /* of the first range */
	size_t from, to;        /* that */
	struct range *others;
};

static enum etc_status add_here(struct etc_tally *t, size_t from, size_t to, struct etc_error *err)
{
	for (size_t r = from; r < to; r++)
		ETC_TRY(etc_tally_run(t, r, err));
	return ETC_OK;
}

static void do_part(void *work, unsigned part)
{
	struct round *w = work;
	struct range *a = part ? &w->others[part - 1] : NULL;

	if (!a)
		w->status = add_here(w->t, w->from, w->to, w->err);
	while (a && a->at < a->to && etc_tally_follow(&a->t, a->at))
		a->at++;
}

#define COPY(arena, type, from, count) \
	((type *)copy(etc_new(arena, type, count), from, (count) * sizeof(type)))

static void *copy(void *to, const void *from, size_t bytes)
{
	return to && bytes ? memcpy(to, from, bytes) : to;
}

/* A tally of nothing yet, under the nest that holds. */
static bool begin(const struct etc_tally *t, struct etc_tally *out)
{
	size_t n = t->sites->count;

	*out = *t;
	out->low = etc_new(t->scratch, uint64_t, n);
	out->high = etc_new(t->scratch, int32_t, n);
	out->runs = 0;
	out->carried = false;
	out->rounding = out->inside = out->time = out->delegated = 0;
	out->zero = COPY(t->scratch, uint32_t, t->zero, t->zero_count);
	out->leftovers = COPY(t->scratch, struct leftover, t->leftovers, t->leftover_count);
	out->bounds = COPY(t->scratch, struct bound, t->bounds, t->bound_count);
	for (uint32_t k = 0; out->bounds && k < t->bound_count; k++)
		out->bounds[k].sum = 0;
	return out->low && out->high && out->zero && out->leftovers && out->bounds &&
	       etc_nest_copy(&t->nest, t->scratch, &out->nest);
}

/* Those that are in both; both are in the order of the sites. */
static void keep_common(struct etc_tally *t, const struct etc_tally *other)
{
	uint32_t kept = 0;

	for (uint32_t i = 0, k = 0; i < t->zero_count; i++) {
		while (k < other->zero_count && other->zero[k] < t->zero[i])
			k++;
		if (k < other->zero_count && other->zero[k] == t->zero[i])
			t->zero[kept++] = t->zero[i];
	}
	t->zero_count = kept;
}

static void take(struct etc_tally *t, const struct etc_tally *other)
{
	keep_common(t, other);
	for (uint32_t i = 0; i < t->sites->count && other->runs; i++)
		etc_tally_add(t, i, other->low[i]);
	for (uint32_t i = 0; i < t->sites->count && other->carried; i++)
		t->high[i] += other->high[i];
	t->carried = t->carried || other->carried;
	for (uint32_t k = 0; k < t->bound_count; k++)
		t->bounds[k].sum += other->bounds[k].sum;
	t->rounding += other->rounding;
	t->inside += other->inside;
	t->excess = other->excess > t->excess ? other->excess : t->excess;
	t->nest.beyond = t->nest.beyond || other->nest.beyond;
	t->time += other->time;
	t->delegated += other->delegated;
	if (other->runs && (t->runs == 0 || other->first_time < t->first_time)) {
		t->first_time = other->first_time;
		t->first_run = other->first_run;
	}
	t->runs += other->runs;
}

static enum etc_status add_range(struct etc_tally *t, size_t from, size_t to, unsigned *rounds,
                                 struct etc_error *err);

static enum etc_status add_round(struct etc_tally *t, size_t from, size_t to, unsigned *rounds,
                                 struct etc_error *err)
{
	unsigned parts = etc_parts(t->m->jobs, (to - from) / RUNS);
	struct etc_refusal known = etc_memory_refused();
	struct range *others = etc_new(t->scratch, struct range, parts);
	struct round w = { .t = t, .err = err, .from = from, .others = others };
	uint32_t nests = t->nests;
	bool ready = others != NULL;

	for (unsigned k = 1; k < parts && ready; k++) {
		others[k - 1].at = from + etc_part_begin(to - from, parts, k);
		others[k - 1].to = from + etc_part_begin(to - from, parts, k + 1);
		ready = begin(t, &others[k - 1].t);
	}
	etc_memory_forgive(known); /* more threads only save time */
	if (!ready || parts < 2)
		return add_here(t, from, to, err);
	w.to = others[0].at;
	etc_parallel(parts, do_part, &w);
	for (unsigned k = 1; k < parts && w.status == ETC_OK; k++) {
		size_t begin = from + etc_part_begin(to - from, parts, k);

		if (t->nests == nests) {
			take(t, &others[k - 1].t);
			begin = others[k - 1].at;
		}
		w.status = add_range(t, begin, others[k - 1].to, rounds, err);
	}
	return w.status;
}

/* One run after the other, until the nest of one holds for the next one, too. */
static enum etc_status add_range(struct etc_tally *t, size_t from, size_t to, unsigned *rounds,
                                 struct etc_error *err)
{
	for (size_t r = from; r < to; r++) {
		uint32_t nests = t->nests;
		uint64_t runs = t->runs;

		ETC_TRY(etc_tally_run(t, r, err));
		if (*rounds == 0 || runs == 0 || t->nests != nests || t->runs == runs ||
		    to - r - 1 < 2 * RUNS || (to - r - 1) * t->sites->count < SAMPLES)
			continue;
		--*rounds;
		return add_round(t, r + 1, to, rounds, err);
	}
	return ETC_OK;
}

enum etc_status etc_tally_runs(struct etc_tally *t, struct etc_error *err)
{
	bool alone = t->m->jobs < 2 || t->m->values || t->trace->sparse;
	unsigned rounds = alone ? 0 : ROUNDS;

	return add_range(t, 0, t->measured->count, &rounds, err);
}
