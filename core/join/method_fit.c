/* method_fit.c -- see method_fit.h */
#include "join/method_fit.h"

/* Did a kernel inside a call have the operator's name? */
enum seen { SEEN_NONE, SEEN_OTHER, SEEN_THIS };

static bool spend(struct etc_walk *w, size_t n)
{
	if (n > *w->steps)
		*w->steps = 0;
	else
		*w->steps -= n;
	return *w->steps > 0;
}

/* ---- does a path fit a method of the program? --------------------------------- */

static uint8_t kind_of(struct etc_str name)
{
	static const struct {
		struct etc_str name;
		uint8_t kind;
	} kinds[] = {
		{ { "OPERATOR_CALL", 13 }, ETC_INSTRUCTION_KERNEL },
		{ { "DELEGATE_CALL", 13 }, ETC_INSTRUCTION_DELEGATE },
		{ { "MOVE_CALL", 9 }, ETC_INSTRUCTION_MOVE },
		{ { "JF_CALL", 7 }, ETC_INSTRUCTION_JUMP_FALSE },
		{ { "FREE_CALL", 9 }, ETC_INSTRUCTION_FREE },
	};

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (etc_str_eq(name, kinds[i].name))
			return kinds[i].kind;
	return ETC_INSTRUCTION_UNKNOWN;
}

/* A position in the method: the chain and the instruction that come next. After a conditional jump
 * there are two positions. */
struct place {
	uint64_t chain;
	int64_t instruction, jump; /* jump target; -1: none */
};

/* At the end of a chain continues with the next; empty chains are skipped. */
static void settle(struct etc_walk *w, const struct etc_program_method *m, uint64_t *chain,
                   int64_t *instruction)
{
	while (*chain < m->chain_count && *instruction >= m->chains[*chain].count && spend(w, 1)) {
		++*chain;
		*instruction = 0;
	}
}

/* Can `e` be the event at `p`? `p` is NULL at the end of the method. */
static bool is_next(struct etc_walk *w, const struct etc_program_method *m, struct place p,
                    const struct etc_event *e)
{
	int64_t ways[] = { p.instruction, p.jump };

	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		uint64_t chain = p.chain;

		if (ways[i] < 0)
			continue;
		settle(w, m, &chain, &ways[i]);
		if (e ? e->chain == chain && e->instruction_id == ways[i] : chain >= m->chain_count)
			return true;
	}
	return false;
}

static enum etc_fit follow(struct etc_walk *w, const struct etc_program_method *m)
{
	struct place p = { 0, 0, -1 };

	for (uint32_t i = 0; i < w->sites->count; i++) {
		const struct etc_event *e = etc_site_event(w->sites, &w->sites->v[i]);
		const struct etc_instruction *n;

		if (!w->sites->v[i].instruction)
			continue;
		n = etc_program_instruction(m, e->chain, e->instruction_id);
		if (!spend(w, 1) || !n || n->kind != kind_of(etc_event_name(e)) ||
		    !is_next(w, m, p, e))
			return ETC_FIT_NONE;
		p = (struct place){ e->chain, (int64_t)e->instruction_id + 1, -1 };
		if (n->kind == ETC_INSTRUCTION_JUMP_FALSE)
			p.jump = n->index;
	}
	return is_next(w, m, p, NULL) ? ETC_FIT_WHOLE : ETC_FIT_BEGIN;
}

/* Is the event the operator's kernel? "aten::add.out" is logged as "native_call_add.out". */
static bool is_kernel_of(struct etc_str event, const struct etc_operator *op)
{
	size_t colons = etc_str_find(op->text, ETC_STR("::"), 0);
	struct etc_str name = op->text;

	if (colons != SIZE_MAX)
		name = etc_str_sub(name, colons + 2, name.len);
	return etc_str_eq(etc_str_sub(event, sizeof "native_call_" - 1, event.len), name);
}

/* Is one of the kernels that ran inside of a call the operator's? One suffices, because a kernel
 * may call others. */
static bool kernels_agree(struct etc_walk *w, const struct etc_program_method *m)
{
	const struct etc_sites *sites = w->sites;

	if (!spend(w, sites->count))
		return false;
	memset(w->kernel, SEEN_NONE, sites->count);
	for (uint32_t i = 0; i < sites->count; i++) {
		const struct etc_site *s = &sites->v[i];
		const struct etc_event *call;
		const struct etc_instruction *n;

		if (!s->native || s->delegate || s->call == ETC_NO_SITE)
			continue;
		call = etc_site_event(sites, &sites->v[s->call]);
		n = etc_program_instruction(m, call->chain, call->instruction_id);
		if (!n || n->kind != ETC_INSTRUCTION_KERNEL)
			continue;
		if (is_kernel_of(etc_event_name(etc_site_event(sites, s)), &m->operators[n->index]))
			w->kernel[s->call] = SEEN_THIS;
		else if (w->kernel[s->call] == SEEN_NONE)
			w->kernel[s->call] = SEEN_OTHER;
	}
	return sites->count == 0 || !memchr(w->kernel, SEEN_OTHER, sites->count);
}

/* Matches the path with each method of the program. */
void etc_walk_try_program(struct etc_walk *w, const struct etc_program *program, uint8_t *fit)
{
	for (uint32_t k = 0; k < program->method_count; k++) {
		fit[k] = (uint8_t)follow(w, &program->methods[k]);
		if (fit[k] != ETC_FIT_NONE && !kernels_agree(w, &program->methods[k]))
			fit[k] = ETC_FIT_NONE;
	}
}

/* ---- does it fit a method of the record? -------------------------------------- */

static bool add_keys(struct etc_map *map, const struct etc_method_maps *m)
{
	bool ok = true;

	for (uint32_t i = 0; i < m->delegate_count && ok; i++)
		ok = etc_map_add(map, m->delegates[i].key, ETC_INSTRUCTION_DELEGATE) !=
		     ETC_MAP_NONE;
	for (uint32_t i = 0; i < m->handle_count && ok; i++)
		ok = etc_map_add(map, m->handles[i].key, ETC_INSTRUCTION_KERNEL) != ETC_MAP_NONE;
	return ok;
}

/* Delegate calls must be those of the delegate map, and without a jump all instructions
 * of the maps must have run. Kernels that the maps do not contain are ignored. */
enum etc_status etc_walk_try_record(struct etc_walk *w, const struct etc_method_maps *m, bool *fits,
                                    struct etc_error *err)
{
	struct etc_map known, seen;
	size_t count = 0;

	*fits = false;
	etc_map_init(&known, w->scratch);
	etc_map_init(&seen, w->scratch);
	ETC_NEED(add_keys(&known, m), err);
	for (uint32_t i = 0; i < w->sites->count; i++) {
		const struct etc_event *e = etc_site_event(w->sites, &w->sites->v[i]);
		uint8_t kind = w->sites->v[i].instruction ? kind_of(etc_event_name(e)) : 0;
		struct etc_str key;
		size_t is;

		if (kind != ETC_INSTRUCTION_KERNEL && kind != ETC_INSTRUCTION_DELEGATE)
			continue;
		key = etc_arena_printf(w->scratch, "%d", (int)e->instruction_id);
		ETC_NEED(key.ptr, err);
		is = etc_map_get(&known, key);
		if (m->in_delegate_map &&
		    (kind == ETC_INSTRUCTION_DELEGATE) != (is == ETC_INSTRUCTION_DELEGATE))
			return ETC_OK;
		if (is == ETC_MAP_NONE)
			continue;
		is = etc_map_add(&seen, key, count);
		if (is == ETC_MAP_NONE)
			return etc_no_memory(err);
		count += is == count;
	}
	*fits = w->jumps || count == known.count;
	return ETC_OK;
}

enum etc_status etc_walk_start(struct etc_walk *w, const struct etc_template *template,
                               struct etc_sites *sites, struct etc_error *err)
{
	struct etc_host_clock clock = { .unit = 0, .scale = 1 };

	ETC_TRY(etc_sites_make(sites, template, clock, w->scratch, err));
	ETC_TRY(etc_sites_calls(sites, err));
	w->sites = sites;
	w->kernel = etc_new(w->scratch, uint8_t, sites->count);
	ETC_NEED(w->kernel, err);
	for (uint32_t i = 0; i < sites->count; i++) {
		w->instructions += sites->v[i].instruction;
		w->jumps =
			w->jumps || (sites->v[i].instruction &&
		                     kind_of(etc_event_name(etc_site_event(sites, &sites->v[i]))) ==
		                             ETC_INSTRUCTION_JUMP_FALSE);
	}
	return ETC_OK;
}
