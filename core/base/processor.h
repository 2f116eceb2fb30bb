/* processor.h -- optional features of the processor.
 *
 * They affect speed only, never results. */
#ifndef ETC_BASE_PROCESSOR_H
#define ETC_BASE_PROCESSOR_H

#include <stdbool.h>

/* For code of the target "pclmul,sse4.1", "avx2,f16c", "sha,sse4.1" or (Armv8) "+crypto". */
bool etc_processor_clmul(void);
bool etc_processor_f16c(void);
bool etc_processor_sha(void);

#endif
