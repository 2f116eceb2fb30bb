/* categories.c -- the two categorisers of Arm's profiling kit; see categories.h
 *
 * The rules of kit-v2 are regular expressions, which are applied to a normalised name: in lower
 * case, with one blank in place of each sequence of blanks and of the characters _ : / - . All
 * rules match a whole word, or two words with one blank between them. So the name is scanned once,
 * word by word. */
#include "commands/pipeline/categories.h"

#include "base/ascii.h"
#include "base/text.h"

/* ---- kit-v1 -------------------------------------------------------------------- */

const char *etc_category_v1(struct etc_str name)
{
	/* "hardtanh" and similar words of the kit's list are left out, since every name that
	 * contains them contains "tanh". */
	static const struct {
		const char *category;
		const char *words[11];
	} rows[] = {
		{ "Convolution", { "conv" } },
		{ "GEMM", { "matmul", "linear", "gemm" } },
		{ "Data Movement", { "transpose", "reshape", "copy", "convert", "pad" } },
		{ "Elementwise",
		  { "relu", "gelu", "sigmoid", "tanh", "hardswish", "hard_swish", "clamp", "add",
		    "mul", "sub", "div" } },
	};

	/* Python's lower() also converts the Kelvin sign to "k", and an I with a dot to "i" and a
	 * combining dot. Here these characters are not converted. The result is the same, because
	 * none of the words contains "k" or ends with "i". */
	for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
		for (size_t w = 0; w < 11 && rows[r].words[w]; w++)
			if (etc_find_word(name, rows[r].words[w]) != SIZE_MAX)
				return rows[r].category;
	return "Other";
}

/* ---- kit-v2 -------------------------------------------------------------------- */

/* The categories of kit-v2. If a name has words of several categories, the first of these
 * categories in this list is used. */
enum {
	CONV,
	GEMM,
	POOL,
	NORM,
	ATTENTION,
	EMBEDDING,
	ACTIVATION,
	ELEMENTWISE,
	REDUCTION,
	RESHAPE,
	MOVEMENT,
	RESIZE,
	QUANT,
	RNN,
	OTHER
};

static const char *const v2_names[ETC_KIT_V2_COUNT] = {
	"CONV",          "GEMM",       "POOL",        "NORM",      "ATTENTION",
	"EMBEDDING",     "ACTIVATION", "ELEMENTWISE", "REDUCTION", "RESHAPE",
	"DATA_MOVEMENT", "RESIZE",     "QUANT",       "RNN",       "OTHER",
};

/* The words of each category, indexed by the constants above. Each word has a blank before and
 * after it. "conv*" stands for "conv", "conv1d", "conv2d" and "conv3d". */
static const char *const words[] = {
	[CONV] = " conv* convolution convtranspose* deconv depthwise dwconv pointwise igemm "
		 "implicitgemm ",
	[GEMM] = " gemm matmul mm bmm addmm linear fullyconnected dense einsum ",
	[POOL] = " pool* avgpool* adaptivepool* maxpool* ",
	[NORM] = " batchnorm layernorm groupnorm instancenorm rmsnorm ",
	[ATTENTION] = " sdpa flashattn multiheadattention mha attention ",
	[EMBEDDING] = " embedding ",
	[ACTIVATION] = " gelu relu relu6 leakyrelu prelu silu swish mish tanh sigmoid softplus "
		       "softsign elu selu hardtanh hardttanh hardsigmoid logsoftmax softmax ",
	[ELEMENTWISE] = " add sub mul multiply div divide pow exp log abs sqrt rsqrt sin cos where "
			"max min clamp clip round floor ceil and or xor eq ne gt ge lt le "
			"vmulcaddc ",
	[REDUCTION] = " sum mean amax amin argmax argmin prod ",
	[RESHAPE] = " reshape view flatten squeeze unsqueeze ",
	[MOVEMENT] = " transpose permute cat concat split stack gather scatter indexselect take "
		     "copy clone expand tile repeat unfold pad roll slice ",
	[RESIZE] = " upsample interpolate resize ",
	[QUANT] = " quantize dequantize requantize fakequant int8 uint8 q8 ",
	[RNN] = " lstm gru rnn ",
};

/* A name matches `category` if it contains the word `first` and then the word `second`, with only
 * separators between the two. */
static const struct {
	const char *first, *second;
	int category;
} pairs[] = {
	{ "implicit", "gemm", CONV },   { "fully", "connected", GEMM },
	{ "flash", "attn", ATTENTION }, { "index", "select", MOVEMENT },
	{ "fake", "quant", QUANT },     { "per", "tensor", QUANT },
	{ "per", "channel", QUANT },
};

enum { LONGEST = 24 }; /* maximum length of a word; no word above is longer */

/* One word of a name, in lower case, with a blank before and after it. `len` is 0 if the word is
 * longer than LONGEST, or has letters outside of ASCII (`odd`). `after_blank` is true if there are
 * only separators (such as blanks and '_') between this word and the word before it. */
struct word {
	char text[LONGEST + 2];
	size_t len;
	bool odd, after_blank;
};

static struct etc_str text_of(const struct word *w)
{
	return (struct etc_str){ w->text + 1, w->len };
}

static bool listed(const char *list, const struct word *w)
{
	struct etc_str all = etc_str_of(list);

	return etc_str_find(all, (struct etc_str){ w->text, w->len + 2 }, 0) != SIZE_MAX;
}

/* If the word ends with "1d", "2d" or "3d", sets *out to the word with '*' in place of these two
 * characters, and returns true. Otherwise returns false. */
static bool without_dimensions(const struct word *w, struct word *out)
{
	const char *end = w->text + 1 + w->len;

	if (w->len < 3 || end[-1] != 'd' || end[-2] < '1' || end[-2] > '3')
		return false;
	*out = *w;
	out->text[w->len - 1] = '*';
	out->text[w->len] = ' ';
	out->len = w->len - 1;
	return true;
}

static int category_of(const struct word *w)
{
	struct word stem, starred = *w;
	bool has_stem = without_dimensions(w, &stem);

	starred.text[w->len + 1] = '*';
	for (int c = CONV; c < OTHER; c++)
		if (listed(words[c], w) || listed(words[c], &starred) ||
		    (has_stem &&
		     etc_str_find(etc_str_of(words[c]), (struct etc_str){ stem.text, stem.len + 1 },
		                  0) != SIZE_MAX))
			return c;
	return OTHER;
}

static int category_of_pair(const struct word *first, const struct word *second)
{
	if (!second->after_blank)
		return OTHER;
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
		if (etc_str_eq(text_of(first), etc_str_of(pairs[i].first)) &&
		    etc_str_eq(text_of(second), etc_str_of(pairs[i].second)))
			return pairs[i].category;
	return OTHER;
}

static bool is_separator(int32_t cp)
{
	return etc_utf8_is_space(cp) || cp == '_' || cp == ':' || cp == '/' || cp == '-' ||
	       cp == '.';
}

enum { KELVIN = 0x212a, DOTTED_I = 0x130 };

static void append(struct word *w, int32_t cp)
{
	if (cp == KELVIN)
		cp = 'k';
	if (cp == DOTTED_I)
		cp = 'i';
	if (cp >= 0x80 || w->len == LONGEST)
		w->odd = true;
	else
		w->text[1 + w->len++] = etc_lower((char)cp);
}

/* Reads the next word of `name`, from *at on. Returns false if there is none. An I with a dot ends
 * the word, because Python converts it to "i" and a combining dot, which is not a letter. */
static bool next_word(struct etc_str name, size_t *at, struct word *w)
{
	bool only_blanks = true, any = false;

	*w = (struct word){ .text = " " };
	while (*at < name.len) {
		size_t before = *at;
		int32_t cp = etc_utf8_next(name, at);

		if (cp >= 0 && etc_utf8_alphanumeric(cp)) {
			append(w, cp);
			any = true;
			if (cp == DOTTED_I)
				break;
		} else if (any) {
			*at = before;
			break;
		} else {
			only_blanks = only_blanks && is_separator(cp);
		}
	}
	if (w->odd)
		w->len = 0;
	w->text[w->len + 1] = ' ';
	w->after_blank = only_blanks;
	return any;
}

const char *etc_category_v2(struct etc_str name)
{
	struct word w, before = { .text = "  " };
	int best = OTHER;

	for (size_t at = 0; best > CONV && next_word(name, &at, &w);) {
		int c = w.len ? category_of(&w) : OTHER, pair = category_of_pair(&before, &w);

		c = pair < c ? pair : c;
		best = c < best ? c : best;
		before = w;
	}
	return v2_names[best];
}
