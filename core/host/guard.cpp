/* guard.cpp -- see guard.h. The only file that is compiled with exceptions. */
#include "host/guard.h"

#include <csetjmp>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <unwind.h>

static void copy(char *to, size_t room, const char *text)
{
	size_t n = strlen(text);

	n = n < room - 1 ? n : room - 1;
	memcpy(to, text, n);
	to[n] = '\0';
}

/* The std::terminate handler: reports that memory is exhausted. There is no other reason for a
 * call: etcore's own code does not throw, but a C++ library may throw bad_alloc in one of its
 * noexcept functions. */
static void give_up(void)
{
	etc_crash_no_memory();
	abort();
}

void etc_guard_own(void)
{
	std::set_terminate(give_up);
}

/* A plugin may use another C++ runtime and unwinder than etcore, because releases of etcore link
 * theirs statically. A catch clause in etcore would pass the plugin's exception to etcore's
 * unwinder, which would crash. So etc_guard_call(), which calls each hook, has a personality
 * routine of its own, which calls no unwinder. When an exception of another runtime arrives at
 * etc_guard_call(), and the plugin's frames are cleaned up, the routine leaves by longjmp().
 * Exceptions of etcore's own runtime continue to the catch clauses. */
struct guard {
	jmp_buf out;
	struct _Unwind_Exception *exception;
	guard *outer;
};

static thread_local guard *innermost;

/* The layout of std::type_info in GNU's C++ ABI, by which the type of an exception of another
 * runtime is examined. The order of the virtual functions is that of libstdc++. */
struct gnu_type {
	virtual ~gnu_type();
	virtual bool is_pointer() const;
	virtual bool is_function() const;
	virtual bool do_catch(const gnu_type *type, void **object, unsigned outer) const;
	virtual bool do_upcast(const void *target, void **object) const;
};

/* the exception class of GNU's runtime: "GNUCC++", and a last byte that is 0 or 1 */
enum : uint64_t { GNU_CLASS = 0x474e5543432b2b00 };
enum { TYPE_BEFORE_HEADER = 80, GNU_KIND = 0xff };

extern "C" {
extern void etc_guard_call(void (*body)(void *arg), void *arg);
extern _Unwind_Reason_Code etc_guard_personality(int version, _Unwind_Action actions, uint64_t kind,
                                                 struct _Unwind_Exception *e,
                                                 struct _Unwind_Context *context);
}

/* clang-format off */
#if defined(__x86_64__) && defined(__ELF__)
__asm__(".text\n"
        ".hidden etc_guard_call\n"
        ".globl etc_guard_call\n"
        ".type etc_guard_call, @function\n"
        "etc_guard_call:\n"
        "	.cfi_startproc\n"
        "	.cfi_personality 0x1b, etc_guard_personality\n"
        "	subq $8, %rsp\n"
        "	.cfi_adjust_cfa_offset 8\n"
        "	movq %rdi, %rax\n"
        "	movq %rsi, %rdi\n"
        "	call *%rax\n"
        "	addq $8, %rsp\n"
        "	.cfi_adjust_cfa_offset -8\n"
        "	ret\n"
        "	.cfi_endproc\n"
        ".size etc_guard_call, . - etc_guard_call\n");
#elif defined(__aarch64__) && defined(__ELF__)
__asm__(".text\n"
        ".hidden etc_guard_call\n"
        ".globl etc_guard_call\n"
        ".type etc_guard_call, %function\n"
        "etc_guard_call:\n"
        "	.cfi_startproc\n"
        "	.cfi_personality 0x1b, etc_guard_personality\n"
        "	stp x29, x30, [sp, #-16]!\n"
        "	.cfi_adjust_cfa_offset 16\n"
        "	.cfi_rel_offset x29, 0\n"
        "	.cfi_rel_offset x30, 8\n"
        "	mov x29, sp\n"
        "	mov x2, x0\n"
        "	mov x0, x1\n"
        "	blr x2\n"
        "	ldp x29, x30, [sp], #16\n"
        "	.cfi_restore x30\n"
        "	.cfi_restore x29\n"
        "	.cfi_adjust_cfa_offset -16\n"
        "	ret\n"
        "	.cfi_endproc\n"
        ".size etc_guard_call, . - etc_guard_call\n");
#else
extern "C" void etc_guard_call(void (*body)(void *arg), void *arg)
{
	body(arg);
}
#endif
/* clang-format on */

/* Was the exception thrown by the C++ runtime that etcore uses? `kind` is the exception class (of
 * the C++ ABI), which identifies the runtime. */
static bool of_our_runtime(uint64_t kind)
{
#ifdef __GLIBCXX__
	return (kind & ~(uint64_t)GNU_KIND) == GNU_CLASS;
#else
	(void)kind;
	return false;
#endif
}

extern "C" __attribute__((used, visibility("hidden"))) _Unwind_Reason_Code
etc_guard_personality(int, _Unwind_Action actions, uint64_t kind, struct _Unwind_Exception *e,
                      struct _Unwind_Context *)
{
	if (of_our_runtime(kind) || (actions & _UA_FORCE_UNWIND))
		return _URC_CONTINUE_UNWIND;
	if (actions & _UA_SEARCH_PHASE)
		return _URC_HANDLER_FOUND;
	innermost->exception = e;
	longjmp(innermost->out, 1);
}

/* Returns what() of an exception that another copy of libstdc++ than etcore's has thrown; NULL: the
 * exception has no what(). UBSan is off here, because it would not find the exception's typeinfo in
 * this program. */
__attribute__((no_sanitize("vptr"))) static const char *text_of(struct _Unwind_Exception *e)
{
	const struct {
		const void *functions;
		const char *name;
	} exception = { NULL, "St9exception" };
	const gnu_type *type;
	void *object = e + 1;

	if (e->exception_class != GNU_CLASS)
		return NULL;
	memcpy(&type, reinterpret_cast<char *>(e) - TYPE_BEFORE_HEADER, sizeof type);
	return type->do_upcast(&exception, &object) ? static_cast<std::exception *>(object)->what()
	                                            : NULL;
}

static void tell_foreign(struct _Unwind_Exception *e, char *what, size_t room)
{
	const char *text = text_of(e);

	copy(what, room, text ? text : "not a std::exception");
	if (e->exception_cleanup)
		e->exception_cleanup(_URC_FOREIGN_EXCEPTION_CAUGHT, e);
}

bool etc_guard(void (*body)(void *arg), void *arg, char *what, size_t room)
{
	guard g;
	volatile bool done = false;

	g.outer = innermost;
	innermost = &g;
	try {
		if (setjmp(g.out) == 0) {
			etc_guard_call(body, arg);
			done = true;
		} else {
			tell_foreign(g.exception, what, room);
		}
	} catch (const std::exception &e) {
		copy(what, room, e.what());
	} catch (...) {
		copy(what, room, "not a std::exception");
	}
	innermost = g.outer;
	return done;
}
