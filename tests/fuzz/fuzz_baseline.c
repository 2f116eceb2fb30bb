/* fuzz_baseline.c -- reads any bytes as a stored baseline. The result must be an error with a code,
 * or profiles that can be compared. Profiles must not change when they are written and read
 * again. */
#include <stdlib.h>

#include "commands/compare/gate_judge.h"
#include "commands/compare/baseline_read.h"
#include "commands/compare/baseline_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile double sum; /* stores results, so that no read is optimised away */

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void compare(const struct etc_baseline *b, unsigned view, struct etc_arena *arena)
{
	const struct etc_profile **dumps = etc_new(arena, const struct etc_profile *, b->count);
	const struct etc_diff_group groups[2] = {
		{ .name = ETC_STR("A"), .dumps = dumps, .count = b->count },
		{ .name = ETC_STR("B"), .dumps = dumps, .count = b->count }
	};
	const struct etc_diff_options o = {
		.by = view ? ETC_BY_DELEGATE : ETC_BY_EVENT,
		.compare = { .stat = ETC_STAT_TYPICAL, .level = 0.95, .seed = 1 }
	};
	struct etc_error err = { 0 };
	struct etc_diff diff;

	if (!dumps)
		return;
	for (uint32_t d = 0; d < b->count; d++)
		dumps[d] = &b->dumps[d].views[view];
	if (etc_diff_make(groups, 2, &o, arena, &diff, &err) != ETC_OK) {
		require(err.code == E0904);
		return;
	}
	for (uint32_t s = 0; s < diff.section_count; s++)
		for (uint32_t r = 0; r < diff.sections[s].row_count; r++) {
			sum += diff.sections[s].rows[r].against[1]->difference;
			require(!diff.sections[s].rows[r].against[1]->significant);
		}
}

/* A baseline that is written, read and written again must give the same text. */
static void write_twice(const struct etc_baseline *b, struct etc_arena *arena)
{
	struct etc_text text = { 0 }, again = { 0 };
	struct etc_baseline copy;

	if (etc_write_baseline(b, arena, &text, NULL) == ETC_OK &&
	    etc_baseline_read(etc_span_of(etc_text_str(&text)), arena, &copy, NULL) != ETC_NOMEM) {
		require(etc_baseline_read(etc_span_of(etc_text_str(&text)), arena, &copy, NULL) ==
		                ETC_OK ||
		        arena->budget < text.len * 64);
		if (etc_write_baseline(&copy, arena, &again, NULL) == ETC_OK)
			require(etc_str_eq(etc_text_str(&text), etc_text_str(&again)));
	}
	etc_text_release(&text);
	etc_text_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct etc_error err = { 0 };
	struct etc_baseline b;
	struct etc_arena arena;
	enum etc_status st;

	etc_arena_init(&arena, 64 << 20);
	st = etc_baseline_read((struct etc_span){ data, size }, &arena, &b, &err);
	if (st == ETC_OK) {
		require(b.count > 0);
		compare(&b, ETC_BASELINE_EVENT, &arena);
		compare(&b, ETC_BASELINE_DELEGATE, &arena);
		write_twice(&b, &arena);
	} else {
		require(err.code == E0176 || err.code == E0178 || err.code == E0904 ||
		        err.code == E0905);
		require(err.text[0]);
	}
	etc_arena_release(&arena);
	return 0;
}
