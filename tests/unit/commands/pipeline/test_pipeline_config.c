/* The configuration of a pipeline, from the JSON of the kit (Arm's SME2 profiling kit) or from INI,
 * and the plan of runs that follows from it. */
#define _DEFAULT_SOURCE /* mkdtemp, setenv */
#include "conf_fixture.h"

#include "commands/pipeline/pipeline.h"
#include "commands/pipeline/plan.h"

static struct etc_notes notes;

static enum etc_status read_config(struct fixture *f, const char *text, const char *set,
                                   struct etc_pipeline_config *out)
{
	etc_notes_init(&notes, &f->arena);
	write_bytes(f->path, text, strlen(text));
	f->err = (struct etc_error){ .at = -1 };
	return etc_pipeline_config_read(f->path, &set, set != NULL, &f->arena, &notes, out,
	                                &f->err);
}

/* An experiment with no key but its name has the defaults of the kit's own loader. */
static void an_experiment_has_the_defaults_of_the_kit(void **state)
{
	struct etc_pipeline_config c;
	struct fixture *f = *state;

	assert_ok(read_config(f, "{\"model\": \"m\", \"experiments\": [{\"name\": \"a\"}]}", NULL,
	                      &c),
	          &f->err);
	assert_int_equal(c.experiment_count, 1);
	assert_int_equal(c.experiments[0].runs, 100);
	assert_int_equal(c.experiments[0].warmup, 10);
	assert_int_equal(c.experiments[0].threads.count, 1);
	assert_int_equal(c.experiments[0].threads.v[0], 1);
	assert_int_equal(c.experiments[0].mode, ETC_MODE_TIMING);
	assert_null(c.experiments[0].runner_path);
	assert_null(c.output_root);
	assert_null(notes.first);
}

static const char an_experiment[] = "{\"model\": \"m\",\n\"experiments\": [{\"name\": \"a\", %s}]}";

static void whole_numbers_are_not_rounded(void **state)
{
	static const char *const taken[] = { "5", "\"5\"", "5e0", "5.0" };
	static const char *const refused[] = {
		"\"runs\": 2.9",
		"\"runs\": true",
		"\"runs\": \"2.9\"",
		"\"warmup\": 0.5",
		"\"warmup\": false",
		"\"threads\": 1.5",
		"\"threads\": [1, 2.5]",
		"\"threads\": true",
		"\"threads\": [true]",
		"\"timeout_s\": true",
		"\"runs\": -1",
		"\"runs\": 1e10",
		"\"threads\": \"1, 2.5\"",
		"\"threads\": [\"a\", 1]",
	};
	struct etc_pipeline_config c;
	struct fixture *f = *state;
	char text[160], runs[32];

	for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
		snprintf(runs, sizeof runs, "\"runs\": %s", taken[i]);
		snprintf(text, sizeof text, an_experiment, runs);
		assert_ok(read_config(f, text, NULL, &c), &f->err);
		assert_int_equal(c.experiments[0].runs, 5);
	}
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		snprintf(text, sizeof text, an_experiment, refused[i]);
		assert_fails(read_config(f, text, NULL, &c), &f->err, E1002);
		assert_int_equal(f->err.line, 2);
	}
	assert_fails(
		read_config(f, "[pipeline]\nmodel = m\n[experiment a]\n[schedule]\nblocks = 1.5\n",
	                    NULL, &c),
		&f->err, E1002);
	assert_int_equal(f->err.line, 5);
}

static void a_key_is_set_once(void **state)
{
	static const struct {
		const char *text;
		uint32_t line;
	} cases[] = {
		{ "{\"model\": \"m\", \"model\": \"n\", \"experiments\": []}", 1 },
		{ "{\"model\": \"m\", \"experiments\": [{\"name\": \"a\", \"runs\": 3,\n\"runs\": "
		  "4}]}",
		  2 },
		{ "{\"model\": \"m\", \"experiments\": [{\"name\": \"a\", \"env\": {\"X\": \"1\", "
		  "\"X\": \"2\"}}]}",
		  1 },
		{ "{\"model\": \"m\", \"experiments\": [{\"name\": \"a\"}],\n\"schedule\": "
		  "{},\n\"schedule\": {\"blocks\": 2}}",
		  3 },
		{ "[pipeline]\nmodel = m\nmodel = n\n", 3 },
		{ "[pipeline]\nmodel = m\n[experiment a]\nruns = 3\nruns = 4\n", 5 },
		{ "[gates]\nalpha = 0.1\n[pipeline]\nmodel = m\n[gates]\nalpha = 0.2\n", 6 },
	};
	struct etc_pipeline_config c;
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_fails(read_config(f, cases[i].text, NULL, &c), &f->err, E0514);
		assert_int_equal(f->err.line, cases[i].line);
	}
	assert_ok(read_config(f,
	                      "[pipeline]\nmodel = m\n[experiment a]\nruns = 3\n[gates]\nalpha = "
	                      "0.1\n[experiment b]\nruns = 4\n[gates]\ncv_max_pct = 7\n",
	                      NULL, &c),
	          &f->err);
	assert_true(c.gates.alpha == 0.1 && c.gates.cv_max_pct == 7);
	assert_int_equal(c.experiments[1].runs, 4);
}

static void an_empty_runner_is_none(void **state)
{
	struct etc_pipeline_config c;
	struct fixture *f = *state;

	assert_ok(read_config(f,
	                      "{\"model\": \"n\", \"experiments\": [{\"name\": 3, "
	                      "\"runner_path\": \"\", \"quiet_runner\": \"q\"}]}",
	                      NULL, &c),
	          &f->err);
	assert_string_equal(c.experiments[0].name, "3");
	assert_string_equal(c.experiments[0].runner_path, "q");
}

static void pairs_name_both_sides(void **state)
{
	struct etc_pipeline_config c;
	struct fixture *f = *state;

	assert_ok(read_config(f,
	                      "{\"model\": \"m\", \"experiments\": [{\"name\": \"off\", "
	                      "\"threads\": [1, 2]}, "
	                      "{\"name\": \"on\", \"threads\": 4}], "
	                      "\"analysis\": {\"compare_pairs\": [{\"baseline\": "
	                      "{\"experiment\": \"off\", \"threads\": 2}, \"candidate\": "
	                      "{\"experiment\": \"on\", \"threads\": 4}, \"label\": \"x\"}]}}",
	                      NULL, &c),
	          &f->err);
	assert_int_equal(c.pair_count, 1);
	assert_string_equal(c.pairs[0].baseline, "off");
	assert_int_equal(c.pairs[0].baseline_threads, 2);
	assert_string_equal(c.pairs[0].candidate, "on");
	assert_int_equal(c.pairs[0].candidate_threads, 4);
	assert_string_equal(c.pairs[0].label, "x");
	assert_fails(read_config(f,
	                         "{\"model\": \"m\", \"analysis\": {\"compare_pairs\": "
	                         "[{\"baseline\": {\"experiment\": \"off\"}}]}}",
	                         NULL, &c),
	             &f->err, E1002);
	assert_fails(
		read_config(f,
	                    "{\"model\": \"m\", \"experiments\": [{\"name\": \"off\"}], "
	                    "\"analysis\": {\"compare_pairs\": [{\"baseline\": {\"experiment\": "
	                    "\"off\", \"threads\": [1, 2]}, \"candidate\": \"off@1\"}]}}",
	                    NULL, &c),
		&f->err, E1002);
}

static void ini_parts_words_as_a_shell_would(void **state)
{
	struct etc_pipeline_config c;
	struct fixture *f = *state;
	const struct etc_experiment *e;

	assert_ok(read_config(
			  f,
			  "[pipeline]\nmodel = m\n[experiment \"on\"]\nextra_args = --a 'b c' "
			  "\"d'e\" f\nenv = X=1 Y='2 3'\ninputs = i0.bin , i1.bin\nthreads = 1,2, "
			  "8\netdump = no\n",
			  NULL, &c),
	          &f->err);
	e = &c.experiments[0];
	assert_string_equal(e->name, "on");
	assert_int_equal(e->extra_args.count, 4);
	assert_string_equal(e->extra_args.v[1], "b c");
	assert_string_equal(e->extra_args.v[2], "d'e");
	assert_int_equal(e->env.count, 2);
	assert_string_equal(e->env.v[1], "Y=2 3");
	assert_string_equal(e->inputs.v[1], "i1.bin");
	assert_int_equal(e->threads.count, 3);
	assert_int_equal(e->threads.v[2], 8);
	assert_false(e->etdump);
}

static void set_reaches_every_section(void **state)
{
	static const char text[] = "{\"model\": \"m\", \"experiments\": [{\"name\": \"a.b\"}, "
				   "{\"name\": \"c\"}]}";
	struct etc_pipeline_config c;
	struct fixture *f = *state;

	assert_ok(read_config(f, text, "model=x/y.pte", &c), &f->err);
	assert_string_equal(c.model, "x/y.pte");
	assert_ok(read_config(f, text, "runs=3", &c), &f->err);
	assert_int_equal(c.experiments[0].runs + c.experiments[1].runs, 6);
	assert_ok(read_config(f, text, "a.b.runs=3", &c), &f->err);
	assert_int_equal(c.experiments[0].runs, 3);
	assert_int_equal(c.experiments[1].runs, 100);
	assert_ok(read_config(f, text, "schedule.order=sequential", &c), &f->err);
	assert_int_equal(c.schedule.order, ETC_ORDER_SEQUENTIAL);
	assert_fails(read_config(f, text, "schedule.order=random", &c), &f->err, E1002);
}

static void gates_are_percentages(void **state)
{
	static const char json[] =
		"{\"model\": \"m\", \"experiments\": [{\"name\": \"a\"}], \"gates\": "
		"{\"regression_pct\": 7, \"cv_max_pct\": \"0.5%\"}}";
	static const char share[] = "{\"model\": \"m\", \"experiments\": [{\"name\": \"a\"}], "
				    "\"gates\": {\"cv_max_pct\": 0.1}}";
	struct etc_pipeline_config c;
	struct fixture *f = *state;

	assert_ok(read_config(f, json, "gates.min_effect_pct=3 %", &c), &f->err);
	assert_true(c.gates.regression_pct == 7 && c.gates.cv_max_pct == 0.5);
	assert_true(c.gates.min_effect_pct == 3);
	assert_ok(read_config(f, json, "gates.alpha=0.01", &c), &f->err);
	assert_fails(read_config(f, json, "gates.alpha=5", &c), &f->err, E1002);
	assert_fails(read_config(f, json, "gates.alpha=0", &c), &f->err, E1002);
	assert_fails(read_config(f, json, "gates.alpha=1", &c), &f->err, E1002);
	assert_fails(read_config(f, json, "gates.regression_pct=0.05", &c), &f->err, E0550);
	assert_fails(read_config(f, json, "gates.regression_pct=-1", &c), &f->err, E1002);
	assert_fails(read_config(f, share, NULL, &c), &f->err, E0550);
}

static void an_unknown_key_is_said_with_the_nearest(void **state)
{
	struct etc_pipeline_config c;
	struct fixture *f = *state;

	assert_ok(
		read_config(f,
	                    "{\"model\": \"m\", \"Experiments\": [], \"schedule\": {\"ordre\": 1}}",
	                    NULL, &c),
		&f->err);
	assert_int_equal(notes.first->code, W1003);
	assert_true(etc_str_find(notes.first->text, ETC_STR("'experiments'"), 0) != SIZE_MAX);
	assert_true(etc_str_find(notes.first->next->text, ETC_STR("'order'"), 0) != SIZE_MAX);
}

/* The blocks of two experiments take turns as a b, b a, a b, also if the runs cannot be divided
 * evenly. */
static void blocks_take_turns_backwards_and_forwards(void **state)
{
	static const uint32_t want[][3] = { { 0, 0, 3 }, { 1, 0, 2 }, { 1, 1, 1 },
		                            { 0, 1, 2 }, { 0, 2, 2 }, { 1, 2, 1 } };
	struct etc_pipeline_config c;
	struct etc_run_plan plan;
	struct fixture *f = *state;

	assert_ok(read_config(f,
	                      "{\"model\": \"m\", \"schedule\": {\"blocks\": 3}, \"experiments\": "
	                      "[{\"name\": \"a\", \"runs\": 7}, {\"name\": \"b\", \"runs\": 4}]}",
	                      NULL, &c),
	          &f->err);
	assert_ok(etc_run_plan_make(&c, NULL, 0, &f->arena, &plan, &f->err), &f->err);
	assert_int_equal(plan.job_count, 6);
	for (uint32_t i = 0; i < 6; i++) {
		assert_int_equal(plan.jobs[i].unit, want[i][0]);
		assert_int_equal(plan.jobs[i].block, want[i][1]);
		assert_int_equal(plan.jobs[i].runs, want[i][2]);
	}
	assert_string_equal(etc_plan_file(&plan.units[0], 0, ".etdump", &f->arena),
	                    "a/a_t1.etdump");
	assert_string_equal(etc_plan_file(&plan.units[0], 2, ".log", &f->arena), "a/a_t1_b3.log");
}

static void templates_are_configurations(void **state)
{
	static const char *const kinds[] = { "mac", "android", "linux" };
	struct etc_pipeline_config c;
	struct fixture *f = *state;

	for (size_t i = 0; i < 3; i++) {
		struct etc_text text = { 0 };

		assert_ok(etc_pipeline_template(kinds[i], &text, &f->err), &f->err);
		etc_text_char(&text, '\0');
		assert_ok(read_config(f, text.ptr, NULL, &c), &f->err);
		assert_int_equal(c.experiment_count, 2);
		assert_int_equal(c.pair_count, 1);
		assert_int_equal(c.experiments[0].role, ETC_ROLE_CANDIDATE);
		assert_null(notes.first);
		etc_text_release(&text);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(an_experiment_has_the_defaults_of_the_kit),
		TEST(whole_numbers_are_not_rounded),
		TEST(a_key_is_set_once),
		TEST(an_empty_runner_is_none),
		TEST(pairs_name_both_sides),
		TEST(ini_parts_words_as_a_shell_would),
		TEST(set_reaches_every_section),
		TEST(gates_are_percentages),
		TEST(an_unknown_key_is_said_with_the_nearest),
		TEST(blocks_take_turns_backwards_and_forwards),
		TEST(templates_are_configurations),
	};
	return cmocka_run_group_tests_name("pipeline_config", tests, NULL, NULL);
}
