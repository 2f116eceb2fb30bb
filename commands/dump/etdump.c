/* etdump.c -- `etcore dump` of an ETDump: writes every field, with events in file order.
 *
 * The names and the structure of the JSON document are those of etdump_schema_flatcc.fbs. If a
 * field is not in the file, a number is shown as the default of the schema; text, bytes, vectors
 * and tables are shown as null. */
#include "commands/dump/dump.h"
#include "formats/etdump/etdump_walk.h"
#include "commands/dump/etdump_text.h"
#include "commands/dump/schema.h"

enum { PREFIX = 4 };

struct content {
	struct etc_trace trace;
	struct etc_etdump_walk *walk;
	size_t run; /* index of the current run */
};

static enum etc_status read(struct etc_dump *d, struct etc_error *err)
{
	struct etc_session *s = d->session;
	struct content *c = etc_new(&s->arena, struct content, 1);

	ETC_NEED(c, err);
	d->content = c;
	ETC_TRY(etc_session_dump(s, d->bytes, &c->trace, err));
	return etc_etdump_walk_open(&c->trace, &s->settings.limits, &s->arena, &c->walk, err);
}

static void text(struct etc_dump *d, struct etc_text *out)
{
	struct content *c = d->content;

	etc_view_dump_head(&c->trace, out);
	for (size_t r = 0; r < c->trace.run_count; r++) {
		size_t n = etc_etdump_walk_run(c->walk, r);

		etc_view_dump_run(&c->trace, r, n, out);
		for (size_t i = 0; i < n && !out->failed; i++)
			etc_view_dump_event(i, etc_etdump_walk_event(c->walk, i), out);
	}
}

/* ---- JSON ---------------------------------------------------------------- */

/* clang-format off */
static const struct etc_schema tensor = { ETC_SCHEMA(struct etc_raw_tensor,
	{ ETC_FIELD(struct etc_raw_tensor, "scalar_type", scalar_type), .word = etc_scalar_type_word },
	{ ETC_FIELD_NUMBERS(struct etc_raw_tensor, "sizes", sizes.at, sizes.count, INT, 8),
	  ETC_FIELD_IF(struct etc_raw_tensor, sizes.present) },
	{ ETC_FIELD_NUMBERS(struct etc_raw_tensor, "strides", strides.at, strides.count, INT, 8),
	  ETC_FIELD_IF(struct etc_raw_tensor, strides.present) },
	{ ETC_FIELD(struct etc_raw_tensor, "offset", offset) }) };

#define VALUE struct etc_raw_value
#define GROUP(json, there, ...) \
	{ ETC_FIELD_GROUP(VALUE, json, __VA_ARGS__), ETC_FIELD_IF(VALUE, there) }

static const struct etc_schema value = { ETC_SCHEMA(VALUE,
	{ ETC_FIELD(VALUE, "val", val), .word = etc_view_value_type },
	{ ETC_FIELD(VALUE, "layout_2023", layout_2023), ETC_FIELD_IF(VALUE, layout_2023), .omit = true },
	{ ETC_FIELD_AS(TABLE, VALUE, "tensor", tensor), .of = &tensor,
	  ETC_FIELD_IF(VALUE, tensor.present) },
	GROUP("tensor_list", has_tensor_list,
	      { ETC_FIELD_TABLES(VALUE, "tensors", tensors, tensor_count, tensor),
	        ETC_FIELD_IF(VALUE, has_tensors) }),
	GROUP("int_value", has_int, { ETC_FIELD(VALUE, "int_val", int_val) }),
	GROUP("float_value", has_float, { ETC_FIELD(VALUE, "float_val", float_val) }),
	GROUP("double_value", has_double, { ETC_FIELD(VALUE, "double_val", double_val) }),
	GROUP("bool_value", has_bool, { ETC_FIELD_AS(BOOL, VALUE, "bool_val", bool_val) }),
	GROUP("output", has_output, { ETC_FIELD_AS(BOOL, VALUE, "bool_val", output) })) };

#define PROFILE struct etc_raw_profile
static const struct etc_schema profile = { ETC_SCHEMA(PROFILE,
	{ ETC_FIELD(PROFILE, "name", name) },
	{ ETC_FIELD(PROFILE, "chain_index", chain_index) },
	{ ETC_FIELD(PROFILE, "instruction_id", instruction_id) },
	{ ETC_FIELD(PROFILE, "delegate_debug_id_int", delegate_debug_id_int) },
	{ ETC_FIELD(PROFILE, "delegate_debug_id_str", delegate_debug_id_str) },
	{ ETC_FIELD(PROFILE, "delegate_debug_metadata", delegate_debug_metadata) },
	{ ETC_FIELD(PROFILE, "start_time", start_time) },
	{ ETC_FIELD(PROFILE, "end_time", end_time) }) };

static const struct etc_schema allocation = { ETC_SCHEMA(struct etc_raw_allocation,
	{ ETC_FIELD(struct etc_raw_allocation, "allocator_id", allocator_id) },
	{ ETC_FIELD(struct etc_raw_allocation, "allocation_size", allocation_size) }) };

#define DEBUG struct etc_raw_debug
static const struct etc_schema debug = { ETC_SCHEMA(DEBUG,
	{ ETC_FIELD(DEBUG, "name", name) },
	{ ETC_FIELD(DEBUG, "chain_index", chain_index) },
	{ ETC_FIELD(DEBUG, "instruction_id", instruction_id) },
	{ ETC_FIELD(DEBUG, "delegate_debug_id_int", delegate_debug_id_int) },
	{ ETC_FIELD(DEBUG, "delegate_debug_id_str", delegate_debug_id_str) },
	{ ETC_FIELD_AS(TABLE, DEBUG, "debug_entry", debug_entry), .of = &value,
	  ETC_FIELD_IF(DEBUG, debug_entry.present) }) };

/* In JSON, an event has a member for each part that the file has (profile, allocation, debug).
 * Usually this is one part. */
#define EVENT(member, schema) \
	{ ETC_FIELD_AS(TABLE, struct etc_raw_event, #member, member), .of = &schema, .omit = true, \
	  ETC_FIELD_IF(struct etc_raw_event, member.present) }
static const struct etc_schema event = { ETC_SCHEMA(struct etc_raw_event,
	EVENT(profile_event, profile), EVENT(allocation_event, allocation), EVENT(debug_event, debug)) };

static const struct etc_schema allocator = { ETC_SCHEMA(struct etc_str,
	{ .name = "name", .type = ETC_FIELD_TEXT }) };
/* clang-format on */

/* Writes two members of a salvaged run: the index of the run in the file's list, and whether the
 * layouts of the run's tables were inferred. */
static void salvaged(const struct etc_walk *w, const char *name, const void *head)
{
	const struct content *c = w->context;
	const struct etc_salvage *s = c->trace.salvage;

	(void)name, (void)head;
	if (!s)
		return;
	etc_emit_u64(w->e, "index", s->index[c->run]);
	etc_emit_cstr(w->e, "layout", s->inferred[c->run] ? "inferred" : "own");
}

static void events(const struct etc_walk *w, const char *name, const void *head)
{
	const struct content *c = w->context;
	size_t n = etc_etdump_walk_run(c->walk, c->run);

	(void)head;
	etc_emit_block(w->e, name, '[');
	for (size_t i = 0; i < n && !w->e->out->failed; i++)
		etc_walk_table(w, NULL, &event, etc_etdump_walk_event(c->walk, i));
	etc_emit_close(w->e);
}

/* clang-format off */
#define HEAD struct etc_run_head
static const struct etc_schema run_head = { ETC_SCHEMA(HEAD,
	{ ETC_FIELD(HEAD, "name", name) },
	{ ETC_FIELD(HEAD, "bundled_input_index", bundled_input_index) },
	{ ETC_FIELD_BY(NULL, salvaged) },
	{ ETC_FIELD_TABLES(HEAD, "allocators", allocators, allocator_count, allocator),
	  ETC_FIELD_IF(HEAD, has_allocators) },
	{ ETC_FIELD_BY("events", events), ETC_FIELD_IF(HEAD, has_events) }), .lines = true };
/* clang-format on */

static void size_prefix(const struct etc_walk *w, const char *name, const void *trace)
{
	uint32_t prefix;

	(void)trace;
	memcpy(&prefix, w->file.ptr, PREFIX);
	etc_emit_u64(w->e, name, prefix);
}

static void runs(const struct etc_walk *w, const char *name, const void *trace)
{
	struct content *c = w->context;

	(void)trace;
	etc_emit_block(w->e, name, '[');
	for (c->run = 0; c->run < c->trace.run_count; c->run++)
		etc_walk_table(w, NULL, &run_head, etc_run_head(&c->trace, &c->trace.runs[c->run]));
	etc_emit_close(w->e);
}

/* clang-format off */
#define TRACE struct etc_trace
static const struct etc_schema dump = { ETC_SCHEMA(TRACE,
	{ ETC_FIELD_IS("identifier", "ED00") },
	{ ETC_FIELD_BY("size_prefix", size_prefix), ETC_FIELD_IF(TRACE, size_prefixed) },
	{ ETC_FIELD(TRACE, "bytes", used_bytes) },
	{ ETC_FIELD(TRACE, "version", version) },
	{ ETC_FIELD_BY("run_data", runs), ETC_FIELD_IF(TRACE, has_runs) }), .lines = true };
/* clang-format on */

static void json(struct etc_dump *d, struct etc_emit *e)
{
	struct content *c = d->content;

	etc_walk_table(&(struct etc_walk){ .e = e, .file = d->bytes, .context = c }, "etdump",
	               &dump, &c->trace);
}

const struct etc_dump_kind etc_dump_etdump = {
	.kind = ETC_FILE_ETDUMP,
	.name = "etdump",
	.read = read,
	.text = text,
	.json = json,
};
