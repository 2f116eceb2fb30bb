/* decide.c -- decides whether KleidiAI ran; see decide.h.
 *
 * This file has four tables: the families of packed types (from XNNPACK's gemm-config.c), the
 * operators for which a packed type proves that a KleidiAI kernel ran, the micro-kernels that are
 * never KleidiAI's, and the names that events would have without KleidiAI. */
#include "decide.h"

#include <string.h>

#define MAX_TYPES    8
#define MAX_TYPE_LEN 16 /* bytes of one type; a longer word is no type */

/* A packed type, and the instruction sets for which there are kernels with it. `output` NULL: the
 * result may have any type. `weights` NULL: the event's name contains no type of weights. */
struct family {
	const char *lhs, *output, *weights; /* types in the event's name */
	uint32_t isas;
};

static const struct family families[] = {
	{ "PF32", NULL, NULL, ISA_SME2 | ISA_SME },
	{ "PF16", NULL, NULL, ISA_SME2 | ISA_SME },
	{ "PQS8", NULL, "QC8W", ISA_SME2 | ISA_SME },
	{ "QP8", "F32", "QC8W", ISA_SME2 | ISA_SME | ISA_I8MM | ISA_DOTPROD },
	{ "QP8", "F32", "QC4W", ISA_SME2 | ISA_SME | ISA_I8MM | ISA_DOTPROD },
	{ "QP8", "F32", "QB4W", ISA_I8MM | ISA_DOTPROD },
	{ "QP8", "F16", "QC8W", ISA_SME2 },
};

/* An operator for which a packed type proves that a KleidiAI kernel ran. */
struct place {
	const char *operator_name;
	/* the micro-kernel in the event's name. The name may also have no micro-kernel, except if
	 * kernel_must_be_named is true. */
	const char *kernel;
	bool kernel_must_be_named;
	const char *only_lhs; /* the only packed type that proves a KleidiAI kernel; NULL: every
	                       * packed type does */
};

static const struct place places[] = {
	{ "Fully Connected", "GEMM", false, NULL },
	{ "Dynamic Fully Connected", "GEMM", false, NULL },
	{ "Batch Matrix Multiply", "GEMM", false, NULL },
	{ "Convolution", "IGEMM", true, NULL },
	{ "Deconvolution", "IGEMM", true, "PQS8" },
};

/* Micro-kernels for which XNNPACK never uses KleidiAI, whatever the types are. */
static const char *const never[] = { "DWConv", "VMulCAddC" };

/* How the name of an event would be without KleidiAI. If `operator_name` is NULL, the row is for
 * every operator whose first type is `types`: this type is replaced by plain[0]. Otherwise the row
 * is for the operator `operator_name` with exactly the types `types`: the whole name is replaced by
 * "A or B", where A and B are plain[0] and plain[1]. */
struct rename {
	const char *operator_name, *types;
	const char *plain[2]; /* the replacements: types, or names of operators */
};

static const struct rename renames[] = {
	{ "Convolution",
	  "PQS8, QS8, QC8W",
	  { "Convolution (NHWC, QC8)", "Convolution (NHWC, QS8)" } },
	{ "Deconvolution",
	  "PQS8, QS8, QC8W",
	  { "Deconvolution (NC, QS8, QC8W)", "Deconvolution (NHWC, QS8)" } },
	{ NULL, "PF32", { "F32", NULL } },
	{ NULL, "PF16", { "F16", NULL } },
	{ NULL, "PQS8", { "QS8", NULL } },
	{ NULL, "QP8", { "QD8", NULL } },
};

/* The types in the event's name, as the owner of the event gives them. */
struct types {
	struct etcore_text at[MAX_TYPES];
	size_t count;
};

static bool is(struct etcore_text text, const char *word)
{
	if (text.len == 0 || *text.ptr != *word) /* the first characters are compared first, because
	                                          * they usually differ */
		return text.len == 0 && *word == '\0';
	return text.len == strlen(word) && memcmp(text.ptr, word, (size_t)text.len) == 0;
}

static struct types split(struct etcore_text text)
{
	struct types types = { .count = 0 };
	uint64_t from = 0;

	for (uint64_t i = 0; i <= text.len && types.count < MAX_TYPES; i++) {
		if (i < text.len && text.ptr[i] != ',')
			continue;
		while (from < i && text.ptr[from] == ' ')
			from++;
		if (i - from > MAX_TYPE_LEN)
			return (struct types){ .count = 0 };
		if (from < i)
			types.at[types.count++] = (struct etcore_text){ text.ptr + from, i - from };
		from = i + 1;
	}
	return types;
}

/* Is `type` a packed type of a left-hand side: PF32, PQS8, QP8, PBF16 …? This is decided by its
 * first letters, so packed types that are not in the table are recognised, too. */
static bool is_packed(struct etcore_text type)
{
	return type.len >= 3 && (type.ptr[0] == 'P' || (type.ptr[0] == 'Q' && type.ptr[1] == 'P'));
}

static struct etcore_text weights_of(const struct types *types)
{
	for (size_t i = 1; i < types->count; i++)
		if (types->at[i].ptr[types->at[i].len - 1] == 'W')
			return types->at[i];
	return (struct etcore_text){ "", 0 };
}

static bool is_known(struct etcore_text lhs)
{
	for (size_t i = 0; i < sizeof families / sizeof *families; i++)
		if (is(lhs, families[i].lhs))
			return true;
	return false;
}

/* Do XNNPACK's own matrix kernels use `lhs` as the type of the left-hand side? For a type that is
 * neither plain nor packed, such as one of a newer XNNPACK, it is unknown which library ran. */
static bool is_plain(struct etcore_text lhs)
{
	static const char *const plain[] = { "F32", "F16",  "BF16", "QS8", "QU8",
		                             "QD8", "QDU8", "QC8",  "S8",  "U8" };

	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (is(lhs, plain[i]))
			return true;
	return false;
}

static const struct family *find_family(const struct types *types)
{
	struct etcore_text weights = weights_of(types);

	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		const struct family *f = &families[i];

		if (is(types->at[0], f->lhs) &&
		    (!f->output || (types->count > 1 && is(types->at[1], f->output))) &&
		    is(weights, f->weights ? f->weights : ""))
			return f;
	}
	return NULL;
}

static bool in_place(const struct etcore_facts *facts, struct etcore_text lhs)
{
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		const struct place *p = &places[i];

		if (is(facts->operator_name, p->operator_name) &&
		    (!p->only_lhs || is(lhs, p->only_lhs)))
			return is(facts->kernel, p->kernel) ||
			       (facts->kernel.len == 0 && !p->kernel_must_be_named);
	}
	return false;
}

static bool is_never(struct etcore_text kernel)
{
	for (size_t i = 0; i < sizeof never / sizeof *never; i++)
		if (is(kernel, never[i]))
			return true;
	return false;
}

/* A text under construction. The text becomes empty if it does not fit into its array. */
struct line {
	char *text;
	size_t size, len;
};

static void add(struct line *line, struct etcore_text piece)
{
	if (line->size == 0)
		return;
	if (piece.len >= line->size - line->len) {
		line->text[0] = '\0';
		line->size = 0;
		return;
	}
	if (piece.len > 0)
		memcpy(line->text + line->len, piece.ptr, (size_t)piece.len);
	line->len += (size_t)piece.len;
	line->text[line->len] = '\0';
}

static void add_word(struct line *line, const char *word)
{
	add(line, (struct etcore_text){ word, strlen(word) });
}

static void put_variant(const struct etcore_facts *facts, const struct types *types,
                        struct decision *out)
{
	struct line line = { out->variant, sizeof out->variant, 0 };
	struct etcore_text weights = weights_of(types);

	if (facts->precision.len == 0 || types->count == 0)
		return;
	if (is(facts->operator_name, "Convolution"))
		add_word(&line, "conv ");
	else if (is(facts->operator_name, "Deconvolution"))
		add_word(&line, "deconv ");
	else
		add_word(&line, "gemm ");
	add(&line, facts->precision);
	if (weights.len > 3 && weights.ptr[1] == 'B')
		add_word(&line, " block");
	if (weights.len > 3 && strchr("FB", types->at[0].ptr[0])) {
		add_word(&line, ", int");
		add(&line, (struct etcore_text){ weights.ptr + 2, weights.len - 3 });
		add_word(&line, " weights");
	}
}

static void add_operator(struct line *line, const char *plain, struct etcore_text kernel)
{
	add_word(line, plain);
	if (kernel.len > 0)
		add_word(line, " ");
	add(line, kernel);
}

/* Appends the event's name as its owner gives it, but with `plain` instead of the first type in
 * facts->types. This type has `first_len` bytes. */
static void add_renamed(struct line *line, const struct etcore_facts *facts, uint64_t first_len,
                        const char *plain)
{
	add(line, facts->operator_name);
	add_word(line, " (");
	add(line, facts->layout);
	if (facts->layout.len > 0)
		add_word(line, ", ");
	add_word(line, plain);
	add(line,
	    (struct etcore_text){ facts->types.ptr + first_len, facts->types.len - first_len });
	add_operator(line, ")", facts->kernel);
}

static void put_canonical(const struct etcore_facts *facts, struct decision *out)
{
	struct line line = { out->canonical, sizeof out->canonical, 0 };
	struct types types = split(facts->types);

	for (size_t i = 0; i < sizeof renames / sizeof *renames; i++) {
		const struct rename *r = &renames[i];

		if (!r->operator_name) {
			if (!is(types.at[0], r->types))
				continue;
			add_renamed(&line, facts, types.at[0].len, r->plain[0]);
			return;
		}
		if (!is(facts->operator_name, r->operator_name) || !is(facts->types, r->types))
			continue;
		add_operator(&line, r->plain[0], facts->kernel);
		add_word(&line, " or ");
		add_operator(&line, r->plain[1], facts->kernel);
		return;
	}
}

bool decide(const struct etcore_facts *facts, struct decision *out)
{
	struct types types;
	bool packed;

	memset(out, 0, sizeof *out);
	if (facts->operator_name.len == 0)
		return false;
	types = split(facts->types);
	packed = types.count > 0 && is_packed(types.at[0]);
	out->is_matrix = is(facts->kernel, "GEMM") || is(facts->kernel, "IGEMM");
	if (out->is_matrix)
		put_variant(facts, &types, out);
	if (is(facts->operator_name, "Pack LH")) {
		out->ran = ETCORE_RAN_YES;
		out->why = facts->operator_name;
		out->isas = ISA_SME2 | ISA_SME;
	} else if (is(facts->operator_name, "Convert") && is(facts->types, "F32, QP8")) {
		out->ran = ETCORE_RAN_YES;
		out->why = types.at[1];
		out->isas = ISA_NEON;
		strcpy(out->canonical, "Convert (NC, F32, QD8)");
	} else if (is_never(facts->kernel)) {
		out->ran = ETCORE_RAN_NO;
		out->why = facts->kernel;
	} else if (packed) {
		const struct family *family = find_family(&types);

		out->why = types.at[0];
		if (!is_known(types.at[0]) || !in_place(facts, types.at[0]))
			return true;
		out->ran = ETCORE_RAN_YES;
		out->isas = family ? family->isas : 0;
		put_canonical(facts, out);
	} else if (!out->is_matrix) {
		out->ran = ETCORE_RAN_NO;
	} else if (types.count > 0) {
		out->ran = is_plain(types.at[0]) ? ETCORE_RAN_NO : ETCORE_RAN_UNKNOWN;
		out->why = types.at[0];
	}
	return true;
}
