/* layout_1_1.c -- what version 1.1 of the plugin ABI appended to layout_1_0.c, as a table of the
 * same form. It never changes: tests/plugins/abi1_1_frozen has its SHA-256. */
#include "etcore/plugin.h"

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
VALUE(ETCORE_FORM_PLAIN, 0u)
VALUE(ETCORE_FORM_FILE, 1u)

SIZE(etcore_option, 80)
AT(etcore_option, form, 32)
AT(etcore_option, reserved, 36)
AT(etcore_option, unit, 40)
AT(etcore_option, choices, 48)
AT(etcore_option, least, 56)
AT(etcore_option, most, 64)
AT(etcore_option, most_bytes, 72)

SIZE(etcore_column, 48)
AT(etcore_column, rollup_1_1, 40)
AT(etcore_column, reserved_1_1, 44)

SIZE(etcore_setting, 56)
AT(etcore_setting, content, 40)

SIZE(etcore_value, 56)
AT(etcore_value, size, 0)
AT(etcore_value, type, 4)
AT(etcore_value, name, 8)
AT(etcore_value, text, 24)
AT(etcore_value, i64, 40)
AT(etcore_value, f64, 48)

SIZE(etcore_facts, 200)
AT(etcore_facts, time, 176)
AT(etcore_facts, columns, 184)
AT(etcore_facts, column_count, 192)
AT(etcore_facts, reserved_1_1, 196)

SIZE(etcore_time, 72)
AT(etcore_time, sync_device, 56)
AT(etcore_time, sync_host, 64)
VALUE(ETCORE_DURATION_CONCURRENT, 3)

SIZE(etcore_host, 32)
AT(etcore_host, get_service, 24)

SIZE(etcore_child, 56)
AT(etcore_child, size, 0)
AT(etcore_child, parent, 4)
AT(etcore_child, name, 8)
AT(etcore_child, samples, 24)
AT(etcore_child, durations, 32)
AT(etcore_child, starts, 40)
AT(etcore_child, time, 48)

SIZE(etcore_child_sink, 40)
AT(etcore_child_sink, size, 0)
AT(etcore_child_sink, reserved, 4)
AT(etcore_child_sink, handle, 8)
AT(etcore_child_sink, begin, 16)
AT(etcore_child_sink, facts, 24)
AT(etcore_child_sink, columns, 32)

SIZE(etcore_plugin, 192)
AT(etcore_plugin, abi_least, 160)
AT(etcore_plugin, reserved_1_1, 164)
AT(etcore_plugin, get_instance_extension, 168)
AT(etcore_plugin, title, 176)
AT(etcore_plugin, expand_event, 184)

VALUE(ETCORE_ROLLUP_MEAN, 4)
VALUE(ETCORE_ROLLUP_MIN, 5)
VALUE(ETCORE_ROLLUP_MAX, 6)
VALUE(ETCORE_ROLLUP_TIME_MEAN, 7)
