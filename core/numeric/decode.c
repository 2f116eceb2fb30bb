/* decode.c -- see element.h: bytes into doubles, a loop per type that compilers
 * turn into vector instructions. */
#include "model/scalar_value.h"
#include "numeric/element.h"

enum {
	FULL_TABLE = 256, /* elements from which on a table of all bytes pays */
	CHUNK = 2048
};

#define ETC_DECODE(type, to)                               \
	for (size_t i = 0; i < count; i++) {               \
		type v;                                    \
                                                           \
		memcpy(&v, from + i * sizeof v, sizeof v); \
		out[i] = (to)v;                            \
	}

/* An IEEE half as a float, without a branch: the fraction and exponent move to
 * their places, the exponent gets the other bias; twice for infinities and NaNs;
 * what is below the normal numbers is found by a subtraction. */
static float half(uint16_t h)
{
	const uint32_t magic = 113u << 23;
	uint32_t bits = (uint32_t)(h & 0x7fff) << 13, exponent = bits & 0x0f800000u;
	uint32_t normal = bits + (112u << 23);
	uint32_t special = normal + (112u << 23);
	uint32_t tiny = normal + (1u << 23);
	float small, base, f;

	memcpy(&small, &tiny, sizeof small);
	memcpy(&base, &magic, sizeof base);
	small -= base;
	memcpy(&tiny, &small, sizeof tiny);
	bits = exponent == 0x0f800000u ? special : exponent == 0 ? tiny : normal;
	bits |= (uint32_t)(h & 0x8000) << 16;
	memcpy(&f, &bits, sizeof f);
	return f;
}

static void from_half(const uint8_t *from, size_t count, float *out)
{
	for (size_t i = 0; i < count; i++) {
		uint16_t h;

		memcpy(&h, from + i * sizeof h, sizeof h);
		out[i] = half(h);
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

/* float8: all 256 of them are worked out once per long block. */
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

/* Types of at most 16 bits, through floats. */
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
