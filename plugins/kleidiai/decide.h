/* decide.h -- decides from XNNPACK's name of an operator whether a KleidiAI micro-kernel ran.
 *
 * XNNPACK gives an operator a packed left-hand side type (PF32, PF16, PQS8, QP8) exactly when it
 * installed a KleidiAI kernel for it, and prints that type. This was checked with 246 runs on
 * AArch64 of which the executed functions were traced: there is no exception in either direction.
 * The name does not distinguish SME from SME2. */
#ifndef PLUGINS_KLEIDIAI_DECIDE_H
#define PLUGINS_KLEIDIAI_DECIDE_H

#include <etcore/plugin.h>
#include <stdbool.h>

/* Instruction sets; XNNPACK prefers the first of them that the processor has. */
#define ISA_SME2    1u
#define ISA_SME     2u
#define ISA_I8MM    4u
#define ISA_DOTPROD 8u
#define ISA_NEON    16u
#define ISA_ALL     31u

struct decision {
	int32_t ran; /* ETCORE_RAN_* */
	/* the part of the operator's name that decides `ran`; empty: none */
	struct etcore_text why;
	/* set of ISA_*: instruction sets for which the library has a kernel for the operator; 0:
	 * unknown */
	uint32_t isas;
	bool is_matrix; /* a GEMM or IGEMM micro-kernel */
	/* kind of the matrix product, such as "gemm int4 block"; empty if the kernel computes
	 * none */
	char variant[48];
	/* name that the event would have without KleidiAI; "A or B" if it could have either */
	char canonical[256];
};

/* Decides from the owner's answers about an event whether the library ran, and fills `out`. False:
 * the answers have no operator name, so nothing can be decided. */
bool decide(const struct etcore_facts *facts, struct decision *out);

/* Writes the names of the instruction sets in the set `isas` of ISA_* to `text`: "SME2, SME, I8MM
 * or DotProd". */
void isa_text(uint32_t isas, char *text, size_t size);

/* Returns the set of ISA_* that a list of CPU features names: asimddp (or dotprod), i8mm, sme,
 * sme2. */
uint32_t isa_from_features(struct etcore_text features);

#endif
