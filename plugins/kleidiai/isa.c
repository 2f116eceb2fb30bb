/* isa.c -- instruction sets as text, see decide.h */
#include "decide.h"

#include <stdio.h>
#include <string.h>

static const struct {
	uint32_t isa;
	const char *text;
	const char *features[2]; /* name of the feature in /proc/cpuinfo, and its common name if
				  * that is another */
} isas[] = {
	{ ISA_SME2, "SME2", { "sme2", NULL } },
	{ ISA_SME, "SME", { "sme", NULL } },
	{ ISA_I8MM, "I8MM", { "i8mm", NULL } },
	{ ISA_DOTPROD, "DotProd", { "asimddp", "dotprod" } },
	{ ISA_NEON, "Neon", { "asimd", "neon" } },
};

#define ISA_COUNT (sizeof isas / sizeof *isas)

void isa_text(uint32_t set, char *text, size_t size)
{
	size_t at = 0;

	*text = '\0';
	for (size_t i = 0; i < ISA_COUNT; i++) {
		const char *joint = at == 0 ? "" : ", ";
		int n;

		if (!(set & isas[i].isa))
			continue;
		set &= ~isas[i].isa;
		if (at > 0 && set == 0)
			joint = " or ";
		n = snprintf(text + at, size - at, "%s%s", joint, isas[i].text);
		if (n < 0 || (size_t)n >= size - at)
			return;
		at += (size_t)n;
	}
}

static uint32_t one_feature(struct etcore_text word)
{
	for (size_t i = 0; i < ISA_COUNT; i++)
		for (size_t k = 0; k < 2 && isas[i].features[k]; k++)
			if (word.len == strlen(isas[i].features[k]) &&
			    memcmp(word.ptr, isas[i].features[k], (size_t)word.len) == 0)
				return isas[i].isa;
	return 0;
}

uint32_t isa_from_features(struct etcore_text features)
{
	uint32_t set = 0;
	uint64_t from = 0;

	for (uint64_t i = 0; i <= features.len; i++) {
		if (i < features.len && features.ptr[i] != ' ' && features.ptr[i] != ',')
			continue;
		set |= one_feature((struct etcore_text){ features.ptr + from, i - from });
		from = i + 1;
	}
	return set;
}
