/* evidence.c -- writes recorded micro-kernels into the report; see evidence.h */
#include "commands/pipeline/evidence.h"

static const struct etc_str called = { "ld_debug_bindings", 17 }, chosen = { "xnnpack_log", 11 };

/* Returns the first result, from `result` on, that has a list of kernels; NULL: none has one. */
static const struct etc_tree *next_traced(const struct etc_tree *result)
{
	while (result && !etc_tree_get(etc_tree_get(result, "metrics"), "kernel_evidence"))
		result = result->next;
	return result;
}

static const struct etc_tree *first_traced(const struct etc_run_folder *f)
{
	const struct etc_tree *results = etc_tree_list(f->metrics.tree, "results");

	return next_traced(results ? results->first : etc_tree_first(f->manifest.tree, "results"));
}

static const struct etc_tree *kernels_of(const struct etc_tree *result)
{
	return etc_tree_first(etc_tree_get(etc_tree_get(result, "metrics"), "kernel_evidence"),
	                      "kernels");
}

static bool is_from(const struct etc_tree *kernel, struct etc_str source)
{
	return etc_str_eq(etc_tree_string(kernel, "source"), source);
}

static void put_row(struct etc_text *out, const struct etc_tree *k)
{
	static const char *const cells[] = { "kernel", "cat", "dtype", "op", "tile", "arch" };

	for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
		etc_text_cstr(out, "| ");
		etc_text_markdown_name(out, etc_tree_string(k, cells[i]));
		etc_text_char(out, ' ');
	}
	etc_text_printf(out, "| %s |\n", is_from(k, called) ? "called" : "chosen");
}

static void put_experiment(struct etc_text *out, const struct etc_tree *result)
{
	const struct etc_tree *metrics = etc_tree_get(result, "metrics");
	const struct etc_tree *evidence = etc_tree_get(metrics, "kernel_evidence");
	const struct etc_tree *k = kernels_of(result);
	struct etc_str why = etc_tree_string(evidence, "why_none");

	etc_text_cstr(out, "### ");
	etc_text_markdown_name(out, etc_tree_string(result, "experiment"));
	etc_text_printf(out, ", threads %llu\n\n",
	                (unsigned long long)etc_tree_whole(metrics, "threads"));
	if (!k) {
		etc_text_cstr(out, "None was seen: ");
		etc_text_markdown_name(out, why.len ? why : ETC_STR("the trace names none"));
		etc_text_cstr(out, ".\n\n");
		return;
	}
	etc_text_cstr(out, "| Kernel | Category | Type | Operation | Tile | Instructions | Seen |\n"
	                   "|---|---|---|---|---|---|---|\n");
	for (; k; k = k->next)
		put_row(out, k);
	etc_text_char(out, '\n');
}

void etc_evidence_markdown(const struct etc_run_folder *f, struct etc_text *out)
{
	const struct etc_tree *r = first_traced(f);

	if (!r)
		return;
	etc_text_cstr(out, "## Micro-kernels: evidence\n\nOf one extra execution. *called*: the "
	                   "dynamic loader bound the function at its first call, so it ran. "
	                   "*chosen*: XNNPACK named it for this processor when it started.\n\n");
	for (; r; r = next_traced(r->next))
		put_experiment(out, r);
}

static void emit_names(struct etc_emit *e, const char *name, const struct etc_tree *k,
                       struct etc_str source)
{
	etc_emit_open(e, name, '[');
	for (; k; k = k->next)
		if (is_from(k, source))
			etc_emit_text(e, NULL, etc_tree_string(k, "kernel"));
	etc_emit_close(e);
}

void etc_evidence_emit(struct etc_emit *e, const struct etc_run_folder *f)
{
	const struct etc_tree *r = first_traced(f);

	if (!r)
		return;
	etc_emit_block(e, "kernel_evidence", '[');
	for (; r; r = next_traced(r->next)) {
		const struct etc_tree *metrics = etc_tree_get(r, "metrics");

		etc_emit_open(e, NULL, '{');
		etc_emit_text(e, "experiment", etc_tree_string(r, "experiment"));
		etc_emit_u64(e, "threads", etc_tree_whole(metrics, "threads"));
		emit_names(e, "called", kernels_of(r), called);
		emit_names(e, "chosen", kernels_of(r), chosen);
		etc_emit_u64(
			e, "bound_at_load",
			etc_tree_whole(etc_tree_get(metrics, "kernel_evidence"), "bound_at_load"));
		etc_emit_close(e);
	}
	etc_emit_close(e);
}
