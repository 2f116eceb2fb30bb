/* guard.cpp -- see guard.h. The only file that is compiled with exceptions. */
#include "host/guard.h"

#include <cstdlib>
#include <cstring>
#include <exception>

static void copy(char *to, size_t room, const char *text)
{
	size_t n = strlen(text);

	n = n < room - 1 ? n : room - 1;
	memcpy(to, text, n);
	to[n] = '\0';
}

/* Nothing of ours throws. What libraries throw without memory may meet a function of
 * theirs that nothing can be thrown through. */
static void give_up(void)
{
	etc_crash_no_memory();
	abort();
}

void etc_guard_own(void)
{
	std::set_terminate(give_up);
}

bool etc_guard(void (*body)(void *arg), void *arg, char *what, size_t room)
{
	try {
		body(arg);
		return true;
	} catch (const std::exception &e) {
		copy(what, room, e.what());
	} catch (...) {
		copy(what, room, "not a std::exception");
	}
	return false;
}
