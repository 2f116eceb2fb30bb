/* causes.c -- see doctor.h: finds what is missing in a dump, and how to record it. */
#include "commands/doctor/doctor.h"

#include "profile/profile.h"
#include "profile/remarks.h"
#include "base/map.h"
#include "etcore/plugin.h"
#include "formats/etdump/debug_buffer.h"

enum { TEMPLATES = 16 };

/* Finds a record (if `record` is set), else a program (if `program` is set), else a debug buffer.
 * Returns the file of that kind that belongs to the dump. If none belongs to it, returns the first
 * file of that kind that was compared with the dump. NULL: no file of that kind was compared with
 * the dump. */
static const struct etc_patient *partner(const struct etc_diagnosis *d,
                                         const struct etc_patient *dump, bool record, bool program)
{
	const struct etc_patient *first = NULL;

	for (uint32_t i = 0; i < d->pair_count; i++) {
		const struct etc_patient_pair *p = &d->pairs[i];
		bool fits = record    ? p->b->record != NULL
		            : program ? p->b->program != NULL
		                      : p->b->kind == ETC_PATIENT_BUFFER;

		if (p->a != dump || !fits)
			continue;
		if (p->together == ETC_TOGETHER_YES || p->together == ETC_TOGETHER_CONSISTENT)
			return p->b;
		first = first ? first : p->b;
	}
	return first;
}

/* ---- causes --------------------------------------------------------------------- */

static bool has_instructions(const struct etc_trace *trace)
{
	for (size_t s = 0; s < trace->template_count; s++)
		for (uint32_t i = 0; i < trace->templates[s].count; i++)
			if (trace->templates[s].events[i].kind == ETC_EVENT_PROFILE &&
			    trace->templates[s].events[i].chain != UINT64_MAX)
				return true;
	return false;
}

/* Returns the backend of the instruction, according to the program. Empty if there is no program,
 * if the instruction is not a delegate call in any method, or if it calls different backends in
 * different methods. */
static struct etc_str backend_of(const struct etc_patient *program, int32_t instruction)
{
	struct etc_str name = { 0 };

	for (uint32_t i = 0; program && i < program->program->method_count; i++) {
		const struct etc_program_method *m = &program->program->methods[i];
		const struct etc_instruction *n = etc_program_instruction(m, 0, instruction);

		if (!n || n->kind != ETC_INSTRUCTION_DELEGATE)
			continue;
		if (name.len && !etc_str_eq(name, m->delegates[n->index].backend))
			return (struct etc_str){ 0 };
		name = m->delegates[n->index].backend;
	}
	return name;
}

/* Lists the instructions whose delegate logged events. `last` avoids most searches, because the
 * events of an instruction are usually adjacent. */
static bool list_delegates(const struct etc_template *template, struct etc_map *inside)
{
	const int32_t *last = NULL;

	for (uint32_t i = 0; i < template->count; i++) {
		const struct etc_event *e = &template->events[i];

		if (e->kind != ETC_EVENT_PROFILE || !etc_event_is_delegate(e) ||
		    (last && *last == e->instruction_id))
			continue;
		last = &e->instruction_id;
		if (etc_map_add(inside, (struct etc_str){ (const char *)last, sizeof *last }, 0) ==
		    ETC_MAP_NONE)
			return false;
	}
	return true;
}

static void silent_delegates(struct etc_diagnosis *d, const struct etc_template *template,
                             const struct etc_patient *program)
{
	struct etc_arena scratch;
	struct etc_map inside;
	bool ok, first = true;

	etc_arena_init(&scratch, d->s->arena.budget);
	etc_map_init(&inside, &scratch);
	ok = list_delegates(template, &inside);
	for (uint32_t i = 0; ok && i < template->count; i++) {
		const struct etc_event *e = &template->events[i];
		struct etc_str key = { (const char *)&e->instruction_id, sizeof e->instruction_id };
		struct etc_str backend = { 0 };

		if (e->kind != ETC_EVENT_PROFILE || etc_event_is_delegate(e) ||
		    e->word != ETC_WORD_DELEGATE_CALL || etc_map_get(&inside, key) != ETC_MAP_NONE)
			continue;
		if (first) /* N0972 names only the first instruction and counts the others */
			backend = backend_of(program, e->instruction_id);
		first = false;
		etc_note(&d->s->notes, N0972, "instruction %ld%s" ETC_STR_FMT,
		         (long)e->instruction_id, backend.len ? ", " : "", ETC_STR_ARG(backend));
	}
	etc_arena_release(&scratch);
}

static void find_causes(struct etc_diagnosis *d, const struct etc_patient *dump,
                        const struct etc_profile *profile, const struct etc_patient *program,
                        const struct etc_patient *buffer)
{
	const struct etc_trace *t = dump->trace;

	if (t->run_count && t->sample_count + t->value_count + t->allocation_count == 0)
		etc_note(&d->s->notes, W0974, "%zu run%s", t->run_count, etc_plural(t->run_count));
	else if (t->sample_count && profile->executes == 0)
		etc_note(&d->s->notes, W0971, "%zu run%s, none of Method::execute", t->run_count,
		         etc_plural(t->run_count));
	else if (t->sample_count && !has_instructions(t))
		etc_note(&d->s->notes, W0970, "%llu profile events, none of an instruction",
		         (unsigned long long)profile->profiles);
	for (size_t i = 0; i < t->template_count && i < TEMPLATES; i++)
		silent_delegates(d, &t->templates[i], program);
	if (buffer && t->value_count == 0)
		etc_note(&d->s->notes, W0973, "%s has %zu bytes", buffer->path, buffer->bytes.len);
}

enum etc_status etc_doctor_causes(struct etc_diagnosis *d, struct etc_patient *dump,
                                  struct etc_error *err)
{
	const struct etc_patient *record = partner(d, dump, true, false);
	const struct etc_patient *program = partner(d, dump, false, true);
	const struct etc_patient *buffer = partner(d, dump, false, false);
	struct etc_profile_options o = { .clock = { .unit = ETCORE_UNIT_NS, .scale = 1 },
		                         .remarks = true,
		                         .no_rows = !d->explains };
	struct etc_profile profile;
	struct etc_inputs in = { .dump = { .path = dump->path, .bytes = dump->bytes },
		                 .trace = *dump->trace };

	if (record) {
		in.etrecord.path = record->path;
		in.record = *record->record;
		o.record = &in.record;
	}
	if (program) {
		in.program.path = program->path;
		in.code = *program->program;
		o.program = &in.code;
	}
	d->s->notes.file = etc_str_of(dump->path);
	ETC_TRY(etc_profile_make(dump->trace, &o, &d->s->arena, &profile, err));
	etc_remark_profile(&profile, &d->s->notes);
	etc_remark_record(&profile, &in, ETC_BY_OP, &d->s->notes);
	if (dump->trace->value_count)
		etc_debug_check(dump->trace, buffer ? &buffer->bytes : NULL, &d->s->notes);
	find_causes(d, dump, &profile, program, buffer);
	return etc_profile_meet(d->s, &d->options->common, &in, err);
}
