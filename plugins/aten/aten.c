/* aten.c -- finds the category of an operator by its name; see aten.h
 *
 * The table has the names of PyTorch's core ATen operators in the edge dialect, and of the
 * operators that the Vulkan backend registers (VK_REGISTER_OP). */
#include "aten.h"

#include <stdbool.h>
#include <string.h>

/* Namespaces of operators, each with the '.' that follows it. In names of nodes every '.' is
 * replaced by '_', which same() accepts. */
static const char *const namespaces[] = {
	"aten.",          "quantized_decomposed.",
	"dim_order_ops.", "et_vk.",
	"etvk.",          "llama.",
	"torchao.",       "qaisw.",
	"quantized.",     "torchvision.",
};

/* Categories with their words, which are separated by blanks. A name has the category of the
 * longest word with which it begins; in the name, the word must be followed by '.', '_' or the
 * end. */
static const struct {
	const char *category;
	const char *words;
} groups[] = {
	{ "convolution", "conv conv1d conv2d conv3d conv_transpose1d conv_transpose2d "
	                 "convolution q8ta_conv2d" },
	{ "gemm", "addmm baddbmm bmm einsum linear matmul mm q4gsw_linear q8ta_linear "
	          "weight_int8pack_mm" },
	{ "attention", "apply_rotary_emb compute_attn_weight_with_kv_cache custom_sdpa "
	               "scaled_dot_product_attention sdpa sdpa_with_kv_cache" },
	{ "activation", "celu elu gelu glu hardshrink hardsigmoid hardswish hardtanh leaky_relu "
	                "log_softmax logit mish prelu q8ta_relu relu relu6 selu sigmoid silu "
	                "softmax softplus softshrink tanh" },
	{ "normalization", "batch_norm group_norm instance_norm layer_norm native_batch_norm "
	                   "native_batch_norm_legit native_batch_norm_legit_no_training "
	                   "native_group_norm native_layer_norm rms_norm" },
	{ "pooling", "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d "
	             "adaptive_max_pool2d avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d "
	             "max_pool2d_with_indices max_pool3d max_pool3d_with_indices" },
	{ "reduction", "all amax amin any argmax argmin argsort cdist_forward cumsum "
	               "linalg_vector_norm max mean min norm prod sort std sum topk var var_mean" },
	{ "resize", "grid_sampler_2d grid_sampler_3d upsample_bicubic2d upsample_bilinear2d "
	            "upsample_nearest1d upsample_nearest2d upsample_nearest3d" },
	{ "recurrent", "gru lstm rnn_relu rnn_tanh" },
	{ "convert", "to to_copy to_dim_order_copy type_as" },
	{ "quantize", "choose_qparams choose_qparams_affine choose_qparams_per_row "
	              "choose_qparams_per_token_asymmetric dequantize dequantize_affine "
	              "dequantize_per_channel dequantize_per_tensor dequantize_per_token "
	              "q4gsw_requant quantize quantize_affine quantize_per_channel "
	              "quantize_per_tensor quantize_per_token" },
	{ "packing", "prepack" },
	{ "data movement",
	  "alias alias_copy arange as_strided as_strided_copy cat channel_shuffle clone "
	  "clone_dim_order constant_pad_nd contiguous copy detach detach_copy diagonal_copy "
	  "empty empty_dim_order empty_like expand expand_copy fill flatten flip full full_like "
	  "gather grid_priors index index_copy index_put index_select lift_fresh_copy "
	  "masked_select narrow_copy nonzero ones ones_like pad permute permute_copy "
	  "pixel_shuffle pixel_unshuffle q8ta_pixel_shuffle reflection_pad1d reflection_pad2d "
	  "repeat repeat_interleave replication_pad2d reshape roll scalar_tensor scatter "
	  "scatter_add scatter_src select select_as_symint select_copy select_scatter slice "
	  "slice_copy slice_scatter split split_copy split_with_sizes split_with_sizes_copy "
	  "squeeze squeeze_copy stack sym_size t t_copy transpose transpose_copy tril triu "
	  "unbind unbind_copy unfold_copy unsqueeze unsqueeze_copy update_cache view view_copy "
	  "zeros zeros_like" },
	{ "elementwise",
	  "abs acos acosh add addcdiv addcmul asin asinh atan atan2 atanh bitwise_and "
	  "bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor "
	  "ceil clamp clip cos cosh div eq erf exp exp2 expm1 floor floor_divide fmod ge gt "
	  "isinf isnan le log log10 log1p log2 logical_and logical_not logical_or logical_xor "
	  "lt masked_fill maximum minimum mul ne neg pow q8ta_add reciprocal remainder round "
	  "rsqrt rsub sign sin sinh sqrt square sub tan trunc where" },
};

static bool same(char name, char word)
{
	return name == word || (name == '_' && word == '.');
}

/* Returns the length of the known namespace with which the name begins; 0: it begins with none. */
static uint64_t namespace_of(struct etcore_text name)
{
	for (size_t i = 0; i < sizeof namespaces / sizeof *namespaces; i++) {
		uint64_t len = strlen(namespaces[i]), n = 0;

		while (n < len && n < name.len && same(name.ptr[n], namespaces[i][n]))
			n++;
		if (n == len)
			return len;
	}
	return 0;
}

static bool begins(struct etcore_text name, const char *word, size_t len)
{
	return name.len >= len && memcmp(name.ptr, word, len) == 0 &&
	       (name.len == len || name.ptr[len] == '.' || name.ptr[len] == '_');
}

/* Returns the length of the longest word in `words` with which the name begins; 0: none. */
static size_t longest(struct etcore_text name, const char *words)
{
	size_t best = 0;

	for (size_t len; *words; words += len) {
		words += strspn(words, " ");
		len = strcspn(words, " ");
		if (len > best && begins(name, words, len))
			best = len;
	}
	return best;
}

const char *aten_word_category(struct etcore_text name)
{
	const char *category = NULL;
	size_t best = 0;

	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
		size_t len = longest(name, groups[i].words);

		if (len > best) {
			best = len;
			category = groups[i].category;
		}
	}
	return category;
}

const char *aten_category(struct etcore_text name)
{
	uint64_t skip = namespace_of(name);

	if (skip == 0)
		return NULL;
	while (skip < name.len && name.ptr[skip] == '_')
		skip++;
	return aten_word_category((struct etcore_text){ name.ptr + skip, name.len - skip });
}

struct etcore_text aten_node_operator(struct etcore_text node)
{
	uint64_t from = namespace_of(node), at = node.len;

	if (from == 0)
		return node;
	while (at > from && node.ptr[at - 1] >= '0' && node.ptr[at - 1] <= '9')
		at--;
	if (at < node.len && at > from + 1 && node.ptr[at - 1] == '_')
		node.len = at - 1;
	return node;
}
