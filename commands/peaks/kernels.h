/* kernels.h -- the loops whose speed `etcore peaks` measures. */
#ifndef ETC_COMMANDS_PEAKS_KERNELS_H
#define ETC_COMMANDS_PEAKS_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/work.h"

/* A kernel: the inner loop of a matrix product, on panels that stay in the L1 cache. Each register
 * tile multiplies successive columns of the left panel by rows of the right panel. */
struct etc_peak_kernel {
	const char *name; /* instruction set, for the report: "AVX-512" */
	uint8_t type;     /* enum etc_work_type */
	/* Computes the tile from the two panels, `times` times. */
	void (*run)(const void *left, const void *right, void *tile, size_t times);
	double flops;      /* FLOPs of one repetition */
	bool (*can)(void); /* does this processor have the instructions? */
};

/* The kernels, grouped by type. Within a type, the fastest comes first. The array ends with a
 * zeroed row. */
extern const struct etc_peak_kernel etc_peak_kernels[];

/* Sizes in bytes of a panel (left or right), and of the tile that a kernel computes. */
enum { ETC_PEAK_PANEL = 16 << 10, ETC_PEAK_TILE = 4 << 10 };

#endif
