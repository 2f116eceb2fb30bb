/* dump.c -- opens one dump of a run folder, and computes the kit's numbers from it; see dump.h */
#include "commands/pipeline/dump.h"

#include <math.h>

#include "commands/pipeline/categories.h"
#include "formats/etdump/debug_buffer.h"
#include "formats/etdump/etdump.h"

/* The memory for one dump, in addition to the mapped file, is limited to BASE bytes plus PER_BYTE
 * bytes per byte of the file. It is needed for the tables of all samples, and for their numbers as
 * text. */
enum { BASE = 64 << 20, PER_BYTE = 24 };

const char *const etc_kit_hints[3] = { "__neonsme2", "sme2", "neon" };

const char *const etc_kit_v1_names[5] = { "Convolution", "GEMM", "Data Movement", "Elementwise",
	                                  "Other" };

enum etc_status etc_dump_work_open(struct etc_dump_work *w, const char *path,
                                   const struct etc_limits *limits, struct etc_error *err)
{
	enum etc_status st;

	*w = (struct etc_dump_work){ 0 };
	etc_arena_init(&w->arena, limits->max_memory ? limits->max_memory : BASE);
	etc_notes_init(&w->notes, &w->arena);
	st = etc_file_open_found(&w->file, path, SIZE_MAX, err);
	if (st == ETC_OK && !limits->max_memory)
		w->arena.budget += w->file.bytes.len < SIZE_MAX / (2 * PER_BYTE)
		                           ? w->file.bytes.len * PER_BYTE
		                           : 0;
	if (st == ETC_OK)
		st = etc_etdump_read(w->file.bytes, limits, &w->arena, &w->notes, &w->trace, err);
	return st == ETC_OK ? st : etc_in_file(err, st, path);
}

void etc_dump_work_close(struct etc_dump_work *w)
{
	etc_file_release(&w->file);
	etc_arena_release(&w->arena);
}

size_t etc_dump_work_executions(const struct etc_dump_work *w)
{
	const struct etc_trace *t = &w->trace;
	size_t n = 0;

	for (size_t r = 0; r < t->run_count; r++) {
		const struct etc_template *s = etc_run_template(t, &t->runs[r]);

		for (uint32_t e = 0; e < s->count; e++)
			if (etc_event_is_execute(&s->events[e])) {
				n++;
				break;
			}
	}
	return n;
}

/* ---- the Inspector's events, as the kit uses them -------------------------------- */

static struct etc_str backend_of(const struct etc_insp_event *e)
{
	const struct etc_insp_extra *x = etc_insp_extra(e);

	if (!e->is_delegated)
		return ETC_STR("portable");
	return x->has_backend && x->backend.len ? x->backend : ETC_STR("delegated");
}

static enum etc_status fill_event(const struct etc_inspector *in, const struct etc_insp_block *b,
                                  const struct etc_insp_event *e, struct etc_kit_event *to,
                                  struct etc_error *err)
{
	double *start, *duration;

	*to = (struct etc_kit_event){
		.name = e->name,
		.backend = backend_of(e),
		.block = b->name,
		.mean_ms = e->has_profile
		                   ? etc_insp_stat(b, (uint32_t)(e - b->events), ETC_INSP_AVG)
		                   : (double)NAN,
		.runs = e->has_profile ? b->run_count : 0,
	};
	start = etc_new(in->arena, double, to->runs);
	duration = etc_new(in->arena, double, to->runs);
	ETC_NEED(start && duration, err);
	to->start_us = start;
	to->duration_ms = duration;
	if (!to->runs)
		return ETC_OK;
	etc_insp_raw(in, b, e, duration);
	for (uint32_t i = 0; i < b->run_count; i++)
		start[i] = (double)in->trace
		                   ->start[etc_insp_sample(in, b, (uint32_t)(e - b->events), i)] /
		           1000.0;
	return ETC_OK;
}

static enum etc_status fill_events(const struct etc_inspector *in, struct etc_dump_kit *out,
                                   struct etc_error *err)
{
	struct etc_kit_event *events;
	uint32_t n = 0;

	for (uint32_t b = 0; b < in->block_count; b++)
		n += in->blocks[b].event_count;
	events = etc_new(in->arena, struct etc_kit_event, n);
	ETC_NEED(events, err);
	out->dump.events = events;
	for (uint32_t b = 0; b < in->block_count; b++)
		for (uint32_t e = 0; e < in->blocks[b].event_count; e++)
			ETC_TRY(fill_event(in, &in->blocks[b], &in->blocks[b].events[e],
			                   &events[out->dump.count++], err));
	return ETC_OK;
}

/* Adds the time of each row to a category of kit-v1, in the same way as the kit's program
 * analyze_results: the category depends on the text of the row's op_types, not on the row's
 * name. */
static void add_categories(const struct etc_inspector *in, struct etc_dump_kit *out)
{
	for (uint32_t b = 0; b < in->block_count; b++)
		for (uint32_t k = 0; k < in->blocks[b].event_count; k++) {
			const struct etc_insp_event *e = &in->blocks[b].events[k];
			const struct etc_insp_extra *x = etc_insp_extra(e);
			uint32_t best = 4; /* index of "Other" */

			if (etc_str_find(e->name, ETC_STR("OPERATOR_CALL"), 0) != SIZE_MAX)
				continue;
			/* If a list has 5 or more elements, pandas shows only the first two and the
			 * last one, so the other elements have no effect. */
			for (uint32_t i = 0; i < x->op_count; i++) {
				uint32_t rank = 0;

				if (x->op_count >= 5 && i >= 2 && i + 1 < x->op_count)
					continue;
				while (strcmp(etc_kit_v1_names[rank],
				              etc_category_v1(x->op_types[i])) != 0)
					rank++;
				best = rank < best ? rank : best;
			}
			out->rows++;
			if (!e->has_profile)
				continue;
			if (!out->v1_seen[best])
				out->first_v1[best] = out->rows;
			out->v1_seen[best] = true;
			out->v1_ms[best] += etc_insp_stat(&in->blocks[b], k, ETC_INSP_AVG);
		}
}

/* Counts how often each text of etc_kit_hints occurs in the names of rows, in the same way as G1
 * (the kit's first scripts). A name may contain several of them. If two of them overlap, only the
 * one that begins first counts: "__neonsme2" does not also count as "sme2". */
static void add_hints(struct etc_dump_kit *out)
{
	for (uint32_t i = 0; i < out->dump.count; i++) {
		struct etc_str name = out->dump.events[i].name;

		for (size_t at = 0; at < name.len;) {
			size_t step = 1;

			for (int h = 0; h < 3 && step == 1; h++) {
				size_t n = strlen(etc_kit_hints[h]), k = 0;

				while (k < n && at + k < name.len &&
				       (name.ptr[at + k] | 0x20) == (etc_kit_hints[h][k] | 0x20))
					k++;
				if (k == n) {
					out->hints[h]++;
					step = n;
				}
			}
			at += step;
		}
	}
}

static enum etc_status build(struct etc_dump_work *w, const struct etc_record *record,
                             struct etc_inspector *in, struct etc_error *err)
{
	*in = (struct etc_inspector){
		.trace = &w->trace,
		.record = record,
		.source = ETC_UNIT_NS,
		.target = ETC_UNIT_MS,
		.reference_graph = ETC_STR("edge_dialect_graph_module"),
		.arena = &w->arena,
	};
	ETC_TRY(etc_inspector_scales(in->source, in->target, &in->factor, err));
	ETC_TRY(etc_insp_check_trace(&w->trace, err));
	ETC_TRY(etc_debug_as_inspector(&w->trace, NULL, &w->arena, &in->tensors, err));
	return etc_inspector_build(in, err);
}

enum etc_status etc_dump_work_kit(struct etc_dump_work *w, struct etc_str id,
                                  const struct etc_record *record, struct etc_dump_kit *out,
                                  struct etc_error *err)
{
	struct etc_inspector in;
	enum etc_status st = build(w, record, &in, err);

	if (st == ETC_RAISES && record)
		st = build(w, NULL, &in, err);
	ETC_TRY(st);
	*out = (struct etc_dump_kit){ .dump = { .id = id, .arena = &w->arena } };
	ETC_TRY(fill_events(&in, out, err));
	add_categories(&in, out);
	add_hints(out);
	return ETC_OK;
}
