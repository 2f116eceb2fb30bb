/* fuzz_oracle.c -- reads any bytes as an ETDump with core/formats and with the independent reader
 * edge/etdump_oracle.h. Both must agree on what is damaged, and on every value. */
#include "edge/etdump_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	etdump_check(data, size, NULL);
	return 0;
}
