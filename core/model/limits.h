/* limits.h -- every limit on the resources that an input may use.
 *
 * If an input exceeds a limit, the error states the limit. Limits with a key can be changed in
 * section [limits] of the INI file. */
#ifndef ETC_MODEL_LIMITS_H
#define ETC_MODEL_LIMITS_H

#include <stddef.h>
#include <stdint.h>

struct etc_limits {
	/* Bytes of memory for one analysis besides the mapped files. 0: 64 MiB, plus 8 bytes for
	 * each byte of input, plus another 32 bytes for each byte of an ETDump. These 32 bytes add
	 * up to at most 2 GiB. Key max_memory. */
	size_t max_memory;
	/* Largest number of FlatBuffers tables that are visited in one file (ETDump, program, data
	 * file). For a damaged file that is salvaged, the limit is four times as high. 0: max(2^20,
	 * bytes / 16). An undamaged ETDump stays below this limit, because each of its events takes
	 * at least 16 bytes. Key max_visits. */
	size_t max_visits;
	/* Bytes read from a pipe or standard input. 0: 4 GiB. Key max_pipe. */
	size_t max_pipe;
	/* Limits of an isolated plugin; the keys have the same names. `max_hook_seconds` is the
	 * time limit in seconds for the plugin's answer to one message of about a megabyte; 0 means
	 * 5. `max_hook_memory` is the limit of address space in bytes; 0 means 2 GiB. */
	double max_hook_seconds;
	size_t max_hook_memory;
	/* The key `jobs` of [limits]. It has no effect; a value other than 0 is reported as
	 * N0644. */
	uint32_t jobs;
};

enum {
	ETC_LIMIT_LOG_LOOK = 64 << 20, /* bytes of a serial log searched for the start of a dump */
	/* deepest nesting of lists and objects in an ETRecord's JSON; Python has the same limit */
	ETC_LIMIT_JSON_DEPTH = 1000,
	ETC_LIMIT_TENSOR_RANK = 64,       /* number of dimensions of a tensor */
	ETC_LIMIT_PLUGINS = 64,           /* number of plugins in one process */
	ETC_LIMIT_PLUGIN_TEXT = 1 << 24,  /* bytes of text in one call of a sink */
	ETC_LIMIT_PLUGIN_ITEMS = 1 << 20, /* calls of sinks during one call of a hook */
	/* maximum number of events that a plugin makes out of one event */
	ETC_LIMIT_PLUGIN_CHILDREN = 1 << 20,
	/* columns that one plugin returns in families ("acme.*") */
	ETC_LIMIT_PLUGIN_COLUMNS = 4096,
	ETC_LIMIT_SET = 4096,         /* number of distinct values of a column that one row lists */
	ETC_LIMIT_INI_BYTES = 1 << 20 /* bytes of a configuration file */
};

#endif
