/* etrecord.c -- `etcore dump` of an ETRecord: writes its entries, maps, graphs and reference
 * values. With --graph, writes one graph instead (graph.c). */
#include "commands/dump/dump.h"
#include "commands/dump/record.h"
#include "formats/etrecord/etrecord.h"
#include "commands/dump/etdump_text.h"
#include "commands/dump/record_text.h"

static enum etc_status read(struct etc_dump *d, struct etc_error *err)
{
	struct etc_session *s = d->session;
	struct etc_dump_record *c = etc_new(&s->arena, struct etc_dump_record, 1);

	ETC_NEED(c, err);
	d->content = c;
	ETC_TRY(etc_etrecord_read(d->bytes, ETC_RECORD_ALL, &s->arena, &s->notes, &c->record, err));
	ETC_TRY(etc_zip_open(d->bytes, &s->arena, &c->zip, err));
	return d->options->graph ? etc_dump_graph_read(c, d->options->graph, &s->arena, err)
	                         : ETC_OK;
}

/* ---- entries ------------------------------------------------------------- */

static bool is_part(struct etc_str name, const struct etc_graph *g)
{
	static const struct etc_str parts[] = {
		{ "_state_dict", 11 },
		{ "_constants", 10 },
		{ "_example_inputs", 15 },
	};

	if (!etc_str_starts(name, g->name))
		return false;
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (etc_str_eq(etc_str_sub(name, g->name.len, name.len), parts[i]))
			return true;
	return false;
}

/* Returns a word for what the entry `name` of the record's archive is, such as "marker", "map" or
 * "graph". */
static const char *use_of(const struct etc_record *r, struct etc_str name)
{
	static const struct {
		struct etc_str name;
		const char *use;
	} reserved[] = {
		{ { "debug_handle_map", 16 }, "map" },
		{ { "delegate_map", 12 }, "map" },
		{ { "instruction_id_to_num_outs_map", 30 }, "map" },
		{ { "reference_outputs", 17 }, "values" },
		{ { "representative_inputs", 21 }, "values" },
		{ { "export_graph_id", 15 }, "id" },
	};

	if (etc_str_eq(name, r->version))
		return "marker";
	for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
		if (etc_str_eq(name, reserved[i].name))
			return reserved[i].use;
	for (uint32_t i = 0; i < r->graph_count; i++)
		if (etc_str_eq(name, r->graphs[i].name))
			return "graph";
	for (uint32_t i = 0; i < r->graph_count; i++)
		if (is_part(name, &r->graphs[i]))
			return "weights";
	for (uint32_t i = 0; i < r->unknown_count; i++)
		if (etc_str_eq(name, r->unknown[i]))
			return "unknown";
	return "unused";
}

/* Returns the name of the compression method. If the method has no name, writes its number to
 * `number` and returns that. */
static const char *method_of(uint16_t method, char number[8])
{
	unsigned m = method;

	if (m == 0 || m == 8)
		return m ? "deflated" : "stored";
	for (size_t i = 6; i-- > 0; m /= 10) {
		number[i] = (char)('0' + m % 10);
		number[6] = '\0';
		if (m < 10)
			return &number[i];
	}
	return number;
}

static struct etc_view_entry entry_of(const struct etc_dump_record *c, uint32_t i, char number[8])
{
	const struct etc_zip_entry *e = &c->zip.entries[i];

	return (struct etc_view_entry){
		.name = e->name,
		.bytes = e->size,
		.packed = e->packed,
		.crc = e->crc,
		.method = method_of(e->method, number),
		.use = use_of(&c->record, e->name),
	};
}

/* ---- text ---------------------------------------------------------------- */

static void refusal(const char *what, uint32_t code, struct etc_str why, struct etc_text *out)
{
	if (!code)
		return;
	etc_text_printf(out, "  %s %s ", what, etc_code_info((enum etc_code)code)->name);
	etc_view_quoted(why, out);
	etc_text_char(out, '\n');
}

static void text(struct etc_dump *d, struct etc_text *out)
{
	struct etc_dump_record *c = d->content;
	const struct etc_record *r = &c->record;
	char number[8];

	if (d->options->graph) {
		etc_dump_graph_text(c, out);
		return;
	}
	etc_text_printf(out, "ETRecord, %zu bytes\n  marker           ", d->bytes.len);
	etc_view_quoted(r->version, out);
	etc_text_cstr(out, "\n  export_graph_id  ");
	if (r->has_export_graph_id)
		etc_text_i64(out, (int64_t)r->export_graph_id);
	else
		etc_text_char(out, '-');
	etc_text_char(out, '\n');
	refusal("the Inspector refuses the record:", r->inspector_refuses, r->inspector_reason,
	        out);
	refusal("the Inspector refuses its graphs:", r->graphs_refuse, r->graphs_reason, out);
	etc_text_printf(out, "\nentries %lu\n", (unsigned long)c->zip.count);
	etc_view_entry_head(out);
	for (uint32_t i = 0; i < c->zip.count; i++) {
		struct etc_view_entry e = entry_of(c, i, number);

		etc_view_entry(i, &e, out);
	}
	etc_view_record_maps(r, out);
	etc_view_record_graphs(r, out);
	etc_view_record_blob("reference_outputs", &r->reference_outputs, out);
	etc_view_record_blob("representative_inputs", &r->representative_inputs, out);
}

/* ---- JSON ---------------------------------------------------------------- */

static void json(struct etc_dump *d, struct etc_emit *e)
{
	struct etc_dump_record *c = d->content;
	const struct etc_record *r = &c->record;
	char number[8], crc[9];

	if (d->options->graph) {
		etc_dump_graph_json(c, e);
		return;
	}
	etc_emit_block(e, "etrecord", '{');
	etc_emit_text(e, "marker", r->version);
	if (r->has_export_graph_id)
		etc_emit_i64(e, "export_graph_id", (int64_t)r->export_graph_id);
	else
		etc_emit_null(e, "export_graph_id");
	etc_dump_refusal(e, "inspector_refuses", r->inspector_refuses, r->inspector_reason);
	etc_dump_refusal(e, "inspector_refuses_graphs", r->graphs_refuse, r->graphs_reason);
	etc_emit_block(e, "entries", '[');
	for (uint32_t i = 0; i < c->zip.count; i++) {
		struct etc_view_entry x = entry_of(c, i, number);

		for (unsigned k = 0; k < 8; k++)
			crc[k] = "0123456789abcdef"[x.crc >> (28 - 4 * k) & 15];
		etc_emit_open(e, NULL, '{');
		etc_emit_text(e, "name", x.name);
		etc_emit_u64(e, "bytes", x.bytes);
		etc_emit_u64(e, "packed", x.packed);
		etc_emit_text(e, "method", etc_str_of(x.method));
		etc_emit_text(e, "crc32", (struct etc_str){ crc, 8 });
		etc_emit_text(e, "use", etc_str_of(x.use));
		etc_emit_close(e);
	}
	etc_emit_close(e);
	etc_dump_record_maps(r, e);
	etc_dump_record_graphs(r, e);
	etc_dump_record_values(r, e);
	etc_emit_close(e);
}

const struct etc_dump_kind etc_dump_etrecord = {
	.kind = ETC_FILE_ETRECORD,
	.name = "etrecord",
	.read = read,
	.text = text,
	.json = json,
};
