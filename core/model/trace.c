/* trace.c -- see trace.h */
#include "model/trace.h"

enum etc_event_word etc_event_word(struct etc_str name)
{
	static const struct {
		struct etc_str name;
		enum etc_event_word word;
	} words[] = {
		{ { "OPERATOR_CALL", 13 }, ETC_WORD_OPERATOR_CALL },
		{ { "DELEGATE_CALL", 13 }, ETC_WORD_DELEGATE_CALL },
		{ { "JF_CALL", 7 }, ETC_WORD_OTHER_CALL },
		{ { "MOVE_CALL", 9 }, ETC_WORD_OTHER_CALL },
		{ { "FREE_CALL", 9 }, ETC_WORD_OTHER_CALL },
		{ { "Method::execute", 15 }, ETC_WORD_EXECUTE },
		{ { "Program::load_method", 20 }, ETC_WORD_LOAD },
	};

	if (etc_str_starts(name, ETC_STR("native_call_")))
		return ETC_WORD_KERNEL;
	for (size_t i = 0; name.len && i < sizeof words / sizeof words[0]; i++)
		if (etc_str_eq(name, words[i].name))
			return words[i].word;
	return ETC_WORD_NONE;
}

struct etc_str etc_run_allocator(const struct etc_run_head *run, int32_t id,
                                 struct etc_arena *arena)
{
	if (id >= 1 && (uint32_t)id <= run->allocator_count && run->allocators[id - 1].len)
		return run->allocators[id - 1];
	return etc_arena_printf(arena, "allocator %d", (int)id);
}
