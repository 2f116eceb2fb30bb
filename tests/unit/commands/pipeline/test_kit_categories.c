/* test_kit_categories.c -- the two functions of the kit (Arm's SME2 profiling kit) that give a name
 * a category. kit_categories.py compares 2,022 names with what the kit returned; here are special
 * cases.
 *
 * kit_categories.py runs this program with the argument "-". The program then reads a name in hex
 * digits from each line of standard input ("-": an empty name), and prints both categories. */
#include "unit.h"

#include "commands/pipeline/categories.h"

static void both(const char *name, const char *v1, const char *v2)
{
	assert_string_equal(etc_category_v1(etc_str_of(name)), v1);
	assert_string_equal(etc_category_v2(etc_str_of(name)), v2);
}

static void v1_takes_the_first_substring(void **state)
{
	(void)state;
	both("Convert (NC, F32, QD8)", "Convolution", "OTHER");
	both("Resize Bilinear (NHWC)", "GEMM", "RESIZE");
	both("Fully Connected (NC, F32)", "Other", "GEMM");
	both("Batch Matrix Multiply (NC, F32)", "Elementwise", "ELEMENTWISE");
	both("", "Other", "OTHER");
}

static void v2_takes_whole_words(void **state)
{
	(void)state;
	both("conv4d", "Convolution", "OTHER");
	both("conv3d", "Convolution", "CONV");
	both("native_call_max_pool2d_with_indices.out", "Other", "POOL");
	both("mmm", "Other", "OTHER");
	both("aten::mm", "Other", "GEMM");
}

static void v2_takes_the_category_that_is_first_in_its_order(void **state)
{
	(void)state;
	both("native_call_view_copy.out", "Data Movement", "RESHAPE");
	both("softmax conv", "Convolution", "CONV");
	both("x igemm add", "GEMM", "CONV");
}

static void v2_pairs_words_one_blank_apart(void **state)
{
	(void)state;
	both("per-tensor", "Other", "QUANT");
	both("per _ tensor", "Other", "QUANT");
	both("per(tensor", "Other", "OTHER");
	both("pertensor", "Other", "OTHER");
	both("flash_attn", "Other", "ATTENTION");
	both("Fully  Connected", "Other", "GEMM");
	both("index.select", "Other", "DATA_MOVEMENT");
}

static void words_end_where_pythons_end(void **state)
{
	(void)state;
	both("add\xc2\xa0x", "Elementwise", "ELEMENTWISE"); /* U+00A0, no-break space */
	both("x\xc3\xa4"
	     "add",
	     "Elementwise", "OTHER");                       /* a letter */
	both("conv\xcc\x81", "Convolution", "CONV");        /* a combining mark */
	both("sta\xc3\xa7k", "Other", "OTHER");             /* c with cedilla */
	both("stac\xe2\x84\xaa", "Other", "DATA_MOVEMENT"); /* K is the kelvin sign */
	both("\xc4\xb0gemm", "GEMM", "GEMM");               /* I with a dot */
	both("add\xff", "Elementwise", "ELEMENTWISE");      /* not UTF-8 */
}

static void long_words_are_no_words(void **state)
{
	char name[400];

	(void)state;
	memset(name, 'x', sizeof name);
	memcpy(name + 390, " conv", 6);
	both(name, "Convolution", "CONV");
	memcpy(name + 380, "softmaxsof", 10);
	memcpy(name + 390, "tmax", 5);
	both(name, "Other", "OTHER");
}

static int filter(void)
{
	char line[1 << 14], name[1 << 13];

	while (scanf("%16383s", line) == 1) {
		struct etc_str s = { name, 0 };

		for (unsigned v, i = 0; sscanf(line + i, "%2x", &v) == 1; i += 2)
			name[s.len++] = (char)v;
		printf("%s\t%s\n", etc_category_v1(s), etc_category_v2(s));
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(v1_takes_the_first_substring),
		cmocka_unit_test(v2_takes_whole_words),
		cmocka_unit_test(v2_takes_the_category_that_is_first_in_its_order),
		cmocka_unit_test(v2_pairs_words_one_blank_apart),
		cmocka_unit_test(words_end_where_pythons_end),
		cmocka_unit_test(long_words_are_no_words),
	};

	if (argc == 2 && strcmp(argv[1], "-") == 0)
		return filter();
	return cmocka_run_group_tests_name("kit_categories", tests, NULL, NULL);
}
