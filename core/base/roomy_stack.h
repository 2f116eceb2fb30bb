/* roomy_stack.h -- a stack of a known size, whatever `ulimit -s` says. */
#ifndef ETC_BASE_ROOMY_STACK_H
#define ETC_BASE_ROOMY_STACK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Calls fn(work): here, or, where the limit of the stack is below 1 MB, on a thread with 8 MB that
 * takes all signals in place of this one. */
void etc_on_roomy_stack(void (*fn)(void *work), void *work);

#ifdef __cplusplus
}
#endif
#endif
