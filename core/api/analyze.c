/* analyze.c -- see analysis.h
 *
 * Configuration, plugins, files; for each dump its trace, profile and parts of
 * the report; then the formats that were asked for. Nothing is written before
 * all of it is known, and files before standard output. */
#include "api/analysis.h"

#include <stdlib.h>

#include "api/events.h"
#include "api/inputs.h"
#include "api/profile.h"
#include "api/remarks.h"
#include "api/session.h"
#include "base/number.h"
#include "base/sha256.h"
#include "etcore/plugin.h"
#include "view/cells.h"
#include "view/group.h"
#include "view/machine.h"
#include "view/screen.h"
#include "write/formats.h"

enum { DEFAULT_TOP = 12, NS_PER_S = 1000000000, DEBUG_BUDGET = 256 << 20 };

/* One -o FORMAT[=PATH]. */
struct target {
	const struct etc_format *format;
	const char *path; /* NULL: standard output */
	struct etc_text text;
};

/* One dump's part of the answer. */
struct part {
	struct etc_inputs in;
	struct etc_profile profile;
	struct etc_report report;
};

struct work {
	const struct etc_analyze_options *options;
	struct etc_session *session;
	struct target *targets;
	uint32_t target_count;
	struct etc_profile_options profile;
	struct etc_screen_options screen;
	const char **dumps;
	uint32_t dump_count;
	const char *etrecord;
	struct part *parts;
};

/* ---- options ------------------------------------------------------------- */

static enum etc_status parse_target(const char *arg, struct target *t, struct etc_error *err)
{
	const char *eq = strchr(arg, '=');
	struct etc_str name = etc_str_of(arg);

	if (eq)
		name.len = (size_t)(eq - arg);
	t->format = etc_format_find(name);
	t->path = eq ? eq + 1 : NULL;
	if (!t->format)
		return etc_fail(err, E0505, "-o '" ETC_STR_FMT "'; the formats are %s",
		                ETC_STR_ARG(name), etc_format_names());
	if (eq && !eq[1])
		return etc_fail(err, E0505, "-o %s: no file after '='", arg);
	return ETC_OK;
}

static enum etc_status parse_targets(struct work *w, struct etc_error *err)
{
	const struct etc_analyze_options *o = w->options;
	uint32_t n = o->output_count ? o->output_count : 1, to_stdout = 0;

	w->targets = etc_new(&w->session->arena, struct target, n);
	if (!w->targets)
		return etc_fail(err, E0904, "options");
	w->target_count = n;
	if (!o->output_count)
		return parse_target("text", &w->targets[0], err);
	for (uint32_t i = 0; i < n; i++) {
		ETC_TRY(parse_target(o->output[i], &w->targets[i], err));
		to_stdout += w->targets[i].path == NULL;
	}
	if (to_stdout > 1)
		return etc_fail(
			err, E0501,
			"%u formats for standard output; give all but one a file: -o json=FILE",
			to_stdout);
	return ETC_OK;
}

static enum etc_status parse_count(const char *arg, const char *option, uint64_t absent,
                                   uint64_t most, uint64_t *out, struct etc_error *err)
{
	*out = absent;
	if (arg && (!etc_number_parse_u64(etc_str_of(arg), out) || *out > most))
		return etc_fail(err, E0505, "%s '%s'; expected a whole number from 0", option, arg);
	return ETC_OK;
}

/* What the runtime's ticks are. */
static struct etc_host_clock host_clock(const struct etc_settings *s)
{
	struct etc_host_clock clock = { .unit = ETCORE_UNIT_NS, .scale = 1 };
	double ns = etc_unit_ns(s->source_time_scale);
	double per_tick = s->ticks_per_second > 0 ? NS_PER_S / s->ticks_per_second : 0;

	if (ns > 0) {
		clock.scale = (uint64_t)ns;
	} else if (per_tick >= 1 && per_tick == (double)(uint64_t)per_tick) {
		clock.scale = (uint64_t)per_tick;
	} else if (s->source_time_scale != ETC_UNIT_UNKNOWN) {
		clock.unit = s->source_time_scale;
	}
	return clock;
}

static enum etc_status parse_options(struct work *w, struct etc_error *err)
{
	const struct etc_analyze_options *o = w->options;
	uint64_t warmup, top;

	ETC_TRY(parse_targets(w, err));
	ETC_TRY(parse_count(o->warmup, "--warmup", 1, UINT32_MAX, &warmup, err));
	ETC_TRY(parse_count(o->top, "--top", DEFAULT_TOP, UINT32_MAX - 1, &top, err));
	w->screen.top = (uint32_t)top;
	w->profile = (struct etc_profile_options){
		.clock = host_clock(&w->session->settings),
		.warmup = (size_t)warmup,
	};
	return ETC_OK;
}

static enum etc_status configure(struct work *w, struct etc_error *err)
{
	const struct etc_analyze_options *o = w->options;
	const struct etc_conf_override overrides[] = {
		{ "etcore", "source_time_scale", o->source_time_scale, "--source-time-scale" },
		{ "etcore", "target_time_scale", o->target_time_scale, "--target-time-scale" },
		{ "etcore", "ticks_per_second", o->ticks_per_second, "--ticks-per-second" },
	};

	return etc_session_configure(w->session, &o->common, overrides,
	                             sizeof overrides / sizeof overrides[0], 0, err);
}

/* ---- files --------------------------------------------------------------- */

/* Files are told apart by their first bytes: an ETRecord among several operands
 * is the record, as if it stood behind -r. */
static enum etc_status sort_files(struct work *w, struct etc_error *err)
{
	const struct etc_analyze_options *o = w->options;

	w->dumps = etc_new(&w->session->arena, const char *, o->file_count);
	w->etrecord = o->etrecord;
	if (!w->dumps)
		return etc_fail(err, E0904, "list of files");
	for (uint32_t i = 0; i < o->file_count; i++) {
		struct etc_span bytes = { 0 };

		if (o->file_count > 1 && strcmp(o->files[i], "-") != 0)
			ETC_TRY(etc_in_file(err,
			                    etc_session_open(w->session, o->files[i], &bytes, err),
			                    o->files[i]));
		if (etc_file_kind_of(bytes) == ETC_FILE_ETRECORD && !w->etrecord)
			w->etrecord = o->files[i];
		else
			w->dumps[w->dump_count++] = o->files[i];
	}
	if (w->dump_count == 0)
		return etc_fail(err, E0501, "which ETDump? only an ETRecord was given");
	return ETC_OK;
}

static struct etc_str hash(struct etc_span bytes, struct etc_arena *arena)
{
	uint8_t digest[ETC_SHA256_BYTES];
	struct etc_sha256 s;
	struct etc_text hex = { 0 };
	struct etc_str copy;

	etc_sha256_init(&s);
	etc_sha256_add(&s, bytes);
	etc_sha256_end(&s, digest);
	etc_text_hex(&hex, (struct etc_span){ digest, sizeof digest });
	copy = etc_arena_str(arena, etc_text_str(&hex));
	etc_text_release(&hex);
	return copy;
}

/* Hashing a large file takes longer than analysing it. */
static bool wants_hashes(const struct work *w)
{
	for (uint32_t i = 0; i < w->target_count; i++)
		if (w->targets[i].format->hashes)
			return true;
	return false;
}

static enum etc_status list_files(struct work *w, struct part *p, struct etc_error *err)
{
	const struct etc_input_file *files[] = { &p->in.dump, &p->in.etrecord,
		                                 &p->in.debug_buffer };
	static const char *const kinds[] = { "etdump", "etrecord", "debug_buffer" };
	struct etc_arena *arena = &w->session->arena;
	struct etc_report_file *list = etc_new(arena, struct etc_report_file, 3);

	if (!list)
		return etc_fail(err, E0904, "list of files");
	p->report.files = list;
	for (size_t i = 0; i < 3; i++)
		if (files[i]->path) {
			list[p->report.file_count].path = etc_str_of(files[i]->path);
			list[p->report.file_count].kind = kinds[i];
			if (wants_hashes(w))
				list[p->report.file_count].sha256 = hash(files[i]->bytes, arena);
			p->report.file_count++;
		}
	return ETC_OK;
}

/* ---- one dump ------------------------------------------------------------ */

static enum etc_status make_part(struct work *w, const char *path, struct part *p,
                                 struct etc_error *err)
{
	const struct etc_analyze_options *o = w->options;
	struct etc_session *s = w->session;
	struct etc_input_paths paths = {
		.dump = path,
		.etrecord = w->etrecord,
		.debug_buffer = o->debug_buffer,
		.no_siblings = o->no_siblings,
		.verbose = o->common.verbose > 0,
	};
	struct etc_profile_options po = w->profile;
	struct etc_profile grouped;

	ETC_TRY(etc_inputs_open(s, &paths, &p->in, err));
	ETC_TRY(list_files(w, p, err));
	po.record = p->in.etrecord.path ? &p->in.record : NULL;
	po.host = &s->host;
	ETC_TRY(etc_profile_make(&p->in.trace, &po, &s->arena, &p->profile, err));
	etc_remark_profile(&p->profile, &p->in, &s->notes);
	etc_remark_record(&p->profile, &p->in, &s->notes);
	etc_remark_debug(&p->in, &s->notes, DEBUG_BUDGET);
	grouped = p->profile;
	ETC_TRY(etc_view_group(&grouped, o->by, &s->arena, err));
	ETC_TRY(etc_view_rows(&grouped, &s->arena, &p->report.rows, err));
	ETC_TRY(etc_view_methods(&p->profile, &s->arena, &p->report.methods,
	                         &p->report.method_count, err));
	ETC_TRY(etc_view_screen(&p->profile, &grouped, &w->screen, &s->arena, &p->report, err));
	if (o->events || p->report.block_count == 0)
		ETC_TRY(etc_events_make(&p->in.trace, &po, &s->arena, &p->report.events, err));
	if (o->events) /* instead of the ranked table */
		for (uint32_t b = 0; b < p->report.block_count; b++)
			p->report.blocks[b].table.row_count =
				p->report.blocks[b].detached.row_count = 0;
	return ETC_OK;
}

/* ---- the answer ---------------------------------------------------------- */

static struct etc_str next_line(const struct work *w)
{
	const char *path = w->dumps[0];

	if (w->dump_count > 1 || strcmp(path, "-") == 0)
		return (struct etc_str){ 0 };
	return etc_arena_printf(
		&w->session->arena,
		"next: etcore analyze %s --by kernel | --by backend | --events | -o json", path);
}

/* Rows of several dumps in one table, with the file in a column of its own. */
static enum etc_status join_tables(struct work *w, struct etc_table *out, bool events,
                                   struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	const struct etc_table *like =
		events ? &w->parts[0].report.events : &w->parts[0].report.rows;
	uint32_t columns = like->column_count, n = columns + 1;
	struct etc_column *names = etc_new(arena, struct etc_column, n);
	struct etc_cell *cells;
	size_t rows = 0;

	for (uint32_t i = 0; i < w->dump_count; i++)
		rows += events ? w->parts[i].report.events.row_count
		               : w->parts[i].report.rows.row_count;
	cells = etc_new(arena, struct etc_cell, rows * n);
	if (!names || !cells)
		return etc_fail(err, E0904, "%zu rows", rows);
	memcpy(names, like->columns, columns * sizeof *names);
	names[columns] = (struct etc_column){ .name = "file", .title = "file", .extra = !events };
	*out = (struct etc_table){
		.columns = names, .column_count = n, .cells = cells, .row_count = (uint32_t)rows
	};
	for (uint32_t i = 0; i < w->dump_count; i++) {
		const struct etc_table *t =
			events ? &w->parts[i].report.events : &w->parts[i].report.rows;

		for (uint32_t r = 0; r < t->row_count; r++, cells += n) {
			memcpy(cells, &t->cells[(size_t)r * columns], columns * sizeof *cells);
			cells[columns] = etc_cell_text(etc_str_of(w->dumps[i]));
		}
	}
	return ETC_OK;
}

/* One report of all parts. */
static enum etc_status join_parts(struct work *w, struct etc_report *out, struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	struct etc_report_file *files;
	struct etc_report_method *methods;
	bool events = false;

	*out = w->parts[0].report;
	if (w->dump_count == 1)
		return ETC_OK;
	files = etc_new(arena, struct etc_report_file, (size_t)w->dump_count * 3);
	methods = etc_new(arena, struct etc_report_method, w->dump_count);
	if (!files || !methods)
		return etc_fail(err, E0904, "%u files", w->dump_count);
	out->file_count = out->method_count = 0;
	for (uint32_t i = 0; i < w->dump_count; i++) {
		const struct etc_report *r = &w->parts[i].report;

		memcpy(files + out->file_count, r->files, r->file_count * sizeof *files);
		out->file_count += r->file_count;
		memcpy(methods + out->method_count, r->methods, r->method_count * sizeof *methods);
		out->method_count += r->method_count;
		events = events || r->events.row_count;
	}
	out->files = files;
	out->methods = methods;
	ETC_TRY(join_tables(w, &out->rows, false, err));
	return events && w->parts[0].report.events.row_count
	               ? join_tables(w, &out->events, true, err)
	               : ETC_OK;
}

/* A person gets one screen per dump, a program one document. */
static enum etc_status write_target(struct work *w, struct target *t,
                                    const struct etc_report *joined, struct etc_error *err)
{
	struct etc_screen screen = {
		.width = t->path ? 0 : w->options->width,
		.color = !t->path && w->options->color,
		.ascii = w->options->ascii,
	};

	if (t->format->machine) {
		t->format->write(joined, &screen, &t->text);
	} else {
		for (uint32_t i = 0; i < w->dump_count; i++) {
			struct etc_report r = w->parts[i].report;

			if (w->dump_count > 1)
				r.title = etc_str_of(w->dumps[i]);
			r.notes = i + 1 == w->dump_count ? &w->session->notes : NULL;
			r.next = joined->next;
			t->format->write(&r, &screen, &t->text);
		}
	}
	if (t->text.failed)
		return etc_fail(err, E0904, "the answer as %s", t->format->name);
	return t->path ? etc_file_write(t->path, etc_text_str(&t->text), err) : ETC_OK;
}

static enum etc_status write_all(struct work *w, struct etc_text *out, struct etc_error *err)
{
	struct etc_report joined;

	ETC_TRY(join_parts(w, &joined, err));
	joined.notes = &w->session->notes;
	joined.next = next_line(w);
	for (uint32_t i = 0; i < w->target_count; i++)
		ETC_TRY(write_target(w, &w->targets[i], &joined, err));
	for (uint32_t i = 0; i < w->target_count; i++)
		if (!w->targets[i].path)
			etc_text_put(out, etc_text_str(&w->targets[i].text));
	return ETC_OK;
}

static enum etc_status run(struct work *w, struct etc_text *out, etc_note_fn *on_note, void *arg,
                           struct etc_error *err)
{
	const struct etc_common_options *common = &w->options->common;
	struct etc_session *s = w->session;

	ETC_TRY(configure(w, err));
	ETC_TRY(parse_options(w, err));
	ETC_TRY(sort_files(w, err));
	ETC_TRY(etc_session_plugins(s, common, 0, err));
	w->parts = etc_new(&s->arena, struct part, w->dump_count);
	if (!w->parts)
		return etc_fail(err, E0904, "%u files", w->dump_count);
	for (uint32_t i = 0; i < w->dump_count; i++)
		ETC_TRY(make_part(w, w->dumps[i], &w->parts[i], err));
	ETC_TRY(etc_session_report(s, common->strict, on_note, arg, err));
	return write_all(w, out, err);
}

enum etc_status etc_analyze(const struct etc_analyze_options *options, struct etc_text *out,
                            etc_note_fn *on_note, void *arg, struct etc_error *err)
{
	struct etc_session s;
	struct work w = { .options = options, .session = &s };
	enum etc_status st;

	etc_session_init(&s, 0);
	st = run(&w, out, on_note, arg, err);
	for (uint32_t i = 0; i < w.target_count; i++)
		etc_text_release(&w.targets[i].text);
	etc_session_release(&s);
	return st;
}
