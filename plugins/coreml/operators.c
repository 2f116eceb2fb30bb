/* operators.c -- the categories of the operators of Core ML's intermediate language (MIL). The
 * names are those of coremltools.converters.mil.mil.ops. */
#include "plan.h"

#include <string.h>

/* For each category, the names of its operators, separated by blanks. A name that ends in '*'
 * stands for all names with that prefix. */
static const struct {
	const char *category;
	const char *words;
} groups[] = {
	{ "convolution", "conv conv_quantized conv_transpose" },
	{ "gemm", "einsum linear matmul" },
	{ "attention", "scaled_dot_product_attention" },
	{ "activation", "clamped_relu elu gelu leaky_relu linear_activation prelu relu relu6 "
	                "scaled_tanh sigmoid sigmoid_hard silu softmax softplus "
	                "softplus_parametric softsign tanh thresholded_relu" },
	{ "normalization", "batch_norm instance_norm l2_norm layer_norm local_response_norm" },
	{ "pooling", "avg_pool l2_pool max_pool" },
	{ "reduction", "argsort cumsum non_maximum_suppression reduce_* topk" },
	{ "resize", "affine crop_resize resample resize* upsample_*" },
	{ "recurrent", "gru lstm rnn" },
	{ "control flow", "cond list_* make_list while_loop" },
	{ "convert", "cast" },
	{ "quantize", "constexpr_* dequantize quantize" },
	{ "data movement",
	  "band_part batch_to_space concat coreml_update_state crop depth_to_space expand_dims "
	  "fill fill_like flatten2d gather* identity non_zero one_hot pad pixel_shuffle "
	  "pixel_unshuffle range_1d read_state reshape reshape_like reverse reverse_sequence "
	  "scatter* shape slice_* sliding_windows space_to_batch space_to_depth split squeeze "
	  "stack tile transpose write_state" },
	{ "elementwise",
	  "abs acos add asin atan atanh ceil clip cos cosh equal erf exp exp2 floor floor_div "
	  "greater* inverse less* log logical_* maximum minimum mod mul not_equal pow real_div "
	  "round rsqrt select sign sin sinh sqrt square sub tan threshold" },
};

static bool stands_for(const char *word, size_t len, const char *name)
{
	if (word[len - 1] == '*')
		return strncmp(word, name, len - 1) == 0;
	return strlen(name) == len && memcmp(word, name, len) == 0;
}

static bool holds(const char *words, const char *name)
{
	for (size_t len; *words; words += len) {
		words += strspn(words, " ");
		len = strcspn(words, " ");
		if (len > 0 && stands_for(words, len, name))
			return true;
	}
	return false;
}

const char *coreml_category(const char *operator_name)
{
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		if (holds(groups[i].words, operator_name))
			return groups[i].category;
	return NULL;
}
