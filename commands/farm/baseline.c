/* baseline.c -- runs `etcore farm baseline`; see farm.h. The table `baselines` has one baseline per
 * dump; `etcore baseline merge` joins these baselines. */
#include "commands/farm/farm.h"
#include "context/ask.h"

enum { MODEL, DEVICE, RUN_ID, BASELINE }; /* columns of ETC_FARM_BASELINE */

static bool is_same(const struct etc_cell *a, const struct etc_cell *b)
{
	return a->kind == b->kind && (a->kind != ETC_CELL_TEXT || etc_str_eq(a->s, b->s));
}

/* Checks that all dumps have a baseline, and that all are of one model and one device. If there are
 * no dumps, the error includes the note in `notes` about a condition that no dump meets. */
static enum etc_status look(const struct etc_table *t, const struct etc_notes *notes,
                            struct etc_error *err)
{
	uint32_t missing = 0;

	for (const struct etc_note *n = notes->first; n && !t->row_count; n = n->next)
		if (n->code == N0530)
			return etc_fail(err, E1225, "%s: " ETC_STR_FMT, etc_code_info(N0530)->title,
			                ETC_STR_ARG(n->text));
	if (!t->row_count)
		return etc_fail(err, E1225, "in the table runs");
	for (uint32_t r = 0; r < t->row_count; r++) {
		const struct etc_cell *row = t->cells + (size_t)r * t->column_count;

		missing += row[BASELINE].kind != ETC_CELL_TEXT || row[RUN_ID].kind != ETC_CELL_TEXT;
		for (int c = MODEL; c <= DEVICE; c++)
			if (!is_same(&row[c], &t->cells[c]))
				return etc_fail(
					err, E1226, "%s '" ETC_STR_FMT "' and '" ETC_STR_FMT "'",
					t->columns[c].name,
					ETC_STR_ARG(t->cells[c].kind == ETC_CELL_TEXT
				                            ? t->cells[c].s
				                            : ETC_STR("")),
					ETC_STR_ARG(row[c].kind == ETC_CELL_TEXT ? row[c].s
				                                                 : ETC_STR("")));
	}
	return missing ? etc_fail(err, E1227, "%u of %u", missing, t->row_count) : ETC_OK;
}

enum etc_status etc_farm_baseline(struct etc_session *s, const struct etc_question *farm,
                                  const struct etc_farm_options *o, const struct etc_table *t,
                                  struct etc_text *out, struct etc_error *err)
{
	static const char *const own[] = { "output", "where", "since", "last", "top", NULL };
	const struct etc_ask_option more[] = { { "output", o->output.v[0] }, { NULL, NULL } };
	struct etc_given *given = etc_new(&s->arena, struct etc_given, t->row_count);
	const char **words = etc_new(&s->arena, const char *, (size_t)t->row_count + 1);
	struct etc_opt_list operands = { words, t->row_count + 1 };
	struct etc_asker asker = {
		.question = farm, .args = &o->common, .own = own, .given = given, .arena = &s->arena
	};
	enum etc_status st;

	ETC_NEED(given && words, err);
	ETC_TRY(look(t, &s->notes, err));
	words[0] = "merge";
	for (uint32_t r = 0; r < t->row_count; r++) {
		const struct etc_cell *row = t->cells + (size_t)r * t->column_count;

		words[r + 1] = etc_arena_cstr(&s->arena, row[RUN_ID].s);
		ETC_NEED(words[r + 1], err);
		given[r] = (struct etc_given){ .next = r + 1 < t->row_count ? &given[r + 1] : NULL,
			                       .name = words[r + 1],
			                       .bytes = etc_span_of(row[BASELINE].s) };
	}
	etc_notes_init(&asker.notes, &s->arena);
	st = etc_ask(&asker, "baseline", &operands, more, out, err);
	for (const struct etc_note *n = asker.notes.first; n; n = n->next)
		etc_note_again(&s->notes, n);
	return st;
}
