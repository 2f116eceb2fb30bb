/* test_query.c -- etcore/etcore.h: queries, their options, inputs and notes. */
#include "unit.h"

#include <fcntl.h>
#include <unistd.h>

#include "etcore/etcore.h"
#include "query.h"

#define DUMP   "tests/data/cases/mlp_xnnpack/run.etdump"
#define RECORD "tests/data/cases/mlp_xnnpack/model.etrecord"

static char *read_file(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	char *bytes = malloc(1 << 20);

	assert_non_null(f);
	assert_non_null(bytes);
	*size = fread(bytes, 1, 1 << 20, f);
	assert_true(*size > 0 && *size < 1 << 20);
	fclose(f);
	return bytes;
}

/* ---- what there is ----------------------------------------------------------- */

static void every_question_tells_its_options(void **state)
{
	struct etcore_question q = { .size = sizeof q };
	struct etcore_option_info o = { .size = sizeof o };
	uint32_t questions = 0, options = 0;

	(void)state;
	assert_int_equal(etcore_api_version() >> 16, ETCORE_API_MAJOR);
	assert_string_equal(etcore_version(), ETCORE_VERSION);
	for (; etcore_question(questions, &q); questions++) {
		assert_true(q.name[0] && q.summary[0] && q.usage);
		for (uint32_t i = 0; etcore_option(q.name, i, &o); i++, options++) {
			bool flag = o.kind == ETCORE_OPTION_FLAG || o.kind == ETCORE_OPTION_COUNT;

			assert_true(o.name[0] && o.help[0]);
			assert_true(o.kind <= ETCORE_OPTION_FILE);
			assert_int_equal(flag, o.argument == NULL);
			assert_int_equal(o.kind == ETCORE_OPTION_CHOICE, o.choices != NULL);
			assert_true(!o.words || (o.argument && !o.choices));
		}
	}
	assert_true(questions >= 6 && options >= 40);
	assert_int_equal(etcore_option("no such question", 0, &o), 0);
}

static void codes_and_keys_are_listed(void **state)
{
	struct etcore_diagnostic d = ETCORE_DIAGNOSTIC;
	struct etcore_key_info k = { .size = sizeof k };
	uint32_t i = 0, found = 0;

	(void)state;
	for (; etcore_code(i, &d); i++)
		if (strcmp(d.code, "W0203") == 0) {
			found++;
			assert_string_equal(d.message, "no profiling events");
			assert_string_equal(d.see, "etcore explain W0203");
			assert_int_equal(d.severity, ETCORE_SEVERITY_WARNING);
			assert_int_equal(d.status, ETCORE_STATUS_FORMAT);
		}
	assert_int_equal(found, 1);
	for (found = 0, i = 0; etcore_key(i, &k); i++)
		if (strcmp(k.key, "source_time_scale") == 0 && strcmp(k.section, "etcore") == 0) {
			found++;
			assert_string_equal(k.built_in, "ns");
			assert_string_equal(k.environment, "ETCORE_SOURCE_TIME_SCALE");
		}
	assert_int_equal(found, 1);
}

static void a_struct_of_an_older_caller_is_not_overrun(void **state)
{
	struct {
		struct etcore_question q;
		char beyond[16];
	} a;

	(void)state;
	memset(&a, 0x5a, sizeof a);
	a.q.size = offsetof(struct etcore_question, summary);
	assert_int_equal(etcore_question(0, &a.q), 1);
	assert_string_equal(a.q.name, "analyze");
	for (const char *p = (const char *)&a.q.summary; p < a.beyond + sizeof a.beyond; p++)
		assert_int_equal(*p, 0x5a);
	a.q.name = NULL;
	a.q.size = 0;
	assert_int_equal(etcore_question(0, &a.q), 1);
	assert_null(a.q.name);
	assert_int_equal(etcore_question(0, NULL), 1);
}

/* ---- words --------------------------------------------------------------------- */

static void mistakes_are_errors_by_value(void **state)
{
	static const struct {
		const char *option, *value, *code, *says;
	} rows[] = {
		{ "confog", "x", "E0502", "did you mean --config" },
		{ "stat", "media", "E0505", "typical|mean|median|min|total" },
		{ "stat", "mean|min", "E0505", "expected one of" },
		{ "stat", NULL, "E0503", "--stat STATISTIC" },
		{ "where", NULL, "E0503", "--where" },
		{ "events", "yes", "E0505", "takes no argument" },
		{ NULL, "x", "E0502", "--" },
	};
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;
	struct etcore_query *q = query("analyze"), *none;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		assert_int_equal(etcore_set(q, rows[i].option, rows[i].value, &err),
		                 ETCORE_STATUS_USAGE);
		assert_string_equal(err.code, rows[i].code);
		assert_int_equal(err.status, ETCORE_STATUS_USAGE);
		assert_int_equal(err.severity, ETCORE_SEVERITY_ERROR);
		assert_int_equal(err.offset, -1);
		assert_true(err.hint[0]);
		if (!strstr(err.message, rows[i].says))
			fail_msg("'%s' does not say '%s'", err.message, rows[i].says);
	}
	etcore_query_free(q);
	assert_int_equal(etcore_query_new("analyse", &none, &err), ETCORE_STATUS_USAGE);
	assert_null(none);
	assert_string_equal(err.code, "E0504");
	assert_non_null(strstr(err.message, "did you mean 'analyze'"));
	assert_int_equal(etcore_query_new("analyse", &none, NULL), ETCORE_STATUS_USAGE);
	assert_int_equal(etcore_query_new(NULL, &none, NULL), ETCORE_STATUS_USAGE);
	/* with such commands etcore starts itself; programs cannot use them */
	assert_int_equal(etcore_query_new("check-one", &none, &err), ETCORE_STATUS_USAGE);
	assert_string_equal(err.code, "E0504");
	etcore_query_free(NULL);
}

static void words_are_copied_and_a_query_runs_again(void **state)
{
	struct etcore_query *q = query("analyze"), *fresh = query("analyze");
	char path[] = DUMP, stat[] = "median", *first, *second, *same;

	(void)state;
	add(q, path);
	set(q, "stat", stat);
	set(q, "output", "csv");
	memset(path, 'x', sizeof path - 1);
	memset(stat, 'x', sizeof stat - 1);
	first = run(q);
	second = run(q);
	assert_string_equal(first, second);
	assert_non_null(strstr(first, "self_ns"));
	free(second);
	/* set again, an option has the new value */
	set(q, "stat", "total");
	second = run(q);
	assert_string_not_equal(first, second);
	add(fresh, DUMP);
	set(fresh, "output", "csv");
	set(fresh, "stat", "total");
	same = run(fresh);
	assert_string_equal(second, same);
	free(first);
	free(second);
	free(same);
	etcore_query_free(q);
	etcore_query_free(fresh);
}

/* ---- inputs -------------------------------------------------------------------- */

static char *answer_of_paths(void)
{
	struct etcore_query *q = query("analyze");
	char *text;

	add(q, DUMP);
	set(q, "etrecord", RECORD);
	set(q, "no-siblings", NULL);
	set(q, "output", "csv");
	text = run(q);
	etcore_query_free(q);
	return text;
}

static void memory_answers_as_the_file_does(void **state)
{
	struct etcore_query *q = query("analyze");
	char *expected = answer_of_paths(), *text, *dump, *record;
	size_t dump_size, record_size;

	(void)state;
	dump = read_file(DUMP, &dump_size);
	record = read_file(RECORD, &record_size);
	assert_int_equal(etcore_add_memory(q, NULL, "the dump", dump, dump_size, NULL), 0);
	assert_int_equal(etcore_add_memory(q, "etrecord", "its record", record, record_size, NULL),
	                 0);
	set(q, "output", "csv");
	text = run(q);
	assert_string_equal(text, expected);
	free(text);
	free(expected);
	etcore_query_free(q);
	free(dump);
	free(record);
}

/* `inspector` and `dump` read their input from memory, too. */
static void memory_is_an_input_of_every_question(void **state)
{
	static const struct {
		const char *question, *option;
	} rows[] = { { "inspector", "etdump_path" }, { "dump", NULL } };
	size_t size;
	char *dump = read_file(DUMP, &size);

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct etcore_query *of_path = query(rows[i].question),
				    *of_memory = query(rows[i].question);
		char *expected, *text;

		if (rows[i].option)
			set(of_path, rows[i].option, DUMP);
		else
			add(of_path, DUMP);
		expected = run(of_path);
		assert_int_equal(
			etcore_add_memory(of_memory, rows[i].option, "memory", dump, size, NULL),
			ETCORE_STATUS_OK);
		text = run(of_memory);
		assert_string_equal(text, expected);
		free(text);
		free(expected);
		etcore_query_free(of_path);
		etcore_query_free(of_memory);
	}
	free(dump);
}

static void descriptors_of_files_and_pipes_answer_alike(void **state)
{
	struct etcore_query *q = query("analyze");
	char *expected = answer_of_paths(), *text, *dump;
	int fd = open(RECORD, O_RDONLY), ends[2];
	size_t size;

	(void)state;
	assert_true(fd >= 0);
	dump = read_file(DUMP, &size);
	assert_true(size < 60000); /* fits into a pipe */
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], dump, size), (ssize_t)size);
	close(ends[1]);
	free(dump);
	assert_int_equal(etcore_add_descriptor(q, NULL, "pipe", ends[0], NULL), 0);
	assert_int_equal(etcore_add_descriptor(q, "etrecord", "record", fd, NULL), 0);
	close(ends[0]);
	close(fd);
	set(q, "output", "csv");
	for (int i = 0; i < 2; i++) {
		text = run(q);
		assert_string_equal(text, expected);
		free(text);
	}
	free(expected);
	etcore_query_free(q);
}

static void an_input_in_memory_may_be_of_any_kind(void **state)
{
	static const char bad[] = "this is not an ETDump";
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;
	struct etcore_query *q = query("analyze");

	(void)state;
	assert_int_equal(etcore_add_memory(q, NULL, "bad.bin", bad, sizeof bad, &err), 0);
	assert_int_equal(etcore_run(q, NULL, NULL, &err), ETCORE_STATUS_FORMAT);
	assert_string_equal(err.code, "E0201");
	assert_string_equal(err.file, "bad.bin");
	etcore_query_free(q);
	/* an input may be empty */
	q = query("analyze");
	assert_int_equal(etcore_add_memory(q, NULL, "none", NULL, 0, &err), 0);
	assert_int_not_equal(etcore_run(q, NULL, NULL, &err), ETCORE_STATUS_OK);
	assert_string_equal(err.file, "none");
	etcore_query_free(q);
}

static void inputs_have_names_of_their_own(void **state)
{
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;
	struct etcore_query *q = query("analyze");

	(void)state;
	assert_int_equal(etcore_add_memory(q, NULL, "a", "x", 1, &err), 0);
	assert_int_equal(etcore_add_memory(q, NULL, "a", "x", 1, &err), ETCORE_STATUS_USAGE);
	assert_string_equal(err.code, "E0990");
	assert_int_equal(etcore_add_memory(q, NULL, "-", "x", 1, &err), ETCORE_STATUS_USAGE);
	assert_int_equal(etcore_add_memory(q, NULL, "", "x", 1, &err), ETCORE_STATUS_USAGE);
	assert_int_equal(etcore_add_memory(q, "stat", "b", "x", 1, &err), ETCORE_STATUS_USAGE);
	assert_non_null(strstr(err.message, "--stat names no input"));
	assert_int_equal(etcore_add_memory(q, "etrecrod", "b", "x", 1, &err), ETCORE_STATUS_USAGE);
	assert_string_equal(err.code, "E0502");
	assert_int_equal(etcore_add_descriptor(q, NULL, "c", -1, &err), ETCORE_STATUS_IO);
	assert_string_equal(err.code, "E0902");
	etcore_query_free(q);
}

/* ---- answers ------------------------------------------------------------------- */

static void notes_are_there_before_the_answer(void **state)
{
	struct etcore_query *q = query("analyze");
	struct etcore_diagnostic note = ETCORE_DIAGNOSTIC;
	struct answer a = { .query = q };
	uint32_t i = 0;

	(void)state;
	add(q, "tests/data/edge/utf8_invalid.etdump");
	set(q, "no-siblings", NULL);
	if (etcore_run(q, take, &a, &note) != ETCORE_STATUS_OK)
		fail_msg("%s", note.message);
	for (; etcore_note(q, i, &note); i++) {
		assert_true(note.severity != ETCORE_SEVERITY_ERROR);
		assert_true(note.code[0] && note.message[0] && note.count > 0);
	}
	assert_true(i > 0);
	assert_int_equal(a.notes, i);
	assert_int_equal(etcore_note(q, i, &note), 0);
	free(a.text);
	etcore_query_free(q);
}

static void a_receiver_may_stop(void **state)
{
	struct etcore_query *q = query("dump");
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;
	struct answer a = { .stop_after = 1 };

	(void)state;
	add(q, DUMP);
	assert_int_equal(etcore_run(q, take, &a, &err), ETCORE_STATUS_IO);
	assert_string_equal(err.code, "E0903");
	assert_true(a.size > 0);
	free(a.text);
	/* the query can be run again */
	free(run(q));
	/* without a function that takes it, the output is dropped */
	assert_int_equal(etcore_run(q, NULL, NULL, &err), ETCORE_STATUS_OK);
	etcore_query_free(q);
}

static void every_question_answers(void **state)
{
	static const struct {
		const char *question, *operands[2], *option, *value, *says;
	} rows[] = {
		{ "inspector", { NULL }, "etdump_path", DUMP, "Method::execute" },
		{ "dump", { DUMP }, NULL, NULL, "Program::load_method" },
		{ "plugins", { NULL }, "no-plugins", NULL, "" },
		{ "config", { NULL }, "output", "json", "source_time_scale" },
		{ "explain", { "W0203" }, NULL, NULL, "no profiling events" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct etcore_query *q = query(rows[i].question);
		char *text;

		for (int k = 0; k < 2 && rows[i].operands[k]; k++)
			add(q, rows[i].operands[k]);
		if (rows[i].option)
			set(q, rows[i].option, rows[i].value);
		text = run(q);
		if (!strstr(text, rows[i].says))
			fail_msg("%s does not say '%s'", rows[i].question, rows[i].says);
		free(text);
		etcore_query_free(q);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_question_tells_its_options),
		cmocka_unit_test(codes_and_keys_are_listed),
		cmocka_unit_test(a_struct_of_an_older_caller_is_not_overrun),
		cmocka_unit_test(mistakes_are_errors_by_value),
		cmocka_unit_test(words_are_copied_and_a_query_runs_again),
		cmocka_unit_test(memory_answers_as_the_file_does),
		cmocka_unit_test(memory_is_an_input_of_every_question),
		cmocka_unit_test(descriptors_of_files_and_pipes_answer_alike),
		cmocka_unit_test(an_input_in_memory_may_be_of_any_kind),
		cmocka_unit_test(inputs_have_names_of_their_own),
		cmocka_unit_test(notes_are_there_before_the_answer),
		cmocka_unit_test(a_receiver_may_stop),
		cmocka_unit_test(every_question_answers),
	};

	return cmocka_run_group_tests_name("query", tests, NULL, NULL);
}
