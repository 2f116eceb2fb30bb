/* words.c -- proposes common words in place of a plugin's own words. A proposal is not a
 * failure. */
#include "commands/plugins/check/internal.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/ascii.h"
#include "base/nearest.h"
#include "model/own_columns.h"

enum { SHOWN = 60 /* maximum number of bytes of a text that are shown */ };

static const char *const words[] = {
#define X(word) word,
#include "model/categories.def"
#undef X
};
enum { WORDS = sizeof words / sizeof words[0] };

void etc_propose(struct etc_proposals *all, const char *fmt, ...)
{
	const size_t most = sizeof all->text;
	char text[400];
	va_list args;
	int n;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	if (all->len && strstr(all->text, text))
		return;
	n = snprintf(all->text + all->len, most - all->len, "%s%s", all->len ? ", " : "", text);
	if (n >= 0 && (size_t)n < most - all->len) {
		all->len += (size_t)n;
	} else {
		all->text[all->len] = '\0';
		all->left++;
	}
}

void etc_propose_all(struct etc_checking *c, const char *where, const struct etc_proposals *all)
{
	char more[32] = "";

	if (all->left)
		snprintf(more, sizeof more, " and %u more", all->left);
	if (all->len)
		etc_check_note(c, "%s%s%s", where, all->text, more);
}

/* Returns the common word that is probably meant; {NULL, 0}: no word is similar. */
static struct etc_str meant(struct etc_str word)
{
	struct etc_str names[WORDS];
	char lower[SHOWN];
	size_t n = word.len < SHOWN ? word.len : SHOWN;

	for (size_t i = 0; i < WORDS; i++) {
		names[i] = etc_str_of(words[i]);
		if (etc_column_alike(names[i], word))
			return names[i];
	}
	for (size_t i = 0; i < n; i++)
		lower[i] = etc_lower(word.ptr[i]);
	return etc_nearest((struct etc_str){ lower, n }, names, WORDS);
}

static void propose_category(struct etc_proposals *all, struct etc_str word, const char *shown)
{
	struct etc_str other;

	for (size_t i = 0; i < WORDS; i++)
		if (etc_str_eq(word, etc_str_of(words[i])))
			return;
	other = meant(word);
	if (other.len)
		etc_propose(all, "docs/columns.md has category '" ETC_STR_FMT "' for '%s'",
		            ETC_STR_ARG(other), shown);
	else
		etc_propose(all, "docs/columns.md has no category '%s'", shown);
}

static bool has_control(struct etc_str s)
{
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.ptr[i] < 0x20 || s.ptr[i] == 0x7f)
			return true;
	return false;
}

void etc_propose_for(struct etc_proposals *all, uint32_t field, struct etcore_text value)
{
	struct etc_str s = { value.ptr, value.ptr ? (size_t)value.len : 0 };
	struct etc_text shown = { 0 };

	etc_text_json(&shown, etc_str_sub(s, 0, s.len < SHOWN ? s.len : SHOWN));
	etc_text_char(&shown, '\0');
	if (s.len && !shown.failed && etc_utf8_fault(s) == SIZE_MAX) {
		if (field == ETCORE_CLASS_CATEGORY)
			propose_category(all, s, shown.ptr);
		if (field == ETCORE_NAME_DISPLAY && has_control(s))
			etc_propose(all, "a control character in the name '%s'", shown.ptr);
	}
	etc_text_release(&shown);
}
