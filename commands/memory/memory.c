/* memory.c -- runs `etcore memory`, which reports the planned memory of a program and the
 * allocations of its runs; see memory.h. */
#include "base/nearest.h"
#include "commands/memory/memory.h"
#include "commands/memory/forms.h"

#include "context/output.h"
#include "formats/program/bundled.h"
#include "formats/program/program.h"
#include "formats/etdump/serial_log.h"

/* ---- output ----------------------------------------------------------------------------- */

static const struct etc_format formats[] =
	ETC_FORMAT_ARRAY(ETC_MEMORY_FORMATS, ETC_DOCUMENT_FORMAT);

enum { SHOWN = 24, LARGEST = 10 };

static enum etc_status parse_top(const char *text, struct etc_memory_plan *plan,
                                 struct etc_error *err)
{
	uint64_t n = SHOWN;

	ETC_TRY(etc_opt_count("top", text, UINT32_MAX, &n, err));
	plan->top = n ? (uint32_t)n : UINT32_MAX;
	plan->largest = text ? plan->top : LARGEST;
	return ETC_OK;
}

static enum etc_status count_calls(struct etc_session *s, struct etc_memory_method *m,
                                   struct etc_error *err)
{
	uint32_t *calls = etc_new(&s->arena, uint32_t, m->method->delegate_count);

	ETC_NEED(calls, err);
	m->delegate_calls = calls;
	for (uint32_t c = 0; c < m->method->chain_count; c++)
		for (uint32_t i = 0; i < m->method->chains[c].count; i++) {
			const struct etc_instruction *n = &m->method->chains[c].instructions[i];

			if (n->kind == ETC_INSTRUCTION_DELEGATE)
				calls[n->index]++;
		}
	return ETC_OK;
}

/* Fails with E0508: the program has no method called `only`. */
static enum etc_status unknown_method(struct etc_session *s, const struct etc_program *p,
                                      const char *only, struct etc_error *err)
{
	struct etc_str *names = etc_new(&s->arena, struct etc_str, p->method_count);

	ETC_NEED(names, err);
	for (uint32_t i = 0; i < p->method_count; i++)
		names[i] = p->methods[i].name;
	return etc_fail_unknown(err, E0508, etc_str_of(only), names, p->method_count,
	                        "the program has", "the program has no method");
}

static enum etc_status plan_methods(struct etc_session *s, const char *only,
                                    struct etc_memory_plan *plan, struct etc_error *err)
{
	const struct etc_program *p = plan->program;
	struct etc_memory_method *methods =
		etc_new(&s->arena, struct etc_memory_method, p->method_count);

	ETC_NEED(methods, err);
	plan->methods = methods;
	for (uint32_t i = 0; i < p->method_count; i++) {
		struct etc_memory_method *m = &methods[plan->method_count];

		if (only && !etc_str_eq(p->methods[i].name, etc_str_of(only)))
			continue;
		m->method = &p->methods[i];
		ETC_TRY(etc_lifetimes_find(m->method, &s->arena, &m->lifetimes, err));
		ETC_TRY(etc_timeline_make(m->method, &m->lifetimes, &s->arena, &m->timeline, err));
		ETC_TRY(count_calls(s, m, err));
		plan->method_count++;
	}
	return only && !plan->method_count ? unknown_method(s, p, only, err) : ETC_OK;
}

/* ---- the files ---------------------------------------------------------------------------- */

/* An operand: the program or the dump. */
struct input {
	const char *path; /* NULL: none */
	struct etc_span bytes;
};

static enum etc_status take(struct input *in, const char *what, const char *path,
                            struct etc_span bytes, struct etc_error *err)
{
	if (in->path)
		return etc_fail(err, E0501, "memory takes one %s, got %s and %s", what, in->path,
		                path);
	*in = (struct input){ path, bytes };
	return ETC_OK;
}

static enum etc_status sort_inputs(struct etc_session *s, const struct etc_memory_options *o,
                                   struct input *program, struct input *dump, struct etc_error *err)
{
	for (uint32_t i = 0; i < o->common.operands.count; i++) {
		const char *path = o->common.operands.v[i];
		struct etc_span bytes;
		enum etc_file_kind kind;

		ETC_TRY(etc_session_one(s, &path, err));
		ETC_TRY(etc_in_file(err, etc_session_open(s, path, &bytes, err), path));
		kind = etc_file_kind_of(bytes);
		if (kind == ETC_FILE_ETDUMP ||
		    (kind == ETC_FILE_UNKNOWN && etc_serial_log_is(bytes)))
			ETC_TRY(take(dump, "ETDump", path, bytes, err));
		else
			ETC_TRY(take(program, "program", path, bytes, err));
	}
	return ETC_OK;
}

/* Reads the dump. If no program was given, also reads the program next to the dump, unless the dump
 * was recorded with another program. */
static enum etc_status read_dump(struct etc_session *s, const struct input *dump, bool no_siblings,
                                 struct etc_inputs *in, struct input *program,
                                 struct etc_error *err)
{
	const struct etc_input_paths paths = { .dump = dump->path,
		                               .no_siblings = no_siblings || program->path };

	ETC_TRY(etc_inputs_open(s, &paths, in, err));
	if (etc_inputs_program(in))
		*program = (struct input){ in->program.path, in->program.bytes };
	return ETC_OK;
}

static enum etc_status read_program(struct etc_session *s, const struct input *in, const char *only,
                                    struct etc_memory_plan *plan, struct etc_error *err)
{
	struct etc_program *program = etc_new(&s->arena, struct etc_program, 1);
	struct etc_span bytes = in->bytes;

	ETC_NEED(program, err);
	if (etc_bundled_is(bytes))
		ETC_TRY(etc_bundled_inner(bytes, &bytes, err));
	ETC_TRY(etc_program_read_whole(bytes, &s->settings.limits, &s->arena, program, err));
	plan->program = program;
	ETC_TRY(etc_program_sizes(program, bytes, &s->arena, &plan->sizes, err));
	return plan_methods(s, only, plan, err);
}

/* Fails with E0501 if a requested format draws the memory plan. Call it only if there is no
 * program. */
static enum etc_status check_forms(const struct etc_targets *t, struct etc_error *err)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (t->v[i].format->document == etc_memory_put_chrome ||
		    t->v[i].format->document == etc_memory_put_svg)
			return etc_fail(err, E0501, "-o %s draws the plan: give the program too",
			                t->v[i].format->name);
	return ETC_OK;
}

static enum etc_status put(const struct etc_format *format, bool for_file, void *what,
                           struct etc_text *out, struct etc_error *err)
{
	struct etc_memory_plan plan = *(const struct etc_memory_plan *)what;

	(void)err;
	if (for_file) {
		plan.width = 0;
		plan.ascii = false;
	}
	format->document(&plan, out);
	return ETC_OK;
}

enum etc_status etc_memory(struct etc_session *s, const void *options,
                           const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_memory_options *o = options;
	struct etc_memory_plan plan = { .width = o->common.width, .ascii = o->common.ascii };
	struct input program = { 0 }, dump = { 0 };
	struct etc_inputs in;
	struct etc_targets targets;

	ETC_TRY(etc_session_configure(s, &o->common, NULL, 0, 0, err));
	ETC_TRY(etc_targets_parse(&targets, formats, &o->output, &s->arena, err));
	ETC_TRY(parse_top(o->top, &plan, err));
	ETC_TRY(sort_inputs(s, o, &program, &dump, err));
	if (dump.path)
		ETC_TRY(read_dump(s, &dump, o->no_siblings, &in, &program, err));
	plan.path = etc_str_of(program.path);
	if (program.path) {
		s->notes.file = plan.path;
		ETC_TRY(etc_in_file(err, read_program(s, &program, o->method, &plan, err),
		                    program.path));
	} else {
		ETC_TRY(check_forms(&targets, err));
	}
	if (dump.path)
		ETC_TRY(etc_memory_runs_read(s, &in, o->method, &plan, err));
	ETC_TRY(etc_session_report(s, o->common.strict, reply, err));
	return etc_targets_write(&targets, put, &plan, reply->out, err);
}
