/* etdump_text.c -- writes an ETDump as text; see etdump_text.h */
#include "commands/dump/etdump_text.h"

#include <stdio.h>

#include "base/number.h"

enum { PREFIX = 4 };

const char *etc_view_value_type(unsigned val)
{
	static const char *const names[] = {
		[ETC_VALUE_NULL] = "Null",
		[ETC_VALUE_INT] = "Int",
		[ETC_VALUE_BOOL] = "Bool",
		[ETC_VALUE_FLOAT] = "Float",
		[ETC_VALUE_DOUBLE] = "Double",
		[ETC_VALUE_TENSOR] = "Tensor",
		[ETC_VALUE_TENSOR_LIST] = "TensorList",
		[ETC_VALUE_STRING] = "String",
	};

	return val <= ETC_VALUE_STRING ? names[val] : NULL;
}

void etc_view_dump_head(const struct etc_trace *t, struct etc_text *out)
{
	uint32_t prefix;

	etc_text_printf(out, "ETDump, %zu bytes\n", t->file_bytes);
	etc_text_cstr(out, "  identifier   ED00\n  size prefix  ");
	if (t->size_prefixed) {
		memcpy(&prefix, t->bytes, sizeof prefix);
		etc_text_u64(out, prefix);
	} else {
		etc_text_char(out, '-');
	}
	if (t->used_bytes != t->file_bytes)
		etc_text_printf(out, "  (%zu bytes after the dump)", t->file_bytes - t->used_bytes);
	etc_text_printf(out, "\n  version      %lu\n", (unsigned long)t->version);
	if (t->has_runs)
		etc_text_printf(out, "  run_data     %zu\n", t->run_count);
	else
		etc_text_cstr(out, "  run_data     -\n");
}

void etc_view_dump_run(const struct etc_trace *t, size_t run, size_t events, struct etc_text *out)
{
	const struct etc_run_head *r = etc_run_head(t, &t->runs[run]);

	etc_text_printf(out, "\nrun_data[%zu] at byte %lu%s\n  name                 ",
	                t->salvage ? t->salvage->index[run] : run, (unsigned long)t->runs[run].at,
	                t->salvage && t->salvage->inferred[run] ? ", layout inferred" : "");
	etc_view_quoted(r->name, out);
	etc_text_printf(out, "\n  bundled_input_index  %ld\n  allocators           ",
	                (long)r->bundled_input_index);
	if (r->has_allocators)
		etc_text_u64(out, r->allocator_count);
	else
		etc_text_char(out, '-');
	for (uint32_t i = 0; i < r->allocator_count; i++) {
		etc_text_printf(out, "\n    [%lu] name ", (unsigned long)i);
		etc_view_quoted(r->allocators[i], out);
	}
	etc_text_cstr(out, "\n  events               ");
	if (r->has_events)
		etc_text_u64(out, events);
	else
		etc_text_char(out, '-');
	etc_text_char(out, '\n');
	if (events)
		etc_text_printf(out, "  %6s  %-10s %5s %5s %8s %18s %18s  name\n", "[#]", "kind",
		                "chain", "instr", "delegate", "start_time", "end_time");
}

/* ---- events ---------------------------------------------------------------- */

static void begin(size_t index, const char *kind, struct etc_text *out)
{
	char number[24];

	snprintf(number, sizeof number, "[%zu]", index);
	etc_text_printf(out, "  %6s  %-10s ", number, kind);
}

static void named(const char *name, struct etc_str s, struct etc_text *out)
{
	if (!s.ptr)
		return;
	etc_text_printf(out, "  %s ", name);
	etc_view_quoted(s, out);
}

static bool is_printable(struct etc_span bytes)
{
	for (size_t at = 0; at < bytes.len;) {
		int32_t cp =
			etc_utf8_next((struct etc_str){ (const char *)bytes.ptr, bytes.len }, &at);

		if (cp < 0 || !(etc_utf8_printable(cp) || cp == '\n' || cp == '\t'))
			return false;
	}
	return bytes.len != 0;
}

static void metadata(struct etc_span bytes, struct etc_text *out)
{
	if (!bytes.ptr)
		return;
	etc_text_printf(out, "  delegate_debug_metadata %zu bytes", bytes.len);
	if (bytes.len)
		etc_text_char(out, ' ');
	etc_text_hex(out, bytes);
	if (is_printable(bytes)) {
		etc_text_char(out, ' ');
		etc_view_quoted((struct etc_str){ (const char *)bytes.ptr, bytes.len }, out);
	}
}

static void profile(size_t index, const struct etc_raw_profile *p, struct etc_text *out)
{
	begin(index, "profile", out);
	etc_text_printf(out, "%5ld %5ld %8ld %18llu %18llu  ", (long)p->chain_index,
	                (long)p->instruction_id, (long)p->delegate_debug_id_int,
	                (unsigned long long)p->start_time, (unsigned long long)p->end_time);
	etc_view_quoted(p->name, out);
	named("delegate_debug_id_str", p->delegate_debug_id_str, out);
	metadata(p->delegate_debug_metadata, out);
	etc_text_char(out, '\n');
}

static void longs(const char *name, struct etc_raw_longs v, struct etc_text *out)
{
	etc_text_printf(out, " %s ", name);
	if (!v.present) {
		etc_text_char(out, '-');
		return;
	}
	etc_text_char(out, '[');
	for (uint32_t i = 0; i < v.count; i++) {
		etc_text_cstr(out, i ? ", " : "");
		etc_text_i64(out, etc_raw_long(v, i));
	}
	etc_text_char(out, ']');
}

static void tensor(const struct etc_raw_tensor *t, struct etc_text *out)
{
	etc_view_scalar_type(t->scalar_type, out);
	longs("sizes", t->sizes, out);
	longs("strides", t->strides, out);
	etc_text_printf(out, " offset %lld", (long long)t->offset);
}

static void tensors(const struct etc_raw_value *v, struct etc_text *out)
{
	if (!v->has_tensors) {
		etc_text_cstr(out, "  tensor_list -");
		return;
	}
	etc_text_printf(out, "  tensor_list %lu", (unsigned long)v->tensor_count);
	for (uint32_t i = 0; i < v->tensor_count; i++) {
		etc_text_printf(out, "\n                      [%lu] ", (unsigned long)i);
		tensor(&v->tensors[i], out);
	}
}

static void real(const char *name, double d, struct etc_text *out)
{
	char number[ETC_NUMBER_MAX];

	etc_text_printf(out, "  %s ", name);
	etc_text_put(out, (struct etc_str){ number, etc_number_repr(number, d) });
}

static void flag(const char *name, uint8_t v, struct etc_text *out)
{
	etc_text_printf(out, "  %s %s", name, v ? "true" : "false");
}

static void value(const struct etc_raw_value *v, struct etc_text *out)
{
	const char *type = etc_view_value_type((unsigned)v->val);

	etc_text_cstr(out, "          debug_entry ");
	if (!v->present) {
		etc_text_cstr(out, "-\n");
		return;
	}
	if (type)
		etc_text_cstr(out, type);
	else
		etc_text_i64(out, v->val);
	if (v->layout_2023)
		etc_text_cstr(out, "  (layout of 2023)");
	if (v->tensor.present) {
		etc_text_cstr(out, "  tensor ");
		tensor(&v->tensor, out);
	}
	if (v->has_int)
		etc_text_printf(out, "  int_value %lld", (long long)v->int_val);
	if (v->has_float)
		real("float_value", (double)v->float_val, out);
	if (v->has_double)
		real("double_value", v->double_val, out);
	if (v->has_bool)
		flag("bool_value", v->bool_val, out);
	if (v->has_output)
		flag("output", v->output, out);
	if (v->has_tensor_list)
		tensors(v, out);
	etc_text_char(out, '\n');
}

static void debug(size_t index, const struct etc_raw_debug *d, struct etc_text *out)
{
	begin(index, "debug", out);
	etc_text_printf(out, "%5llu %5ld %8ld %18s %18s  ", (unsigned long long)d->chain_index,
	                (long)d->instruction_id, (long)d->delegate_debug_id_int, "", "");
	etc_view_quoted(d->name, out);
	named("delegate_debug_id_str", d->delegate_debug_id_str, out);
	etc_text_char(out, '\n');
	value(&d->debug_entry, out);
}

void etc_view_dump_event(size_t index, const struct etc_raw_event *e, struct etc_text *out)
{
	if (e->profile_event.present)
		profile(index, &e->profile_event, out);
	if (e->allocation_event.present) {
		begin(index, "allocation", out);
		etc_text_printf(out, "allocator_id %ld  allocation_size %llu\n",
		                (long)e->allocation_event.allocator_id,
		                (unsigned long long)e->allocation_event.allocation_size);
	}
	if (e->debug_event.present)
		debug(index, &e->debug_event, out);
	if (!e->profile_event.present && !e->allocation_event.present && !e->debug_event.present) {
		etc_text_printf(out, "  [%zu]  -\n", index);
	}
}
