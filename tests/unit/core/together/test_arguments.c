/* test_arguments.c -- finding arguments of a kernel call that contradict the record's node. */
#include "json_fixture.h"

#include <math.h>

#include "together/arguments.h"
#include "formats/etrecord/graph_arguments.h"

#define TENSOR         "{\"name\": \"self\", \"arg\": {\"as_tensor\": {\"name\": \"x\"}}}"
#define ARG(name, arg) ", {\"name\": \"" name "\", \"arg\": {" arg "}}"
#define NODE(args)     "{\"target\": \"t\", \"inputs\": [" TENSOR args "], \"metadata\": {}}"

enum { RANK = 3, VALUES = 8 };

/* Added to `count` of an example of which not all numbers and texts are compared. */
enum { PART = 1 << 8 };

/* Indices of a program's values. FIRST is the first of those that an example gives. */
enum { INPUT, RESULT, ITEMS, FIRST };

static const int64_t two_items[] = { ITEMS, ITEMS };

#define INTEGER_VALUE(n)                               \
	{                                              \
		.kind = ETC_EVALUE_INT, .integer = (n) \
	}
#define BOOL_VALUE(n)                                   \
	{                                               \
		.kind = ETC_EVALUE_BOOL, .integer = (n) \
	}
#define REAL_VALUE(n)                                    \
	{                                                \
		.kind = ETC_EVALUE_DOUBLE, .number = (n) \
	}
#define TEXT_VALUE(s)                                                    \
	{                                                                \
		.kind = ETC_EVALUE_STRING, .text = {(s), sizeof(s) - 1 } \
	}
#define NULL_VALUE                      \
	{                               \
		.kind = ETC_EVALUE_NULL \
	}
#define LIST_VALUE                                                                     \
	{                                                                              \
		.kind = ETC_EVALUE_INT_LIST, .items = {(const uint8_t *)two_items, 2 } \
	}

/* A kernel call, and the node `json` of the record. The call's arguments are the input and `count`
 * values. The value ITEMS, which lists refer to, is 2. */
struct example {
	const char *op, *kernel, *json;
	const char *what; /* part of the expected text; NULL: no argument differs */
	uint32_t count;
	struct etc_evalue values[4];
};

/* True: all numbers and texts were compared. */
static bool compare(struct fixture *f, const struct example *e, char *to, size_t room)
{
	const struct etc_evalue_tensor tensor = { .scalar_type = 6 };
	const struct etc_graph_tensor input = { .known = true, .rank = RANK };
	struct etc_evalue values[VALUES] = {
		[INPUT] = { .kind = ETC_EVALUE_TENSOR, .tensor = &tensor },
		[RESULT] = { .kind = ETC_EVALUE_TENSOR, .tensor = &tensor },
		[ITEMS] = { .kind = ETC_EVALUE_INT, .integer = 2 }
	};
	const struct etc_program_method m = { .values = values, .value_count = VALUES };
	const struct etc_node node = { .op = etc_str_of(e->op) };
	const struct etc_graph_flow flow = { .tensors = &input };
	char text[1024 + ETC_GRAPH_NODE_ROOM] = "";
	int32_t args[VALUES] = { INPUT };
	const struct etc_graph_call call = { .inputs = { 0, 1 },
		                             .json = { text, strlen(e->json) } };
	uint32_t count = 1;
	uint64_t bytes = 0;
	bool whole;

	strcpy(text, e->json);
	for (uint32_t i = 0; i < e->count % PART; i++) {
		values[FIRST + i] = e->values[i];
		args[count++] = (int32_t)(FIRST + i);
	}
	args[count++] = RESULT;
	args[count++] = RESULT;
	assert_ok(etc_arguments_compare(&(struct etc_kernel_call){ &m,
	                                                           { (const uint8_t *)args, count },
	                                                           etc_str_of(e->kernel),
	                                                           &node,
	                                                           &flow,
	                                                           &call },
	                                &f->arena, &bytes, to, room, &whole, &f->err),
	          &f->err);
	return whole;
}

static void check(struct fixture *f, const struct example *examples, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct example *e = &examples[i];
		char text[120];

		const bool whole = compare(f, e, text, sizeof text);

		if (e->what ? !strstr(text, e->what) : text[0] != '\0')
			fail_msg("%zu %s %s: \"%s\", expected \"%s\"", i, e->op, e->json, text,
			         e->what ? e->what : "");
		if (!e->what && whole == (e->count >= PART))
			fail_msg("%zu %s %s: %s was compared", i, e->op, e->json,
			         whole ? "all" : "not all");
	}
}

#define SOFTMAX(dim)                                   \
	"aten._softmax.default", "aten::_softmax.out", \
		NODE(ARG("dim", "\"as_int\": " dim) ARG("half_to_float", "\"as_bool\": false"))
#define CLAMP(args) "aten.clamp.default", "aten::clamp.out", NODE(args)

static void finds_another_number_or_text(void **state)
{
	static const struct example examples[] = {
		{ SOFTMAX("0"),
		  "1 and 0 as argument \"dim\"",
		  2,
		  { INTEGER_VALUE(1), BOOL_VALUE(0) } },
		{ SOFTMAX("-1"), "1 and -1", 2, { INTEGER_VALUE(1), BOOL_VALUE(0) } },
		{ SOFTMAX("-1"), NULL, 2, { INTEGER_VALUE(RANK - 1), BOOL_VALUE(0) } },
		{ SOFTMAX("1"), NULL, 2, { INTEGER_VALUE(1), BOOL_VALUE(0) } },
		{ CLAMP(ARG("min", "\"as_int\": -1") ARG("max", "\"as_float\": 1.5")),
		  NULL,
		  2,
		  { INTEGER_VALUE(-1), REAL_VALUE(1.5) } },
		{ CLAMP(ARG("min", "\"as_int\": -1") ARG("max", "\"as_float\": 1.5")),
		  "1 and -1 as argument \"min\"",
		  2,
		  { INTEGER_VALUE(1), REAL_VALUE(1.5) } },
		/* the program has 1e-5 as a float32, the record as a double */
		{ CLAMP(ARG("min", "\"as_float\": 1e-05") ARG("max", "\"as_float\": Infinity")),
		  NULL,
		  2,
		  { REAL_VALUE((double)1e-05f), REAL_VALUE((double)INFINITY) } },
		{ CLAMP(ARG("min", "\"as_none\": []") ARG("max", "\"as_int\": 1")),
		  "different values of argument \"min\"",
		  2,
		  { INTEGER_VALUE(0), INTEGER_VALUE(1) } },
		{ "aten.gelu.default",
		  "aten::gelu.out",
		  NODE(ARG("approximate", "\"as_string\": \"tanh\"")),
		  "argument \"approximate\"",
		  1,
		  { TEXT_VALUE("none") } },
		{ "aten.permute_copy.default",
		  "aten::permute_copy.out",
		  NODE(ARG("dims", "\"as_ints\": [2, 1]")),
		  "argument \"dims\"",
		  1,
		  { LIST_VALUE } },
		{ "aten.permute_copy.default",
		  "aten::permute_copy.out",
		  NODE(ARG("dims", "\"as_ints\": [2, -1]")),
		  NULL,
		  1,
		  { LIST_VALUE } },
	};

	check(*state, examples, sizeof examples / sizeof *examples);
}

static void compares_defaults_that_the_record_lacks(void **state)
{
	static const struct example examples[] = {
		{ "aten.gelu.default",
		  "aten::gelu.out",
		  NODE(""),
		  NULL,
		  1,
		  { TEXT_VALUE("none") } },
		{ "aten.gelu.default",
		  "aten::gelu.out",
		  NODE(""),
		  "argument \"approximate\"",
		  1,
		  { TEXT_VALUE("tanh") } },
		{ "aten.leaky_relu.default",
		  "aten::leaky_relu.out",
		  NODE(""),
		  "0.2 and 0.01",
		  1,
		  { REAL_VALUE(0.2) } },
		/* the record may lack one of the two limits */
		{ CLAMP(ARG("max", "\"as_int\": 1")), NULL, 2, { NULL_VALUE, INTEGER_VALUE(1) } },
		{ CLAMP(ARG("max", "\"as_int\": 1")),
		  "2 and 1",
		  2,
		  { NULL_VALUE, INTEGER_VALUE(2) } },
		/* the integer is compared with "dim", not with "keepdim", which is a bool */
		{ "aten.argmax.default",
		  "aten::argmax.out",
		  NODE(ARG("dim", "\"as_int\": 0")),
		  "1 and 0",
		  2,
		  { INTEGER_VALUE(1), BOOL_VALUE(0) } },
	};

	check(*state, examples, sizeof examples / sizeof *examples);
}

static void counts_what_is_not_compared(void **state)
{
	static const struct example examples[] = {
		/* an argument that the record and the table of defaults lack */
		{ "aten.argmax.default",
		  "aten::argmax.out",
		  NODE(ARG("dim", "\"as_int\": 0")),
		  NULL,
		  PART + 2,
		  { INTEGER_VALUE(0), BOOL_VALUE(1) } },
		{ "aten.argmax.default",
		  "aten::argmax.out",
		  NODE(ARG("dim", "\"as_int\": 0")),
		  NULL,
		  2,
		  { INTEGER_VALUE(0), BOOL_VALUE(0) } },
		/* a default that ATen repeats for each dimension */
		{ "aten.max_pool2d_with_indices.default",
		  "aten::max_pool2d_with_indices.out",
		  NODE(ARG("kernel_size", "\"as_ints\": [2, 2]")
		               ARG("stride", "\"as_ints\": [2, 2]")),
		  "argument \"padding\"",
		  3,
		  { LIST_VALUE, LIST_VALUE, LIST_VALUE } },
		/* the arguments of other libraries, if they have numbers or texts */
		{ "my.scale.default",
		  "my::scale.out",
		  NODE(ARG("by", "\"as_int\": 0")),
		  NULL,
		  PART + 1,
		  { INTEGER_VALUE(1) } },
		{ "my.scale.default", "my::scale.out", NODE(""), NULL, 1, { NULL_VALUE } },
		{ "dim_order_ops._to_dim_order_copy.default",
		  "dim_order_ops::_to_dim_order_copy.out",
		  NODE(ARG("dim_order", "\"as_ints\": [0, 1]")),
		  NULL,
		  2,
		  { BOOL_VALUE(0), LIST_VALUE } },
	};

	check(*state, examples, sizeof examples / sizeof *examples);
}

static void leaves_out_what_lowering_may_change(void **state)
{
	static const struct example examples[] = {
		/* not compared: sizes, symbols, positions from the end, None */
		{ "aten.view_copy.default",
		  "aten::view_copy.out",
		  NODE(ARG("size", "\"as_ints\": [-1, 7]")),
		  NULL,
		  1,
		  { LIST_VALUE } },
		{ "aten.permute_copy.default",
		  "aten::permute_copy.out",
		  NODE(ARG("dims", "\"as_sym_ints\": [{\"as_name\": \"s\"}, {\"as_int\": 2}]")),
		  NULL,
		  1,
		  { LIST_VALUE } },
		{ "aten.select_copy.int",
		  "aten::select_copy.int_out",
		  NODE(ARG("dim", "\"as_int\": 0") ARG("index", "\"as_int\": -1")),
		  NULL,
		  2,
		  { INTEGER_VALUE(0), INTEGER_VALUE(7) } },
		{ "aten.slice_copy.Tensor",
		  "aten::slice_copy.Tensor_out",
		  NODE(ARG("dim", "\"as_int\": 0") ARG("start", "\"as_none\": []") ARG(
			  "end", "\"as_int\": 9223372036854775807") ARG("step", "\"as_int\": 1")),
		  NULL,
		  4,
		  { INTEGER_VALUE(0), INTEGER_VALUE(0), INTEGER_VALUE(8), INTEGER_VALUE(1) } },
		/* not compared: another operator whose name has the same stem, an operator of
		 * another library, arguments of other kinds */
		{ "aten.softmax.int",
		  "aten::_softmax.out",
		  NODE(ARG("dim", "\"as_int\": 0")),
		  NULL,
		  PART + 2,
		  { INTEGER_VALUE(1), BOOL_VALUE(0) } },
		{ "my.scale.default",
		  "my::scale.out",
		  NODE(ARG("by", "\"as_int\": 0")),
		  NULL,
		  PART + 1,
		  { INTEGER_VALUE(1) } },
		{ "aten.pow.Tensor_Tensor",
		  "aten::pow.Tensor_Scalar_out",
		  NODE(ARG("exponent", "\"as_tensor\": {\"name\": \"y\"}")),
		  NULL,
		  PART + 1,
		  { INTEGER_VALUE(1) } },
		/* not compared: damaged nodes */
		{ SOFTMAX("99999999999999999999"),
		  NULL,
		  PART + 2,
		  { INTEGER_VALUE(1), BOOL_VALUE(0) } },
		{ SOFTMAX("[]"), NULL, PART + 2, { INTEGER_VALUE(1), BOOL_VALUE(0) } },
		{ SOFTMAX("}"), NULL, PART + 2, { INTEGER_VALUE(1), BOOL_VALUE(0) } },
		{ "aten.relu.default",
		  "aten::relu.out",
		  "{\"inputs\": [",
		  NULL,
		  0,
		  { NULL_VALUE } },
	};

	check(*state, examples, sizeof examples / sizeof *examples);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(finds_another_number_or_text, setup, teardown),
		cmocka_unit_test_setup_teardown(compares_defaults_that_the_record_lacks, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(counts_what_is_not_compared, setup, teardown),
		cmocka_unit_test_setup_teardown(leaves_out_what_lowering_may_change, setup,
		                                teardown),
	};

	return cmocka_run_group_tests_name("together_arguments", tests, NULL, NULL);
}
