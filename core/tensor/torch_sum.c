/* torch_sum.c -- see torch_sum.h */
#include "tensor/torch_sum.h"

#include <string.h>

enum { LEVELS = 4, WAYS = 4 };

/* Returns utils::CeilLog2 of torch, which is 1 for 0 and 1. */
static uint32_t ceil_log2(uint64_t n)
{
	uint32_t bits = 1;

	while (bits < 63 && ((uint64_t)1 << bits) < n)
		bits++;
	return bits;
}

static uint32_t level_power(uint64_t rows)
{
	uint32_t power = ceil_log2(rows) / LEVELS;

	return power > 4 ? power : 4;
}

#define ROW (WAYS * LANES)

#define T                      float
#define LANES                  8
#define FN(name)               etc_torch_sum_f32_##name
#define etc_torch_sum_f32_type etc_torch_sum_f32
#include "tensor/torch_sum.inc"
#undef T
#undef LANES
#undef FN

#define T                      double
#define LANES                  4
#define FN(name)               etc_torch_sum_f64_##name
#define etc_torch_sum_f64_type etc_torch_sum_f64
#include "tensor/torch_sum.inc"
