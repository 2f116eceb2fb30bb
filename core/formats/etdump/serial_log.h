/* serial_log.h -- extracts the ETDump from the log of a bare-metal runner.
 *
 * A runner without a file system prints the files as a shell script in its log:
 *
 *     #[RUN THIS]
 *     # Writing debug_buffer.bin [base64]
 *     echo "AAAA...==" | base64 -d >debug_buffer.bin
 *     # Writing etdump.bin [base64]
 *     echo "GAAAAEVEMDA...=" | base64 -d >etdump.bin
 *     #[END]
 *
 * The log comes over a serial line: other output may surround and interrupt it, each line may
 * have a prefix, a terminal may have wrapped long lines, and any part may be missing. The
 * script is never executed.
 *
 * Source: examples/arm/executor_runner/arm_executor_runner.cpp in pytorch/executorch. */
#ifndef ETC_FORMATS_ETDUMP_SERIAL_LOG_H
#define ETC_FORMATS_ETDUMP_SERIAL_LOG_H

#include "base/notes.h"

struct etc_serial_log {
	struct etc_span dump; /* the last complete ETDump in the log */
	/* debug buffer printed before the dump; empty if there is none */
	struct etc_span debug_buffer;
	uint32_t line; /* line in which the dump begins, from 1 */
};

/* Does the text contain a dump that is printed as a shell script, or a part of one? Reads only the
 * first ETC_LIMIT_LOG_LOOK bytes, so that large files of other kinds are rejected quickly. */
bool etc_serial_log_is(struct etc_span file);

/* Finds the last complete dump of the log, and decodes it and the debug buffer before it into the
 * arena. Reports the position of the dump (N0223), the number of dumps (N0224), and truncated or
 * damaged blocks that are left out (W0222).
 *
 *   E0220 no dump, or a truncated one   E0221 damaged base64   E0904 */
enum etc_status etc_serial_log_read(struct etc_span file, struct etc_arena *arena,
                                    struct etc_notes *notes, struct etc_serial_log *out,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_serial_log_read(), but uses a truncated dump if there is no complete one. */
enum etc_status etc_serial_log_salvage(struct etc_span file, struct etc_arena *arena,
                                       struct etc_notes *notes, struct etc_serial_log *out,
                                       struct etc_error *err) ETC_MUST_CHECK;

#endif
