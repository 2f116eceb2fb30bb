/* command.c -- `etcore farm QUESTION DIR`: the table of questions, and the function that answers a
 * question. */
#include "commands/farm/farm.h"
#include "context/output.h"
#include "context/question.h"

enum { SHOWN = 40, ANSWER_MOST = 256 << 20 };

#define BUDGET ((size_t)(SIZE_MAX >> 32 ? UINT64_C(4) << 30 : 1 << 30))

extern const struct etc_question etc_ask_farm;

/* The one question of `etcore farm` whose answer is a file. All others are answered by a table. */
#define BASELINE "baseline"

/* The questions that `etcore farm` answers. `sql` names the query in share/sql that answers the
 * question; NULL: the query has the name of the question. */
static const struct etc_farm_word {
	const char *name;
	const char *columns; /* columns of the query's result */
	const char *sql;     /* name of the query, or NULL */
	/* the query is about analysed dumps, so --where, --since and --last may select dumps */
	bool runs;
	enum etc_status (*made)(const struct etc_table *from, struct etc_arena *arena,
	                        struct etc_table *out, struct etc_error *err);
	const char *made_columns;
} words[] = {
	{ "trend", ETC_FARM_TREND, NULL, true, NULL, NULL },
	{ "changes", ETC_FARM_TREND, "trend", true, etc_farm_changes, ETC_FARM_CHANGES },
	{ "regressions",
	  "model device method path before_day day before_dumps dumps before_ns typical_ns "
	  "change_ns low_ns high_ns",
	  NULL, true, NULL, NULL },
	{ "top", "name backend category dumps self_ns share", NULL, true, NULL, NULL },
	{ "slowest", "model method path device dumps typical_ns p90_ns ratio", NULL, true, NULL,
	  NULL },
	{ "kleidiai", "model device operators yes_ns no_ns cannot_tell_ns share", NULL, true, NULL,
	  NULL },
	{ "fallbacks", "name category dumps self_ns share", NULL, true, NULL, NULL },
	{ "noise", "device dumps spread p90_spread most_spread", NULL, true, NULL, NULL },
	{ "load", "model device method dumps load_ns p90_ns most_ns", NULL, true, NULL, NULL },
	{ "memory", "model device method path dumps allocated_bytes most_bytes", NULL, true, NULL,
	  NULL },
	{ "errors", "code files message example", NULL, false, NULL, NULL },
	{ BASELINE, ETC_FARM_BASELINE, NULL, true, NULL, NULL },
};

#define QUESTIONS                                                                            \
	"trend|changes|regressions|top|slowest|kleidiai|fallbacks|noise|load|memory|errors|" \
	"baseline"

/* clang-format off */
static const struct etc_opt options[] = {
	{ 0, "where", ETC_OPT_LIST, offsetof(struct etc_farm_options, where), "COLUMN OP VALUE", NULL,
	  "only dumps that fulfil this in the table runs; OP: = != < <= > >= ~ (repeatable)" },
	{ 0, "since", ETC_OPT_TEXT, offsetof(struct etc_farm_options, since), "DAY", NULL,
	  "only dumps of this day and later ones" },
	{ 0, "last", ETC_OPT_TEXT, offsetof(struct etc_farm_options, last), "N", NULL,
	  "only the last N dumps of each model, device, method and path" },
	{ 0, "top", ETC_OPT_TEXT, offsetof(struct etc_farm_options, top), "N", NULL,
	  "rows on screen, 0 for all (default: 40)" },
	ETC_OUTPUT_ROW(struct etc_farm_options, ETC_TABLE_FORMATS, ""),
	ETC_CONFIG_ROW(struct etc_farm_options),
	ETC_REPORT_ROWS(struct etc_farm_options),
};
/* clang-format on */

static enum etc_status find_word(const struct etc_farm_options *o, const struct etc_farm_word **out,
                                 struct etc_error *err)
{
	const struct etc_opt_list *operands = &o->common.operands;
	const size_t count = sizeof words / sizeof *words;
	size_t w = 0;

	while (w < count && (!operands->count || strcmp(operands->v[0], words[w].name) != 0))
		w++;
	if (w == count)
		return etc_fail(err, E0501, "farm " QUESTIONS " DIR; got %s",
		                operands->count ? operands->v[0] : "nothing");
	if (operands->count != 2)
		return etc_fail(err, E0501, "farm %s takes one folder, got %u", words[w].name,
		                (unsigned)operands->count - 1);
	if (!words[w].runs && (o->where.count || o->since || o->last))
		return etc_fail(err, E0501,
		                "farm %s is about all dumps: no --where, --since, --last",
		                words[w].name);
	if (strcmp(words[w].name, BASELINE) == 0 && o->output.count != 1)
		return etc_fail(err, E0501, "where to? -o FILE; '-' is standard output");
	*out = &words[w];
	return ETC_OK;
}

static enum etc_status ask(const struct etc_farm_options *o, const struct etc_farm_word *word,
                           struct etc_arena *arena, struct etc_table *out, struct etc_error *err)
{
	struct etc_text filter = { 0 }, json = { 0 };
	struct etc_table answer;
	enum etc_status st = etc_farm_filter(o, &filter, err);

	if (st == ETC_OK)
		st = etc_farm_ask(o->common.operands.v[1], etc_text_str(&filter),
		                  etc_farm_sql(word->sql ? word->sql : word->name), ANSWER_MOST,
		                  &json, err);
	st = etc_farm_blame(o, st, err);
	if (st == ETC_OK)
		st = etc_farm_read(etc_text_str(&json), word->columns, arena, &answer, err);
	if (st == ETC_OK && word->made)
		st = word->made(&answer, arena, out, err);
	else if (st == ETC_OK)
		*out = answer;
	etc_text_release(&filter);
	etc_text_release(&json);
	return st;
}

/* Reports the number of rows whose 95 % interval excludes 0, so that the change is significant. */
static void remark(const struct etc_table *t, struct etc_notes *notes)
{
	uint32_t low = UINT32_MAX, rows = 0, sure = 0;
	double from, to;

	for (uint32_t c = 0; c < t->column_count; c++)
		if (strcmp(t->columns[c].name, "low_ns") == 0)
			low = c;
	for (uint32_t r = 0; low != UINT32_MAX && r < t->row_count; r++) {
		const struct etc_cell *cells = t->cells + (size_t)r * t->column_count;

		if (!etc_cell_number(&cells[low], &from) || !etc_cell_number(&cells[low + 1], &to))
			continue;
		rows++;
		sure += from > 0 || to < 0;
	}
	if (sure)
		etc_note(notes, N1224, "%u of %u; without any change %.1f are to be expected", sure,
		         rows, 0.05 * rows);
}

/* Writes the table in the formats of -o. */
static enum etc_status show(struct etc_session *s, const struct etc_farm_options *o,
                            const struct etc_table *t, const struct etc_reply *reply,
                            struct etc_error *err)
{
	const struct etc_screen screen = etc_session_screen(s, &o->common);
	struct etc_report_block block = { .table = *t };
	struct etc_report report = { .rows = *t,
		                     .schema = "etcore.farm/1",
		                     .notes = &s->notes,
		                     .blocks = &block,
		                     .block_count = 1 };
	struct etc_targets targets;
	uint64_t top = SHOWN;

	ETC_TRY(etc_opt_count("top", o->top, UINT32_MAX, &top, err));
	ETC_TRY(etc_targets_parse(&targets, etc_table_formats, &o->output, &s->arena, err));
	remark(t, &s->notes);
	if (top && top < t->row_count) {
		block.table.row_count = (uint32_t)top;
		report.more = etc_arena_printf(&s->arena, "(%lu more; --top 0 shows all)",
		                               (unsigned long)(t->row_count - top));
	}
	if (!t->row_count)
		report.more = ETC_STR("(no rows)");
	ETC_TRY(etc_session_report(s, o->common.strict, reply, err));
	return etc_targets_tables(&targets, &report, &report, 1, &screen, reply->out, err);
}

/* Answers the question: checks all options, runs the query with DuckDB, and writes the table. */
static enum etc_status answer(struct etc_session *s, const void *args,
                              const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_farm_options *o = args;
	const struct etc_farm_word *word = NULL;
	struct etc_targets targets;
	struct etc_table table;
	uint64_t top;
	bool file;

	ETC_TRY(find_word(o, &word, err));
	file = strcmp(word->name, BASELINE) == 0;
	ETC_TRY(etc_session_configure(s, &o->common, NULL, 0, 0, err));
	ETC_TRY(etc_opt_count("top", o->top, UINT32_MAX, &top, err));
	if (!file)
		ETC_TRY(etc_targets_parse(&targets, etc_table_formats, &o->output, &s->arena, err));
	ETC_TRY(ask(o, word, &s->arena, &table, err));
	ETC_TRY(etc_farm_complete(o->common.operands.v[1], &s->notes, &s->arena, err));
	if (!table.row_count)
		ETC_TRY(etc_farm_remark(s, o, err));
	if (!file)
		return show(s, o, &table, reply, err);
	ETC_TRY(etc_farm_baseline(s, &etc_ask_farm, o, &table, reply->out, err));
	return etc_session_report(s, o->common.strict, reply, err);
}

const struct etc_question etc_ask_farm = {
	.name = "farm",
	.summary = "what the tables of many dumps say, through DuckDB",
	.usage = QUESTIONS " DIR [options]",
	.examples = "etcore farm trend tables\n"
		    "etcore farm regressions tables --where 'model = mobilenet'\n"
		    "etcore farm baseline tables --where 'model = mobilenet' --last 20 -o "
		    "main.baseline",
	ETC_OPTIONS(struct etc_farm_options),
	.answer = answer,
	.budget = BUDGET,
};
