/* microkernel.h -- the KleidiAI micro-kernel that XNNPACK selects for an operator.
 *
 * The micro-kernel is not in an ETDump. It depends on the types of the operands, on the processor,
 * and on whether the left operand has a single row. The table has the selection of the XNNPACK
 * versions that ExecuTorch 1.3 to 1.5 use (src/configs/gemm-config.c). It was compared with the
 * functions that 38 networks executed on four kinds of processors (tests/data/arm/kernels.json). */
#ifndef PLUGINS_KLEIDIAI_MICROKERNEL_H
#define PLUGINS_KLEIDIAI_MICROKERNEL_H

#include "decide.h"

enum { MICROKERNEL_MAX = 256 };

/* Does the table in microkernel.c have micro-kernels for the instruction set `cpu`? True for
 * ISA_SME2, ISA_SME, ISA_I8MM and ISA_DOTPROD. */
bool microkernel_has(uint32_t cpu);

/* Writes the name of the micro-kernel, without its prefix "kai_run_matmul_clamp_", to `text`.
 * `rows`: number of rows of the left operand; 0: unknown, and the text is then "A or B" if the
 * micro-kernel depends on this number. The text is empty if the table does not have the
 * micro-kernel. */
void microkernel_text(const struct etcore_facts *facts, uint32_t cpu, uint64_t rows,
                      char text[MICROKERNEL_MAX]);

#endif
