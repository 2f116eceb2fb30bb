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

/* Does the table have this processor: ISA_SME2, SME, I8MM, DOTPROD? */
bool microkernel_has(uint32_t cpu);

/* Name without "kai_run_matmul_clamp_"; "A or B" when `rows` is 0 (unknown) and the kernel
 * depends on it; empty: not in the table. */
void microkernel_text(const struct etcore_facts *facts, uint32_t cpu, uint64_t rows,
                      char text[MICROKERNEL_MAX]);

#endif
