/* etdump.c -- an ETDump for `etcore dump`: every field, events in file order.
 *
 * JSON has the names and the nesting of etdump_schema_flatcc.fbs. A scalar that
 * the file leaves out has the schema's default; text, bytes, vectors and tables
 * that it leaves out are null. */
#include "commands/dump/dump.h"
#include "model/scalar_type.h"
#include "formats/etdump/etdump.h"
#include "formats/etdump/etdump_walk.h"
#include "commands/dump/etdump_text.h"

enum { PREFIX = 4 };

struct content {
	struct etc_trace trace;
	struct etc_etdump_walk *walk;
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

static void longs(struct etc_emit *e, const char *name, struct etc_raw_longs v)
{
	if (!v.present) {
		etc_emit_null(e, name);
		return;
	}
	etc_emit_open(e, name, '[');
	for (uint32_t i = 0; i < v.count; i++)
		etc_emit_i64(e, NULL, etc_raw_long(v, i));
	etc_emit_close(e);
}

/* By name; a number that the schema has no name for stays a number. */
static void scalar_type(struct etc_emit *e, int8_t code)
{
	const struct etc_scalar_type *type = etc_scalar_type(code);

	if (type)
		etc_emit_text(e, "scalar_type", etc_str_of(type->name));
	else
		etc_emit_i64(e, "scalar_type", code);
}

static void tensor(struct etc_emit *e, const char *name, const struct etc_raw_tensor *t)
{
	etc_emit_open(e, name, '{');
	scalar_type(e, t->scalar_type);
	longs(e, "sizes", t->sizes);
	longs(e, "strides", t->strides);
	etc_emit_i64(e, "offset", t->offset);
	etc_emit_close(e);
}

static void tensor_list(struct etc_emit *e, const struct etc_raw_value *v)
{
	etc_emit_open(e, "tensor_list", '{');
	if (v->has_tensors) {
		etc_emit_open(e, "tensors", '[');
		for (uint32_t i = 0; i < v->tensor_count; i++)
			tensor(e, NULL, &v->tensors[i]);
		etc_emit_close(e);
	} else {
		etc_emit_null(e, "tensors");
	}
	etc_emit_close(e);
}

/* Opens the table `name` if it is there, else writes null. */
static bool table(struct etc_emit *e, const char *name, bool present)
{
	if (present)
		etc_emit_open(e, name, '{');
	else
		etc_emit_null(e, name);
	return present;
}

static void scalars(struct etc_emit *e, const struct etc_raw_value *v)
{
	if (table(e, "int_value", v->has_int)) {
		etc_emit_i64(e, "int_val", v->int_val);
		etc_emit_close(e);
	}
	if (table(e, "float_value", v->has_float)) {
		etc_emit_real(e, "float_val", (double)v->float_val);
		etc_emit_close(e);
	}
	if (table(e, "double_value", v->has_double)) {
		etc_emit_real(e, "double_val", v->double_val);
		etc_emit_close(e);
	}
	if (table(e, "bool_value", v->has_bool)) {
		etc_emit_bool(e, "bool_val", v->bool_val);
		etc_emit_close(e);
	}
	if (table(e, "output", v->has_output)) {
		etc_emit_bool(e, "bool_val", v->output);
		etc_emit_close(e);
	}
}

static void value(struct etc_emit *e, const struct etc_raw_value *v)
{
	const char *type = etc_view_value_type(v->val);

	if (!table(e, "debug_entry", v->present))
		return;
	if (type)
		etc_emit_text(e, "val", etc_str_of(type));
	else
		etc_emit_i64(e, "val", v->val);
	if (v->layout_2023)
		etc_emit_bool(e, "layout_2023", true);
	if (v->tensor.present)
		tensor(e, "tensor", &v->tensor);
	else
		etc_emit_null(e, "tensor");
	if (v->has_tensor_list)
		tensor_list(e, v);
	else
		etc_emit_null(e, "tensor_list");
	scalars(e, v);
	etc_emit_close(e);
}

static void profile(struct etc_emit *e, const struct etc_raw_profile *p)
{
	etc_emit_open(e, "profile_event", '{');
	etc_emit_text(e, "name", p->name);
	etc_emit_i64(e, "chain_index", p->chain_index);
	etc_emit_i64(e, "instruction_id", p->instruction_id);
	etc_emit_i64(e, "delegate_debug_id_int", p->delegate_debug_id_int);
	etc_emit_text(e, "delegate_debug_id_str", p->delegate_debug_id_str);
	etc_emit_hex(e, "delegate_debug_metadata", p->delegate_debug_metadata);
	etc_emit_u64(e, "start_time", p->start_time);
	etc_emit_u64(e, "end_time", p->end_time);
	etc_emit_close(e);
}

static void debug(struct etc_emit *e, const struct etc_raw_debug *d)
{
	etc_emit_open(e, "debug_event", '{');
	etc_emit_text(e, "name", d->name);
	etc_emit_u64(e, "chain_index", d->chain_index);
	etc_emit_i64(e, "instruction_id", d->instruction_id);
	etc_emit_i64(e, "delegate_debug_id_int", d->delegate_debug_id_int);
	etc_emit_text(e, "delegate_debug_id_str", d->delegate_debug_id_str);
	value(e, &d->debug_entry);
	etc_emit_close(e);
}

/* An event has the members that are set, mostly one. */
static void event(struct etc_emit *e, const struct etc_raw_event *x)
{
	etc_emit_open(e, NULL, '{');
	if (x->profile_event.present)
		profile(e, &x->profile_event);
	if (x->allocation_event.present) {
		etc_emit_open(e, "allocation_event", '{');
		etc_emit_i64(e, "allocator_id", x->allocation_event.allocator_id);
		etc_emit_u64(e, "allocation_size", x->allocation_event.allocation_size);
		etc_emit_close(e);
	}
	if (x->debug_event.present)
		debug(e, &x->debug_event);
	etc_emit_close(e);
}

static void allocators(struct etc_emit *e, const struct etc_run_head *run)
{
	if (!run->has_allocators) {
		etc_emit_null(e, "allocators");
		return;
	}
	etc_emit_open(e, "allocators", '[');
	for (uint32_t i = 0; i < run->allocator_count; i++) {
		etc_emit_open(e, NULL, '{');
		etc_emit_text(e, "name", run->allocators[i]);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

static void one_run(struct etc_emit *e, struct content *c, size_t index)
{
	const struct etc_run_head *run = etc_run_head(&c->trace, &c->trace.runs[index]);
	size_t n = etc_etdump_walk_run(c->walk, index);

	etc_emit_block(e, NULL, '{');
	etc_emit_text(e, "name", run->name);
	etc_emit_i64(e, "bundled_input_index", run->bundled_input_index);
	if (c->trace.salvage) {
		const struct etc_salvage *s = c->trace.salvage;

		etc_emit_u64(e, "index", s->index[index]);
		etc_emit_text(e, "layout",
		              s->inferred[index] ? ETC_STR("inferred") : ETC_STR("own"));
	}
	allocators(e, run);
	if (run->has_events) {
		etc_emit_block(e, "events", '[');
		for (size_t i = 0; i < n && !e->out->failed; i++)
			event(e, etc_etdump_walk_event(c->walk, i));
		etc_emit_close(e);
	} else {
		etc_emit_null(e, "events");
	}
	etc_emit_close(e);
}

static void json(struct etc_dump *d, struct etc_emit *e)
{
	struct content *c = d->content;
	uint32_t prefix;

	etc_emit_block(e, "etdump", '{');
	etc_emit_text(e, "identifier", ETC_STR("ED00"));
	if (c->trace.size_prefixed) {
		memcpy(&prefix, d->bytes.ptr, PREFIX);
		etc_emit_u64(e, "size_prefix", prefix);
	} else {
		etc_emit_null(e, "size_prefix");
	}
	etc_emit_u64(e, "bytes", c->trace.used_bytes);
	etc_emit_u64(e, "version", c->trace.version);
	if (c->trace.has_runs) {
		etc_emit_block(e, "run_data", '[');
		for (size_t r = 0; r < c->trace.run_count; r++)
			one_run(e, c, r);
		etc_emit_close(e);
	} else {
		etc_emit_null(e, "run_data");
	}
	etc_emit_close(e);
}

const struct etc_dump_kind etc_dump_etdump = {
	.kind = ETC_FILE_ETDUMP,
	.name = "etdump",
	.read = read,
	.text = text,
	.json = json,
};
