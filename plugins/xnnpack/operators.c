/* operators.c -- categories and precisions of XNNPACK's operators; see operators.h.
 *
 * The table has every operator of the XNNPACK versions that ExecuTorch 0.5 to 1.5 use, and some
 * that were added later. An operator that is not in the table is classified by its micro-kernel
 * type; without a known type, it has no category. */
#include "operators.h"

#include "types.h"

#include <stdio.h>
#include <string.h>

struct row {
	const char *word;
	const char *category;
};

static const struct row operators[] = {
	{ "Convolution", "convolution" },
	{ "Deconvolution", "convolution" },

	{ "Fully Connected", "gemm" },
	{ "Dynamic Fully Connected", "gemm" },
	{ "Batch Matrix Multiply", "gemm" },

	{ "Scaled Dot-Product Attention", "attention" },
	{ "RoPE", "attention" },

	{ "ApproxGELU", "activation" },
	{ "Clamp", "activation" },
	{ "ELU", "activation" },
	{ "GELU", "activation" },
	{ "HardSwish", "activation" },
	{ "LeakyReLU", "activation" },
	{ "Leaky ReLU", "activation" },
	{ "PReLU", "activation" },
	{ "Sigmoid", "activation" },
	{ "Softmax", "activation" },
	{ "TanH", "activation" },
	{ "Tanh", "activation" },

	{ "ArgMax Pooling", "pooling" },
	{ "Average Pooling", "pooling" },
	{ "Global Average Pooling", "pooling" },
	{ "Global Sum Pooling", "pooling" },
	{ "Max Pooling", "pooling" },
	{ "Unpooling", "pooling" },

	{ "Mean", "reduction" },
	{ "Mean Squared", "reduction" },
	{ "Normalize", "reduction" }, /* XNNPACK prints this name for a sum of squares */
	{ "Reduce Max", "reduction" },
	{ "Reduce Min", "reduction" },
	{ "Sum", "reduction" },

	{ "Resize Bilinear", "resize" },

	{ "Channel Shuffle", "data movement" },
	{ "Constant Pad", "data movement" },
	{ "Copy", "data movement" },
	{ "Depth To Space", "data movement" },
	{ "Fuse Dims", "data movement" },
	{ "Slice", "data movement" },
	{ "Space To Depth", "data movement" },
	{ "Split Dims", "data movement" },
	{ "Static Expand Dims", "data movement" },
	{ "Static Reshape", "data movement" },
	{ "Transpose", "data movement" },

	{ "Pack LH", "packing" },
	{ "Convert", "convert" },

	{ "Abs", "elementwise" },
	{ "Add", "elementwise" },
	{ "ATan2", "elementwise" },
	{ "Bankders Rounding", "elementwise" }, /* XNNPACK's spelling */
	{ "Bankers Rounding", "elementwise" },
	{ "Binary Elementwise", "elementwise" },
	{ "Bitwise And", "elementwise" },
	{ "Bitwise Not", "elementwise" },
	{ "Bitwise Or", "elementwise" },
	{ "Bitwise Xor", "elementwise" },
	{ "Ceiling", "elementwise" },
	{ "Copy Sign", "elementwise" },
	{ "Cosine", "elementwise" },
	{ "Count Leading Zeros", "elementwise" },
	{ "Cube Root", "elementwise" },
	{ "Divide", "elementwise" },
	{ "Exp", "elementwise" },
	{ "Floor", "elementwise" },
	{ "Log", "elementwise" },
	{ "Maximum", "elementwise" },
	{ "Minimum", "elementwise" },
	{ "Modulus", "elementwise" },
	{ "Multiply", "elementwise" },
	{ "Negate", "elementwise" },
	{ "Population Count", "elementwise" },
	{ "Power", "elementwise" },
	{ "Reciprocal Square Root", "elementwise" },
	{ "Shift Left", "elementwise" },
	{ "Shift Right Arithmetic", "elementwise" },
	{ "Shift Right Logical", "elementwise" },
	{ "Sign", "elementwise" },
	{ "Sine", "elementwise" },
	{ "Square", "elementwise" },
	{ "Square Root", "elementwise" },
	{ "Squared Difference", "elementwise" },
	{ "Subtract", "elementwise" },
	{ "Unary Elementwise", "elementwise" },
};

/* Categories of the micro-kernel types, named as in XNNPACK's microkernel-type-defs.inc. The type
 * "Default" is missing, because XNNPACK never prints it. */
static const struct row kernels[] = {
	{ "Average Pooling", "pooling" }, { "Conv2D HWC2CHW", "convolution" },
	{ "DWConv", "convolution" },      { "GEMM", "gemm" },
	{ "IGEMM", "convolution" },       { "Pixelwise Average Pooling", "pooling" },
	{ "Reduce", "reduction" },        { "Reduce2", "reduction" },
	{ "SPMM", "convolution" },        { "Subconv2D", "convolution" },
	{ "Transpose", "data movement" }, { "VMulCAddC", "convolution" },
};

static bool is(struct etcore_text text, const char *word)
{
	/* the first letters are compared first, because they differ for most words */
	return text.len && *text.ptr == *word && text.len == strlen(word) &&
	       memcmp(text.ptr, word, (size_t)text.len) == 0;
}

static const char *find(const struct row *rows, size_t count, struct etcore_text word)
{
	for (size_t i = 0; i < count; i++)
		if (is(word, rows[i].word))
			return rows[i].category;
	return NULL;
}

/* Returns the word for the precision of numbers of this kind, such as "int8"; NULL: there is none
 * for this number of bits. */
static const char *precision_word(enum number_kind kind, unsigned bits)
{
	static const struct {
		enum number_kind kind;
		unsigned bits;
		const char *word;
	} words[] = {
		{ NUMBER_FLOAT, 32, "fp32" }, { NUMBER_FLOAT, 16, "fp16" },
		{ NUMBER_FLOAT, 8, "fp8" },   { NUMBER_BFLOAT, 16, "bf16" },
		{ NUMBER_INT, 32, "int32" },  { NUMBER_INT, 16, "int16" },
		{ NUMBER_INT, 8, "int8" },    { NUMBER_INT, 4, "int4" },
		{ NUMBER_INT, 2, "int2" },    { NUMBER_UINT, 8, "uint8" },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].kind == kind && words[i].bits == bits)
			return words[i].word;
	return NULL;
}

static void put_variant(const struct xnnpack_name *name, const struct arithmetic *a,
                        struct xnnpack_class *out)
{
	const char *kind = "gemm";
	char weights[24] = "";

	if (strcmp(out->category, "convolution") == 0)
		kind = is(name->operator_name, "Deconvolution") ? "deconv" : "conv";
	if (a->weight_bits > 0)
		snprintf(weights, sizeof weights, ", int%u weights", a->weight_bits);
	snprintf(out->variant, sizeof out->variant, "%s %s%s%s", kind, out->precision,
	         a->block ? " block" : "", weights);
}

void xnnpack_classify(const struct xnnpack_name *name, struct xnnpack_class *out)
{
	struct arithmetic a = operand_types_arithmetic(name->types);

	memset(out, 0, sizeof *out);
	out->is_matrix = is(name->kernel, "GEMM") || is(name->kernel, "IGEMM");
	out->category = find(operators, sizeof operators / sizeof *operators, name->operator_name);
	if (!out->category)
		out->category = find(kernels, sizeof kernels / sizeof *kernels, name->kernel);
	if (!out->category)
		return;
	if (strcmp(out->category, "convert") == 0) {
		/* A conversion has no arithmetic. If the event's name has types, the conversion
		 * quantises or dequantises; otherwise the conversion may also be a cast between
		 * floats. */
		if (a.bits > 0)
			out->category = "quantize";
		return;
	}
	out->precision = precision_word(a.kind, a.bits);
	if (out->precision &&
	    (strcmp(out->category, "gemm") == 0 || strcmp(out->category, "convolution") == 0))
		put_variant(name, &a, out);
}
