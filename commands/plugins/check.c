/* check.c -- `etcore plugins check`: starts this program once for each check, watches the process
 * and collects the verdicts. If the plugin crashes, hangs, exits or writes too much output, the
 * check fails. */
#define _POSIX_C_SOURCE 200809L
#include "commands/plugins/plugins.h"
#include "context/output.h"
#include "base/child.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/process.h"
#include "base/sandbox.h"
#include "commands/plugins/check_report.h"
#include "context/session.h"
#include "formats/etdump/recording.h"
#include "host/contract.h"
#include "host/elf.h"
#include "inspector/inspector.h"
#include "inspector/pyrepr.h"
#include "join/site.h"
#include "base/sha256_text.h"

#include <sys/stat.h>
#include <time.h>

extern char **environ;

enum {
	LIMIT_DEFAULT = 20, /* default time limit of a check, in seconds */
	LIMIT_MOST = 3600,  /* longest time limit of a check, in seconds */
	/* time limit, in seconds, of every check that runs after a check has timed out */
	LIMIT_AFTER_ONE = 2,
	PATH_ROOM = 4096,
	SHOWN = 200 /* maximum number of bytes of a plugin's output that are shown */
};

/* Returns the limit of address space for the process of a check: 4 GiB; 0 (no limit) where size_t
 * has 32 bits. */
static size_t address_space(void)
{
	return SIZE_MAX > UINT32_MAX ? (size_t)4 << 30 : 0;
}

struct watching {
	const struct etc_plugins_options *options;
	struct etc_session *session;
	char program[PATH_ROOM];
	struct etc_str path;
	unsigned limit_ms;
	bool unusable; /* the check "load" failed */
	bool ran_out;
	/* environment variables of the processes of checks; NULL: those of this process */
	const char **env;
	const char *seed;              /* decimal number */
	struct etc_check_board loaded; /* board of the check "load" */
	struct etc_tried tried;
	/* State after the first run of a check that runs twice. `said`: the answers in that run.
	 * `said_at`: when that run ended. `again`: the result of that run, which the second run
	 * replaces; NULL: no check that runs twice has run yet. */
	struct etc_check_board said;
	struct etc_check_result *again;
	struct timespec said_at;
	struct etc_check_result *results;
	unsigned count;
};

/* ---- files of the plugin: sample dump and recorded answers -------------------------------- */

/* Returns the DELEGATE_CALL that contains event `k`; NULL: there is none. A DELEGATE_CALL is logged
 * after the events that it contains. */
static const struct etc_event *call_around(const struct etc_template *template, uint32_t k)
{
	const struct etc_event *e = &template->events[k], *at;

	for (uint32_t i = k + 1; i < template->count; i++) {
		at = &template->events[i];
		if (at->kind == ETC_EVENT_PROFILE && at->chain == e->chain &&
		    at->instruction_id == e->instruction_id && etc_event_is_instruction(at))
			return at->word == ETC_WORD_DELEGATE_CALL ? at : NULL;
	}
	return NULL;
}

/* Adds event `k` of the sample dump to `all`, unless `all` has an event with the same names and id,
 * or is full. */
static void add_event(struct etc_check_sample *all, unsigned *count, const struct etc_trace *trace,
                      const struct etc_template *template, uint32_t k)
{
	const struct etc_event *e = &template->events[k], *call;
	size_t first = trace->runs[template->first_run].first_sample, sample = first + e->column;
	bool delegate = etc_event_is_delegate(e);
	struct etc_check_sample one = {
		.delegate_name = etc_event_delegate_name(e),
		.delegate_id = e->delegate_id,
		.instruction_id = e->instruction_id,
		.start = trace->start[sample],
		.end = trace->end[sample],
		.metadata = etc_trace_metadata(trace, sample),
		.name = delegate ? ETC_STR_NONE : etc_event_name(e),
	};

	for (unsigned n = 0; n < *count; n++)
		if (all[n].delegate_id == one.delegate_id &&
		    etc_str_eq(all[n].delegate_name, one.delegate_name) &&
		    etc_str_eq(all[n].name, one.name))
			return;
	if (*count == ETC_CHECK_SAMPLES)
		return;
	call = delegate ? call_around(template, k) : NULL;
	one.in_call = call != NULL;
	one.call_start = call ? trace->start[first + call->column] : 0;
	one.call_end = call ? trace->end[first + call->column] : 0;
	all[(*count)++] = one;
}

/* Was the event opened as a scope by a backend, rather than by the runtime? */
static bool is_scope(const struct etc_event *e)
{
	static const struct etc_str own[] = { { "Method::", 8 },
		                              { "Program::", 9 },
		                              { "native_call_", 12 } };

	if (etc_event_is_delegate(e) || etc_event_name(e).len == 0 ||
	    etc_str_ends(etc_event_name(e), ETC_STR("_CALL")))
		return false;
	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
		if (etc_str_starts(etc_event_name(e), own[i]))
			return false;
	return true;
}

/* Adds events of every event list of the dump to `all`: events of delegates if `delegate` is
 * true, else scopes that backends open (is_scope()). */
static void add_all(struct etc_check_sample *all, unsigned *count, const struct etc_trace *trace,
                    bool delegate)
{
	for (size_t i = 0; i < trace->template_count; i++) {
		const struct etc_template *template = &trace->templates[i];

		for (uint32_t k = 0; k < template->count; k++) {
			const struct etc_event *e = &template->events[k];

			if (e->kind == ETC_EVENT_PROFILE &&
			    (delegate ? etc_event_is_delegate(e) : is_scope(e)))
				add_event(all, count, trace, template, k);
		}
	}
}

/* Reads the sample from the dump at `path`: the events of delegates. If there are none, reads the
 * scopes that some backends log instead. */
static enum etc_status read_sample(struct etc_session *s, const char *path,
                                   struct etc_check_subject *out, struct etc_error *err)
{
	struct etc_check_sample *all;
	struct etc_trace trace;
	struct etc_span bytes;

	all = etc_new(&s->arena, struct etc_check_sample, ETC_CHECK_SAMPLES);
	ETC_NEED(all, err);
	ETC_TRY(etc_session_open(s, path, &bytes, err));
	ETC_TRY(etc_in_file(err, etc_session_dump(s, bytes, &trace, err), path));
	out->samples = all;
	add_all(all, &out->sample_count, &trace, true);
	if (out->sample_count == 0)
		add_all(all, &out->sample_count, &trace, false);
	if (out->sample_count == 0)
		return etc_fail(err, E0633, "%s", path);
	return ETC_OK;
}

static enum etc_status read_expected(struct etc_session *s, const char *path,
                                     struct etc_check_subject *out, struct etc_error *err)
{
	struct etc_recording *r = etc_new(&s->arena, struct etc_recording, 1);
	struct etc_span bytes;

	ETC_NEED(r, err);
	ETC_TRY(etc_session_open(s, path, &bytes, err));
	ETC_TRY(etc_in_file(err, etc_recording_read(bytes, &s->arena, r, err), path));
	ETC_TRY(etc_in_file(err, etc_inspector_scales(r->source, r->target, &out->factor, err),
	                    path));
	out->recording = r;
	out->repr = etc_py_datum;
	return ETC_OK;
}

/* Reads the events of the sample dump, whose path is `sample`, and the recorded answers from
 * `expected` (NULL or empty: there are none). E0633, E0634, E0806, and the errors of opening and
 * reading these files. */
static enum etc_status read_subject(struct etc_session *s, const char *sample, const char *expected,
                                    struct etc_check_subject *out, struct etc_error *err)
{
	if (sample && sample[0])
		ETC_TRY(read_sample(s, sample, out, err));
	if (expected && expected[0])
		ETC_TRY(read_expected(s, expected, out, err));
	return ETC_OK;
}

/* ---- one check -------------------------------------------------------------------- */

/* Returns the first line of the output in quotes, without unprintable characters; empty if there is
 * no output. */
static struct etc_str quoted(struct etc_arena *arena, const struct etc_text *t)
{
	struct etc_str s = etc_text_str(t), out;

	/* The report of a sanitizer begins with a line of ===. */
	while (s.len && (s.ptr[0] == '=' || (unsigned char)s.ptr[0] <= ' '))
		s = etc_str_sub(s, 1, s.len);
	s = etc_str_trim(s);
	s = etc_str_sub(s, 0, etc_str_find(s, ETC_STR("\n"), 0));
	s = etc_str_sub(s, 0, SHOWN);
	if (s.len == 0)
		return (struct etc_str){ "", 0 };
	out = etc_arena_printf(arena, " '" ETC_STR_FMT "'", ETC_STR_ARG(s));
	for (size_t i = 0; i < out.len; i++)
		if ((unsigned char)out.ptr[i] < 0x20 || out.ptr[i] == 0x7f)
			((char *)out.ptr)[i] = '?';
	return out;
}

/* Returns the text of the failure if the process did not end normally, for example because of a
 * crash or a timeout. Empty: the process ended normally, so the verdict on the board counts. */
static struct etc_str ending(struct etc_arena *arena, const struct etc_process *p,
                             const struct etc_check_board *b, bool isolated)
{
	const char *at = b->doing[0] ? b->doing : "the plugin";
	struct etc_str wrote = quoted(arena, &p->err);
	const char *breach;

	if (p->end == ETC_PROCESS_TIMED_OUT)
		return etc_arena_printf(arena, "it did not come to an end within %u s: %s",
		                        p->limit_ms / 1000, at);
	breach = etc_breach_text(p->end == ETC_PROCESS_SIGNALED, p->status);
	if (isolated && breach)
		return etc_arena_printf(
			arena, "it asked for %s an isolated plugin may not have: %s", breach, at);
	if (p->end == ETC_PROCESS_SIGNALED)
		return etc_arena_printf(arena, "%s in %s", etc_signal_name(p->status), at);
	if (b->verdict == ETC_VERDICT_NONE)
		return etc_arena_printf(arena,
		                        "it ended the program with status %d in %s" ETC_STR_FMT,
		                        p->status, at, ETC_STR_ARG(wrote));
	if (p->status != 0)
		return etc_arena_printf(arena,
		                        "the program ended with status %d behind it" ETC_STR_FMT,
		                        p->status, ETC_STR_ARG(wrote));
	return (struct etc_str){ "", 0 };
}

static struct etc_str written(struct etc_arena *arena, const struct etc_process *p)
{
	bool out = p->out_bytes > 0;

	return etc_arena_printf(arena, "it wrote %llu bytes to descriptor %d:" ETC_STR_FMT,
	                        (unsigned long long)(out ? p->out_bytes : p->err_bytes),
	                        out ? 1 : 2, ETC_STR_ARG(quoted(arena, out ? &p->out : &p->err)));
}

/* For a check that runs twice, in two processes. Stores the answers after the first run. After the
 * second run, compares its answers with the stored ones; the check fails if they differ. */
static void say_again(struct watching *w, const struct etc_check_board *b,
                      struct etc_check_result *out)
{
	char text[300];

	if (!w->again) {
		w->again = out;
		w->said = *b;
		clock_gettime(CLOCK_MONOTONIC, &w->said_at);
		return;
	}
	etc_check_compare_said(&w->said, b, text);
	if (!text[0])
		return;
	out->verdict = ETC_VERDICT_FAILED;
	out->text = etc_arena_str(&w->session->arena, etc_str_of(text));
}

static void conclude(struct watching *w, const struct etc_check *check, const struct etc_process *p,
                     struct etc_check_result *out)
{
	struct etc_arena *arena = &w->session->arena;
	struct etc_check_board b;

	memcpy(&b, p->board, sizeof b);
	b.doing[sizeof b.doing - 1] = b.text[sizeof b.text - 1] = '\0';
	b.plugin[sizeof b.plugin - 1] = b.version[sizeof b.version - 1] = '\0';
	b.abi[sizeof b.abi - 1] = b.said[sizeof b.said - 1] = '\0';
	if (w->count == 1)
		w->loaded = b;
	if (check == etc_check_find("ordinary"))
		w->tried = b.tried;
	out->took_ms = p->took_ms;
	out->verdict = ETC_VERDICT_FAILED;
	out->text = ending(arena, p, &b, check == etc_check_find("isolation"));
	if (out->text.len == 0 && check->silent && p->out_bytes + p->err_bytes)
		out->text = written(arena, p);
	if (out->text.len == 0) {
		out->verdict =
			b.verdict <= ETC_VERDICT_SKIPPED ? (uint8_t)b.verdict : ETC_VERDICT_FAILED;
		out->text = etc_arena_str(arena, etc_str_of(b.text));
	}
	w->ran_out |= p->end == ETC_PROCESS_TIMED_OUT;
	if (check->again && out->verdict == ETC_VERDICT_OK)
		say_again(w, &b, out);
}

static enum etc_status run_check(struct watching *w, const struct etc_check *check,
                                 struct etc_check_result *out, struct etc_error *err)
{
	const unsigned less = LIMIT_AFTER_ONE * 1000;
	const struct etc_plugins_options *o = w->options;
	const char *argv[] = { w->program,
		               ETC_CHECK_COMMAND,
		               "--",
		               check->name,
		               w->path.ptr,
		               o->sample ? o->sample : "",
		               o->expected ? o->expected : "",
		               w->seed,
		               NULL };
	struct etc_process p = {
		.argv = argv,
		.env = w->env,
		.limit_ms = w->ran_out && w->limit_ms > less ? less : w->limit_ms,
		.board_size = sizeof(struct etc_check_board),
	};
	enum etc_status st;

	*out = (struct etc_check_result){ .check = check, .verdict = ETC_VERDICT_SKIPPED };
	if (w->unusable && !check->of_file) {
		out->text = ETC_STR("the plugin cannot be opened");
		return ETC_OK;
	}
	st = etc_process_run(&p, err);
	if (st == ETC_OK)
		conclude(w, check, &p, out);
	etc_process_release(&p);
	return st == ETC_OK && !out->text.ptr ? etc_no_memory(err) : st;
}

/* ---- all checks -------------------------------------------------------------------- */

/* Indices of operands: operand 0 is "check", then come the library and the names of checks. */
enum { LIBRARY = 1, CHECKS = 2 };

static bool by_name(const struct etc_plugins_options *o)
{
	return o->common.operands.count > CHECKS;
}

/* Returns the level that --level requests; ETC_CHECK_LEVELS if there is no level with that name. */
static unsigned level_of(const struct etc_plugins_options *o)
{
	unsigned i = 0;

	while (o->level && i < ETC_CHECK_LEVELS && strcmp(etc_check_level_names[i], o->level) != 0)
		i++;
	return i;
}

static bool wanted(const struct etc_plugins_options *o, const struct etc_check *check)
{
	/* The level "stress" includes the check "parity" only if recorded answers were given. */
	if (!by_name(o) && check->level == ETC_CHECK_PARITY && level_of(o) == ETC_CHECK_STRESS)
		return o->expected != NULL;
	if (!by_name(o))
		return check->level <= level_of(o);
	for (uint32_t i = CHECKS; i < o->common.operands.count; i++)
		if (strcmp(o->common.operands.v[i], check->name) == 0)
			return true;
	return false;
}

/* Removes the environment variables that an isolated plugin does not get. */
static enum etc_status hide_environment(struct watching *w, struct etc_error *err)
{
	const char *const *all = w->env ? w->env : (const char *const *)environ;
	size_t n = 0, kept = 0;

	while (all[n])
		n++;
	w->env = etc_new(&w->session->arena, const char *, n + 1);
	ETC_NEED(w->env, err);
	for (size_t i = 0; i < n; i++)
		if (etc_child_is_told(all[i]))
			w->env[kept++] = all[i];
	w->env[kept] = NULL;
	return ETC_OK;
}

/* Repeats the check in a process that has other addresses, another process id and fewer environment
 * variables, and that starts in another second. */
static enum etc_status run_again(struct watching *w, struct etc_error *err)
{
	const int64_t apart = 1100000000;
	unsigned took = w->again->took_ms;
	struct timespec now;
	int64_t left;
	enum etc_status st;

	ETC_TRY(hide_environment(w, err));
	clock_gettime(CLOCK_MONOTONIC, &now);
	left = apart - (now.tv_sec - w->said_at.tv_sec) * 1000000000 -
	       (now.tv_nsec - w->said_at.tv_nsec);
	if (left > 0)
		nanosleep(&(struct timespec){ left / 1000000000, left % 1000000000 }, NULL);
	st = run_check(w, w->again->check, w->again, err);
	w->again->took_ms += took;
	return st;
}

static enum etc_status run_checks(struct watching *w, struct etc_error *err)
{
	const struct etc_plugins_options *o = w->options;
	const struct etc_check *all;
	unsigned n;

	all = etc_check_list(&n);
	w->results = etc_new(&w->session->arena, struct etc_check_result, n);
	ETC_NEED(w->results, err);
	for (unsigned i = 0; i < n; i++) {
		/* the first check always runs: it opens the plugin, which all other checks need */
		if (i > 0 && !wanted(o, &all[i]))
			continue;
		ETC_TRY(run_check(w, &all[i], &w->results[w->count++], err));
		if (i == 0)
			w->unusable = w->results[0].verdict == ETC_VERDICT_FAILED;
	}
	return w->again ? run_again(w, err) : ETC_OK;
}

/* ---- the command ----------------------------------------------------------------------- */

static enum etc_status no_check(const char *name, struct etc_error *err)
{
	enum { MOST = 64 };
	struct etc_str names[MOST], near;
	unsigned n, i = 0;
	const struct etc_check *all = etc_check_list(&n);

	for (; i < n && i < MOST; i++)
		names[i] = etc_str_of(all[i].name);
	near = etc_nearest(etc_str_of(name), names, i);
	return etc_fail(err, E0504, "the check '%s'; %s" ETC_STR_FMT "%s", name,
	                near.len ? "did you mean '" : "docs/plugins/checking.md lists all checks",
	                ETC_STR_ARG(near), near.len ? "'?" : "");
}

static enum etc_status check_arguments(struct watching *w, struct etc_error *err)
{
	const struct etc_plugins_options *o = w->options;
	uint64_t limit = LIMIT_DEFAULT, seed;

	if (!etc_operand(&o->common, LIBRARY))
		return etc_fail(err, E0501, "plugins check needs the PATH or NAME of a plugin");
	if (level_of(o) == ETC_CHECK_LEVELS)
		return etc_fail(err, E0505,
		                "--level '%s'; expected one of basic|strict|parity|stress",
		                o->level);
	w->seed = o->seed ? o->seed : "1";
	if (!etc_number_parse_u64(etc_str_of(w->seed), &seed))
		return etc_fail(err, E0505, "--seed '%s'; expected a whole number", o->seed);
	if (o->seed && !wanted(o, etc_check_find("stress")))
		return etc_fail(err, E0501, "--seed belongs to --level stress");
	if (o->limit && (!etc_number_parse_u64(etc_str_of(o->limit), &limit) || limit == 0 ||
	                 limit > LIMIT_MOST))
		return etc_fail(err, E0505, "--limit '%s'; expected seconds, 1 to %d", o->limit,
		                LIMIT_MOST);
	w->limit_ms = (unsigned)limit * 1000;
	for (uint32_t i = CHECKS; i < o->common.operands.count; i++)
		if (!etc_check_find(o->common.operands.v[i]))
			return no_check(o->common.operands.v[i], err);
	/* E0501: --expected without the check parity, or the check parity without --expected */
	if (o->expected && !wanted(o, etc_check_find("parity")))
		return etc_fail(err, E0501, "--expected belongs to --level parity");
	if (!o->expected && wanted(o, etc_check_find("parity")))
		return etc_fail(err, E0501, "parity needs the recorded answers: --expected FILE");
	return ETC_OK;
}

/* Finds the plugin's file. It must exist. */
static enum etc_status find_file(struct watching *w, struct etc_error *err)
{
	struct etc_host_options o = { .settings = &w->session->settings };
	const char *name = etc_operand(&w->options->common, LIBRARY);
	struct stat st;

	ETC_TRY(etc_plugin_file(name, &o, &w->session->arena, &w->session->notes, &w->path, err));
	if (w->path.len == 0)
		return etc_fail(err, E0601, "'%s'", name);
	if (stat(w->path.ptr, &st) != 0 || !S_ISREG(st.st_mode))
		return etc_fail(err, E0601, "'%s' is no file", name);
	/* dlopen() searches a name without a slash only in the folders of the system. */
	if (!strchr(w->path.ptr, '/'))
		w->path = etc_arena_printf(&w->session->arena, "./%s", name);
	return w->path.ptr ? ETC_OK : etc_no_memory(err);
}

/* ---- a plugin built with a sanitizer needs the sanitizer's library preloaded --------------- */

static void find_sanitizer(void *arg, struct etc_str library)
{
	struct etc_str *found = arg;

	if (etc_check_preloads(library))
		*found = library;
}

/* Makes the environment variables of checks: those of this process, with LD_PRELOAD set to the
 * library of the sanitizer. */
static enum etc_status set_environment(struct watching *w, struct etc_str library,
                                       struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	size_t n = 0, kept = 0;

	while (environ[n])
		n++;
	w->env = etc_new(arena, const char *, n + 2);
	ETC_NEED(w->env, err);
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0)
			w->env[kept++] = environ[i];
	w->env[kept] = etc_arena_printf(arena, "LD_PRELOAD=" ETC_STR_FMT, ETC_STR_ARG(library)).ptr;
	w->env[kept + 1] = NULL;
	return w->env[kept] ? ETC_OK : etc_no_memory(err);
}

static enum etc_status prepare_sanitizer(struct watching *w, struct etc_error *err)
{
	struct etc_str library = ETC_STR_NONE;
	struct etc_file file;
	enum etc_status st = ETC_OK;

	if (etc_process_sanitized())
		return ETC_OK;
	ETC_TRY(etc_file_open_found(&file, w->path.ptr, 0, err));
	(void)etc_elf_needs(file.bytes, find_sanitizer, &library);
	if (library.len)
		st = set_environment(w, library, err);
	etc_file_release(&file);
	return st;
}

static const struct etc_format formats[] = ETC_FORMAT_ARRAY(ETC_CHECK_FORMATS, ETC_DOCUMENT_FORMAT);

static enum etc_status answer(struct watching *w, struct etc_text *out, struct etc_error *err)
{
	const struct etc_plugins_options *o = w->options;
	struct etc_check_report r = { .level = o->level ? o->level : "basic" };
	struct etc_check_subject subject = { 0 };
	struct etc_targets targets;
	unsigned failed;

	ETC_TRY(etc_targets_parse(&targets, formats, &o->output, &w->session->arena, err));
	ETC_TRY(find_file(w, err));
	ETC_TRY(prepare_sanitizer(w, err));
	/* errors in the files of --sample and --expected are reported here once, instead of by each
	 * check */
	ETC_TRY(read_subject(w->session, o->sample, o->expected, &subject, err));
	if (!etc_program_worker(w->program, sizeof w->program))
		return etc_fail(err, E0901, "/proc/self/exe: needed to start checks");
	r.sha256 = etc_file_sha256(w->path.ptr, &w->session->arena, NULL);
	if (!r.sha256)
		return etc_fail(err, E0901, ETC_STR_FMT, ETC_STR_ARG(w->path));
	ETC_TRY(run_checks(w, err));
	r.path = w->path;
	memcpy(r.plugin, w->loaded.plugin, sizeof r.plugin);
	memcpy(r.version, w->loaded.version, sizeof r.version);
	memcpy(r.abi, w->loaded.abi, sizeof r.abi);
	(void)etc_number_parse_u64(etc_str_of(w->seed), &r.seed);
	if (!by_name(o))
		r.grade = etc_check_grade(w->results, w->count, level_of(o));
	r.tried = w->tried;
	r.results = w->results;
	r.count = w->count;
	ETC_TRY(etc_targets_document(&targets, &r, out, err));
	failed = etc_check_report_count(&r, ETC_VERDICT_FAILED);
	if (failed)
		return etc_fail(err, E0630, ETC_STR_FMT ": %u of %u checks failed",
		                ETC_STR_ARG(w->path), failed, w->count);
	return ETC_OK;
}

enum etc_status etc_plugins_check(struct etc_session *s, const void *options,
                                  const struct etc_reply *reply, struct etc_error *err)
{
	struct watching w = { .options = options, .session = s };

	ETC_TRY(check_arguments(&w, err));
	ETC_TRY(etc_session_configure(s, &w.options->common, NULL, 0, 0, err));
	ETC_TRY(etc_session_report(s, w.options->common.strict, reply, err));
	return answer(&w, reply->out, err);
}

enum etc_status etc_plugins_check_one(const char *check, const char *path, const char *sample,
                                      const char *expected, const char *seed, struct etc_error *err)
{
	struct etc_check_board *board = etc_process_board(sizeof *board);
	struct etc_check_subject subject = { .path = path };
	struct etc_session s;
	enum etc_status st;

	if (!board)
		return etc_fail(err, E0501, "%s is how `etcore plugins check` starts itself",
		                ETC_CHECK_COMMAND);
	if (!etc_number_parse_u64(etc_str_of(seed), &subject.seed))
		return etc_fail(err, E0505, "the seed '%s'", seed);
	etc_process_confine(address_space());
	etc_session_init(&s, 0);
	st = read_subject(&s, sample, expected, &subject, err);
	if (st == ETC_OK)
		st = etc_check_run(check, &subject, board, err);
	etc_session_release(&s);
	return st;
}
