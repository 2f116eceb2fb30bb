/* program.c -- a program (.pte) for `etcore dump`.
 *
 * JSON has the names and the nesting of program.fbs, and next to indices their targets:
 * `operator`, `backend`, `at` (byte of the file), `bytes`, `kind`. Data are shown as position
 * and length, not by value. */
#include "commands/dump/dump.h"
#include "commands/dump/values.h"
#include "formats/program/program.h"
#include "commands/dump/program_text.h"

static enum etc_status read(struct etc_dump *d, struct etc_error *err)
{
	struct etc_session *s = d->session;
	struct etc_program *p = etc_new(&s->arena, struct etc_program, 1);

	ETC_NEED(p, err);
	d->content = p;
	return etc_program_read_whole(d->bytes, &s->settings.limits, &s->arena, p, err);
}

static void text(struct etc_dump *d, struct etc_text *out)
{
	etc_view_dump_program(d->content, out);
}

enum { HEADER_WITH_SIZE = 32 }; /* since ExecuTorch 1.0 */

/* ---- JSON ---------------------------------------------------------------- */

static void header(struct etc_emit *e, const struct etc_program *p)
{
	if (!p->header_length) {
		etc_emit_null(e, "extended_header");
		return;
	}
	etc_emit_open(e, "extended_header", '{');
	etc_emit_u64(e, "length", p->header_length);
	etc_emit_u64(e, "program_size", p->flatbuffer_bytes);
	etc_emit_u64(e, "segment_base_offset", p->segments_at);
	if (p->header_length < HEADER_WITH_SIZE)
		etc_emit_null(e, "segment_data_size");
	else
		etc_emit_u64(e, "segment_data_size", p->segments_bytes);
	etc_emit_close(e);
}

static void segments(struct etc_emit *e, size_t base, const struct etc_program *p)
{
	etc_emit_block(e, "segments", '[');
	for (uint32_t i = 0; i < p->segment_count && !e->out->failed; i++) {
		etc_emit_open(e, NULL, '{');
		etc_emit_u64(e, "offset", p->segments[i].offset);
		etc_emit_u64(e, "size", p->segments[i].size);
		etc_emit_u64(e, "at", base + p->segments_at + p->segments[i].offset);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

static void subsegments(struct etc_emit *e, const char *name, const struct etc_subsegments *s)
{
	etc_emit_open(e, name, '{');
	etc_emit_u64(e, "segment_index", s->segment);
	etc_emit_open(e, "offsets", '[');
	for (uint32_t i = 0; i < s->offsets.count && !e->out->failed; i++)
		etc_emit_u64(e, NULL, (uint64_t)etc_i64_at(s->offsets, i));
	etc_emit_close(e);
	etc_emit_close(e);
}

/* Tables with one [ubyte]. */
static void buffers(struct etc_emit *e, const char *name, const char *member, struct etc_span file,
                    const struct etc_span *v, uint32_t count)
{
	etc_emit_block(e, name, '[');
	for (uint32_t i = 0; i < count && !e->out->failed; i++) {
		etc_emit_open(e, NULL, '{');
		etc_emit_open(e, member, '{');
		if (v[i].ptr)
			etc_emit_u64(e, "at", (uint64_t)(v[i].ptr - file.ptr));
		else
			etc_emit_null(e, "at");
		etc_emit_u64(e, "size", v[i].len);
		etc_emit_close(e);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

static void data(struct etc_emit *e, struct etc_span file, const struct etc_program *p)
{
	buffers(e, "constant_buffer", "storage", file, p->constant_buffers,
	        p->constant_buffer_count);
	buffers(e, "backend_delegate_data", "data", file, p->inline_data, p->inline_count);
	if (p->constants.present)
		subsegments(e, "constant_segment", &p->constants);
	else
		etc_emit_null(e, "constant_segment");
	etc_emit_block(e, "mutable_data_segments", '[');
	for (uint32_t i = 0; i < p->mutable_segment_count && !e->out->failed; i++)
		subsegments(e, NULL, &p->mutable_segments[i]);
	etc_emit_close(e);
	etc_emit_block(e, "named_data", '[');
	for (uint32_t i = 0; i < p->named_count && !e->out->failed; i++) {
		etc_emit_open(e, NULL, '{');
		etc_emit_text(e, "key", p->named_data[i].key);
		etc_emit_u64(e, "segment_index", p->named_data[i].segment);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

static void specs(struct etc_emit *e, const struct etc_program_delegate *d)
{
	etc_emit_open(e, "compile_specs", '[');
	for (uint32_t i = 0; i < d->spec_count && !e->out->failed; i++) {
		etc_emit_open(e, NULL, '{');
		etc_emit_text(e, "key", d->specs[i].key);
		etc_emit_hex(e, "value", d->specs[i].value);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

static void operators(struct etc_emit *e, const struct etc_program_method *m)
{
	etc_emit_block(e, "operators", '[');
	for (uint32_t i = 0; i < m->operator_count && !e->out->failed; i++) {
		etc_emit_open(e, NULL, '{');
		etc_emit_text(e, "name", m->operators[i].name);
		etc_emit_text(e, "overload", m->operators[i].overload);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

static void delegates(struct etc_emit *e, size_t base, const struct etc_program_method *m)
{
	etc_emit_block(e, "delegates", '[');
	for (uint32_t i = 0; i < m->delegate_count && !e->out->failed; i++) {
		const struct etc_program_delegate *d = &m->delegates[i];

		etc_emit_open(e, NULL, '{');
		etc_emit_text(e, "id", d->backend);
		etc_emit_open(e, "processed", '{');
		etc_emit_text(e, "location",
		              d->in_segment ? ETC_STR("SEGMENT") : ETC_STR("INLINE"));
		etc_emit_u64(e, "index", d->index);
		if (d->processed.len)
			etc_emit_u64(e, "at", base + d->at);
		else
			etc_emit_null(e, "at");
		etc_emit_u64(e, "size", d->processed.len);
		etc_emit_close(e);
		specs(e, d);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

static void arguments(struct etc_emit *e, const struct etc_program_method *m,
                      const struct etc_instruction *n)
{
	switch (n->kind) {
	case ETC_INSTRUCTION_KERNEL:
		etc_emit_i64(e, "op_index", n->index);
		etc_emit_text(e, "operator", m->operators[n->index].text);
		etc_dump_indices(e, "args", n->args);
		break;
	case ETC_INSTRUCTION_DELEGATE:
		etc_emit_i64(e, "delegate_index", n->index);
		etc_emit_text(e, "backend", m->delegates[n->index].backend);
		etc_dump_indices(e, "args", n->args);
		break;
	case ETC_INSTRUCTION_MOVE:
		etc_emit_i64(e, "move_from", n->index);
		etc_emit_i64(e, "move_to", n->other);
		break;
	case ETC_INSTRUCTION_JUMP_FALSE:
		etc_emit_i64(e, "cond_value_index", n->other);
		etc_emit_i64(e, "destination_instruction", n->index);
		break;
	case ETC_INSTRUCTION_FREE:
		etc_emit_i64(e, "value_index", n->index);
		break;
	default:
		break;
	}
}

static void frames(struct etc_emit *e, const struct etc_frames *f)
{
	etc_emit_open(e, NULL, '[');
	for (uint32_t i = 0; i < f->count && !e->out->failed; i++) {
		etc_emit_open(e, NULL, '{');
		etc_emit_text(e, "filename", f->v[i].file);
		etc_emit_i64(e, "lineno", f->v[i].line);
		etc_emit_text(e, "name", f->v[i].function);
		etc_emit_text(e, "context", f->v[i].context);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

static void chain(struct etc_emit *e, const struct etc_program_method *m,
                  const struct etc_program_chain *c)
{
	etc_emit_block(e, NULL, '{');
	etc_dump_indices(e, "inputs", c->inputs);
	etc_dump_indices(e, "outputs", c->outputs);
	etc_emit_block(e, "instructions", '[');
	for (uint32_t i = 0; i < c->count && !e->out->failed; i++) {
		const struct etc_instruction *n = &c->instructions[i];
		const char *kind = etc_view_instruction_kind(n->kind);

		etc_emit_open(e, NULL, '{');
		if (kind)
			etc_emit_text(e, "instr_args_type", etc_str_of(kind));
		else
			etc_emit_null(e, "instr_args_type");
		arguments(e, m, n);
		etc_emit_close(e);
	}
	etc_emit_close(e);
	etc_emit_block(e, "stacktrace", '[');
	for (uint32_t i = 0; i < c->frame_count && !e->out->failed; i++)
		frames(e, &c->frames[i]);
	etc_emit_close(e);
	etc_emit_close(e);
}

static void memory(struct etc_emit *e, const struct etc_program_method *m)
{
	etc_emit_open(e, "non_const_buffer_sizes", '[');
	for (uint32_t i = 0; i < m->memory.count && !e->out->failed; i++)
		etc_emit_i64(e, NULL, etc_i64_at(m->memory, i));
	etc_emit_close(e);
	etc_emit_open(e, "non_const_buffer_device", '[');
	for (uint32_t i = 0; i < m->device_count && !e->out->failed; i++) {
		etc_emit_open(e, NULL, '{');
		etc_emit_i64(e, "buffer_idx", m->devices[i].memory_id);
		etc_emit_i64(e, "device_type", m->devices[i].type);
		etc_emit_i64(e, "device_index", m->devices[i].index);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

static void method(struct etc_emit *e, struct etc_span file, size_t base,
                   const struct etc_program *p, const struct etc_program_method *m)
{
	etc_emit_block(e, NULL, '{');
	etc_emit_text(e, "name", m->name);
	etc_emit_open(e, "container_meta_type", '{');
	etc_emit_text(e, "encoded_inp_str", m->container_in);
	etc_emit_text(e, "encoded_out_str", m->container_out);
	etc_emit_close(e);
	etc_dump_indices(e, "inputs", m->inputs);
	etc_dump_indices(e, "outputs", m->outputs);
	memory(e, m);
	etc_emit_block(e, "values", '[');
	for (uint32_t i = 0; i < m->value_count && !e->out->failed; i++)
		etc_dump_value(e, file, base, p, &m->values[i]);
	etc_emit_close(e);
	operators(e, m);
	delegates(e, base, m);
	etc_emit_block(e, "chains", '[');
	for (uint32_t i = 0; i < m->chain_count && !e->out->failed; i++)
		chain(e, m, &m->chains[i]);
	etc_emit_close(e);
	etc_emit_close(e);
}

void etc_dump_program_json(struct etc_emit *e, struct etc_span file, size_t base,
                           const struct etc_program *p)
{
	etc_emit_block(e, "program", '{');
	etc_emit_text(e, "identifier", ETC_STR("ET12"));
	header(e, p);
	etc_emit_u64(e, "version", p->version);
	segments(e, base, p);
	data(e, file, p);
	etc_emit_block(e, "execution_plan", '[');
	for (uint32_t i = 0; i < p->method_count && !e->out->failed; i++)
		method(e, file, base, p, &p->methods[i]);
	etc_emit_close(e);
	etc_emit_close(e);
}

static void json(struct etc_dump *d, struct etc_emit *e)
{
	etc_dump_program_json(e, d->bytes, 0, d->content);
}

const struct etc_dump_kind etc_dump_program = {
	.kind = ETC_FILE_PROGRAM,
	.name = "program",
	.read = read,
	.text = text,
	.json = json,
};
