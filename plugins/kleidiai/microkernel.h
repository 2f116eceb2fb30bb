/* microkernel.h -- the KleidiAI micro-kernel that XNNPACK selects for an operator.
 *
 * It is not in an ETDump: it follows from the operand types, the processor and whether the left
 * operand has one row. The table is XNNPACK's selection as pinned by ExecuTorch 1.3 to 1.5
 * (src/configs/gemm-config.c), checked against the functions that 38 networks executed on four
 * kinds of processor (tests/data/arm/kernels.json). */
#ifndef PLUGINS_KLEIDIAI_MICROKERNEL_H
#define PLUGINS_KLEIDIAI_MICROKERNEL_H

#include "decide.h"

enum { MICROKERNEL_MAX = 256 };

/* Does the table have micro-kernels for this processor: is `cpu` ISA_SME2, ISA_SME, ISA_I8MM or
 * ISA_DOTPROD? */
bool microkernel_has(uint32_t cpu);

/* Writes the name of the micro-kernel without "kai_run_matmul_clamp_" to `text`. `rows`: rows of
 * the left operand; 0: unknown, then "A or B" if the kernel depends on it. The text is empty if the
 * kernel is not in the table. */
void microkernel_text(const struct etcore_facts *facts, uint32_t cpu, uint64_t rows,
                      char text[MICROKERNEL_MAX]);

#endif
