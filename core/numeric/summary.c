/* summary.c -- see summary.h
 *
 * A block fits the first-level cache: it is hashed, and then read again for the
 * numbers. Short types are widened to float, which is exact; vectors are the
 * compiler's own, so every machine adds up in the same order. */
#include "numeric/summary.h"

#include <math.h>

#include "numeric/hash.h"

enum { BLOCK = ETC_ELEMENT_BLOCK };

typedef float v4f __attribute__((vector_size(16)));
typedef int32_t v4i __attribute__((vector_size(16)));
typedef float v2f __attribute__((vector_size(8)));
typedef double v2d __attribute__((vector_size(16)));

struct state {
	struct etc_summary *out;
	uint64_t finite;
	double lanes[8];
	float low, high; /* of float blocks */
	double low_d, high_d;
	int64_t sum;          /* of bytes */
	uint64_t first, last; /* of integers, ordered as unsigned */
};

static v4f choose(v4i mask, v4f a, v4f b)
{
	return (v4f)(((v4i)a & mask) | ((v4i)b & ~mask));
}

/* `n` floats at any alignment, a multiple of 8. */
static void add_floats(struct state *s, const uint8_t *from, size_t n)
{
	const v4i magnitude = { 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff };
	const v4i infinite = { 0x7f800000, 0x7f800000, 0x7f800000, 0x7f800000 };
	v4f low[2], high[2];
	v4i finite = { 0 }, nan = { 0 };
	v2d sum[4];

	for (int k = 0; k < 2; k++) {
		low[k] = (v4f){ s->low, s->low, s->low, s->low };
		high[k] = (v4f){ s->high, s->high, s->high, s->high };
	}
	memcpy(sum, s->lanes, sizeof sum);
	for (size_t i = 0; i < n; i += 8)
		for (int k = 0; k < 2; k++) {
			v4f v, kept;
			v4i bits, is_finite;
			v2f half[2];

			memcpy(&v, from + (i + 4 * (size_t)k) * sizeof(float), sizeof v);
			bits = (v4i)v & magnitude;
			is_finite = (v4i)(bits < infinite);
			finite -= is_finite;
			nan -= (v4i)(bits > infinite);
			low[k] = choose((v4i)(v < low[k]), v, low[k]);
			high[k] = choose((v4i)(v > high[k]), v, high[k]);
			kept = (v4f)((v4i)v & is_finite);
			memcpy(half, &kept, sizeof half);
			sum[2 * k] += __builtin_convertvector(half[0], v2d);
			sum[2 * k + 1] += __builtin_convertvector(half[1], v2d);
		}
	memcpy(s->lanes, sum, sizeof sum);
	for (int k = 0; k < 8; k++) {
		float l = low[k / 4][k % 4], h = high[k / 4][k % 4];

		s->low = l < s->low ? l : s->low;
		s->high = h > s->high ? h : s->high;
	}
	for (int k = 0; k < 4; k++) {
		s->finite += (uint64_t)finite[k];
		s->out->nan += (uint64_t)nan[k];
	}
}

static void add_float(struct state *s, float v, size_t lane)
{
	s->low = v < s->low ? v : s->low;
	s->high = v > s->high ? v : s->high;
	s->out->nan += isnan(v) != 0;
	if (isfinite(v)) {
		s->finite++;
		s->lanes[lane] += (double)v;
	}
}

static void floats(struct state *s, const uint8_t *from, size_t n)
{
	size_t whole = n / 8 * 8;

	add_floats(s, from, whole);
	for (size_t i = whole; i < n; i++) {
		float v;

		memcpy(&v, from + i * sizeof v, sizeof v);
		add_float(s, v, i % 8);
	}
}

static void doubles(struct state *s, const double *from, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double v = from[i];
		bool is_finite = isfinite(v);

		s->low_d = v < s->low_d ? v : s->low_d;
		s->high_d = v > s->high_d ? v : s->high_d;
		s->out->nan += v != v;
		s->finite += is_finite;
		s->lanes[i % 8] += is_finite ? v : 0;
	}
}

/* Bytes, in lanes of 16: sums of 128 of them fit 16 bits. `flip` makes the order of
 * signed ones that of unsigned ones. */
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

/* Integers of 64 bits: their extremes exactly, beside what doubles say of them. */
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

/* An element of two parts is a NaN if one of them is, else infinite if one is. */
static void complexes(struct state *s, const double *from, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool nan = isnan(from[2 * i]) || isnan(from[2 * i + 1]);

		s->out->nan += nan;
		s->finite += !nan && isfinite(from[2 * i]) && isfinite(from[2 * i + 1]);
	}
}

/* ---- which way a type goes ------------------------------------------------------ */

static bool is_byte_integer(const struct etc_elements *e)
{
	return e->bits == 8 && e->kind <= ETC_SCALAR_BOOL;
}

static bool is_wide_integer(const struct etc_elements *e)
{
	return e->bits == 64 && e->kind <= ETC_SCALAR_SIGNED;
}

/* What makes the order of signed integers that of unsigned ones. */
static uint64_t flip_of(const struct etc_elements *e)
{
	return e->kind == ETC_SCALAR_SIGNED ? (uint64_t)1 << (e->bits - 1) : 0;
}

/* `n` elements at `from`; `room` has space for a block of doubles. */
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
	} else if (e->kind == ETC_SCALAR_FLOAT && e->bits == 32) {
		floats(s, from, n);
	} else if (e->bits <= 16) {
		etc_elements_decode_small(e->kind, e->bits, from, n, (float *)room);
		floats(s, small, n);
	} else {
		etc_elements_decode(e->kind, e->bits, from, n, room);
		doubles(s, room, n);
		if (is_wide_integer(e))
			wide(s, from, n, flip_of(e));
	}
}

/* Types below a byte have no walk by bytes. */
static void add_packed(struct state *s, const struct etc_elements *e, double *room)
{
	struct etc_element_walk w;
	size_t n;

	etc_element_walk_begin(&w, e);
	while ((n = etc_element_walk_real(&w, room, BLOCK)) > 0)
		doubles(s, room, n);
}

/* ---- the answer ------------------------------------------------------------------- */

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
	double sum = ((s->lanes[0] + s->lanes[4]) + (s->lanes[2] + s->lanes[6])) +
	             ((s->lanes[1] + s->lanes[5]) + (s->lanes[3] + s->lanes[7]));

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
		out->min = as_float ? (double)s->low : s->low_d;
		out->max = as_float ? (double)s->high : s->high_d;
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

		etc_xxh64_add(&hash, block);
		if (more)
			more(arg, block);
		if (width)
			add_block(&s, e, from, n, room);
		else
			add_packed(&s, e, room);
	}
	out->hash = etc_xxh64_end(&hash);
	finish(&s, e);
}
