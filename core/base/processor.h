/* processor.h -- detects optional features of the processor, which affect speed only, never
 * results. */
#ifndef ETC_BASE_PROCESSOR_H
#define ETC_BASE_PROCESSOR_H

#include <stdbool.h>

/* Can the processor run code compiled with these target options: clmul "pclmul,sse4.1", f16c
 * "avx2,f16c", sha "sha,sse4.1", or "+crypto" on Armv8? The first two return false on processors
 * other than x86-64. */
bool etc_processor_clmul(void);
bool etc_processor_f16c(void);
bool etc_processor_sha(void);

#endif
