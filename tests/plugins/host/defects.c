/* defects.c -- a plugin whose only hook is a probe, and whose descriptor is wrong in one way. The
 * build selects the way (CMakeLists.txt). Without one, the descriptor is correct, and the plugin
 * competes with the others for a call by the score PROBE. */
/* Hides the header's declaration: the symbol is declared below, with members that a later SDK might
 * append. */
#define etcore_plugin_v1 declared_elsewhere
#include <etcore/plugin.h>

#include <math.h>
#undef etcore_plugin_v1

#ifndef SYMBOL
#define SYMBOL etcore_plugin_v1
#endif
#ifndef PROBE
#define PROBE 0
#endif

#ifdef DEFECT_undefined
int etcore_test_nobody_defines_this(void);
static int32_t probe(void *self, const struct etcore_call *call)
{
	(void)self, (void)call;
	return etcore_test_nobody_defines_this();
}
#else
static int32_t probe(void *self, const struct etcore_call *call)
{
	(void)self, (void)call;
	return PROBE;
}
#endif

#ifdef DEFECT_open_only
static etcore_result open(const struct etcore_host *host,
                          const struct etcore_setting *const *settings, uint32_t count, void **self)
{
	(void)host, (void)settings, (void)count, (void)self;
	return ETCORE_OK;
}
#endif

static const char *const backends[] = { "RivalBackend", NULL };

#ifdef DEFECT_no_choices
static const char *const choices[] = { NULL };
#elif defined(DEFECT_many_choices)
/* Lists 100,001 choices; only the last one differs from the others. */
#define TEN(...)                                                                                   \
	__VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, \
		__VA_ARGS__, __VA_ARGS__, __VA_ARGS__
static const char *const choices[] = { TEN(TEN(TEN(TEN(TEN("a choice of many"))))), "last", NULL };
#endif
#if defined(DEFECT_file_default) || defined(DEFECT_empty_range) || defined(DEFECT_outside) || \
	defined(DEFECT_no_choices) || defined(DEFECT_bad_option) ||                           \
	defined(DEFECT_reserved_option) || defined(DEFECT_two_options) ||                     \
	defined(DEFECT_bad_default) || defined(DEFECT_many_choices) ||                        \
	defined(DEFECT_nan_range) || defined(DEFECT_endless_range)
static const struct etcore_option option = {
	.size = sizeof option,
#if defined(DEFECT_bad_option)
	.type = 17,
#elif defined(DEFECT_file_default) || defined(DEFECT_no_choices) || defined(DEFECT_many_choices)
	.type = ETCORE_TYPE_STR,
#else
	.type = ETCORE_TYPE_I64,
#endif
#if defined(DEFECT_reserved_option)
	.name = "enabled",
#else
	.name = "depth",
#endif
#if defined(DEFECT_bad_default)
	.default_value = "deep",
#elif defined(DEFECT_file_default)
	.default_value = "table.bin",
	.form = ETCORE_FORM_FILE,
#elif defined(DEFECT_empty_range)
	.least = 2,
	.most = 1,
#elif defined(DEFECT_outside)
	.default_value = "9",
	.most = 8,
#elif defined(DEFECT_nan_range)
	.least = (double)NAN,
	.most = 8,
#elif defined(DEFECT_endless_range)
	.least = 1,
	.most = (double)INFINITY,
#elif defined(DEFECT_no_choices) || defined(DEFECT_many_choices)
	.choices = choices,
#endif
};
static const struct etcore_option *const options[] = {
	&option,
#ifdef DEFECT_two_options
	&option,
#endif
	NULL,
};
#define OPTIONS options
#else
#define OPTIONS NULL
#endif

#if defined(DEFECT_bad_column) || defined(DEFECT_two_columns)
static const struct etcore_column column = {
	.size = sizeof column,
	.type = ETCORE_TYPE_STR,
	.name = "column",
#ifdef DEFECT_bad_column
	.rollup = 99,
#endif
};
static const struct etcore_column *const columns[] = { &column, &column, NULL };
#define COLUMNS columns
#else
#define COLUMNS NULL
#endif

#ifdef DEFECT_long_version
#define TEN_TIMES(s) s s s s s s s s s s
static const char version[] = TEN_TIMES(TEN_TIMES(TEN_TIMES("1.0")));
#endif

/* The descriptor with members that a later SDK might append. */
struct later {
	struct etcore_plugin now;
	const void *appended[4];
};

#if defined(DEFECT_larger)
#define SIZE sizeof(struct later)
#elif defined(DEFECT_smaller)
#define SIZE offsetof(struct etcore_plugin, get_extension)
#elif defined(DEFECT_too_small)
#define SIZE 8
#else
#define SIZE sizeof(struct etcore_plugin)
#endif

extern ETCORE_EXPORT const struct later SYMBOL;
ETCORE_EXPORT const struct later SYMBOL = {
	.now = {
		.size = SIZE,
#ifdef DEFECT_wrong_abi
		.abi_major = 7,
#else
		.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
#endif
		.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
#ifndef DEFECT_no_role
		.role = ETCORE_ROLE_OWNER,
#endif
		.sees = ETCORE_SEES_DELEGATE,
#if defined(DEFECT_bad_name)
		.name = "Bad Name",
#elif !defined(DEFECT_no_name)
		.name = PLUGIN_NAME,
#endif
#ifdef DEFECT_long_version
		.version = version,
#else
		.version = "1.0",
#endif
		.backends = backends,
		.options = OPTIONS,
		.columns = COLUMNS,
#ifdef DEFECT_open_only
		.open = open,
#endif
		.probe = probe,
#ifdef DEFECT_needs_later
		.abi_least = ETCORE_PLUGIN_ABI_MINOR + 1,
#endif
	},
};
