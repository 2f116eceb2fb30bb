/* fuzz_run_files.c -- reads any bytes as each content of a pipeline's run folder other than dumps:
 * JSON, the log of a runner, XNNPACK's log of kernels, the name of an operator, a number in a
 * table. */
#include <stdlib.h>

#include "commands/pipeline/categories.h"
#include "commands/pipeline/kit_kernels.h"
#include "commands/pipeline/kit_stats.h"
#include "formats/runner/failures.h"
#include "commands/pipeline/tree.h"

/* Calls each accessor for each value of the tree, whatever its type. */
static void walk(const struct etc_tree *t, unsigned depth)
{
	uint64_t n;
	double v;

	for (; t; t = t->next) {
		(void)etc_tree_number(t, &v);
		(void)etc_tree_count(t, &n);
		if (!etc_tree_kind(t) || (etc_tree_text(t).len && t->type != ETC_JSON_STRING))
			abort();
		if (etc_tree_get(t, "results") && t->type != ETC_JSON_OBJECT)
			abort();
		if (depth < 2000)
			walk(t->first, depth + 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct etc_str text = { (const char *)data, size };
	const struct etc_tree *tree;
	struct etc_kit_kernels kernels;
	struct etc_log_facts facts;
	struct etc_arena arena;
	struct etc_error err;

	etc_arena_init(&arena, 64 << 20);
	if (etc_tree_read((struct etc_span){ data, size }, &arena, &tree, &err) == ETC_OK)
		walk(tree, 0);
	etc_log_read(text, &facts);
	if (facts.failed.len > 256 || facts.not_a_number.len > 256)
		abort();
	if (etc_kit_kernels_read(text, ETC_STR("fuzz"), &arena, &kernels, &err) == ETC_OK) {
		struct etc_text out = { 0 };

		etc_kit_kernels_csv(&kernels, &out);
		etc_kit_kernels_view_put(
			&(struct etc_kit_kernels_view){ &kernels, &kernels, text, &arena }, &out);
		etc_text_release(&out);
	}
	if (!etc_category_v1(text)[0] || !etc_category_v2(text)[0])
		abort();
	(void)etc_kit_read(text);
	etc_arena_release(&arena);
	return 0;
}
