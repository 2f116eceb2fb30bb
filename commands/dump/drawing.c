/* drawing.c -- draws a graph with graphviz; see drawing.h
 *
 * The drawing has one box per call, and one ellipse per input and output, but no weights. A box
 * shows the name of its node, the operator and its time. The longer the time, the deeper the red of
 * the box; a grey box has an unknown time. */
#define _GNU_SOURCE /* memfd_create */
#include "commands/dump/drawing.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/number.h"
#include "base/process.h"
#include "context/inputs.h"
#include "profile/nodes.h"
#include "table/words.h"

/* ---- times -------------------------------------------------------------------------- */

/* Among the paths whose events belong to nodes of this graph, chooses the path with the most
 * time. */
static enum etc_status choose_path(const struct etc_node_profiles *profiles,
                                   const struct etc_record *record, const struct etc_graph *graph,
                                   struct etc_arena *arena, struct etc_node_times *out,
                                   uint32_t *path, struct etc_error *err)
{
	const struct etc_profile *p = &profiles->by_event;

	*out = (struct etc_node_times){ 0 };
	for (uint32_t i = 0; i < p->path_count; i++) {
		struct etc_node_times t;

		ETC_TRY(etc_node_times(profiles, i, record, arena, &t, err));
		if (!t.graph || !etc_str_eq(t.graph->name, graph->name) ||
		    (out->graph && p->paths[i].kept_time <= p->paths[*path].kept_time))
			continue;
		*out = t;
		*path = i;
	}
	return out->graph ? ETC_OK
	                  : etc_fail(err, E0580, "no event of it is of a node of '" ETC_STR_FMT "'",
	                             ETC_STR_ARG(graph->name));
}

static enum etc_status keep_times(struct etc_drawing *to, const struct etc_node_times *t,
                                  const struct etc_profile *profile, uint32_t path,
                                  struct etc_arena *arena, struct etc_error *err)
{
	const struct etc_profile_path *p = &profile->paths[path];
	const bool ns = profile->unit == ETC_UNIT_NS;
	double *time = etc_new(arena, double, t->graph->node_count);

	ETC_NEED(time, err);
	etc_map_init(&to->at, arena);
	to->time = time;
	to->unit = ns ? "\xc2\xb5s" : etc_unit_name(profile->unit);
	to->whole = etc_ratio_double(etc_ratio(p->time, p->per)) / (ns ? 1e3 : 1);
	for (uint32_t i = 0; i < t->graph->node_count; i++) {
		time[i] = t->events[i]
		                  ? etc_ratio_double(etc_ratio(t->time[i], p->per)) / (ns ? 1e3 : 1)
		                  : -1;
		to->most = time[i] > to->most ? time[i] : to->most;
		to->sum += time[i] > 0 ? time[i] : 0;
		ETC_NEED(etc_map_add(&to->at, t->graph->nodes[i].name, i) != ETC_MAP_NONE, err);
	}
	return ETC_OK;
}

static enum etc_status read_times(struct etc_dump *d, struct etc_dump_record *c,
                                  struct etc_drawing *to, struct etc_error *err)
{
	const struct etc_dump_options *o = d->options;
	const struct etc_input_paths paths = {
		.dump = o->times, .etrecord = d->file, .program = o->program, .values = true
	};
	struct etc_session *s = d->session;
	struct etc_profile_options po;
	struct etc_node_profiles profiles;
	const struct etc_trace *trace;
	struct etc_node_times times;
	struct etc_inputs in;
	uint32_t path = 0;

	ETC_TRY(etc_session_plugins(s, &o->common, 0, err));
	ETC_TRY(etc_inputs_open(s, &paths, &in, err));
	s->notes.file = etc_str_of(o->times);
	po = etc_plan_profile(&d->plan, &in, s);
	po.places = true;
	ETC_TRY(etc_profile_trace(&in.trace, &po, &s->arena, &trace, err));
	po.by = ETC_BY_EVENT;
	ETC_TRY(etc_profile_make(trace, &po, &s->arena, &profiles.by_event, err));
	po.by = ETC_BY_FALLBACK;
	ETC_TRY(etc_profile_make(trace, &po, &s->arena, &profiles.by_fallback, err));
	ETC_TRY(etc_in_file(
		err, choose_path(&profiles, po.record, c->graph, &s->arena, &times, &path, err),
		o->times));
	return keep_times(to, &times, &profiles.by_event, path, &s->arena, err);
}

/* ---- dot ---------------------------------------------------------------------------- */

/* Maximum number of characters of a text. (dot rejects strings above 16,384 bytes.) */
enum { SHOWN_MOST = 200 };

/* Escapes a text for a quoted string of dot, in which graphviz would interpret text such as \N and
 * &amp;. */
static void put_quoted(struct etc_text *out, struct etc_str s)
{
	struct etc_text clean = { 0 };
	size_t end = 0;

	etc_text_shown(&clean, s);
	for (unsigned n = 0; n < SHOWN_MOST && end < clean.len; n++)
		(void)etc_utf8_next(etc_text_str(&clean), &end);
	for (size_t i = 0; i < end; i++) {
		if (clean.ptr[i] == '"' || clean.ptr[i] == '\\')
			etc_text_char(out, '\\');
		etc_text_char(out, clean.ptr[i]);
		if (clean.ptr[i] == '&')
			etc_text_cstr(out, "amp;");
	}
	etc_text_cstr(out, end < clean.len ? "\xe2\x80\xa6" : "");
	out->failed = out->failed || clean.failed;
	etc_text_release(&clean);
}

static bool is_weight(const struct etc_graph_line *line)
{
	return line->op == ETC_LINE_PLACEHOLDER && line->name.len > 2 && line->name.ptr[1] == '_' &&
	       memchr("pbc", line->name.ptr[0], 3);
}

/* Writes a color from white (share 0) to red (share 1). */
static void put_color(struct etc_text *out, double share)
{
	const unsigned fade = (unsigned)(255 - 140 * share + 0.5);

	etc_text_printf(out, "#%02x%02x%02x", (unsigned)(255 - 26 * share + 0.5), fade, fade);
}

static void put_time(const struct etc_drawing *drawing, double time, struct etc_text *out)
{
	char number[ETC_NUMBER_MAX];

	etc_text_put(out, (struct etc_str){ number, etc_number_fixed(number, time, 3) });
	etc_text_printf(out, " %s", drawing->unit);
}

/* Writes the time of the run, and how much of this time belongs to nodes. The time of a partition
 * belongs to no node, and neither does time that is lost because a clock truncates. So a slow call
 * may show the time 0. */
static void put_title(const struct etc_drawing *drawing, struct etc_text *out)
{
	etc_text_cstr(out, "  label=\"");
	put_time(drawing, drawing->whole, out);
	etc_text_cstr(out, " per run, ");
	etc_text_percent(out, drawing->whole > 0 ? drawing->sum / drawing->whole : 0);
	etc_text_cstr(out, " of it on nodes\";\n");
}

static void put_node(const struct etc_drawing *drawing, const struct etc_graph_line *line,
                     uint32_t index, struct etc_text *out)
{
	const bool call = line->op == ETC_LINE_CALL;
	size_t at = ETC_MAP_NONE;
	double time = -1;

	if (drawing->time && call && line->node && etc_str_eq(line->name, line->node->name))
		at = etc_map_get(&drawing->at, line->name);
	if (at != ETC_MAP_NONE)
		time = drawing->time[at];
	etc_text_printf(out, "  n%u [label=\"", index);
	put_quoted(out, line->name);
	if (call) {
		etc_text_cstr(out, "\\n");
		put_quoted(out, line->node && etc_str_eq(line->node->name, line->name)
		                        ? line->node->op
		                        : line->target);
	}
	if (time >= 0) {
		etc_text_cstr(out, "\\n");
		put_time(drawing, time, out);
		etc_text_cstr(out, " (");
		etc_text_percent(out, drawing->whole > 0 ? time / drawing->whole : 0);
		etc_text_char(out, ')');
	}
	etc_text_printf(out, "\"%s", call ? "" : ", shape=ellipse");
	if (time >= 0) {
		etc_text_cstr(out, ", fillcolor=\"");
		put_color(out, drawing->most > 0 ? time / drawing->most : 0);
		etc_text_char(out, '"');
	} else if (drawing->time && call) {
		etc_text_cstr(out, ", fillcolor=\"#eceff1\"");
	}
	etc_text_cstr(out, "];\n");
}

static bool in_name(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

/* Writes an edge to node `to` from each node whose name occurs in `text`, an argument, outside of
 * quotes. */
static void put_edges(const struct etc_graph_lines *lines, const struct etc_map *names,
                      struct etc_str text, uint32_t to, struct etc_text *out)
{
	char quote = '\0';

	for (size_t i = 0, n; i < text.len; i += n) {
		size_t from;

		n = 1;
		if (quote || text.ptr[i] == '\'' || text.ptr[i] == '"') {
			n += quote && text.ptr[i] == '\\';
			quote = !quote ? text.ptr[i] : text.ptr[i] == quote ? '\0' : quote;
			continue;
		}
		while (i + n < text.len && in_name(text.ptr[i]) &&
		       (in_name(text.ptr[i + n]) || text.ptr[i + n] == '.'))
			n++;
		from = etc_map_get(names, etc_str_sub(text, i, i + n));
		if (from != ETC_MAP_NONE && from < to && !is_weight(&lines->v[from]))
			etc_text_printf(out, "  n%zu -> n%u;\n", from, to);
	}
}

void etc_drawing_dot(const struct etc_dump_record *c, struct etc_text *out)
{
	const struct etc_graph_lines *lines = &c->lines;
	struct etc_arena arena;
	struct etc_map names;

	etc_arena_init(&arena, SIZE_MAX / 2);
	etc_map_init(&names, &arena);
	etc_text_cstr(out, "digraph \"");
	put_quoted(out, c->graph->name);
	etc_text_cstr(out, "\" {\n  node [shape=box, style=filled, fillcolor=white, "
	                   "fontname=\"Helvetica\", fontsize=11];\n");
	if (c->drawing->time)
		put_title(c->drawing, out);
	for (uint32_t i = 0; i < lines->count; i++) {
		const struct etc_graph_line *line = &lines->v[i];

		out->failed = out->failed || etc_map_add(&names, line->name, i) == ETC_MAP_NONE;
		if (!is_weight(line))
			put_node(c->drawing, line, i, out);
	}
	for (uint32_t i = 0; i < lines->count && !out->failed; i++)
		for (uint32_t k = 0; k < lines->v[i].argument_count; k++)
			put_edges(lines, &names, lines->v[i].arguments[k].text, i, out);
	etc_text_cstr(out, "}\n");
	etc_arena_release(&arena);
}

/* ---- svg ---------------------------------------------------------------------------- */

/* Time limit of graphviz, which needs hours for some 10,000 nodes. */
enum { DOT_LIMIT_MS = 60000 };

/* Waits for the end of the process `pid`. After DOT_LIMIT_MS, kills the process and sets `late`.
 * Returns true if the process exited with status 0. */
static bool drew_in_time(int pid, struct etc_leash *leash, bool *late)
{
	const struct timespec pause = { .tv_nsec = 5 * 1000 * 1000 };
	uint64_t until = etc_process_now() + DOT_LIMIT_MS;
	int status = 0, ended;

	while ((ended = waitpid(pid, &status, WNOHANG)) == 0 && etc_process_now() < until)
		nanosleep(&pause, NULL);
	*late = ended == 0;
	etc_leash_end(leash);
	while (*late && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Runs the program at `path` with the input `in`; appends its output to `out`. */
static enum etc_status pipe_through(const char *path, struct etc_str in, struct etc_text *out,
                                    struct etc_error *err)
{
	const char *const argv[] = { path, "-Tsvg", NULL };
	int fds[2] = { memfd_create("dot", MFD_CLOEXEC), memfd_create("svg", MFD_CLOEXEC) };
	bool fine = etc_process_lift(&fds[0]) && etc_process_lift(&fds[1]) &&
	            etc_descriptor_put(fds[0], in) == 0 && lseek(fds[0], 0, SEEK_SET) == 0;
	bool late = false;
	struct etc_leash leash;
	char piece[4096];
	ssize_t got = 0;
	int pid;

	if (fine && etc_leash_make(&leash) == 0) {
		const struct etc_spawn spawn = { .argv = argv,
			                         .group = leash.group,
			                         .fds = { fds[0], fds[1], -1, -1 } };

		fine = etc_process_start(&spawn, &pid) == 0;
		if (fine)
			fine = drew_in_time(pid, &leash, &late) && lseek(fds[1], 0, SEEK_SET) == 0;
		else
			etc_leash_end(&leash);
		while (fine && (got = read(fds[1], piece, sizeof piece)) > 0)
			etc_text_put(out, (struct etc_str){ piece, (size_t)got });
		fine = fine && got == 0 && out->len > 0;
	} else {
		fine = false;
	}
	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	if (late)
		return etc_fail(err, E0581, "%s did not end within %d s", path,
		                DOT_LIMIT_MS / 1000);
	return fine ? ETC_OK : etc_fail(err, E0581, "%s failed", path);
}

static enum etc_status draw(struct etc_dump_record *c, struct etc_error *err)
{
	struct etc_text dot = { 0 };
	enum etc_status st;
	char path[4096];

	if (!etc_process_find("dot", path, sizeof path))
		return etc_fail(err, E0581, "no `dot` in PATH");
	etc_drawing_dot(c, &dot);
	st = dot.failed ? etc_no_memory(err)
	                : pipe_through(path, etc_text_str(&dot), &c->drawing->svg, err);
	if (st == ETC_OK && c->drawing->svg.failed)
		st = etc_no_memory(err);
	etc_text_release(&dot);
	return st;
}

enum etc_status etc_drawing_make(struct etc_dump *d, struct etc_dump_record *c, bool svg,
                                 struct etc_error *err)
{
	c->drawing = etc_new(&d->session->arena, struct etc_drawing, 1);
	ETC_NEED(c->drawing, err);
	if (d->options->times)
		ETC_TRY(read_times(d, c, c->drawing, err));
	return svg ? draw(c, err) : ETC_OK;
}
