/* fuzz_serial_log.c -- reads any bytes as the log of a bare-metal runner. */
#include <stdlib.h>

#include "formats/etdump/serial_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sum; /* stores results, so that no read is optimised away */

static void require(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct etc_span file = { data, size };
	struct etc_error err = { 0 };
	struct etc_serial_log log;
	struct etc_arena arena;
	struct etc_notes notes;

	etc_arena_init(&arena, 16 << 20);
	etc_notes_init(&notes, &arena);
	sum += etc_serial_log_is(file);
	if (etc_serial_log_read(file, &arena, &notes, &log, &err) == ETC_OK) {
		require(log.dump.len + log.debug_buffer.len <= size);
		for (size_t i = 0; i < log.dump.len; i++)
			sum += log.dump.ptr[i];
		for (size_t i = 0; i < log.debug_buffer.len; i++)
			sum += log.debug_buffer.ptr[i];
	} else {
		require(err.code != ETC_CODE_NONE && err.text[0] != '\0');
	}
	etc_arena_release(&arena);
	return 0;
}
