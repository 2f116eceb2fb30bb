/* diagnostics.h -- prints errors, warnings and notes on standard error. */
#ifndef ETC_CLI_DIAGNOSTICS_H
#define ETC_CLI_DIAGNOSTICS_H

#include "base/error.h"
#include "etcore/etcore.h"

/* Prints a diagnostic with location and hint, as text or as one JSON object {code, severity, file,
 * offset, line, message, hint}; if the file's name is not UTF-8, the object also has `file_hex`.
 * Prints nothing for a diagnostic without a code, which stands for a finding that the report has
 * shown. */
void etc_print_diagnostic(const struct etcore_diagnostic *d, bool json);

/* Converts an error that the command line program etcore itself found to the struct in which the
 * library reports errors. */
void etc_own_diagnostic(const struct etc_error *err, struct etcore_diagnostic *out);

/* Is --diagnostics=json among the arguments? This is found without parsing the arguments, because a
 * mistake in them must be reported in this form, too. */
bool etc_diagnostics_json(int argc, char **argv);

#endif
