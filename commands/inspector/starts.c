/* starts.c -- makes the texts of the column START_TIME; see frame.h. Such a text has a number for
 * each run, so in a table of many runs these texts are the largest part. */
#include "base/digits.h"
#include "commands/inspector/frame.h"

/* number of start times that are processed at a time, since one event may have millions */
enum { STARTS = 512 };

/* Stores the start times of an event in `count` runs, from run `from` of the block on. */
static void gather_starts(const struct etc_inspector *in, const struct etc_insp_block *b,
                          uint32_t event, uint32_t from, uint32_t count, uint64_t starts[STARTS])
{
	const uint64_t *all = in->trace->start;
	const struct etc_run *runs = in->trace->runs;
	const struct etc_insp_variant *variants = in->variants;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t column = etc_insp_column(&variants[b->variant[from + i]], event);

		etc_insp_ahead(in, b, event, 1, from + i, false);
		starts[i] = all[runs[b->runs[from + i]].first_sample + column];
	}
}

void etc_frame_put_starts(struct etc_text *t, const struct etc_inspector *in,
                          const struct etc_insp_block *b, uint32_t event)
{
	enum { MOST = 22 }; /* maximum number of characters of one number */
	uint64_t starts[STARTS];

	etc_text_char(t, '[');
	for (uint32_t from = 0; from < b->run_count; from += STARTS) {
		uint32_t count = b->run_count - from < STARTS ? b->run_count - from : STARTS;
		char *to = etc_text_reserve(t, MOST * (size_t)count), *start = to;

		if (!to)
			return;
		gather_starts(in, b, event, from, count, starts);
		for (uint32_t i = 0; i < count; i++) {
			size_t n = etc_digits_of(starts[i]);

			memcpy(to, ", ", 2);
			to += from + i ? 2 : 0;
			etc_digits_put(to, n, starts[i]);
			to += n;
		}
		t->len += (size_t)(to - start);
	}
	etc_text_char(t, ']');
}

/* Computes the width of the text with each event's start times. The outer loop goes over the runs,
 * because this is the order of the times in memory. */
void etc_frame_measure_starts(const struct etc_inspector *in, struct etc_frame_widths *w)
{
	const struct etc_insp_block *b = w->b;
	uint32_t count = w->to - w->from;

	for (uint32_t k = 0; k < count; k++)
		w->widths[k] = 2 * (size_t)b->run_count;
	for (uint32_t i = 0; i < b->run_count; i++) {
		const uint32_t *columns = in->variants[b->variant[i]].profile;
		const uint64_t *start = in->trace->start + in->trace->runs[b->runs[i]].first_sample;

		etc_insp_ahead(in, b, w->from, count, i, false);
		for (uint32_t k = 0; k < count; k++) {
			uint32_t at = columns ? columns[w->from + k] : w->from + k;

			w->widths[k] += at == UINT32_MAX ? 0 : etc_digits_of(start[at]);
		}
	}
}
