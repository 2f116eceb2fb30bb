/* layout_api.c -- the public C API as a table: the offset of every member of etcore/etcore.h, the
 * least size of every struct, and every constant.
 *
 * Compiled as C11 and as C++17; a wrong row does not compile. Appending a member to the end of a
 * struct adds a row and raises a SIZE. Moving, removing or renumbering anything breaks existing
 * programs, and needs a new major version. */
#include "etcore/etcore.h"

#ifdef __cplusplus
#define ASSERT static_assert
#else
#define ASSERT _Static_assert
#endif
#define SIZE(type, bytes) ASSERT(sizeof(struct type) >= (bytes), #type " has shrunk");
#define AT(type, member, bytes) \
	ASSERT(offsetof(struct type, member) == (bytes), #type "." #member " has moved");
#define VALUE(name, number) ASSERT((name) == (number), #name " has another value");

/* clang-format off */
SIZE(etcore_diagnostic, 2384)
AT(etcore_diagnostic, size, 0)
AT(etcore_diagnostic, status, 4)
AT(etcore_diagnostic, severity, 8)
AT(etcore_diagnostic, line, 12)
AT(etcore_diagnostic, offset, 16)
AT(etcore_diagnostic, count, 24)
AT(etcore_diagnostic, code, 32)
AT(etcore_diagnostic, hint, 40)
AT(etcore_diagnostic, see, 48)
AT(etcore_diagnostic, file, 80)
AT(etcore_diagnostic, message, 1104)

SIZE(etcore_question, 48)
AT(etcore_question, size, 0)
AT(etcore_question, hidden, 4)
AT(etcore_question, name, 8)
AT(etcore_question, summary, 16)
AT(etcore_question, usage, 24)
AT(etcore_question, examples, 32)
AT(etcore_question, groups, 40)
AT(etcore_question, reserved, 44)

SIZE(etcore_option_info, 56)
AT(etcore_option_info, size, 0)
AT(etcore_option_info, kind, 4)
AT(etcore_option_info, hidden, 8)
AT(etcore_option_info, letter, 12)
AT(etcore_option_info, name, 16)
AT(etcore_option_info, argument, 24)
AT(etcore_option_info, choices, 32)
AT(etcore_option_info, help, 40)
AT(etcore_option_info, words, 48)

SIZE(etcore_key_info, 64)
AT(etcore_key_info, size, 0)
AT(etcore_key_info, section, 8)
AT(etcore_key_info, key, 16)
AT(etcore_key_info, built_in, 24)
AT(etcore_key_info, unit, 32)
AT(etcore_key_info, help, 40)
AT(etcore_key_info, expected, 48)
AT(etcore_key_info, environment, 56)

SIZE(etcore_table_info, 16)
AT(etcore_table_info, size, 0)
AT(etcore_table_info, number, 4)
AT(etcore_table_info, name, 8)

SIZE(etcore_column_info, 40)
AT(etcore_column_info, size, 0)
AT(etcore_column_info, type, 4)
AT(etcore_column_info, name, 8)
AT(etcore_column_info, help, 16)
AT(etcore_column_info, unit, 24)
AT(etcore_column_info, items, 32)
AT(etcore_column_info, reserved, 36)

SIZE(etcore_cell, 48)
AT(etcore_cell, size, 0)
AT(etcore_cell, kind, 4)
AT(etcore_cell, i, 8)
AT(etcore_cell, u, 16)
AT(etcore_cell, f, 24)
AT(etcore_cell, text, 32)
AT(etcore_cell, length, 40)

SIZE(etcore_samples, 48)
AT(etcore_samples, size, 0)
AT(etcore_samples, reserved, 4)
AT(etcore_samples, count, 8)
AT(etcore_samples, event, 16)
AT(etcore_samples, run, 24)
AT(etcore_samples, start, 32)
AT(etcore_samples, end, 40)

VALUE(ETCORE_API_MAJOR, 1)
VALUE(ETCORE_API_MINOR, 4)
VALUE(ETCORE_STATUS_OK, 0)
VALUE(ETCORE_STATUS_FINDING, 1)
VALUE(ETCORE_STATUS_USAGE, 2)
VALUE(ETCORE_STATUS_IO, 3)
VALUE(ETCORE_STATUS_FORMAT, 4)
VALUE(ETCORE_STATUS_CORRUPT, 5)
VALUE(ETCORE_STATUS_UNSUPPORTED, 6)
VALUE(ETCORE_STATUS_LIMIT, 7)
VALUE(ETCORE_STATUS_NO_MEMORY, 8)
VALUE(ETCORE_STATUS_PLUGIN, 9)
VALUE(ETCORE_STATUS_RAISES, 10)
VALUE(ETCORE_STATUS_NO_VERDICT, 11)
VALUE(ETCORE_SEVERITY_NOTE, 0)
VALUE(ETCORE_SEVERITY_WARNING, 1)
VALUE(ETCORE_SEVERITY_ERROR, 2)
VALUE(ETCORE_OPTION_FLAG, 0)
VALUE(ETCORE_OPTION_COUNT, 1)
VALUE(ETCORE_OPTION_TEXT, 2)
VALUE(ETCORE_OPTION_LIST, 3)
VALUE(ETCORE_OPTION_CHOICE, 4)
VALUE(ETCORE_OPTION_OPTIONAL, 5)
VALUE(ETCORE_OPTION_FILE, 6)
VALUE(ETCORE_TABLE_ROWS, 0)
VALUE(ETCORE_TABLE_PATHS, 1)
VALUE(ETCORE_TABLE_RUNS, 2)
VALUE(ETCORE_TABLE_EVENTS, 3)
VALUE(ETCORE_TABLE_SAMPLES, 4)
VALUE(ETCORE_TABLE_ALLOCATIONS, 5)
VALUE(ETCORE_TABLE_FILES, 6)
VALUE(ETCORE_TABLE_BLOCKS, 7)
VALUE(ETCORE_TABLE_INSPECTED, 8)
VALUE(ETCORE_TABLE_INSPECTED_SAMPLES, 9)
VALUE(ETCORE_TABLE_VALUES, 10)
VALUE(ETCORE_TABLE_BATCH, 32)
VALUE(ETCORE_CELL_BLANK, 0)
VALUE(ETCORE_CELL_TEXT, 1)
VALUE(ETCORE_CELL_INT, 2)
VALUE(ETCORE_CELL_UINT, 3)
VALUE(ETCORE_CELL_REAL, 4)
VALUE(ETCORE_CELL_BOOL, 5)
VALUE(ETCORE_CELL_BYTES, 6)
