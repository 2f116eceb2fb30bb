/* test_plugin_xnnpack.c -- the plugin xnnpack: parsing the names of its events, and its other
 * hooks. */
#include "plugin_host.h"

#include <glob.h>

#include "dump.h"

static struct asked xnnpack;

static int open_plugin(void **state)
{
	(void)state;
	asked_open(&xnnpack, ETCORE_PLUGIN_FOLDER "/xnnpack.so", NULL, NULL);
	return 0;
}

static int close_plugin(void **state)
{
	(void)state;
	asked_close(&xnnpack);
	return 0;
}

/* Calls name_event and classify for an event of this name. Returns false if both decline. */
static bool say(struct etcore_text name, struct said *out)
{
	struct made m;
	etcore_result r;

	made_init(&m);
	made_add(&m, name);
	memset(out, 0, sizeof *out);
	r = asked_say(&xnnpack, xnnpack.abi->name_event, &m, 0, out);
	assert_int_equal(asked_say(&xnnpack, xnnpack.abi->classify, &m, 0, out), r);
	assert_true(r == ETCORE_OK || r == ETCORE_DECLINE);
	return r == ETCORE_OK;
}

static const char *const kernels[] = {
	"",
	"Average Pooling",
	"Conv2D HWC2CHW",
	"DWConv",
	"GEMM",
	"IGEMM",
	"Reduce",
	"Reduce2",
	"Pixelwise Average Pooling",
	"SPMM",
	"Subconv2D",
	"Transpose",
	"VMulCAddC",
};

struct row {
	const char *name, *operator_name, *layout, *types, *category, *precision, *variant;
};

static const struct row catalogue[] = {
#define X(...) { __VA_ARGS__ },
#include "xnnpack_catalogue.def"
#undef X
};

static void check_row(const struct row *row, const char *kernel, int ordinal)
{
	bool nameless = row->layout[0] == '\0' && row->types[0] == '\0';
	bool matrix = strcmp(kernel, "GEMM") == 0 || strcmp(kernel, "IGEMM") == 0;
	char display[200], name[220];
	struct said s;

	snprintf(display, sizeof display, "%s%s%s", row->name, *kernel ? " " : "", kernel);
	snprintf(name, sizeof name, "%s #%d", display, ordinal);
	if (nameless && *kernel) {
		assert_false(say(text_of(name), &s));
		return;
	}
	if (!say(text_of(name), &s))
		fail_msg("declined: %s", name);
	assert_string_equal(s.text[ETCORE_NAME_DISPLAY], display);
	assert_string_equal(s.text[ETCORE_NAME_OPERATOR], row->operator_name);
	assert_string_equal(s.text[ETCORE_NAME_LAYOUT], row->layout);
	assert_string_equal(s.text[ETCORE_NAME_TYPES], row->types);
	assert_string_equal(s.text[ETCORE_NAME_KERNEL], kernel);
	assert_int_equal(s.number[ETCORE_NAME_ORDINAL], ordinal);
	assert_string_equal(s.text[ETCORE_CLASS_CATEGORY], row->category);
	assert_string_equal(s.text[ETCORE_CLASS_PRECISION], row->precision);
	assert_string_equal(s.text[ETCORE_CLASS_VARIANT], row->variant);
	assert_string_equal(s.text[ETCORE_CLASS_COMPUTE_UNIT], "CPU");
	assert_int_equal(s.number[ETCORE_CLASS_IS_MATRIX], matrix);
}

static void reads_the_whole_catalogue_with_every_kernel(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof catalogue / sizeof *catalogue; i++)
		for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
			check_row(&catalogue[i], kernels[k], (int)(i * 13 + k) + 1);
}

static void reads_names_of_other_releases(void **state)
{
	static const struct {
		const char *name, *operator_name, *layout, *types, *category, *variant;
	} rows[] = {
		{ "Convolution (NHWC, F32) GEMM #1", "Convolution", "NHWC", "F32", "convolution",
		  "conv fp32" },
		{ "Add (ND, F32) #2", "Add", "ND", "F32", "elementwise", "" },
		{ "Leaky ReLU (NC, F16) #1", "Leaky ReLU", "NC", "F16", "activation", "" },
		{ "Global Average Pooling (NWC, F32) #1", "Global Average Pooling", "NWC", "F32",
		  "pooling", "" },
		{ "Scaled Dot-Product Attention (NHTC, F32) #1", "Scaled Dot-Product Attention",
		  "NHTC", "F32", "attention", "" },
		{ "Fully Connected (NC, QP8, F32, QC2W) GEMM #3", "Fully Connected", "NC",
		  "QP8, F32, QC2W", "gemm", "gemm int2" },
		{ "Grand New Thing (NC, PBF16, QB2W) GEMM #1", "Grand New Thing", "NC",
		  "PBF16, QB2W", "gemm", "gemm bf16 block, int2 weights" },
		{ "Grand New Thing (NC) #1", "Grand New Thing", "NC", "", "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct said s;

		if (!say(text_of(rows[i].name), &s))
			fail_msg("declined: %s", rows[i].name);
		assert_string_equal(s.text[ETCORE_NAME_OPERATOR], rows[i].operator_name);
		assert_string_equal(s.text[ETCORE_NAME_LAYOUT], rows[i].layout);
		assert_string_equal(s.text[ETCORE_NAME_TYPES], rows[i].types);
		assert_string_equal(s.text[ETCORE_CLASS_CATEGORY], rows[i].category);
		assert_string_equal(s.text[ETCORE_CLASS_VARIANT], rows[i].variant);
	}
}

static void declines_what_is_no_such_name(void **state)
{
	static const char *const names[] = {
		"",
		"#1",
		" #1",
		"Add (ND)",
		"Add (ND) #",
		"Add (ND) #0",
		"Add (ND) #-1",
		"Add (ND) #1x",
		"Add (ND)#1",
		"Add (ND) # 1",
		"Add (ND) #1234567890123456789",
		"Add(ND) #1",
		" (ND) #1",
		"(ND) #1",
		"Add () #1",
		"Add (ND,) #1",
		"Add (ND, ) #1",
		"Add (ND,F32) #1",
		"Add (ND, F32 #1",
		"Add ND, F32) #1",
		"add (ND) #1",
		"Add (nd) #1",
		"Add (ND) gemm #1",
		"Add (ND)  GEMM #1",
		"Add (ND) GEMM  #1",
		"Add (ND) (NC) #1",
		"Invalid Ternary Op #1",
		"Invalid GEMM #1",
		"ETVK_EXECUTE",
		"aten_conv2d_default:conv",
		"Input OpId_2 (cycles)",
		"RPC (execute) time (us)",
		"{\"kernel_name\": \"conv2d\", \"operator_id\": 3}",
		"Add (N\xc3\x84) #1",
		"Add\t(ND) #1",
		"\xff\xfe (ND) #1",
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct said s;

		if (say(text_of(names[i]), &s))
			fail_msg("accepted: '%s'", names[i]);
	}
}

static void survives_nul_and_a_megabyte(void **state)
{
	size_t len = (size_t)1 << 20;
	static const char nul[] = "Add\0 (ND) #1";
	char *big = malloc(len);
	struct said s;

	(void)state;
	assert_non_null(big);
	assert_false(say((struct etcore_text){ nul, sizeof nul - 1 }, &s));
	for (const char *fill = "A ()#1,"; *fill; fill++) {
		memset(big, *fill, len);
		assert_false(say((struct etcore_text){ big, len }, &s));
		memcpy(big + len - 3, " #1", 3);
		assert_false(say((struct etcore_text){ big, len }, &s));
		memcpy(big + len - 8, "(ND) #1", 7);
		assert_false(say((struct etcore_text){ big, len }, &s));
	}
	free(big);
}

/* Parses every prefix of a name in a block of exactly its size. */
static void reads_no_byte_past_the_end(void **state)
{
	static const char name[] = "Convolution (NHWC, PQS8, QS8, QC8W) IGEMM #12";

	(void)state;
	for (size_t n = 0; n < sizeof name; n++) {
		char *exact = malloc(n ? n : 1);
		struct said s;

		assert_non_null(exact);
		memcpy(exact, name, n);
		assert_int_equal(say((struct etcore_text){ exact, n }, &s),
		                 n >= sizeof name - 2 && n < sizeof name);
		free(exact);
	}
}

static int32_t probe(const char *const *names)
{
	struct made m;

	made_init(&m);
	for (; *names; names++)
		made_add(&m, text_of(*names));
	made_add_call_event(&m);
	return xnnpack.abi->probe(xnnpack.self, &m.call);
}

static void recognises_a_call_by_the_majority_of_its_names(void **state)
{
	(void)state;
	assert_int_equal(probe((const char *[]){ NULL }), 0);
	assert_true(probe((const char *[]){ "Add (ND) #1", NULL }) > 50);
	assert_true(probe((const char *[]){ "Invalid Unary Op #1", NULL }) > 50);
	assert_true(probe((const char *[]){ "Pack LH (X8) #1", "Add (ND) #1", "x", NULL }) > 50);
	assert_int_equal(probe((const char *[]){ "Add (ND) #1", "x", NULL }), 0);
	assert_int_equal(probe((const char *[]){ "Add (FOO) #1", NULL }), 0);
	assert_int_equal(probe((const char *[]){ "aten_relu:relu", "b:conv", NULL }), 0);
	/* a DELEGATE_CALL alone does not count */
	assert_int_equal(probe((const char *[]){ NULL }), 0);
}

static void says_that_times_are_whole_microseconds(void **state)
{
	struct etcore_time delegate = { .size = sizeof delegate, .parent = -1 }, call = delegate;
	struct etcore_time *times[] = { &delegate, &call };
	struct etcore_time untouched = call;
	struct made m;

	(void)state;
	made_init(&m);
	made_add(&m, text_of("Add (ND) #1"));
	made_add_call_event(&m);
	assert_int_equal(xnnpack.abi->describe_time(NULL, &m.call, times), ETCORE_OK);
	assert_int_equal(delegate.unit, ETCORE_UNIT_NS);
	assert_true(delegate.ns_per_unit == 1.0);
	assert_int_equal(delegate.clock, ETCORE_CLOCK_HOST);
	assert_int_equal(delegate.start, ETCORE_START_SYNTHETIC);
	assert_int_equal(delegate.duration, ETCORE_DURATION_MEASURED);
	assert_int_equal(delegate.rounding, ETCORE_ROUNDING_TRUNCATED);
	assert_int_equal(delegate.resolution, 1000);
	assert_int_equal(delegate.parent, ETCORE_PARENT_CALL);
	assert_memory_equal(&call, &untouched, sizeof call);
	/* with one of these hooks, the plugin would change the Inspector's table */
	assert_null(xnnpack.abi->parse_metadata);
	assert_null(xnnpack.abi->convert_time);
	assert_null(xnnpack.abi->columns);
}

/* Parses the name of every delegate event in the dumps that match `pattern`. Returns the number of
 * names. */
static size_t read_names_of(const char *pattern)
{
	size_t seen = 0;
	glob_t found;

	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct dump d;

		assert_ok(dump_file(&d, found.gl_pathv[i]), &d.err);
		for (size_t s = 0; s < d.trace.template_count; s++) {
			for (uint32_t e = 0; e < d.trace.templates[s].count; e++) {
				struct etc_str id =
					etc_event_delegate_name(&d.trace.templates[s].events[e]);
				struct said said;

				if (id.len == 0)
					continue;
				if (!say((struct etcore_text){ id.ptr, id.len }, &said))
					fail_msg("%s: declined: " ETC_STR_FMT, found.gl_pathv[i],
					         ETC_STR_ARG(id));
				assert_true(*said.text[ETCORE_CLASS_CATEGORY] ||
				            strncmp(id.ptr, "Invalid", 7) == 0);
				seen++;
			}
		}
		dump_release(&d);
	}
	globfree(&found);
	return seen;
}

static void reads_every_name_of_the_real_dumps(void **state)
{
	(void)state;
	assert_true(read_names_of("tests/data/arm/*/*/run.etdump") > 500);
	assert_true(read_names_of("tests/data/cases/*_xnnpack/run.etdump") > 50);
	assert_true(read_names_of("tests/data/cases/linear_*/run.etdump") > 5);
	assert_true(read_names_of("tests/data/cases/several_delegates/run.etdump") > 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_whole_catalogue_with_every_kernel),
		cmocka_unit_test(reads_names_of_other_releases),
		cmocka_unit_test(declines_what_is_no_such_name),
		cmocka_unit_test(survives_nul_and_a_megabyte),
		cmocka_unit_test(reads_no_byte_past_the_end),
		cmocka_unit_test(recognises_a_call_by_the_majority_of_its_names),
		cmocka_unit_test(says_that_times_are_whole_microseconds),
		cmocka_unit_test(reads_every_name_of_the_real_dumps),
	};
	return cmocka_run_group_tests_name("plugin_xnnpack", tests, open_plugin, close_plugin);
}
