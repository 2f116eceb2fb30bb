/* attr.h -- macros for compiler attributes; they are empty for a compiler without these
 * attributes. */
#ifndef ETC_BASE_ATTR_H
#define ETC_BASE_ATTR_H

#if defined(__GNUC__)
#define ETC_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define ETC_MUST_CHECK        __attribute__((warn_unused_result))
#define ETC_COLD              __attribute__((cold))
/* ETC_INLINE is for functions that were measured to be faster when they are inlined. ETC_NOINLINE
 * keeps a function out of its callers, so that their loops stay short. */
#define ETC_INLINE   inline __attribute__((always_inline))
#define ETC_NOINLINE __attribute__((noinline))
#else
#define ETC_PRINTF(fmt, args)
#define ETC_MUST_CHECK
#define ETC_COLD
#define ETC_INLINE inline
#define ETC_NOINLINE
#endif

#endif
