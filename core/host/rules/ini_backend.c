/* ini_backend.c -- see ini_backend.h. For a backend that another plugin owns, checks which keys are
 * allowed, and adds the results of the rules to the answers of that plugin. */
#include "host/rules/ini_backend.h"

#include "host/hooks.h"
#include "host/internal.h"

/* ---- allowed keys --------------------------------------------------------------- */

/* Sets the location of the error to the file and line at which `key` is set. Returns `st`. */
static enum etc_status at_key(const struct etc_settings *s, const struct etc_backend_settings *b,
                              const char *key, enum etc_status st, struct etc_error *err)
{
	for (uint32_t i = 0; i < s->all_count; i++)
		if (etc_str_starts(s->all[i].section, ETC_STR("backend.")) &&
		    etc_str_eq(etc_str_sub(s->all[i].section, 8, s->all[i].section.len), b->id) &&
		    etc_str_eq(s->all[i].key, etc_str_of(key)))
			etc_settings_place(s->all[i].origin, err);
	return st;
}

/* Returns the plugin that would own the backend if the configuration had no rules for it; NULL:
 * there is no such plugin. */
static const struct etc_plugin *owner_of(const struct etc_host *host,
                                         const struct etc_backend_settings *b)
{
	for (uint32_t i = 0; i < host->count; i++) {
		const struct etc_plugin *p = &host->plugins[i];

		if (p->state != ETC_PLUGIN_LOADED || p->abi->role != ETCORE_ROLE_OWNER)
			continue;
		if (b->owner.len ? etc_str_eq(p->name, b->owner) : etc_plugin_lists(p, b->id))
			return p;
	}
	return NULL;
}

static enum etc_status check_columns(const struct etc_plugin *p,
                                     const struct etc_backend_settings *b, struct etc_error *err)
{
	for (uint32_t i = 0; i < b->rule_count; i++) {
		const struct etc_rule *r = &b->rules[i];
		enum etc_status st;

		if (r->kind != ETC_RULE_COLUMN || !etc_sink_declares(p->abi, r->word))
			continue;
		st = etc_fail(err, E0528,
		              "'" ETC_STR_FMT "' is a column of the plugin '" ETC_STR_FMT
		              "', which owns " ETC_STR_FMT,
		              ETC_STR_ARG(r->word), ETC_STR_ARG(p->name), ETC_STR_ARG(b->id));
		etc_settings_place(r->origin, err);
		return st;
	}
	return ETC_OK;
}

/* Checks a section with `owner = NAME`. E0529: the section has a key for something that a hook of
 * the plugin NAME answers. */
static enum etc_status check_owner(const struct etc_settings *s, const struct etc_plugin *p,
                                   const struct etc_backend_settings *b, struct etc_error *err)
{
	const char *key = NULL, *hook = NULL;
	struct etc_str origin = { 0 };

	if (b->has_metadata && p->abi->parse_metadata) {
		key = "metadata";
		hook = "parse_metadata";
	} else if (p->abi->describe_time && (b->time || b->clock || b->counter_bits)) {
		key = b->time ? "time" : b->clock ? "clock" : "counter_bits";
		hook = "describe_time";
	}
	for (uint32_t i = 0; !key && p->abi->describe_time && i < b->rule_count; i++) {
		const struct etc_rule *r = &b->rules[i];

		if (r->kind != ETC_RULE_UNIT && r->kind != ETC_RULE_KIND &&
		    r->kind != ETC_RULE_LEVEL)
			continue;
		key = r->key.ptr;
		origin = r->origin;
		hook = "describe_time";
	}
	if (!key)
		return ETC_OK;
	(void)etc_fail(err, E0529,
	               "'%.49s' beside owner = " ETC_STR_FMT ", whose %s answers for " ETC_STR_FMT,
	               key, ETC_STR_ARG(p->name), hook, ETC_STR_ARG(b->id));
	if (origin.len) {
		etc_settings_place(origin, err);
		return ETC_USAGE;
	}
	return at_key(s, b, key, ETC_USAGE, err);
}

enum etc_status etc_ruled_check(const struct etc_host *host, struct etc_error *err)
{
	const struct etc_settings *s = host->settings;

	for (uint32_t i = 0; i < s->backend_count; i++) {
		const struct etc_backend_settings *b = &s->backends[i];
		const struct etc_plugin *p = owner_of(host, b);

		if (!p)
			continue;
		ETC_TRY(check_columns(p, b, err));
		if (b->owner.len)
			ETC_TRY(check_owner(s, p, b, err));
	}
	return ETC_OK;
}

/* ---- results of rules, added to those of the owner ---------------------------------- */

struct etc_plugin *etc_ruled_beside(struct etc_plugin *owner, const struct etcore_call *call)
{
	struct etc_str id = { call->backend.ptr, (size_t)call->backend.len };
	struct etc_plugin *p;

	if (!owner || owner->host->ruled_count == 0)
		return NULL;
	if (id.len == 0 && owner->abi->backends && owner->abi->backends[0])
		id = etc_str_of(owner->abi->backends[0]);
	p = etc_ruled_of(owner->host, id);
	return p == owner ? NULL : p;
}

enum etc_status etc_ruled_times_add(struct etc_plugin *owner, const struct etcore_call *call,
                                    struct etc_time_facts *times, bool *described,
                                    struct etc_error *err)
{
	struct etc_plugin *p = *described ? NULL : etc_ruled_beside(owner, call);

	return p ? etc_host_describe_time(p, call, times, described, err) : ETC_OK;
}

enum etc_status etc_ruled_facts_add(struct etc_plugin *owner, const struct etcore_call *call,
                                    struct etc_facts *facts, struct etc_error *err)
{
	struct etc_plugin *p = etc_ruled_beside(owner, call);

	return p ? etc_explain_fill(p, call, facts, err) : ETC_OK;
}

/* Concatenates `count` items with the items of `more`. NULL: out of memory. */
static struct etc_datum *joined(const struct etc_datum *items, uint32_t count,
                                const struct etc_parsed *more, struct etc_arena *arena)
{
	struct etc_datum *all = etc_new(arena, struct etc_datum, (size_t)count + more->count);

	if (all && count)
		memcpy(all, items, count * sizeof *all);
	if (all)
		memcpy(all + count, more->items, more->count * sizeof *all);
	return all;
}

/* Appends the items of `more` to the named values of an answer. If the answer is a list, its items
 * become values of the column "metadata" first. */
static bool add_items(struct etc_parsed *parsed, const struct etc_parsed *more,
                      struct etc_arena *arena)
{
	struct etc_datum *items = joined(parsed->items, parsed->count, more, arena);

	for (uint32_t i = 0; items && parsed->form == ETC_PARSED_LIST && i < parsed->count; i++) {
		items[i].name = ETC_STR("metadata");
		items[i].rollup = ETCORE_ROLLUP_SET;
	}
	parsed->form = ETC_PARSED_DICT;
	parsed->items = items;
	parsed->count += more->count;
	return items != NULL;
}

static bool add_columns(struct etc_parsed *parsed, const struct etc_parsed *more,
                        struct etc_arena *arena)
{
	parsed->columns = joined(parsed->columns, parsed->column_count, more, arena);
	parsed->column_count += more->count;
	return parsed->columns != NULL;
}

enum etc_status etc_host_add_columns(struct etc_plugin *owner, const struct etcore_call *call,
                                     uint32_t index, struct etc_parsed *parsed,
                                     struct etc_error *err)
{
	struct etc_plugin *p = etc_ruled_beside(owner, call);
	struct etc_parsed more = { 0 };
	bool ok = true;

	if (p)
		ETC_TRY(etc_host_parse_metadata(p, call, index, &more, err));
	if (more.form != ETC_PARSED_DICT)
		return ETC_OK;
	if (parsed->has_columns)
		ok = add_columns(parsed, &more, owner->host->arena);
	/* A list without columns is not changed, because `etcore inspector` prints it as a list. */
	if (ok && (!parsed->has_columns || parsed->form != ETC_PARSED_LIST))
		ok = add_items(parsed, &more, owner->host->arena);
	return ok ? ETC_OK : etc_no_memory(err);
}
