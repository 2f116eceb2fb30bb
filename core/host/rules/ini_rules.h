/* ini_rules.h -- turns a section [backend.ID] with rules into a plugin.
 *
 * The rules (model/rules.h) become a descriptor, like that of a shared object. Its hooks are called
 * like those of any plugin, with the same sinks. If no other plugin owns a call of the backend,
 * this plugin is the owner. Otherwise its hooks are called after the owner's, for fields that the
 * owner left empty. For core/host only. */
#ifndef ETC_HOST_RULES_INI_RULES_H
#define ETC_HOST_RULES_INI_RULES_H

#include "base/pattern.h"
#include "host/internal.h"

/* The instance of a plugin made from rules: the argument `self` of its hooks. */
struct etc_ruled {
	const struct etc_backend_settings *backend;
	/* compiled patterns, one for each source of each rule, in the order of the rules; NULL: the
	 * source has no pattern */
	struct etc_pattern **patterns;
	/* for each rule, the index of its first pattern; a last element has the number of
	 * patterns */
	uint32_t *first;
	/* the budget of this arena also limits the hooks' scratch memory */
	struct etc_arena *arena;
	const struct etc_host *host; /* the host to which notes are reported */
	struct etcore_plugin abi;
	const char *backends[2];
	/* Results of the rules level.N, which choose the parents of events, over all delegate
	 * calls. `several_levels`: a call had events of different levels. `nests`: an event became
	 * the child of another event. The rules are reported as useless if only `several_levels` is
	 * true. */
	bool several_levels, nests;
};

/* The outcome of evaluating a rule for an event. */
enum etc_rule_result {
	ETC_RULE_ABSENT, /* there is no value, or the pattern does not match */
	ETC_RULE_FOUND,
	ETC_RULE_NOMEM
};

/* Sets `*out` to the value of a rule's source: a text, a number or JSON. */
enum etc_rule_result etc_rule_value(const struct etc_ruled *r, uint32_t rule,
                                    const struct etcore_event *event, struct etc_arena *arena,
                                    struct etc_datum *out);

/* Is the value a number outside of the range of an int64_t? */
bool etc_rule_beyond(const struct etc_datum *d);

/* Sets `*out` to the value of a rule's source as text. Returns ABSENT also if the value is a JSON
 * object or list. */
enum etc_rule_result etc_rule_text(const struct etc_ruled *r, uint32_t rule,
                                   const struct etcore_event *event, struct etc_arena *arena,
                                   struct etc_str *out);

/* Converts `value` to `type`, one of ETCORE_TYPE_*. ABSENT: the value cannot be converted. */
enum etc_rule_result etc_rule_typed(struct etc_datum value, uint32_t type, struct etc_arena *arena,
                                    struct etc_datum *out);

/* Finds the first rule of `kind` whose pattern matches the event, and sets `*rule` to its index;
 * UINT32_MAX: none matches. `text`, if not NULL, is set to the text that the pattern's group
 * captured. */
enum etc_rule_result etc_rule_match(const struct etc_ruled *r, uint8_t kind,
                                    const struct etcore_event *event, struct etc_arena *arena,
                                    uint32_t *rule, struct etc_str *text);

/* rules_time.c: the hook describe_time of a plugin made from rules. */
etcore_result etc_ruled_describe(void *self, const struct etcore_call *call,
                                 struct etcore_time *const *times);
/* Does the section have rules about times? */
bool etc_ruled_times(const struct etc_backend_settings *b);

#endif
