/* unchecked.h -- UNCHECKED marks a function that makes a fault on purpose. No sanitizer reports the
 * fault, so that its signal reaches etcore. */
#ifndef ETC_TESTS_PLUGINS_UNCHECKED_H
#define ETC_TESTS_PLUGINS_UNCHECKED_H

#ifdef __clang__
#define UNCHECKED __attribute__((no_sanitize("address", "undefined")))
#else
#define UNCHECKED __attribute__((no_sanitize_address, no_sanitize_undefined))
#endif

#endif
