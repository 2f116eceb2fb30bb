/* pattern.c -- see pattern.h */
#include "base/pattern.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>

#include "base/memory.h"

struct etc_pattern {
	regex_t regex;
};

static char *terminated(struct etc_str s)
{
	char *copy = etc_malloc(s.len + 1);

	if (!copy)
		return NULL;
	if (s.len)
		memcpy(copy, s.ptr, s.len);
	copy[s.len] = '\0';
	return copy;
}

/* Limits that keep regcomp() and regexec() below a tenth of a second. Both expand {counts} and turn
 * each a+ into aa*; nested counts multiply the size, and nested repetitions multiply the number of
 * ways to match a text. */
enum { PLACES_MAX = 1 << 10, NESTED_MAX = 16, DEPTH_MAX = 256 };

/* Size of a part of a pattern (a group, or a single atom), as if each counted repetition, such as
 * {3}, were written out. */
struct extent {
	uint64_t places;  /* number of characters and bracket expressions */
	uint64_t repeats; /* repetitions */
	uint64_t nested;  /* repetitions inside a repetition */
};

/* Returns the position after the bracket expression that begins at `at`. */
static size_t behind_brackets(struct etc_str s, size_t at)
{
	at += at + 1 < s.len && s.ptr[at + 1] == '^' ? 2 : 1;
	for (at++; at < s.len && s.ptr[at] != ']'; at++)
		if (s.ptr[at] == '[' && at + 1 < s.len && strchr(":.=", s.ptr[at + 1]))
			for (at += 2; at + 1 < s.len && s.ptr[at + 1] != ']'; at++)
				;
	return at + 1;
}

/* Returns the largest number of repetitions that the {count} at `at` allows; 1 if there is no
 * {count} at `at`. */
static uint64_t most_of(struct etc_str s, size_t at)
{
	uint64_t most = 1, n = 0;

	for (at++; at < s.len && s.ptr[at] != '}'; at++) {
		n = s.ptr[at] >= '0' && s.ptr[at] <= '9' ? n * 10 + (uint64_t)(s.ptr[at] - '0') : 0;
		n = n < PLACES_MAX ? n : PLACES_MAX;
		most = n > most ? n : most;
	}
	return most;
}

static void add(struct extent *group, struct extent atom)
{
	group->places += atom.places;
	group->repeats += atom.repeats;
	group->nested += atom.nested;
}

/* Returns why the expression is refused: the C library might match it too slowly, or it has a back
 * reference. NULL: the expression is accepted. */
static const char *too_much(struct etc_str s)
{
	struct extent group[DEPTH_MAX] = { { 0 } }, last[DEPTH_MAX] = { { 0 } };
	size_t depth = 0;
	/* `repeats`: the character before the current one was a repetition such as '*' */
	bool empty = false, repeats = false;

	for (size_t at = 0; at < s.len && s.ptr[at]; at++) {
		char c = s.ptr[at];
		uint64_t times = c == '+' ? 2 : c == '{' ? most_of(s, at) : 1;

		if (repeats && strchr("*+?{", c) && !(c == '?' && strchr("*+}", s.ptr[at - 1])))
			return "a repetition of a repetition";
		/* A group with an empty alternative, such as "(a|)", counts as a repetition, like
		 * "a?". */
		empty = strchr("(|", c) && (at + 1 == s.len || strchr("|)", s.ptr[at + 1]));
		repeats = strchr("*+?{", c) != NULL;
		if (c == '(') {
			if (++depth == DEPTH_MAX)
				return "too many groups in each other";
			group[depth] = last[depth] = (struct extent){ 0 };
			group[depth].repeats = empty;
		} else if (c == ')' && depth > 0) {
			depth--;
			last[depth] = group[depth + 1];
			add(&group[depth], last[depth]);
		} else if (strchr("*+?{", c)) {
			struct extent *atom = &last[depth];

			add(&group[depth], (struct extent){ atom->places * (times - 1),
			                                    atom->repeats * (times - 1) + 1,
			                                    atom->repeats * times });
			atom->places *= times;
			atom->repeats = atom->repeats * times + 1;
			while (c == '{' && at < s.len && s.ptr[at] != '}')
				at++;
		} else if (c == '|') {
			group[depth].repeats += empty;
		} else {
			if (c == '\\' && at + 1 < s.len && s.ptr[at + 1] >= '1' &&
			    s.ptr[at + 1] <= '9')
				return "POSIX extended expressions have no back references";
			at = c == '[' ? behind_brackets(s, at) - 1 : c == '\\' ? at + 1 : at;
			last[depth] = (struct extent){ .places = 1 };
			add(&group[depth], last[depth]);
		}
		if (group[depth].places > PLACES_MAX)
			return "too many places with its counts written out";
		if (group[depth].nested > NESTED_MAX)
			return "too many repetitions in each other with its counts written out";
	}
	return NULL;
}

static enum etc_status make(struct etc_str text, int flags, struct etc_pattern **out,
                            struct etc_error *err)
{
	const char *much = too_much(text);
	struct etc_pattern *p;
	char *copy, why[128];
	int rc;

	*out = NULL;
	if (much)
		return etc_fail(err, E0552, "'%.*s': %s", (int)(text.len < 60 ? text.len : 60),
		                text.ptr, much);
	p = etc_malloc(sizeof *p);
	copy = terminated(text);
	if (!p || !copy) {
		free(p);
		free(copy);
		return etc_no_memory(err);
	}
	rc = regcomp(&p->regex, copy, REG_EXTENDED | flags);
	free(copy);
	if (rc == 0) {
		*out = p;
		return ETC_OK;
	}
	if (rc == REG_ESPACE) {
		free(p);
		etc_memory_refuse(0, 0);
		return etc_no_memory(err);
	}
	regerror(rc, &p->regex, why, sizeof why);
	free(p);
	return etc_fail(err, E0552, "'" ETC_STR_FMT "': %s", ETC_STR_ARG(text), why);
}

enum etc_status etc_pattern_make(struct etc_str text, struct etc_pattern **out,
                                 struct etc_error *err)
{
	return make(text, REG_NOSUB, out, err);
}

enum etc_status etc_pattern_make_finding(struct etc_str text, struct etc_pattern **out,
                                         struct etc_error *err)
{
	return make(text, 0, out, err);
}

void etc_pattern_release(struct etc_pattern *p)
{
	if (!p)
		return;
	regfree(&p->regex);
	free(p);
}

uint32_t etc_pattern_groups(const struct etc_pattern *p)
{
	return (uint32_t)p->regex.re_nsub;
}

static bool execute(const struct etc_pattern *p, struct etc_str text, size_t groups,
                    regmatch_t *found)
{
	char room[512], *copy = room;
	int rc;

	if (text.len >= sizeof room)
		copy = terminated(text);
	if (!copy)
		return false;
	if (copy == room) {
		if (text.len)
			memcpy(room, text.ptr, text.len);
		room[text.len] = '\0';
	}
	errno = 0;
	rc = regexec(&p->regex, copy, groups, found, 0);
	/* If memory is exhausted, the result is "no match", as in glibc, but the failure is
	 * recorded. */
	if (rc != 0)
		etc_memory_errno(rc == REG_ESPACE ? ENOMEM : errno);
	if (copy != room)
		free(copy);
	return rc == 0;
}

bool etc_pattern_matches(const struct etc_pattern *p, struct etc_str text)
{
	return execute(p, text, 0, NULL);
}

bool etc_pattern_find(const struct etc_pattern *p, struct etc_str text,
                      struct etc_str found[ETC_PATTERN_GROUPS])
{
	regmatch_t at[ETC_PATTERN_GROUPS];

	if (!execute(p, text, ETC_PATTERN_GROUPS, at))
		return false;
	for (int g = 0; g < ETC_PATTERN_GROUPS; g++)
		found[g] = at[g].rm_so < 0
		                   ? ETC_STR_NONE
		                   : etc_str_sub(text, (size_t)at[g].rm_so, (size_t)at[g].rm_eo);
	return true;
}
