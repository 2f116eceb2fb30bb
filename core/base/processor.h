/* processor.h -- detects optional features of the processor, which affect speed only, never
 * results. */
#ifndef ETC_BASE_PROCESSOR_H
#define ETC_BASE_PROCESSOR_H

#include <stdbool.h>

/* Can the processor run code that was compiled with certain target options? The options are
 * "pclmul,sse4.1" for etc_processor_clmul(), "avx2,f16c" for etc_processor_f16c(), and "sha,sse4.1"
 * (on Armv8 "+crypto") for etc_processor_sha(). The first two functions return false on processors
 * other than x86-64. */
bool etc_processor_clmul(void);
bool etc_processor_f16c(void);
bool etc_processor_sha(void);

#endif
