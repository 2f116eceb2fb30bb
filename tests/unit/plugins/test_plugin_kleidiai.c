/* The plugin kleidiai, which annotates XNNPACK's events. Its answers are compared with
 * tests/data/arm/kernels.json: the kai_run_* functions that emulated processors executed, which
 * were found by tracing, not from names. */
#include "plugin_host.h"

#include "plugins/coreml/json.h"
#include "dump.h"

static struct asked xnnpack, kleidiai;

static int open_plugins(void **state)
{
	(void)state;
	asked_open(&xnnpack, ETCORE_PLUGIN_FOLDER "/xnnpack.so", NULL, NULL);
	asked_open(&kleidiai, ETCORE_PLUGIN_FOLDER "/kleidiai.so", NULL, NULL);
	return 0;
}

static int close_plugins(void **state)
{
	(void)state;
	asked_close(&kleidiai);
	asked_close(&xnnpack);
	return 0;
}

/* Asks XNNPACK's plugin about an event of this name, and then the annotator `from`, whose answers
 * `out` gets. Returns false if `from` declines. */
static bool say_with(struct asked *from, const char *name, struct said *out)
{
	struct etcore_facts facts;
	struct said owner;
	struct made m;

	made_init(&m);
	made_add(&m, text_of(name));
	memset(&owner, 0, sizeof owner);
	memset(out, 0, sizeof *out);
	assert_int_equal(asked_say(&xnnpack, xnnpack.abi->name_event, &m, 0, &owner), ETCORE_OK);
	assert_int_equal(asked_say(&xnnpack, xnnpack.abi->classify, &m, 0, &owner), ETCORE_OK);
	facts = facts_of(&owner);
	m.events[0].facts = &facts;
	if (asked_say(from, from->abi->classify, &m, 0, out) != ETCORE_OK)
		return false;
	/* what both plugins answer must be equal */
	assert_int_equal(out->number[ETCORE_CLASS_IS_MATRIX], owner.number[ETCORE_CLASS_IS_MATRIX]);
	if (out->text[ETCORE_CLASS_VARIANT][0])
		assert_string_equal(out->text[ETCORE_CLASS_VARIANT],
		                    owner.text[ETCORE_CLASS_VARIANT]);
	return true;
}

static void say(const char *name, struct said *out)
{
	char full[300];

	snprintf(full, sizeof full, "%s #1", name);
	if (!say_with(&kleidiai, full, out))
		fail_msg("declined: %s", full);
}

/* ---- the rules, row by row ---------------------------------------------------- */

#define EVERY "SME2, SME, I8MM or DotProd"
#define SME   "SME2 or SME"

static const struct {
	const char *name;
	int ran;
	const char *why, *isa, *canonical, *variant;
} rules[] = {
	{ "Fully Connected (NC, PF32) GEMM", 2, "PF32", SME, "Fully Connected (NC, F32) GEMM",
	  "gemm fp32" },
	{ "Dynamic Fully Connected (NC, PF16) GEMM", 2, "PF16", SME,
	  "Dynamic Fully Connected (NC, F16) GEMM", "gemm fp16" },
	{ "Batch Matrix Multiply (NC, PF32) GEMM", 2, "PF32", SME,
	  "Batch Matrix Multiply (NC, F32) GEMM", "gemm fp32" },
	{ "Fully Connected (NC, PQS8, QC8W) GEMM", 2, "PQS8", SME,
	  "Fully Connected (NC, QS8, QC8W) GEMM", "gemm int8" },
	{ "Fully Connected (NC, QP8, F32, QC8W) GEMM", 2, "QP8", EVERY,
	  "Fully Connected (NC, QD8, F32, QC8W) GEMM", "gemm int8" },
	{ "Batch Matrix Multiply (NC, QP8, F32, QC8W) GEMM", 2, "QP8", EVERY,
	  "Batch Matrix Multiply (NC, QD8, F32, QC8W) GEMM", "gemm int8" },
	{ "Fully Connected (NC, QP8, F32, QC4W) GEMM", 2, "QP8", EVERY,
	  "Fully Connected (NC, QD8, F32, QC4W) GEMM", "gemm int4" },
	{ "Fully Connected (NC, QP8, F32, QB4W) GEMM", 2, "QP8", "I8MM or DotProd",
	  "Fully Connected (NC, QD8, F32, QB4W) GEMM", "gemm int4 block" },
	{ "Fully Connected (NC, QP8, F16, QC8W) GEMM", 2, "QP8", "SME2",
	  "Fully Connected (NC, QD8, F16, QC8W) GEMM", "gemm int8" },
	{ "Fully Connected (NC, QP8, F32, QC2W) GEMM", 2, "QP8", "",
	  "Fully Connected (NC, QD8, F32, QC2W) GEMM", "gemm int2" },
	{ "Fully Connected (NC, QP8, F32, QC4W)", 2, "QP8", EVERY,
	  "Fully Connected (NC, QD8, F32, QC4W)", "" },
	{ "Convolution (NHWC, PF32) IGEMM", 2, "PF32", SME, "Convolution (NHWC, F32) IGEMM",
	  "conv fp32" },
	{ "Convolution (NHWC, PF16) IGEMM", 2, "PF16", SME, "Convolution (NHWC, F16) IGEMM",
	  "conv fp16" },
	{ "Convolution (NHWC, PQS8, QS8, QC8W) IGEMM", 2, "PQS8", SME,
	  "Convolution (NHWC, QC8) IGEMM or Convolution (NHWC, QS8) IGEMM", "conv int8" },
	{ "Deconvolution (NHWC, PQS8, QS8, QC8W) IGEMM", 2, "PQS8", SME,
	  "Deconvolution (NC, QS8, QC8W) IGEMM or Deconvolution (NHWC, QS8) IGEMM", "deconv int8" },
	{ "Pack LH (X8)", 2, "Pack LH", SME, "", "" },
	{ "Pack LH (X32)", 2, "Pack LH", SME, "", "" },
	{ "Convert (NC, F32, QP8)", 2, "QP8", "Neon", "Convert (NC, F32, QD8)", "" },
	/* with these operators, a packed type proves nothing */
	{ "Convolution (NHWC, PF32) DWConv", 1, "DWConv", "", "", "" },
	{ "Convolution (NHWC, PQS8, QS8, QC8W) VMulCAddC", 1, "VMulCAddC", "", "", "" },
	{ "Deconvolution (NHWC, PQS8, QS8, QC8W) Subconv2D", 0, "PQS8", "", "", "" },
	{ "Deconvolution (NHWC, PF16) IGEMM", 0, "PF16", "", "", "deconv fp16" },
	{ "Convolution (NHWC, PF32) SPMM", 0, "PF32", "", "", "" },
	{ "Fully Connected (NC, PBF16) GEMM", 0, "PBF16", "", "", "gemm bf16" },
	{ "Softmax (NC, PF32)", 0, "PF32", "", "", "" },
	{ "Fully Connected (NC) GEMM", 0, "", "", "", "" },
	{ "Fully Connected (NC, ABCDEFGHIJKLMNOPQR, PF32) GEMM", 0, "", "", "", "" },
	/* types that are not packed: certainly not KleidiAI */
	{ "Fully Connected (NC, F32) GEMM", 1, "F32", "", "", "gemm fp32" },
	{ "Fully Connected (NC, F32, QC4W) GEMM", 1, "F32", "", "", "gemm fp32, int4 weights" },
	{ "Fully Connected (NC, QDU8, F32, QB4W) GEMM", 1, "QDU8", "", "", "gemm int4 block" },
	{ "Convolution (NHWC, QC8) IGEMM", 1, "QC8", "", "", "conv int8" },
	{ "Convolution (NHWC, F16) DWConv", 1, "DWConv", "", "", "" },
	{ "Convert (NC, F32, QD8)", 1, "", "", "", "" },
	{ "Convert (NC)", 1, "", "", "", "" },
	{ "Transpose (ND, X32) Transpose", 1, "", "", "", "" },
	{ "Invalid Unary Op", 1, "", "", "", "" },
};

static void judges_by_the_type_and_the_kernel(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		struct said s;

		say(rules[i].name, &s);
		if (s.number[ETCORE_CLASS_LIBRARY_RAN] != rules[i].ran ||
		    strcmp(s.text[ETCORE_CLASS_LIBRARY_WHY], rules[i].why) != 0)
			fail_msg("%s: %lld, %s", rules[i].name,
			         (long long)s.number[ETCORE_CLASS_LIBRARY_RAN],
			         s.text[ETCORE_CLASS_LIBRARY_WHY]);
		assert_true(s.has_number[ETCORE_CLASS_LIBRARY_RAN]);
		assert_string_equal(s.text[ETCORE_CLASS_KERNEL_LIBRARY],
		                    rules[i].ran == ETCORE_RAN_YES ? "kleidiai" : "");
		assert_string_equal(s.text[ETCORE_CLASS_ISA], rules[i].isa);
		assert_string_equal(s.text[ETCORE_CLASS_CANONICAL], rules[i].canonical);
		assert_string_equal(s.text[ETCORE_CLASS_VARIANT], rules[i].variant);
	}
}

static void says_nothing_without_the_owners_facts(void **state)
{
	struct etcore_facts none = { .size = sizeof none };
	struct said s;
	struct made m;

	(void)state;
	made_init(&m);
	made_add(&m, text_of("Fully Connected (NC, PF32) GEMM #1"));
	assert_int_equal(asked_say(&kleidiai, kleidiai.abi->classify, &m, 0, &s), ETCORE_DECLINE);
	m.events[0].facts = &none;
	assert_int_equal(asked_say(&kleidiai, kleidiai.abi->classify, &m, 0, &s), ETCORE_DECLINE);
	assert_int_equal(kleidiai.abi->role, ETCORE_ROLE_ANNOTATOR);
	assert_null(kleidiai.abi->describe_time);
}

static void survives_endless_facts(void **state)
{
	size_t len = (size_t)1 << 20;
	char *big = malloc(len);
	struct etcore_facts facts = { .size = sizeof facts };
	struct said s;
	struct made m;

	(void)state;
	assert_non_null(big);
	made_init(&m);
	made_add(&m, text_of("x"));
	m.events[0].facts = &facts;
	for (const char *fill = "PQ,W "; *fill; fill++) {
		memset(big, *fill, len);
		facts.operator_name = text_of("Fully Connected");
		facts.kernel = text_of("GEMM");
		facts.precision = facts.layout = (struct etcore_text){ big, len };
		facts.types = text_of("PF32");
		assert_int_equal(asked_say(&kleidiai, kleidiai.abi->classify, &m, 0, &s),
		                 ETCORE_OK);
		facts.types = (struct etcore_text){ big, len };
		facts.kernel = facts.types;
		memset(&s, 0, sizeof s);
		(void)asked_say(&kleidiai, kleidiai.abi->classify, &m, 0, &s);
	}
	free(big);
}

/* Fills `f` with number `at` of 1,080 sets of facts that all differ. */
static void facts_at(unsigned at, struct etcore_facts *f)
{
	static const char *const operators[] = { "Fully Connected", "Convolution", "Convert",
		                                 "Pack LH", "Batch Matrix Multiply" };
	static const char *const types[] = { "PF32", "PQS8, QS8, QC8W", "QP8, F32, QC4W",
		                             "F32",  "F32, QP8",        "" };
	static const char *const kernels[] = { "GEMM", "IGEMM", "DWConv", "" };
	static const char *const precisions[] = { "fp32", "int4", "" };
	static char layout[200];

	f->operator_name = text_of(operators[at % 5]);
	f->types = text_of(types[at / 5 % 6]);
	f->kernel = text_of(kernels[at / 30 % 4]);
	f->precision = text_of(precisions[at / 120 % 3]);
	memset(layout, 'N', sizeof layout);
	f->layout = (struct etcore_text){ layout, at / 360 % 3 * 90 };
}

static void what_was_said_before_changes_no_answer(void **state)
{
	struct etcore_facts facts = { .size = sizeof facts };
	struct asked fresh;
	struct said s, t;
	struct made m;

	(void)state;
	made_init(&m);
	made_add(&m, text_of("x"));
	m.events[0].facts = &facts;
	for (unsigned i = 0; i < 2 * 1080; i++) {
		facts_at(i * 7 % 1080, &facts);
		memset(&s, 0, sizeof s);
		memset(&t, 0, sizeof t);
		asked_open(&fresh, ETCORE_PLUGIN_FOLDER "/kleidiai.so", NULL, NULL);
		assert_int_equal(asked_say(&fresh, fresh.abi->classify, &m, 0, &t), ETCORE_OK);
		assert_int_equal(asked_say(&kleidiai, kleidiai.abi->classify, &m, 0, &s),
		                 ETCORE_OK);
		asked_close(&fresh);
		assert_memory_equal(&s, &t, sizeof s);
	}
}

/* ---- cpu_features -------------------------------------------------------------- */

static void expect_isa(const char *features, const char *name, const char *isa, size_t diagnoses)
{
	struct asked narrowed;
	struct said s;

	asked_open(&narrowed, ETCORE_PLUGIN_FOLDER "/kleidiai.so", "cpu_features", features);
	assert_true(say_with(&narrowed, name, &s));
	assert_true(say_with(&narrowed, name, &s));
	assert_string_equal(s.text[ETCORE_CLASS_ISA], isa);
	assert_int_equal(narrowed.diagnoses, diagnoses);
	asked_close(&narrowed);
}

static void leaves_only_what_the_processor_has(void **state)
{
	const char *qp8 = "Fully Connected (NC, QP8, F32, QC8W) GEMM #1";
	const char *pf32 = "Fully Connected (NC, PF32) GEMM #1";

	(void)state;
	expect_isa("fp asimd asimddp i8mm", qp8, "I8MM or DotProd", 0);
	expect_isa("dotprod", qp8, "DotProd", 0);
	expect_isa("sme, sme2, i8mm, dotprod", qp8, EVERY, 0);
	expect_isa("sme i8mm", pf32, "SME", 0);
	/* A list that has none of the needed features must be of another machine. It is not used,
	 * and there is one warning. */
	expect_isa("asimddp", pf32, SME, 1);
	expect_isa("nonsense", qp8, EVERY, 1);
	expect_isa("asimddp", "Convert (NC, F32, QP8) #1", "Neon", 0);
}

/* ---- expected values ------------------------------------------------------------ */

struct truth {
	unsigned families; /* set of bits of family_of() */
	bool isa[4];       /* in the order of isas[] */
};

static const char *const isas[] = { "SME2", "SME", "I8MM", "DotProd" };

/* Returns a bit for the family (types of input and weights) of an executed KleidiAI function; 0:
 * none. The name has the documented grammar matmul_clamp_<dst>_<lhs>_<rhs>_..._<isa>. */
static unsigned family_of(const char *function)
{
	static const struct {
		const char *start, *part;
	} families[] = {
		{ "matmul_clamp_f32_f32", "_" },
		{ "matmul_clamp_f16_f16", "_" },
		{ "matmul_clamp_qai8_", "_" },
		{ "matmul_clamp_f32_qai8dxp", "_qsi8cxp" },
		{ "matmul_clamp_f32_qai8dxp", "_qsi4cxp" },
		{ "matmul_clamp_f32_qai8dxp", "_qsi4c32p" },
	};

	for (unsigned i = 0; i < 6; i++)
		if (strncmp(function, families[i].start, strlen(families[i].start)) == 0 &&
		    strstr(function, families[i].part))
			return 1u << i;
	return 0;
}

/* Returns the same bit for an operator, from XNNPACK's name of it. */
static unsigned family_of_name(const char *name)
{
	static const char *const families[] = {
		"PF32)", "PF16)", "PQS8, ", "QP8, F32, QC8W", "QP8, F32, QC4W", "QP8, F32, QB4W"
	};

	for (unsigned i = 0; i < 6; i++)
		if (strstr(name, families[i]))
			return 1u << i;
	return 0;
}

static void note_function(const char *function, struct truth *truth)
{
	static const char *const marks[] = { "_sme2_", "_sme_", "_i8mm", "_dotprod" };

	truth->families |= family_of(function);
	for (size_t i = 0; i < 4; i++)
		if (family_of(function) && strstr(function, marks[i]))
			truth->isa[i] = true;
}

static void string_of(struct pyjson_value v, char *to)
{
	struct etcore_text text;
	char *owned;

	assert_int_equal(pyjson_string(v, &text, &owned), ETCORE_OK);
	keep_text(to, text);
	free(owned);
}

static struct truth truth_of(struct pyjson_value run)
{
	struct pyjson_value list, item;
	struct truth truth = { 0 };
	uint64_t at = 0;
	char function[TEXT_MAX];

	if (pyjson_get(run, "kai_run", &list) != ETCORE_OK)
		return truth;
	while (pyjson_element(list, &at, &item)) {
		string_of(item, function);
		note_function(function, &truth);
	}
	return truth;
}

/* Checks one event. If the plugin says that KleidiAI ran, a function of the event's family must
 * have been executed, with one of the instruction sets that the plugin names. Returns the family,
 * or 0 if KleidiAI did not run. */
static unsigned check_event(const char *name, const struct truth *truth, const char *place)
{
	struct said s;
	bool fits = false;

	assert_true(say_with(&kleidiai, name, &s));
	if (s.number[ETCORE_CLASS_LIBRARY_RAN] == ETCORE_RAN_UNKNOWN)
		fail_msg("%s: cannot tell of %s", place, name);
	if (s.number[ETCORE_CLASS_LIBRARY_RAN] != ETCORE_RAN_YES)
		return 0;
	if (!(truth->families & family_of_name(name)))
		fail_msg("%s: no function of %s was executed", place, name);
	for (size_t i = 0; i < 4; i++)
		fits = fits || (truth->isa[i] && strstr(s.text[ETCORE_CLASS_ISA], isas[i]));
	if (!fits)
		fail_msg("%s: %s fits nothing that was executed", place, s.text[ETCORE_CLASS_ISA]);
	return family_of_name(name);
}

/* Checks all delegate events of a net on a processor. Returns their number. */
static size_t check_run(struct pyjson_value run, const char *place)
{
	struct truth truth = truth_of(run);
	struct pyjson_value events, delegated, name, flag;
	uint64_t at = 0, flag_at = 0;
	unsigned claimed = 0;
	size_t count = 0;
	char text[TEXT_MAX];

	if (pyjson_get(run, "events", &events) != ETCORE_OK)
		return 0; /* the model does not load on that processor */
	assert_int_equal(pyjson_get(run, "delegated", &delegated), ETCORE_OK);
	while (pyjson_element(events, &at, &name) && pyjson_element(delegated, &flag_at, &flag)) {
		if (flag.kind != PYJSON_TRUE)
			continue;
		string_of(name, text);
		claimed |= check_event(text, &truth, place);
		count++;
	}
	if (claimed != truth.families)
		fail_msg("%s: claimed %x, executed %x", place, claimed, truth.families);
	return count;
}

static void agrees_with_what_was_executed(void **state)
{
	struct pyjson_value net, runs, cpu, run;
	struct pyjson doc;
	size_t len, events = 0, with_kleidiai = 0, pairs = 0;
	uint8_t *bytes = file_bytes("tests/data/arm/kernels.json", &len);
	uint64_t at = 0;

	(void)state;
	assert_int_equal(pyjson_load(&doc, (struct etcore_bytes){ bytes, len }), PYJSON_OK);
	while (pyjson_member(doc.root, &at, &net, &runs)) {
		uint64_t run_at = 0;

		while (pyjson_member(runs, &run_at, &cpu, &run)) {
			char place[TEXT_MAX], name[2][TEXT_MAX];
			size_t n;

			string_of(net, name[0]);
			string_of(cpu, name[1]);
			snprintf(place, sizeof place, "%.200s on %.200s", name[0], name[1]);
			n = check_run(run, place);
			events += n;
			pairs += n > 0;
			with_kleidiai += truth_of(run).families != 0;
		}
	}
	/* so many are in the file; the test must not pass if only a part of it was read */
	assert_true(pairs > 150 && with_kleidiai > 50 && events > 700);
	pyjson_release(&doc);
	free(bytes);
}

/* Counts the two numbers of "6 of 8" on the screen: the matrix kernels that ran KleidiAI, and all
 * matrix kernels. */
static void counts_the_matrix_kernels(void **state)
{
	static const struct {
		const char *cpu;
		int ran, all;
	} rows[] = { { "sme2", 8, 8 }, { "nosme", 6, 8 }, { "a53", 0, 8 }, { "x86", 0, 8 } };
	size_t len;
	uint8_t *bytes = file_bytes("tests/data/arm/kernels.json", &len);
	struct pyjson doc;
	struct pyjson_value net, run, events, name;

	(void)state;
	assert_int_equal(pyjson_load(&doc, (struct etcore_bytes){ bytes, len }), PYJSON_OK);
	assert_int_equal(pyjson_get(doc.root, "attn_i8d", &net), ETCORE_OK);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t at = 0;
		int ran = 0, all = 0;

		assert_int_equal(pyjson_get(net, rows[i].cpu, &run), ETCORE_OK);
		assert_int_equal(pyjson_get(run, "events", &events), ETCORE_OK);
		while (pyjson_element(events, &at, &name)) {
			char text[TEXT_MAX];
			struct said s;

			string_of(name, text);
			if (!strchr(text, '#'))
				continue; /* no event of a delegate */
			assert_true(say_with(&kleidiai, text, &s));
			if (!s.number[ETCORE_CLASS_IS_MATRIX])
				continue;
			all++;
			ran += s.number[ETCORE_CLASS_LIBRARY_RAN] == ETCORE_RAN_YES;
		}
		assert_int_equal(ran, rows[i].ran);
		assert_int_equal(all, rows[i].all);
	}
	pyjson_release(&doc);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(judges_by_the_type_and_the_kernel),
		cmocka_unit_test(says_nothing_without_the_owners_facts),
		cmocka_unit_test(survives_endless_facts),
		cmocka_unit_test(what_was_said_before_changes_no_answer),
		cmocka_unit_test(leaves_only_what_the_processor_has),
		cmocka_unit_test(agrees_with_what_was_executed),
		cmocka_unit_test(counts_the_matrix_kernels),
	};
	return cmocka_run_group_tests_name("plugin_kleidiai", tests, open_plugins, close_plugins);
}
