/* etdump_check.h -- reads an ETDump with core/formats and with the oracle, and compares the
 * results. */
#ifndef ETC_EDGE_ETDUMP_CHECK_H
#define ETC_EDGE_ETDUMP_CHECK_H

#include "base/codes.h"
#include "edge/etdump_oracle.h"

struct etdump_answer {
	bool read; /* true: the trace was made, and `etcore dump` can show the file */
	/* false: code of the error; true: of the first warning, or ETC_CODE_NONE */
	enum etc_code code;
	uint64_t digest; /* hash of the content, if the file was read */
	enum oracle_verdict verdict;
};

/* Reads the bytes in both ways. Prints a sentence on stderr and aborts if
 * - a file is read although the oracle finds an offset, vtable, length or count that points outside
 * of it;
 * - a file is rejected as damaged although the oracle finds no damage;
 * - any value of the trace or of the walk differs from the oracle's.
 * `roles` is as in oracle_open(). */
struct etdump_answer etdump_check(const uint8_t *bytes, size_t len, uint8_t *roles);

#endif
