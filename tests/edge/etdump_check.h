/* etdump_check.h -- reads an ETDump with core/formats and with the oracle, which is the independent
 * reader etdump_oracle.h, and compares the results. */
#ifndef ETC_EDGE_ETDUMP_CHECK_H
#define ETC_EDGE_ETDUMP_CHECK_H

#include "base/codes.h"
#include "edge/etdump_oracle.h"

struct etdump_answer {
	bool read; /* true: core/formats made a trace of the file */
	/* The code of the error, if any. For a file that was read, the code of its first warning
	 * comes first; without both, ETC_CODE_NONE. */
	enum etc_code code;
	uint64_t digest; /* hash of the content; 0: not read, or the oracle gave up */
	enum oracle_verdict verdict;
};

/* Reads the bytes with core/formats and with the oracle. Prints a sentence on stderr and aborts if
 * - core/formats reads the file, although the oracle finds an offset, vtable, length or count that
 *   points outside of it;
 * - core/formats rejects the file as damaged, although the oracle finds no damage;
 * - any value of the trace or of the walk differs from the oracle's.
 * `roles` is as in oracle_open(). */
struct etdump_answer etdump_check(const uint8_t *bytes, size_t len, uint8_t *roles);

#endif
