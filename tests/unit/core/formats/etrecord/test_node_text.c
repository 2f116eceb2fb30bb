/* test_node_text.c -- parsing the texts in a node's metadata */
#include "unit.h"

#include "base/text.h"
#include "formats/etrecord/node_text.h"

static void targets_are_shown_as_the_inspector_does(void **state)
{
	static const struct {
		const char *target, *op;
		enum etc_target_kind kind;
	} targets[] = {
		{ "executorch.exir.dialects.edge.ops.aten.linear.default", "aten.linear.default",
		  ETC_TARGET_EDGE },
		{ "executorch.exir.dialects.backend.ops.quantized_decomposed.add.default",
		  "quantized_decomposed.add.default", ETC_TARGET_EDGE },
		{ "executorch.exir.dialects.edge.ops.mylib.op.default", "mylib.op.default",
		  ETC_TARGET_STRANGE },
		{ "torch.ops.aten.add.Tensor", "add.Tensor", ETC_TARGET_ATEN },
		{ "torch.ops.mylib.op.default", "op.default", ETC_TARGET_STRANGE },
		{ "torch.ops.higher_order.cond", "cond", ETC_TARGET_HOP },
		{ "torch.ops.higher_order.executorch_call_delegate", "executorch_call_delegate",
		  ETC_TARGET_DELEGATE },
		{ "_operator.mul", "mul", ETC_TARGET_SYM },
		{ "torch.sym_max", "sym_max", ETC_TARGET_SYM },
		{ "memory.alloc", "alloc", ETC_TARGET_ALLOC },
		{ "executorch.exir.memory.view", "view", ETC_TARGET_STRANGE },
		{ "something else", "something else", ETC_TARGET_STRANGE },
		{ "", "", ETC_TARGET_STRANGE },
		{ "torch.ops.aten", "aten", ETC_TARGET_STRANGE },
	};
	struct etc_str op;

	(void)state;
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
		assert_int_equal(etc_node_target(etc_str_of(targets[i].target), &op),
		                 targets[i].kind);
		assert_str(op, targets[i].op);
	}
}

static void module_stacks_split_at_commas_outside_of_brackets(void **state)
{
	struct etc_arena arena;
	const struct etc_module *m;
	uint32_t count;
	bool odd;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	m = etc_node_modules(&arena,
	                     ETC_STR("L__self__,,model.Net;k , layers[slice(0, 2, None)] ,a.B(c,d);"
	                             "L__self__,again,other.Net"),
	                     &count, &odd);
	assert_false(odd);
	assert_int_equal(count, 2);
	assert_str(m[0].key, "L__self__");
	assert_str(m[0].path, "again");
	assert_str(m[0].klass, "other.Net");
	assert_str(m[1].key, "k");
	assert_str(m[1].path, "layers[slice(0, 2, None)]");
	assert_str(m[1].klass, "a.B(c,d)");
	assert_non_null(etc_node_modules(&arena, ETC_STR("a,b;c,d,e"), &count, &odd));
	assert_true(odd);
	assert_int_equal(count, 1);
	assert_non_null(etc_node_modules(&arena, ETC_STR("a,b),c"), &count, &odd));
	assert_true(odd);
	etc_arena_release(&arena);
}

static void plain_stacks_are_told_wherever_the_other_stands(void **state)
{
	static const char *const others[] = { "(", ")", "[", "]", "\\", ",", ";" };

	(void)state;
	assert_true(etc_node_plain_modules(ETC_STR(",,")));
	assert_true(etc_node_plain_modules(ETC_STR("L__self__,,model.Net;layers_0,layers.0,a.B")));
	assert_false(etc_node_plain_modules(ETC_STR("")));
	assert_false(etc_node_plain_modules(ETC_STR("a,b")));
	assert_false(etc_node_plain_modules(ETC_STR("a,b,c;")));
	for (size_t at = 0; at < 20; at++)
		for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
			char text[] = "aaaaa,bbbbbbb,ccccccc";

			if (at == 5 || at == 13)
				continue;
			text[at] = others[i][0];
			assert_false(etc_node_plain_modules(etc_str_of(text)));
		}
}

static void a_key_that_comes_again_replaces_in_stacks_of_any_length(void **state)
{
	(void)state;
	for (unsigned items = 2; items < 80; items++) {
		struct etc_arena arena;
		struct etc_text stack = { 0 };
		const struct etc_module *m;
		uint32_t count;
		bool odd;

		etc_arena_init(&arena, 1 << 20);
		for (unsigned i = 0; i < items; i++)
			etc_text_printf(&stack, "k%u,p%u,c;", i % (items - 1), i);
		stack.len--;
		m = etc_node_modules(&arena, etc_text_str(&stack), &count, &odd);
		assert_non_null(m);
		assert_false(odd);
		assert_int_equal(count, items - 1);
		assert_str(m[0].key, "k0");
		assert_int_equal(strtoul(m[0].path.ptr + 1, NULL, 10), items - 1);
		assert_str(m[count - 1].klass, "c");
		etc_text_release(&stack);
		etc_arena_release(&arena);
	}
}

static void the_innermost_frame_of_the_user_is_the_source(void **state)
{
	static const struct {
		const char *trace, *file;
		uint32_t line;
		const char *text;
	} traces[] = {
		{ "  File \"a.py\", line 3, in f\n    x = 1\n  File \"b dir/b.py\", line 18, in "
		  "forward\n"
		  "    return input * other\n           ~~~~~~^~~~~~~\n",
		  "b dir/b.py", 18, "return input * other" },
		{ "File \"model.py\", line 7, in forward", "model.py", 7, "" },
		{ "File \"c\", line 99999999999, in f\n  y", "c", 0, "y" },
		{ "File \"never closed", "", 0, "" },
		{ "no frame at all", "", 0, "" },
		{ "  File \"net.py\", line 5, in forward\n    return self.seq(x)\n  File "
		  "\"/u/lib/site-packages/torch/nn/modules/container.py\", line 250, in forward\n  "
		  "  "
		  "input = module(input)\n  File \"torch/nn/modules/linear.py\", line 134, in "
		  "forward\n    return F.linear(\n",
		  "net.py", 5, "return self.seq(x)" },
		{ "  File \"torch/a.py\", line 1, in f\n    a\n  File \"torch/b.py\", line 2, in "
		  "g\n    b\n",
		  "torch/b.py", 2, "b" },
		{ "", "", 0, "" },
	};
	struct etc_str file, text;
	uint32_t line;

	(void)state;
	for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
		etc_node_source(etc_str_of(traces[i].trace), &file, &line, &text);
		assert_str(file, traces[i].file);
		assert_int_equal(line, traces[i].line);
		assert_str(text, traces[i].text);
	}
}

static void the_last_item_of_a_list_is_what_follows_the_last_semicolon(void **state)
{
	(void)state;
	assert_str(etc_node_last_item(ETC_STR("a,b;c,d")), "c,d");
	assert_str(etc_node_last_item(ETC_STR("mul,_operator.mul")), "mul,_operator.mul");
	assert_str(etc_node_last_item(ETC_STR("")), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(targets_are_shown_as_the_inspector_does),
		cmocka_unit_test(plain_stacks_are_told_wherever_the_other_stands),
		cmocka_unit_test(module_stacks_split_at_commas_outside_of_brackets),
		cmocka_unit_test(a_key_that_comes_again_replaces_in_stacks_of_any_length),
		cmocka_unit_test(the_innermost_frame_of_the_user_is_the_source),
		cmocka_unit_test(the_last_item_of_a_list_is_what_follows_the_last_semicolon),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
