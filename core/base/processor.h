/* processor.h -- detects optional features of the processor, which affect speed only, never
 * results. */
#ifndef ETC_BASE_PROCESSOR_H
#define ETC_BASE_PROCESSOR_H

#include <stdbool.h>

/* Does the processor have the features that code compiled with the compiler's option -m or +…
 * needs: clmul "pclmul,sse4.1", f16c "avx2,f16c", sha "sha,sse4.1"; on Armv8 all "+crypto"? */
bool etc_processor_clmul(void);
bool etc_processor_f16c(void);
bool etc_processor_sha(void);

#endif
