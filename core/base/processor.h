/* processor.h -- detects optional features of the processor, which affect speed only, never
 * results. */
#ifndef ETC_BASE_PROCESSOR_H
#define ETC_BASE_PROCESSOR_H

#include <stdbool.h>

/* Can code compiled for "pclmul,sse4.1", "avx2,f16c", "sha,sse4.1" or (Armv8) "+crypto" be run? */
bool etc_processor_clmul(void);
bool etc_processor_f16c(void);
bool etc_processor_sha(void);

#endif
