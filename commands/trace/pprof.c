/* pprof.c -- `etcore trace -o pprof`: writes a profile for pprof, Grafana and other viewers
 * (profile.proto, packed with gzip).
 *
 * A frame is written as a function. Each stack has two values: how often it ran, and its exclusive
 * time. */
#include "commands/trace/forms.h"

#include "commands/trace/protobuf.h"
#include "commands/trace/stacks.h"
#include "formats/container/gzip.h"

/* Field numbers. */
enum {
	PROFILE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT = 14,
	TYPE_TYPE = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATION = 1,
	SAMPLE_VALUE = 2,
	LOCATION_ID = 1,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_LINE = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_FILE = 4
};

/* Indices in the table of texts: first the fixed texts; then, from FRAMES on, two texts for each
 * frame: its name and its file. */
enum { EMPTY, CALLS, COUNT, TIME, UNIT, FRAMES };

static void put_types(struct etc_text *out, struct etc_text *part)
{
	static const uint8_t types[][2] = { { CALLS, COUNT }, { TIME, UNIT } };

	for (size_t i = 0; i < 2; i++) {
		part->len = 0;
		etc_pb_u64(part, TYPE_TYPE, types[i][0]);
		etc_pb_u64(part, TYPE_UNIT, types[i][1]);
		etc_pb_bytes(out, PROFILE_TYPE, etc_text_str(part));
	}
	etc_pb_u64(out, PROFILE_DEFAULT, TIME);
}

static void put_frame(struct etc_text *out, struct etc_text *part, const struct etc_stack_frame *f,
                      uint32_t i)
{
	struct etc_text line = { 0 };

	etc_pb_u64(&line, LINE_FUNCTION, i + 1);
	if (f->line)
		etc_pb_u64(&line, LINE_LINE, f->line);
	part->len = 0;
	etc_pb_u64(part, LOCATION_ID, i + 1);
	etc_pb_bytes(part, LOCATION_LINE, etc_text_str(&line));
	etc_pb_bytes(out, PROFILE_LOCATION, etc_text_str(part));
	part->len = 0;
	etc_pb_u64(part, FUNCTION_ID, i + 1);
	etc_pb_u64(part, FUNCTION_NAME, FRAMES + 2 * (uint64_t)i);
	if (f->file.len)
		etc_pb_u64(part, FUNCTION_FILE, FRAMES + 2 * (uint64_t)i + 1);
	etc_pb_bytes(out, PROFILE_FUNCTION, etc_text_str(part));
	out->failed = out->failed || line.failed;
	etc_text_release(&line);
}

static void put_sample(struct etc_text *out, struct etc_text *part, const struct etc_stacks *s,
                       uint32_t i)
{
	part->len = 0;
	for (uint32_t k = i; k != ETC_NO_SITE; k = s->v[k].parent) /* the leaf first */
		etc_pb_u64(part, SAMPLE_LOCATION, (uint64_t)s->v[k].frame + 1);
	etc_pb_u64(part, SAMPLE_VALUE, s->v[i].calls);
	etc_pb_u64(part, SAMPLE_VALUE, etc_stack_ns(&s->v[i]));
	etc_pb_bytes(out, PROFILE_SAMPLE, etc_text_str(part));
}

/* Returns the name that pprof has for a unit. If pprof has no name for it, pprof shows the numbers
 * unconverted. */
static const char *unit_word(uint8_t unit)
{
	if (unit == ETC_UNIT_NS)
		return "nanoseconds";
	return unit == ETC_UNIT_UNKNOWN ? "ticks" : etc_unit_name(unit);
}

/* Writes, for each dump whose file is truncated, a line that says how many runs are lost. */
static void put_lost(const struct etc_tracing *tracing, struct etc_arena *arena,
                     struct etc_text *to)
{
	for (uint32_t i = 0; i < tracing->count; i++) {
		const struct etc_str lost = etc_traced_lost(&tracing->dumps[i], arena);

		to->failed = to->failed || !lost.ptr;
		if (!lost.len)
			continue;
		etc_text_cstr(to, to->len ? "\n" : "");
		etc_text_shown(to, tracing->dumps[i].name);
		etc_text_printf(to, ": " ETC_STR_FMT, ETC_STR_ARG(lost));
	}
}

/* Writes the profile. `comment` states what the profile leaves out; it may be empty. */
static void put_profile(struct etc_text *out, const struct etc_stacks *s, uint8_t unit,
                        struct etc_str comment)
{
	const char *const words[FRAMES] = {
		[EMPTY] = "",    [CALLS] = "calls",        [COUNT] = "count",
		[TIME] = "time", [UNIT] = unit_word(unit),
	};
	struct etc_text part = { 0 };

	put_types(out, &part);
	for (uint32_t i = 0; i < s->count; i++)
		if (s->v[i].calls)
			put_sample(out, &part, s, i);
	for (uint32_t i = 0; i < s->frame_count; i++)
		put_frame(out, &part, &s->frames[i], i);
	for (size_t i = 0; i < FRAMES; i++)
		etc_pb_bytes(out, PROFILE_STRING, etc_str_of(words[i]));
	for (uint32_t i = 0; i < s->frame_count; i++) {
		etc_pb_bytes(out, PROFILE_STRING, s->frames[i].name);
		part.len = 0;
		etc_text_shown(&part, s->frames[i].file);
		etc_pb_bytes(out, PROFILE_STRING, etc_text_str(&part));
	}
	if (comment.len) {
		etc_pb_u64(out, PROFILE_COMMENT, FRAMES + 2 * (uint64_t)s->frame_count);
		etc_pb_bytes(out, PROFILE_STRING, comment);
	}
	out->failed = out->failed || part.failed;
	etc_text_release(&part);
}

enum etc_status etc_trace_pprof(struct etc_tracing *tracing, struct etc_text *out,
                                struct etc_error *err)
{
	struct etc_text whole = { 0 }, comment = { 0 };
	struct etc_arena arena;
	struct etc_stacks s;
	enum etc_status st;

	etc_arena_init(&arena, tracing->session->arena.budget);
	st = etc_stacks_make(tracing, true, &arena, &s, err);
	if (st == ETC_OK) {
		put_lost(tracing, &arena, &comment);
		put_profile(&whole, &s, etc_tracing_unit(tracing), etc_text_str(&comment));
	}
	if (st == ETC_OK && (whole.failed || comment.failed))
		st = etc_no_memory(err);
	if (st == ETC_OK)
		st = etc_gzip_pack((struct etc_span){ (const uint8_t *)whole.ptr, whole.len }, out,
		                   err);
	etc_text_release(&whole);
	etc_text_release(&comment);
	etc_arena_release(&arena);
	return st;
}
