/* together.c -- see together.h
 *
 * A run is a list of instructions, and a record lists the instructions of each method. An
 * instruction that the record lists as a delegate must call a delegate in the run; one that the
 * record lists as an operator must not. A run without jumps must execute all instructions that the
 * record lists.
 *
 * The record does not list some instructions: those in a loop's body, and those that write buffers
 * back or copy to devices. So an instruction that is not listed is no evidence, with one exception:
 * in a run without jumps, each delegate, and each kernel that computes, must be listed.
 *
 * If two exports have the same list of instructions, the operators and delegates that these
 * instructions call distinguish the exports (conflicts.c). */
#include "together/together.h"

#include <stdio.h>

#include "base/map.h"
#include "join/method.h"
#include "join/site.h"

/* TEMPLATES: maximum number of event lists that are compared. A few suffice, because event lists of
 * one program differ in loops, not in instructions. WORK: maximum number of events that are
 * compared with methods. */
enum { TEMPLATES = 16, WORK = 1 << 22 };

/* An instruction of a run. */
struct call {
	struct etc_str key; /* the instruction's number as text */
	bool delegate;
	bool named;    /* a kernel ran, and exporters record a debug handle for its operator */
	bool computes; /* a kernel ran that does more than move or convert values */
};

struct run {
	struct call *calls;
	uint32_t count;
	struct etc_map place; /* maps the key of an instruction to its index in `calls` */
	bool jumps;
};

/* Counts that show how far a run agrees with a method of the record. */
struct match {
	/* number of delegates in the run; number of those delegates that the record has, too */
	uint32_t delegates, delegates_found;
	uint32_t operators, operators_found;
	/* number of distinct delegate ids of the run's events; number of those ids that the record
	 * has, too */
	uint32_t ids, ids_found;
	/* number of instructions that the record lists; number of those instructions that ran */
	uint32_t entries, entries_ran;
	/* number of contradictions between the run and the method; files that belong together have
	 * none */
	uint32_t contrary;
	/* number of the run's instructions that are missing in the record, although exporters list
	 * such instructions in a record: delegate calls, and kernels of operators that get a debug
	 * handle */
	uint32_t open;
};

struct matcher {
	const struct etc_record *record;
	struct etc_arena *arena;
	uint64_t work;
};

static struct etc_str number(struct etc_arena *arena, int64_t v)
{
	return etc_arena_printf(arena, "%lld", (long long)v);
}

static bool put(struct etc_map *map, struct etc_str key, size_t value)
{
	return key.ptr && etc_map_add(map, key, value) != ETC_MAP_NONE;
}

static bool has(const struct etc_map *map, struct etc_str key)
{
	return etc_map_get(map, key) != ETC_MAP_NONE;
}

/* Does lowering add kernels with this name after it has assigned debug handles? The record does not
 * list these kernels. */
static bool is_added(struct etc_str kernel)
{
	return etc_str_starts(kernel, ETC_STR("native_call_copy_")) ||
	       etc_str_starts(kernel, ETC_STR("native_call__h2d_copy")) ||
	       etc_str_starts(kernel, ETC_STR("native_call__d2h_copy"));
}

/* Does the kernel only move or convert values? A user's own passes may add such kernels, so a
 * missing one proves nothing. */
static bool moves(struct etc_str kernel)
{
	static const char *const words[] = { "copy", "clone", "quantize", "alias" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (etc_str_find(kernel, etc_str_of(words[i]), 0) != SIZE_MAX)
			return true;
	return false;
}

/* ---- a run -------------------------------------------------------------------------- */

static struct call *call_of(struct run *run, int32_t instruction, struct etc_arena *arena)
{
	struct etc_str key = number(arena, instruction);
	size_t at = key.ptr ? etc_map_add(&run->place, key, run->count) : ETC_MAP_NONE;

	if (at == ETC_MAP_NONE)
		return NULL;
	if (at == run->count)
		run->calls[run->count++] = (struct call){ .key = key };
	return &run->calls[at];
}

static bool list_calls(struct run *run, const struct etc_template *template,
                       struct etc_arena *arena)
{
	*run = (struct run){ .calls = etc_new(arena, struct call, template->count) };
	etc_map_init(&run->place, arena);
	for (uint32_t i = 0; run->calls && i < template->count; i++) {
		const struct etc_event *e = &template->events[i];
		bool delegate = etc_str_eq(etc_event_name(e), ETC_STR("DELEGATE_CALL"));
		bool kernel;
		struct call *c;

		if (e->kind != ETC_EVENT_PROFILE || etc_event_is_delegate(e))
			continue;
		run->jumps |= etc_str_eq(etc_event_name(e), ETC_STR("JF_CALL"));
		kernel = etc_str_starts(etc_event_name(e), ETC_STR("native_call_"));
		if (!delegate && !kernel &&
		    !etc_str_eq(etc_event_name(e), ETC_STR("OPERATOR_CALL")))
			continue;
		c = call_of(run, e->instruction_id, arena);
		if (!c)
			return false;
		c->delegate |= delegate;
		c->named |= kernel && !is_added(etc_event_name(e));
		c->computes |= kernel && !moves(etc_event_name(e));
	}
	return run->calls != NULL;
}

/* ---- a method of the record ------------------------------------------------------------ */

struct entries {
	/* `handles` maps an instruction, as text, to its index in maps->handles; `delegates` maps
	 * it to its index in maps->delegates (struct etc_method_maps) */
	struct etc_map handles, delegates;
	/* the record has no map of delegates, so every instruction counts as if that map
	 * contained it */
	bool all_delegates;
};

static bool index_method(struct entries *e, const struct etc_record *r,
                         const struct etc_method_maps *maps, struct etc_arena *arena)
{
	bool ok = true;

	etc_map_init(&e->handles, arena);
	etc_map_init(&e->delegates, arena);
	e->all_delegates = !r->delegate_map_present || r->delegate_map_null;
	for (uint32_t i = 0; i < maps->handle_count && ok; i++)
		ok = put(&e->handles, maps->handles[i].key, i);
	for (uint32_t i = 0; i < maps->delegate_count && ok; i++)
		ok = put(&e->delegates, maps->delegates[i].key, i);
	return ok;
}

/* Compares one instruction of the run with the record's entries. Exporters list every delegate and
 * every kernel that computes, except those inside loops and branches. */
static void match_call(const struct entries *e, const struct run *run, const struct call *c,
                       struct match *out)
{
	size_t at = etc_map_get(&e->handles, c->key);

	if (c->delegate) {
		bool found = at != ETC_MAP_NONE && (e->all_delegates || has(&e->delegates, c->key));

		out->delegates++;
		out->delegates_found += found;
		out->contrary +=
			!found && (at != ETC_MAP_NONE || (!run->jumps && !e->all_delegates));
		out->open += at == ETC_MAP_NONE;
		return;
	}
	out->operators++;
	out->operators_found += at != ETC_MAP_NONE;
	out->contrary += has(&e->delegates, c->key);
	out->contrary += at == ETC_MAP_NONE && c->computes && !run->jumps;
	out->open += at == ETC_MAP_NONE && c->named;
}

/* Compares the delegate ids of events with those in the record. */
static bool match_ids(struct matcher *m, const struct entries *e,
                      const struct etc_method_maps *maps, const struct etc_template *template,
                      struct match *out)
{
	struct etc_map ids, seen;

	etc_map_init(&ids, m->arena);
	etc_map_init(&seen, m->arena);
	for (uint32_t i = 0; i < maps->delegate_count; i++)
		for (uint32_t k = 0; k < maps->delegates[i].count; k++)
			if (!put(&ids,
			         etc_arena_printf(m->arena, ETC_STR_FMT " " ETC_STR_FMT,
			                          ETC_STR_ARG(maps->delegates[i].key),
			                          ETC_STR_ARG(maps->delegates[i].ids[k].key)),
			         0))
				return false;
	for (uint32_t i = 0; i < template->count; i++) {
		const struct etc_event *event = &template->events[i];
		struct etc_str key;
		size_t at, before = seen.count;

		if (event->kind != ETC_EVENT_PROFILE || !etc_event_is_delegate(event))
			continue;
		at = etc_map_get(&e->delegates, number(m->arena, event->instruction_id));
		if (at == ETC_MAP_NONE || maps->delegates[at].count == 0)
			continue;
		key = event->has_delegate_name
		              ? etc_arena_printf(m->arena, "%ld " ETC_STR_FMT,
		                                 (long)event->instruction_id,
		                                 ETC_STR_ARG(etc_event_delegate_name(event)))
		              : etc_arena_printf(m->arena, "%ld %ld", (long)event->instruction_id,
		                                 (long)event->delegate_id);
		if (!put(&seen, key, 0))
			return false;
		if (seen.count == before)
			continue;
		out->ids++;
		out->ids_found += has(&ids, key);
	}
	return true;
}

static bool match_method(struct matcher *m, const struct run *run,
                         const struct etc_template *template, const struct etc_method_maps *maps,
                         struct match *out)
{
	struct entries e;

	*out = (struct match){ 0 };
	if (!index_method(&e, m->record, maps, m->arena) || !match_ids(m, &e, maps, template, out))
		return false;
	for (uint32_t i = 0; i < run->count; i++)
		match_call(&e, run, &run->calls[i], out);
	out->entries = maps->handle_count;
	for (uint32_t i = 0; i < maps->handle_count; i++)
		out->entries_ran += has(&run->place, maps->handles[i].key);
	if (!run->jumps)
		out->contrary += out->entries - out->entries_ran;
	return true;
}

/* ---- all runs ----------------------------------------------------------------------------- */

static void sum(struct match *to, const struct match *m)
{
	to->delegates += m->delegates;
	to->delegates_found += m->delegates_found;
	to->operators += m->operators;
	to->operators_found += m->operators_found;
	to->ids += m->ids;
	to->ids_found += m->ids_found;
	to->entries += m->entries;
	to->entries_ran += m->entries_ran;
	to->contrary += m->contrary;
	to->open += m->open;
}

/* Finds the method of the record with which the run agrees best, and adds its counts to `total`. */
static bool match_run(struct matcher *m, const struct etc_template *template, struct match *total)
{
	struct match best = { 0 };
	bool any = false;
	struct run run;

	if (!list_calls(&run, template, m->arena))
		return false;
	for (uint32_t i = 0; run.count && i < m->record->method_count && m->work < WORK; i++) {
		struct match now;

		if (!m->record->methods[i].in_handle_map)
			continue;
		m->work += template->count;
		if (!match_method(m, &run, template, &m->record->methods[i], &now))
			return false;
		if (!any || now.contrary < best.contrary ||
		    (now.contrary == best.contrary &&
		     now.operators_found + now.delegates_found >
		             best.operators_found + best.delegates_found))
			best = now;
		any = true;
	}
	sum(total, &best);
	return true;
}

static void describe(const struct match *t, char *to, size_t room)
{
	int n;

	if (t->delegates || !t->operators)
		n = snprintf(to, room, "%lu of %lu delegate instructions match",
		             (unsigned long)t->delegates_found, (unsigned long)t->delegates);
	else
		n = snprintf(to, room, "%lu of %lu operators match (no delegates)",
		             (unsigned long)t->operators_found, (unsigned long)t->operators);
	if (t->delegates && t->operators)
		n += snprintf(to + n, room - (size_t)n, ", %lu of %lu operators",
		              (unsigned long)t->operators_found, (unsigned long)t->operators);
	else if (!t->operators)
		n += snprintf(to + n, room - (size_t)n, " (no operators outside)");
	/* If no id matches, the text does not mention ids, because the ids of some backends can be
	 * compared only by the backend's plugin. */
	if (t->ids_found)
		n += snprintf(to + n, room - (size_t)n,
		              ", %lu of %lu identifiers of delegates' events",
		              (unsigned long)t->ids_found, (unsigned long)t->ids);
	if (t->entries_ran < t->entries)
		snprintf(to + n, room - (size_t)n, "; %lu of %lu instructions of the record ran",
		         (unsigned long)t->entries_ran, (unsigned long)t->entries);
}

static bool match_all(struct matcher *m, const struct etc_trace *trace, struct match *total)
{
	uint32_t runs = 0, root;

	for (size_t s = 0; s < trace->template_count && runs < TEMPLATES; s++) {
		if (etc_template_kind(&trace->templates[s], &root) != ETC_RUN_EXECUTE)
			continue;
		runs++;
		if (!match_run(m, &trace->templates[s], total))
			return false;
	}
	return true;
}

static void conclude(struct etc_relation *r, uint8_t together, const char *text)
{
	r->together = together;
	snprintf(r->text, sizeof r->text, "%s", text);
}

static bool has_handles(const struct etc_record *r)
{
	for (uint32_t m = 0; m < r->method_count; m++)
		if (r->methods[m].in_handle_map)
			return true;
	return false;
}

static enum etc_status dump_and_record(const struct etc_together_files *f,
                                       struct etc_arena *scratch, struct etc_relation *out,
                                       struct etc_error *err)
{
	struct matcher m = { .record = f->record, .arena = scratch };
	struct match total = { 0 };
	uint8_t together = ETC_TOGETHER_CONSISTENT;

	if (!f->record->handle_map_present || f->record->handle_map_null) {
		conclude(out, ETC_TOGETHER_UNKNOWN, "the record has no debug_handle_map");
		return ETC_OK;
	}
	ETC_NEED(match_all(&m, f->trace, &total), err);
	if (total.delegates + total.operators == 0) {
		conclude(out, ETC_TOGETHER_UNKNOWN,
		         has_handles(f->record)
		                 ? "the dump has no instruction that could be looked up"
		                 : "the record's debug_handle_map is empty");
		return ETC_OK;
	}
	if (total.contrary)
		together = ETC_TOGETHER_NO;
	else if (total.open)
		together = ETC_TOGETHER_UNKNOWN;
	describe(&total, out->text, sizeof out->text);
	out->together = together;
	return ETC_OK;
}

/* ---- dump and program ------------------------------------------------------------------- */

static enum etc_status dump_and_program(const struct etc_together_files *f,
                                        struct etc_arena *scratch, struct etc_relation *out,
                                        struct etc_error *err)
{
	struct etc_methods methods;
	struct etc_paths paths;

	ETC_TRY(etc_paths_find(&paths, f->trace, scratch, err));
	ETC_TRY(etc_methods_find(&methods, &paths, f->trace, f->program, NULL, scratch, err));
	if (paths.count == 0) {
		conclude(out, ETC_TOGETHER_UNKNOWN, "the dump has no execution");
		return ETC_OK;
	}
	out->together = methods.unfit ? ETC_TOGETHER_NO : ETC_TOGETHER_CONSISTENT;
	snprintf(out->text, sizeof out->text,
	         "%lu of %lu sequences of instructions%s are those of a method",
	         (unsigned long)(paths.count - methods.unfit), (unsigned long)paths.count,
	         methods.operators ? ", with the operators in delegates," : "");
	return ETC_OK;
}

/* ---- record and program ------------------------------------------------------------------- */

static int64_t number_of(struct etc_str key)
{
	int64_t v = 0;

	for (size_t i = 0; i < key.len; i++) {
		if (key.ptr[i] < '0' || key.ptr[i] > '9' || v > INT32_MAX)
			return -1;
		v = v * 10 + (key.ptr[i] - '0');
	}
	return key.len ? v : -1;
}

struct overlap {
	uint32_t methods, methods_found, handles, handles_found, delegates, delegates_found;
	/* number of the program's instructions that have a debug handle (has_handle()); number of
	 * those that the record lists */
	uint32_t calls, calls_found;
};

/* Does the node of the instruction have a debug handle? Delegate calls and nodes of ATen operators
 * have one, except nodes that write a buffer back. */
static bool has_handle(const struct etc_program_method *m, const struct etc_instruction *n)
{
	struct etc_str op =
		n->kind == ETC_INSTRUCTION_KERNEL ? m->operators[n->index].text : ETC_STR_NONE;

	return n->kind == ETC_INSTRUCTION_DELEGATE || (etc_str_starts(op, ETC_STR("aten::")) &&
	                                               !etc_str_starts(op, ETC_STR("aten::copy_")));
}

/* Does the method have jumps, or several chains? Then the record's maps lack the instructions in
 * loops and branches. */
static bool has_jumps(const struct etc_program_method *m)
{
	for (uint32_t i = 0; m->chain_count && i < m->chains[0].count; i++)
		if (m->chains[0].instructions[i].kind == ETC_INSTRUCTION_JUMP_FALSE)
			return true;
	return m->chain_count != 1;
}

static void compare_calls(struct overlap *o, const struct etc_method_maps *maps,
                          const struct etc_program_method *m)
{
	if (has_jumps(m))
		return;
	for (uint32_t i = 0; i < m->chains[0].count; i++)
		o->calls += has_handle(m, &m->chains[0].instructions[i]);
	for (uint32_t i = 0; i < maps->handle_count; i++) {
		const struct etc_instruction *n =
			etc_program_instruction(m, 0, number_of(maps->handles[i].key));

		o->calls_found += n && has_handle(m, n);
	}
}

static void compare_method(struct overlap *o, const struct etc_method_maps *maps,
                           const struct etc_program_method *m)
{
	o->methods++;
	o->methods_found += m != NULL;
	if (m)
		compare_calls(o, maps, m);
	for (uint32_t i = 0; i < maps->handle_count; i++) {
		o->handles++;
		o->handles_found +=
			m && etc_program_instruction(m, 0, number_of(maps->handles[i].key));
	}
	for (uint32_t i = 0; i < maps->delegate_count; i++) {
		const struct etc_delegate_entry *e = &maps->delegates[i];
		const struct etc_instruction *n =
			m ? etc_program_instruction(m, 0, number_of(e->key)) : NULL;

		o->delegates++;
		o->delegates_found +=
			n && n->kind == ETC_INSTRUCTION_DELEGATE &&
			(!e->backend.len || etc_str_eq(e->backend, m->delegates[n->index].backend));
	}
}

/* Compares record and program. Sets `*instructions` if all instructions of the record are in the
 * program, whichever backends they name. */
static void record_and_program(const struct etc_together_files *f, struct etc_relation *out,
                               bool *instructions)
{
	const struct etc_record *r = f->record;
	struct overlap o = { 0 };
	char delegates[80] = "";
	bool fits;

	for (uint32_t i = 0; i < r->method_count; i++)
		compare_method(&o, &r->methods[i],
		               etc_program_method(f->program, r->methods[i].method));
	*instructions = o.methods_found == o.methods && o.handles_found == o.handles;
	if (o.handles + o.delegates == 0) {
		conclude(out, ETC_TOGETHER_UNKNOWN, "the record has no instructions");
		return;
	}
	fits = *instructions && o.delegates_found == o.delegates;
	out->together = fits ? ETC_TOGETHER_CONSISTENT : ETC_TOGETHER_NO;
	if (o.delegates)
		snprintf(delegates, sizeof delegates, " and %lu of %lu delegates",
		         (unsigned long)o.delegates_found, (unsigned long)o.delegates);
	snprintf(out->text, sizeof out->text,
	         "%lu of %lu methods%s %lu of %lu instructions%s of the record are in the program",
	         (unsigned long)o.methods_found, (unsigned long)o.methods,
	         o.delegates ? "," : " and", (unsigned long)o.handles_found,
	         (unsigned long)o.handles, delegates);
	if (fits && o.calls_found < o.calls) {
		size_t n = strlen(out->text);

		out->together = ETC_TOGETHER_UNKNOWN;
		snprintf(out->text + n, sizeof out->text - n,
		         "; %lu of %lu calls of the program are in the record",
		         (unsigned long)o.calls_found, (unsigned long)o.calls);
	}
}

/* ---- dump, record and program together ---------------------------------------------------- */

static void object(struct etc_relation *r, const char *conflict)
{
	size_t n = strlen(r->text);

	if (!conflict[0])
		return;
	snprintf(r->text + n, sizeof r->text - n, "; but %s", conflict);
	r->together = ETC_TOGETHER_NO;
}

static void add_text(struct etc_relation *r, const char *text)
{
	size_t n = strlen(r->text);

	snprintf(r->text + n, sizeof r->text - n, "%s", text);
}

/* Called if record and program agree in all other facts. Compares the values of their weights. Both
 * files are of one export (YES) if all weights of the record were read and found at their places in
 * the program, all constants and parts of the program were compared, no two layers have the same
 * weights, and the record is not `lowered`. */
static enum etc_status compare_weights(const struct etc_together_files *f,
                                       const struct etc_conflicts *c, struct etc_arena *scratch,
                                       struct etc_relation *r, struct etc_error *err)
{
	struct etc_weights w;
	size_t n = strlen(r->text);

	if (r->together != ETC_TOGETHER_CONSISTENT || !f->weights_in.len)
		return ETC_OK;
	ETC_TRY(etc_weights_find(f, scratch, &w, err));
	if (w.whole && c->weights_found == c->weights && !c->uncompared && !w.twins && !c->lowered)
		r->together = ETC_TOGETHER_YES;
	if (c->weights)
		n += (size_t)snprintf(r->text + n, sizeof r->text - n,
		                      ", and the values of %lu of %lu of its weights, at their "
		                      "places",
		                      (unsigned long)c->weights_found, (unsigned long)c->weights);
	if (c->uncompared && !c->lowered && n < sizeof r->text)
		n += (size_t)snprintf(r->text + n, sizeof r->text - n,
		                      "; %lu part%s of the program %s not found in the record",
		                      (unsigned long)c->uncompared, etc_plural(c->uncompared),
		                      c->uncompared == 1 ? "was" : "were");
	if (w.twins && n < sizeof r->text)
		snprintf(r->text + n, sizeof r->text - n,
		         "; %lu of its layers could be exchanged with another one, which has the "
		         "same weights",
		         (unsigned long)w.twins);
	n = strlen(r->text);
	if (c->unlisted)
		snprintf(
			r->text + n, sizeof r->text - n,
			"; not compared: %lu kernel call%s of the program that the record does not "
			"list (inside cond, map and while_loop, or copies to buffers)",
			(unsigned long)c->unlisted, etc_plural(c->unlisted));
	if (c->lowered)
		add_text(r, "; the record was made of the lowered program: it does not have what "
		            "is inside of delegates");
	return ETC_OK;
}

/* Called if the program contradicts the dump. If the program belongs to the record, the dump does
 * not belong to the record (NO). If the program is only consistent with the record, it is unknown
 * whether the dump belongs to the record. */
static void doubt(struct etc_relations *all)
{
	struct etc_relation *r = &all->dump_record;

	if (r->together == ETC_TOGETHER_NO)
		return;
	if (all->record_program.together == ETC_TOGETHER_YES) {
		r->together = ETC_TOGETHER_NO;
		add_text(r, "; but the program of the record is not the one that ran: ");
		add_text(r, all->dump_program.text);
	} else if (all->record_program.together == ETC_TOGETHER_CONSISTENT) {
		r->together = ETC_TOGETHER_UNKNOWN;
		add_text(r, "; but the program, which is consistent with the record, is not the "
		            "one that ran");
	}
}

/* Decides again whether dump and record are of the same export, from how the program is related to
 * both. If record and program differ only in names of backends, the record is trusted (N0436). */
static void settle(struct etc_relations *all, bool only_backends)
{
	static const char again[] = "; a dump does not say of which export it is: record again "
				    "after each export";
	struct etc_relation *r = &all->dump_record;

	if (all->dump_program.together == ETC_TOGETHER_NO)
		doubt(all);
	if (all->dump_program.together != ETC_TOGETHER_CONSISTENT || !all->record_program.text[0])
		return;
	if (all->record_program.together == ETC_TOGETHER_YES && r->together != ETC_TOGETHER_NO) {
		all->dump_program.together = r->together = ETC_TOGETHER_YES;
		add_text(r, "; the program belongs to both");
		add_text(r, again);
		add_text(&all->dump_program, again);
	} else if (all->record_program.together == ETC_TOGETHER_CONSISTENT &&
	           r->together == ETC_TOGETHER_UNKNOWN) {
		r->together = ETC_TOGETHER_CONSISTENT;
		add_text(r, "; the program is consistent with both");
	} else if (all->record_program.together == ETC_TOGETHER_NO && !only_backends &&
	           r->together != ETC_TOGETHER_NO) {
		r->together = ETC_TOGETHER_NO;
		add_text(r, "; but the program that ran is not of the record: ");
		add_text(r, all->record_program.text);
	}
}

static enum etc_status find(const struct etc_together_files *f, struct etc_arena *scratch,
                            struct etc_relations *out, struct etc_error *err)
{
	struct etc_together_files with_weights = *f;
	struct etc_conflicts conflicts;
	bool instructions = false;

	if (f->trace && f->record)
		ETC_TRY(dump_and_record(f, scratch, &out->dump_record, err));
	if (f->trace && f->program)
		ETC_TRY(dump_and_program(f, scratch, &out->dump_program, err));
	if (f->record && f->program)
		record_and_program(f, &out->record_program, &instructions);
	ETC_TRY(etc_conflicts_find(f, scratch, &conflicts, err));
	object(&out->dump_record, conflicts.dump_record);
	object(&out->dump_program, conflicts.dump_program);
	object(&out->record_program, conflicts.record_program);
	if (out->dump_program.together == ETC_TOGETHER_NO && !f->weights_in.len &&
	    out->record_program.together == ETC_TOGETHER_CONSISTENT) {
		with_weights.weights_in = f->program_bytes;
		with_weights.trace = NULL; /* the trace was compared above */
		ETC_TRY(etc_conflicts_find(&with_weights, scratch, &conflicts, err));
		object(&out->record_program, conflicts.record_program);
	}
	ETC_TRY(compare_weights(&with_weights, &conflicts, scratch, &out->record_program, err));
	settle(out, instructions && !conflicts.record_program[0]);
	return ETC_OK;
}

enum etc_status etc_relations_find(const struct etc_together_files *f, size_t budget,
                                   struct etc_relations *out, struct etc_error *err)
{
	struct etc_arena scratch;
	enum etc_status st;

	*out = (struct etc_relations){ 0 };
	etc_arena_init(&scratch, budget);
	st = find(f, &scratch, out, err);
	etc_arena_release(&scratch);
	return st;
}
