/* rules.h -- the rules of a backend that is described by configuration only.
 *
 * The rules of one [backend.ID], parsed but not yet applied to an event:
 * formats/config/conf_rules.c makes them, host/rules/ini_rules.c applies them. Their syntax is
 * in docs/plugins/configuring.md, "Configure a backend without code". */
#ifndef ETC_MODEL_RULES_H
#define ETC_MODEL_RULES_H

#include "base/span.h"

/* Where a rule gets its value. The evaluation begins with the metadata or the name of the event,
 * selects a part of this text, and then matches a regular expression in the part. */
struct etc_rule_source {
	bool of_name; /* the value comes from the event's name; false: from its metadata */
	/* enum etc_decoder of the number at byte `offset` of the metadata; 0: the metadata as a
	 * whole */
	uint8_t form;
	uint32_t offset;
	bool has_pointer; /* the value is selected by `pointer` */
	/* a JSON pointer (RFC 6901), such as "/a/0"; "" selects the whole value */
	struct etc_str pointer;
	struct etc_str pattern; /* a POSIX extended regular expression; empty: there is none */
	/* the value is the text that this group of the pattern matches; 0: the text that the whole
	 * pattern matches */
	uint32_t group;
	/* text in which \0 to \9 are replaced by the groups of the match; empty: the value is the
	 * group `group` */
	struct etc_str made;
	/* source that is used if this one has no value; NULL: none */
	const struct etc_rule_source *next;
};

enum etc_rule_kind {
	ETC_RULE_COLUMN,
	ETC_RULE_PROBE,
	/* Each of the next two rules gives an event a text, which comes from etc_rule.source. */
	ETC_RULE_DISPLAY,
	ETC_RULE_KERNEL,
	/* The rules that follow apply to events that their pattern matches. If several rules of one
	 * kind match, the first of them applies. */
	ETC_RULE_CATEGORY,
	ETC_RULE_UNIT,
	ETC_RULE_KIND,
	ETC_RULE_LEVEL
};

struct etc_rule {
	uint8_t kind;   /* enum etc_rule_kind */
	uint8_t type;   /* for COLUMN: its type, ETCORE_TYPE_* */
	uint8_t rollup; /* for COLUMN: its roll-up, ETCORE_ROLLUP_* */
	/* for UNIT an enum etc_unit; for KIND an ETCORE_KIND_*; for LEVEL 1 to 9 */
	uint8_t value;
	struct etc_str word; /* for COLUMN, its name; for CATEGORY, the category */
	struct etc_str unit; /* for COLUMN: the unit of its values, such as "ms", or empty */
	struct etc_rule_source source;
	struct etc_str origin; /* where the rule is: "etcore.ini:14" */
	struct etc_str key;    /* the rule's key in the section: "column.cost" */
	uint64_t order;        /* position among the rules of the backend; see etc_setting.order */
};

/* How the numbers `start` and `end` of an event are interpreted: the value of the key `time =`. */
enum etc_rule_time {
	ETC_RULE_TIME_AUTO,
	ETC_RULE_TIME_INTERVAL,
	ETC_RULE_TIME_VALUE,
	ETC_RULE_TIME_ESTIMATE,
	ETC_RULE_TIME_PARALLEL
};
/* Which clock the numbers `start` and `end` of an event were read from: the value of the key
 * `clock =`. */
enum etc_rule_clock { ETC_RULE_CLOCK_AUTO, ETC_RULE_CLOCK_DEVICE, ETC_RULE_CLOCK_HOST };

#endif
