/* analyze.c -- see analysis.h
 *
 * Configuration, files, plugins; the trace; its profile; a report; the formats
 * that were asked for. Nothing is written before all of it is known. */
#include "api/analysis.h"

#include <stdio.h>
#include <stdlib.h>

#include "api/profile.h"
#include "api/session.h"
#include "base/number.h"
#include "base/sha256.h"
#include "etcore/plugin.h"
#include "read/etdump.h"
#include "read/etrecord.h"
#include "view/machine.h"
#include "view/screen.h"
#include "write/formats.h"

/* One -o FORMAT[=PATH]. */
struct target {
	const struct etc_format *format;
	const char *path; /* NULL: standard output */
};

struct work {
	const struct etc_analyze_options *options;
	struct etc_session *session;
	struct target *targets;
	uint32_t target_count;
	struct etc_text *out;
};

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

static enum etc_status analyze_file(struct work *w, const char *path, struct etc_error *err)
{
	struct etc_session *s = w->session;
	struct etc_profile_options po = {
		.clock = { .unit = ETCORE_UNIT_NS, .scale = 1 },
		.warmup = 1,
		.host = &s->host,
	};
	struct etc_report_file file = { .path = etc_str_of(path), .kind = "etdump" };
	struct etc_report report = { .files = &file, .file_count = 1, .notes = &s->notes };
	struct etc_screen screen = { .width = w->options->width,
		                     .color = w->options->color,
		                     .ascii = w->options->ascii };
	struct etc_screen_options so = { .top = 12 };
	struct etc_span bytes;
	struct etc_trace trace;
	struct etc_profile profile;

	ETC_TRY(etc_session_open(s, path, &bytes, err));
	s->notes.file = etc_str_of(path);
	ETC_TRY(etc_in_file(
		err, etc_etdump_read(bytes, &s->settings.limits, &s->arena, &s->notes, &trace, err),
		path));
	if (wants_hashes(w))
		file.sha256 = hash(bytes, &s->arena);
	ETC_TRY(etc_profile_make(&trace, &po, &s->arena, &profile, err));
	ETC_TRY(etc_view_rows(&profile, &s->arena, &report.rows, err));
	ETC_TRY(etc_view_methods(&profile, &s->arena, &report.methods, &report.method_count, err));
	ETC_TRY(etc_view_screen(&profile, &so, &s->arena, &report, err));
	for (uint32_t i = 0; i < w->target_count; i++)
		w->targets[i].format->write(&report, &screen, w->out);
	return ETC_OK;
}

enum etc_status etc_analyze(const struct etc_analyze_options *options, struct etc_text *out,
                            etc_note_fn *on_note, void *arg, struct etc_error *err)
{
	struct etc_session s;
	struct work w = { .options = options, .session = &s, .out = out };
	enum etc_status st;

	etc_session_init(&s, 0);
	st = etc_session_configure(&s, &options->common, NULL, 0, 0, err);
	if (st == ETC_OK)
		st = parse_targets(&w, err);
	if (st == ETC_OK)
		st = etc_session_plugins(&s, &options->common, 0, err);
	if (st == ETC_OK)
		st = analyze_file(&w, options->files[0], err);
	if (st == ETC_OK)
		st = etc_session_report(&s, options->common.strict, on_note, arg, err);
	etc_session_release(&s);
	return st;
}
