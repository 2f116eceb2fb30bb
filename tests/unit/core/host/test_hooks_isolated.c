/* The tests of test_hooks.c once more, with plugins in processes of their own:
 * whatever a hook does, the host must see the same. */
#define ETC_TEST_ISOLATE 1
#include "test_hooks.c"
