/* json.h -- reads one JSON text as Python's json.loads reads bytes.
 *
 * Core ML's metadata parser is a Python function, so its columns depend on what json.loads accepts:
 * UTF-8, -16 and -32 with or without a byte order mark, NaN and Infinity, lone surrogates, the last
 * of equal keys, at most 4300 digits in an integer. The whole text is checked first; afterwards
 * values are views into it. The vgf plugin uses this reader too, so nothing here depends on Core
 * ML. */
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
	char *owned; /* the text if it had to be converted; else NULL */
};

/* Decodes and checks `bytes`, which must outlive `doc`. After PYJSON_OK call pyjson_release;
 * after an error there is nothing to release. */
enum pyjson_status pyjson_load(struct pyjson *doc, struct etcore_bytes bytes);
void pyjson_release(struct pyjson *doc);

/* Takes the next member of an object in the order of the text, equal keys included. `*at` starts at
 * 0. `key` is a string value. False: there is no further member. */
bool pyjson_member(struct pyjson_value object, uint64_t *at, struct pyjson_value *key,
                   struct pyjson_value *value);
/* Finds the next element of an array; `at` and the return value are those of pyjson_member(). */
bool pyjson_element(struct pyjson_value array, uint64_t *at, struct pyjson_value *value);

/* Finds a member as obj.get(key) does in Python: the last one of that name. ETCORE_DECLINE: there
 * is none. ETCORE_NOMEM: out of memory. `key` is plain UTF-8. */
etcore_result pyjson_get(struct pyjson_value object, const char *key, struct pyjson_value *value);

/* Sets *out to the characters of a string value as UTF-8 (a lone surrogate in three bytes). If they
 * had to be converted, *owned is set to their memory, which the caller frees; else it is NULL, and
 * *out is a view of the document. */
etcore_result pyjson_string(struct pyjson_value string, struct etcore_text *out, char **owned);

/* Converts a number to a double. */
etcore_result pyjson_f64(struct pyjson_value number, double *out);

/* Passes a value to a sink with the type that Python gives it: str, int, float, bool, None;
 * lists, objects and integers beyond 64 bits as JSON text. */
etcore_result pyjson_put(struct pyjson_value value, struct etcore_text name,
                         const struct etcore_sink *out);

#endif
