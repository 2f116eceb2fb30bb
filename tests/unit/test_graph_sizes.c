/* test_graph_sizes.c -- how many elements a recorded graph's tensors have */
#include "record_fixture.h"

#include "read/graph_sizes.h"

#define GRAPH  "edge_dialect_exported_program/forward"
#define INT(n) "{\"as_int\": " n "}"
#define MODULE(values)                                                    \
	"{\"graph_module\": {\"graph\": {\"inputs\": [], \"nodes\": [], " \
	"\"tensor_values\": " values "}}}"

static bool has(const struct etc_map *sizes, uint64_t n)
{
	return etc_map_get(sizes, (struct etc_str){ (const char *)&n, sizeof n }) != ETC_MAP_NONE;
}

/* *whole of the entry's text; `sizes` gets what was read. */
static bool sizes_of(struct fixture *f, const char *json, struct etc_map *sizes)
{
	struct etc_graph graph = { .name = ETC_STR(GRAPH) };
	struct etc_zip zip;
	bool whole;

	zip_release(&f->maker);
	f->maker = (struct zip_maker){ 0 };
	zip_stored(&f->maker, GRAPH, json);
	etc_map_init(sizes, &f->arena);
	assert_ok(etc_zip_open(zip_finish(&f->maker, ""), &f->arena, &zip, &f->err), &f->err);
	f->err = (struct etc_error){ 0 };
	if (etc_graph_sizes(&zip, &graph, sizes, &f->arena, &whole, &f->err) != ETC_OK)
		return false;
	return whole;
}

static void multiplies_sizes(void **state)
{
	struct etc_map sizes;

	assert_true(sizes_of(*state,
	                     MODULE("{\"a\": {\"dtype\": 7, \"sizes\": [" INT("3") ", " INT(
				     "5") "]}, "
	                                  "\"scalar\": {\"sizes\": []}, "
	                                  "\"empty\": {\"sizes\": [" INT("0") ", " INT("9") "]}}"),
	                     &sizes));
	assert_int_equal(sizes.count, 3);
	assert_true(has(&sizes, 15) && has(&sizes, 1) && has(&sizes, 0));
}

static bool takes(const struct etc_map *sizes, uint64_t elements, uint64_t node)
{
	struct etc_node_takes key = { elements, node };

	return etc_map_get(sizes, (struct etc_str){ (const char *)&key, sizeof key }) !=
	       ETC_MAP_NONE;
}

static void knows_what_nodes_take_beside_their_data(void **state)
{
	struct etc_map sizes;

	assert_true(sizes_of(
		*state,
		"{\"graph_module\": {\"graph\": {\"nodes\": [{\"target\": \"t\"}, {\"inputs\": ["
		"{\"name\": \"input\", \"arg\": {\"as_tensor\": {\"name\": \"x\"}}}, "
		"{\"name\": \"weight\", \"arg\": {\"as_tensor\": {\"name\": \"w\"}}}, "
		"{\"name\": \"bias\", \"arg\": {\"as_none\": true}}, "
		"{\"name\": \"more\", \"arg\": {\"as_tensors\": [{\"name\": \"v\"}]}}]}], "
		"\"tensor_values\": {\"x\": {\"sizes\": [" INT(
			"5") "]}, "
			     "\"w\": {\"sizes\": [" INT("3") ", " INT(
				     "4") "]}, "
					  "\"v\": {\"sizes\": [" INT("7") "]}}}}}",
		&sizes));
	assert_true(takes(&sizes, 12, 1) && takes(&sizes, 7, 1));
	assert_false(takes(&sizes, 5, 1) || takes(&sizes, 12, 0));
}

static void leaves_out_what_has_no_fixed_size(void **state)
{
	static const char *const tensors[] = {
		"{\"sizes\": [{\"as_expr\": {\"expr_str\": \"s0\"}}, " INT("4") "]}",
		"{\"sizes\": [" INT("-1") "]}",
		"{\"sizes\": [" INT("1.5") "]}",
		"{\"sizes\": [4]}",
		"{\"sizes\": 4}",
		"{\"dtype\": 7}",
		"[]",
		/* 2^32 * 2^32, and a number of more than 64 bits */
		"{\"sizes\": [" INT("4294967296") ", " INT("4294967296") "]}",
		"{\"sizes\": [" INT("99999999999999999999") "]}",
	};
	struct etc_map sizes;
	char json[300];

	for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++) {
		snprintf(json, sizeof json,
		         MODULE("{\"a\": %s, \"b\": {\"sizes\": [" INT("7") "]}}"), tensors[i]);
		assert_true(sizes_of(*state, json, &sizes));
		assert_int_equal(sizes.count, 1);
		assert_true(has(&sizes, 7));
	}
}

static void says_where_it_could_not_read_all(void **state)
{
	static const char *const texts[] = {
		"[]", "{}", "{\"graph_module\": {}}", "{\"graph_module\": {\"graph\": []}}",
		"{\"graph_module\": {\"graph\": {\"tensor_values\": 7}}}"
	};
	struct etc_graph elsewhere = { .name = ETC_STR("another") };
	struct fixture *f = *state;
	struct etc_map sizes;
	bool whole = true;
	struct etc_zip zip;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_false(sizes_of(f, texts[i], &sizes));
	assert_false(sizes_of(
		f, "{\"graph_module\": {\"graph\": {\"tensor_values\": {\"a\": {\"sizes\": [",
		&sizes));
	zip_release(&f->maker);
	f->maker = (struct zip_maker){ 0 };
	zip_stored(&f->maker, GRAPH, "{}");
	f->err = (struct etc_error){ 0 };
	assert_ok(etc_zip_open(zip_finish(&f->maker, ""), &f->arena, &zip, &f->err), &f->err);
	assert_ok(etc_graph_sizes(&zip, &elsewhere, &sizes, &f->arena, &whole, &f->err), &f->err);
	assert_false(whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(multiplies_sizes, setup, teardown),
		cmocka_unit_test_setup_teardown(knows_what_nodes_take_beside_their_data, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(leaves_out_what_has_no_fixed_size, setup, teardown),
		cmocka_unit_test_setup_teardown(says_where_it_could_not_read_all, setup, teardown),
	};

	return cmocka_run_group_tests_name("graph_sizes", tests, NULL, NULL);
}
