/* fuzz_oracle.c -- any bytes as an ETDump, read by core/formats and by the oracle of
 * tests/edge: they agree on what is damaged, and on every value of what is not. */
#include "edge/etdump_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	etdump_check(data, size, NULL);
	return 0;
}
