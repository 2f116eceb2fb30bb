/* test_pickle.c -- pickles as torch.save writes them: made by hand, damaged, and very large.
 * tests/pickle_truth.py compares hundreds of others with what torch reads. */
#include "unit.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/text.h"
#include "formats/etrecord/etrecord.h"
#include "formats/pickle/torch_save.h"
#include "formats/container/zip.h"
#include "zip_maker.h"

#define SPAN(s) ((struct etc_span){ (const uint8_t *)(s), sizeof(s) - 1 })
#define CASE                       \
	"]q\x02(X\x01\x00\x00\x00" \
	"aK\x05"                   \
	"e"
#define FORWARD             \
	"X\x07\x00\x00\x00" \
	"forward"
#define STORAGE                                                            \
	"(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x00" \
	"0X\x03\x00\x00\x00"                                               \
	"cpuK\x06tQ"
#define TENSOR \
	"ctorch._utils\n_rebuild_tensor_v2\n(" STORAGE "K\x01K\x02K\x02\x86K\x02K\x01\x86\x89NtR"

struct fixture {
	struct etc_arena arena;
	struct etc_pickle_fault why;
	const struct etc_ref_value *value;
	uint8_t storage[24];
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	etc_arena_init(&f->arena, (size_t)256 << 20);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	etc_arena_release(&f->arena);
	free(f);
	return 0;
}

/* Provides a tensor's storage, which is always the 24 bytes of the fixture. */
static enum etc_pickle_verdict find(void *arg, struct etc_ref_storage *s,
                                    struct etc_pickle_fault *why)
{
	struct fixture *f = arg;

	(void)why;
	if (s->bytes != sizeof f->storage)
		return ETC_PICKLE_REFUSED;
	s->data = (struct etc_span){ f->storage, sizeof f->storage };
	return ETC_PICKLE_READ;
}

static enum etc_pickle_verdict look(struct fixture *f, struct etc_span pickle)
{
	return etc_pickle_read(pickle, ETC_PICKLE_TORCH, find, f, &f->arena, &f->value, &f->why);
}

/* Reads a copy in a block of its own size, so that a sanitizer detects a read past the end. */
static enum etc_pickle_verdict look_exactly(const uint8_t *bytes, size_t size)
{
	struct fixture f = { 0 };
	uint8_t *copy = malloc(size ? size : 1);
	enum etc_pickle_verdict verdict;

	etc_arena_init(&f.arena, 1 << 24);
	memcpy(copy, bytes, size);
	verdict = look(&f, (struct etc_span){ copy, size });
	assert_true(verdict == ETC_PICKLE_READ || f.why.why[0] || f.why.at == 0 ||
	            verdict == ETC_PICKLE_REFUSED);
	etc_arena_release(&f.arena);
	free(copy);
	return verdict;
}

static void finds_values_by_their_keys(void **state)
{
	static const char pickle[] = "\x80\x02}" FORWARD "]" CASE "as.";
	struct fixture *f = *state;
	const struct etc_ref_value *list;

	assert_int_equal(look(f, SPAN(pickle)), ETC_PICKLE_READ);
	assert_true(etc_ref_is_dict(f->value));
	list = etc_ref_get(f->value, ETC_STR("forward"));
	assert_non_null(list);
	assert_null(etc_ref_get(f->value, ETC_STR("backward")));
	assert_int_equal(list->count, 1);
	assert_int_equal(list->items[0]->count, 2);
	assert_str(list->items[0]->items[0]->text, "a");
	assert_int_equal(list->items[0]->items[1]->integer, 5);
}

static void reads_a_view_without_copying(void **state)
{
	static const char pickle[] = "\x80\x02" TENSOR ".";
	struct fixture *f = *state;
	const struct etc_ref_tensor *t;

	assert_int_equal(look(f, SPAN(pickle)), ETC_PICKLE_READ);
	assert_int_equal(f->value->kind, ETC_REF_TENSOR);
	t = f->value->tensor;
	assert_str(t->dtype->name, "float32");
	assert_int_equal(t->rank, 2);
	assert_int_equal(t->sizes[1], 2);
	assert_int_equal(t->strides[0], 2);
	assert_int_equal(t->count, 4);
	assert_ptr_equal(t->bytes.ptr, f->storage + 4);
	assert_int_equal(t->bytes.len, 16);
}

static void refuses_by_name(void **state)
{
	const struct {
		struct etc_span pickle;
		const char *why;
	} cases[] = {
		{ SPAN("\x80\x02"
		       "cos\nsystem\nX\x04\x00\x00\x00true\x85R."),
		  "os.system" },
		{ SPAN("\x80\x02"
		       "c__builtin__\neval\nX\x01\x00\x00\x00"
		       "1\x85R."),
		  "__builtin__.eval" },
		{ SPAN("\x80\x04\x95\x00"), "0x95" },
		{ SPAN("\x80\x02i"), "0x69" },
		{ SPAN("\x80\x02K\x01K\x01R."), "no function" },
		{ SPAN("\x80\x02h\x07."), "never stored" },
		{ SPAN("\x80\x02K\x01K\x02"
		       "a."),
		  "no list" },
		{ SPAN("\x80\x02."), "stack is empty" },
		{ SPAN("\x80\x02"
		       "e."),
		  "no mark" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(look(f, cases[i].pickle), ETC_PICKLE_REFUSED);
		if (!strstr(f->why.why, cases[i].why))
			fail_msg("'%s' does not say '%s'", f->why.why, cases[i].why);
		assert_true(f->why.at <= cases[i].pickle.len);
	}
}

/* Reads 100,000 nested lists, and a list that contains itself. */
static void nests_without_recursion(void **state)
{
	enum { DEPTH = 100000 };
	struct fixture *f = *state;
	char *pickle = malloc(2 * DEPTH + 2);
	const struct etc_ref_value *v;

	memset(pickle, ']', DEPTH + 1);
	memset(pickle + DEPTH + 1, 'a', DEPTH);
	pickle[2 * DEPTH + 1] = '.';
	assert_int_equal(look(f, (struct etc_span){ (uint8_t *)pickle, 2 * DEPTH + 2 }),
	                 ETC_PICKLE_READ);
	v = f->value;
	for (int i = 0; i < DEPTH; i++) {
		assert_int_equal(v->count, 1);
		v = v->items[0];
	}
	assert_int_equal(v->count, 0);
	free(pickle);
	assert_int_equal(look(f, SPAN("\x80\x02]q\x00h\x00"
	                              "a.")),
	                 ETC_PICKLE_READ);
	assert_ptr_equal(f->value->items[0], f->value);
}

/* Elements and lists that are used several times (broadcasts, shared lists) are not copied. */
static void materialises_nothing_that_is_only_a_product(void **state)
{
	static const char broadcast[] =
		"\x80\x02"
		"ctorch._utils\n_rebuild_tensor_v2\n(" STORAGE
		"K\x00J\xff\xff\xff\x7fJ\xff\xff\xff\x7f\x86K\x00K\x00\x86\x89NtR.";
	struct fixture *f = *state;
	struct etc_text t = { 0 };

	assert_int_equal(look(f, SPAN(broadcast)), ETC_PICKLE_READ);
	assert_int_equal(f->value->tensor->count, (uint64_t)INT32_MAX * INT32_MAX);
	assert_int_equal(f->value->tensor->bytes.len, 4);
	/* thirty levels of lists; each list has ten times the list of the level before */
	etc_text_cstr(&t, "]");
	for (char level = 0; level < 30; level++) {
		etc_text_char(&t, 'q');
		etc_text_char(&t, level);
		etc_text_cstr(&t, "](");
		for (int i = 0; i < 10; i++) {
			etc_text_char(&t, 'h');
			etc_text_char(&t, level);
		}
		etc_text_char(&t, 'e');
	}
	etc_text_char(&t, '.');
	assert_int_equal(look(f, etc_span_of(etc_text_str(&t))), ETC_PICKLE_READ);
	etc_text_release(&t);
}

/* Two pickles cost too much. One turns a list of 2^16 items into a set again and again. The other
 * has more values than a record may have. */
static void gives_up_on_too_much_work(void **state)
{
	struct fixture *f = *state;
	struct etc_text t = { 0 };

	etc_text_cstr(&t, "](");
	etc_text_repeat(&t, "N", 1 << 16);
	etc_text_cstr(&t, "eq");
	etc_text_char(&t, 0);
	for (int i = 0; i < 300; i++) {
		etc_text_cstr(&t, "c__builtin__\nset\nh");
		etc_text_char(&t, 0);
		etc_text_cstr(&t, "\x85R");
	}
	etc_text_char(&t, '.');
	assert_int_equal(look(f, etc_span_of(etc_text_str(&t))), ETC_PICKLE_CLOSED);
	assert_non_null(strstr(f->why.why, "copy"));
	etc_text_release(&t);
	etc_text_repeat(&t, "]", ETC_PICKLE_VALUES + 1);
	assert_true(look(f, etc_span_of(etc_text_str(&t))) != ETC_PICKLE_READ);
	etc_text_release(&t);
}

/* Returns the archive of reference outputs that torch.save wrote into a real record. */
static struct etc_span real_archive(struct fixture *f, struct etc_file *file)
{
	struct etc_zip zip;
	struct etc_zip_data data;
	struct etc_error err = { 0 };

	assert_ok(etc_file_open(file, "tests/data/cases/debug_mlp/model.etrecord", 1 << 24, &err),
	          &err);
	assert_ok(etc_zip_open(file->bytes, &f->arena, &zip, &err), &err);
	assert_non_null(etc_zip_find(&zip, ETC_STR("reference_outputs")));
	assert_ok(etc_zip_read(&zip, etc_zip_find(&zip, ETC_STR("reference_outputs")), 0, &f->arena,
	                       &data, &err),
	          &err);
	return data.bytes;
}

static struct etc_span real_pickle(struct fixture *f, struct etc_span archive)
{
	struct etc_zip zip;
	struct etc_zip_data data;
	struct etc_error err = { 0 };

	assert_ok(etc_zip_open_first(archive, &f->arena, &zip, &err), &err);
	assert_ok(etc_zip_read(&zip, etc_zip_find(&zip, ETC_STR("archive/data.pkl")), 1 << 20,
	                       &f->arena, &data, &err),
	          &err);
	return data.bytes;
}

static void a_real_pickle_is_refused_at_every_cut(void **state)
{
	struct fixture *f = *state;
	struct etc_file file = { 0 };
	struct etc_span pickle = real_pickle(f, real_archive(f, &file));
	size_t n = pickle.len;

	/* behind the opcode STOP, '.', there is only padding */
	while (n && pickle.ptr[n - 1] != '.')
		n--;
	assert_true(n > 50);
	for (size_t cut = 0; cut < n; cut++)
		assert_int_equal(look_exactly(pickle.ptr, cut), ETC_PICKLE_REFUSED);
	etc_file_release(&file);
}

static void damage_never_reads_outside(void **state)
{
	static const char made[] =
		"\x80\x02](" TENSOR STORAGE
		"c_codecs\nencode\nX\x02\x00\x00\x00\xc3\xa9X\x06\x00\x00\x00latin1\x86R"
		"}q\x01(K\x01h\x01X\x01\x00\x00\x00"
		"aG?\xf0\x00\x00\x00\x00\x00\x00u\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x80\x00"
		"e.";
	struct fixture *f = *state;
	struct etc_file file = { 0 };
	struct etc_span archive = real_archive(f, &file), real = real_pickle(f, archive);
	uint8_t bytes[sizeof made], *copy = malloc(real.len);
	unsigned loaded = 0;

	for (size_t at = 0; at + 1 < sizeof made; at++)
		for (unsigned b = 0; b < 256; b++) {
			memcpy(bytes, made, sizeof bytes);
			bytes[at] = (uint8_t)b;
			loaded += look_exactly(bytes, sizeof bytes - 1) == ETC_PICKLE_READ;
		}
	assert_true(loaded > sizeof made);
	for (size_t at = 0; at < real.len; at++)
		for (unsigned bit = 0; bit < 8; bit++) {
			memcpy(copy, real.ptr, real.len);
			copy[at] ^= (uint8_t)(1u << bit);
			look_exactly(copy, real.len);
		}
	free(copy);
	etc_file_release(&file);
}

static void an_archive_is_refused_at_every_cut(void **state)
{
	struct fixture *f = *state;
	struct etc_file file = { 0 };
	struct etc_span archive = real_archive(f, &file);

	assert_int_equal(etc_torch_load(archive, ETC_PICKLE_TORCH, &f->arena, &f->value, &f->why),
	                 ETC_PICKLE_READ);
	assert_int_equal(etc_ref_get(f->value, ETC_STR("forward"))->kind, ETC_REF_LIST);
	for (size_t cut = 0; cut < archive.len; cut++) {
		uint8_t *copy = malloc(cut ? cut : 1);

		memcpy(copy, archive.ptr, cut);
		assert_int_equal(etc_torch_load((struct etc_span){ copy, cut }, ETC_PICKLE_TORCH,
		                                &f->arena, &f->value, &f->why),
		                 ETC_PICKLE_REFUSED);
		assert_true(f->why.why[0] != '\0');
		free(copy);
	}
	etc_file_release(&file);
}

static void a_record_lists_the_values_of_its_cases(void **state)
{
	struct fixture *f = *state;
	const struct etc_ref_tensor *tensor;
	struct etc_file file = { 0 };
	struct etc_record r;
	struct etc_error err = { 0 };
	struct etc_notes notes;

	etc_notes_init(&notes, &f->arena);
	assert_ok(etc_file_open(&file, "tests/data/cases/debug_mlp/model.etrecord", 1 << 24, &err),
	          &err);
	assert_ok(etc_etrecord_read(file.bytes, ETC_RECORD_MAPS, &f->arena, &notes, &r, &err),
	          &err);
	assert_int_equal(r.reference_outputs.state, ETC_VALUES_UNREAD);
	assert_ok(etc_etrecord_read(file.bytes, ETC_RECORD_VALUES, &f->arena, &notes, &r, &err),
	          &err);
	assert_int_equal(r.reference_outputs.state, ETC_VALUES_READ);
	assert_int_equal(r.reference_outputs.method_count, 1);
	assert_str(r.reference_outputs.methods[0].method, "forward");
	assert_int_equal(r.reference_outputs.methods[0].count, r.reference_outputs.forward_cases);
	assert_int_equal(r.reference_outputs.methods[0].cases[0].values[0]->kind, ETC_REF_TENSOR);
	assert_int_equal(r.representative_inputs.method_count, 1);
	assert_int_equal(r.representative_inputs.methods[0].count, 1);
	etc_file_release(&file);
	assert_ok(etc_file_open(&file, "tests/data/old/1.0.1/conv_partial/model.etrecord", 1 << 24,
	                        &err),
	          &err);
	assert_ok(etc_etrecord_read(file.bytes, ETC_RECORD_VALUES, &f->arena, &notes, &r, &err),
	          &err);
	/* this record has raw pickles, without an archive around them */
	assert_int_equal(r.reference_outputs.state, ETC_VALUES_READ);
	assert_int_equal(r.reference_outputs.forward_cases, -1);
	assert_int_equal(r.reference_outputs.methods[0].count, 2);
	tensor = r.reference_outputs.methods[0].cases[1].values[0]->tensor;
	assert_int_equal(tensor->bytes.len, 20);
	assert_true(tensor->bytes.ptr > file.bytes.ptr &&
	            tensor->bytes.ptr < file.bytes.ptr + file.bytes.len);
	etc_file_release(&file);
}

/* Makes a record whose reference outputs are an archive with that pickle. */
static void put_record(struct zip_maker *outer, const char *pickle)
{
	struct zip_maker inner = { 0 };
	struct etc_span bytes;

	zip_stored(&inner, "archive/data.pkl", pickle);
	zip_stored(&inner, "archive/version", "3");
	bytes = zip_finish(&inner, "");
	zip_stored(outer, "ETRECORD_V0", "");
	zip_stored(outer, "debug_handle_map", "{}");
	zip_raw(outer, "reference_outputs", (struct etc_str){ (const char *)bytes.ptr, bytes.len },
	        0, 0, (uint32_t)crc32_z(0, bytes.ptr, bytes.len), (uint32_t)bytes.len);
	zip_release(&inner);
}

static void a_hostile_pickle_costs_only_the_values(void **state)
{
	static const struct {
		const char *pickle;
		uint8_t state;
		int64_t forward;
		uint32_t refused;
	} cases[] = {
		{ "}"
		  "U\7forward](NNes.",
		  ETC_VALUES_READ, 2, 0 },
		{ "}"
		  "U\6decode](NNes.",
		  ETC_VALUES_READ, -2, 0 },
		{ "}"
		  "U\7forwardNs.",
		  ETC_VALUES_READ, -1, 0 },
		{ "N.", ETC_VALUES_READ, -1, 0 },
		{ "].", ETC_VALUES_READ, -2, 0 },
		{ "cos\nsystem\nU\4true\x85R.", ETC_VALUES_REFUSED, -1, E0816 },
		{ "c_codecs\nencode\nU\1aU\5rot13\x86R.", ETC_VALUES_CLOSED, -1, 0 },
	};
	struct fixture *f = *state;
	struct etc_record r;
	struct etc_error err = { 0 };
	struct etc_notes notes;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct zip_maker z = { 0 };

		put_record(&z, cases[i].pickle);
		etc_notes_init(&notes, &f->arena);
		assert_ok(etc_etrecord_read(zip_finish(&z, ""), ETC_RECORD_ALL, &f->arena, &notes,
		                            &r, &err),
		          &err);
		assert_int_equal(r.reference_outputs.state, cases[i].state);
		assert_int_equal(r.reference_outputs.forward_cases, cases[i].forward);
		assert_int_equal(r.inspector_refuses, cases[i].refused);
		assert_true((r.reference_outputs.why.len > 0) ==
		            (cases[i].state != ETC_VALUES_READ));
		if (cases[i].state != ETC_VALUES_READ) {
			const struct etc_note *n = notes.first;

			while (n && n->code != W0427)
				n = n->next;
			assert_non_null(n);
		}
		zip_release(&z);
	}
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(finds_values_by_their_keys),
		TEST(reads_a_view_without_copying),
		TEST(refuses_by_name),
		TEST(nests_without_recursion),
		TEST(materialises_nothing_that_is_only_a_product),
		TEST(gives_up_on_too_much_work),
		TEST(a_real_pickle_is_refused_at_every_cut),
		TEST(damage_never_reads_outside),
		TEST(an_archive_is_refused_at_every_cut),
		TEST(a_record_lists_the_values_of_its_cases),
		TEST(a_hostile_pickle_costs_only_the_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
