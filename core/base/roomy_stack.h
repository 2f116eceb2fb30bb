/* roomy_stack.h -- runs a function on a stack of known size, whatever `ulimit -s` is. */
#ifndef ETC_BASE_ROOMY_STACK_H
#define ETC_BASE_ROOMY_STACK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Calls fn(work). If the stack limit is below 1 MB, the call is made on a new thread with a stack
 * of 8 MB, and the new thread receives all signals instead of the calling thread. */
void etc_on_roomy_stack(void (*fn)(void *work), void *work);

#ifdef __cplusplus
}
#endif
#endif
