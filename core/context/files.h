/* files.h -- lists the input files and configuration keys for a report. */
#ifndef ETC_CONTEXT_FILES_H
#define ETC_CONTEXT_FILES_H

#include "context/inputs.h"
#include "table/report.h"

enum { ETC_FILE_KINDS = 5 };

/* Lists the dump of `in` and the files that belong to it in out[0 .. result), at most
 * ETC_FILE_KINDS. With `hashes`, computes the SHA-256 of each file; for a large file this takes
 * longer than its analysis. */
uint32_t etc_list_files(const struct etc_inputs *in, bool hashes, struct etc_arena *arena,
                        struct etc_report_file *out);

/* Returns the SHA-256 of an input, in hexadecimal digits; {NULL, 0}: out of memory. */
struct etc_str etc_file_hash(const struct etc_input_file *file, struct etc_arena *arena);

/* Do the two files have the same bytes? Files that are only known from a baseline are compared by
 * size and hash. */
bool etc_file_same(const struct etc_input_file *a, const struct etc_input_file *b,
                   struct etc_arena *arena);

/* Returns the first of `all` whose dump has the same content as the dump of `in`; NULL: there is
 * none. */
const struct etc_inputs *etc_inputs_known(const struct etc_inputs *all, uint32_t count,
                                          const struct etc_inputs *in, struct etc_arena *arena);

/* Reports N0180: `again` has the same dump as `first`, and is left out. */
void etc_note_twice(struct etc_notes *notes, const struct etc_inputs *again,
                    const struct etc_inputs *first);

/* Sets report->settings to the configuration keys that were set: in a file, in the environment or
 * by an option. E0904. */
enum etc_status etc_list_settings(const struct etc_settings *settings, struct etc_arena *arena,
                                  struct etc_report *report, struct etc_error *err) ETC_MUST_CHECK;

#endif
