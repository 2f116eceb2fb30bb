/* types.h -- parses XNNPACK's type tokens: F32, PQS8, QD8, QB4W …
 *
 *     token := [ "P" ] ( "F" | "BF" | "X" | "S" | "U" | "Q" kind ) bits [ "W" ]
 *
 * "P" and "QP" stand for a packed left-hand side, "X" for bytes of any type, "W" for weights. Of a
 * pair such as "BF16_F32", only the first type is used. */
#ifndef PLUGINS_XNNPACK_TYPES_H
#define PLUGINS_XNNPACK_TYPES_H

#include <etcore/plugin.h>
#include <stdbool.h>

enum number_kind {
	NUMBER_RAW, /* the type X8: only the size of its numbers is known */
	NUMBER_FLOAT,
	NUMBER_BFLOAT,
	NUMBER_INT,
	NUMBER_UINT
};

struct operand_type {
	enum number_kind kind;
	unsigned bits;
	bool packed;  /* a packed type: PF32, PQS8, QP8 */
	bool weights; /* a type of weights: its name ends in W, as QB4W does */
	bool block;   /* each block of weights has its own scale, as in QB4W */
};

/* Parses a token into `type`. Returns false if the token is not a type. */
bool operand_type_parse(struct etcore_text token, struct operand_type *type);

/* The arithmetic of an operator with a list of types such as "QP8, F32, QB4W". */
struct arithmetic {
	enum number_kind kind;
	unsigned bits; /* width of the numbers that it computes with; 0: unknown */
	bool block;
	unsigned weight_bits; /* if only the weights are integers, their number of bits; else 0 */
};

struct arithmetic operand_types_arithmetic(struct etcore_text types);

#endif
