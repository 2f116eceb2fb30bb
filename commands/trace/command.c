/* command.c -- `etcore trace`: opens the inputs, chooses runs, writes outputs and notes. See
 * trace.h. */
#include "commands/trace/forms.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/inside.h"
#include "base/number.h"
#include "commands/trace/stacks.h"
#include "commands/trace/timeline.h"
#include "context/files.h"
#include "context/output.h"
#include "context/question.h"
#include "profile/remarks.h"

static const struct etc_trace_form forms[] = {
#define ROW(name, ending, write, binary, stacks, units) { write, binary, stacks, units },
	ETC_TRACE_FORMATS(ROW)
#undef ROW
};

#define FORMAT(name, ending, write, binary, stacks, units) \
	{ name, ending, false, false, NULL, NULL, NULL, false },
static const struct etc_format formats[] = ETC_FORMAT_ARRAY(ETC_TRACE_FORMATS, FORMAT);

uint8_t etc_tracing_unit(const struct etc_tracing *tracing)
{
	uint8_t unit = tracing->dumps[0].profile.unit;

	for (uint32_t i = 1; i < tracing->count; i++)
		if (tracing->dumps[i].profile.unit != unit)
			return ETC_UNIT_UNKNOWN;
	return unit;
}

struct etc_str etc_traced_lost(const struct etc_traced *d, struct etc_arena *arena)
{
	const struct etc_salvage *salvage = d->in.trace.salvage;

	if (!salvage)
		return ETC_STR("");
	return etc_arena_printf(arena, "partial: %zu of %zu runs of the file are lost",
	                        salvage->runs - d->in.trace.run_count, salvage->runs);
}

struct etc_str etc_traced_method(const struct etc_traced *d, const struct etc_walk_run *run,
                                 struct etc_arena *arena)
{
	struct etc_str block = etc_run_head(d->trace, &d->trace->runs[run->run])->name;

	if (run->path == ETC_PROFILE_LOAD)
		return ETC_STR("load");
	if (run->path >= d->profile.path_count)
		return block.len ? etc_arena_printf(arena, "other runs: " ETC_STR_FMT,
		                                    ETC_STR_ARG(block))
		                 : ETC_STR("other runs");
	if (d->profile.paths[run->path].method.len)
		return etc_str_of(etc_arena_cstr(arena, d->profile.paths[run->path].method));
	if (d->profile.path_count == 1)
		return ETC_STR("execute");
	return etc_arena_printf(arena, "path %u", d->profile.paths[run->path].number);
}

enum etc_status etc_traced_walk(const struct etc_tracing *t, const struct etc_traced *d,
                                etc_walk_visit *visit, void *arg, struct etc_error *err)
{
	enum etc_status st = etc_walker_visit(d->walker, visit, arg, err);

	if (t->count > 1) /* keep the events of only one dump in memory */
		etc_walker_release(d->walker);
	return st;
}

/* ---- runs ------------------------------------------------------------------------- */

struct spanned {
	uint32_t run, template;
	uint64_t begin, end;
};

static int by_begin(const void *a, const void *b)
{
	const struct spanned *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->run < y->run ? -1 : x->run > y->run;
}

/* Can run `b` be drawn after run `a` on the same track? Run `b` must start after the end of run
 * `a`. It may also start exactly at that end, if both have the same event list and `b` comes after
 * `a` in the file. (Runs of different event lists are not written in the order of time.) */
static bool follows(const struct spanned *a, const struct spanned *b)
{
	return a->end < b->begin ||
	       (a->end == b->begin && a->template == b->template && a->run < b->run);
}

static bool any_before(const uint64_t *start, uint32_t count, uint64_t at)
{
	uint64_t first = UINT64_MAX;

	for (uint32_t i = 0; i < count; i++)
		first = start[i] < first ? start[i] : first;
	return first < at;
}

/* Assigns each chosen run to a lane (d->lane). Each lane is drawn as a track of its own, because
 * the runs of a track must not overlap. Also sets d->base and d->unordered. */
static enum etc_status find_lanes(struct etc_traced *d, struct etc_arena *arena,
                                  struct etc_error *err)
{
	enum { LANES_MAX = 256 };
	const struct etc_trace *t = d->trace;
	struct spanned *v = etc_new(arena, struct spanned, d->chosen_count), last[LANES_MAX];
	uint32_t n = 0, lanes = 0;

	d->lane = etc_new(arena, uint32_t, t->run_count);
	ETC_NEED(v && d->lane, err);
	d->base = UINT64_MAX;
	d->unordered = false;
	for (uint32_t r = 0; r < t->run_count; r++) {
		const struct etc_template *template = etc_run_template(t, &t->runs[r]);
		uint32_t root;
		const bool other = etc_template_kind(template, &root) == ETC_RUN_OTHER;
		struct etc_run_times times;

		if (!d->chosen[r])
			continue;
		times = etc_trace_times(t, r);
		d->unordered = d->unordered || other ||
		               any_before(times.start, template->profiles, times.start[root]);
		if (other)
			continue;
		v[n++] = (struct spanned){ r, t->runs[r].template, times.start[root],
			                   times.end[root] };
		d->base = times.start[root] < d->base ? times.start[root] : d->base;
	}
	d->base = n ? d->base : 0;
	d->early = 0;
	if (n)
		qsort(v, n, sizeof *v, by_begin);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = 0;

		while (k < lanes && !follows(&last[k], &v[i]))
			k++;
		k = k < LANES_MAX ? k : LANES_MAX - 1;
		lanes = k < lanes ? lanes : k + 1;
		last[k] = v[i];
		d->lane[v[i].run] = k;
	}
	return ETC_OK;
}

static enum etc_status choose_number(struct etc_traced *d, uint64_t number, const char *method,
                                     struct etc_error *err)
{
	uint32_t last = 0;

	for (size_t r = 0; r < d->trace->run_count; r++) {
		last = d->number[r] ? d->number[r] : last;
		d->chosen[r] = d->number[r] && d->number[r] == number;
		if (d->chosen[r])
			return ETC_OK;
	}
	if (!last)
		return etc_fail(err, E0562, "--runs %llu; " ETC_STR_FMT " has no execute run",
		                (unsigned long long)number, ETC_STR_ARG(d->name));
	return etc_fail(err, E0562, "--runs %llu; " ETC_STR_FMT " has run 1 to run %u%s%s",
	                (unsigned long long)number, ETC_STR_ARG(d->name), last,
	                method ? " of method " : "", method ? method : "");
}

/* Keeps the runs of one method. Also keeps loads, unless they are known to be of another method. */
static void choose_method(struct etc_traced *d, const char *name)
{
	const struct etc_profile *p = &d->profile;
	size_t load = 0;

	for (uint32_t k = 0; k < p->path_count; k++)
		for (size_t i = 0; i < p->paths[k].runs; i++)
			if (!etc_str_eq(p->paths[k].method, etc_str_of(name)))
				d->chosen[p->paths[k].run[i]] = false;
	for (size_t r = 0; r < d->trace->run_count; r++) {
		uint32_t root;

		if (etc_template_kind(etc_run_template(d->trace, &d->trace->runs[r]), &root) !=
		    ETC_RUN_LOAD)
			continue;
		if (p->loads[load].method.len &&
		    !etc_str_eq(p->loads[load].method, etc_str_of(name)))
			d->chosen[r] = false;
		load++;
	}
}

static enum etc_status choose(struct etc_tracing *t, struct etc_traced *d,
                              const struct etc_trace_options *o, struct etc_arena *arena,
                              struct etc_error *err)
{
	const size_t n = d->trace->run_count;

	d->chosen = etc_new(arena, bool, n);
	d->number = etc_new(arena, uint32_t, n);
	ETC_NEED(d->chosen && d->number, err);
	if (d->trace->sample_count == 0)
		return etc_fail(err, E0560, ETC_STR_FMT, ETC_STR_ARG(d->name));
	if (o->method)
		ETC_TRY(etc_profile_has(&d->profile, o->method, arena, err));
	etc_walk_number(d->trace, &d->profile, o->method, d->number);
	if (t->all)
		memset(d->chosen, true, n);
	else if (t->numbered)
		ETC_TRY(choose_number(d, t->number, o->method, err));
	else
		etc_walk_typical(d->trace, &d->profile, d->chosen);
	if (o->method)
		choose_method(d, o->method);
	d->chosen_count = 0;
	for (size_t r = 0; r < n; r++)
		d->chosen_count += d->chosen[r];
	return find_lanes(d, arena, err);
}

/* ---- inputs ----------------------------------------------------------------------- */

/* Returns an earlier dump (with an index below `i`) that has the same bytes as dump `i`; NULL:
 * there is none. */
static const struct etc_traced *known(const struct etc_tracing *t, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (etc_file_same(&t->dumps[k].in.dump, &t->dumps[i].in.dump, &t->session->arena))
			return &t->dumps[k];
	return NULL;
}

/* Opens the dumps. A dump with the same bytes as an earlier dump is left out. */
static enum etc_status open_dumps(struct etc_tracing *t, const struct etc_trace_options *o,
                                  struct etc_error *err)
{
	const struct etc_traced *first;
	const char **files;
	uint32_t count;

	ETC_TRY(etc_session_operands(t->session, o->common.operands.v, o->common.operands.count,
	                             false, &files, &count, err));
	t->dumps = etc_new(&t->session->arena, struct etc_traced, count);
	ETC_NEED(t->dumps, err);
	for (uint32_t i = 0; i < count; i++) {
		struct etc_traced *d = &t->dumps[t->count];
		struct etc_input_paths paths = {
			.dump = files[i],
			.etrecord = o->etrecord,
			.program = o->program,
			.no_siblings = o->no_siblings,
			.values = true, /* the memory plan needs them */
			.verbose = o->common.verbose > 0,
		};

		ETC_TRY(etc_inputs_open(t->session, &paths, &d->in, err));
		d->name = etc_str_of(files[i]);
		first = known(t, t->count);
		if (first)
			etc_note_twice(&t->session->notes, &d->in, &first->in);
		else
			t->count++;
	}
	return ETC_OK;
}

static enum etc_status make_dump(struct etc_tracing *t, struct etc_traced *d,
                                 const struct etc_trace_options *o, const struct etc_plan *plan,
                                 struct etc_error *err)
{
	struct etc_arena *arena = &t->session->arena;
	struct etc_walk_options options;

	if (d->walker)
		etc_walker_release(d->walker);
	t->session->notes.file = d->name;
	d->options = etc_plan_profile(plan, &d->in, t->session);
	d->options.no_rows = true;
	ETC_TRY(etc_profile_trace(&d->in.trace, &d->options, arena, &d->trace, err));
	ETC_TRY(etc_profile_make(d->trace, &d->options, arena, &d->profile, err));
	etc_remark_record(&d->profile, &d->in, ETC_BY_OP, &t->session->notes);
	etc_remark_foreign(&d->in, &t->session->notes);
	ETC_TRY(choose(t, d, o, arena, err));
	options = (struct etc_walk_options){ .profile = &d->options,
		                             .chosen = d->chosen,
		                             .nodes = d->options.record != NULL };
	ETC_TRY(etc_walker_make(&d->walker, d->trace, &d->profile, &options, arena, err));
	d->clock = etc_walker_clock(d->walker);
	if (t->count > 1)
		etc_walker_release(d->walker);
	return d->unordered ? etc_timeline_prepare(t, d, err) : ETC_OK;
}

/* Writes the digits of a number that may be larger than 2^64. */
static void put_wide(struct etc_text *out, etc_u128 v)
{
	const uint64_t billion_billion = 1000000000000000000u;

	if (v < billion_billion)
		etc_text_u64(out, (uint64_t)v);
	else
		etc_text_printf(out, "%llu%018llu", (unsigned long long)(v / billion_billion),
		                (unsigned long long)(v % billion_billion));
}

static void remark_cut(const struct etc_tracing *t)
{
	const struct etc_drawing *d = &t->drawing;
	uint8_t unit = etc_tracing_unit(t);
	struct etc_text by = { 0 };

	put_wide(&by, unit == ETC_UNIT_NS ? d->cut_time / 1000 : d->cut_time);
	if (unit == ETC_UNIT_NS)
		etc_text_printf(&by, ".%03u \xc2\xb5s", (unsigned)(d->cut_time % 1000));
	else
		etc_text_printf(&by, " %s", unit ? etc_unit_name(unit) : "ticks");
	etc_note(&t->session->notes, N0660, "%llu of %llu, by " ETC_STR_FMT " in all",
	         (unsigned long long)d->cut, (unsigned long long)d->slices,
	         ETC_STR_ARG(etc_text_str(&by)));
	etc_text_release(&by);
}

/* Reports how many events are shortened or moved in the drawing, or have no measured start. */
static void remark(const struct etc_tracing *t)
{
	static const struct {
		uint8_t start;
		enum etc_code code;
	} starts[] = { { ETC_WALK_REBASED, N0661 },
		       { ETC_WALK_SYNTHETIC, N0302 },
		       { ETC_WALK_LAID, N0662 },
		       { ETC_WALK_UNPLACED, N0663 } };

	if (t->drawing.cut)
		remark_cut(t);
	for (unsigned i = 0; i < sizeof starts / sizeof starts[0]; i++) {
		const uint64_t n = t->drawing.starts[starts[i].start];

		if (n)
			etc_note(&t->session->notes, starts[i].code, "%llu event%s",
			         (unsigned long long)n, etc_plural(n));
	}
}

/* Warns of each dump whose times are not in ns, if a format writes its times as if they were in
 * ns. */
static void remark_units(const struct etc_tracing *t, const struct etc_targets *targets)
{
	const bool one = etc_tracing_unit(t) != ETC_UNIT_UNKNOWN;
	bool named = true;

	for (uint32_t i = 0; i < targets->count; i++)
		named = named && one && forms[targets->v[i].format - formats].units;
	for (uint32_t i = 0; i < t->count && !named; i++) {
		const char *unit = etc_unit_name(t->dumps[i].profile.unit);

		if (t->dumps[i].profile.unit == ETC_UNIT_NS)
			continue;
		t->session->notes.file = t->dumps[i].name;
		etc_note(&t->session->notes, W0664, "1 %.*s counts as 1 ns", (int)strlen(unit) - 1,
		         unit);
	}
}

/* Reports the events that stacks leave out, and the times that are too large for stacks. */
static enum etc_status remark_stacks(struct etc_tracing *t, struct etc_error *err)
{
	struct etc_arena arena;
	struct etc_stacks stacks;
	uint32_t wide = 0;
	enum etc_status st;

	etc_arena_init(&arena, t->session->arena.budget);
	st = etc_stacks_make(t, false, &arena, &stacks, err);
	for (uint32_t i = 0; st == ETC_OK && i < stacks.count; i++)
		wide += !etc_stack_fits(&stacks.v[i]);
	etc_arena_release(&arena);
	if (wide)
		etc_note(&t->session->notes, W0666, "%u of %u stack%s: %lld stands for more", wide,
		         stacks.count, etc_plural(stacks.count), (long long)INT64_MAX);
	if (t->drawing.left_out)
		etc_note(&t->session->notes, N0665, "%llu of %llu event%s",
		         (unsigned long long)t->drawing.left_out,
		         (unsigned long long)t->drawing.slices, etc_plural(t->drawing.slices));
	return st;
}

static bool has_stacks(const struct etc_targets *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (forms[t->v[i].format - formats].stacks)
			return true;
	return false;
}

static enum etc_status make_dumps(struct etc_tracing *t, const struct etc_trace_options *o,
                                  const struct etc_plan *plan, const struct etc_targets *targets,
                                  struct etc_error *err)
{
	const struct etc_session_mark mark = etc_session_mark(t->session);

	do {
		for (uint32_t i = 0; i < t->count; i++)
			ETC_TRY(make_dump(t, &t->dumps[i], o, plan, err));
	} while (etc_session_again(t->session, &mark));
	remark_units(t, targets);
	t->session->notes.file = t->count == 1 ? t->dumps[0].name : (struct etc_str){ 0 };
	return has_stacks(targets) ? remark_stacks(t, err) : ETC_OK;
}

/* ---- outputs ---------------------------------------------------------------------- */

static enum etc_status write_form(const struct etc_format *format, bool for_file, void *what,
                                  struct etc_text *out, struct etc_error *err)
{
	const struct etc_trace_form *form = &forms[format - formats];
	struct etc_tracing *t = what;
	const struct etc_drawing before = t->drawing;

	(void)for_file;
	ETC_TRY(form->write(t, out, err));
	/* remark_stacks() has already counted and reported the events that a format with stacks
	 * leaves out */
	if (form->stacks)
		t->drawing = before;
	/* If the caller's write callback stopped the output, that is no error here. */
	return out->failed && !out->sink ? etc_no_memory(err) : ETC_OK;
}

static enum etc_status write_default(const void *what, struct etc_text *out, struct etc_error *err)
{
	struct etc_tracing *const *t = what;

	return etc_trace_perfetto(*t, out, err);
}

/* Returns the default path of the output, such as "runs/run.pftrace" for "runs/run.etdump.gz". */
static struct etc_str beside(const char *dump, struct etc_arena *arena)
{
	static const char *const endings[] = { ".gz", ".etdump", ".etdp" };
	struct etc_str stem = etc_str_of(dump);

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		size_t n = strlen(endings[i]);

		if (stem.len > n && memcmp(stem.ptr + stem.len - n, endings[i], n) == 0 &&
		    stem.ptr[stem.len - n - 1] != '/')
			stem.len -= n;
	}
	return etc_arena_printf(arena, ETC_STR_FMT ".pftrace", ETC_STR_ARG(stem));
}

/* Writes how many runs of truncated dumps are lost. */
static void put_lost(const struct etc_tracing *t, struct etc_text *line)
{
	size_t lost = 0, all = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		const struct etc_trace *trace = &t->dumps[i].in.trace;

		if (!trace->salvage)
			continue;
		lost += trace->salvage->runs - trace->run_count;
		all += trace->salvage->runs;
	}
	if (all)
		etc_text_printf(line, "; partial: %zu of %zu runs of the file are lost", lost, all);
}

/* Writes a line about the file, the notes, and how to open the file. */
static enum etc_status put_answer(struct etc_tracing *t, struct etc_str path,
                                  const struct etc_common_options *common, struct etc_text *out,
                                  struct etc_error *err)
{
	struct etc_str head = { 0 };
	struct etc_report_block block = { .head = &head, .head_count = 1 };
	const struct etc_report report = { .notes = &t->session->notes,
		                           .note_files = true,
		                           .blocks = &block,
		                           .block_count = 1,
		                           .next = { ETC_STR(
						   "open it at https://ui.perfetto.dev") } };
	const struct etc_screen screen = { .width = common->width, .ascii = common->ascii };
	struct etc_text line = { 0 };

	etc_text_shown(&line, path);
	etc_text_printf(&line, "  %llu slice%s of %llu run%s",
	                (unsigned long long)t->drawing.slices, etc_plural(t->drawing.slices),
	                (unsigned long long)t->drawing.runs, etc_plural(t->drawing.runs));
	put_lost(t, &line);
	head = etc_arena_str(&t->session->arena, etc_text_str(&line));
	etc_text_release(&line);
	ETC_NEED(head.ptr, err);
	etc_write_text(&report, &screen, out);
	return ETC_OK;
}

/* Is `dump` a regular file in a normal folder? The answer is no for a pipe, and for the path of a
 * file descriptor, such as /dev/stdin or /dev/fd/3. */
static bool has_folder(const char *dump, const char *folder)
{
	struct stat st, dev;
	bool there = stat(dump, &st) == 0 && S_ISREG(st.st_mode) && stat(folder, &st) == 0;

	if (there && stat("/dev", &dev) == 0 && st.st_dev == dev.st_dev && st.st_ino == dev.st_ino)
		return false;
	return there && !(stat("/proc/self", &dev) == 0 && st.st_dev == dev.st_dev);
}

/* Writes the output to a file in the folder of the dump. */
static enum etc_status write_beside(struct etc_tracing *t, struct etc_str *to,
                                    struct etc_error *err)
{
	struct etc_arena *arena = &t->session->arena;
	const char *dump = t->dumps[0].in.dump.path, *slash = strrchr(dump, '/');
	struct etc_str path = beside(dump, arena);
	char *folder = NULL;

	if (slash)
		folder = etc_arena_cstr(
			arena, (struct etc_str){ dump, (size_t)(slash - dump) + !(slash - dump) });
	else
		folder = etc_arena_cstr(arena, ETC_STR("."));
	if (!slash && path.ptr)
		path = etc_arena_printf(arena, "./" ETC_STR_FMT, ETC_STR_ARG(path));
	ETC_NEED(folder && path.ptr, err);
	if (etc_session_given(t->session, dump) || !has_folder(dump, folder))
		return etc_fail(err, E0501, "no file to write the trace beside: -o run.pftrace");
	ETC_TRY(etc_output_write(folder, path.ptr, write_default, &t, err));
	*to = slash ? path : etc_str_sub(path, 2, path.len);
	return ETC_OK;
}

static enum etc_status check_terminal(const struct etc_targets *t, bool terminal,
                                      struct etc_error *err)
{
	for (uint32_t i = 0; i < t->count && terminal; i++)
		if (!t->v[i].path && forms[t->v[i].format - formats].binary)
			return etc_fail(err, E0561, "-o %s=PATH", t->v[i].format->name);
	return ETC_OK;
}

static enum etc_status parse_runs(struct etc_tracing *t, const char *runs, struct etc_error *err)
{
	t->all = runs && strcmp(runs, "all") == 0;
	t->numbered = runs && !t->all && strcmp(runs, "typical") != 0;
	if (t->numbered && !etc_number_parse_u64(etc_str_of(runs), &t->number))
		return etc_fail(err, E0505,
		                "--runs '%s'; expected typical, all or the number of a run, from 1",
		                runs);
	return ETC_OK;
}

static enum etc_status run(struct etc_tracing *t, const struct etc_trace_options *o,
                           struct etc_plan *plan, const struct etc_reply *reply,
                           struct etc_error *err)
{
	struct etc_session *s = t->session;
	struct etc_session_mark mark;
	struct etc_targets targets;
	struct etc_str path = ETC_STR_NONE;

	ETC_TRY(parse_runs(t, o->runs, err));
	ETC_TRY(etc_plan_make(plan, &o->common, &o->plan, s, err));
	ETC_TRY(etc_targets_parse(&targets, formats, &o->output, &s->arena, err));
	if (o->output.count)
		ETC_TRY(check_terminal(&targets, o->common.terminal, err));
	ETC_TRY(etc_session_plugins(s, &o->common, 0, err));
	ETC_TRY(open_dumps(t, o, err));
	ETC_TRY(make_dumps(t, o, plan, &targets, err));
	ETC_TRY(etc_session_report(s, o->common.strict, reply, err));
	mark = etc_session_mark(s);
	ETC_TRY(o->output.count ? etc_targets_write(&targets, write_form, t, reply->out, err)
	                        : write_beside(t, &path, err));
	remark(t);
	etc_session_report_since(&mark, reply);
	if (!o->output.count)
		ETC_TRY(put_answer(t, path, &o->common, reply->out, err));
	return etc_session_end(s, err);
}

static enum etc_status draw(struct etc_session *s, const void *options,
                            const struct etc_reply *reply, struct etc_error *err)
{
	struct etc_plan plan = { 0 };
	struct etc_tracing t = { .session = s };
	enum etc_status st;

	st = run(&t, options, &plan, reply, err);
	for (uint32_t i = 0; i < t.count; i++)
		if (t.dumps[i].walker)
			etc_walker_release(t.dumps[i].walker);
	etc_plan_release(&plan);
	return st;
}

/* ---- options ------------------------------------------------------------------- */

/* clang-format off */
static const struct etc_opt options[] = {
	{ 'o', "output", ETC_OPT_LIST, offsetof(struct etc_trace_options, output), "FORM[=PATH]|PATH",
	  &("" ETC_TRACE_FORMATS(ETC_FORMAT_WORD))[1],
	  "format of the trace, and its file: chrome=PATH, or x.folded (repeatable; default: perfetto, into "
	  "a .pftrace beside the dump)" },
	{ 0, "runs", ETC_OPT_TEXT, offsetof(struct etc_trace_options, runs), "typical|all|N", "typical|all",
	  "typical: one run per path, nearest to the mean; all: all runs and loads; N: run N of analyze --by run (default: typical)" },
	ETC_METHOD_ROW(struct etc_trace_options, method),
	ETC_FILES_ROWS(struct etc_trace_options),
	ETC_WARMUP_ROW(struct etc_trace_options),
	ETC_ANALYSIS_ROWS(struct etc_trace_options),
};
/* clang-format on */

const struct etc_question etc_ask_trace = {
	.name = "trace",
	.summary = "runs as a timeline or flame graph, for Perfetto and other viewers",
	.usage = "FILE… [-o FORM[=PATH]] [--runs typical|all|N]",
	.examples = "etcore trace run.etdump\n"
		    "etcore trace run.etdump --runs all -o all.pftrace\n"
		    "etcore trace run.etdump -o speedscope=run.speedscope.json -o run.folded",
	ETC_OPTIONS(struct etc_trace_options),
	.needs = "which file? etcore trace run.etdump",
	.answer = draw,
};
