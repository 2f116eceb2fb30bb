/* fuzz_answers.c -- decodes any bytes as a message between the host and the process of an isolated
 * plugin. The first 8 bytes select its kind: the answer of a hook, a descriptor, or a call. */
#define _POSIX_C_SOURCE 200809L /* strnlen */
#include <stdlib.h>
#include <string.h>

#include "host/isolated/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { EVENTS = 3, NUMBERS = 4, BUDGET = 4 << 20 };

static bool no_files(void *arg, uint64_t file, uint64_t at, uint64_t len, struct etcore_bytes *out)
{
	(void)arg, (void)file, (void)at, (void)len, (void)out;
	return false;
}

static void answer(struct etc_arena *arena, enum etc_hook hook, const uint8_t *data, size_t size)
{
	static const struct etcore_column any = ETCORE_COLUMN(ETCORE_TYPE_JSON, "*", NULL, NULL, 0);
	static const struct etcore_column *const columns[] = { &any, NULL };
	static const struct etcore_plugin abi = { .size = sizeof abi,
		                                  .name = "x",
		                                  .columns = columns };
	struct etcore_event events[EVENTS] = { { .size = sizeof events[0] } };
	const struct etcore_event *list[EVENTS] = { &events[0], &events[1], &events[2] };
	const struct etcore_call call = { .size = sizeof call, .count = EVENTS, .events = list };
	struct etc_host host = { .arena = arena };
	struct etc_plugin p = { .abi = &abi, .host = &host };
	struct etc_datum_intake to_data = { .in = { .arena = arena, .plugin = &abi } };
	struct etc_converted converted[NUMBERS];
	struct etc_number_intake to_numbers = { .in = { .arena = arena, .plugin = &abi },
		                                .out = converted,
		                                .expected = NUMBERS };
	struct etc_facts said = { .ordinal = 0 };
	struct etc_facts_intake to_facts = { .in = { .arena = arena, .plugin = &abi },
		                             .last = UINT32_MAX,
		                             .out = &said };
	struct etc_map_intake to_map = { .in = { .arena = arena, .plugin = &abi } };
	struct etcore_sink data_sink = etc_datum_sink(&to_data);
	struct etcore_number_sink number_sink = etc_number_sink(&to_numbers);
	struct etcore_text_sink facts_sink = etc_facts_sink(&to_facts);
	struct etcore_map_sink map_sink = etc_map_sink(&to_map);
	struct etcore_time times[EVENTS] = { { .size = sizeof times[0] } };
	struct etcore_time *time_list[EVENTS] = { &times[0], &times[1], &times[2] };
	struct etc_hook_args a = { .call = &call };
	const struct etc_answer whole = { 0, data, 0, size };
	struct etc_wire_kept kept = { .texts[0].at = NULL };
	char what[ETC_EXCEPTION_MAX] = "";
	enum etc_replay how;

	a.data = hook == ETC_HOOK_PARSE ? &data_sink : NULL;
	a.numbers = hook == ETC_HOOK_CONVERT ? &number_sink : NULL;
	a.facts = hook == ETC_HOOK_NAME || hook == ETC_HOOK_CLASSIFY ? &facts_sink : NULL;
	a.map = hook == ETC_HOOK_MAP ? &map_sink : NULL;
	a.times = hook == ETC_HOOK_DESCRIBE ? time_list : NULL;
	a.in = &to_data.in;
	how = etc_answer_replay(&whole, &p, hook, &a, &kept, what);
	if (how == ETC_REPLAY_THREW && strnlen(what, sizeof what) == sizeof what)
		abort();
	if (to_numbers.count > NUMBERS)
		abort();
	for (uint32_t i = 0; i < to_data.count; i++)
		if (to_data.items[i].kind > ETC_DATUM_JSON)
			abort();
	etc_datum_intake_release(&to_data);
	free(to_map.handles);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct etcore_plugin *abi;
	struct etc_wire_call call;
	struct etc_arena arena;
	struct etc_unwire r;
	uint64_t kind;

	if (size < sizeof kind)
		return 0;
	memcpy(&kind, data, sizeof kind);
	r = (struct etc_unwire){ data + sizeof kind, size - sizeof kind, 0, false };
	etc_arena_init(&arena, BUDGET);
	if (kind < ETC_HOOKS)
		answer(&arena, (enum etc_hook)kind, r.ptr, r.len);
	else if (kind == ETC_HOOKS && etc_wire_get_descriptor(&r, &arena, &abi))
		(void)etc_contract_fault(abi, ETCORE_PLUGIN_ABI_MINOR);
	else if (kind == ETC_HOOKS + 1)
		(void)etc_wire_get_call(&r, &call, &arena, no_files, NULL);
	etc_arena_release(&arena);
	return 0;
}
