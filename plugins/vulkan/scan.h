/* scan.h -- finds the parts of the objects in ids.
 *
 * More tolerant than JSON, because C++ streams wrote them: `inf` is a value. It
 * only finds where values end; nothing is copied, nesting needs no stack. */
#ifndef VULKAN_SCAN_H
#define VULKAN_SCAN_H

#include <etcore/plugin.h>

#include <stdbool.h>

struct scan {
	const char *p, *end;
};

/* Does the text begin with '{' and end where that is closed? */
bool scan_is_object(struct etcore_text text);

/* Between the brackets of an object or array; nothing if it is neither. */
struct scan scan_inside(struct etcore_text value);

/* The next entry; false at the end, or where nothing more can be read. `value` is
 * an object, an array, a string with its quotes, or a bare word. */
bool scan_member(struct scan *s, struct etcore_text *key, struct etcore_text *value);
bool scan_element(struct scan *s, struct etcore_text *value);

/* A string without its quotes when it is printable ASCII and has no escape in it;
 * else empty. */
struct etcore_text scan_word(struct etcore_text value);

/* A whole number from 0; -1: it is none, or beyond 2^63. */
int64_t scan_number(struct etcore_text value);

#endif
