/* folded.c -- `etcore trace -o folded`: writes one line per stack, in the format of flamegraph.pl.
 *
 *   forward;DELEGATE_CALL;Fully Connected (NC, F32) GEMM 9800
 *
 * The number is the exclusive time of the last frame, in ns. A ';' in a name is written as ':',
 * because ';' separates the frames. */
#include "commands/trace/forms.h"

#include "commands/trace/stacks.h"

static void put_stack(struct etc_text *out, const struct etc_stacks *s, uint32_t i, uint32_t *path)
{
	uint32_t depth = 0;

	for (uint32_t k = i; k != ETC_NO_SITE; k = s->v[k].parent)
		path[depth++] = k;
	while (depth--) {
		etc_text_put(out, s->frames[s->v[path[depth]].frame].name);
		etc_text_char(out, depth ? ';' : ' ');
	}
	etc_text_u64(out, etc_stack_ns(&s->v[i]));
	etc_text_char(out, '\n');
}

enum etc_status etc_trace_folded(struct etc_tracing *tracing, struct etc_text *out,
                                 struct etc_error *err)
{
	struct etc_arena arena;
	struct etc_stacks s;
	enum etc_status st;
	uint32_t *path;

	etc_arena_init(&arena, tracing->session->arena.budget);
	st = etc_stacks_make(tracing, false, &arena, &s, err);
	path = st == ETC_OK ? etc_new(&arena, uint32_t, s.count) : NULL;
	if (st == ETC_OK && !path)
		st = etc_no_memory(err);
	for (uint32_t i = 0; st == ETC_OK && i < s.count; i++)
		if (etc_stack_ns(&s.v[i]))
			put_stack(out, &s, i, path);
	etc_arena_release(&arena);
	return st;
}
