/* json.c -- `-o json`: the document etcore.inspector/1 with all blocks and events.
 * Doubles are shortest round-trip numbers; those that JSON cannot represent are "nan",
 * "inf", "-inf". */
#include "commands/inspector/values.h"
#include "commands/inspector/writers.h"

/* The pages of a large mapped file are released each time after this number of events. Otherwise
 * most of the file would stay in memory, because the events' metadata are spread over it. */
enum { EVENTS_A_REST = 4096 };

static void put_perf(struct etc_text *t, const struct etc_inspector *in,
                     const struct etc_insp_block *b, const struct etc_insp_event *e)
{
	static const char keys[][10] = {
		", \"p10\": ", ", \"p50\": ", ", \"p90\": ",
		", \"avg\": ", ", \"min\": ", ", \"max\": ",
	};
	uint32_t event = (uint32_t)(e - b->events);

	if (!e->has_profile) {
		etc_text_cstr(t, "null");
		return;
	}
	etc_text_cstr(t, "{\"raw\": ");
	etc_insp_put_raw(t, ETC_INSP_JSON, in, b, e);
	for (unsigned s = 0; s < ETC_INSP_STATS; s++) {
		etc_text_put(t, (struct etc_str){ keys[s], sizeof keys[s] - 1 });
		if ((s == ETC_INSP_MIN && e->int_min) || (s == ETC_INSP_MAX && e->int_max))
			etc_text_i64(t, (int64_t)etc_insp_stat(b, event, s));
		else
			etc_text_json_real(t, etc_insp_stat(b, event, s));
	}
	etc_text_char(t, '}');
}

/* Writes JSON as the exporter wrote it, except that words that are not valid JSON (NaN, Infinity)
 * are written as texts. */
static void put_raw(struct etc_text *t, struct etc_str raw)
{
	static const struct {
		struct etc_str word, text;
	} words[] = {
		{ { "NaN", 3 }, { "\"nan\"", 5 } },
		{ { "-Infinity", 9 }, { "\"-inf\"", 6 } },
		{ { "Infinity", 8 }, { "\"inf\"", 5 } },
	};
	bool inside = false; /* inside a text */

	for (size_t i = 0; i < raw.len;) {
		size_t n = 1;

		for (int k = 0; k < 3 && !inside && n == 1; k++)
			if (etc_str_starts(etc_str_sub(raw, i, raw.len), words[k].word)) {
				etc_text_put(t, words[k].text);
				n = words[k].word.len;
			}
		if (n == 1) {
			n += inside && raw.ptr[i] == '\\' && i + 1 < raw.len;
			inside ^= raw.ptr[i] == '"';
			etc_text_put(t, etc_str_sub(raw, i, i + n));
		}
		i += n;
	}
}

static void put_handles(struct etc_text *t, const struct etc_handles *h)
{
	if (!h || h->form == ETC_HANDLES_NULL) {
		etc_text_cstr(t, "null");
	} else if (h->raw.len) {
		put_raw(t, h->raw);
	} else if (h->form == ETC_HANDLES_INT) {
		etc_text_i64(t, h->v[0]);
	} else {
		etc_text_char(t, '[');
		for (uint32_t i = 0; i < h->count; i++) {
			etc_insp_comma(t, i);
			etc_text_i64(t, h->v[i]);
		}
		etc_text_char(t, ']');
	}
}

static void put_blobs(struct etc_text *t, const struct etc_inspector *in,
                      const struct etc_insp_block *b, const struct etc_insp_event *e)
{
	etc_text_char(t, '[');
	for (uint32_t i = 0; e->has_metadata && i < b->run_count; i++) {
		size_t at = etc_insp_sample(in, b, (uint32_t)(e - b->events), i);

		etc_insp_comma(t, i);
		etc_text_char(t, '"');
		etc_text_hex(t, etc_trace_metadata(in->trace, at));
		etc_text_char(t, '"');
	}
	etc_text_char(t, ']');
}

static void put_starts(struct etc_text *t, const struct etc_inspector *in,
                       const struct etc_insp_block *b, const struct etc_insp_event *e)
{
	if (!e->has_profile) {
		etc_text_cstr(t, "null");
		return;
	}
	etc_text_char(t, '[');
	for (uint32_t i = 0; i < b->run_count; i++) {
		etc_insp_comma(t, i);
		etc_text_u64(
			t, in->trace->start[etc_insp_sample(in, b, (uint32_t)(e - b->events), i)]);
	}
	etc_text_char(t, ']');
}

static void put_event(struct etc_text *t, const struct etc_inspector *in,
                      const struct etc_insp_block *b, const struct etc_insp_event *e)
{
	const struct etc_insp_extra *x = etc_insp_extra(e);

	etc_text_cstr(t, "{\"name\": ");
	etc_text_json_string(t, e->name);
	etc_text_cstr(t, ", \"perf_data\": ");
	put_perf(t, in, b, e);
	etc_text_cstr(t, ", \"op_types\": [");
	for (uint32_t i = 0; i < x->op_count; i++) {
		etc_insp_comma(t, i);
		etc_text_json_string(t, x->op_types[i]);
	}
	etc_text_cstr(t, "], \"delegate_debug_identifier\": ");
	if (!e->is_delegated)
		etc_text_cstr(t, "null");
	else if (e->id_is_int)
		etc_text_put(t, e->name);
	else
		etc_text_json_string(t, e->name);
	etc_text_cstr(t, ", \"debug_handles\": ");
	put_handles(t, x->handles);
	etc_text_cstr(t, ", \"num_outputs\": ");
	if (x->num_outs && x->num_outs->raw.len)
		put_raw(t, x->num_outs->raw);
	else
		etc_text_i64(t, x->num_outs ? x->num_outs->outputs : 1);
	etc_text_cstr(t, ", \"stack_traces\": ");
	etc_insp_put_nodes(t, ETC_INSP_JSON, e, false);
	etc_text_cstr(t, ", \"module_hierarchy\": ");
	etc_insp_put_nodes(t, ETC_INSP_JSON, e, true);
	etc_text_cstr(t, ", \"is_delegated_op\": ");
	etc_text_cstr(t, e->is_delegated ? "true" : "false");
	etc_text_cstr(t, ", \"delegate_backend_name\": ");
	if (x->odd_backend)
		put_raw(t, x->odd_backend->raw);
	else if (x->has_backend)
		etc_text_json_string(t, x->backend);
	else
		etc_text_cstr(t, "null");
	etc_text_cstr(t, ", \"delegate_debug_metadatas\": ");
	put_blobs(t, in, b, e);
	etc_text_cstr(t, ", \"start_time\": ");
	put_starts(t, in, b, e);
	etc_text_cstr(t, ", \"instruction_id\": ");
	etc_text_i64(t, e->instruction_id);
	etc_text_cstr(t, ", \"debug_data\": ");
	etc_insp_put_values(t, ETC_INSP_JSON, x->debug_data, x->debug_count);
	if (x->was_parsed) {
		etc_text_cstr(t, ", \"delegate_metadata_parsed\": ");
		etc_insp_put_parsed(t, &x->parsed);
	}
	etc_text_char(t, '}');
}

static void put_block(struct etc_text *t, const struct etc_inspector *in,
                      const struct etc_insp_block *b)
{
	etc_text_cstr(t, "{\"name\": ");
	etc_text_json_string(t, b->name);
	etc_text_printf(t, ", \"source_time_scale\": \"%s\", \"target_time_scale\": \"%s\"",
	                etc_unit_name(in->source), etc_unit_name(in->target));
	etc_text_printf(t, ", \"bundled_input_index\": %ld, \"run_output\": ",
	                (long)b->bundled_input_index);
	etc_insp_put_values(t, ETC_INSP_JSON, b->outputs, b->output_count);
	etc_text_cstr(t, ", \"reference_output\": ");
	etc_insp_put_reference(t, in, b);
	etc_text_cstr(t, ", \"events\": [");
	for (uint32_t k = 0; k < b->event_count; k++) {
		etc_text_cstr(t, k ? ",\n" : "\n");
		put_event(t, in, b, &b->events[k]);
		if (k % EVENTS_A_REST == EVENTS_A_REST - 1)
			etc_trace_rest(in->trace);
	}
	etc_text_cstr(t, "]}");
}

enum etc_status etc_insp_json(struct etc_inspector *in, const struct etc_insp_switches *switches,
                              struct etc_text *out, struct etc_error *err)
{
	(void)switches; /* JSON has the delegates' data always, and no units in its names */
	etc_text_cstr(out, "{\"schema\": \"etcore.inspector/1\", \"blocks\": [");
	for (uint32_t b = 0; b < in->block_count; b++) {
		etc_text_cstr(out, b ? ",\n" : "\n");
		put_block(out, in, &in->blocks[b]);
	}
	etc_text_cstr(out, "]}\n");
	return out->failed ? etc_fail(err, E0903, "the document") : ETC_OK;
}
