/* tracer.c -- reads and checks the cost of the event tracer; see tracer.h */
#include "commands/analyze/tracer.h"

#include <math.h>

#include "context/files.h"
#include "formats/container/document.h"
#include "table/words.h"

enum { NAMED = 3 };

#define MOST_NS 1e9 /* longest time per event that is accepted */

/* ---- the document -------------------------------------------------------------------- */

/* An element of the list `files` or `rows` in the JSON document that `etcore overhead` wrote, with
 * the members that are needed here. */
struct item {
	struct etc_str what, kind, sha256, method;
	double time, low, high, tick;
	bool certain;
};

static const struct etc_json_field fields[] = {
	{ "what", offsetof(struct item, what), ETC_JSON_TEXT },
	{ "kind", offsetof(struct item, kind), ETC_JSON_TEXT },
	{ "sha256", offsetof(struct item, sha256), ETC_JSON_TEXT },
	{ "method", offsetof(struct item, method), ETC_JSON_TEXT },
	{ "time_ns", offsetof(struct item, time), ETC_JSON_NUMBER },
	{ "low_ns", offsetof(struct item, low), ETC_JSON_NUMBER },
	{ "high_ns", offsetof(struct item, high), ETC_JSON_NUMBER },
	{ "tick_ns", offsetof(struct item, tick), ETC_JSON_NUMBER },
	{ "certain", offsetof(struct item, certain), ETC_JSON_FLAG },
};

struct reader {
	struct etc_arena *arena;
	struct etc_tracer *out;
	uint32_t room;
	bool of_overhead, has_event;
};

static enum etc_status wrong(struct etc_error *err, const char *why)
{
	return etc_fail(err, E0578, "%s", why);
}

static enum etc_status add_file(struct reader *r, const struct item *item, struct etc_error *err)
{
	struct etc_tracer *out = r->out;
	struct etc_str *next;

	if (!etc_str_eq(item->kind, ETC_STR("program")) || item->sha256.len == 0)
		return ETC_OK;
	next = ETC_APPEND(r->arena, out->programs, out->program_count, r->room);
	ETC_NEED(next, err);
	*next = item->sha256;
	return ETC_OK;
}

static enum etc_status add_row(struct reader *r, const struct item *item, struct etc_error *err)
{
	struct etc_tracer *out = r->out;

	if (etc_str_eq(item->what, ETC_STR("on"))) {
		out->method = item->method;
		out->tick_ns = item->tick;
	}
	if (!etc_str_eq(item->what, ETC_STR("event")))
		return ETC_OK;
	if (item->certain && !(item->time > 0 && item->time <= MOST_NS && item->low <= item->time &&
	                       item->high >= item->time && isfinite(item->high)))
		return wrong(err, "a cost per event that is none");
	r->has_event = true;
	out->low = item->low;
	out->high = item->high;
	out->cost = item->certain && item->low > 0
	                    ? (struct etc_tracer_cost){ { item->time, item->low, item->high } }
	                    : (struct etc_tracer_cost){ { 0, 0, 0 } };
	return ETC_OK;
}

typedef enum etc_status add_fn(struct reader *r, const struct item *item, struct etc_error *err);

static enum etc_status take_list(struct reader *r, const struct etc_json_value *v, add_fn *add,
                                 struct etc_error *err)
{
	struct etc_json_iter list;

	if (!etc_json_enter(v, &list))
		return wrong(err, "files or rows is no array");
	while (etc_json_more(&list)) {
		struct item item = { .time = NAN, .low = NAN, .high = NAN, .tick = NAN };

		ETC_TRY(etc_json_fields(&list.value, fields, sizeof fields / sizeof fields[0],
		                        E0578, &item, r->arena, err));
		ETC_TRY(add(r, &item, err));
	}
	return ETC_OK;
}

static enum etc_status walk(void *arg, const struct etc_json_value *root, struct etc_error *err)
{
	struct reader *r = arg;
	struct etc_json_iter all;

	if (!etc_json_enter(root, &all))
		return wrong(err, "no JSON object");
	while (etc_json_more(&all)) {
		if (etc_str_eq(all.key, ETC_STR("schema")))
			r->of_overhead =
				etc_str_eq(all.value.raw, ETC_STR("\"etcore.overhead/1\""));
		else if (etc_str_eq(all.key, ETC_STR("files")))
			ETC_TRY(take_list(r, &all.value, add_file, err));
		else if (etc_str_eq(all.key, ETC_STR("rows")))
			ETC_TRY(take_list(r, &all.value, add_row, err));
	}
	return ETC_OK;
}

static enum etc_status read_document(struct etc_tracer *out, struct etc_span bytes,
                                     struct etc_arena *arena, struct etc_error *err)
{
	struct reader r = { .arena = arena, .out = out };

	out->dumps = (struct etc_str){ (const char *)bytes.ptr, bytes.len };
	ETC_TRY(etc_json_document(bytes, E0578, walk, &r, arena, err));
	if (!r.of_overhead)
		return wrong(err, "its schema is not etcore.overhead/1");
	return r.has_event ? ETC_OK : wrong(err, "it has no row about an event");
}

/* ---- the option ---------------------------------------------------------------------- */

/* Checks that the options ask only for times from which the tracer's cost can be subtracted;
 * otherwise E0501. The cost is a mean per event of the runtime, so it can be subtracted neither
 * from other statistics, nor from tables whose rows do not stand for events. */
static enum etc_status check_plan(const struct etc_plan *plan, struct etc_error *err)
{
	const char *other = plan->options->events                       ? "--events"
	                    : plan->options->tree                       ? "--tree"
	                    : plan->roofline && plan->options->roofline ? "--roofline"
	                    : plan->roofline                            ? "--peak"
	                                                                : NULL;

	if (other)
		return etc_fail(err, E0501, "--subtract-overhead and %s: one table at a time",
		                other);
	if (plan->by >= ETC_EVENT_KEYS)
		return etc_fail(err, E0501, "--subtract-overhead is of rows of events, not --by %s",
		                plan->options->by);
	if (plan->profile.stat != ETC_STAT_TYPICAL && plan->profile.stat != ETC_STAT_MEAN)
		return etc_fail(err, E0501,
		                "--subtract-overhead and --stat %s: the cost is that of a mean run",
		                plan->options->stat);
	return ETC_OK;
}

/* Adds subtracted_ns to the columns of --columns, so that the reader of the table sees how much the
 * times are reduced. */
static enum etc_status add_column(struct etc_selection *selection, struct etc_arena *arena,
                                  struct etc_error *err)
{
	const uint32_t n = selection->column_count;
	struct etc_str *all = etc_new(arena, struct etc_str, (size_t)n + 1);

	ETC_NEED(all, err);
	if (n == 0)
		return ETC_OK;
	memcpy(all, selection->columns, n * sizeof *all);
	for (uint32_t i = 0; i < n; i++)
		if (etc_str_eq(all[i], ETC_STR("subtracted_ns")))
			return ETC_OK;
	all[n] = ETC_STR("subtracted_ns");
	selection->columns = all;
	selection->column_count = n + 1;
	return ETC_OK;
}

enum etc_status etc_tracer_read(struct etc_tracer *tracer, const char *text, struct etc_plan *plan,
                                struct etc_session *s, struct etc_error *err)
{
	struct etc_span bytes;
	struct etc_str unit;
	double ns;

	*tracer = (struct etc_tracer){ .low = NAN, .high = NAN, .tick_ns = NAN };
	ETC_TRY(check_plan(plan, err));
	ETC_TRY(add_column(&plan->selection, &s->arena, err));
	if (etc_opt_number(text, &ns, &unit) && (unit.len == 0 || etc_opt_time(text, &ns))) {
		if (unit.len == 0 || !(ns > 0 && ns <= MOST_NS))
			return etc_fail(
				err, E0505,
				"--subtract-overhead '%s'; expected a time above 0 with its "
				"unit, up to 1s, as 120ns; or a file",
				text);
		tracer->cost = (struct etc_tracer_cost){ { ns, NAN, NAN } };
		return ETC_OK;
	}
	tracer->source = text;
	ETC_TRY(etc_in_file(err, etc_session_open(s, text, &bytes, err), text));
	return etc_in_file(err, read_document(tracer, bytes, &s->arena, err), text);
}

/* ---- does the tracer's cost fit the dumps? ------------------------------------------- */

/* Sets *out to true if the dumps that the tracer's cost was measured from include all dumps of the
 * part. */
static enum etc_status is_of(const struct etc_tracer *t, const struct etc_part *part,
                             struct etc_arena *arena, bool *out, struct etc_error *err)
{
	*out = true;
	for (uint32_t i = 0; i < part->count && *out; i++) {
		const struct etc_str hash = etc_file_hash(&part->inputs[i].dump, arena);

		ETC_NEED(hash.ptr, err);
		*out = etc_str_find(t->dumps, hash, 0) != SIZE_MAX;
	}
	return ETC_OK;
}

static enum etc_status check_program(const struct etc_tracer *t, const struct etc_part *part,
                                     struct etc_session *s, bool *shown, struct etc_error *err)
{
	const struct etc_program *program = etc_inputs_program(&part->in);
	struct etc_str hash;

	if (!program || t->program_count == 0)
		return ETC_OK;
	hash = etc_file_hash(&part->in.program, &s->arena);
	ETC_NEED(hash.ptr, err);
	for (uint32_t i = 0; i < t->program_count && !*shown; i++)
		*shown = etc_str_eq(t->programs[i], hash);
	if (!*shown)
		return etc_fail(err, E0577, "%s was measured with another program than %s",
		                t->source, part->in.program.path);
	return ETC_OK;
}

static enum etc_status check_clock(const struct etc_tracer *t, const struct etc_part *part,
                                   const struct etc_profile *profile, struct etc_error *err)
{
	const struct etc_host_clock clock = part->options.clock;
	const double tick = (double)clock.scale / (double)etc_clock_den(clock);

	if (profile->unit != ETC_UNIT_NS)
		return etc_fail(err, E0577, "the dump's times are %s, not ns",
		                etc_unit_name(profile->unit));
	if (!isnan(t->tick_ns) && fabs(t->tick_ns - tick) > 1e-9 * tick)
		return etc_fail(err, E0577, "%s was measured by a clock of %.6g ns, not of %.6g ns",
		                t->source, t->tick_ns, tick);
	return ETC_OK;
}

static enum etc_status check_methods(const struct etc_tracer *t, const struct etc_profile *profile,
                                     bool *shown, struct etc_error *err)
{
	for (uint32_t i = 0; i < profile->path_count; i++) {
		const struct etc_str method = profile->paths[i].method;

		*shown = *shown && method.len;
		if (t->method.len && method.len && !etc_str_eq(t->method, method))
			return etc_fail(err, E0577,
			                "%s was measured with the method " ETC_STR_FMT
			                ", not " ETC_STR_FMT "; --method chooses one",
			                t->source, ETC_STR_ARG(t->method), ETC_STR_ARG(method));
	}
	return ETC_OK;
}

enum etc_status etc_tracer_check(const struct etc_tracer *tracer, const struct etc_part *part,
                                 const struct etc_profile *profile, struct etc_session *s,
                                 struct etc_error *err)
{
	bool same, shown = false;

	ETC_TRY(check_clock(tracer, part, profile, err));
	if (!tracer->source)
		return ETC_OK;
	ETC_TRY(check_program(tracer, part, s, &shown, err));
	ETC_TRY(check_methods(tracer, profile, &shown, err));
	ETC_TRY(is_of(tracer, part, &s->arena, &same, err));
	if (tracer->cost.ns[ETC_COST] == 0 && tracer->low <= 0 && tracer->high >= 0)
		etc_note(&s->notes, N0697, "%s: the interval contains 0, %.4g to %.4g ns per event",
		         tracer->source, tracer->low, tracer->high);
	else if (tracer->cost.ns[ETC_COST] == 0)
		etc_note(&s->notes, N0697, "%s says that the cost is not certain", tracer->source);
	else if (!same && !shown)
		etc_note(&s->notes, N0698, "%s", tracer->source);
	return ETC_OK;
}

/* ---- notes --------------------------------------------------------------------------- */

static void put_name(struct etc_text *t, uint32_t *n, struct etc_str name)
{
	if (*n < NAMED)
		etc_text_printf(t, "%s" ETC_STR_FMT, *n ? ", " : "", ETC_STR_ARG(name));
	++*n;
}

static void remark_cut(const struct etc_profile *profile, struct etc_notes *notes)
{
	struct etc_text t = { 0 };
	uint32_t n = 0;

	for (size_t i = 0; i < profile->row_count; i++)
		if (profile->rows[i].subtracted && profile->rows[i].subtracted->cut)
			put_name(&t, &n, etc_row_word(&profile->rows[i]));
	for (uint32_t p = 0; p < profile->path_count; p++) {
		if (profile->paths[p].inside_cut)
			put_name(&t, &n, ETC_STR("unattributed: inside delegates"));
		if (profile->paths[p].between_cut)
			put_name(&t, &n, ETC_STR("unattributed: between instructions"));
	}
	if (n > NAMED)
		etc_text_printf(&t, " and %u more", n - NAMED);
	if (n && !t.failed)
		etc_note(notes, N0699, "%u: " ETC_STR_FMT, n, ETC_STR_ARG(etc_text_str(&t)));
	etc_text_release(&t);
}

void etc_tracer_remark(const struct etc_tracer *tracer, const struct etc_profile *profile,
                       struct etc_notes *notes)
{
	const double *c = tracer->cost.ns;
	uint64_t outside = 0;

	if (c[ETC_COST] == 0)
		return;
	for (uint32_t i = 0; i < profile->path_count; i++)
		outside += profile->paths[i].logged_outside;
	if (tracer->source)
		etc_note(notes, N0696, "%.4g ns per event, between %.4g and %.4g by %s",
		         c[ETC_COST], c[ETC_COST_LOW], c[ETC_COST_HIGH], tracer->source);
	else
		etc_note(notes, N0696, "%.4g ns per event, as given", c[ETC_COST]);
	if (outside)
		etc_note(notes, N0696, "but not for %llu events that are in no event of their run",
		         (unsigned long long)outside);
	remark_cut(profile, notes);
}
