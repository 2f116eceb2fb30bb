/* test_compare_results.c -- compares pairs of generated values, as the Inspector's
 * compare_results() does. The recorded outputs and exceptions of the Inspector are in
 * tests/data/pte/compare/pairs.json. */
#include "unit.h"

#include "base/file.h"
#include "commands/inspector/writers.h"
#include "model/limits.h"
#include "formats/container/json.h"

struct fixture {
	struct etc_arena arena;
	struct etc_error err;
	struct etc_json *doc;
};

static struct etc_str text_of(struct fixture *f, const struct etc_json_value *v)
{
	struct etc_str out = { 0 };
	bool bad = false;

	assert_true(etc_json_unescape(&f->arena, etc_json_inside(v->raw), &out, &bad));
	assert_false(bad);
	return out;
}

static unsigned digit(char c)
{
	return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
}

static struct etc_span unhex(struct fixture *f, struct etc_str hex)
{
	uint8_t *out = etc_new(&f->arena, uint8_t, hex.len / 2 + 1);

	for (size_t i = 0; i + 1 < hex.len; i += 2)
		out[i / 2] = (uint8_t)(digit(hex.ptr[i]) << 4 | digit(hex.ptr[i + 1]));
	return (struct etc_span){ out, hex.len / 2 };
}

struct made {
	struct etc_str dtype;
	int64_t sizes[4], strides[4];
	uint32_t rank;
	struct etc_span bytes;
	bool tensor;
};

/* Reads a value {"tensor": "float32", "shape": [...], "hex": "..."}; any other value is not a
 * tensor. */
static void read_value(struct fixture *f, const struct etc_json_value *v, struct made *m)
{
	struct etc_json_iter it, sizes;
	struct etc_json_value member, size;
	struct etc_str key, none;

	*m = (struct made){ 0 };
	assert_true(etc_json_enter(v, &it));
	while (etc_json_next(&it, &key, &member)) {
		if (etc_str_eq(key, ETC_STR("tensor"))) {
			m->tensor = true;
			m->dtype = text_of(f, &member);
		} else if (etc_str_eq(key, ETC_STR("hex"))) {
			m->bytes = unhex(f, text_of(f, &member));
		} else if (etc_str_eq(key, ETC_STR("shape"))) {
			assert_true(etc_json_enter(&member, &sizes));
			while (etc_json_next(&sizes, &none, &size))
				assert_true(etc_json_int(size.raw, &m->sizes[m->rank++]));
		} else {
			etc_json_verify(&member);
		}
	}
	for (int64_t d = (int64_t)m->rank - 1, n = 1; d >= 0; d--) {
		m->strides[d] = n;
		n *= m->sizes[d];
	}
}

static const struct etc_ref_value *reference(struct fixture *f, const struct made *m)
{
	struct etc_ref_value *v = etc_new(&f->arena, struct etc_ref_value, 1);
	struct etc_ref_tensor *t = etc_new(&f->arena, struct etc_ref_tensor, 1);

	if (!m->tensor)
		return v;
	*t = (struct etc_ref_tensor){
		.dtype = etc_torch_dtype(m->dtype),
		.sizes = m->sizes,
		.strides = m->strides,
		.rank = m->rank,
		.bytes = m->bytes,
	};
	t->count = m->bytes.len / t->dtype->bytes;
	*v = (struct etc_ref_value){ .kind = ETC_REF_TENSOR, .tensor = t };
	return v;
}

static struct etc_insp_value run_value(struct fixture *f, const struct made *m)
{
	struct etc_tensor_data *t = etc_new(&f->arena, struct etc_tensor_data, 1);

	if (!m->tensor)
		return (struct etc_insp_value){ .kind = ETC_INSP_NONE };
	*t = (struct etc_tensor_data){
		.type = etc_scalar_type(etc_torch_dtype(m->dtype)->scalar_type),
		.sizes = m->sizes,
		.rank = m->rank,
		.zeros = m->bytes.len == 0,
		.size = m->bytes.len,
		.bytes = m->bytes,
	};
	return (struct etc_insp_value){ .kind = ETC_INSP_TENSOR, .tensors = t, .count = 1 };
}

struct pair {
	struct etc_str name, text;
	bool raises, some_metrics;
	const struct etc_ref_value *references[16];
	struct etc_insp_value run[16];
	uint32_t reference_count, run_count;
};

static void read_values(struct fixture *f, const struct etc_json_value *list, struct pair *p,
                        bool references)
{
	struct etc_json_iter it;
	struct etc_json_value v;
	struct etc_str none;

	assert_true(etc_json_enter(list, &it));
	while (etc_json_next(&it, &none, &v)) {
		struct made *m = etc_new(&f->arena, struct made, 1);

		read_value(f, &v, m);
		if (references)
			p->references[p->reference_count++] = reference(f, m);
		else
			p->run[p->run_count++] = run_value(f, m);
	}
}

static void read_pair(struct fixture *f, const struct etc_json_value *v, struct pair *p)
{
	struct etc_json_iter it;
	struct etc_json_value member;
	struct etc_str key;

	*p = (struct pair){ 0 };
	assert_true(etc_json_enter(v, &it));
	while (etc_json_next(&it, &key, &member)) {
		p->raises |= etc_str_eq(key, ETC_STR("error"));
		p->some_metrics |= etc_str_eq(key, ETC_STR("metrics"));
		if (etc_str_eq(key, ETC_STR("name")))
			p->name = text_of(f, &member);
		else if (etc_str_eq(key, ETC_STR("stdout")))
			p->text = text_of(f, &member);
		else if (etc_str_eq(key, ETC_STR("reference")) || etc_str_eq(key, ETC_STR("run")))
			read_values(f, &member, p, key.len == 9);
		else
			etc_json_verify(&member);
	}
}

/* Compares the pair's run with its reference, which is the only test case of `forward` in a
 * record. */
static void compare(struct fixture *f, struct pair *p)
{
	struct etc_ref_value cases[4] = {
		{ .kind = ETC_REF_LIST, .items = p->references, .count = p->reference_count },
		{ .kind = ETC_REF_LIST, .count = 1 },
		{ .kind = ETC_REF_STRING, .text = ETC_STR("forward") },
		{ .kind = ETC_REF_DICT, .count = 2 },
	};
	const struct etc_ref_value *one[1] = { &cases[0] }, *two[2] = { &cases[2], &cases[1] };
	struct etc_record record = { .reference_outputs = { .value = &cases[3] } };
	struct etc_insp_block block = { .name = ETC_STR("Execute"),
		                        .bundled_input_index = -1,
		                        .outputs = p->run,
		                        .output_count = p->run_count };
	struct etc_inspector in = {
		.record = &record, .arena = &f->arena, .blocks = &block, .block_count = 1
	};
	struct etc_text out = { 0 };
	enum etc_status st;

	cases[1].items = one;
	cases[3].items = two;
	f->err = (struct etc_error){ 0 };
	st = etc_insp_compare_results(&in, &out, &f->err);
	if (st != (p->raises ? ETC_RAISES : ETC_OK) || !etc_str_eq(etc_text_str(&out), p->text))
		fail_msg(ETC_STR_FMT ": status %d (%s)\n" ETC_STR_FMT "\nwanted\n" ETC_STR_FMT,
		         ETC_STR_ARG(p->name), st, f->err.text, ETC_STR_ARG(etc_text_str(&out)),
		         ETC_STR_ARG(p->text));
	etc_text_release(&out);
}

static void every_recorded_pair_gives_the_same_text(void **state)
{
	struct fixture f = { 0 };
	struct etc_file file;
	struct etc_json_value root, v;
	struct etc_json_iter it;
	struct etc_str none;
	unsigned compared = 0;

	(void)state;
	etc_arena_init(&f.arena, 16 << 20);
	assert_ok(etc_file_open(&file, "tests/data/pte/compare/pairs.json", 1 << 20, &f.err),
	          &f.err);
	assert_ok(etc_json_open((struct etc_str){ (const char *)file.bytes.ptr, file.bytes.len }, 0,
	                        &f.arena, &f.doc, &f.err),
	          &f.err);
	etc_json_root(f.doc, &root);
	assert_true(etc_json_enter(&root, &it));
	while (etc_json_next(&it, &none, &v)) {
		struct pair *p = etc_new(&f.arena, struct pair, 1);

		read_pair(&f, &v, p);
		/* the command line cannot choose metrics */
		if (p->some_metrics)
			continue;
		compare(&f, p);
		compared++;
	}
	assert_ok(etc_json_check(f.doc, &f.err), &f.err);
	assert_true(compared >= 20);
	etc_json_close(f.doc);
	etc_file_release(&file);
	etc_arena_release(&f.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_recorded_pair_gives_the_same_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
