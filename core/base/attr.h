/* attr.h -- compiler attributes, with a single #if. */
#ifndef ETC_BASE_ATTR_H
#define ETC_BASE_ATTR_H

#if defined(__GNUC__)
#define ETC_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define ETC_MUST_CHECK        __attribute__((warn_unused_result))
#define ETC_COLD              __attribute__((cold))
#define ETC_INLINE            inline __attribute__((always_inline)) /* faster, as measured */
#define ETC_NOINLINE          __attribute__((noinline)) /* faster, as measured: keeps loops short */
#else
#define ETC_PRINTF(fmt, args)
#define ETC_MUST_CHECK
#define ETC_COLD
#define ETC_INLINE inline
#define ETC_NOINLINE
#endif

#endif
