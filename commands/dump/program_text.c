/* program_text.c -- writes a program as text; see program_text.h */
#include "commands/dump/program_text.h"

#include "commands/dump/etdump_text.h"

const char *etc_view_instruction_kind(unsigned kind)
{
	static const char *const names[ETC_INSTRUCTION_KINDS] = {
		[ETC_INSTRUCTION_KERNEL] = "KernelCall",
		[ETC_INSTRUCTION_DELEGATE] = "DelegateCall",
		[ETC_INSTRUCTION_MOVE] = "MoveCall",
		[ETC_INSTRUCTION_JUMP_FALSE] = "JumpFalseCall",
		[ETC_INSTRUCTION_FREE] = "FreeCall",
	};

	return kind < ETC_INSTRUCTION_KINDS ? names[kind] : NULL;
}

static void head(const struct etc_program *p, struct etc_text *out)
{
	etc_text_printf(out, "program, %zu bytes\n  identifier       ET12\n", p->file_bytes);
	if (p->header_length)
		etc_text_printf(out,
		                "  extended header  %lu bytes: FlatBuffer %zu bytes, segments from "
		                "byte %zu on",
		                (unsigned long)p->header_length, p->flatbuffer_bytes,
		                p->segments_at);
	else
		etc_text_cstr(out, "  extended header  -");
	if (p->segments_bytes)
		etc_text_printf(out, ", %llu bytes", (unsigned long long)p->segments_bytes);
	etc_text_printf(out,
	                "\n  version          %lu\n  segments         %lu\n"
	                "  execution_plan   %lu\n",
	                (unsigned long)p->version, (unsigned long)p->segment_count,
	                (unsigned long)p->method_count);
}

static void segments(const struct etc_program *p, struct etc_text *out)
{
	if (p->segment_count)
		etc_text_cstr(out, "\nsegments\n   [#]        at byte        bytes\n");
	for (uint32_t i = 0; i < p->segment_count && !out->failed; i++)
		etc_text_printf(out, "  %4lu  %13llu  %11llu\n", (unsigned long)i,
		                (unsigned long long)(p->segments_at + p->segments[i].offset),
		                (unsigned long long)p->segments[i].size);
}

static void data(const struct etc_program *p, struct etc_text *out)
{
	if (p->constants.present)
		etc_text_printf(out, "\nconstant_segment  segment %lu, %lu offsets\n",
		                (unsigned long)p->constants.segment,
		                (unsigned long)p->constants.offsets.count);
	for (uint32_t i = 0; i < p->mutable_segment_count && !out->failed; i++)
		etc_text_printf(out, "\nmutable_data_segments[%lu]  segment %lu, %lu offsets\n",
		                (unsigned long)i, (unsigned long)p->mutable_segments[i].segment,
		                (unsigned long)p->mutable_segments[i].offsets.count);
	if (p->constant_buffer_count)
		etc_text_printf(out, "\nconstant_buffer  %lu\n",
		                (unsigned long)p->constant_buffer_count);
	if (p->named_count)
		etc_text_cstr(out, "\nnamed_data\n   segment  key\n");
	for (uint32_t i = 0; i < p->named_count && !out->failed; i++) {
		etc_text_printf(out, "  %8lu  ", (unsigned long)p->named_data[i].segment);
		etc_view_quoted(p->named_data[i].key, out);
		etc_text_char(out, '\n');
	}
}

static void delegates(const struct etc_program_method *m, struct etc_text *out)
{
	for (uint32_t i = 0; i < m->delegate_count && !out->failed; i++) {
		const struct etc_program_delegate *d = &m->delegates[i];

		etc_text_printf(out, "    [%lu] ", (unsigned long)i);
		etc_view_quoted(d->backend, out);
		etc_text_printf(out, "  processed: %zu bytes", d->processed.len);
		if (d->processed.len)
			etc_text_printf(out, " at byte %zu", d->at);
		etc_text_printf(out, ", %s %lu\n", d->in_segment ? "segment" : "inline data",
		                (unsigned long)d->index);
		for (uint32_t k = 0; k < d->spec_count && !out->failed; k++) {
			etc_text_cstr(out, "      compile spec ");
			etc_view_quoted(d->specs[k].key, out);
			etc_text_printf(out, "  %zu bytes\n", d->specs[k].value.len);
		}
	}
}

static void numbers(const char *what, struct etc_numbers v, struct etc_text *out)
{
	etc_text_cstr(out, what);
	if (v.count == 0)
		etc_text_cstr(out, " -");
	for (uint32_t i = 0; i < v.count; i++)
		etc_text_printf(out, " %ld", (long)etc_i32_at(v, i));
}

static void memory(const struct etc_program_method *m, struct etc_text *out)
{
	etc_text_cstr(out, "\n  memory    ");
	for (uint32_t i = 0; i < m->memory.count; i++)
		etc_text_printf(out, "%s %lu: %lld bytes", i ? "," : "", (unsigned long)i,
		                (long long)etc_i64_at(m->memory, i));
	if (m->memory.count == 0)
		etc_text_cstr(out, " -");
	for (uint32_t i = 0; i < m->device_count && !out->failed; i++)
		etc_text_printf(out, "\n    memory %ld is of device %d:%d",
		                (long)m->devices[i].memory_id, m->devices[i].type,
		                m->devices[i].index);
}

static void instruction(const struct etc_program_method *m, uint32_t i,
                        const struct etc_instruction *n, struct etc_text *out)
{
	const char *kind = etc_view_instruction_kind(n->kind);

	etc_text_printf(out, "  %4lu  %-13s  ", (unsigned long)i, kind ? kind : "-");
	switch (n->kind) {
	case ETC_INSTRUCTION_KERNEL:
		etc_view_quoted(m->operators[n->index].text, out);
		break;
	case ETC_INSTRUCTION_DELEGATE:
		etc_text_printf(out, "delegate %ld ", (long)n->index);
		etc_view_quoted(m->delegates[n->index].backend, out);
		break;
	case ETC_INSTRUCTION_MOVE:
		etc_text_printf(out, "value %ld to %ld", (long)n->index, (long)n->other);
		break;
	case ETC_INSTRUCTION_JUMP_FALSE:
		etc_text_printf(out, "to %ld if value %ld is false", (long)n->index,
		                (long)n->other);
		break;
	case ETC_INSTRUCTION_FREE:
		etc_text_printf(out, "value %ld", (long)n->index);
		break;
	default:
		etc_text_cstr(out, "unknown");
	}
	if (n->args.count)
		numbers(" ", n->args, out);
	etc_text_char(out, '\n');
}

static void frames(const struct etc_frames *f, struct etc_text *out)
{
	for (uint32_t i = 0; i < f->count && !out->failed; i++) {
		etc_text_cstr(out, "          ");
		etc_view_quoted(f->v[i].file, out);
		etc_text_printf(out, ":%ld ", (long)f->v[i].line);
		etc_view_quoted(f->v[i].function, out);
		etc_text_char(out, ' ');
		etc_view_quoted(f->v[i].context, out);
		etc_text_char(out, '\n');
	}
}

static void chain(const struct etc_program_method *m, uint32_t index, struct etc_text *out)
{
	const struct etc_program_chain *c = &m->chains[index];

	etc_text_printf(out, "\n  chains[%lu]", (unsigned long)index);
	numbers("  inputs", c->inputs, out);
	numbers("  outputs", c->outputs, out);
	etc_text_printf(out, "  instructions %lu\n", (unsigned long)c->count);
	for (uint32_t k = 0; k < c->count && !out->failed; k++) {
		instruction(m, k, &c->instructions[k], out);
		if (k < c->frame_count)
			frames(&c->frames[k], out);
	}
}

static void method(const struct etc_program_method *m, uint32_t i, struct etc_text *out)
{
	etc_text_printf(out, "\nexecution_plan[%lu]\n  name       ", (unsigned long)i);
	etc_view_quoted(m->name, out);
	numbers("\n  inputs    ", m->inputs, out);
	numbers("\n  outputs   ", m->outputs, out);
	memory(m, out);
	if (m->container_in.ptr || m->container_out.ptr) {
		etc_text_cstr(out, "\n  container_meta_type\n    encoded_inp_str  ");
		etc_view_quoted(m->container_in, out);
		etc_text_cstr(out, "\n    encoded_out_str  ");
		etc_view_quoted(m->container_out, out);
	}
	etc_text_printf(out, "\n  values     %lu\n", (unsigned long)m->value_count);
	for (uint32_t k = 0; k < m->value_count && !out->failed; k++)
		etc_view_dump_value(k, &m->values[k], out);
	etc_text_printf(out, "  operators  %lu\n", (unsigned long)m->operator_count);
	for (uint32_t k = 0; k < m->operator_count && !out->failed; k++) {
		etc_text_printf(out, "    [%lu] ", (unsigned long)k);
		etc_view_quoted(m->operators[k].text, out);
		etc_text_char(out, '\n');
	}
	etc_text_printf(out, "  delegates  %lu\n", (unsigned long)m->delegate_count);
	delegates(m, out);
	etc_text_printf(out, "  chains     %lu\n", (unsigned long)m->chain_count);
	for (uint32_t c = 0; c < m->chain_count && !out->failed; c++) {
		chain(m, c, out);
	}
}

void etc_view_dump_program(const struct etc_program *p, struct etc_text *out)
{
	head(p, out);
	segments(p, out);
	data(p, out);
	for (uint32_t i = 0; i < p->method_count && !out->failed; i++)
		method(&p->methods[i], i, out);
}
