/* take.h -- collects the output of a libetcore query in memory. */
#ifndef ETC_TESTS_TAKE_H
#define ETC_TESTS_TAKE_H

#include <stdlib.h>
#include <string.h>

struct text {
	char *bytes; /* ends with a NUL that `size` does not count; freed by the caller */
	size_t size;
};

static int take(void *arg, const char *bytes, size_t size)
{
	struct text *t = arg;
	char *more = realloc(t->bytes, t->size + size + 1);

	if (!more)
		return 1;
	t->bytes = more;
	memcpy(more + t->size, bytes, size);
	t->size += size;
	more[t->size] = '\0';
	return 0;
}

#endif
