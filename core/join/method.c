/* method.c -- see method.h
 *
 * Every path is matched against every method. A path then gets the methods that fit, and its name
 * from the program or the record. */
#include "base/digits.h"
#include "join/contents.h"
#include "join/method.h"

/* ---- does a path fit a method? ------------------------------------------------- */

/* All templates of a path have the same instructions and kernels, so only one template of each path
 * is compared. The steps of the comparison are counted, because a hostile program (many equal
 * methods, each with a loop) could take very long. Once the limit is reached, no further path fits
 * a method. */

enum etc_fit {
	ETC_FIT_NONE,
	ETC_FIT_BEGIN, /* the path matches the method, but stops before the method's end */
	ETC_FIT_WHOLE,
	/* A flag: the instructions fit as the other bits say, but the method is left out, because
	 * the delegates' operators or other paths contradict it. */
	ETC_FIT_LEFT_OUT = 4
};

struct etc_walk {
	struct etc_arena *scratch;
	size_t *steps; /* number of steps that the search may still make */
	/* Members set by start_walk(): */
	const struct etc_sites *sites;
	/* for each site: do the kernels inside it match its operator (enum seen)? */
	uint8_t *kernel;
	uint32_t instructions;
	/* the path fits except for the operators in its delegates; set by try_contents() */
	bool operators;
	bool jumps; /* the path has a conditional jump (JumpFalseCall) */
};

/* The kernels that ran inside an OPERATOR_CALL. */
enum seen {
	SEEN_NONE,  /* no kernel ran */
	SEEN_OTHER, /* only kernels with another name than the operator ran */
	SEEN_THIS   /* a kernel with the operator's name ran */
};

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
 * there are two possible instructions. */
struct place {
	uint64_t chain;
	int64_t instruction, jump; /* jump target; -1: none */
};

/* Moves a position at the end of a chain to the start of the next chain that is not empty. */
static void settle(struct etc_walk *w, const struct etc_program_method *m, uint64_t *chain,
                   int64_t *instruction)
{
	while (*chain < m->chain_count && *instruction >= m->chains[*chain].count && spend(w, 1)) {
		++*chain;
		*instruction = 0;
	}
}

/* May `e` be the next event of a path at position `p`? If `e` is NULL: may the path end at `p`? */
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

/* Is there, inside of each OPERATOR_CALL that contains kernels, a kernel with the operator's name?
 * One suffices, because a kernel may call others. */
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

/* Sets fit[k] (enum etc_fit) to how the path fits method `k` of the program, for each method. */
static void try_program(struct etc_walk *w, const struct etc_program *program, uint8_t *fit)
{
	for (uint32_t k = 0; k < program->method_count; k++) {
		fit[k] = (uint8_t)follow(w, &program->methods[k]);
		if (fit[k] != ETC_FIT_NONE && !kernels_agree(w, &program->methods[k]))
			fit[k] = ETC_FIT_NONE;
	}
}

/* Does a delegate's blob have other operators than the events of the delegate's call? `calls`
 * has the delegate calls of the path. */
static bool contents_differ(struct etc_walk *w, const struct etc_program_method *m,
                            const struct etc_delegate_calls *calls, uint32_t count)
{
	char text[120];

	for (uint32_t i = 0; i < count; i++) {
		const struct etc_delegate_calls *c = &calls[i];
		const struct etc_instruction *n =
			etc_program_instruction(m, 0, c->event->instruction_id);
		const struct etc_delegate_graph *g = n && n->kind == ETC_INSTRUCTION_DELEGATE
		                                             ? m->delegates[n->index].contents
		                                             : NULL;
		struct etc_contents has;

		if (!g || !c->events || !spend(w, (size_t)g->count + c->sorts.count))
			continue;
		has = etc_contents_of_blob(g);
		if (etc_contents_differ(&c->has, &has, text, sizeof text) ||
		    (!c->has.attention && !etc_delegate_calls_in_order(c, g)))
			return true;
	}
	return false;
}

/* If several methods fit by their instructions, leaves out those whose delegates have other
 * operators than the events of the path. If this holds for all of them, the path fits no method. */
static enum etc_status try_contents(struct etc_walk *w, const struct etc_template *template,
                                    const struct etc_program *program, uint8_t *fit,
                                    struct etc_error *err)
{
	struct etc_delegate_calls *calls;
	uint32_t count, fits = 0, differ = 0;

	for (uint32_t k = 0; k < program->method_count; k++)
		fits += fit[k] != ETC_FIT_NONE;
	if (fits < 2)
		return ETC_OK;
	calls = etc_delegate_calls_find(template, w->scratch, &count);
	ETC_NEED(calls, err);
	for (uint32_t i = 0; i < count; i++)
		if (!etc_delegate_calls_divide(&calls[i]))
			calls[i].events = 0;
	for (uint32_t k = 0; k < program->method_count; k++)
		if (fit[k] != ETC_FIT_NONE &&
		    contents_differ(w, &program->methods[k], calls, count)) {
			fit[k] |= ETC_FIT_LEFT_OUT;
			differ++;
		}
	if (differ == fits)
		memset(fit, ETC_FIT_NONE, program->method_count);
	w->operators = differ == fits;
	return ETC_OK;
}

/* ---- does the path fit a method of the record? --------------------------------- */

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

/* Sets `*fits`: does the path fit the record's method `m`? If the delegate map has this method, the
 * method's part of the map must contain each DELEGATE_CALL of the path, and no OPERATOR_CALL. If
 * the path has no jump, all instructions in the maps must have run. Kernels that the maps do not
 * contain are ignored. */
static enum etc_status try_record(struct etc_walk *w, const struct etc_method_maps *m, bool *fits,
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

/* Makes the sites of the template in `sites`, which must outlive the walk, and sets the members of
 * `w` that depend on them. E0904. */
static enum etc_status start_walk(struct etc_walk *w, const struct etc_template *template,
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

/* STEPS limits the number of steps of all comparisons of a path with a method, added up. FITS_MAX
 * limits the number of paths times the number of methods. Undamaged files are far below both
 * limits. At most FITS_LISTED methods are kept for a path. */
enum { STEPS = 1 << 25, FITS_MAX = 1 << 26, FITS_LISTED = 64 };

struct finder {
	const struct etc_program *program;
	const struct etc_record *record;
	struct etc_arena *arena;
	struct etc_method *of_path;
	/* how well each path fits each method of the program (enum etc_fit): first the first path
	 * with all methods, then the second path ... */
	uint8_t *fit;
	/* per method of the record: the map for etc_method.entries, made on demand */
	struct etc_map **entries;
	size_t steps;
	/* For each path: the number of the path before the division. A path that several methods
	 * fit is divided, so that all its runs have the same delegate events, which are then
	 * compared, too. NULL: paths were not divided. */
	const uint32_t *origin;
	bool operators; /* copied to etc_methods.operators at the end */
	/* Does the path have no instruction? If other paths have some (`traced`), it is of a method
	 * without instructions, which returns a constant; else only whole methods were timed. */
	bool *empty;
	bool traced;
};

/* ---- lookups ---------------------------------------------------------------- */

struct etc_program_delegate etc_method_delegate(const struct etc_method *m,
                                                const struct etc_event *e)
{
	struct etc_program_delegate found = { 0 };

	for (uint32_t i = 0; i < m->fit_count; i++) {
		const struct etc_program_method *p = m->fits[i];
		const struct etc_instruction *n =
			etc_program_instruction(p, e->chain, e->instruction_id);
		const struct etc_program_delegate *d;

		if (!n || n->kind != ETC_INSTRUCTION_DELEGATE)
			return (struct etc_program_delegate){ 0 };
		d = &p->delegates[n->index];
		if (i == 0)
			found = *d;
		found.dynamic |= d->dynamic;
		if (!etc_str_eq(found.backend, d->backend))
			return (struct etc_program_delegate){ 0 };
		if (found.at != d->at || found.processed.len != d->processed.len) {
			found.processed = (struct etc_span){ 0 };
			found.at = 0;
			found.graph = NULL;
		}
	}
	return found;
}

const struct etc_operator *etc_method_operator(const struct etc_method *m,
                                               const struct etc_event *e)
{
	const struct etc_operator *found = NULL;

	for (uint32_t i = 0; i < m->fit_count; i++) {
		const struct etc_program_method *p = m->fits[i];
		const struct etc_instruction *n =
			etc_program_instruction(p, e->chain, e->instruction_id);
		const struct etc_operator *op;

		if (!n || n->kind != ETC_INSTRUCTION_KERNEL)
			return NULL;
		op = &p->operators[n->index];
		if (found && !etc_str_eq(found->text, op->text))
			return NULL;
		found = op;
	}
	return found;
}

const struct etc_delegate_entry *etc_method_entry(const struct etc_method *m, int32_t instruction)
{
	char text[16];
	struct etc_str key = { text, etc_digits_i32(text, instruction) };
	size_t at = m->entries ? etc_map_get(m->entries, key) : ETC_MAP_NONE;

	return at == ETC_MAP_NONE ? NULL : &m->maps->delegates[at];
}

/* ---- choosing -------------------------------------------------------------------- */

static enum etc_status room_for_alike(struct finder *f, struct etc_method *id, uint32_t methods,
                                      struct etc_error *err)
{
	id->alike_count = 0;
	id->alike = etc_new(f->arena, const struct etc_method_maps *,
	                    methods < FITS_LISTED ? methods : FITS_LISTED);
	return id->alike ? ETC_OK : etc_no_memory(err);
}

/* Sets id->alike to the record's maps of those methods of the program that fit. The list stays
 * empty if the record lacks the maps of one of these methods. Without a program, keeps the list
 * that choose_by_record() made. */
static enum etc_status list_alike(struct finder *f, struct etc_method *id, struct etc_error *err)
{
	if (!id->ambiguous || (f->program && !id->fit_count))
		id->alike_count = 0;
	if (!id->ambiguous || !id->fit_count || !f->record)
		return ETC_OK;
	ETC_TRY(room_for_alike(f, id, id->fit_count, err));
	for (uint32_t i = 0; i < id->fit_count; i++) {
		const struct etc_method_maps *maps =
			etc_record_method(f->record, id->fits[i]->name);

		if (!maps) {
			id->alike_count = 0;
			return ETC_OK;
		}
		id->alike[id->alike_count++] = maps;
	}
	return ETC_OK;
}

/* Chooses the record's method if exactly one fits; else `id->name` stays empty. */
static enum etc_status choose_by_record(struct finder *f, struct etc_walk *w, struct etc_method *id,
                                        struct etc_error *err)
{
	const struct etc_method_maps *one = NULL;
	uint32_t count = 0;

	ETC_TRY(room_for_alike(f, id, f->record->method_count, err));
	for (uint32_t k = 0; k < f->record->method_count; k++) {
		bool fits;

		ETC_TRY(try_record(w, &f->record->methods[k], &fits, err));
		if (fits && count++ == 0)
			one = &f->record->methods[k];
		if (fits && count <= FITS_LISTED)
			id->alike[id->alike_count++] = &f->record->methods[k];
	}
	id->ambiguous = count > 1;
	if (!id->ambiguous || count > FITS_LISTED)
		id->alike_count = 0;
	if (count != 1)
		return ETC_OK;
	id->maps = one;
	id->name = one->method;
	return ETC_OK;
}

static enum etc_status look_at(struct finder *f, uint32_t path, const struct etc_template *template,
                               struct etc_arena *scratch, struct etc_error *err)
{
	struct etc_walk w = { .scratch = scratch, .steps = &f->steps };
	struct etc_method *id = &f->of_path[path];
	struct etc_sites sites;
	uint8_t *fit;

	ETC_TRY(start_walk(&w, template, &sites, err));
	f->empty[path] = w.instructions == 0;
	f->traced |= !f->empty[path];
	if (f->record && f->record->method_count > 1 && !f->empty[path])
		ETC_TRY(choose_by_record(f, &w, id, err));
	if (!f->program)
		return ETC_OK;
	id->unfit = !f->empty[path]; /* choose_fits() makes it false if a method fits */
	fit = f->fit + (size_t)path * f->program->method_count;
	try_program(&w, f->program, fit);
	if (f->origin)
		ETC_TRY(try_contents(&w, template, f->program, fit, err));
	f->operators |= w.operators;
	return ETC_OK;
}

/* Did any path reach the end of method `k`? */
static bool somebody_finished(const struct finder *f, uint32_t paths, uint32_t k)
{
	for (uint32_t p = 0; p < paths; p++)
		if (f->fit[(size_t)p * f->program->method_count + k] == ETC_FIT_WHOLE)
			return true;
	return false;
}

/* Returns the only method whose end the path reached; UINT32_MAX: none, or several. */
static uint32_t only_finished(const struct finder *f, uint32_t path)
{
	const uint8_t *fit = f->fit + (size_t)path * f->program->method_count;
	uint32_t one = UINT32_MAX;

	for (uint32_t k = 0; k < f->program->method_count; k++) {
		if (fit[k] != ETC_FIT_WHOLE)
			continue;
		if (one != UINT32_MAX)
			return UINT32_MAX;
		one = k;
	}
	return one;
}

/* If the path can only be of one method, marks this method as taken, and the path as certain. Sets
 * `*clash` if another path of the same origin has already taken the method. */
static void take(const struct finder *f, uint32_t path, bool *certain, bool *taken, bool *clash)
{
	const uint32_t k = only_finished(f, path);
	bool *of = taken + (size_t)f->origin[path] * f->program->method_count;

	if (k == UINT32_MAX || *certain)
		return;
	*clash |= of[k];
	of[k] = *certain = true;
}

/* Leaves out those methods of one path that are certainly the methods of other paths (`taken`). If
 * this would leave none, leaves out nothing and sets `*clash`. Returns whether a method was left
 * out. */
static bool leave_out(uint8_t *fit, uint32_t methods, const bool *taken, bool *clash)
{
	bool left = false, out = false;

	for (uint32_t k = 0; k < methods; k++) {
		left |= fit[k] == ETC_FIT_WHOLE && !taken[k];
		out |= fit[k] == ETC_FIT_WHOLE && taken[k];
	}
	*clash |= out && !left;
	for (uint32_t k = 0; k < methods && out && left; k++)
		if (fit[k] == ETC_FIT_WHOLE && taken[k])
			fit[k] |= ETC_FIT_LEFT_OUT;
	return out && left;
}

/* Leaves out the methods that other paths have. If several methods fit a path, the path was divided
 * into paths whose runs log different delegate events; the undivided path is their origin. All runs
 * of a method that execute the same instructions log the same delegate events, so two paths of one
 * origin are of different methods. This is repeated, because a path that has lost a method may have
 * only one left. If two paths of one origin would have the same method, the operators do not
 * identify the methods: then no method is left out for the paths of this origin. */
static enum etc_status exclude(struct finder *f, uint32_t paths, struct etc_error *err)
{
	enum { REPEATED = 8 };
	const uint32_t methods = f->program->method_count;
	bool *taken = etc_new(f->arena, bool, (size_t)paths *methods);
	bool *certain = etc_new(f->arena, bool, paths), *clash = etc_new(f->arena, bool, paths);
	bool changed = true;

	ETC_NEED(taken && certain && clash, err);
	for (int pass = 0; pass < REPEATED && changed; pass++) {
		changed = false;
		for (uint32_t p = 0; p < paths; p++)
			take(f, p, &certain[p], taken, &clash[f->origin[p]]);
		for (uint32_t p = 0; p < paths; p++)
			if (!certain[p])
				changed |= leave_out(f->fit + (size_t)p * methods, methods,
				                     taken + (size_t)f->origin[p] * methods,
				                     &clash[f->origin[p]]);
	}
	for (uint32_t p = 0; p < paths; p++)
		for (uint32_t k = 0; k < methods && clash[f->origin[p]]; k++)
			f->fit[(size_t)p * methods + k] &= (uint8_t)~ETC_FIT_LEFT_OUT;
	return ETC_OK;
}

/* Chooses the methods of the program that fit the path: those that the path matches from start to
 * end. If there are none, chooses the methods of which the path matches the start, if another path
 * matches them from start to end. If more than FITS_LISTED methods fit, none is kept, and the path
 * is `ambiguous`. */
static enum etc_status choose_fits(struct finder *f, uint32_t paths, uint32_t path,
                                   struct etc_error *err)
{
	uint32_t methods = f->program->method_count, n = 0;
	const uint8_t *fit = f->fit + (size_t)path * methods;
	struct etc_method *id = &f->of_path[path];
	const struct etc_program_method **list;

	if (f->empty[path] && !f->traced)
		return ETC_OK;
	for (uint32_t k = 0; k < methods; k++)
		n += fit[k] == ETC_FIT_WHOLE;
	list = etc_new(f->arena, const struct etc_program_method *, n ? n : methods);
	ETC_NEED(list, err);
	id->fits = list;
	for (uint32_t k = 0; k < methods; k++)
		if (n ? fit[k] == ETC_FIT_WHOLE
		      : fit[k] == ETC_FIT_BEGIN && somebody_finished(f, paths, k))
			list[id->fit_count++] = &f->program->methods[k];
	id->unfit = id->unfit && id->fit_count == 0;
	if (id->fit_count > FITS_LISTED) {
		id->fit_count = 0;
		id->ambiguous = true;
	}
	return ETC_OK;
}

/* Chooses the path's method among the methods of the program whose instructions fit the path. If
 * only one fits, it is this one. Otherwise it is the one whose name the record gives; the others
 * then no longer count as fitting. If there is no such method, the path is `ambiguous` and its
 * method has no name. Does nothing if no method fits. */
static void settle_name(struct etc_method *id, const struct etc_record *record)
{
	const struct etc_program_method *one = id->fit_count == 1 ? id->fits[0] : NULL;

	for (uint32_t i = 0; i < id->fit_count && !one && id->name.len; i++)
		if (etc_str_eq(id->fits[i]->name, id->name))
			one = id->fits[i];
	if (!id->fit_count)
		return;
	id->ambiguous = !one;
	id->name = one ? one->name : ETC_STR_NONE;
	id->maps = one && record ? etc_record_method(record, one->name) : NULL;
	for (uint32_t i = 0; i < id->fit_count; i++)
		if (id->fits[i] == one) {
			id->fits += i;
			id->fit_count = 1;
		}
}

/* Counts in id->disputed the delegate calls of the method's first chain for which record and
 * program name different backends. */
static void compare_backends(struct etc_method *id)
{
	const struct etc_program_method *m = id->fit_count == 1 ? id->fits[0] : NULL;

	if (!m || !id->maps || m->chain_count == 0)
		return;
	for (uint32_t i = 0; i < m->chains[0].count; i++) {
		const struct etc_instruction *n = &m->chains[0].instructions[i];
		const struct etc_delegate_entry *e;

		if (n->kind != ETC_INSTRUCTION_DELEGATE)
			continue;
		e = etc_method_entry(id, (int32_t)i);
		if (!e || !e->backend.len || !m->delegates[n->index].backend.len ||
		    etc_str_eq(e->backend, m->delegates[n->index].backend))
			continue;
		if (id->disputed++ == 0)
			id->disputed_first = (int32_t)i;
	}
}

/* Sets `only` to the method of the program if the program has only one method; without a program,
 * to that of the record if the record has only one. (A record lacks methods that return a
 * constant.) */
static void find_only(const struct finder *f, struct etc_method *only)
{
	if (f->program && f->program->method_count == 1) {
		only->name = f->program->methods[0].name;
		only->maps = f->record ? etc_record_method(f->record, only->name) : NULL;
	} else if (!f->program && f->record && f->record->method_count == 1) {
		only->name = f->record->methods[0].method;
		only->maps = &f->record->methods[0];
	}
}

/* Indexes the record's delegate calls by instruction. No two calls have the same key
 * (etrecord_maps.c). */
static enum etc_status index_entries(struct finder *f, struct etc_method *m, struct etc_error *err)
{
	size_t k = m->maps ? (size_t)(m->maps - f->record->methods) : 0;
	struct etc_map *map;

	if (!m->maps)
		return ETC_OK;
	if (!f->entries[k]) {
		f->entries[k] = map = etc_new(f->arena, struct etc_map, 1);
		ETC_NEED(map, err);
		etc_map_init(map, f->arena);
		ETC_NEED(etc_map_reserve(map, m->maps->delegate_count), err);
		for (uint32_t i = 0; i < m->maps->delegate_count; i++)
			if (etc_map_add(map, m->maps->delegates[i].key, i) == ETC_MAP_NONE)
				return etc_no_memory(err);
	}
	m->entries = f->entries[k];
	return ETC_OK;
}

static enum etc_status choose(struct finder *f, uint32_t paths, struct etc_methods *out,
                              struct etc_error *err)
{
	if (f->program && f->origin)
		ETC_TRY(exclude(f, paths, err));
	for (uint32_t p = 0; p < paths && f->program; p++) {
		ETC_TRY(choose_fits(f, paths, p, err));
		out->unfit += f->of_path[p].unfit;
	}
	/* A program that fits only some of the paths is not the program that ran. So if one path
	 * fits no method, no path keeps its methods. */
	for (uint32_t p = 0; p < paths && out->unfit; p++)
		f->of_path[p].fit_count = 0;
	if (out->unfit)
		f->program = NULL;
	out->several = (f->program && f->program->method_count > 1) ||
	               (f->record && f->record->method_count > 1);
	find_only(f, &out->other);
	ETC_TRY(index_entries(f, &out->other, err));
	for (uint32_t p = 0; p < paths; p++) {
		struct etc_method *id = &f->of_path[p];

		settle_name(id, f->record);
		ETC_TRY(list_alike(f, id, err));
		/* the only method of the program or record is used if nothing else identifies the
		 * method, but not for a path that is certainly of a method without instructions */
		if (!id->name.len && !id->ambiguous && (f->program || !f->empty[p] || !f->traced)) {
			id->name = out->other.name;
			id->maps = out->other.maps;
		}
		ETC_TRY(index_entries(f, id, err));
		compare_backends(id);
	}
	return ETC_OK;
}

static enum etc_status look_at_all(struct finder *f, const struct etc_paths *paths,
                                   const struct etc_trace *trace, struct etc_error *err)
{
	bool *seen = etc_new(f->arena, bool, paths->count);

	ETC_NEED(seen, err);
	for (uint32_t s = 0; s < trace->template_count; s++) {
		uint32_t p = paths->path[s];
		struct etc_arena scratch;
		enum etc_status st;

		if (p == ETC_NO_SITE || seen[p])
			continue;
		seen[p] = true;
		etc_arena_init(&scratch, f->arena->budget);
		st = look_at(f, p, &trace->templates[s], &scratch, err);
		etc_arena_release(&scratch);
		ETC_TRY(st);
	}
	return ETC_OK;
}

static enum etc_status find(struct etc_methods *methods, const struct etc_paths *paths,
                            const struct etc_trace *trace, const struct etc_program *program,
                            const struct etc_record *record, const uint32_t *origin,
                            struct etc_arena *arena, struct etc_error *err)
{
	struct finder f = { .record = record, .arena = arena, .steps = STEPS, .origin = origin };
	uint32_t n = paths->count, count = program ? program->method_count : 0;

	if (program && (size_t)n * count <= FITS_MAX)
		f.program = program;
	f.of_path = etc_new(arena, struct etc_method, n);
	f.fit = etc_new(arena, uint8_t, f.program ? (size_t)n * count : 0);
	f.entries = etc_new(arena, struct etc_map *, record ? record->method_count : 0);
	f.empty = etc_new(arena, bool, n);
	ETC_NEED(f.of_path && f.fit && f.entries && f.empty, err);
	*methods = (struct etc_methods){ .of_path = f.of_path, .count = n };
	if (program && !f.program)
		methods->unfit = n;
	if (program || (record && (record->method_count > 1 || n > 1)))
		ETC_TRY(look_at_all(&f, paths, trace, err));
	methods->operators = f.operators;
	return choose(&f, n, methods, err);
}

enum etc_status etc_methods_find(struct etc_methods *methods, struct etc_paths *paths,
                                 const struct etc_trace *trace, const struct etc_program *program,
                                 const struct etc_record *record, struct etc_arena *arena,
                                 struct etc_error *err)
{
	const uint32_t *old = paths->path;
	bool several = false, *which;
	uint32_t *origin;

	ETC_TRY(find(methods, paths, trace, program, record, NULL, arena, err));
	which = etc_new(arena, bool, paths->count);
	ETC_NEED(which, err);
	for (uint32_t p = 0; p < paths->count; p++)
		several |= which[p] = methods->of_path[p].ambiguous;
	if (!several)
		return ETC_OK;
	ETC_TRY(etc_paths_divide(paths, trace, which, arena, err));
	origin = etc_new(arena, uint32_t, paths->count);
	ETC_NEED(origin, err);
	for (uint32_t s = 0; s < trace->template_count; s++)
		if (paths->path[s] != ETC_NO_SITE)
			origin[paths->path[s]] = old[s];
	return find(methods, paths, trace, program, record, origin, arena, err);
}
