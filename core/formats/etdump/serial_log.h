/* serial_log.h -- the ETDump in the log of a bare-metal runner.
 *
 * A runner without a file system prints what it would write, as a shell script
 * in its log:
 *
 *     #[RUN THIS]
 *     # Writing debug_buffer.bin [base64]
 *     echo "AAAA...==" | base64 -d >debug_buffer.bin
 *     # Writing etdump.bin [base64]
 *     echo "GAAAAEVEMDA...=" | base64 -d >etdump.bin
 *     #[END]
 *
 * The log comes over a serial line: other lines stand around it and in the
 * middle of it, each line may have a prefix, a terminal may have wrapped the
 * long ones, and any part may be missing. Nothing of it is run.
 *
 * Source: examples/arm/executor_runner/arm_executor_runner.cpp in
 * pytorch/executorch. */
#ifndef ETC_READ_SERIAL_LOG_H
#define ETC_READ_SERIAL_LOG_H

#include "base/notes.h"

struct etc_serial_log {
	struct etc_span dump;         /* the last complete one */
	struct etc_span debug_buffer; /* printed before it; empty if there is none */
	uint32_t line;                /* in which the dump begins, from 1 */
};

/* Does the text hold such a script, or a piece of one? Looks at the first ETC_LIMIT_LOG_LOOK
 * bytes: gigabytes of something else are refused at once. */
bool etc_serial_log_is(struct etc_span file);

/* Decodes into the arena. Notes where the dump was (N0223), how many there are
 * (N0224), and what was left out because it is cut or damaged (W0222).
 *
 *   E0220 cut off inside of its only dump   E0221 damaged base64   E0904 */
enum etc_status etc_serial_log_read(struct etc_span file, struct etc_arena *arena,
                                    struct etc_notes *notes, struct etc_serial_log *out,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* The same, but a dump that is cut off is taken as far as it goes, if there is no
 * other. */
enum etc_status etc_serial_log_salvage(struct etc_span file, struct etc_arena *arena,
                                       struct etc_notes *notes, struct etc_serial_log *out,
                                       struct etc_error *err) ETC_MUST_CHECK;

#endif
