/* scalar_type.c -- see scalar_type.h */
#include "model/scalar_type.h"

/* clang-format off */
static const struct etc_scalar_type types[] = {
	{  0, 1, "BYTE",           "uint8",   1,  8, ETC_SCALAR_UNSIGNED },
	{  1, 1, "CHAR",           "int8",    1,  8, ETC_SCALAR_SIGNED },
	{  2, 2, "SHORT",          "int16",   1, 16, ETC_SCALAR_SIGNED },
	{  3, 4, "INT",            "int32",   1, 32, ETC_SCALAR_SIGNED },
	{  4, 8, "LONG",           "int64",   1, 64, ETC_SCALAR_SIGNED },
	{  5, 2, "HALF",           "float16", 1, 16, ETC_SCALAR_HALF },
	{  6, 4, "FLOAT",          "float32", 1, 32, ETC_SCALAR_FLOAT },
	{  7, 8, "DOUBLE",         "float64", 1, 64, ETC_SCALAR_FLOAT },
	{ 11, 1, "BOOL",           "bool",    1,  8, ETC_SCALAR_BOOL },
	{ 12, 1, "QINT8",          NULL,      0,  8, ETC_SCALAR_SIGNED },
	{ 13, 1, "QUINT8",         NULL,      0,  8, ETC_SCALAR_UNSIGNED },
	{ 14, 4, "QINT32",         NULL,      0, 32, ETC_SCALAR_SIGNED },
	{ 15, 2, "BFLOAT16",       NULL,      0, 16, ETC_SCALAR_BFLOAT16 },
	{ 16, 0, "QUINT4X2",       NULL,      0,  4, ETC_SCALAR_UNSIGNED },
	{ 17, 0, "QUINT2X4",       NULL,      0,  2, ETC_SCALAR_UNSIGNED },
	{ 22, 2, "BITS16",         "uint16",  1, 16, ETC_SCALAR_UNSIGNED },
	{ 23, 1, "FLOAT8E5M2",     NULL,      0,  8, ETC_SCALAR_E5M2 },
	{ 24, 1, "FLOAT8E4M3FN",   NULL,      0,  8, ETC_SCALAR_E4M3FN },
	{ 25, 1, "FLOAT8E5M2FNUZ", NULL,      0,  8, ETC_SCALAR_E5M2FNUZ },
	{ 26, 1, "FLOAT8E4M3FNUZ", NULL,      0,  8, ETC_SCALAR_E4M3FNUZ },
	{ 27, 2, "UINT16",         "uint16",  1, 16, ETC_SCALAR_UNSIGNED },
	{ 28, 4, "UINT32",         "uint32",  0, 32, ETC_SCALAR_UNSIGNED },
	{ 29, 8, "UINT64",         "uint64",  0, 64, ETC_SCALAR_UNSIGNED },
};
/* clang-format on */

const struct etc_scalar_type *etc_scalar_type(int8_t code)
{
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (types[i].code == code)
			return &types[i];
	return NULL;
}
