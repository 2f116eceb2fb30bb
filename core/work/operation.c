/* operation.c -- see operation.h. The results of multiplications are limited to 64 bits, which no
 * real operator exceeds. */
#include "work/operation.h"

enum formula {
	NONE,
	EACH,
	INPUT,
	SECOND,
	ADDED,
	PRODUCT,
	LINEAR,
	CONVOLUTION,
	WINDOW,
	ATTENTION,
	CACHED
};
enum bytes { ALL, TAKEN, GIVEN, INTO, CACHE, ALIAS };

struct etc_formula {
	struct etc_str stem;
	uint8_t formula, factor, bytes;
};

static const struct etc_formula rows[] = {
#define X(stem, formula, factor, bytes) { { stem, sizeof stem - 1 }, formula, factor, bytes },
#include "work/operators.def"
};

const struct etc_formula *etc_work_formula(struct etc_str stem)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		/* the first letters are compared first, because they differ for most stems */
		if (stem.len && *stem.ptr == *rows[i].stem.ptr && etc_str_eq(stem, rows[i].stem))
			return &rows[i];
	return NULL;
}

/* State while the work of an operation is computed. If the work is unknown for several reasons,
 * the first one is kept. */
struct maker {
	const struct etc_operation *op;
	struct etc_work w;
};

static void fail(struct maker *m, uint8_t why)
{
	if (m->w.why == ETC_WORK_KNOWN)
		m->w.why = why;
}

static uint64_t times(struct maker *m, uint64_t a, uint64_t b)
{
	uint64_t v = 0;

	if (__builtin_mul_overflow(a, b, &v))
		fail(m, ETC_WORK_BEYOND);
	return v;
}

static uint64_t plus(struct maker *m, uint64_t a, uint64_t b)
{
	uint64_t v = 0;

	if (__builtin_add_overflow(a, b, &v))
		fail(m, ETC_WORK_BEYOND);
	return v;
}

/* Returns the product of the sizes from dimension `from` on. */
static uint64_t product(struct maker *m, const struct etc_operand *o, uint32_t from)
{
	uint64_t n = 1;

	for (uint32_t i = from; i < o->rank; i++)
		if (o->size[i] == 0)
			return 0;
	for (uint32_t i = from; i < o->rank; i++)
		n = times(m, n, o->size[i]);
	return n;
}

static uint64_t elements(struct maker *m, const struct etc_operand *o)
{
	return product(m, o, 0);
}

static uint64_t bytes_of(struct maker *m, const struct etc_operand *o, uint64_t count)
{
	if (!o->bits)
		fail(m, ETC_WORK_NO_TYPE);
	return plus(m, plus(m, times(m, count, o->bits), 7) / 8, o->more);
}

static void demand(struct maker *m, bool holds)
{
	if (!holds)
		fail(m, ETC_WORK_CONTRADICTS);
}

/* Returns the size of dimension number `back` from the end; the last dimension is number 1. 0:
 * there is no such dimension. */
static uint64_t behind(const struct etc_operand *o, uint32_t back)
{
	return o->rank >= back ? o->size[o->rank - back] : 0;
}

/* ---- FLOPs ---------------------------------------------------------------------- */

static uint64_t of_product(struct maker *m)
{
	const struct etc_operation *op = m->op;
	const struct etc_operand *a, *b, *out = op->out;
	bool vector;

	demand(m, op->in_count == 2 || op->in_count == 3);
	if (m->w.why != ETC_WORK_KNOWN)
		return 0;
	a = &op->in[op->in_count - 2];
	b = &op->in[op->in_count - 1];
	m->w.type = a->type;
	vector = a->rank < 2 || b->rank < 2;
	demand(m, behind(a, 1) == behind(b, b->rank < 2 ? 1 : 2));
	if (!vector)
		demand(m, behind(out, 1) == behind(b, 1) && behind(out, 2) == behind(a, 2));
	return times(m, times(m, 2, elements(m, out)), behind(a, 1));
}

static uint64_t of_linear(struct maker *m)
{
	const struct etc_operation *op = m->op;
	const struct etc_operand *x = op->in, *weights = op->in + 1;

	demand(m, op->in_count >= 2 && weights->rank == 2 && x->rank >= 1);
	if (m->w.why != ETC_WORK_KNOWN)
		return 0;
	demand(m, behind(x, 1) == weights->size[1] && behind(op->out, 1) == weights->size[0]);
	return times(m, times(m, 2, elements(m, op->out)), weights->size[1]);
}

static uint64_t of_convolution(struct maker *m)
{
	const struct etc_operation *op = m->op;
	const struct etc_operand *x = op->in, *weights = op->in + 1;
	uint64_t window = op->window;

	demand(m, op->in_count >= 2 && x->rank == op->out->rank && x->rank > 1 &&
	                  weights->rank == x->rank);
	if (m->w.why != ETC_WORK_KNOWN)
		return 0;
	demand(m, x->size[0] == op->out->size[0]);
	if (!window) {
		window = product(m, weights, 1);
		demand(m, (op->transposed ? x : op->out)->size[1] == weights->size[0]);
	}
	return times(m, times(m, 2, elements(m, op->transposed ? x : op->out)), window);
}

static uint64_t of_attention(struct maker *m)
{
	const struct etc_operand *q = m->op->in, *k = q + 1, *v = q + 2;
	uint64_t scores;

	demand(m, m->op->in_count >= 3 && q->rank == 4 && k->rank == 4 && v->rank == 4);
	if (m->w.why != ETC_WORK_KNOWN)
		return 0;
	demand(m, q->size[0] == k->size[0] && k->size[0] == v->size[0] &&
	                  k->size[1] == v->size[1] && k->size[1] && q->size[1] % k->size[1] == 0 &&
	                  q->size[3] == k->size[3] && k->size[2] == v->size[2]);
	scores = times(m, times(m, q->size[0], q->size[1]), times(m, q->size[2], k->size[2]));
	return times(m, times(m, 2, scores), plus(m, q->size[3], v->size[3]));
}

/* Returns the operand with the key cache of an attention; the next operand is the value cache.
 * Before them come the queries and `put` operands with new entries for the caches. Sets `*mask` if
 * an operand with a mask follows them. NULL: the work is unknown. */
static const struct etc_operand *caches_of(struct maker *m, uint32_t put, bool *mask)
{
	const struct etc_operation *op = m->op;

	*mask = op->in_count == put + 4;
	demand(m, op->in_count == put + 3 + *mask);
	return m->w.why == ETC_WORK_KNOWN ? &op->in[put + 1] : NULL;
}

/* Returns how many keys an attention with a cache uses. If the attention has a mask, this is the
 * number of columns of the mask; otherwise it is the position of the first query plus the number
 * of queries. */
static uint64_t keys_of(struct maker *m, uint32_t put)
{
	const struct etc_operation *op = m->op;
	bool mask;
	const struct etc_operand *k = caches_of(m, put, &mask);
	uint64_t keys;

	if (!k)
		return 0;
	demand(m, op->in->rank == 4 && k->rank == 4 && (!mask || k[2].rank >= 1));
	if (!mask && op->start < 0)
		fail(m, ETC_WORK_DYNAMIC);
	if (m->w.why != ETC_WORK_KNOWN)
		return 0;
	keys = mask ? behind(&k[2], 1) : plus(m, (uint64_t)op->start, op->in->size[1]);
	demand(m, keys <= k->size[1]);
	return keys;
}

/* Returns the FLOPs of attention with a cache. Shapes, with b batches and sizes d: queries (b, s_q,
 * h, d) with h heads; caches (b, s, h_kv, d) with h_kv heads. */
static uint64_t of_cached(struct maker *m, uint32_t put)
{
	const struct etc_operand *q = m->op->in, *k, *v;
	const uint64_t keys = keys_of(m, put);
	bool mask;

	k = caches_of(m, put, &mask);
	if (!k)
		return 0;
	v = k + 1;
	demand(m, v->rank == 4 && q->size[0] == k->size[0] && k->size[0] == v->size[0] &&
	                  k->size[2] && q->size[2] % k->size[2] == 0 && k->size[2] == v->size[2] &&
	                  q->size[3] == k->size[3] && k->size[1] == v->size[1]);
	return times(m, times(m, times(m, 2, elements(m, q)) / (q->size[3] ? q->size[3] : 1), keys),
	             plus(m, q->size[3], v->size[3]));
}

static uint64_t of_window(struct maker *m)
{
	if (!m->op->window)
		fail(m, ETC_WORK_NO_SHAPES);
	return times(m, elements(m, m->op->out), m->op->window);
}

/* Returns the FLOPs of an elementwise operator. Arguments may be broadcast, so each has at most as
 * many elements as the result; otherwise the work is unknown. An empty result has no FLOPs. */
static uint64_t of_each(struct maker *m, uint8_t factor)
{
	uint64_t n = elements(m, m->op->out);

	for (uint32_t i = 0; i < m->op->in_count; i++)
		demand(m, n == 0 || elements(m, &m->op->in[i]) <= n);
	return times(m, n, factor);
}

static uint64_t flops(struct maker *m, const struct etc_formula *row)
{
	switch (row->formula) {
	case EACH:
		return of_each(m, row->factor);
	case INPUT:
		demand(m, m->op->in_count > 0);
		return m->op->in_count ? times(m, elements(m, m->op->in), row->factor) : 0;
	case SECOND:
		demand(m, m->op->in_count > 1);
		return m->op->in_count > 1 ? times(m, elements(m, &m->op->in[1]), row->factor) : 0;
	case ADDED:
		return m->op->accumulates && m->op->in_count > 1
		               ? times(m, elements(m, &m->op->in[m->op->in_count - 1]), row->factor)
		               : 0;
	case PRODUCT:
		return of_product(m);
	case LINEAR:
		return of_linear(m);
	case CONVOLUTION:
		return of_convolution(m);
	case WINDOW:
		return of_window(m);
	case ATTENTION:
		return of_attention(m);
	case CACHED:
		return of_cached(m, row->factor);
	default:
		return 0;
	}
}

/* ---- bytes ---------------------------------------------------------------------- */

/* Are all results empty? Then no argument is read, either. */
static bool is_empty(struct maker *m)
{
	for (uint32_t i = 0; i < m->op->out_count; i++)
		if (elements(m, &m->op->out[i]))
			return false;
	return true;
}

/* Adds the bytes of all operands of an attention with a key cache and a value cache. Only the used
 * part of these caches is read. New entries of the caches are read and written. */
static void add_cached(struct maker *m, uint32_t put)
{
	const struct etc_operation *op = m->op;
	const uint64_t keys = keys_of(m, put);
	bool mask;
	const struct etc_operand *k = caches_of(m, put, &mask);

	for (uint32_t i = 0; k && i < op->in_count; i++) {
		const struct etc_operand *o = &op->in[i];
		const bool cache = o == k || o == k + 1;
		const uint64_t all = elements(m, o),
			       used = cache && o->size[1] ? times(m, all / o->size[1], keys) : all;
		const uint64_t bytes = bytes_of(m, o, used);

		m->w.read = plus(m, m->w.read, bytes);
		if (i > 0 && i <= put)
			m->w.written = plus(m, m->w.written, bytes);
	}
	m->w.written = plus(m, m->w.written, bytes_of(m, op->out, elements(m, op->out)));
}

static void add_bytes(struct maker *m, const struct etc_formula *row)
{
	const struct etc_operation *op = m->op;
	const bool into = row->bytes == INTO && op->in_place && op->in_count > 1;
	const struct etc_operand *put = into ? &op->in[op->in_count - 1] : NULL;

	if (row->bytes == ALIAS || is_empty(m))
		return;
	if (row->bytes == CACHE) {
		add_cached(m, row->factor);
		return;
	}
	if (into && op->accumulates)
		m->w.read = bytes_of(m, op->in, elements(m, put));
	for (uint32_t i = into; i < op->in_count; i++) {
		const struct etc_operand *o = &op->in[i], *size = o;

		if (row->bytes == TAKEN && i == 0)
			size = op->out;
		else if (row->bytes == GIVEN && i == 2)
			size = &op->in[1];
		demand(m, row->bytes != GIVEN || elements(m, size) <= elements(m, o));
		if (!o->again)
			m->w.read = plus(m, m->w.read, bytes_of(m, o, elements(m, size)));
	}
	for (uint32_t i = 0; i < op->out_count; i++)
		m->w.written = plus(m, m->w.written,
		                    bytes_of(m, &op->out[i], elements(m, put ? put : &op->out[i])));
}

static void check_operands(struct maker *m, const struct etc_operand *o, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (o[i].dynamic)
			fail(m, ETC_WORK_DYNAMIC);
}

struct etc_work etc_work_of(const struct etc_operation *op)
{
	const struct etc_formula *row = op->formula ? op->formula : etc_work_formula(op->stem);
	struct maker m = { .op = op, .w = { .why = ETC_WORK_KNOWN } };

	if (!row)
		return (struct etc_work){ .why = ETC_WORK_NO_FORMULA };
	if (op->out_count == 0)
		return (struct etc_work){ .why = ETC_WORK_NO_SHAPES };
	check_operands(&m, op->in, op->in_count);
	check_operands(&m, op->out, op->out_count);
	m.w.type = op->in_count ? op->in[0].type : op->out[0].type;
	m.w.flops = flops(&m, row);
	add_bytes(&m, row);
	if (m.w.why != ETC_WORK_KNOWN)
		return (struct etc_work){ .why = m.w.why };
	return m.w;
}

void etc_work_add(struct etc_work *a, const struct etc_work *b)
{
	struct maker m = { .w = *a };

	if (b->why == ETC_WORK_NONE)
		return;
	if (a->why == ETC_WORK_NONE) {
		*a = *b;
		return;
	}
	if (b->why != ETC_WORK_KNOWN)
		fail(&m, b->why);
	m.w.flops = plus(&m, a->flops, b->flops);
	m.w.read = plus(&m, a->read, b->read);
	m.w.written = plus(&m, a->written, b->written);
	*a = m.w;
	if (a->why != ETC_WORK_KNOWN)
		*a = (struct etc_work){ .why = a->why };
}
