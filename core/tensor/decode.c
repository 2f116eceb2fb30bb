/* decode.c -- see element.h: converts elements to doubles; one loop per type, which compilers
 * vectorise. */
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "base/processor.h"
#include "model/scalar_value.h"
#include "tensor/element.h"

enum {
	/* for this number of elements or more, a table of the results for all 256 values of a byte
	 * is computed first, because this is faster */
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

#ifdef __x86_64__
/* Converts halves with the processor's own instruction (F16C, which all processors with AVX2 have).
 * Returns the number of halves converted, a multiple of 8. */
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
	/* Shifts exponent and fraction to their positions in a float. A multiplication then
	 * corrects the bias of the exponent, and also normalises subnormal numbers. */
	for (; i < count; i++) {
		uint16_t h;
		uint32_t bits;
		float v;

		memcpy(&h, from + i * sizeof h, sizeof h);
		bits = (h & 0x7fffu) << 13;
		memcpy(&v, &bits, sizeof v);
		v *= 0x1p112f;
		memcpy(&bits, &v, sizeof bits);
		bits |= (h & 0x7c00u) == 0x7c00 ? 0x7f800000 : 0; /* infinity or NaN */
		bits |= (h & 0x8000u) << 16;
		memcpy(&out[i], &bits, sizeof bits);
	}
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

/* Converts float8 values. For a long block, a table with the values of all 256 bytes is computed
 * first. */
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
