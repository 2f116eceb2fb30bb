/* ini_rules.c -- see ini_rules.h: the hooks, and the descriptor made from the rules. */
#include "host/rules/ini_rules.h"

#include <string.h>

#include "host/rules/ini_backend.h"

/* ---- hooks ------------------------------------------------------------------- */

/* The hook probe. Returns the percentage of the call's delegate events that match a pattern of a
 * `probe =` line in the section; 0 if at most half of them match. */
static int32_t probe(void *self, const struct etcore_call *call)
{
	const struct etc_ruled *r = self;
	uint64_t asked = 0, hits = 0;
	struct etc_arena scratch;
	uint32_t rule;

	etc_arena_init(&scratch, r->arena->budget);
	for (uint32_t i = 0; i < call->count; i++) {
		if (!(call->events[i]->flags & ETCORE_EVENT_DELEGATE))
			continue;
		asked++;
		hits += etc_rule_match(r, ETC_RULE_PROBE, call->events[i], &scratch, &rule, NULL) ==
		        ETC_RULE_FOUND;
	}
	etc_arena_release(&scratch);
	return hits * 2 > asked ? (int32_t)(hits * 100 / asked) : 0;
}

static etcore_result put(const struct etc_rule *rule, const struct etc_datum *d,
                         const struct etcore_sink *out)
{
	struct etcore_text name = { rule->word.ptr, rule->word.len };
	struct etcore_text text = { d->text.ptr, d->text.len };

	switch (d->kind) {
	case ETC_DATUM_BOOL:
		return out->boolean(out->handle, name, d->i != 0);
	case ETC_DATUM_I64:
		return out->i64(out->handle, name, d->i);
	case ETC_DATUM_F64:
		return out->f64(out->handle, name, d->f);
	case ETC_DATUM_STR:
		return out->str(out->handle, name, text);
	default:
		return out->json(out->handle, name, text);
	}
}

/* Reports a number that does not fit into the type of its column. The number is left out, so that
 * sums over the column are too small. */
static void note_beyond(const struct etc_ruled *r, const struct etc_rule *rule,
                        const struct etc_datum *d)
{
	if (rule->type == ETCORE_TYPE_I64 && etc_rule_beyond(d))
		etc_note_each(r->host->notes, N0645,
		              "column." ETC_STR_FMT " of [backend." ETC_STR_FMT "]",
		              ETC_STR_ARG(rule->word), ETC_STR_ARG(r->backend->id));
}

/* The hook parse_metadata: returns the columns, in the order of their rules in the INI file. */
static etcore_result parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                    const struct etcore_sink *out)
{
	const struct etc_ruled *r = self;
	etcore_result result = ETCORE_OK;
	struct etc_arena scratch;

	etc_arena_init(&scratch, r->arena->budget);
	for (uint32_t i = 0; i < r->backend->rule_count && result == ETCORE_OK; i++) {
		const struct etc_rule *rule = &r->backend->rules[i];
		struct etc_datum d = { 0 };
		enum etc_rule_result found = ETC_RULE_ABSENT;

		if (rule->kind == ETC_RULE_COLUMN)
			found = etc_rule_value(r, i, call->events[index], &scratch, &d);
		if (found == ETC_RULE_FOUND) {
			note_beyond(r, rule, &d);
			found = etc_rule_typed(d, rule->type, &scratch, &d);
		}
		if (found == ETC_RULE_FOUND)
			result = put(rule, &d, out);
		else if (found == ETC_RULE_NOMEM)
			result = ETCORE_NOMEM;
	}
	etc_arena_release(&scratch);
	return result;
}

/* The hook name_event: returns the event's displayed name and the name of its kernel, each only if
 * the configuration has a rule for it. */
static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	const struct etc_ruled *r = self;
	etcore_result result = ETCORE_OK;
	struct etc_arena scratch;

	if (!(call->events[index]->flags & ETCORE_EVENT_DELEGATE))
		return ETCORE_DECLINE;
	etc_arena_init(&scratch, r->arena->budget);
	for (uint32_t i = 0; i < r->backend->rule_count && result == ETCORE_OK; i++) {
		uint8_t kind = r->backend->rules[i].kind;
		enum etc_rule_result found = ETC_RULE_ABSENT;
		struct etc_str text;

		if (kind == ETC_RULE_DISPLAY || kind == ETC_RULE_KERNEL)
			found = etc_rule_text(r, i, call->events[index], &scratch, &text);
		if (found == ETC_RULE_NOMEM)
			result = ETCORE_NOMEM;
		else if (found == ETC_RULE_FOUND)
			result = out->put(out->handle,
			                  kind == ETC_RULE_KERNEL ? ETCORE_NAME_KERNEL
			                                          : ETCORE_NAME_DISPLAY,
			                  (struct etcore_text){ text.ptr, text.len });
	}
	etc_arena_release(&scratch);
	return result;
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	const struct etcore_event *event = call->events[index];
	const struct etc_ruled *r = self;
	etcore_result result = ETCORE_OK;
	struct etc_arena scratch;
	uint32_t rule;

	if (!(event->flags & ETCORE_EVENT_DELEGATE))
		return ETCORE_DECLINE;
	etc_arena_init(&scratch, r->arena->budget);
	if (etc_rule_match(r, ETC_RULE_CATEGORY, event, &scratch, &rule, NULL) == ETC_RULE_NOMEM)
		result = ETCORE_NOMEM;
	if (result == ETCORE_OK && rule != UINT32_MAX)
		result = out->put(out->handle, ETCORE_CLASS_CATEGORY,
		                  (struct etcore_text){ r->backend->rules[rule].word.ptr,
		                                        r->backend->rules[rule].word.len });
	etc_arena_release(&scratch);
	return result;
}

/* ---- the descriptor ------------------------------------------------------------ */

static const char *terminated(struct etc_str s, struct etc_arena *arena)
{
	return etc_arena_printf(arena, ETC_STR_FMT, ETC_STR_ARG(s)).ptr;
}

static bool has(const struct etc_backend_settings *b, uint8_t kind)
{
	for (uint32_t i = 0; i < b->rule_count; i++)
		if (b->rules[i].kind == kind)
			return true;
	return false;
}

static enum etc_status make_columns(struct etc_ruled *r, struct etc_arena *arena,
                                    struct etc_error *err)
{
	const struct etc_backend_settings *b = r->backend;
	const struct etcore_column **list =
		etc_new(arena, const struct etcore_column *, (size_t)b->rule_count + 1);
	struct etcore_column *columns = etc_new(arena, struct etcore_column, b->rule_count);
	uint32_t n = 0;

	ETC_NEED(list && columns, err);
	for (uint32_t i = 0; i < b->rule_count; i++) {
		const struct etc_rule *rule = &b->rules[i];

		if (rule->kind != ETC_RULE_COLUMN)
			continue;
		columns[n] = (struct etcore_column){
			.size = sizeof *columns,
			.type = rule->type,
			.name = terminated(rule->word, arena),
			.unit = rule->unit.len ? terminated(rule->unit, arena) : NULL,
			.rollup = rule->rollup,
		};
		if (!columns[n].name || (rule->unit.len && !columns[n].unit))
			return etc_no_memory(err);
		list[n] = &columns[n];
		n++;
	}
	r->abi.columns = list;
	return ETC_OK;
}

static enum etc_status make_patterns(struct etc_ruled *r, struct etc_arena *arena,
                                     struct etc_error *err)
{
	const struct etc_backend_settings *b = r->backend;

	r->first = etc_new(arena, uint32_t, (size_t)b->rule_count + 1);
	for (uint32_t i = 0; r->first && i < b->rule_count; i++) {
		r->first[i + 1] = r->first[i];
		for (const struct etc_rule_source *s = &b->rules[i].source; s; s = s->next)
			r->first[i + 1]++;
	}
	if (r->first)
		r->patterns = etc_new(arena, struct etc_pattern *, r->first[b->rule_count]);
	ETC_NEED(r->patterns, err);
	for (uint32_t i = 0; i < b->rule_count; i++) {
		struct etc_pattern **p = &r->patterns[r->first[i]];

		for (const struct etc_rule_source *s = &b->rules[i].source; s; s = s->next, p++)
			if (s->pattern.len)
				ETC_TRY(etc_pattern_make_finding(s->pattern, p, err));
	}
	return ETC_OK;
}

static enum etc_status make(struct etc_plugin *p, const struct etc_backend_settings *b,
                            struct etc_host *host, struct etc_error *err)
{
	struct etc_arena *arena = host->arena;
	struct etc_ruled *r = etc_new(arena, struct etc_ruled, 1);

	ETC_NEED(r, err);
	*p = (struct etc_plugin){
		.host = host, .state = ETC_PLUGIN_LOADED, .named = true, .self = r, .opened = true
	};
	r->backend = b;
	r->arena = arena;
	r->host = host;
	p->abi = &r->abi;
	p->name = etc_arena_printf(arena, "[backend." ETC_STR_FMT "]", ETC_STR_ARG(b->id));
	r->backends[0] = terminated(b->id, arena);
	ETC_NEED(p->name.ptr && r->backends[0], err);
	r->abi = (struct etcore_plugin){
		.size = sizeof r->abi,
		.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
		.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
		.role = ETCORE_ROLE_OWNER,
		.sees = ETCORE_SEES_DELEGATE,
		.name = p->name.ptr,
		.version = "",
		.backends = r->backends,
		.probe = has(b, ETC_RULE_PROBE) ? probe : NULL,
		.parse_metadata = has(b, ETC_RULE_COLUMN) ? parse_metadata : NULL,
		.describe_time = etc_ruled_describe,
		.name_event =
			has(b, ETC_RULE_DISPLAY) || has(b, ETC_RULE_KERNEL) ? name_event : NULL,
		.classify = has(b, ETC_RULE_CATEGORY) ? classify : NULL,
	};
	ETC_TRY(make_columns(r, arena, err));
	return make_patterns(r, arena, err);
}

enum etc_status etc_ruled_load(struct etc_host *host, struct etc_error *err)
{
	const struct etc_settings *s = host->settings;

	if (s->backend_count == 0)
		return ETC_OK;
	host->ruled = etc_new(host->arena, struct etc_plugin, s->backend_count);
	ETC_NEED(host->ruled, err);
	for (uint32_t i = 0; i < s->backend_count; i++)
		if (s->backends[i].rule_count || etc_ruled_times(&s->backends[i]))
			ETC_TRY(make(&host->ruled[host->ruled_count++], &s->backends[i], host,
			             err));
	return ETC_OK;
}

void etc_ruled_release(struct etc_host *host)
{
	for (uint32_t i = 0; i < host->ruled_count; i++) {
		const struct etc_ruled *r = host->ruled[i].self;

		for (uint32_t k = 0; r && r->patterns && k < r->first[r->backend->rule_count]; k++)
			etc_pattern_release(r->patterns[k]);
	}
	host->ruled_count = 0;
}

struct etc_plugin *etc_ruled_of(const struct etc_host *host, struct etc_str backend)
{
	for (uint32_t i = 0; i < host->ruled_count; i++)
		if (etc_str_eq(etc_str_of(host->ruled[i].abi->backends[0]), backend))
			return &host->ruled[i];
	return NULL;
}

struct etcore_text etc_ruled_backend(const struct etc_plugin *ruled)
{
	const char *id = ruled->abi->backends[0];

	return (struct etcore_text){ id, strlen(id) };
}

/* If a `probe =` recognised the call, etc_host_recognise() has set call->backend to the text in the
 * descriptor that was made from the section, without a copy. So equal pointers show that a
 * `probe =` found the backend. */
bool etc_ruled_named(const struct etc_host *host, const struct etcore_call *call)
{
	for (uint32_t i = 0; i < host->ruled_count; i++)
		if (call->backend.ptr == host->ruled[i].abi->backends[0])
			return true;
	return false;
}
