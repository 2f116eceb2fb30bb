/* ini_rules.h -- the owner that goes by the configuration: [backend.ID] as a plugin.
 *
 * A backend with rules (model/rules.h) gets a descriptor like that of a shared
 * object, made from them. It is asked like any plugin, through the same sinks:
 * as the owner of a call that no plugin owns, else after the owner, for what that
 * left open. For host/ only. */
#ifndef ETC_HOST_RULES_H
#define ETC_HOST_RULES_H

#include "base/pattern.h"
#include "host/internal.h"

/* The instance: what `self` of its hooks is. */
struct etc_ruled {
	const struct etc_backend_settings *backend;
	struct etc_pattern **patterns; /* one per source, rule by rule; NULL: it has none */
	uint32_t *first;               /* of each rule among them; one more */
	struct etc_arena *arena;       /* its budget is that of scratch memory, too */
	const struct etc_host *host;   /* for notes */
	struct etcore_plugin abi;
	const char *backends[2];
};

/* The result of a rule for an event. */
enum etc_rule_result {
	ETC_RULE_ABSENT, /* nothing there, or the expression does not match */
	ETC_RULE_FOUND,
	ETC_RULE_NOMEM
};

/* The value of a rule's source: a text, a number or JSON. */
enum etc_rule_result etc_rule_value(const struct etc_ruled *r, uint32_t rule,
                                    const struct etcore_event *event, struct etc_arena *arena,
                                    struct etc_datum *out);

/* Is it a whole number that no column of i64 can hold? */
bool etc_rule_beyond(const struct etc_datum *d);

/* The same as a text; objects and lists are none. */
enum etc_rule_result etc_rule_text(const struct etc_ruled *r, uint32_t rule,
                                   const struct etcore_event *event, struct etc_arena *arena,
                                   struct etc_str *out);

/* The value as one of ETCORE_TYPE_*; ABSENT when it is not of that type. */
enum etc_rule_result etc_rule_typed(struct etc_datum value, uint32_t type, struct etc_arena *arena,
                                    struct etc_datum *out);

/* The first rule of `kind` whose pattern matches the event; UINT32_MAX: none.
 * `text`, if not NULL, is what its group found. */
enum etc_rule_result etc_rule_match(const struct etc_ruled *r, uint8_t kind,
                                    const struct etcore_event *event, struct etc_arena *arena,
                                    uint32_t *rule, struct etc_str *text);

/* rules_time.c: describe_time. */
etcore_result etc_ruled_describe(void *self, const struct etcore_call *call,
                                 struct etcore_time *const *times);
/* Do the rules say anything of times? */
bool etc_ruled_times(const struct etc_backend_settings *b);

#endif
