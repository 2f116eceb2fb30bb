/* categories.c -- finds the category of a kernel outside delegates, by the kernel's name.
 *
 * The names are those of ExecuTorch's portable, optimized and quantized libraries
 * (kernels/<library>/functions.yaml) without overload; the categories are those of
 * docs/columns.md. */
#include "join/keys.h"

#include <stdlib.h>

struct row {
	const char *name; /* name of an operator; the rows are sorted by it */
	const char *category;
};

/* clang-format off */
#define ACTIVATION  "activation"
#define ATTENTION   "attention"
#define CONVERT     "convert"
#define CONVOLUTION "convolution"
#define ELEMENTWISE "elementwise"
#define EMBEDDING   "embedding"
#define GEMM        "gemm"
#define MOVEMENT    "data movement"
#define NORM        "normalization"
#define POOLING     "pooling"
#define QUANTIZE    "quantize"
#define REDUCTION   "reduction"
#define RESIZE      "resize"
static const struct row rows[] = {
	{ "_adaptive_avg_pool2d", POOLING }, { "_cdist_forward", REDUCTION }, { "_clone_dim_order", MOVEMENT }, { "_conj_physical", ELEMENTWISE },
	{ "_d2h_copy", MOVEMENT }, { "_empty_dim_order", MOVEMENT }, { "_fft_c2r", "transform" }, { "_fft_r2c", "transform" },
	{ "_h2d_copy", MOVEMENT }, { "_log_softmax", ACTIVATION }, { "_native_batch_norm_legit", NORM },
	{ "_native_batch_norm_legit_no_training", NORM }, { "_pdist_forward", REDUCTION }, { "_softmax", ACTIVATION },
	{ "_to_copy", CONVERT }, { "_to_dim_order_copy", CONVERT }, { "_upsample_bilinear2d_aa", RESIZE },
	{ "_weight_int8pack_mm", GEMM }, { "abs", ELEMENTWISE }, { "acos", ELEMENTWISE }, { "acosh", ELEMENTWISE },
	{ "add", ELEMENTWISE }, { "addmm", GEMM }, { "alias_copy", MOVEMENT }, { "all", REDUCTION }, { "allclose", REDUCTION },
	{ "amax", REDUCTION }, { "amin", REDUCTION }, { "any", REDUCTION }, { "arange", MOVEMENT }, { "argmax", REDUCTION },
	{ "argmin", REDUCTION }, { "as_strided_copy", MOVEMENT }, { "asin", ELEMENTWISE }, { "asinh", ELEMENTWISE },
	{ "atan", ELEMENTWISE }, { "atan2", ELEMENTWISE }, { "atanh", ELEMENTWISE }, { "avg_pool2d", POOLING },
	{ "baddbmm", GEMM }, { "bitwise_and", ELEMENTWISE }, { "bitwise_left_shift", ELEMENTWISE }, { "bitwise_not", ELEMENTWISE },
	{ "bitwise_or", ELEMENTWISE }, { "bitwise_right_shift", ELEMENTWISE }, { "bitwise_xor", ELEMENTWISE }, { "bmm", GEMM },
	{ "cat", MOVEMENT }, { "ceil", ELEMENTWISE }, { "choose_qparams", QUANTIZE },
	{ "choose_qparams_per_token_asymmetric", QUANTIZE }, { "clamp", ELEMENTWISE }, { "clone", MOVEMENT },
	{ "constant_pad_nd", MOVEMENT }, { "convolution", CONVOLUTION }, { "convolution_backward", CONVOLUTION },
	{ "copy", MOVEMENT }, { "copy_", MOVEMENT }, { "cos", ELEMENTWISE }, { "cosh", ELEMENTWISE }, { "cumsum", REDUCTION },
	{ "custom_sdpa", ATTENTION }, { "dequantize_affine", QUANTIZE }, { "dequantize_per_channel", QUANTIZE },
	{ "dequantize_per_tensor", QUANTIZE }, { "dequantize_per_token", QUANTIZE }, { "detach_copy", MOVEMENT },
	{ "diagonal_copy", MOVEMENT }, { "div", ELEMENTWISE }, { "elu", ACTIVATION }, { "embedding", EMBEDDING },
	{ "embedding_2bit", EMBEDDING }, { "embedding_4bit", EMBEDDING }, { "embedding_byte", EMBEDDING }, { "empty", MOVEMENT },
	{ "eq", ELEMENTWISE }, { "erf", ELEMENTWISE }, { "exp", ELEMENTWISE }, { "expand_copy", MOVEMENT }, { "expm1", ELEMENTWISE },
	{ "fill", MOVEMENT }, { "flip", MOVEMENT }, { "floor", ELEMENTWISE }, { "floor_divide", ELEMENTWISE }, { "fmod", ELEMENTWISE },
	{ "full", MOVEMENT }, { "full_like", MOVEMENT }, { "gather", MOVEMENT }, { "ge", ELEMENTWISE }, { "gelu", ACTIVATION },
	{ "glu", ACTIVATION }, { "grid_sampler_2d", RESIZE }, { "gt", ELEMENTWISE }, { "hardsigmoid", ACTIVATION },
	{ "hardswish", ACTIVATION }, { "hardtanh", ACTIVATION }, { "index", MOVEMENT }, { "index_put", MOVEMENT },
	{ "index_put_", MOVEMENT }, { "index_select", MOVEMENT }, { "isinf", ELEMENTWISE }, { "isnan", ELEMENTWISE },
	{ "le", ELEMENTWISE }, { "leaky_relu", ACTIVATION }, { "lift_fresh_copy", MOVEMENT }, { "linear", GEMM },
	{ "linear_scratch_example", GEMM }, { "log", ELEMENTWISE }, { "log10", ELEMENTWISE }, { "log1p", ELEMENTWISE },
	{ "log2", ELEMENTWISE }, { "logical_and", ELEMENTWISE }, { "logical_not", ELEMENTWISE }, { "logical_or", ELEMENTWISE },
	{ "logical_xor", ELEMENTWISE }, { "logit", ELEMENTWISE }, { "lt", ELEMENTWISE }, { "masked_fill", ELEMENTWISE },
	{ "masked_scatter", MOVEMENT }, { "masked_select", MOVEMENT }, { "max", REDUCTION }, { "max_pool2d_with_indices", POOLING }, { "max_pool2d_with_indices_backward", POOLING },
	{ "maximum", ELEMENTWISE }, { "mean", REDUCTION }, { "min", REDUCTION }, { "minimum", ELEMENTWISE },
	{ "mixed_linear", GEMM }, { "mixed_mm", GEMM }, { "mm", GEMM }, { "mul", ELEMENTWISE }, { "narrow_copy", MOVEMENT },
	{ "native_batch_norm", NORM }, { "native_dropout", ELEMENTWISE }, { "native_group_norm", NORM },
	{ "native_layer_norm", NORM }, { "ne", ELEMENTWISE }, { "neg", ELEMENTWISE }, { "nonzero", MOVEMENT },
	{ "ones", MOVEMENT }, { "permute_copy", MOVEMENT }, { "pixel_shuffle", MOVEMENT }, { "pixel_unshuffle", MOVEMENT },
	{ "pow", ELEMENTWISE }, { "prod", REDUCTION }, { "quantize_affine", QUANTIZE }, { "quantize_per_channel", QUANTIZE },
	{ "quantize_per_tensor", QUANTIZE }, { "quantize_per_token", QUANTIZE }, { "rand", ELEMENTWISE }, { "randn", ELEMENTWISE },
	{ "reciprocal", ELEMENTWISE }, { "reflection_pad1d", MOVEMENT }, { "reflection_pad2d", MOVEMENT },
	{ "reflection_pad3d", MOVEMENT }, { "relu", ACTIVATION }, { "remainder", ELEMENTWISE }, { "repeat", MOVEMENT },
	{ "repeat_interleave", MOVEMENT }, { "replication_pad1d", MOVEMENT }, { "replication_pad2d", MOVEMENT },
	{ "replication_pad3d", MOVEMENT }, { "roll", MOVEMENT }, { "round", ELEMENTWISE }, { "rsqrt", ELEMENTWISE },
	{ "rsub", ELEMENTWISE }, { "scalar_tensor", MOVEMENT }, { "scatter", MOVEMENT }, { "scatter_add", MOVEMENT },
	{ "sdpa_with_kv_cache", ATTENTION }, { "select_copy", MOVEMENT }, { "select_scatter", MOVEMENT }, { "sigmoid", ACTIVATION },
	{ "sign", ELEMENTWISE }, { "sin", ELEMENTWISE }, { "sinh", ELEMENTWISE }, { "slice_copy", MOVEMENT },
	{ "slice_scatter", MOVEMENT }, { "softmax", ACTIVATION }, { "split_copy", MOVEMENT }, { "split_with_sizes_copy", MOVEMENT },
	{ "sqrt", ELEMENTWISE }, { "squeeze_copy", MOVEMENT }, { "stack", MOVEMENT }, { "sub", ELEMENTWISE }, { "sum", REDUCTION },
	{ "t_copy", MOVEMENT }, { "tan", ELEMENTWISE }, { "tanh", ACTIVATION }, { "to_copy", CONVERT }, { "topk", REDUCTION },
	{ "transpose_copy", MOVEMENT }, { "tril", MOVEMENT }, { "trunc", ELEMENTWISE }, { "unbind_copy", MOVEMENT },
	{ "unfold_copy", MOVEMENT }, { "unsqueeze_copy", MOVEMENT }, { "update_cache", MOVEMENT }, { "upsample_bilinear2d", RESIZE },
	{ "upsample_nearest2d", RESIZE }, { "var", REDUCTION }, { "var_mean", REDUCTION }, { "view_as_real_copy", MOVEMENT }, { "view_copy", MOVEMENT },
	{ "where", ELEMENTWISE }, { "zeros", MOVEMENT },
};
/* clang-format on */

static int compare(const void *key, const void *row)
{
	const struct etc_str *name = key;
	const char *have = ((const struct row *)row)->name;
	size_t n = strlen(have), most = name->len < n ? name->len : n;
	int order = most ? memcmp(name->ptr, have, most) : 0;

	return order ? order : (name->len > n) - (name->len < n);
}

struct etc_str etc_kernel_category(struct etc_str name)
{
	size_t from = etc_str_find(name, ETC_STR("::"), 0), end;
	const struct row *row;
	struct etc_str base;

	from = from == SIZE_MAX ? 0 : from + 2;
	end = etc_str_find(name, ETC_STR("."), from);
	base = etc_str_sub(name, from, end);
	row = bsearch(&base, rows, sizeof rows / sizeof *rows, sizeof *rows, compare);
	return row ? etc_str_of(row->category) : ETC_STR_NONE;
}
