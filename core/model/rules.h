/* rules.h -- the rules of a backend that is described by configuration only.
 *
 * The rules of one [backend.ID], parsed but not yet applied to an event:
 * formats/config/conf_rules.c makes them, host/rules/ini_rules.c applies them. Their syntax is
 * in docs/plugins/configuring.md, "Configure a backend without code". */
#ifndef ETC_MODEL_RULES_H
#define ETC_MODEL_RULES_H

#include "base/span.h"

/* Where a rule gets its value. It begins with the metadata or the name of the event, selects a part
 * of this text, and then matches a regular expression in the part. */
struct etc_rule_source {
	bool of_name; /* the value comes from the event's name; false: from its metadata */
	/* enum etc_decoder of the number at byte `offset` of the metadata; 0: the metadata as a
	 * whole */
	uint8_t form;
	uint32_t offset;
	bool has_pointer;       /* the value is selected by `pointer` */
	struct etc_str pointer; /* RFC 6901: "/a/0"; "" is the whole value */
	struct etc_str pattern; /* POSIX extended; empty: none */
	uint32_t group;         /* number of the group; 0: the whole match */
	/* text in which \0 to \9 are replaced by the groups of the match; empty: the value is the
	 * group `group` */
	struct etc_str made;
	/* source that is used if this one has no value; NULL: none */
	const struct etc_rule_source *next;
};

enum etc_rule_kind {
	ETC_RULE_COLUMN,
	ETC_RULE_PROBE,
	/* These rules give a text, each from one source: */
	ETC_RULE_DISPLAY,
	ETC_RULE_KERNEL,
	/* These rules apply to events that match. If several rules of one kind match, the first
	 * applies. */
	ETC_RULE_CATEGORY,
	ETC_RULE_UNIT,
	ETC_RULE_KIND,
	ETC_RULE_LEVEL
};

struct etc_rule {
	uint8_t kind;   /* enum etc_rule_kind */
	uint8_t type;   /* COLUMN: ETCORE_TYPE_* */
	uint8_t rollup; /* COLUMN: ETCORE_ROLLUP_* */
	/* for UNIT an enum etc_unit; for KIND an ETCORE_KIND_*; for LEVEL 1 to 9 */
	uint8_t value;
	struct etc_str word; /* COLUMN: its name; CATEGORY: the word */
	struct etc_str unit; /* COLUMN: "ms", or empty */
	struct etc_rule_source source;
	struct etc_str origin; /* "etcore.ini:14" */
	struct etc_str key;    /* "column.cost" */
	uint64_t order;        /* position among the rules of a backend */
};

/* How the numbers start and end of an event are interpreted: the key `time =`. */
enum etc_rule_time {
	ETC_RULE_TIME_AUTO,
	ETC_RULE_TIME_INTERVAL,
	ETC_RULE_TIME_VALUE,
	ETC_RULE_TIME_ESTIMATE,
	ETC_RULE_TIME_PARALLEL
};
/* The clock on which the numbers start and end were read: the key `clock =`. */
enum etc_rule_clock { ETC_RULE_CLOCK_AUTO, ETC_RULE_CLOCK_DEVICE, ETC_RULE_CLOCK_HOST };

#endif
