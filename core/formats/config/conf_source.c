/* conf_source.c -- parses the source of a rule's value.
 *
 * SOURCE = ONE ["|" SOURCE] the first alternative that has a value
 *   ONE    = /POINTER | (name | metadata) [/POINTER] | NUMBER@OFFSET,
 *            then [~ "REGEX" [: GROUP]]
 *   NUMBER = u8, i8, u16le ... f64be: a number at byte OFFSET of the metadata
 *   GROUP  = 0 to 9, or a quoted text with \0 to \9 for captured groups
 *
 * A quote ends at the first '"' that is followed by ':', '|' or the end, so that an expression
 * may contain quotes. */
#include "base/nearest.h"
#include "base/number.h"
#include "base/pattern.h"
#include "formats/config/conf_internal.h"

enum { WORDS_MAX = 24, OFFSET_MOST = (1 << 30) - 1 /* largest byte offset in the metadata */ };

const struct etc_word *etc_word_find(const struct etc_word *table, size_t count,
                                     struct etc_str name)
{
	for (size_t i = 0; i < count; i++)
		if (etc_str_eq(etc_str_of(table[i].name), name))
			return &table[i];
	return NULL;
}

/* Fails with `code`, because `name` is not in `table`. The message suggests the most similar word,
 * or lists all words if none is similar. */
enum etc_status etc_word_unknown(enum etc_code code, const char *what, struct etc_str name,
                                 const struct etc_word *table, size_t count, struct etc_error *err)
{
	struct etc_str names[WORDS_MAX], near;
	char all[160] = "";

	for (size_t i = 0, at = 0; i < count && i < WORDS_MAX; i++) {
		size_t n = strlen(table[i].name);

		names[i] = etc_str_of(table[i].name);
		if (at + n + 3 > sizeof all)
			continue;
		if (i) {
			memcpy(all + at, ", ", 2);
			at += 2;
		}
		memcpy(all + at, table[i].name, n + 1);
		at += n;
	}
	near = etc_nearest(name, names, count);
	if (etc_str_eq(near, name) && name.len)
		return etc_fail(err, code,
		                "%s '" ETC_STR_FMT "' a second time or in the wrong place", what,
		                ETC_STR_ARG(name));
	if (near.len)
		return etc_fail(err, code, "%s '" ETC_STR_FMT "'; did you mean '" ETC_STR_FMT "'?",
		                what, ETC_STR_ARG(name), ETC_STR_ARG(near));
	return etc_fail(err, code, "%s '" ETC_STR_FMT "'; expected %s", what, ETC_STR_ARG(name),
	                all);
}

int etc_conf_choice(const char *choices, struct etc_str s)
{
	int i = 0;

	for (const char *c = choices; c; i++) {
		size_t n = strcspn(c, "|");

		if (etc_str_eq((struct etc_str){ c, n }, s))
			return i;
		c = c[n] ? c + n + 1 : NULL;
	}
	return -1;
}

/* ---- sources ---------------------------------------------------------------- */

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Returns `s` without its first `n` bytes and without blanks at both ends. */
struct etc_str etc_conf_after(struct etc_str s, size_t n)
{
	return etc_str_trim(etc_str_sub(s, n, s.len));
}

/* Returns the first word of `s`, which ends before a blank, '~', ':', '/' or '|', or at the end of
 * `s`. */
struct etc_str etc_conf_first_word(struct etc_str s)
{
	size_t n = 0;

	while (n < s.len && !blank(s.ptr[n]) && !strchr("~:/|", s.ptr[n]))
		n++;
	return etc_str_sub(s, 0, n);
}

/* Parses the JSON pointer at the start of `*s` and removes it from `*s`. The pointer ends before a
 * blank that precedes '~', ':' or '|', or at the end. */
static enum etc_status take_pointer(struct etc_str *s, struct etc_rule_source *out,
                                    struct etc_error *err)
{
	size_t n = 0;

	if (s->len == 0 || s->ptr[0] != '/')
		return ETC_OK;
	while (n < s->len && !(blank(s->ptr[n]) && n + 1 < s->len && strchr("~:|", s->ptr[n + 1])))
		n++;
	out->pointer = etc_str_trim(etc_str_sub(*s, 0, n));
	out->has_pointer = true;
	for (size_t i = 0; i < out->pointer.len; i++)
		if (out->pointer.ptr[i] == '~' &&
		    (i + 1 == out->pointer.len || !strchr("01", out->pointer.ptr[i + 1])))
			return etc_fail(err, E0525,
			                "pointer '" ETC_STR_FMT
			                "': after '~' comes 0 (for '~') or 1 (for '/')",
			                ETC_STR_ARG(out->pointer));
	*s = etc_conf_after(*s, n);
	return ETC_OK;
}

/* Returns the length of the quoted text at the start of `s`, quotes included; SIZE_MAX if it has no
 * closing quote. */
static size_t quoted(struct etc_str s)
{
	for (size_t i = 1; i < s.len; i++) {
		struct etc_str rest = etc_conf_after(s, i + 1);

		if (s.ptr[i] == '"' && (rest.len == 0 || rest.ptr[0] == ':' || rest.ptr[0] == '|'))
			return i;
	}
	return SIZE_MAX;
}

/* Counts the capturing groups of the regular expression `text`; E0526 if it is invalid. */
enum etc_status etc_conf_groups(struct etc_str text, uint32_t *groups, struct etc_error *err)
{
	struct etc_pattern *p;
	struct etc_error why = { 0 };
	enum etc_status st = etc_pattern_make_finding(text, &p, &why);

	if (st == ETC_NOMEM)
		return etc_no_memory(err);
	if (st != ETC_OK)
		return etc_fail(err, E0526, "%s", why.text);
	*groups = etc_pattern_groups(p);
	etc_pattern_release(p);
	return ETC_OK;
}

static enum etc_status check_group(uint32_t group, uint32_t groups, struct etc_error *err)
{
	if (group <= groups)
		return ETC_OK;
	return etc_fail(err, E0526, "group %u of an expression that has %u", (unsigned)group,
	                (unsigned)groups);
}

/* Parses ": 2" or ": \"conv of \\1\"" after an expression and removes it from `*s`. If something
 * else follows the expression, `*s` is unchanged. */
static enum etc_status take_group(struct etc_str *s, uint32_t groups, struct etc_rule_source *out,
                                  struct etc_error *err)
{
	struct etc_str field = s->len ? etc_conf_after(*s, 1) : *s;
	size_t end;

	out->group = groups > 0;
	if (s->len == 0 || s->ptr[0] != ':')
		return ETC_OK;
	if (field.len && field.ptr[0] >= '0' && field.ptr[0] <= '9' &&
	    (field.len == 1 || blank(field.ptr[1]) || field.ptr[1] == ':')) {
		out->group = (uint32_t)(field.ptr[0] - '0');
		*s = etc_conf_after(field, 1);
		return check_group(out->group, groups, err);
	}
	if (field.len == 0 || field.ptr[0] != '"')
		return ETC_OK;
	end = quoted(field);
	if (end == SIZE_MAX)
		return etc_fail(err, E0525, "a text without its closing quote");
	out->made = etc_str_sub(field, 1, end);
	if (out->made.len == 0)
		return etc_fail(err, E0525, "an empty text");
	for (size_t i = 0; i + 1 < out->made.len; i++)
		if (out->made.ptr[i] == '\\' && out->made.ptr[i + 1] >= '0' &&
		    out->made.ptr[i + 1] <= '9')
			ETC_TRY(check_group((uint32_t)(out->made.ptr[i + 1] - '0'), groups, err));
	*s = etc_conf_after(field, end + 1);
	return ETC_OK;
}

static enum etc_status take_pattern(struct etc_str *s, struct etc_rule_source *out,
                                    struct etc_error *err)
{
	uint32_t groups;
	size_t end;

	if (s->len == 0 || s->ptr[0] != '~')
		return ETC_OK;
	*s = etc_conf_after(*s, 1);
	end = s->len && s->ptr[0] == '"' ? quoted(*s) : SIZE_MAX;
	if (end == SIZE_MAX)
		return etc_fail(err, E0526, "after '~' comes an expression in \"quotes\"");
	out->pattern = etc_str_sub(*s, 1, end);
	if (out->pattern.len == 0)
		return etc_fail(err, E0526, "an empty expression");
	*s = etc_conf_after(*s, end + 1);
	ETC_TRY(etc_conf_groups(out->pattern, &groups, err));
	return take_group(s, groups, out, err);
}

/* Parses a number at an offset of the metadata, such as "u64le@8". */
static enum etc_status take_packed(struct etc_str word, size_t at, struct etc_rule_source *out,
                                   struct etc_error *err)
{
	int form = etc_conf_choice(ETC_DECODER_WORDS, etc_str_sub(word, 0, at));
	uint64_t offset;

	if (form < ETC_DECODE_U8)
		return etc_fail(err, E0525,
		                "the form '" ETC_STR_FMT
		                "' before '@'; expected a number's form: u8, i8, "
		                "u16le ... i64le, f32le, f64le, or be in place of le",
		                ETC_STR_ARG(etc_str_sub(word, 0, at)));
	if (!etc_number_parse_u64(etc_str_sub(word, at + 1, word.len), &offset) ||
	    offset > OFFSET_MOST)
		return etc_fail(err, E0525,
		                "the offset '" ETC_STR_FMT
		                "' behind '@'; expected an offset from 0 to %d",
		                ETC_STR_ARG(etc_str_sub(word, at + 1, word.len)), OFFSET_MOST);
	out->form = (uint8_t)form;
	out->offset = (uint32_t)offset;
	return ETC_OK;
}

/* Parses one alternative of a source and removes it from `*s`. The rest, `*s`, is empty or begins
 * with ':' or '|'. */
static enum etc_status one_source(struct etc_str *s, struct etc_rule_source *out,
                                  struct etc_error *err)
{
	static const struct etc_word from[] = { { "metadata", 0 }, { "name", 1 } };
	struct etc_str word = etc_conf_first_word(*s);
	const struct etc_word *known = etc_word_find(from, 2, word);

	size_t at = etc_str_find(word, ETC_STR("@"), 0);

	*out = (struct etc_rule_source){ .of_name = known && known->value };
	if (at != SIZE_MAX)
		ETC_TRY(take_packed(word, at, out, err));
	else if (!known && (word.len || s->len == 0 || s->ptr[0] != '/'))
		return etc_word_unknown(
			E0525,
			"a value begins with /POINTER, name, metadata or NUMBER@OFFSET, not with",
			word.len ? word : *s, from, 2, err);
	*s = etc_conf_after(*s, word.len);
	if (!out->form)
		ETC_TRY(take_pointer(s, out, err));
	ETC_TRY(take_pattern(s, out, err));
	if (s->len && s->ptr[0] != ':' && s->ptr[0] != '|')
		return etc_fail(err, E0525, "unexpected '" ETC_STR_FMT "' behind a source",
		                ETC_STR_ARG(*s));
	return ETC_OK;
}

enum etc_status etc_conf_source(struct etc_str *s, struct etc_arena *arena,
                                struct etc_rule_source *out, struct etc_error *err)
{
	struct etc_rule_source *next;

	ETC_TRY(one_source(s, out, err));
	while (s->len && s->ptr[0] == '|') {
		next = etc_new(arena, struct etc_rule_source, 1);
		ETC_NEED(next, err);
		*s = etc_conf_after(*s, 1);
		ETC_TRY(one_source(s, next, err));
		out->next = next;
		out = next;
	}
	return ETC_OK;
}
