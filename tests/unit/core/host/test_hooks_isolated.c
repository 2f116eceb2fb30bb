/* Runs the tests of test_hooks.c with isolated plugins: the host must get the same answers,
 * whatever a hook does. */
#define ETC_TEST_ISOLATE 1
#include "test_hooks.c"
