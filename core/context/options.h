/* options.h -- a question's options as data.
 *
 * One array of rows per question: etcore_set() stores by it, etcore_option()
 * describes it, and from that the program makes its command line, --help,
 * manual pages and shell completion. '-' and '_' are the same in names. */
#ifndef ETC_API_OPTIONS_H
#define ETC_API_OPTIONS_H

#include "base/arena.h"
#include "base/error.h"

/* The numbers are those of ETCORE_OPTION_* in etcore/etcore.h. */
enum etc_opt_kind {
	ETC_OPT_FLAG,     /* bool */
	ETC_OPT_COUNT,    /* uint8_t: how often it was given */
	ETC_OPT_TEXT,     /* const char *: the last one counts */
	ETC_OPT_LIST,     /* struct etc_opt_list: all, in order */
	ETC_OPT_CHOICE,   /* const char *: one of `choices` */
	ETC_OPT_OPTIONAL, /* const char *: as TEXT, but without an argument "" */
	ETC_OPT_FILE,     /* const char *: as TEXT, an input */
	ETC_OPT_KINDS,
	ETC_OPT_HIDDEN = 16 /* beside a kind: for programs, not on the command line */
};

struct etc_opt_list {
	const char **v;
	uint32_t count;
};

struct etc_opt {
	char letter;          /* 'r' for -r, or 0 */
	const char *name;     /* "etrecord" for --etrecord */
	unsigned kind;        /* enum etc_opt_kind */
	size_t target;        /* offsetof(struct of the question, member) */
	const char *argument; /* "FILE", for --help; NULL: takes no value */
	const char *choices;  /* "ns|us|ms|s|cycles"; of another kind words to propose, or NULL */
	const char *help;
};

/* Stores a value by the option's full name; `value` NULL: none. Memory of lists
 * and values is the arena's. E0502, E0503, E0505, E0904. */
enum etc_status etc_opt_set(const struct etc_opt *options, unsigned count, const char *name,
                            const char *value, void *args, struct etc_arena *arena,
                            struct etc_error *err) ETC_MUST_CHECK;

/* The row of that name, or NULL and E0502 with the nearest. */
const struct etc_opt *etc_opt_find(const struct etc_opt *options, unsigned count, const char *name,
                                   struct etc_error *err);

/* Has the struct of the question a value of the option? */
bool etc_opt_given(const struct etc_opt *o, const void *args);

/* Is `name` among the words of `names`, each followed by a blank? */
bool etc_opt_listed(const char *names, const char *name);

/* The whole number `text` of the option --NAME, `most` at most; NULL leaves *out alone. E0505. */
enum etc_status etc_opt_count(const char *name, const char *text, uint64_t most, uint64_t *out,
                              struct etc_error *err) ETC_MUST_CHECK;

/* Appends a copy of `value`. E0904. */
enum etc_status etc_opt_append(struct etc_opt_list *list, const char *value,
                               struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

#endif
