/* scan.h -- finds keys and values in the ids of Vulkan's events, which are objects in a form
 * similar to JSON.
 *
 * The ids were written by C++ streams, so the functions here accept more than JSON allows, such as
 * the value `inf`. They only find where values start and end. Nothing is copied, and nested values
 * need no stack. */
#ifndef PLUGINS_VULKAN_SCAN_H
#define PLUGINS_VULKAN_SCAN_H

#include <etcore/plugin.h>

#include <stdbool.h>

struct scan {
	const char *p, *end;
};

/* Is the text a single object, from '{' to the matching '}'? */
bool scan_is_object(struct etcore_text text);

/* Returns the text between the brackets of an object or array; empty for other values. */
struct scan scan_inside(struct etcore_text value);

/* Read the next member of an object, or the next element of an array. `*value` is an object, an
 * array, a string with its quotes, or a word without quotes. False: there is none, or the rest of
 * the text has another form. */
bool scan_member(struct scan *s, struct etcore_text *key, struct etcore_text *value);
bool scan_element(struct scan *s, struct etcore_text *value);

/* Returns the text of a string without its quotes, if it is printable ASCII without escapes; else
 * an empty text. */
struct etcore_text scan_word(struct etcore_text value);

/* Returns the value as an integer; -1: it is no integer, is negative, or is 2^63 or more. */
int64_t scan_number(struct etcore_text value);

#endif
