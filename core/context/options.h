/* options.h -- the options of a command as data.
 *
 * Each command has an array with one row for each option. etcore_set() uses it to store values, and
 * etcore_option() returns a description of a row, from which the program makes its command line,
 * --help, manual pages and shell completion. '-' and '_' are equal in names. */
#ifndef ETC_CONTEXT_OPTIONS_H
#define ETC_CONTEXT_OPTIONS_H

#include "base/arena.h"
#include "base/error.h"

/* The numbers are those of ETCORE_OPTION_* in etcore/etcore.h. */
enum etc_opt_kind {
	ETC_OPT_FLAG,     /* bool */
	ETC_OPT_COUNT,    /* uint8_t: how often the option was given */
	ETC_OPT_TEXT,     /* const char *: the last value counts */
	ETC_OPT_LIST,     /* struct etc_opt_list: all values, in order */
	ETC_OPT_CHOICE,   /* const char *: one of `choices` */
	ETC_OPT_OPTIONAL, /* const char *: like TEXT, but "" if there is no argument */
	ETC_OPT_FILE,     /* const char *: like TEXT, the name of an input file */
	ETC_OPT_KINDS,
	/* flags that may be added to a kind: */
	ETC_OPT_HIDDEN = 16, /* set through libetcore only, not on the command line */
	/* the option may have the value ""; for other options that take a value, "" is an error */
	ETC_OPT_EMPTY = 32
};

struct etc_opt_list {
	const char **v;
	uint32_t count;
};

struct etc_opt {
	char letter;          /* 'r' for -r, or 0 */
	const char *name;     /* "etrecord" for --etrecord */
	unsigned kind;        /* enum etc_opt_kind */
	size_t target;        /* offsetof(the command's struct, member) */
	const char *argument; /* "FILE", for --help; NULL: the option takes no value */
	/* for an option of kind CHOICE, the allowed values: "ns|us|ms|s|cycles"; for other kinds,
	 * values to suggest, or NULL */
	const char *choices;
	const char *help;
};

/* Returns the row's kind without ETC_OPT_HIDDEN and ETC_OPT_EMPTY. */
static inline unsigned etc_opt_kind(const struct etc_opt *o)
{
	return o->kind & (ETC_OPT_HIDDEN - 1);
}

/* Stores the value of the option `name` (not abbreviated) in `args`, the command's struct of
 * options; `value` is NULL if the option takes no value. Lists and values are allocated in the
 * arena. E0502, E0503, E0505, E0904. */
enum etc_status etc_opt_set(const struct etc_opt *options, unsigned count, const char *name,
                            const char *value, void *args, struct etc_arena *arena,
                            struct etc_error *err) ETC_MUST_CHECK;

/* Returns the row of the option called `name`. If there is no such option, returns NULL and sets
 * `*err` to E0502 with the most similar name. */
const struct etc_opt *etc_opt_find(const struct etc_opt *options, unsigned count, const char *name,
                                   struct etc_error *err);

/* Was the option given? */
bool etc_opt_given(const struct etc_opt *o, const void *args);

/* Is `name` in the list `names`, in which a blank follows each name? */
bool etc_opt_listed(const char *names, const char *name);

/* A form of a command that the first operand selects, such as `numeric values`. */
struct etc_opt_form {
	const char *word;  /* the first operand */
	const char *takes; /* names of the form's options, for etc_opt_listed() */
};

struct etc_opt_forms {
	const char *command;
	const struct etc_opt_form *v;
	unsigned count;
};

/* Fails with E0501 if an option is given that another form of the command takes, but the form
 * `word` does not: the option would have no effect. An option that no form lists is allowed in all
 * forms. */
enum etc_status etc_opt_fit(const struct etc_opt *options, unsigned count, const void *args,
                            const struct etc_opt_forms *of, const char *word,
                            struct etc_error *err) ETC_MUST_CHECK;

/* Parses the whole number given for option --NAME, which may be at most `most`. If `text` is NULL,
 * `*out` is not changed. E0505. */
enum etc_status etc_opt_count(const char *name, const char *text, uint64_t most, uint64_t *out,
                              struct etc_error *err) ETC_MUST_CHECK;

/* Parses a non-negative number at the start of `text` and sets `*rest` to the text after it. False:
 * `text` does not begin with such a number. */
bool etc_opt_number(const char *text, double *v, struct etc_str *rest);

/* Parses a non-negative time with its unit, such as "1.5ms" (ns, us, µs, ms, s), at most 10^18 ns.
 * False: `text` is not such a time. */
bool etc_opt_time(const char *text, double *ns);

/* Appends a copy of `value`. E0904. */
enum etc_status etc_opt_append(struct etc_opt_list *list, const char *value,
                               struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

#endif
