/* bad.c -- a plugin that breaks the contract of etcore/plugin.h in exactly one way. The build
 * selects the way by a macro BAD_...; `etcore plugins check` must report this fault and no
 * other. */
#define _GNU_SOURCE /* gettid, setenv */
#include <etcore/plugin.h>

#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__clang__)
#define UNCHECKED __attribute__((no_sanitize("address", "undefined")))
#else
#define UNCHECKED __attribute__((no_sanitize_address, no_sanitize_undefined))
#endif

#define TEXT(s) ((struct etcore_text){ (s), sizeof(s) - 1 })

struct instance {
	unsigned calls;
};

#ifdef BAD_endless
/* A list of backends without NULL at its end. The pointer behind its only item is no name. */
static const struct {
	const char *id;
	const struct etcore_plugin *behind;
} endless = { "BadBackend", &etcore_plugin_v1 };
#define BACKENDS (const char *const *)&endless
#elif defined BAD_lucky_end
/* A list of one backend without NULL at its end: its size is 8 bytes. The 8 bytes behind it happen
 * to be 0. */
__attribute__((used, visibility("hidden"))) const char lucky_name[] = "BadBackend";
extern __attribute__((visibility("hidden"))) const char *const lucky_list[];
__asm__(".section .data.rel.ro.lucky,\"aw\",%progbits\n"
        ".balign 8\n"
        ".type lucky_list,%object\n"
        ".size lucky_list,8\n"
        ".globl lucky_list\n"
        ".hidden lucky_list\n"
        "lucky_list: .quad lucky_name\n"
        ".quad 0\n"
        ".previous\n");
#define BACKENDS lucky_list
#elif defined BAD_no_backends
#define BACKENDS NULL
#else
static const char *const backends[] = { "BadBackend", NULL };
#define BACKENDS backends
#endif

#ifdef BAD_globals
static int32_t hidden_count;
#endif
#ifdef BAD_instances
static unsigned instances_open;
#endif
#ifdef BAD_race
/* A counter without a lock. It is 0 again after every call and no answer depends on it, so only
 * ThreadSanitizer can detect the race. */
static volatile unsigned depth;
#endif
#ifdef BAD_symbols
ETCORE_EXPORT int helper_of_bad(void);
int helper_of_bad(void)
{
	return 1;
}
#endif
#ifdef BAD_linkage
const char *zlibVersion(void);
#endif
#ifdef BAD_growth
static void *volatile lost;
#endif
#ifdef BAD_scratch
/* A buffer that every call overwrites. Its content is the same after each pass over the same
 * events. */
static volatile char scratch[64];
#endif
#ifdef BAD_loading
__attribute__((constructor)) static void on_loading(void)
{
	setenv("ETCORE_BAD", "1", 1);
}
#endif

static etcore_result open_instance(const struct etcore_host *host,
                                   const struct etcore_setting *const *settings, uint32_t count,
                                   void **self)
{
	struct instance *a = calloc(1, sizeof *a);

	(void)host;
	if (!a)
		return ETCORE_NOMEM;
#ifdef BAD_options
	for (uint32_t i = 0; i < count; i++)
		if (settings[i]->value.len == 0)
			abort();
#elif defined BAD_long_option
	char copy[128];

	for (uint32_t i = 0; i < count; i++) {
		if (settings[i]->value.len > sizeof copy)
			abort();
		memcpy(copy, settings[i]->value.ptr, settings[i]->value.len);
	}
#else
	(void)settings, (void)count;
#endif
#ifdef BAD_growth
	lost = malloc(24);
#endif
#ifdef BAD_instances
	instances_open++;
#endif
	*self = a;
	return ETCORE_OK;
}

static void close_instance(void *self)
{
#ifdef BAD_instances
	instances_open--;
#endif
	free(self);
}

static int32_t probe(void *self, const struct etcore_call *call)
{
	(void)self, (void)call;
#ifdef BAD_result
	return 1000;
#elif defined BAD_probe
	return 90;
#else
	return 10;
#endif
}

#ifdef BAD_overread
UNCHECKED static size_t length_of(const char *s)
{
	volatile const char *p = s;

	while (p && *p)
		p++;
	return p ? (size_t)(p - s) : 0;
}
#endif

/* Returns what the parser parse() in callables.py returns for metadata of `size` bytes. */
static etcore_result answer(const struct etcore_sink *out, uint64_t size)
{
	etcore_result r;

#ifdef BAD_parity_order
	r = out->f64(out->handle, TEXT("number"), (double)size / 2);
	return r ? r : out->i64(out->handle, TEXT("size"), (int64_t)size);
#endif
	r = out->i64(out->handle, TEXT("size"), (int64_t)size);
#ifdef BAD_parity_kind
	/* passes the int 2, for example, where Python returns the float 2.0 */
	if (r == ETCORE_OK && size % 2 == 0)
		return out->i64(out->handle, TEXT("number"), (int64_t)size / 2);
#endif
#ifdef BAD_parity_missing
	if (size == 0)
		return r;
#endif
	return r ? r : out->f64(out->handle, TEXT("number"), (double)size / 2);
}

/* Does the event's name begin with the `len` bytes at `prefix`? */
static inline int is_own(const struct etcore_event *e, const char *prefix, size_t len)
{
	return e->delegate_name.len >= len && memcmp(e->delegate_name.ptr, prefix, len) == 0;
}

static etcore_result parse(void *self, const struct etcore_call *call, uint32_t index,
                           const struct etcore_sink *out)
{
	const struct etcore_event *e = call->events[index];

	(void)self;
#ifdef BAD_own_name
	/* Crashes for each event whose name begins with "bad", the plugin's own name. */
	if (is_own(e, etcore_plugin_v1.name, 3))
		abort();
#elif defined BAD_own_text
	/* Crashes for each event whose name begins with a string that this shared object
	 * contains. */
	static const char *const volatile prefix = "hexagon/";

	if (is_own(e, prefix, 8))
		abort();
#elif defined BAD_gives_up || defined BAD_corrupts
	/* Fails for each event whose name begins with "qq:", as the names of its backend do. The
	 * prefix is computed, so that this shared object does not contain it as a string. */
	const char prefix[] = { (char)(call->count ? 'q' : 0), (char)(call->count ? 'q' : 0), ':' };

	if (!is_own(e, prefix, 3))
		return ETCORE_DECLINE;
#ifdef BAD_corrupts
	return ETCORE_CORRUPT;
#else
	return ETCORE_FAILED;
#endif
#elif defined BAD_fails
	/* Returns ETCORE_FAILED where ETCORE_DECLINE would be right. */
	if (is_own(e, "Bad", 3))
		return ETCORE_FAILED;
#endif
	if (!e->metadata)
		return ETCORE_DECLINE;
#ifndef BAD_parity_raises
	if (e->metadata[0].len == 5 && memcmp(e->metadata[0].ptr, "raise", 5) == 0)
		return ETCORE_CORRUPT;
#endif
#ifdef BAD_hang
	/* Searches for the closing bracket of a text, and never ends if the text is truncated. */
	if (e->metadata[0].len && e->metadata[0].ptr[0] == '{') {
		volatile uint64_t i = 0;

		while (e->metadata[0].ptr[i % e->metadata[0].len] != '}')
			i++;
	}
#endif
#ifdef BAD_refused_growth
	{
		/* This block leaks if the sink returns an error. */
		void *volatile own = malloc(100);
		etcore_result r = out->i64(out->handle, TEXT("size"), 1);

		if (r == ETCORE_OK)
			free(own);
		return r;
	}
#endif
#ifdef BAD_addresses
	return out->i64(out->handle, TEXT("size"), (int64_t)(uintptr_t)&etcore_plugin_v1);
#endif
#ifdef BAD_home
	return out->i64(out->handle, TEXT("size"), getenv("HOME") != NULL);
#endif
#ifdef BAD_undeclared
	return out->i64(out->handle, TEXT("surprise"), 1);
#endif
#ifdef BAD_type
	return out->str(out->handle, TEXT("size"), TEXT("large"));
#endif
#ifdef BAD_heap
	/* Reads one byte past the end of its own memory: only a sanitizer detects it. */
	{
		char *volatile own = malloc(16);
		volatile char behind = own ? own[16] : 0;

		(void)behind;
		free(own);
	}
#endif
#ifdef BAD_stress
	/* Crashes for one in 64 of the large ids, which only events with random content have. */
	if (e->delegate_id > 1000000 && e->delegate_id % 64 == 7)
		abort();
#endif
#ifdef BAD_nan
	return out->f64(out->handle, TEXT("number"), (double)NAN);
#endif
#ifdef BAD_infinite
	return out->f64(out->handle, TEXT("number"), (double)INFINITY);
#endif
#ifdef BAD_locale
	{
		char text[64] = { 0 };

		for (uint64_t i = 0; i < e->metadata[0].len && i < sizeof text - 1; i++)
			text[i] = (char)e->metadata[0].ptr[i];
		return out->f64(out->handle, TEXT("number"), strtod(text, NULL));
	}
#endif
	return answer(out, e->metadata[0].len);
}

static etcore_result convert(void *self, const struct etcore_call *call, uint32_t index,
                             const struct etcore_scales *scales, const uint64_t *raw,
                             uint64_t count, const struct etcore_number_sink *out)
{
	etcore_result r = ETCORE_OK;

	(void)self, (void)call, (void)index;
	for (uint64_t i = 0; i < count && r == ETCORE_OK; i++) {
#if defined(BAD_convert_wraps)
		r = out->f64(out->handle, (double)(uint32_t)raw[i] / scales->factor);
#elif defined(BAD_convert_nan)
		r = out->f64(out->handle, (double)raw[i] * 1e300 / scales->factor);
#elif defined(BAD_parity_times)
		/* Differs from Python's result in the last digit, for some times. */
		r = out->f64(out->handle, (double)raw[i] * (1 / scales->factor));
#else
		r = out->f64(out->handle, (double)raw[i] / scales->factor);
#endif
	}
	return r;
}

UNCHECKED static etcore_result describe(void *self, const struct etcore_call *call,
                                        struct etcore_time *const *times)
{
	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
#ifdef BAD_sizes
		uint32_t size = times[i]->size;

		/* also clears members that only a later host has */
		memset(times[i], 0, size);
		times[i]->size = size;
		times[i]->parent = ETCORE_PARENT_CALL;
#endif
		times[i]->unit = ETCORE_UNIT_US;
#ifdef BAD_parallel
		/* a host may lack this value; the plugin does not check that the host has it */
		times[i]->duration = ETCORE_DURATION_CONCURRENT;
#endif
#ifdef BAD_readings
		times[i]->sync_host = 7; /* not checked with ETCORE_HAS */
#endif
#ifdef BAD_rate
		times[i]->unit = ETCORE_UNIT_TICKS;
		times[i]->ns_per_unit = 1e300;
#endif
	}
	return ETCORE_OK;
}

static void misbehave(struct instance *a, const struct etcore_event *e)
{
	(void)a, (void)e;
#ifdef BAD_crash
	raise(SIGSEGV);
#endif
#ifdef BAD_unasked
	/* Reads behind the event, where a later host may have another member, without
	 * ETCORE_HAS. */
	a->calls += *(const volatile uint32_t *)(e + 1) == 77;
#endif
#ifdef BAD_exit
	exit(0);
#endif
#ifdef BAD_prints
	puts("naming an event");
#endif
#ifdef BAD_prints_errors
	if (write(2, "oops\n", 5) < 0)
		return;
#endif
#ifdef BAD_environment
	setenv("ETCORE_BAD", "1", 1);
#endif
#ifdef BAD_descriptor
	a->calls += open("/dev/null", O_RDONLY) == 0;
#endif
#ifdef BAD_signal
	signal(SIGUSR1, SIG_IGN);
#endif
#ifdef BAD_globals
	hidden_count++;
#endif
#ifdef BAD_scratch
	for (uint64_t i = 0; i < sizeof scratch; i++)
		scratch[i] = i < e->delegate_name.len ? e->delegate_name.ptr[i] : ' ';
#endif
#ifdef BAD_isolation
	close(open("/etc/hostname", O_RDONLY));
#endif
#ifdef BAD_blocked
	{
		sigset_t all;

		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, NULL);
	}
#endif
#ifdef BAD_arithmetic
	fesetround(FE_DOWNWARD);
#endif
#ifdef BAD_timer
	alarm(1000);
#endif
#ifdef BAD_limit
	{
		struct rlimit l;

		getrlimit(RLIMIT_NOFILE, &l);
		l.rlim_cur = l.rlim_max > 200 ? 200 : 100;
		setrlimit(RLIMIT_NOFILE, &l);
	}
#endif
#ifdef BAD_thread_locale
	/* newlocale() of "C" needs no memory */
	uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
#endif
#ifdef BAD_hook_growth
	{
		static void *volatile gone;

		gone = malloc(24);
	}
#endif
#ifdef BAD_writes_input
	((struct etcore_event *)(uintptr_t)e)->flags |= 1u << 31;
#endif
#ifdef BAD_speed
	for (volatile uint64_t i = 0, k = 0; i < e->delegate_name.len; i++)
		for (k = 0; k < i; k++)
			;
#endif
#ifdef BAD_speed_waits
	{
		static int waited;

		if (e->delegate_name.len > 100000 && !waited++)
			usleep(1100000);
	}
#endif
#ifdef BAD_linkage
	a->calls += zlibVersion() == NULL;
#endif
}

static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	const struct etcore_event *e = call->events[index];
	struct instance *a = self;
	int64_t ordinal = 1;
	etcore_result r;

	misbehave(a, e);
#ifdef BAD_race
	depth++;
	a->calls += depth > 1000;
	depth--;
#endif
#ifdef BAD_repeat
	ordinal += a->calls++;
#endif
#ifdef BAD_order
	/* The answer depends on the call before, so it differs only if calls come in another
	 * order. */
	ordinal += call->count == 1 && a->calls == 2;
	a->calls = call->count;
#endif
#ifdef BAD_instances
	ordinal += instances_open;
#endif
#ifdef BAD_threads
	ordinal += gettid() != getpid();
#endif
#ifdef BAD_overread
	ordinal += length_of(e->delegate_name.ptr) == 77;
#endif
#ifdef BAD_answers
	r = out->put(out->handle, ETCORE_NAME_DISPLAY, e->delegate_name);
#elif defined BAD_words
	r = out->put(out->handle, ETCORE_NAME_DISPLAY, TEXT("an event\nof two lines"));
#else
	r = out->put(out->handle, ETCORE_NAME_DISPLAY, TEXT("an event"));
#endif
#ifdef BAD_sinks
	r = ETCORE_OK;
#endif
#ifdef BAD_result_of_hook
	return 42;
#endif
	return r ? r : out->put_number(out->handle, ETCORE_NAME_ORDINAL, ordinal);
}

#ifdef BAD_words
static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	const struct etcore_text words[] = { TEXT("Convolutoin"), TEXT("Data_Movement"),
		                             TEXT("magic"), TEXT("gemm") };

	(void)self;
	return out->put(out->handle, ETCORE_CLASS_CATEGORY,
	                words[(uint64_t)call->events[index]->delegate_id % 4]);
}
#endif

#ifdef BAD_extension
static const void *extension(const char *id)
{
	return id;
}
#define EXTENSION extension
#else
#define EXTENSION NULL
#endif

/* clang-format off */
#ifdef BAD_declarations
#define HELP NULL
#else
#define HELP "what to call it"
#endif
static const struct etcore_option label = ETCORE_OPTION(ETCORE_TYPE_STR, "label", "x", HELP);
static const struct etcore_option *const options[] = { &label, NULL };
static const struct etcore_column
#ifdef BAD_own_column
	own = ETCORE_COLUMN(ETCORE_TYPE_I64, "samples", "", "like one of etcore's", ETCORE_ROLLUP_SUM),
#elif defined BAD_alike_column
	own = ETCORE_COLUMN(ETCORE_TYPE_I64, "Self NS", "", "like one of etcore's", ETCORE_ROLLUP_SUM),
#elif defined BAD_comma_column
	own = ETCORE_COLUMN(ETCORE_TYPE_I64, "read,written", "", "two in one", ETCORE_ROLLUP_SUM),
#endif
	size = ETCORE_COLUMN(ETCORE_TYPE_I64, "size", "bytes", "of the metadata", ETCORE_ROLLUP_SUM),
	number = ETCORE_COLUMN(ETCORE_TYPE_F64, "number", "", "in the metadata", ETCORE_ROLLUP_SUM);
#if defined BAD_own_column || defined BAD_alike_column || defined BAD_comma_column
#define OWN &own,
#else
#define OWN
#endif
#if defined BAD_names || defined BAD_many_names
/* A column for each name in agreed_columns.def, with the plugin's prefix before it. Then three
 * columns that have such a name without a prefix, but another unit, type or roll-up. */
static const struct etcore_column names[] = {
#define X(name, type, unit, rollup, help) ETCORE_COLUMN(ETCORE_TYPE_I64, "bad_" name, unit, help, ETCORE_ROLLUP_SUM),
#include "../../../core/model/agreed_columns.def"
#undef X
#ifdef BAD_many_names
#define X(name, type, unit, rollup, help) \
	ETCORE_COLUMN(ETCORE_TYPE_I64, "bad_" name "_", unit, help, ETCORE_ROLLUP_SUM), \
	ETCORE_COLUMN(ETCORE_TYPE_I64, "bad__" name, unit, help, ETCORE_ROLLUP_SUM),
#include "../../../core/model/agreed_columns.def"
#undef X
#endif
	ETCORE_COLUMN(ETCORE_TYPE_F64, "energy", "mJ", "taken", ETCORE_ROLLUP_SUM),
	ETCORE_COLUMN(ETCORE_TYPE_STR, "tile", NULL, "where", ETCORE_ROLLUP_SET),
	ETCORE_COLUMN(ETCORE_TYPE_F64, "utilization", "", "of it", ETCORE_ROLLUP_SUM),
};
enum { NAMES = sizeof names / sizeof names[0] };
static const struct etcore_column *all[NAMES + 3];
/* Fills the list of columns before the host reads the descriptor. */
__attribute__((constructor)) static void list_names(void)
{
	all[0] = &size;
	all[1] = &number;
	for (size_t i = 0; i < NAMES; i++)
		all[i + 2] = &names[i];
}
#define COLUMNS all
#else
static const struct etcore_column *const columns[] = { &size, &number, OWN NULL };
#define COLUMNS columns
#endif
/* clang-format on */

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	/* without .sees: 0 is the same as ETCORE_SEES_DELEGATE */
	.name = "bad",
	.version = "1.0",
	.vendor = "tests",
	.description = "breaks its contract in one way",
	.backends = BACKENDS,
	.options = options,
	.columns = COLUMNS,
	.open = open_instance,
	.close = close_instance,
	.probe = probe,
	.parse_metadata = parse,
	.convert_time = convert,
	.describe_time = describe,
	.name_event = name_event,
#ifdef BAD_words
	.classify = classify,
#endif
	.get_extension = EXTENSION,
};
