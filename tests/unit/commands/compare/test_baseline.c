/* test_baseline.c -- stored baselines: reading them, rejecting invalid ones, and their size. */
#include "unit.h"

#include "commands/compare/baseline_read.h"
#include "commands/compare/baseline_write.h"

#define VIEW                                                                                 \
	"\"partitions\":0,\"delegate_events\":0,\"resolution\":0,\"rounding\":[1,0,\"AA\"]," \
	"\"unattributed_inside\":[1,0,\"AA\"],\"unattributed_between\":[1,0,\"AA\"],"        \
	"\"events\":[%s],\"order\":[%s],\"calls\":[2],\"truncated\":[0],\"first\":[0],"      \
	"\"times\":[%s]"
#define DOCUMENT                                                                                 \
	"{\"schema\":\"%s\",\"dumps\":[{\"dump\":{\"path\":\"a\",\"sha256\":\"0\",\"bytes\":1}," \
	"\"warmup\":1,\"unit\":\"%s\",\"parts\":%s,\"loads\":0,\"debug_values\":0,"              \
	"\"paths\":[{\"method\":\"forward\",\"number\":1,\"runs\":%s,\"warmup\":%s,"             \
	"\"times\":%s,\"event\":{" VIEW "},\"delegate\":{" VIEW "}}]}],"                         \
	"\"events\":[{\"name\":\"x\",\"unit\":\"ns\"}]%s}"

/* Parts that replace those of a valid document; NULL: the part of the valid document stays. */
struct document {
	const char *schema, *unit, *parts, *runs, *warmup, *times, *event, *order, *row, *more;
	enum etc_code code; /* expected error */
};

static const char * or (const char *s, const char *usual)
{
	return s ? s : usual;
}

static enum etc_status read_text(const char *text, struct etc_arena *arena,
                                 struct etc_baseline *out, struct etc_error *err)
{
	return etc_baseline_read(etc_span_of(etc_str_of(text)), arena, out, err);
}

static enum etc_status read_document(const struct document *d, struct etc_arena *arena,
                                     struct etc_baseline *out, struct etc_error *err)
{
	const char *event = or (d->event, "0"), *order = or (d->order, "0");
	const char *row = or (d->row, "[10,100,\"CB\"]");
	char text[4096];

	snprintf(text, sizeof text, DOCUMENT, or (d->schema, "etcore.baseline/1"),
	         or (d->unit, "ns"), or (d->parts, "1"), or (d->runs, "3"), or (d->warmup, "1"),
	         or (d->times, "[1,1000,\"ABC\"]"), event, order, row, event, order, row,
	         or (d->more, ""));
	return read_text(text, arena, out, err);
}

static void times_are_those_that_were_stored(void **state)
{
	const struct document usual = { 0 };
	const struct etc_profile_path *path;
	struct etc_error err = { 0 };
	struct etc_baseline b;
	struct etc_arena arena;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	assert_ok(read_document(&usual, &arena, &b, &err), &err);
	assert_int_equal(b.count, 1);
	path = &b.dumps[0].views[ETC_BASELINE_EVENT].paths[0];
	assert_str(path->method, "forward");
	assert_int_equal(path->runs, 3);
	assert_int_equal(path->kept, 2);
	assert_int_equal(path->samples[0], 1000);
	assert_int_equal(path->samples[1], 999);
	assert_int_equal(path->samples[2], 1001);
	assert_int_equal((uint64_t)path->kept_time, 2000);
	assert_int_equal(path->values[0].time, 999);
	assert_int_equal(path->values[0].v[ETC_VALUES_ROWS], 110);
	assert_int_equal(path->values[1].v[ETC_VALUES_ROWS], 90);
	etc_arena_release(&arena);
}

static void damage_has_a_code_and_newer_versions_another(void **state)
{
	static const struct document bad[] = {
		{ .schema = "etcore.diff/1", .code = E0176 },
		{ .schema = "etcore.baseline/", .code = E0176 },
		{ .schema = "etcore.baseline/0", .code = E0176 },
		{ .schema = "etcore.baseline/2", .code = E0178 },
		{ .schema = "etcore.baseline/2", .runs = "\"other\"", .code = E0178 },
		{ .unit = "parsecs", .code = E0176 },
		{ .unit = "bytes", .code = E0176 },
		{ .parts = "0", .code = E0176 },
		{ .parts = "-1", .code = E0176 },
		{ .runs = "0", .code = E0176 },
		{ .runs = "18446744073709551615", .code = E0176 },
		{ .runs = "18446744073709551616", .code = E0176 },
		{ .runs = "3.5", .code = E0176 },
		{ .warmup = "3", .code = E0176 },
		{ .times = "[1,1000,\"AB\"]", .code = E0176 },
		{ .times = "[1,1000,\"ABCA\"]", .code = E0176 },
		{ .times = "[1,1000,\"AB!\"]", .code = E0176 },
		{ .times = "[0,1000,\"ABC\"]", .code = E0176 },
		{ .times = "[3,1000,\"ABC\"]", .code = E0176 },
		{ .times = "[1,1000]", .code = E0176 },
		{ .times = "[1,1000,\"ABC\",0]", .code = E0176 },
		{ .times = "[1,1000,5]", .code = E0176 },
		{ .event = "1", .code = E0176 },
		{ .order = "1", .code = E0176 },
		{ .row = "[1,1,\"A\"]", .code = E0176 },
		{ .row = "[1,1,\"AA\"],[1,1,\"AA\"]", .code = E0176 },
		{ .more = ",", .code = E0176 },
		{ .more = "}", .code = E0176 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct etc_error err = { 0 };
		struct etc_baseline b;
		struct etc_arena arena;

		etc_arena_init(&arena, 1 << 20);
		assert_fails(read_document(&bad[i], &arena, &b, &err), &err, bad[i].code);
		assert_true(err.text[0] != '\0');
		etc_arena_release(&arena);
	}
}

static void what_is_missing_is_named(void **state)
{
	static const struct {
		const char *text, *part;
	} bad[] = {
		{ "", "begin as a JSON object" },
		{ "[]", "begin as a JSON object" },
		{ "{}", "\"schema\"" },
		{ "{\"schema\":\"etcore.baseline/1\",\"events\":[]}", "\"dumps\"" },
		{ "{\"schema\":\"etcore.baseline/1\",\"dumps\":[],\"events\":[]}", "no dump" },
		{ "{\"schema\":\"etcore.baseline/1\",\"dumps\":[{}],\"events\":[]}", "\"dump\"" },
		{ "{\"schema\":\"etcore.baseline/1\",\"dumps\":{},\"events\":[]}", "a list" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct etc_error err = { 0 };
		struct etc_baseline b;
		struct etc_arena arena;

		etc_arena_init(&arena, 1 << 20);
		assert_fails(read_text(bad[i].text, &arena, &b, &err), &err, E0176);
		assert_non_null(strstr(err.text, bad[i].part));
		etc_arena_release(&arena);
	}
}

static void unknown_members_are_skipped(void **state)
{
	const struct document more = { .more = ",\"later\":{\"dumps\":[1,{\"x\":null}]},\"z\":0" };
	struct etc_error err = { 0 };
	struct etc_baseline b;
	struct etc_arena arena;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	assert_ok(read_document(&more, &arena, &b, &err), &err);
	etc_arena_release(&arena);
}

/* ---- size and exactness ------------------------------------------------------------- */

enum { DUMPS = 8, RUNS = 100, EVENTS = 200 };

static uint64_t next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* Returns a time near `around` with noise of 3 %: the noise is a sum of four uniform random
 * numbers. */
static uint64_t noisy(uint64_t *seed, uint64_t around)
{
	uint64_t sum = 0;

	for (int i = 0; i < 4; i++)
		sum += next(seed) % (around / 19);
	return around - around / 19 * 2 + sum;
}

static void make_dump(struct etc_baseline_dump *dump, uint64_t *seed, struct etc_arena *arena)
{
	struct etc_profile_path *path = etc_new(arena, struct etc_profile_path, 1);
	struct etc_profile_row *rows = etc_new(arena, struct etc_profile_row, EVENTS);
	struct etc_run_sample *values = etc_new(arena, struct etc_run_sample, RUNS);
	uint64_t *samples = etc_new(arena, uint64_t, RUNS);

	for (uint32_t i = 0; i < EVENTS; i++)
		rows[i] = (struct etc_profile_row){
			.name = etc_arena_printf(arena, "%u: Fully Connected (NC, F32) GEMM", i),
			.value = ETC_VALUES_ROWS + i,
			.unit = ETC_UNIT_NS,
			.calls = RUNS,
			.first_event = i,
		};
	for (size_t k = 0; k < RUNS; k++) {
		uint64_t *v = etc_new(arena, uint64_t, ETC_VALUES_ROWS + EVENTS);

		samples[k] = 0;
		for (uint32_t i = 0; i < EVENTS; i++)
			samples[k] += v[ETC_VALUES_ROWS + i] = noisy(seed, 5000 + 500 * i);
		values[k] = (struct etc_run_sample){ k, samples[k], v, ETC_VALUES_ROWS + EVENTS };
	}
	*path = (struct etc_profile_path){ .method = ETC_STR("forward"),
		                           .number = 1,
		                           .runs = RUNS,
		                           .kept = RUNS,
		                           .den = 1,
		                           .samples = samples,
		                           .values = values };
	*dump = (struct etc_baseline_dump){ .etcore = ETC_STR("1") };
	dump->files[ETC_BASELINE_DUMP].path = ETC_STR("run.etdump");
	for (int view = 0; view < ETC_BASELINE_VIEWS; view++)
		dump->views[view] = (struct etc_profile){ .unit = ETC_UNIT_NS,
			                                  .den = 1,
			                                  .paths = path,
			                                  .path_count = 1,
			                                  .rows = rows,
			                                  .row_count = view ? 1 : EVENTS };
}

static void eight_dumps_of_a_hundred_runs_take_hundreds_of_kilobytes(void **state)
{
	struct etc_baseline_dump *dumps;
	struct etc_error err = { 0 };
	struct etc_text text = { 0 };
	struct etc_baseline b, back;
	struct etc_arena arena;
	uint64_t seed = 1;

	(void)state;
	etc_arena_init(&arena, 64 << 20);
	dumps = etc_new(&arena, struct etc_baseline_dump, DUMPS);
	for (int d = 0; d < DUMPS; d++)
		make_dump(&dumps[d], &seed, &arena);
	b = (struct etc_baseline){ dumps, DUMPS };
	assert_ok(etc_write_baseline(&b, &arena, &text, &err), &err);
	assert_in_range(text.len, 300000, 700000);
	assert_ok(etc_baseline_read(etc_span_of(etc_text_str(&text)), &arena, &back, &err), &err);
	assert_int_equal(back.count, DUMPS);
	for (int d = 0; d < DUMPS; d++)
		for (size_t k = 0; k < RUNS; k++)
			assert_memory_equal(back.dumps[d].views[0].paths[0].values[k].v,
			                    dumps[d].views[0].paths[0].values[k].v,
			                    (ETC_VALUES_ROWS + EVENTS) * sizeof(uint64_t));
	etc_text_release(&text);
	etc_arena_release(&arena);
}

/* Writes a baseline with one event that has the names `keys`, and reads it again. Checks that the
 * event has the same names then, and stores these in `back`. */
static void pass_on(const struct etc_row_event *keys, struct etc_row_event *back,
                    struct etc_arena *arena)
{
	struct etc_profile_row row = { .name = ETC_STR("x"), .unit = ETC_UNIT_NS, .event = keys };
	uint64_t sample = 1, v[ETC_VALUES_ROWS + 1] = { 0 };
	struct etc_run_sample value = { 0, 1, v, ETC_VALUES_ROWS + 1 };
	struct etc_profile_path path = {
		.number = 1, .runs = 1, .kept = 1, .den = 1, .samples = &sample, .values = &value
	};
	struct etc_profile profile = { .unit = ETC_UNIT_NS,
		                       .den = 1,
		                       .paths = &path,
		                       .path_count = 1,
		                       .rows = &row,
		                       .row_count = 1 };
	struct etc_baseline_dump dump = { .etcore = ETC_STR("1"), .views = { profile, profile } };
	struct etc_baseline b = { &dump, 1 }, read;
	struct etc_text text = { 0 };
	struct etc_error err = { 0 };

	row.value = ETC_VALUES_ROWS;
	dump.files[ETC_BASELINE_DUMP].path = ETC_STR("run.etdump");
	assert_ok(etc_write_baseline(&b, arena, &text, &err), &err);
	assert_ok(etc_baseline_read(etc_span_of(etc_text_str(&text)), arena, &read, &err), &err);
	assert_non_null(read.dumps[0].views[0].rows[0].event);
	*back = *read.dumps[0].views[0].rows[0].event;
	etc_text_release(&text);
}

static void each_name_of_an_event_is_read_again(void **state)
{
	struct etc_group module = { 0 }, source = { 0 };
	struct etc_place place = { .module = &module, .source = &source };
	struct etc_event event = { .delegate_id = -1 };
	struct etc_row_event keys = { .event = &event, .place = &place }, back;
	struct etc_arena arena;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	for (uint8_t by = 0; by < ETC_EVENT_KEYS; by++)
		keys.key[by] = etc_arena_printf(&arena, "%s of x", etc_row_key(by)->word);
	module.name = keys.key[ETC_BY_MODULE];
	source.name = keys.key[ETC_BY_SOURCE];
	pass_on(&keys, &back, &arena);
	for (uint8_t by = 0; by < ETC_EVENT_KEYS; by++)
		assert_str(back.key[by], keys.key[by].ptr);
	assert_str(back.place->module->name, "module of x");
	assert_str(back.place->source->name, "source of x");
	etc_arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_those_that_were_stored),
		cmocka_unit_test(damage_has_a_code_and_newer_versions_another),
		cmocka_unit_test(what_is_missing_is_named),
		cmocka_unit_test(unknown_members_are_skipped),
		cmocka_unit_test(each_name_of_an_event_is_read_again),
		cmocka_unit_test(eight_dumps_of_a_hundred_runs_take_hundreds_of_kilobytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
