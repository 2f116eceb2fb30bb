/* microkernel.h -- which of KleidiAI's micro-kernels XNNPACK takes for an operator.
 *
 * An ETDump does not say: it follows from the operand types, the processor and
 * whether the left operand has one row. The table is XNNPACK's choice as pinned by
 * ExecuTorch 1.3 to 1.5 (src/configs/gemm-config.c), checked against the functions
 * that 38 nets executed on four kinds of processor (tests/data/arm/kernels.json). */
#ifndef PLUGINS_KLEIDIAI_MICROKERNEL_H
#define PLUGINS_KLEIDIAI_MICROKERNEL_H

#include "decide.h"

enum { MICROKERNEL_MAX = 256 };

/* Is this one of the processors of the table: ISA_SME2, SME, I8MM, DOTPROD? */
bool microkernel_has(uint32_t cpu);

/* Name without "kai_run_matmul_clamp_"; "A or B" when `rows` is 0 and it depends on
 * them; empty: not in the table. */
void microkernel_text(const struct etcore_facts *facts, uint32_t cpu, uint64_t rows,
                      char text[MICROKERNEL_MAX]);

#endif
