/* microkernel.c -- names the micro-kernel that XNNPACK selects; see microkernel.h */
#include "microkernel.h"

#include <stdio.h>
#include <string.h>

struct row {
	const char *operand, *weights; /* types in the operator's name; weights "": any */
	uint32_t cpu;
	/* micro-kernels for a left operand with one row, and with more rows */
	const char *one, *more;
};

/* There is no SME kernel for int4 weights with one scale per block: processors with SME use the
 * kernel for i8mm. */
/* clang-format off */
static const struct row table[] = {
	{ "PF32", "", ISA_SME2, "f32_f32_f32p2vlx1b_1x16vl_sme2_mla",
	  "f32_f32p2vlx1_f32p2vlx1biasf32_sme2_mopa" },
	{ "PF32", "", ISA_SME, "f32_f32_f32p2vlx1b_1x8vl_sme_mla",
	  "f32_f32p2vlx1_f32p2vlx1b_2vlx2vl_sme_mopa" },
	{ "PF16", "", ISA_SME2, "f16_f16_f16p2vlx2b_1x16vl_sme2_dot",
	  "f16_f16p2vlx2_f16p2vlx2_2vlx2vl_sme2_mopa" },
	{ "PF16", "", ISA_SME, "f16_f16_f16p2vlx2b_1x8vl_sme_mla",
	  "f16_f16p2vlx2_f16p2vlx2b_2vlx2vl_sme_mopa" },
	{ "PQS8", "", ISA_SME2, "qai8_qai8_qsi8cxp2vlx4sb_1x16vl_sme2_dot",
	  "qai8_qai8p2vlx4_qsi8cxpsb2vlx4_2vlx2vl_sme2_mopa" },
	{ "PQS8", "", ISA_SME, "qai8_qai8p2vlx4_qsi8cxp2vlx4sb_2vlx2vl_sme_mopa",
	  "qai8_qai8p2vlx4_qsi8cxp2vlx4sb_2vlx2vl_sme_mopa" },
	{ "QP8", "QC8W", ISA_SME2, "f32_qai8dxp1x4_qsi8cxp4vlx4_1x4vl_sme2_dot",
	  "f32_qai8dxp1vlx4_qsi8cxp4vlx4_1vlx4vl_sme2_mopa" },
	{ "QP8", "QC8W", ISA_SME, "f32_qai8dxp1x4_qsi8cxp4vlx4_1x4vl_sme_dot",
	  "f32_qai8dxp1vlx4_qsi8cxp4vlx4_1vlx4vl_sme_mopa" },
	{ "QP8", "QC8W", ISA_I8MM, "f32_qai8dxp1x8_qsi8cxp4x8_1x4_neon_dotprod",
	  "f32_qai8dxp4x8_qsi8cxp4x8_16x4_neon_i8mm" },
	{ "QP8", "QC8W", ISA_DOTPROD, "f32_qai8dxp1x4_qsi8cxp4x4_1x4_neon_dotprod",
	  "f32_qai8dxp4x4_qsi8cxp4x4_16x4_neon_dotprod" },
	{ "QP8", "QC4W", ISA_SME2, "f32_qai8dxp1x4_qsi4cxp4vlx4_1x4vl_sme2_sdot",
	  "f32_qai8dxp1vlx8_qsi4cxp4vlx8_1vlx4vl_sme2_mopa" },
	{ "QP8", "QC4W", ISA_SME, "f32_qai8dxp1x4_qsi4cxp4vlx4_1x4vl_sme_dot",
	  "f32_qai8dxp1vlx4_qsi4cxp4vlx4_1vlx4vl_sme_mopa" },
	{ "QP8", "QC4W", ISA_I8MM, "f32_qai8dxp1x8_qsi4cxp8x8_1x8x32_neon_dotprod",
	  "f32_qai8dxp4x8_qsi4cxp8x8_8x8x32_neon_i8mm" },
	{ "QP8", "QC4W", ISA_DOTPROD, "f32_qai8dxp1x4_qsi4cxp4x4_1x4_neon_dotprod",
	  "f32_qai8dxp4x8_qsi4cxp4x4_16x4x32_neon_dotprod" },
	{ "QP8", "QB4W", ISA_I8MM, "f32_qai8dxp1x8_qsi4c32p4x8_1x4x32_neon_dotprod",
	  "f32_qai8dxp4x8_qsi4c32p4x8_16x4x32_neon_i8mm" },
	{ "QP8", "QB4W", ISA_DOTPROD, "f32_qai8dxp1x4_qsi4c32p4x4_1x4_neon_dotprod",
	  "f32_qai8dxp4x4_qsi4c32p4x4_16x4_neon_dotprod" },
};
/* clang-format on */

bool microkernel_has(uint32_t cpu)
{
	return cpu == ISA_SME2 || cpu == ISA_SME || cpu == ISA_I8MM || cpu == ISA_DOTPROD;
}

/* Is `token` in a list of types such as "QP8, F32, QC8W"? */
static bool has_type(struct etcore_text types, const char *token)
{
	size_t n = strlen(token);

	for (uint64_t i = 0; i + n <= types.len; i++)
		if (memcmp(types.ptr + i, token, n) == 0 && (i == 0 || types.ptr[i - 1] == ' ') &&
		    (i + n == types.len || types.ptr[i + n] == ','))
			return true;
	return false;
}

static bool is(struct etcore_text text, const char *word)
{
	size_t n = strlen(word);

	return text.len == n && memcmp(text.ptr, word, n) == 0;
}

static const struct row *find(struct etcore_text types, uint32_t cpu)
{
	if (has_type(types, "QB4W") && cpu != ISA_DOTPROD)
		cpu = ISA_I8MM;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (table[i].cpu == cpu && has_type(types, table[i].operand) &&
		    (!table[i].weights[0] || has_type(types, table[i].weights)))
			return &table[i];
	return NULL;
}

void microkernel_text(const struct etcore_facts *facts, uint32_t cpu, uint64_t rows,
                      char text[MICROKERNEL_MAX])
{
	const struct row *row = find(facts->types, cpu);

	text[0] = '\0';
	if (!row)
		return;
	/* an IGEMM packs the rows of its left operand itself and always uses the kernel for several
	 * rows */
	if (is(facts->kernel, "IGEMM"))
		rows = 2;
	if (rows == 0 && strcmp(row->one, row->more) != 0)
		snprintf(text, MICROKERNEL_MAX, "%s or %s", row->one, row->more);
	else
		snprintf(text, MICROKERNEL_MAX, "%s", rows == 1 ? row->one : row->more);
}
