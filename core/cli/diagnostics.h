/* diagnostics.h -- how errors, warnings and notes look on standard error. */
#ifndef ETC_CLI_DIAGNOSTICS_H
#define ETC_CLI_DIAGNOSTICS_H

#include "base/error.h"

/* Prints `err` with place and hint, as text or as one JSON object
 * {code, severity, file, offset, line, message, hint}. An error without a code
 * (a finding that the answer already shows) prints nothing. */
void etc_print_error(const struct etc_error *err, bool json);

/* Was --diagnostics=json among the arguments? Looked up apart from the option
 * table because a mistake in the arguments must be reported in that form too. */
bool etc_diagnostics_json(int argc, char **argv);

#endif
