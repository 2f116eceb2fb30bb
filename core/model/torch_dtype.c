/* torch_dtype.c -- see torch_dtype.h */
#include "model/torch_dtype.h"

#define S(text)                        \
	{                              \
		text, sizeof(text) - 1 \
	}

/* clang-format off */
static const struct etc_torch_dtype types[] = {
	{ S("float32"),          S("Float"),          4,  6, true, false, false },
	{ S("float64"),          S("Double"),         8,  7, true, false, false },
	{ S("float16"),          S("Half"),           2,  5, true, false, false },
	{ S("bfloat16"),         S("BFloat16"),       2, 15, true, false, false },
	{ S("uint8"),            S("Byte"),           1,  0, false, false, false },
	{ S("int8"),             S("Char"),           1,  1, false, false, false },
	{ S("int16"),            S("Short"),          2,  2, false, false, false },
	{ S("int32"),            S("Int"),            4,  3, false, false, false },
	{ S("int64"),            S("Long"),           8,  4, false, false, false },
	{ S("bool"),             S("Bool"),           1, 11, false, false, false },
	{ S("complex64"),        S("ComplexFloat"),   8, -1, false, true, false },
	{ S("complex128"),       S("ComplexDouble"), 16, -1, false, true, false },
	{ S("complex32"),        S(""),               4, -1, false, true, false },
	{ S("quint8"),           S("QUInt8"),         1, 13, false, false, true },
	{ S("qint8"),            S("QInt8"),          1, 12, false, false, true },
	{ S("qint32"),           S("QInt32"),         4, 14, false, false, true },
	{ S("quint4x2"),         S("QUInt4x2"),       1, 16, false, false, true },
	{ S("quint2x4"),         S("QUInt2x4"),       1, 17, false, false, true },
	{ S("uint16"),           S(""),               2, 27, false, false, false },
	{ S("uint32"),           S(""),               4, 28, false, false, false },
	{ S("uint64"),           S(""),               8, 29, false, false, false },
	{ S("float8_e4m3fn"),    S(""),               1, 24, true, false, false },
	{ S("float8_e5m2"),      S(""),               1, 23, true, false, false },
	{ S("float8_e4m3fnuz"),  S(""),               1, 26, true, false, false },
	{ S("float8_e5m2fnuz"),  S(""),               1, 25, true, false, false },
	{ S("float8_e8m0fnu"),   S(""),               1, -1, true, false, false },
	{ S("float4_e2m1fn_x2"), S(""),               1, -1, true, false, false },
	{ S("bits16"),           S(""),               2, 22, false, false, false },
	{ S("bits8"),            S(""),               1, -1, false, false, false },
	{ S("bits4x2"),          S(""),               1, -1, false, false, false },
	{ S("bits2x4"),          S(""),               1, -1, false, false, false },
	{ S("bits1x8"),          S(""),               1, -1, false, false, false },
	{ S("int1"),             S(""),               1, -1, false, false, false },
	{ S("int2"),             S(""),               1, -1, false, false, false },
	{ S("int3"),             S(""),               1, -1, false, false, false },
	{ S("int4"),             S(""),               1, -1, false, false, false },
	{ S("int5"),             S(""),               1, -1, false, false, false },
	{ S("int6"),             S(""),               1, -1, false, false, false },
	{ S("int7"),             S(""),               1, -1, false, false, false },
	{ S("uint1"),            S(""),               1, -1, false, false, false },
	{ S("uint2"),            S(""),               1, -1, false, false, false },
	{ S("uint3"),            S(""),               1, -1, false, false, false },
	{ S("uint4"),            S(""),               1, -1, false, false, false },
	{ S("uint5"),            S(""),               1, -1, false, false, false },
	{ S("uint6"),            S(""),               1, -1, false, false, false },
	{ S("uint7"),            S(""),               1, -1, false, false, false },
};
/* clang-format on */

const struct etc_torch_dtype *etc_torch_dtype(struct etc_str name)
{
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (etc_str_eq(types[i].name, name))
			return &types[i];
	return NULL;
}

const struct etc_torch_dtype *etc_torch_dtype_of_storage(struct etc_str name)
{
	for (size_t i = 0; i < sizeof types / sizeof types[0] && name.len; i++)
		if (etc_str_eq(types[i].storage, name))
			return &types[i];
	return NULL;
}

const struct etc_torch_dtype *etc_torch_dtype_of_scalar(int8_t scalar_type)
{
	for (size_t i = 0; i < sizeof types / sizeof types[0] && scalar_type >= 0; i++)
		if (types[i].scalar_type == scalar_type)
			return &types[i];
	return NULL;
}
