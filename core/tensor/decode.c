/* decode.c -- see element.h: converts elements to doubles; one loop per type, which compilers
 * vectorise. */
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "base/processor.h"
#include "model/scalar_value.h"
#include "tensor/element.h"
#include "tensor/vector.h"

enum {
	/* from this number of elements on, a table of all byte values is made, because it then
	 * saves time */
	FULL_TABLE = 256,
	CHUNK = 2048
};

#define ETC_DECODE(type, to)                               \
	for (size_t i = 0; i < count; i++) {               \
		type v;                                    \
                                                           \
		memcpy(&v, from + i * sizeof v, sizeof v); \
		out[i] = (to)v;                            \
	}

/* Converts four IEEE halves to floats, without branches. Moves fraction and exponent to their
 * places and changes the bias of the exponent, twice for infinities and NaNs. Subnormal numbers are
 * normalised by a subtraction. */
static etc_v4f four_halves(etc_v4i h)
{
	const etc_v4i least = { 113 << 23, 113 << 23, 113 << 23, 113 << 23 };
	etc_v4i bits = (h & 0x7fff) << 13, exponent = bits & 0x0f800000;
	etc_v4i normal = bits + (112 << 23);
	etc_v4i special = (etc_v4i)(exponent == 0x0f800000) & (112 << 23);
	etc_v4f tiny = (etc_v4f)(normal + (1 << 23)) - (etc_v4f)least;
	etc_v4i is_tiny = (etc_v4i)(exponent == 0);

	bits = (etc_v4i)etc_v4f_choose(is_tiny, tiny, (etc_v4f)(normal + special));
	/* cppcheck-suppress integerOverflow // lanes of 32 bits: the bit becomes the sign */
	return (etc_v4f)(bits | (h & 0x8000) << 16);
}

/* Converts the next `n` elements, at most 4. */
static void some_halves(const uint8_t *from, size_t n, float *out)
{
	uint16_t h[4] = { 0 };
	etc_v4f v;

	memcpy(h, from, n * sizeof *h);
	v = four_halves((etc_v4i){ h[0], h[1], h[2], h[3] });
	memcpy(out, &v, n * sizeof *out);
}

#ifdef __x86_64__
/* Converts halves with the processor's own instruction (F16C, which all processors with AVX2 have).
 * The conversion is exact, so the results equal those of four_halves(), except that signalling NaNs
 * become quiet. Returns the number of halves converted, a multiple of 8. */
__attribute__((target("avx,f16c"))) static size_t halves_of_f16c(const uint8_t *from, size_t count,
                                                                 float *out)
{
	size_t i = 0;

	for (; i + 8 <= count; i += 8)
		_mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128(
						  (const __m128i *)(const void *)(from + i * 2))));
	return i;
}
#endif

static void from_half(const uint8_t *from, size_t count, float *out)
{
	size_t i = 0;

#ifdef __x86_64__
	if (etc_processor_f16c())
		i = halves_of_f16c(from, count, out);
#endif
	for (; i + 8 <= count; i += 8) {
		etc_v4f v[2];
		etc_v4i h[2];

		etc_v8u_widen(from + i * 2, h);
		v[0] = four_halves(h[0]);
		v[1] = four_halves(h[1]);
		memcpy(out + i, v, sizeof v);
	}
	for (; i < count; i += 4)
		some_halves(from + i * 2, count - i < 4 ? count - i : 4, out + i);
}

static void from_bfloat16(const uint8_t *from, size_t count, float *out)
{
	for (size_t i = 0; i < count; i++) {
		uint16_t h;
		uint32_t bits;

		memcpy(&h, from + i * sizeof h, sizeof h);
		bits = (uint32_t)h << 16;
		memcpy(&out[i], &bits, sizeof bits);
	}
}

/* Converts float8 values. For a long block, a table of all 256 values is computed first. */
static void from_byte(uint8_t kind, const uint8_t *from, size_t count, float *out)
{
	const struct etc_scalar_type type = { .bytes = 1, .bits = 8, .kind = kind };
	float table[256];

	if (count < FULL_TABLE) {
		for (size_t i = 0; i < count; i++)
			out[i] = (float)etc_scalar_real(&type, from, i);
		return;
	}
	for (unsigned i = 0; i < 256; i++) {
		uint8_t byte = (uint8_t)i;

		table[i] = (float)etc_scalar_real(&type, &byte, 0);
	}
	for (size_t i = 0; i < count; i++)
		out[i] = table[from[i]];
}

void etc_elements_decode_small(uint8_t kind, uint8_t bits, const uint8_t *from, size_t count,
                               float *out)
{
	switch (kind) {
	case ETC_SCALAR_SIGNED:
		if (bits == 8) {
			ETC_DECODE(int8_t, float)
		} else {
			ETC_DECODE(int16_t, float)
		}
		break;
	case ETC_SCALAR_UNSIGNED:
		if (bits == 8) {
			ETC_DECODE(uint8_t, float)
		} else {
			ETC_DECODE(uint16_t, float)
		}
		break;
	case ETC_SCALAR_BOOL:
		for (size_t i = 0; i < count; i++)
			out[i] = from[i] != 0;
		break;
	case ETC_SCALAR_HALF:
		from_half(from, count, out);
		break;
	case ETC_SCALAR_BFLOAT16:
		from_bfloat16(from, count, out);
		break;
	default:
		from_byte(kind, from, count, out);
	}
}

/* Converts types of at most 16 bits to float first, and then to double. */
static void through_floats(uint8_t kind, uint8_t bits, const uint8_t *from, size_t count,
                           double *out)
{
	float room[CHUNK];

	for (size_t at = 0; at < count; at += CHUNK) {
		size_t n = count - at < CHUNK ? count - at : CHUNK;

		etc_elements_decode_small(kind, bits, from + at * (bits / 8), n, room);
		for (size_t i = 0; i < n; i++)
			out[at + i] = (double)room[i];
	}
}

void etc_elements_decode(uint8_t kind, uint8_t bits, const uint8_t *from, size_t count, double *out)
{
	if (bits <= 16)
		through_floats(kind, bits, from, count, out);
	else if (kind == ETC_SCALAR_FLOAT && bits == 32)
		ETC_DECODE(float, double)
	else if (kind == ETC_SCALAR_FLOAT)
		memcpy(out, from, count * sizeof *out);
	else if (kind == ETC_SCALAR_SIGNED && bits == 32)
		ETC_DECODE(int32_t, double)
	else if (kind == ETC_SCALAR_SIGNED)
		ETC_DECODE(int64_t, double)
	else if (bits == 32)
		ETC_DECODE(uint32_t, double)
	else
		ETC_DECODE(uint64_t, double)
}
