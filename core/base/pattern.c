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

static enum etc_status make(struct etc_str text, int flags, struct etc_pattern **out,
                            struct etc_error *err)
{
	struct etc_pattern *p = etc_malloc(sizeof *p);
	char *copy = terminated(text), why[128];
	int rc;

	*out = NULL;
	if (!p || !copy) {
		free(p);
		free(copy);
		return etc_fail(err, E0904, "a regular expression");
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
		return etc_fail(err, E0904, "a regular expression");
	}
	regerror(rc, &p->regex, why, sizeof why);
	free(p);
	return etc_fail(err, E0507, "'" ETC_STR_FMT "': %s", ETC_STR_ARG(text), why);
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
	/* glibc says "no match" in this case, too. */
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
		                   ? (struct etc_str){ 0 }
		                   : etc_str_sub(text, (size_t)at[g].rm_so, (size_t)at[g].rm_eo);
	return true;
}
