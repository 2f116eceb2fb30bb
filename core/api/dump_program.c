/* dump_program.c -- a program (.pte) for `etcore dump`: methods, instructions,
 * delegates and where their blobs lie.
 *
 * JSON has the names and the nesting of program.fbs, as far as it is read, and
 * beside indices what they lead to: `operator`, `backend`, `at` (byte of the
 * file). */
#include "api/dump.h"
#include "read/program.h"
#include "view/dump_program.h"

static enum etc_status read(struct etc_dump *d, struct etc_error *err)
{
	struct etc_session *s = d->session;
	struct etc_program *p = etc_new(&s->arena, struct etc_program, 1);

	if (!p)
		return etc_fail(err, E0904, "contents of the file");
	d->content = p;
	return etc_program_read(d->bytes, &s->settings.limits, &s->arena, p, err);
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

static void segments(struct etc_emit *e, const struct etc_program *p)
{
	etc_emit_block(e, "segments", '[');
	for (uint32_t i = 0; i < p->segment_count && !e->out->failed; i++) {
		etc_emit_open(e, NULL, '{');
		etc_emit_u64(e, "offset", p->segments[i].offset);
		etc_emit_u64(e, "size", p->segments[i].size);
		etc_emit_u64(e, "at", p->segments_at + p->segments[i].offset);
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

static void delegates(struct etc_emit *e, const struct etc_program_method *m)
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
			etc_emit_u64(e, "at", d->at);
		else
			etc_emit_null(e, "at");
		etc_emit_u64(e, "size", d->processed.len);
		etc_emit_close(e);
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
		break;
	case ETC_INSTRUCTION_DELEGATE:
		etc_emit_i64(e, "delegate_index", n->index);
		etc_emit_text(e, "backend", m->delegates[n->index].backend);
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

static void chain(struct etc_emit *e, const struct etc_program_method *m,
                  const struct etc_program_chain *c)
{
	etc_emit_block(e, NULL, '{');
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
	etc_emit_close(e);
}

static void method(struct etc_emit *e, const struct etc_program_method *m)
{
	etc_emit_block(e, NULL, '{');
	etc_emit_text(e, "name", m->name);
	operators(e, m);
	delegates(e, m);
	etc_emit_block(e, "chains", '[');
	for (uint32_t i = 0; i < m->chain_count && !e->out->failed; i++)
		chain(e, m, &m->chains[i]);
	etc_emit_close(e);
	etc_emit_close(e);
}

static void json(struct etc_dump *d, struct etc_emit *e)
{
	const struct etc_program *p = d->content;

	etc_emit_block(e, "program", '{');
	etc_emit_text(e, "identifier", ETC_STR("ET12"));
	header(e, p);
	etc_emit_u64(e, "version", p->version);
	segments(e, p);
	etc_emit_block(e, "execution_plan", '[');
	for (uint32_t i = 0; i < p->method_count && !e->out->failed; i++)
		method(e, &p->methods[i]);
	etc_emit_close(e);
	etc_emit_close(e);
}

const struct etc_dump_kind etc_dump_program = {
	.kind = ETC_FILE_PROGRAM,
	.name = "program",
	.read = read,
	.text = text,
	.json = json,
};
