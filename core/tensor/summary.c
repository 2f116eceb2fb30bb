/* summary.c -- see summary.h.
 *
 * A block fits the first-level cache, since it is read twice: for the hash, and for the numbers.
 * Types of less than 32 bits are converted to float, which is exact. The code uses the compiler's
 * vector types with a fixed number of lanes, so that every machine adds in the same order. */
#include "tensor/summary.h"

#include <math.h>

#include "base/attr.h"
#include "tensor/hash.h"
#include "tensor/vector.h"

enum { BLOCK = ETC_ELEMENT_BLOCK, LANES = 8 };

struct state {
	struct etc_summary *out;
	uint64_t finite;
	double lanes[LANES];
	/* smallest and largest number so far: of float32 and shorter types; of other types */
	float low, high;
	double low_d, high_d;
	int64_t sum; /* sum of integers of 8 bits; numbers of other types are summed in `lanes` */
	/* smallest and largest integer, after xor with the mask of flip_of() */
	uint64_t first, last;
};

static double total(const double v[LANES])
{
	return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

/* Adds `n` floats, which may be unaligned; `n` is a multiple of 8. Hashes them in the same loop,
 * because the processor does both in parallel. Returns false if one of the floats is a NaN or an
 * infinity; then only the hash has changed. This is decided by the sum of the floats, a double: it
 * cannot overflow, so it is finite exactly if all floats are finite. */
static ETC_INLINE bool finite_floats(struct state *s, const uint8_t *from, size_t n,
                                     uint64_t hash[4])
{
	uint64_t a = hash ? hash[0] : 0, b = hash ? hash[1] : 0, c = hash ? hash[2] : 0,
		 d = hash ? hash[3] : 0, word[4];
	etc_v4f low = { s->low, s->low, s->low, s->low }, low2 = low;
	etc_v4f high = { s->high, s->high, s->high, s->high }, high2 = high;
	etc_v2d sum[4], sum0 = { 0 }, sum1 = sum0, sum2 = sum0, sum3 = sum0, all;

	for (size_t i = 0; i < n; i += 8) {
		const uint8_t *at = from + i * sizeof(float);
		etc_v4f v, w;

		memcpy(&v, at, sizeof v);
		memcpy(&w, at + sizeof v, sizeof w);
		if (hash) {
			memcpy(word, at, sizeof word);
			a = etc_xxh64_mix(a, word[0]);
			b = etc_xxh64_mix(b, word[1]);
			c = etc_xxh64_mix(c, word[2]);
			d = etc_xxh64_mix(d, word[3]);
		}
		low = etc_v4f_min(v, low);
		low2 = etc_v4f_min(w, low2);
		high = etc_v4f_max(v, high);
		high2 = etc_v4f_max(w, high2);
		sum0 += etc_v4f_low(v);
		sum1 += etc_v4f_high(v);
		sum2 += etc_v4f_low(w);
		sum3 += etc_v4f_high(w);
	}
	if (hash) {
		hash[0] = a;
		hash[1] = b;
		hash[2] = c;
		hash[3] = d;
	}
	all = (sum0 + sum1) + (sum2 + sum3);
	if (!isfinite(all[0] + all[1]))
		return false;
	low = etc_v4f_min(low, low2);
	high = etc_v4f_max(high, high2);
	for (int k = 0; k < 4; k++) {
		s->low = low[k] < s->low ? low[k] : s->low;
		s->high = high[k] > s->high ? high[k] : s->high;
	}
	sum[0] = sum0;
	sum[1] = sum1;
	sum[2] = sum2;
	sum[3] = sum3;
	for (int k = 0; k < 8; k++)
		s->lanes[k] += sum[k / 2][k % 2];
	s->finite += n;
	return true;
}

/* Adds `n` floats. If `hash` is not NULL, also hashes all complete stripes of 8 floats. Returns the
 * number of bytes in complete stripes; the caller hashes the others. */
static size_t floats(struct state *s, const uint8_t *from, size_t n, struct etc_xxh64 *hash)
{
	size_t whole = n / LANES * LANES;
	bool finite = hash ? finite_floats(s, from, whole, hash->lane)
	                   : finite_floats(s, from, whole, NULL);

	for (size_t i = finite ? whole : 0; i < n; i++) {
		float v;

		memcpy(&v, from + i * sizeof v, sizeof v);
		s->low = v < s->low ? v : s->low;
		s->high = v > s->high ? v : s->high;
		s->out->nan += isnan(v) != 0;
		if (isfinite(v)) {
			s->finite++;
			s->lanes[i % LANES] += (double)v;
		}
	}
	return whole * sizeof(float);
}

/* Like finite_floats(), but for doubles, and without a hash. The sum of doubles may overflow
 * although all of them are finite. So if the result is false, the caller must check the values one
 * by one. `n` is a multiple of LANES. */
static bool finite_doubles(struct state *s, const double *from, size_t n)
{
	double low[LANES], high[LANES], sum[LANES] = { 0 };

	for (size_t k = 0; k < LANES; k++) {
		low[k] = s->low_d;
		high[k] = s->high_d;
	}
	for (size_t i = 0; i < n; i += LANES)
		for (size_t k = 0; k < LANES; k++) {
			double v = from[i + k];

			low[k] = v < low[k] ? v : low[k];
			high[k] = v > high[k] ? v : high[k];
			sum[k] += v;
		}
	if (!isfinite(total(sum)))
		return false;
	for (size_t k = 0; k < LANES; k++) {
		s->low_d = low[k] < s->low_d ? low[k] : s->low_d;
		s->high_d = high[k] > s->high_d ? high[k] : s->high_d;
		s->lanes[k] += sum[k];
	}
	s->finite += n;
	return true;
}

static void doubles(struct state *s, const double *from, size_t n)
{
	size_t whole = n / LANES * LANES;

	for (size_t i = finite_doubles(s, from, whole) ? whole : 0; i < n; i++) {
		double v = from[i];
		bool is_finite = isfinite(v);

		s->low_d = v < s->low_d ? v : s->low_d;
		s->high_d = v > s->high_d ? v : s->high_d;
		s->out->nan += v != v;
		s->finite += is_finite;
		s->lanes[i % LANES] += is_finite ? v : 0;
	}
}

/* Adds integers of one byte, in 16 lanes. The sum of a lane has 16 bits, which 128 integers cannot
 * overflow; after at most 128 integers, the sum is added to s->sum. `flip` is the result of
 * flip_of(). */
static void bytes(struct state *s, const uint8_t *from, size_t n, uint8_t flip)
{
	uint8_t low[16], high[16];
	size_t i = 0;

	memset(low, 255, sizeof low);
	memset(high, 0, sizeof high);
	while (n - i >= 16) {
		size_t end = n - i >= 128 * 16 ? i + 128 * 16 : i + (n - i) / 16 * 16;
		uint16_t sum[16] = { 0 };

		for (; i < end; i += 16)
			for (size_t k = 0; k < 16; k++) {
				uint8_t v = from[i + k] ^ flip;

				low[k] = v < low[k] ? v : low[k];
				high[k] = v > high[k] ? v : high[k];
				sum[k] = (uint16_t)(sum[k] + v);
			}
		for (size_t k = 0; k < 16; k++)
			s->sum += (int64_t)sum[k];
	}
	for (; i < n; i++) {
		uint8_t v = from[i] ^ flip;

		low[0] = v < low[0] ? v : low[0];
		high[0] = v > high[0] ? v : high[0];
		s->sum += v;
	}
	for (size_t k = 0; k < 16; k++) {
		s->first = low[k] < s->first ? low[k] : s->first;
		s->last = high[k] > s->last ? high[k] : s->last;
	}
	s->finite += n;
}

/* Updates s->first and s->last, the exact smallest and largest 64-bit integer, because doubles
 * would round these. `flip` is the result of flip_of(). */
static void wide(struct state *s, const uint8_t *from, size_t n, uint64_t flip)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t v;

		memcpy(&v, from + i * sizeof v, sizeof v);
		v ^= flip;
		s->first = v < s->first ? v : s->first;
		s->last = v > s->last ? v : s->last;
	}
}

/* Counts the complex elements that are NaN, and those that are finite. An element is NaN if one of
 * its parts is NaN; otherwise it is infinite if one of its parts is infinite. */
static void complexes(struct state *s, const double *from, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool nan = isnan(from[2 * i]) || isnan(from[2 * i + 1]);

		s->out->nan += nan;
		s->finite += !nan && isfinite(from[2 * i]) && isfinite(from[2 * i + 1]);
	}
}

/* ---- selection by type ---------------------------------------------------------- */

static bool is_byte_integer(const struct etc_elements *e)
{
	return e->bits == 8 && e->kind <= ETC_SCALAR_BOOL;
}

static bool is_wide_integer(const struct etc_elements *e)
{
	return e->bits == 64 && e->kind <= ETC_SCALAR_SIGNED;
}

/* Returns the mask for xor that makes signed integers compare correctly as unsigned integers; 0 for
 * unsigned integers. */
static uint64_t flip_of(const struct etc_elements *e)
{
	return e->kind == ETC_SCALAR_SIGNED ? (uint64_t)1 << (e->bits - 1) : 0;
}

/* Adds the `n` elements at `from` to the summary. `room` is working memory for a block of
 * doubles. */
static void add_block(struct state *s, const struct etc_elements *e, const uint8_t *from, size_t n,
                      double *room)
{
	uint8_t *small = (uint8_t *)room;

	if (e->parts == 2) {
		etc_elements_decode(e->kind, e->bits, from, 2 * n, room);
		complexes(s, room, n);
	} else if (e->kind == ETC_SCALAR_BOOL) {
		for (size_t i = 0; i < n; i++)
			small[i] = from[i] != 0;
		bytes(s, small, n, 0);
	} else if (is_byte_integer(e)) {
		bytes(s, from, n, (uint8_t)flip_of(e));
	} else if (e->bits <= 16) {
		etc_elements_decode_small(e->kind, e->bits, from, n, (float *)(void *)room);
		floats(s, small, n, NULL);
	} else {
		etc_elements_decode(e->kind, e->bits, from, n, room);
		doubles(s, room, n);
		if (is_wide_integer(e))
			wide(s, from, n, flip_of(e));
	}
}

/* Adds all elements of a type smaller than a byte in one step, because a walk returns all such
 * elements together, packed. */
static void add_packed(struct state *s, const struct etc_elements *e, double *room)
{
	struct etc_element_walk w;
	size_t n;

	etc_element_walk_begin(&w, e);
	while ((n = etc_element_walk_real(&w, room, BLOCK)) > 0)
		doubles(s, room, n);
}

/* ---- result ----------------------------------------------------------------------- */

static void set_integers(struct etc_summary *out, const struct etc_elements *e,
                         const struct state *s)
{
	uint64_t flip = flip_of(e);

	out->min_bits = s->first ^ flip;
	out->max_bits = s->last ^ flip;
	if (e->kind == ETC_SCALAR_SIGNED && e->bits == 8) {
		out->min_bits = (uint64_t)(int64_t)(int8_t)out->min_bits;
		out->max_bits = (uint64_t)(int64_t)(int8_t)out->max_bits;
	}
	if (e->kind == ETC_SCALAR_SIGNED) {
		out->min = (double)(int64_t)out->min_bits;
		out->max = (double)(int64_t)out->max_bits;
	} else {
		out->min = (double)out->min_bits;
		out->max = (double)out->max_bits;
	}
}

static void finish(struct state *s, const struct etc_elements *e)
{
	struct etc_summary *out = s->out;
	double sum = total(s->lanes);

	out->inf = out->count - out->nan - s->finite;
	out->has_range = out->count > out->nan && e->parts == 1;
	out->mean = (double)NAN;
	if (!out->has_range)
		return;
	if (is_byte_integer(e) || is_wide_integer(e)) {
		set_integers(out, e, s);
	} else {
		bool as_float = e->bits <= 16 && e->bits >= 8;

		as_float |= e->kind == ETC_SCALAR_FLOAT && e->bits == 32;
		out->min = (as_float ? (double)s->low : s->low_d) + 0.0;
		out->max = (as_float ? (double)s->high : s->high_d) + 0.0;
		if (e->kind <= ETC_SCALAR_BOOL) {
			out->min_bits = (uint64_t)(int64_t)out->min;
			out->max_bits = (uint64_t)(int64_t)out->max;
		}
	}
	if (is_byte_integer(e)) {
		sum = (double)s->sum;
		if (e->kind == ETC_SCALAR_SIGNED)
			sum -= 128.0 * (double)out->count;
	}
	if (s->finite)
		out->mean = sum / (double)s->finite;
}

void etc_summarise(const struct etc_elements *e, struct etc_summary *out, etc_summary_tap *more,
                   void *arg)
{
	uint8_t gathered[BLOCK * 8];
	double room[BLOCK];
	struct state s = { .out = out, .low = INFINITY, .high = -INFINITY };
	struct etc_element_walk w;
	struct etc_xxh64 hash;
	const uint8_t *from;
	size_t n, width = etc_element_width(e);

	*out = (struct etc_summary){ .count = e->count };
	s.low_d = (double)INFINITY;
	s.high_d = -(double)INFINITY;
	s.first = UINT64_MAX;
	etc_xxh64_begin(&hash);
	etc_element_walk_begin(&w, e);
	while ((n = etc_element_walk_bytes(&w, gathered, BLOCK / e->parts, &from)) > 0) {
		struct etc_span block = { from, width ? n * width : e->bytes.len };

		if (e->kind == ETC_SCALAR_FLOAT && e->bits == 32 && e->parts == 1) {
			size_t hashed = floats(&s, from, n, &hash);

			hash.total += hashed;
			block.ptr += hashed;
			block.len -= hashed;
			etc_xxh64_add(&hash, block);
			block = (struct etc_span){ from, n * width };
		} else {
			etc_xxh64_add(&hash, block);
		}
		if (more)
			more(arg, block);
		if (e->kind == ETC_SCALAR_FLOAT && e->bits == 32 && e->parts == 1)
			continue;
		if (width)
			add_block(&s, e, from, n, room);
		else
			add_packed(&s, e, room);
	}
	out->hash = etc_xxh64_end(&hash);
	finish(&s, e);
}
