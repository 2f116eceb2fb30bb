/* program.c -- `etcore dump` of a program (.pte).
 *
 * The names and the structure of the JSON document are those of program.fbs. Next to an index, a
 * member shows what the index refers to: `operator`, `backend`, `at` (byte of the file), `bytes`,
 * `kind`. For data, position and length are shown instead of the values. */
#include "commands/dump/dump.h"

#include "commands/dump/program_text.h"
#include "commands/dump/schema.h"
#include "formats/program/program.h"
#include "model/program.h"
#include "tensor/program_tensor.h"

/* ---- the values of a method ---------------------------------------------------- */

/* What the functions that write the members of the JSON document need: etc_walk.context. */
struct etc_dumped_program {
	const struct etc_program *p;
	size_t base; /* offset of the program in the file */
};

/* The schema for a struct etc_evalue: {"val_type", "val"}. A tensor also has `kind`, `bytes` and
 * `data`. */
extern const struct etc_schema etc_dump_value;

static const char *tensor_location(unsigned external)
{
	return external ? "EXTERNAL" : "SEGMENT";
}

/* clang-format off */
#define TENSOR struct etc_evalue_tensor
static const struct etc_schema tensor = { ETC_SCHEMA(TENSOR,
	{ ETC_FIELD(TENSOR, "scalar_type", scalar_type), .word = etc_scalar_type_word },
	{ ETC_FIELD(TENSOR, "storage_offset", storage_offset) },
	{ ETC_FIELD_VECTOR(TENSOR, "sizes", sizes, INT, 4) },
	{ ETC_FIELD_NUMBERS(TENSOR, "dim_order", dim_order.ptr, dim_order.len, UINT, 1) },
	{ ETC_FIELD(TENSOR, "requires_grad", requires_grad) },
	{ ETC_FIELD(TENSOR, "data_buffer_idx", data_buffer) },
	{ ETC_FIELD_GROUP(TENSOR, "allocation_info",
	  { ETC_FIELD(TENSOR, "memory_id", memory_id) },
	  { ETC_FIELD(TENSOR, "memory_offset", memory_offset) }), ETC_FIELD_IF(TENSOR, planned) },
	{ ETC_FIELD(TENSOR, "layout", layout) },
	{ ETC_FIELD(TENSOR, "shape_dynamism", dynamism), .word = etc_view_dynamism },
	{ ETC_FIELD_GROUP(TENSOR, "extra_tensor_info",
	  { ETC_FIELD(TENSOR, "mutable_data_segments_idx", mutable_segment) },
	  { ETC_FIELD(TENSOR, "fully_qualified_name", name) },
	  { ETC_FIELD_AS(UINT, TENSOR, "location", external), .word = tensor_location },
	  { ETC_FIELD(TENSOR, "device_type", device_type) },
	  { ETC_FIELD(TENSOR, "device_index", device_index) }), ETC_FIELD_IF(TENSOR, has_extra) }) };
/* clang-format on */

/* Writes what follows from the fields of a tensor: its kind, its size, and the location of its
 * data. */
static void found(const struct etc_walk *w, const char *name, const void *value)
{
	const struct etc_dumped_program *c = w->context;
	const struct etc_evalue_tensor *t = ((const struct etc_evalue *)value)->tensor;
	struct etc_span inner = { w->file.ptr + c->base, w->file.len - c->base };
	struct etc_emit *e = w->e;
	enum etc_tensor_kind kind = etc_tensor_kind(t);
	struct etc_tensor_data_place place;
	uint64_t bytes;

	(void)name;
	etc_emit_text(e, "kind", etc_str_of(etc_tensor_kind_text(kind)));
	if (etc_tensor_bytes(t, &bytes))
		etc_emit_u64(e, "bytes", bytes);
	else
		etc_emit_null(e, "bytes");
	if (kind != ETC_TENSOR_CONSTANT && kind != ETC_TENSOR_INITIAL_STATE)
		return;
	if (!etc_tensor_data_place(c->p, inner, t, &place)) {
		etc_emit_null(e, "data");
		return;
	}
	etc_emit_open(e, "data", '{');
	etc_emit_u64(e, place.in_segment ? "segment" : "constant_buffer", place.index);
	etc_emit_u64(e, "offset", place.offset);
	if (place.bytes.ptr)
		etc_emit_u64(e, "at", (uint64_t)(place.bytes.ptr - w->file.ptr));
	else
		etc_emit_null(e, "at");
	etc_emit_close(e);
}

/* clang-format off */
#define VALUE struct etc_evalue
#define OF_VALUE(kind) ETC_FIELD_WHEN(ETC_EVALUE_##kind)
const struct etc_schema etc_dump_value = { ETC_SCHEMA(VALUE,
	{ ETC_FIELD(VALUE, "val_type", kind), .word = etc_view_evalue_kind, .word_or_null = true },
	{ ETC_FIELD_IS("val", NULL), OF_VALUE(NONE) },
	{ ETC_FIELD_IS("val", NULL), OF_VALUE(NULL) },
	{ ETC_FIELD(VALUE, "val", integer), OF_VALUE(INT) },
	{ ETC_FIELD_AS(BOOL, VALUE, "val", integer), OF_VALUE(BOOL) },
	{ ETC_FIELD(VALUE, "val", number), OF_VALUE(DOUBLE) },
	{ ETC_FIELD(VALUE, "val", text), OF_VALUE(STRING) },
	{ ETC_FIELD_AS(LINK, VALUE, "val", tensor), .of = &tensor, OF_VALUE(TENSOR) },
	{ ETC_FIELD_BY(NULL, found), OF_VALUE(TENSOR) },
	{ ETC_FIELD_VECTOR(VALUE, "val", items, INT, 8), OF_VALUE(INT_LIST) },
	{ ETC_FIELD_VECTOR(VALUE, "val", items, REAL, 8), OF_VALUE(DOUBLE_LIST) },
	{ ETC_FIELD_VECTOR(VALUE, "val", items, BOOL, 1), OF_VALUE(BOOL_LIST) },
	{ ETC_FIELD_VECTOR(VALUE, "val", items, INT, 4), OF_VALUE(TENSOR_LIST) },
	{ ETC_FIELD_VECTOR(VALUE, "val", items, INT, 4), OF_VALUE(OPTIONAL_TENSOR_LIST) }),
	.tag = offsetof(VALUE, kind) };
/* clang-format on */

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

/* Length in bytes of the header that ExecuTorch 1.0 and later write. A shorter header does not have
 * the size of the segments. */
enum { HEADER_WITH_SIZE = 32 };

/* ---- JSON ---------------------------------------------------------------- */

static void segment_bytes(const struct etc_walk *w, const char *name, const void *program)
{
	const struct etc_program *p = program;

	if (p->header_length < HEADER_WITH_SIZE)
		etc_emit_null(w->e, name);
	else
		etc_emit_u64(w->e, name, p->segments_bytes);
}

static void segment_at(const struct etc_walk *w, const char *name, const void *segment)
{
	const struct etc_dumped_program *c = w->context;

	etc_emit_u64(w->e, name,
	             c->base + c->p->segments_at + ((const struct etc_segment *)segment)->offset);
}

/* clang-format off */
static const struct etc_schema segment = { ETC_SCHEMA(struct etc_segment,
	{ ETC_FIELD(struct etc_segment, "offset", offset) },
	{ ETC_FIELD(struct etc_segment, "size", size) },
	{ ETC_FIELD_BY("at", segment_at) }) };

static const struct etc_schema subsegments = { ETC_SCHEMA(struct etc_subsegments,
	{ ETC_FIELD(struct etc_subsegments, "segment_index", segment) },
	{ ETC_FIELD_VECTOR(struct etc_subsegments, "offsets", offsets, UINT, 8) }) };

static const struct etc_schema storage = { ETC_SCHEMA(struct etc_span,
	{ .name = "storage", .type = ETC_FIELD_PLACE }) };
static const struct etc_schema inline_data = { ETC_SCHEMA(struct etc_span,
	{ .name = "data", .type = ETC_FIELD_PLACE }) };

static const struct etc_schema named_data = { ETC_SCHEMA(struct etc_named_data,
	{ ETC_FIELD(struct etc_named_data, "key", key) },
	{ ETC_FIELD(struct etc_named_data, "segment_index", segment) }) };

static const struct etc_schema compile_spec = { ETC_SCHEMA(struct etc_compile_spec,
	{ ETC_FIELD(struct etc_compile_spec, "key", key) },
	{ ETC_FIELD(struct etc_compile_spec, "value", value) }) };

static const struct etc_schema operator_ = { ETC_SCHEMA(struct etc_operator,
	{ ETC_FIELD(struct etc_operator, "name", name) },
	{ ETC_FIELD(struct etc_operator, "overload", overload) }) };

static const char *data_location(unsigned in_segment)
{
	return in_segment ? "SEGMENT" : "INLINE";
}

static void processed_at(const struct etc_walk *w, const char *name, const void *delegate)
{
	const struct etc_dumped_program *c = w->context;

	etc_emit_u64(w->e, name, c->base + ((const struct etc_program_delegate *)delegate)->at);
}

#define DELEGATE struct etc_program_delegate
static const struct etc_schema delegate = { ETC_SCHEMA(DELEGATE,
	{ ETC_FIELD(DELEGATE, "id", backend) },
	{ ETC_FIELD_GROUP(DELEGATE, "processed",
	  { ETC_FIELD_AS(UINT, DELEGATE, "location", in_segment), .word = data_location },
	  { ETC_FIELD(DELEGATE, "index", index) },
	  { ETC_FIELD_BY("at", processed_at), ETC_FIELD_IF(DELEGATE, processed.len) },
	  { ETC_FIELD(DELEGATE, "size", processed.len) }) },
	{ ETC_FIELD_TABLES(DELEGATE, "compile_specs", specs, spec_count, compile_spec) }) };

/* Returns the method of an instruction. The instruction's table is inside the table of a chain,
 * which is inside the table of the method. */
static const struct etc_program_method *method_of(const struct etc_walk *w)
{
	return w->up->up->object;
}

static void operator_of(const struct etc_walk *w, const char *name, const void *instruction)
{
	const struct etc_instruction *n = instruction;

	etc_emit_text(w->e, name, method_of(w)->operators[n->index].text);
}

static void backend_of(const struct etc_walk *w, const char *name, const void *instruction)
{
	const struct etc_instruction *n = instruction;

	etc_emit_text(w->e, name, method_of(w)->delegates[n->index].backend);
}

#define INSTRUCTION struct etc_instruction
#define OF(kind) ETC_FIELD_WHEN(ETC_INSTRUCTION_##kind)
static const struct etc_schema instruction = { ETC_SCHEMA(INSTRUCTION,
	{ ETC_FIELD(INSTRUCTION, "instr_args_type", kind), .word = etc_view_instruction_kind,
	  .word_or_null = true },
	{ ETC_FIELD(INSTRUCTION, "op_index", index), OF(KERNEL) },
	{ ETC_FIELD_BY("operator", operator_of), OF(KERNEL) },
	{ ETC_FIELD_VECTOR(INSTRUCTION, "args", args, INT, 4), OF(KERNEL) },
	{ ETC_FIELD(INSTRUCTION, "delegate_index", index), OF(DELEGATE) },
	{ ETC_FIELD_BY("backend", backend_of), OF(DELEGATE) },
	{ ETC_FIELD_VECTOR(INSTRUCTION, "args", args, INT, 4), OF(DELEGATE) },
	{ ETC_FIELD(INSTRUCTION, "move_from", index), OF(MOVE) },
	{ ETC_FIELD(INSTRUCTION, "move_to", other), OF(MOVE) },
	{ ETC_FIELD(INSTRUCTION, "cond_value_index", other), OF(JUMP_FALSE) },
	{ ETC_FIELD(INSTRUCTION, "destination_instruction", index), OF(JUMP_FALSE) },
	{ ETC_FIELD(INSTRUCTION, "value_index", index), OF(FREE) }),
	.tag = offsetof(INSTRUCTION, kind) };

static const struct etc_schema frame = { ETC_SCHEMA(struct etc_frame,
	{ ETC_FIELD(struct etc_frame, "filename", file) },
	{ ETC_FIELD(struct etc_frame, "lineno", line) },
	{ ETC_FIELD(struct etc_frame, "name", function) },
	{ ETC_FIELD(struct etc_frame, "context", context) }) };
static const struct etc_schema frames = { ETC_SCHEMA(struct etc_frames,
	{ ETC_FIELD_TABLES(struct etc_frames, NULL, v, count, frame) }), .bare = true };

#define CHAIN struct etc_program_chain
static const struct etc_schema chain = { ETC_SCHEMA(CHAIN,
	{ ETC_FIELD_VECTOR(CHAIN, "inputs", inputs, INT, 4) },
	{ ETC_FIELD_VECTOR(CHAIN, "outputs", outputs, INT, 4) },
	{ ETC_FIELD_TABLES(CHAIN, "instructions", instructions, count, instruction), .lines = true },
	{ ETC_FIELD_TABLES(CHAIN, "stacktrace", frames, frame_count, frames), .lines = true }),
	.lines = true };

static const struct etc_schema device = { ETC_SCHEMA(struct etc_memory_device,
	{ ETC_FIELD(struct etc_memory_device, "buffer_idx", memory_id) },
	{ ETC_FIELD(struct etc_memory_device, "device_type", type) },
	{ ETC_FIELD(struct etc_memory_device, "device_index", index) }) };

#define METHOD struct etc_program_method
static const struct etc_schema method = { ETC_SCHEMA(METHOD,
	{ ETC_FIELD(METHOD, "name", name) },
	{ ETC_FIELD_GROUP(METHOD, "container_meta_type",
	  { ETC_FIELD(METHOD, "encoded_inp_str", container_in) },
	  { ETC_FIELD(METHOD, "encoded_out_str", container_out) }) },
	{ ETC_FIELD_VECTOR(METHOD, "inputs", inputs, INT, 4) },
	{ ETC_FIELD_VECTOR(METHOD, "outputs", outputs, INT, 4) },
	{ ETC_FIELD_VECTOR(METHOD, "non_const_buffer_sizes", memory, INT, 8) },
	{ ETC_FIELD_TABLES(METHOD, "non_const_buffer_device", devices, device_count, device) },
	{ ETC_FIELD_TABLES(METHOD, "values", values, value_count, etc_dump_value), .lines = true },
	{ ETC_FIELD_TABLES(METHOD, "operators", operators, operator_count, operator_), .lines = true },
	{ ETC_FIELD_TABLES(METHOD, "delegates", delegates, delegate_count, delegate), .lines = true },
	{ ETC_FIELD_TABLES(METHOD, "chains", chains, chain_count, chain), .lines = true }),
	.lines = true };

#define PROGRAM struct etc_program
static const struct etc_schema schema = { ETC_SCHEMA(PROGRAM,
	{ ETC_FIELD_IS("identifier", "ET12") },
	{ ETC_FIELD_GROUP(PROGRAM, "extended_header",
	  { ETC_FIELD(PROGRAM, "length", header_length) },
	  { ETC_FIELD(PROGRAM, "program_size", flatbuffer_bytes) },
	  { ETC_FIELD(PROGRAM, "segment_base_offset", segments_at) },
	  { ETC_FIELD_BY("segment_data_size", segment_bytes) }),
	  ETC_FIELD_IF(PROGRAM, header_length) },
	{ ETC_FIELD(PROGRAM, "version", version) },
	{ ETC_FIELD_TABLES(PROGRAM, "segments", segments, segment_count, segment), .lines = true },
	{ ETC_FIELD_TABLES(PROGRAM, "constant_buffer", constant_buffers, constant_buffer_count,
	                 storage), .lines = true },
	{ ETC_FIELD_TABLES(PROGRAM, "backend_delegate_data", inline_data, inline_count, inline_data),
	  .lines = true },
	{ ETC_FIELD_AS(TABLE, PROGRAM, "constant_segment", constants), .of = &subsegments,
	  ETC_FIELD_IF(PROGRAM, constants.present) },
	{ ETC_FIELD_TABLES(PROGRAM, "mutable_data_segments", mutable_segments, mutable_segment_count,
	                 subsegments), .lines = true },
	{ ETC_FIELD_TABLES(PROGRAM, "named_data", named_data, named_count, named_data), .lines = true },
	{ ETC_FIELD_TABLES(PROGRAM, "execution_plan", methods, method_count, method), .lines = true }),
	.lines = true };
/* clang-format on */

void etc_dump_program_json(struct etc_emit *e, struct etc_span file, size_t base,
                           const struct etc_program *p)
{
	struct etc_dumped_program c = { .p = p, .base = base };

	etc_walk_table(&(struct etc_walk){ .e = e, .file = file, .context = &c }, "program",
	               &schema, p);
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
