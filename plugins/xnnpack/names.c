/* names.c -- parses XNNPACK's names of operators; see names.h.
 *
 * A name is parsed from its end: first the ordinal after the last " #", then the kernel after the
 * last ')', then the operator before the first " (". */
#include "names.h"

#include "types.h"

#include <string.h>

#define MAX_ORDINAL_DIGITS 18 /* fits an int64_t */

static struct etcore_text slice(struct etcore_text text, uint64_t from, uint64_t to)
{
	return (struct etcore_text){ text.ptr + from, to - from };
}

static bool equals(struct etcore_text text, const char *word)
{
	return text.len == strlen(word) && memcmp(text.ptr, word, (size_t)text.len) == 0;
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Does the text have the form of an operator's or a kernel's name, such as "Scaled Dot-Product
 * Attention" or "Conv2D HWC2CHW"? */
static bool are_words(struct etcore_text text)
{
	if (text.len == 0 || !is_upper(text.ptr[0]) || text.ptr[text.len - 1] == ' ')
		return false;
	for (uint64_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (!is_upper(c) && !is_digit(c) && !(c >= 'a' && c <= 'z') && c != ' ' && c != '-')
			return false;
	}
	return true;
}

/* Parses " #n" at the end of *text, and removes it from *text. Returns false if the text does not
 * end that way, or if nothing precedes " #n". */
bool xnnpack_name_take_ordinal(struct etcore_text *text, int64_t *ordinal)
{
	uint64_t at = text->len;
	int64_t n = 0;

	while (at > 0 && is_digit(text->ptr[at - 1]))
		at--;
	if (at == text->len || text->len - at > MAX_ORDINAL_DIGITS || at < 2 ||
	    text->ptr[at - 1] != '#' || text->ptr[at - 2] != ' ')
		return false;
	for (uint64_t i = at; i < text->len; i++)
		n = n * 10 + (text->ptr[i] - '0');
	*ordinal = n;
	*text = slice(*text, 0, at - 2);
	return n > 0 && text->len > 0;
}

/* Parses the kernel's name, which follows the last ')' and a blank, and removes both from *text.
 * *kernel is empty if nothing follows the ')'. Returns false for any other form. */
static bool take_kernel(struct etcore_text *text, struct etcore_text *kernel)
{
	uint64_t at = text->len;

	while (at > 0 && text->ptr[at - 1] != ')')
		at--;
	if (at == 0)
		return false;
	*kernel = slice(*text, at, at);
	if (at < text->len) {
		if (text->ptr[at] != ' ')
			return false;
		*kernel = slice(*text, at + 1, text->len);
		if (!are_words(*kernel))
			return false;
	}
	*text = slice(*text, 0, at);
	return true;
}

/* Parses the text between the brackets, such as "NHWC, QD8, F32": tokens of capital letters, digits
 * and '_'. The first token is the layout, unless it is a type, as in "Pack LH (X8)". */
static bool take_operands(struct etcore_text inside, struct xnnpack_name *name)
{
	uint64_t from = 0;
	bool first = true;

	for (uint64_t i = 0; i <= inside.len; i++) {
		if (i < inside.len && inside.ptr[i] != ',') {
			char c = inside.ptr[i];

			if (!is_upper(c) && !is_digit(c) && c != '_')
				return false;
			continue;
		}
		if (i == from)
			return false;
		if (first) {
			struct etcore_text token = slice(inside, 0, i);
			struct operand_type type;

			if (operand_type_parse(token, &type)) {
				name->types = inside;
			} else {
				name->layout = token;
				if (i < inside.len)
					name->types = slice(inside, i + 2, inside.len);
			}
			first = false;
		}
		if (i < inside.len && (i + 1 == inside.len || inside.ptr[i + 1] != ' '))
			return false;
		from = i + 2;
		i++; /* skip the space after the comma */
	}
	return true;
}

static bool is_nameless(struct etcore_text text)
{
	return equals(text, "Invalid") || equals(text, "Invalid Unary Op") ||
	       equals(text, "Invalid Binary Op");
}

bool xnnpack_name_parse_rest(struct etcore_text text, struct xnnpack_name *name)
{
	const char *bracket;
	uint64_t at;

	memset(name, 0, sizeof *name);
	name->display = text;
	if (is_nameless(text)) {
		name->operator_name = text;
		return true;
	}
	if (!take_kernel(&text, &name->kernel))
		return false;
	bracket = memchr(text.ptr, '(', (size_t)text.len);
	at = bracket ? (uint64_t)(bracket - text.ptr) : 0;
	if (at < 2 || text.ptr[at - 1] != ' ')
		return false;
	name->operator_name = slice(text, 0, at - 1);
	return are_words(name->operator_name) &&
	       take_operands(slice(text, at + 1, text.len - 1), name);
}

bool xnnpack_name_parse(struct etcore_text text, struct xnnpack_name *name)
{
	int64_t ordinal;

	if (!xnnpack_name_take_ordinal(&text, &ordinal) || !xnnpack_name_parse_rest(text, name))
		return false;
	name->ordinal = ordinal;
	return true;
}

bool xnnpack_name_is_typical(const struct xnnpack_name *name)
{
	if (name->layout.len == 0)
		return name->types.len > 0 ? name->types.ptr[0] == 'X' : true;
	for (uint64_t i = 0; i < name->layout.len; i++)
		if (!memchr("NCDHTW2", name->layout.ptr[i], 7))
			return false;
	return name->layout.ptr[0] == 'N';
}
