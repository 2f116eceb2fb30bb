/* types.c -- parses XNNPACK's type tokens; see types.h */
#include "types.h"

#include <string.h>

struct prefix {
	const char *text;
	enum number_kind kind;
	bool packed, block;
};

/* The first prefix that matches is used. So "QDU" must come before "QD", for example. */
static const struct prefix prefixes[] = {
	{ "PBF", NUMBER_BFLOAT, true, false }, { "PF", NUMBER_FLOAT, true, false },
	{ "PQS", NUMBER_INT, true, false },    { "PQU", NUMBER_UINT, true, false },
	{ "QDU", NUMBER_UINT, false, false },  { "QD", NUMBER_INT, false, false },
	{ "QP", NUMBER_INT, true, false },     { "QS", NUMBER_INT, false, false },
	{ "QU", NUMBER_UINT, false, false },   { "QC", NUMBER_INT, false, false },
	{ "QB", NUMBER_INT, false, true },     { "BF", NUMBER_BFLOAT, false, false },
	{ "F", NUMBER_FLOAT, false, false },   { "X", NUMBER_RAW, false, false },
	{ "S", NUMBER_INT, false, false },     { "U", NUMBER_UINT, false, false },
};

static const struct prefix *find_prefix(struct etcore_text token, uint64_t *len)
{
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
		if (token.len == 0 || *token.ptr != *prefixes[i].text)
			continue; /* the first letters are compared first, because they differ for
			           * most prefixes */
		*len = strlen(prefixes[i].text);
		if (token.len > *len && memcmp(token.ptr, prefixes[i].text, (size_t)*len) == 0)
			return &prefixes[i];
	}
	return NULL;
}

bool operand_type_parse(struct etcore_text token, struct operand_type *type)
{
	const struct prefix *prefix;
	const char *pair;
	uint64_t at, digits = 0;

	pair = token.len ? memchr(token.ptr, '_', (size_t)token.len) : NULL;
	if (pair)
		token.len = (uint64_t)(pair - token.ptr);
	prefix = find_prefix(token, &at);
	if (!prefix)
		return false;
	*type = (struct operand_type){ .kind = prefix->kind,
		                       .packed = prefix->packed,
		                       .block = prefix->block };
	for (; at < token.len && token.ptr[at] >= '0' && token.ptr[at] <= '9'; at++) {
		type->bits = type->bits * 10 + (unsigned)(token.ptr[at] - '0');
		if (++digits > 3)
			return false;
	}
	if (at < token.len && token.ptr[at] == 'W') {
		type->weights = true;
		at++;
	}
	return at == token.len && type->bits > 0;
}

/* Takes the next token from a list such as "A, B, C", and parses it. Returns false at the end, or
 * if the token is not a type. */
static bool next_type(struct etcore_text *rest, struct operand_type *type)
{
	struct etcore_text token = *rest;
	const char *comma;

	if (rest->len == 0)
		return false;
	comma = memchr(rest->ptr, ',', (size_t)rest->len);
	token.len = comma ? (uint64_t)(comma - rest->ptr) : rest->len;
	if (comma && rest->len >= token.len + 2)
		*rest = (struct etcore_text){ comma + 2, rest->len - token.len - 2 };
	else
		rest->len = 0;
	return operand_type_parse(token, type);
}

struct arithmetic operand_types_arithmetic(struct etcore_text types)
{
	struct operand_type first, type;
	struct arithmetic a = { .bits = 0 };

	if (!next_type(&types, &first) || first.kind == NUMBER_RAW)
		return a;
	a.kind = first.kind;
	a.bits = first.bits;
	a.block = first.block;
	while (next_type(&types, &type)) {
		if (!type.weights)
			continue;
		if (first.kind == NUMBER_FLOAT || first.kind == NUMBER_BFLOAT) {
			a.weight_bits = type.bits;
		} else {
			/* if the activations are quantised, the arithmetic is that of the weights'
			 * type */
			a.kind = type.kind;
			a.bits = type.bits;
		}
		a.block = type.block;
	}
	return a;
}
