/* decide.h -- decides from XNNPACK's name of an operator whether a KleidiAI micro-kernel ran.
 *
 * XNNPACK gives an operator a packed left-hand side type (PF32, PF16, PQS8, QP8) exactly when
 * it installed a KleidiAI kernel for it, and prints that type. On 246 AArch64 runs whose
 * executed functions were traced this held without exception in both directions. The name does
 * not distinguish SME from SME2. */
#ifndef PLUGINS_KLEIDIAI_DECIDE_H
#define PLUGINS_KLEIDIAI_DECIDE_H

#include <etcore/plugin.h>
#include <stdbool.h>

/* Instruction sets, in XNNPACK's order of preference. */
#define ISA_SME2    1u
#define ISA_SME     2u
#define ISA_I8MM    4u
#define ISA_DOTPROD 8u
#define ISA_NEON    16u
#define ISA_ALL     31u

struct decision {
	int32_t ran;            /* ETCORE_RAN_* */
	struct etcore_text why; /* the deciding token; empty: none */
	uint32_t isas;  /* ISA_*, or-ed: instruction sets that have a kernel for the operator; 0:
	                   * unknown */
	bool is_matrix; /* a GEMM or IGEMM micro-kernel */
	/* kind of the matrix product, "gemm int4 block"; empty for other kernels */
	char variant[48];
	char canonical[256]; /* name of the same work without KleidiAI; "A or B" if ambiguous */
};

/* Fills `out`. False: the owner's answers have no operator name, so there is no decision. */
bool decide(const struct etcore_facts *facts, struct decision *out);

/* Writes the names of the instruction sets in `isas` (ISA_*, or-ed) to `text`: "SME2, SME, I8MM or
 * DotProd". */
void isa_text(uint32_t isas, char *text, size_t size);

/* Returns the instruction sets (ISA_*, or-ed) that a list of CPU features names: asimddp (or
 * dotprod), i8mm, sme, sme2. */
uint32_t isa_from_features(struct etcore_text features);

#endif
