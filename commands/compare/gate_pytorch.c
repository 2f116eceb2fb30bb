/* gate_pytorch.c -- writes records of the PyTorch benchmark database; see gate_forms.h.
 *
 * The members of a record are the columns of the database's table oss_ci_benchmark_v3
 * (pytorch/test-infra). Unknown values are written as "not_available" or 0, as other producers do.
 * The uploader would set missing members to values of the machine on which it runs, which is seldom
 * the machine that ran the model. */
#include <stdio.h>

#include "base/number.h"
#include "table/emit.h"
#include "commands/compare/gate_forms.h"

#define UNKNOWN "not_available"

static struct etc_str fact(const struct etc_gate_fact *facts, uint32_t count, struct etc_str name)
{
	for (uint32_t i = 0; i < count; i++)
		if (etc_str_eq(facts[i].name, name))
			return facts[i].value;
	return (struct etc_str){ 0 };
}

static bool is_field(struct etc_str name)
{
	for (uint32_t i = 0; i < ETC_GATE_RUNNER_FIELDS; i++)
		if (etc_str_eq(name, etc_str_of(etc_gate_runner_fields[i].name)))
			return true;
	return false;
}

static void put_named(struct etc_emit *e, struct etc_str name, struct etc_str value)
{
	etc_emit_key(e, name);
	etc_text_json_string(e->out, value);
}

static void put_runners(struct etc_emit *e, const struct etc_gate_record *r)
{
	etc_emit_open(e, "runners", '[');
	etc_emit_open(e, NULL, '{');
	for (uint32_t i = 0; i < ETC_GATE_RUNNER_FIELDS; i++) {
		const struct etc_gate_runner_field *f = &etc_gate_runner_fields[i];
		struct etc_str value = fact(r->runner, r->runner_count, etc_str_of(f->name));
		uint64_t number = 0;

		if (!f->number) {
			etc_emit_text(e, f->name, value.len ? value : ETC_STR(UNKNOWN));
			continue;
		}
		if (value.len && !etc_number_parse_u64(value, &number))
			number = 0;
		etc_emit_u64(e, f->name, number);
	}
	etc_emit_open(e, "extra_info", '{');
	for (uint32_t i = 0; i < r->runner_count; i++)
		if (!is_field(r->runner[i].name))
			put_named(e, r->runner[i].name, r->runner[i].value);
	etc_emit_close(e);
	etc_emit_close(e);
	etc_emit_close(e);
}

/* Writes the members of a dependency. `value` is "repository@commit" or a version. */
static void put_source(struct etc_emit *e, struct etc_str value)
{
	size_t at = etc_str_find(value, ETC_STR("@"), 0);
	bool commit = at != SIZE_MAX;

	etc_emit_text(e, "repo", commit ? etc_str_sub(value, 0, at) : ETC_STR(""));
	etc_emit_text(e, "branch", ETC_STR(""));
	etc_emit_text(e, "sha", commit ? etc_str_sub(value, at + 1, value.len) : ETC_STR(""));
	etc_emit_text(e, "version", commit ? ETC_STR("") : value);
}

static void put_dependencies(struct etc_emit *e, const struct etc_gate_record *r)
{
	etc_emit_open(e, "dependencies", '{');
	etc_emit_open(e, "etcore", '{');
	put_source(e, ETC_STR(ETCORE_VERSION));
	etc_emit_open(e, "extra_info", '{');
	for (uint32_t i = 0; i < r->plugin_count; i++) {
		size_t at = etc_str_find(r->plugins[i], ETC_STR(" "), 0);

		put_named(e, etc_str_sub(r->plugins[i], 0, at),
		          at == SIZE_MAX ? ETC_STR("")
		                         : etc_str_sub(r->plugins[i], at + 1, r->plugins[i].len));
	}
	etc_emit_close(e);
	etc_emit_close(e);
	for (uint32_t i = 0; i < r->dependency_count; i++) {
		etc_emit_open_key(e, r->dependencies[i].name, '{');
		put_source(e, r->dependencies[i].value);
		etc_emit_open(e, "extra_info", '{');
		etc_emit_close(e);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

/* Returns the backend that all checked dumps name. The text is empty if they do not all name the
 * same one. */
static struct etc_str backend_of(const struct etc_gate *gate)
{
	struct etc_str found = { 0 };

	for (uint32_t s = 0; s < gate->diff->section_count; s++)
		for (uint32_t r = 0; r < gate->diff->sections[s].row_count; r++) {
			const struct etc_diff_row *row = &gate->diff->sections[s].rows[r];

			if (!row->backend.len || !row->sides[1].present)
				continue;
			if (found.len && !etc_str_eq(found, row->backend))
				return ETC_STR("");
			found = row->backend;
		}
	return found.len ? found : ETC_STR("");
}

static void put_benchmark(struct etc_emit *e, const struct etc_gate_line *line)
{
	etc_emit_open(e, "benchmark", '{');
	etc_emit_text(e, "name", ETC_STR("ExecuTorch"));
	etc_emit_text(e, "mode", ETC_STR("inference"));
	etc_emit_text(e, "dtype", ETC_STR(""));
	etc_emit_open(e, "extra_info", '{');
	etc_emit_text(e, "rule", line->rule->name.len ? line->rule->name : ETC_STR(""));
	etc_emit_text(e, "verdict", etc_str_of(etc_gate_result_name(line->verdict)));
	etc_emit_close(e);
	etc_emit_close(e);
}

static void put_model(struct etc_emit *e, const struct etc_gate_answer *a,
                      const struct etc_gate_line *line)
{
	etc_emit_open(e, "model", '{');
	etc_emit_text(e, "name", line->method.len ? line->method : a->names[1]);
	etc_emit_text(e, "type", ETC_STR(""));
	etc_emit_text(e, "backend", backend_of(a->gate));
	etc_emit_open(e, "origins", '[');
	etc_emit_close(e);
	etc_emit_open(e, "extra_info", '{');
	etc_emit_close(e);
	etc_emit_close(e);
	etc_emit_open(e, "inputs", '{');
	etc_emit_close(e);
}

static void put_count(struct etc_emit *e, const char *name, size_t n)
{
	char text[24];

	snprintf(text, sizeof text, "%zu", n);
	etc_emit_text(e, name, etc_str_of(text));
}

static void put_metric(struct etc_emit *e, const struct etc_gate_line *line)
{
	struct etc_text name = { 0 };

	etc_text_put(&name, line->what);
	etc_text_printf(&name, " (%s, %s)", etc_stat_name(line->rule->stat), etc_gate_unit(line));
	etc_emit_open(e, "metric", '{');
	etc_emit_text(e, "name", etc_text_str(&name));
	etc_emit_open(e, "benchmark_values", '[');
	etc_emit_real(e, NULL, line->c.b.estimate);
	etc_emit_close(e);
	etc_emit_real(e, "target_value", line->c.a.estimate * (1 + line->rule->limit));
	etc_emit_open(e, "extra_info", '{');
	etc_emit_text(e, "unit", etc_str_of(etc_gate_unit(line)));
	etc_emit_text(e, "statistic", etc_str_of(etc_stat_name(line->rule->stat)));
	put_count(e, "runs", line->c.b.runs);
	put_count(e, "dumps", line->c.b.dumps);
	etc_emit_close(e);
	etc_emit_close(e);
	e->out->failed = e->out->failed || name.failed;
	etc_text_release(&name);
}

void etc_write_gate_pytorch(void *answer, struct etc_text *out)
{
	const struct etc_gate_answer *a = answer;
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '[');
	for (uint32_t i = 0; i < a->gate->count; i++) {
		const struct etc_gate_line *line = &a->gate->lines[i];

		if (!etc_gate_has_value(line))
			continue;
		etc_emit_open(&e, NULL, '{');
		put_benchmark(&e, line);
		put_model(&e, a, line);
		put_dependencies(&e, &a->record);
		put_runners(&e, &a->record);
		put_metric(&e, line);
		etc_emit_close(&e);
	}
	etc_emit_close(&e);
}
