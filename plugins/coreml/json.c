/* json.c -- reads values of a checked JSON text; see json.h. check.c has validated the text, so
 * only the ends of values have to be found. */
#include "json.h"

#include "check.h"
#include "recode.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static void skip_string(struct pyjson_scan *s)
{
	for (s->p++; *s->p != '"'; s->p++)
		if (*s->p == '\\')
			s->p++;
	s->p++;
}

static enum pyjson_kind kind_of(char first)
{
	switch (first) {
	case '{':
		return PYJSON_OBJECT;
	case '[':
		return PYJSON_ARRAY;
	case '"':
		return PYJSON_STRING;
	case 'n':
		return PYJSON_NULL;
	case 't':
		return PYJSON_TRUE;
	case 'f':
		return PYJSON_FALSE;
	default:
		return PYJSON_NUMBER;
	}
}

/* Returns the value at s->p, and moves `s` past it. The text was checked before. */
static struct pyjson_value value_at(struct pyjson_scan *s)
{
	const char *from = s->p;
	struct pyjson_value v = { kind_of(*from), { from, 0 } };

	if (v.kind == PYJSON_STRING) {
		skip_string(s);
	} else if (v.kind == PYJSON_ARRAY || v.kind == PYJSON_OBJECT) {
		size_t open = 0;

		do {
			if (*s->p == '"') {
				skip_string(s);
				continue;
			}
			if (*s->p == '[' || *s->p == '{')
				open++;
			else if (*s->p == ']' || *s->p == '}')
				open--;
			s->p++;
		} while (open > 0);
	} else {
		while (s->p < s->end && !strchr(" \t\n\r,]}", *s->p))
			s->p++;
	}
	v.text.len = (uint64_t)(s->p - from);
	return v;
}

enum pyjson_status pyjson_load(struct pyjson *doc, struct etcore_bytes bytes)
{
	struct etcore_text text;
	enum pyjson_status st;
	struct pyjson_scan s;

	st = recode_to_utf8(bytes, &text, &doc->owned);
	if (st != PYJSON_OK)
		return st;
	s = (struct pyjson_scan){ text.ptr, text.ptr + text.len };
	st = pyjson_check(&s);
	if (st != PYJSON_OK) {
		pyjson_release(doc);
		return st;
	}
	s.p = text.ptr;
	pyjson_skip_space(&s);
	doc->root = value_at(&s);
	return PYJSON_OK;
}

void pyjson_release(struct pyjson *doc)
{
	free(doc->owned);
	doc->owned = NULL;
}

/* Moves `s` to the next entry of an array or object. `*at` is the position after the previous
 * entry; 0 before the first one. False: there is no further entry. */
static bool enter(struct pyjson_value parent, uint64_t *at, struct pyjson_scan *s)
{
	s->p = parent.text.ptr + (*at ? *at : 1);
	s->end = parent.text.ptr + parent.text.len;
	pyjson_skip_space(s);
	if (*s->p == ',')
		s->p++;
	pyjson_skip_space(s);
	return s->p + 1 < s->end;
}

bool pyjson_element(struct pyjson_value array, uint64_t *at, struct pyjson_value *value)
{
	struct pyjson_scan s;

	if (!enter(array, at, &s))
		return false;
	*value = value_at(&s);
	*at = (uint64_t)(s.p - array.text.ptr);
	return true;
}

bool pyjson_member(struct pyjson_value object, uint64_t *at, struct pyjson_value *key,
                   struct pyjson_value *value)
{
	struct pyjson_scan s;

	if (!enter(object, at, &s))
		return false;
	*key = value_at(&s);
	pyjson_skip_space(&s);
	s.p++; /* skip the colon */
	pyjson_skip_space(&s);
	*value = value_at(&s);
	*at = (uint64_t)(s.p - object.text.ptr);
	return true;
}

etcore_result pyjson_get(struct pyjson_value object, const char *key, struct pyjson_value *value)
{
	struct pyjson_value k, v;
	uint64_t at = 0;
	etcore_result found = ETCORE_DECLINE;

	while (pyjson_member(object, &at, &k, &v)) {
		struct etcore_text name;
		char *owned;
		etcore_result r = pyjson_string(k, &name, &owned);

		if (r != ETCORE_OK)
			return r;
		if (name.len == strlen(key) && memcmp(name.ptr, key, (size_t)name.len) == 0) {
			*value = v;
			found = ETCORE_OK;
		}
		free(owned);
	}
	return found;
}

static char unescaped(char c)
{
	static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
	const char *at = strchr(from, c);

	return at ? to[at - from] : c;
}

etcore_result pyjson_string(struct pyjson_value string, struct etcore_text *out, char **owned)
{
	const char *p = string.text.ptr + 1, *end = string.text.ptr + string.text.len - 1;
	size_t len = (size_t)(end - p);
	char *to;

	*owned = NULL;
	*out = (struct etcore_text){ p, len };
	if (!memchr(p, '\\', len))
		return ETCORE_OK;
	*owned = malloc(len); /* unescaped text is never longer than the escaped one: \uXXXX becomes
	                       * at most three bytes */
	if (!*owned)
		return ETCORE_NOMEM;
	to = *owned;
	while (p < end) {
		int32_t c, low;

		if (*p != '\\') {
			*to++ = *p++;
			continue;
		}
		if (p[1] != 'u') {
			*to++ = unescaped(p[1]);
			p += 2;
			continue;
		}
		c = pyjson_hex4(p + 2, end);
		p += 6;
		if (c >= 0xd800 && c < 0xdc00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
			low = pyjson_hex4(p + 2, end);
			if (low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
				p += 6;
			}
		}
		to += recode_put((uint32_t)c, to);
	}
	*out = (struct etcore_text){ *owned, (uint64_t)(to - *owned) };
	return ETCORE_OK;
}

static bool is_integer(struct etcore_text token)
{
	for (uint64_t i = 0; i < token.len; i++)
		if (token.ptr[i] != '-' && (token.ptr[i] < '0' || token.ptr[i] > '9'))
			return false;
	return true;
}

/* Copies the text of a number, for strtod(), with room for replacing its '.' by a decimal point of
 * several bytes. */
static char *copy_number(struct etcore_text token)
{
	char *text = calloc(1, (size_t)token.len + 16);

	if (text)
		memcpy(text, token.ptr, (size_t)token.len);
	return text;
}

etcore_result pyjson_f64(struct pyjson_value number, double *out)
{
	const char *point = localeconv()->decimal_point; /* the host may have set a locale */
	char *text = copy_number(number.text), *dot;
	size_t len = strlen(point);

	if (!text)
		return ETCORE_NOMEM;
	dot = strchr(text, '.');
	if (dot && len < 16) {
		memmove(dot + len, dot + 1, strlen(dot + 1) + 1);
		memcpy(dot, point, len);
	}
	*out = strtod(text, NULL);
	free(text);
	return ETCORE_OK;
}

static etcore_result put_integer(struct etcore_text token, struct etcore_text name,
                                 const struct etcore_sink *out)
{
	char *text = copy_number(token);
	long long value;

	if (!text)
		return ETCORE_NOMEM;
	errno = 0;
	value = strtoll(text, NULL, 10);
	free(text);
	return errno == 0 ? out->i64(out->handle, name, value)
	                  : out->json(out->handle, name, token);
}

static etcore_result put_number(struct pyjson_value number, struct etcore_text name,
                                const struct etcore_sink *out)
{
	double value;
	etcore_result r;

	if (is_integer(number.text))
		return put_integer(number.text, name, out);
	r = pyjson_f64(number, &value);
	return r == ETCORE_OK ? out->f64(out->handle, name, value) : r;
}

etcore_result pyjson_put(struct pyjson_value value, struct etcore_text name,
                         const struct etcore_sink *out)
{
	struct etcore_text text;
	etcore_result r;
	char *owned;

	switch (value.kind) {
	case PYJSON_NULL:
		return out->null(out->handle, name);
	case PYJSON_FALSE:
	case PYJSON_TRUE:
		return out->boolean(out->handle, name, value.kind == PYJSON_TRUE);
	case PYJSON_NUMBER:
		return put_number(value, name, out);
	case PYJSON_STRING:
		r = pyjson_string(value, &text, &owned);
		if (r == ETCORE_OK)
			r = out->str(out->handle, name, text);
		free(owned);
		return r;
	default:
		return out->json(out->handle, name, value.text);
	}
}
