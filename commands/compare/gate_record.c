/* gate_record.c -- parses --runner and --dependency; see gate_record.h */
#include "commands/compare/gate_record.h"

#include "base/number.h"

enum { FACTS = 64 };

/* Splits "NAME=VALUE". Returns false if NAME or VALUE is empty. */
static bool part(struct etc_str text, struct etc_gate_fact *out)
{
	size_t at = etc_str_find(text, ETC_STR("="), 0);

	if (at == SIZE_MAX)
		return false;
	out->name = etc_str_trim(etc_str_sub(text, 0, at));
	out->value = etc_str_trim(etc_str_sub(text, at + 1, text.len));
	return out->name.len && out->value.len;
}

static bool is_well(const struct etc_gate_fact *f)
{
	uint64_t number;

	for (uint32_t i = 0; i < ETC_GATE_RUNNER_FIELDS; i++)
		if (etc_str_eq(f->name, etc_str_of(etc_gate_runner_fields[i].name)) &&
		    etc_gate_runner_fields[i].number)
			return etc_number_parse_u64(f->value, &number) && number <= UINT32_MAX;
	return true;
}

static bool is_new(const struct etc_gate_fact *facts, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (etc_str_eq(facts[i].name, facts[count].name))
			return false;
	return true;
}

static enum etc_status parse_runner(const char *runner, struct etc_arena *arena,
                                    struct etc_gate_record *out, struct etc_error *err)
{
	struct etc_gate_fact *facts = etc_new(arena, struct etc_gate_fact, FACTS);
	struct etc_str rest = etc_str_of(runner);

	ETC_NEED(facts, err);
	out->runner = facts;
	while (rest.len) {
		size_t comma = etc_str_find(rest, ETC_STR(","), 0);
		struct etc_gate_fact *f = &facts[out->runner_count];
		struct etc_str one = etc_str_sub(rest, 0, comma);

		if (out->runner_count == FACTS || !part(one, f) || !is_well(f) ||
		    !is_new(facts, out->runner_count))
			return etc_fail(err, E0505,
			                "--runner '" ETC_STR_FMT
			                "'; expected KEY=VALUE, each key once, and numbers for "
			                "cpu_count, gpu_count, avail_mem_in_gb, "
			                "avail_gpu_mem_in_gb",
			                ETC_STR_ARG(one));
		out->runner_count++;
		rest = comma == SIZE_MAX ? ETC_STR_NONE : etc_str_sub(rest, comma + 1, rest.len);
	}
	return ETC_OK;
}

enum etc_status etc_gate_record_parse(const char *runner, const char *const *dependencies,
                                      uint32_t count, struct etc_arena *arena,
                                      struct etc_gate_record *out, struct etc_error *err)
{
	struct etc_gate_fact *facts = etc_new(arena, struct etc_gate_fact, count);

	*out = (struct etc_gate_record){ .dependencies = facts, .dependency_count = count };
	ETC_NEED(facts, err);
	for (uint32_t i = 0; i < count; i++)
		if (!part(etc_str_of(dependencies[i]), &facts[i]) || !is_new(facts, i) ||
		    etc_str_eq(facts[i].name, ETC_STR("etcore")))
			return etc_fail(err, E0505,
			                "--dependency '%s'; expected NAME=VERSION or "
			                "NAME=REPOSITORY@COMMIT, each name once, and not etcore",
			                dependencies[i]);
	return runner ? parse_runner(runner, arena, out, err) : ETC_OK;
}

enum etc_status etc_list_plugins(const struct etc_host *host, struct etc_arena *arena,
                                 const struct etc_str **out, uint32_t *count, struct etc_error *err)
{
	struct etc_str *names = etc_new(arena, struct etc_str, host->count);

	*out = names;
	*count = 0;
	ETC_NEED(names, err);
	for (uint32_t i = 0; i < host->count; i++) {
		const struct etc_plugin *p = &host->plugins[i];
		const char *version = p->abi && p->abi->version ? p->abi->version : "";

		if (p->state != ETC_PLUGIN_LOADED)
			continue;
		names[*count] = etc_arena_printf(arena, ETC_STR_FMT "%s%s", ETC_STR_ARG(p->name),
		                                 version[0] ? " " : "", version);
		if (!names[(*count)++].ptr)
			return etc_no_memory(err);
	}
	return ETC_OK;
}
