/* rules.h -- the rules of a backend that is described by configuration only.
 *
 * The rules of one [backend.ID], parsed but not yet applied to an event:
 * formats/config/conf_rules.c makes them, host/rules/ini_rules.c applies them. Their syntax is
 * in docs/plugins/configuring.md, "Configure a backend without code". */
#ifndef ETC_MODEL_RULES_H
#define ETC_MODEL_RULES_H

#include "base/span.h"

/* The source of a value: the metadata or the name, then a part selected from it, then the match of
 * a regular expression in this part. */
struct etc_rule_source {
	bool of_name; /* else it is the metadata */
	uint8_t form; /* enum etc_decoder of a number at byte `offset`; 0: the whole text */
	uint32_t offset;
	bool has_pointer;       /* the value is selected by `pointer` */
	struct etc_str pointer; /* RFC 6901: "/a/0"; "" is the whole value */
	struct etc_str pattern; /* POSIX extended; empty: none */
	uint32_t group;         /* number of the group; 0: the whole match */
	struct etc_str made;    /* template with \0 to \9 for groups; empty: the group itself */
	const struct etc_rule_source *next; /* tried when this one has no value, or NULL */
};

enum etc_rule_kind {
	ETC_RULE_COLUMN,
	ETC_RULE_PROBE,
	/* Texts, each from one source: */
	ETC_RULE_DISPLAY,
	ETC_RULE_KERNEL,
	/* Rules for the events that match; of each kind, the first that matches applies: */
	ETC_RULE_CATEGORY,
	ETC_RULE_UNIT,
	ETC_RULE_KIND,
	ETC_RULE_LEVEL
};

struct etc_rule {
	uint8_t kind;        /* enum etc_rule_kind */
	uint8_t type;        /* COLUMN: ETCORE_TYPE_* */
	uint8_t rollup;      /* COLUMN: ETCORE_ROLLUP_* */
	uint8_t value;       /* UNIT: enum etc_unit; KIND: ETCORE_KIND_*; LEVEL: 1 to 9 */
	struct etc_str word; /* COLUMN: its name; CATEGORY: the word */
	struct etc_str unit; /* COLUMN: "ms", or empty */
	struct etc_rule_source source;
	struct etc_str origin; /* "etcore.ini:14" */
	struct etc_str key;    /* "column.cost" */
	uint64_t order;        /* position among the rules of a backend */
};

/* How start and end of an event are to be interpreted: `time =`. */
enum etc_rule_time {
	ETC_RULE_TIME_AUTO,
	ETC_RULE_TIME_INTERVAL,
	ETC_RULE_TIME_VALUE,
	ETC_RULE_TIME_ESTIMATE,
	ETC_RULE_TIME_PARALLEL
};
/* The clock of start and end: `clock =`. */
enum etc_rule_clock { ETC_RULE_CLOCK_AUTO, ETC_RULE_CLOCK_DEVICE, ETC_RULE_CLOCK_HOST };

#endif
