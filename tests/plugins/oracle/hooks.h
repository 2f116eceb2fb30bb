/* hooks.h -- metadata parsers and time converters in C. They imitate the Python functions with
 * which the Inspector's answers under tests/data were recorded.
 *
 * parse_X and convert_X do what the Python functions X do (README.md), each as a hook of
 * etcore/plugin.h. A parser answers for every delegated event, also for those without metadata,
 * because the Inspector calls it for every one. */
#ifndef TESTS_PLUGINS_ORACLE_HOOKS_H
#define TESTS_PLUGINS_ORACLE_HOOKS_H

#include <etcore/plugin.h>

typedef etcore_result oracle_parser(void *self, const struct etcore_call *call, uint32_t index,
                                    const struct etcore_sink *out);
typedef etcore_result oracle_converter(void *self, const struct etcore_call *call, uint32_t index,
                                       const struct etcore_scales *scales, const uint64_t *raw,
                                       uint64_t count, const struct etcore_number_sink *out);

/* Parsers that return a list with one item per run. */
oracle_parser parse_utf8;             /* bytes.decode("utf-8", "replace") */
oracle_parser parse_text_each;        /* as parse_utf8 */
oracle_parser parse_neutron_function; /* NXP: one byte of function code */
/* Parsers that return a dict; each key is a column. */
oracle_parser parse_summary;     /* number of entries and of bytes */
oracle_parser parse_json;        /* the first blob that is a JSON object */
oracle_parser parse_json_keys;   /* the first blob, if it is a JSON object */
oracle_parser parse_coreml_json; /* four keys of the first blob */

oracle_converter convert_identity;
oracle_converter convert_half;
oracle_converter convert_us_to_ms;
oracle_converter convert_ns_to_ms;
oracle_converter convert_cycles_1ghz_to_ms;
oracle_converter convert_qnn_suffix_to_ms;
oracle_converter convert_qnn_cycles_1ghz_to_us;
oracle_converter convert_vulkan_52_08;
oracle_converter convert_neutron_ticks_to_us;

#endif
