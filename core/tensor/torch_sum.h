/* torch_sum.h -- torch.sum of float32 and float64 on a CPU, to the last bit.
 *
 * The result of floating-point addition depends on its order. Torch adds vectors of 32 bytes, four
 * of them in parallel, in a cascade of four levels. The functions here add in the same order, so
 * their sum is the same. There is one exception: from 32,768 elements on, torch divides the
 * elements among its threads, so that its sum depends on the number of threads. The functions here
 * return the sum of a single thread.
 *
 * Elements arrive in memory order, in pieces of any size; nothing is allocated. Source:
 * aten/src/ATen/native/cpu/SumKernel.cpp of torch 2.13. */
#ifndef ETC_TENSOR_TORCH_SUM_H
#define ETC_TENSOR_TORCH_SUM_H

#include <stdint.h>

struct etc_torch_sum_f32 {
	float acc[4][32];
	float tail[32];
	uint64_t count, rows, row, step;
	uint32_t power, tail_count;
};

struct etc_torch_sum_f64 {
	double acc[4][16];
	double tail[16];
	uint64_t count, rows, row, step;
	uint32_t power, tail_count;
};

/* Begins a sum of `count` elements. */
void etc_torch_sum_f32_begin(struct etc_torch_sum_f32 *s, uint64_t count);
void etc_torch_sum_f32_add(struct etc_torch_sum_f32 *s, const float *v, uint64_t count);
float etc_torch_sum_f32_end(struct etc_torch_sum_f32 *s);

void etc_torch_sum_f64_begin(struct etc_torch_sum_f64 *s, uint64_t count);
void etc_torch_sum_f64_add(struct etc_torch_sum_f64 *s, const double *v, uint64_t count);
double etc_torch_sum_f64_end(struct etc_torch_sum_f64 *s);

#endif
