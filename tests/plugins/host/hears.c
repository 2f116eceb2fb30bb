/* hears.c -- an annotator of several backends. Repeats the column values that the owner of an event
 * returned, as one text: "name i64 7; name str text". */
#include <etcore/plugin.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct line {
	char text[400];
	size_t len;
};

static void add(struct line *l, const char *what, struct etcore_text t)
{
	int n = snprintf(l->text + l->len, sizeof l->text - l->len, "%s%.*s", what, (int)t.len,
	                 t.len ? t.ptr : "");

	if (n > 0)
		l->len += (size_t)n;
	if (l->len >= sizeof l->text)
		l->len = sizeof l->text - 1;
}

static void add_value(struct line *l, const struct etcore_value *v)
{
	char number[40] = "";
	struct etcore_text value = { number, 0 };
	const char *type = " str ";

	switch (v->type) {
	case ETCORE_TYPE_I64:
		type = " i64 ";
		snprintf(number, sizeof number, "%" PRId64, v->i64);
		break;
	case ETCORE_TYPE_BOOL:
		type = " bool ";
		snprintf(number, sizeof number, "%s", v->i64 ? "yes" : "no");
		break;
	case ETCORE_TYPE_F64:
		type = " f64 ";
		snprintf(number, sizeof number, "%.17g", v->f64);
		break;
	case ETCORE_TYPE_JSON:
		type = " json ";
		value = v->text;
		break;
	default:
		value = v->text;
	}
	if (value.ptr == number)
		value.len = strlen(number);
	add(l, l->len ? "; " : "", v->name);
	add(l, type, value);
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	const struct etcore_facts *facts = call->events[index]->facts;
	struct line l = { .len = 0 };

	(void)self;
	if (!facts || !ETCORE_HAS(facts, struct etcore_facts, column_count))
		return ETCORE_DECLINE;
	for (uint32_t i = 0; i < facts->column_count; i++)
		add_value(&l, facts->columns[i]);
	return l.len ? out->put(out->handle, ETCORE_CLASS_LIBRARY_WHY,
	                        (struct etcore_text){ l.text, l.len })
	             : ETCORE_DECLINE;
}

static const char *const backends[] = { "GoodBackend", "CoreMLBackend", "NeutronBackend",
	                                "VgfBackend",  "VulkanBackend", "DspBackend",
	                                NULL };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_ANNOTATOR,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "hears",
	.version = "1.0",
	.description = "repeats what owners put into columns",
	.backends = backends,
	.classify = classify,
};
