/* metadata.c -- makes columns from the id of a shader; see metadata.h. The names of the columns are
 * those that docs/columns.md defines for all backends. */
#include "metadata.h"

#include "id.h"

#include <string.h>

enum column { OPERATOR, SHADER, NODE, DISPATCH, OPERATOR_ID, DTYPE, SIZES, STORAGE, COLUMNS };

static const struct etcore_column columns[COLUMNS] = {
	[OPERATOR] = ETCORE_COLUMN(ETCORE_TYPE_STR, "vulkan_operator", NULL,
	                           "operator of the delegate's graph: aten.linear.default",
	                           ETCORE_ROLLUP_SET),
	[SHADER] = ETCORE_COLUMN(ETCORE_TYPE_STR, "shader", NULL,
	                         "shader or program that was dispatched", ETCORE_ROLLUP_SET),
	[NODE] = ETCORE_COLUMN(ETCORE_TYPE_I64, "node", NULL, "node within the delegate, from 0",
	                       ETCORE_ROLLUP_SET),
	[DISPATCH] = ETCORE_COLUMN(ETCORE_TYPE_I64, "dispatch", NULL,
	                           "place among the dispatches of the delegate, from 0",
	                           ETCORE_ROLLUP_SET),
	[OPERATOR_ID] =
		ETCORE_COLUMN(ETCORE_TYPE_I64, "vulkan_operator_id", NULL,
	                      "number of the operator in the process; counts on over all graphs",
	                      ETCORE_ROLLUP_SET),
	[DTYPE] = ETCORE_COLUMN(ETCORE_TYPE_STR, "dtype", NULL, "type of the result",
	                        ETCORE_ROLLUP_SET),
	[SIZES] = ETCORE_COLUMN(ETCORE_TYPE_JSON, "sizes", NULL, "sizes of the result",
	                        ETCORE_ROLLUP_SET),
	[STORAGE] = ETCORE_COLUMN(ETCORE_TYPE_STR, "storage", NULL,
	                          "where the result lies: BUFFER, TEXTURE_2D, TEXTURE_3D",
	                          ETCORE_ROLLUP_SET),
};

const struct etcore_column *const vulkan_columns[] = {
	&columns[OPERATOR], &columns[SHADER],      &columns[NODE],
	&columns[DISPATCH], &columns[OPERATOR_ID], &columns[DTYPE],
	&columns[SIZES],    &columns[STORAGE],     NULL,
};

/* A sink, and the first result of its functions that was not ETCORE_OK; after such a result, no
 * more values are passed to the sink. */
struct answer {
	const struct etcore_sink *out;
	etcore_result result;
};

static struct etcore_text name_of(enum column c)
{
	return (struct etcore_text){ columns[c].name, strlen(columns[c].name) };
}

static void put_text(struct answer *a, enum column c, struct etcore_text value)
{
	if (value.len && a->result == ETCORE_OK)
		a->result = a->out->str(a->out->handle, name_of(c), value);
}

static void put_number(struct answer *a, enum column c, int64_t value)
{
	if (value >= 0 && a->result == ETCORE_OK)
		a->result = a->out->i64(a->out->handle, name_of(c), value);
}

/* Passes the sizes as JSON if they are whole numbers separated by commas. Other text might not be
 * valid JSON, and is not passed. */
static void put_sizes(struct answer *a, struct etcore_text array)
{
	bool digit = false;

	if (array.len <= 2 || a->result != ETCORE_OK)
		return;
	for (uint64_t i = 1; i + 1 < array.len; i++) {
		char c = array.ptr[i];

		if (c >= '0' && c <= '9') {
			if (digit && array.ptr[i - 1] == '0' &&
			    (array.ptr[i - 2] < '0' || array.ptr[i - 2] > '9'))
				return; /* a number with a leading zero, such as 08 */
			digit = true;
		} else if (c == ',' && digit) {
			digit = false;
		} else if (c != ' ' || digit) {
			return;
		}
	}
	if (digit)
		a->result = a->out->json(a->out->handle, name_of(SIZES), array);
}

etcore_result vulkan_parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                    const struct etcore_sink *out)
{
	struct vulkan_id id = vulkan_id_of(call->events[index]);
	struct answer a = { out, ETCORE_OK };

	(void)self;
	if (id.kind != VULKAN_SHADER && id.kind != VULKAN_LEGACY)
		return ETCORE_OK;
	put_text(&a, OPERATOR, id.operator_name);
	put_text(&a, SHADER, id.kernel);
	put_number(&a, NODE, id.node);
	put_number(&a, DISPATCH, id.dispatch);
	put_number(&a, OPERATOR_ID, id.operator_id);
	put_text(&a, DTYPE, id.dtype);
	put_sizes(&a, id.sizes);
	put_text(&a, STORAGE, id.storage);
	return a.result;
}
