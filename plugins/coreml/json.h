/* json.h -- reads one JSON text as Python's json.loads reads bytes.
 *
 * ExecuTorch's parser of Core ML's metadata is a Python function, so its results depend on
 * json.loads. json.loads accepts UTF-8, UTF-16 and UTF-32, with or without a byte order mark; NaN
 * and Infinity; lone surrogates; and at most 4300 digits in an integer. If keys are equal, it uses
 * the last one. The whole text is checked first; afterwards, values are views into it. Nothing here
 * depends on Core ML: the vgf plugin uses this reader, too. */
#ifndef PLUGINS_COREML_JSON_H
#define PLUGINS_COREML_JSON_H

#include <etcore/plugin.h>
#include <stdbool.h>
#include <stddef.h>

enum pyjson_status {
	PYJSON_OK,
	PYJSON_VALUE_ERROR, /* Python raises ValueError: not JSON, or not text */
	PYJSON_TOO_DEEP,    /* Python raises RecursionError */
	PYJSON_NOMEM
};

enum pyjson_kind {
	PYJSON_NULL,
	PYJSON_FALSE,
	PYJSON_TRUE,
	PYJSON_NUMBER,
	PYJSON_STRING,
	PYJSON_ARRAY,
	PYJSON_OBJECT
};

/* A value: its kind, and its text in the document. The text of a string includes its quotes and
 * escapes. */
struct pyjson_value {
	enum pyjson_kind kind;
	struct etcore_text text;
};

struct pyjson {
	struct pyjson_value root;
	char *owned; /* memory of the text, if it had to be converted to UTF-8; else NULL */
};

/* Decodes and checks `bytes`, which must outlive `doc`. After PYJSON_OK call pyjson_release;
 * after an error there is nothing to release. */
enum pyjson_status pyjson_load(struct pyjson *doc, struct etcore_bytes bytes);
void pyjson_release(struct pyjson *doc);

/* Sets `*key` (a string value) and `*value` to the next member of an object. Members come in the
 * order of the text; if several have equal keys, each of them comes. `*at` must be 0 before the
 * first call. False: there is no further member. */
bool pyjson_member(struct pyjson_value object, uint64_t *at, struct pyjson_value *key,
                   struct pyjson_value *value);
/* Sets `*value` to the next element of an array. `at` and the result have the same meaning as for
 * pyjson_member(). */
bool pyjson_element(struct pyjson_value array, uint64_t *at, struct pyjson_value *value);

/* Finds a member, as obj.get(key) does in Python: the last one with this key. `key` is UTF-8
 * without escapes. ETCORE_DECLINE: there is none. ETCORE_NOMEM: out of memory. */
etcore_result pyjson_get(struct pyjson_value object, const char *key, struct pyjson_value *value);

/* Sets `*out` to the characters of a string value as UTF-8 (a lone surrogate has three bytes). If
 * escapes had to be converted, `*owned` is new memory with the characters, which the caller frees;
 * otherwise `*owned` is NULL, and `*out` is a view into the document. */
etcore_result pyjson_string(struct pyjson_value string, struct etcore_text *out, char **owned);

/* Converts a JSON number to a double. ETCORE_NOMEM: out of memory. */
etcore_result pyjson_f64(struct pyjson_value number, double *out);

/* Passes a value to a sink, with the type that it has in Python: str, int, float, bool or None.
 * Lists, objects and integers beyond 64 bits are passed as JSON text. */
etcore_result pyjson_put(struct pyjson_value value, struct etcore_text name,
                         const struct etcore_sink *out);

#endif
