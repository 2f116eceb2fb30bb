/* fuzz_oracle.c -- reads any bytes as an ETDump with core/formats and with the oracle of
 * tests/edge: both must agree on what is damaged, and on every other value. */
#include "edge/etdump_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	etdump_check(data, size, NULL);
	return 0;
}
