/* tables.c -- an owner that uses the options of ABI 1.1: a file, choices, ranges. Its columns
 * return the option values that it received. The build may define
 * - LEAST=1: the plugin declares in abi_least that it needs a host of 1.1, and its open() refuses
 *   others;
 * - LETS_IN: open() refuses no host, so only hosts that read abi_least refuse the plugin;
 * - CARELESS: the plugin uses a member of 1.1 without checking that the host has it. */
#include <etcore/plugin.h>

#include <stdlib.h>
#include <string.h>

#ifndef LEAST
#define LEAST 0
#endif
#ifdef LETS_IN
#define REFUSES(host) 0
#else
#define REFUSES(host) ((host)->abi_minor < LEAST)
#endif
#ifdef CARELESS
#define HAS_CONTENT(s) ((s)->size != 0)
#else
#define HAS_CONTENT(s) ETCORE_HAS(s, struct etcore_setting, content)
#endif

struct tables {
	struct etcore_bytes table;
	char mode[8];
	int has_table;
};

static int is(struct etcore_text t, const char *word)
{
	return t.len == strlen(word) && memcmp(t.ptr, word, t.len) == 0;
}

static etcore_result open_instance(const struct etcore_host *host,
                                   const struct etcore_setting *const *settings, uint32_t count,
                                   void **self)
{
	struct tables *t = REFUSES(host) ? NULL : calloc(1, sizeof *t);

	(void)host;
	if (!t)
		return ETCORE_FAILED;
	for (uint32_t i = 0; i < count; i++) {
		const struct etcore_setting *s = settings[i];

		if (is(s->name, "table") && HAS_CONTENT(s)) {
			t->table = s->content;
			t->has_table = 1;
		}
		if (is(s->name, "mode"))
			memcpy(t->mode, s->value.ptr, s->value.len);
	}
	*self = t;
	return ETCORE_OK;
}

static void close_instance(void *self)
{
	free(self);
}

static etcore_result parse(void *self, const struct etcore_call *call, uint32_t index,
                           const struct etcore_sink *out)
{
	const struct tables *t = self;
	int64_t sum = 0;
	etcore_result r;

	(void)call, (void)index;
	for (uint64_t i = 0; i < t->table.len; i++)
		sum += t->table.ptr[i];
	r = out->str(out->handle, (struct etcore_text){ "mode", 4 },
	             (struct etcore_text){ t->mode, strlen(t->mode) });
	if (r == ETCORE_OK && t->has_table)
		r = out->i64(out->handle, (struct etcore_text){ "bytes", 5 },
		             (int64_t)t->table.len);
	if (r == ETCORE_OK && t->has_table)
		r = out->i64(out->handle, (struct etcore_text){ "sum", 3 }, sum);
	return r;
}

static int32_t probe(void *self, const struct etcore_call *call)
{
	(void)self, (void)call;
	return 90;
}

static const char *const modes[] = { "fast", "exact", NULL };
static const struct etcore_option table = { .size = sizeof table,
	                                    .type = ETCORE_TYPE_STR,
	                                    .name = "table",
	                                    .help = "bytes to add up",
	                                    .form = ETCORE_FORM_FILE,
	                                    .most_bytes = 1000 },
				  mode = { .size = sizeof mode,
	                                   .type = ETCORE_TYPE_STR,
	                                   .name = "mode",
	                                   .default_value = "fast",
	                                   .help = "how",
	                                   .choices = modes },
				  depth = { .size = sizeof depth,
	                                    .type = ETCORE_TYPE_I64,
	                                    .name = "depth",
	                                    .default_value = "3",
	                                    .help = "how deep",
	                                    .unit = "layers",
	                                    .least = 1,
	                                    .most = 8 },
				  share = { .size = sizeof share,
	                                    .type = ETCORE_TYPE_F64,
	                                    .name = "share",
	                                    .help = "of all",
	                                    .least = -0.5,
	                                    .most = 0.5 },
				  skipped = { .size = sizeof skipped,
	                                      .type = ETCORE_TYPE_I64,
	                                      .name = "skipped",
	                                      .help = "head of the table",
	                                      .unit = "bytes" };
static const struct etcore_option *const options[] = {
	&table, &mode, &depth, &share, &skipped, NULL
};
static const struct etcore_column how = ETCORE_COLUMN(ETCORE_TYPE_STR, "mode", NULL, "as set",
                                                      ETCORE_ROLLUP_SET),
				  /* a host of 1.0 reads `rollup`, a later one `rollup_1_1` */
	bytes = { .size = sizeof bytes,
	          .type = ETCORE_TYPE_I64,
	          .name = "bytes",
	          .unit = "bytes",
	          .help = "of the table",
	          .rollup = ETCORE_ROLLUP_SUM,
	          .rollup_1_1 = ETCORE_ROLLUP_FIRST },
				  sum = ETCORE_COLUMN(ETCORE_TYPE_I64, "sum", NULL,
                                                      "of the table's bytes", ETCORE_ROLLUP_FIRST);
static const struct etcore_column *const columns[] = { &how, &bytes, &sum, NULL };
static const char *const backends[] = { "TablesBackend", NULL };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "tables",
	.version = "1.0",
	.vendor = "tests",
	.description = "reads a table",
	.backends = backends,
	.options = options,
	.columns = columns,
	.open = open_instance,
	.close = close_instance,
	.probe = probe,
	.parse_metadata = parse,
	.abi_least = LEAST,
};
