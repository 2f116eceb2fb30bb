/* etdump_check.h -- one ETDump through core/formats and through the oracle. */
#ifndef ETC_EDGE_ETDUMP_CHECK_H
#define ETC_EDGE_ETDUMP_CHECK_H

#include "base/codes.h"
#include "edge/etdump_oracle.h"

struct etdump_answer {
	bool read;          /* the trace was made, and so was what `etcore dump` shows */
	enum etc_code code; /* else the error's; read: the first warning's, or ETC_CODE_NONE */
	uint64_t digest;    /* of a file that was read */
	enum oracle_verdict verdict;
};

/* Reads the bytes both ways. Aborts, with a sentence on stderr, when
 *   - a file is read in which the oracle finds an offset, vtable, length or count that
 *     leaves it;
 *   - a file is refused as damaged in which the oracle finds none;
 *   - any value of the trace or of the walk is not the oracle's.
 * `roles`: as oracle_open's. */
struct etdump_answer etdump_check(const uint8_t *bytes, size_t len, uint8_t *roles);

#endif
