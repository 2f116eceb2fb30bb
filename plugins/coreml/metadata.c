/* metadata.c -- parses the metadata of a Core ML event; see metadata.h */
#include "metadata.h"

#include <string.h>

/* The keys of the JSON object and the columns that they fill. Columns are filled in this order,
 * which is that of ExecuTorch's parser, whatever the order in the text. A key with the value null
 * is treated like an absent one. */
static const struct {
	const char *key;
	struct etcore_column column;
} keys[] = {
	{ "operatorName", ETCORE_COLUMN(ETCORE_TYPE_STR, "coreml_operator", NULL,
	                                "operator with its opset: ios17.conv", ETCORE_ROLLUP_SET) },
	{ "estimatedCost",
	  ETCORE_COLUMN(ETCORE_TYPE_F64, "coreml_estimated_cost", NULL,
	                "share of the model's time that the compute plan expects, 0 to 1",
	                ETCORE_ROLLUP_SUM) },
	{ "preferredComputeUnit",
	  ETCORE_COLUMN(ETCORE_TYPE_STR, "coreml_preferred_device", NULL,
	                "unit that the compute plan prefers: NE, GPU or CPU", ETCORE_ROLLUP_SET) },
	{ "supportedComputeUnits",
	  ETCORE_COLUMN(ETCORE_TYPE_JSON, "coreml_supported_devices", NULL,
	                "list of the units that can run the operator", ETCORE_ROLLUP_SET) },
};

const struct etcore_column *const coreml_columns[] = {
	&keys[0].column, &keys[1].column, &keys[2].column, &keys[3].column, NULL,
};

static etcore_result put_columns(struct pyjson_value object, const struct etcore_sink *out)
{
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const char *name = keys[i].column.name;
		struct pyjson_value value;
		etcore_result r = pyjson_get(object, keys[i].key, &value);

		if (r == ETCORE_OK && value.kind != PYJSON_NULL)
			r = pyjson_put(value, (struct etcore_text){ name, strlen(name) }, out);
		if (r != ETCORE_OK && r != ETCORE_DECLINE)
			return r;
	}
	return ETCORE_OK;
}

etcore_result coreml_parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                    const struct etcore_sink *out)
{
	const struct etcore_event *event = call->events[index];
	enum pyjson_status st;
	etcore_result r = ETCORE_CORRUPT;
	struct pyjson doc;

	(void)self;
	if (!event->metadata || event->samples == 0)
		return ETCORE_OK;
	st = pyjson_load(&doc, event->metadata[0]);
	if (st == PYJSON_VALUE_ERROR)
		return ETCORE_OK;
	if (st != PYJSON_OK)
		return st == PYJSON_NOMEM ? ETCORE_NOMEM : ETCORE_CORRUPT;
	if (doc.root.kind == PYJSON_OBJECT)
		r = put_columns(doc.root, out);
	pyjson_release(&doc);
	return r;
}
