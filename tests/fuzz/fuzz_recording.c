/* fuzz_recording.c -- reads any bytes as a recording of the answers of a backend's Python
 * parser. */
#include <stdlib.h>

#include "inspector/pyrepr.h"
#include "formats/etdump/recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sum; /* stores results, so that no read is optimised away */

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* Reads every array of the event, which must have an item for each sample. */
static void read_event(const struct etc_recorded_event *e)
{
	struct etc_text t = { 0 };

	for (uint64_t i = 0; i < e->samples; i++) {
		sum += e->start[i] + e->end[i];
		for (size_t k = 0; e->metadata && k < e->metadata[i].len; k++)
			sum += e->metadata[i].ptr[k];
		for (int end = 0; end < 2; end++)
			if (e->times[end])
				etc_py_datum(&t, &e->times[end][i]);
	}
	for (uint32_t i = 0; i < e->value_count; i++) {
		require(e->form != ETC_PARSED_LIST || e->values[i].name.len == 0);
		etc_py_datum(&t, &e->values[i]);
	}
	require((e->form == ETC_PARSED_NONE) == (e->value_count == 0));
	require(e->parsed || e->times[0]);
	sum += t.len;
	etc_text_release(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct etc_error err = { 0 };
	struct etc_recording r;
	struct etc_arena arena;

	etc_arena_init(&arena, 64 << 20);
	if (etc_recording_read((struct etc_span){ data, size }, &arena, &r, &err) == ETC_OK) {
		require(r.count > 0);
		for (uint32_t i = 0; i < r.count; i++)
			read_event(&r.events[i]);
	} else {
		require(err.code == E0634 || err.code == E0904);
	}
	etc_arena_release(&arena);
	return 0;
}
