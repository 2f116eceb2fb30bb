/* program.h -- the part of an ExecuTorch Program (.pte) that events refer to.
 *
 * An event has a chain_index and an instruction_id. The structs below have the instruction with
 * these indices, its method, and for a DELEGATE_CALL the backend and its blob. Made by
 * formats/program/program.c; text and blobs are views into the mapped file, arrays are the arena's.
 *
 * Source: exir/_serialize/program.fbs of pytorch/executorch. The comments name the table of each
 * struct, and the field of a member if it has another name (".id"). */
#ifndef ETC_MODEL_PROGRAM_H
#define ETC_MODEL_PROGRAM_H

#include "model/evalue.h"

/* The kinds of instructions: the numbers of the members of the schema's union
 * Instruction.instr_args. */
enum etc_instruction_kind {
	ETC_INSTRUCTION_UNKNOWN, /* no instruction, or one of a kind that only a newer schema has */
	ETC_INSTRUCTION_KERNEL,
	ETC_INSTRUCTION_DELEGATE,
	ETC_INSTRUCTION_MOVE,
	ETC_INSTRUCTION_JUMP_FALSE,
	ETC_INSTRUCTION_FREE,
	ETC_INSTRUCTION_KINDS
};

struct etc_instruction {
	uint8_t kind; /* enum etc_instruction_kind */
	/* Index of the object that the instruction refers to. KERNEL: KernelCall.op_index, an
	 * operator of the method. DELEGATE: DelegateCall.delegate_index, a delegate of the
	 * method. MOVE: MoveCall.move_from, a value. FREE: FreeCall.value_index. JUMP_FALSE:
	 * JumpFalseCall.destination_instruction. */
	int32_t index;
	/* a second index. MOVE: MoveCall.move_to; JUMP_FALSE: JumpFalseCall.cond_value_index */
	int32_t other;
	/* arguments of a KERNEL or DELEGATE (.args): indices of values, 32 bits each */
	struct etc_numbers args;
};

/* An operator that kernel calls refer to: the schema's table Operator. */
struct etc_operator {
	struct etc_str name;     /* "aten::add" */
	struct etc_str overload; /* "out", or empty */
	/* name and overload, "aten::add.out"; only the name if there is no overload */
	struct etc_str text;
};

struct etc_delegate_graph;

/* A delegate of a method: the schema's table BackendDelegate. */
struct etc_program_delegate {
	struct etc_str backend;    /* the field id: "XnnpackBackend" */
	struct etc_span processed; /* the blob passed to the backend's init() */
	size_t at;                 /* offset of `processed` in the file */
	/* true: `processed` is in a segment (.processed.location); false: it is inside the
	 * FlatBuffer */
	bool in_segment;
	bool dynamic; /* an argument of its calls has a dynamic shape (Tensor.shape_dynamism) */
	/* index of the segment or of the inline data that contains `processed`
	 * (.processed.index) */
	uint32_t index;
	/* the graph in the blob. Set by etc_inputs_open(), only if a matrix product or convolution
	 * of the graph has no debug handle; else NULL. */
	const struct etc_delegate_graph *graph;
	/* The same graph with its `operators` and `values`. It is compared with the events of a
	 * run, to find out which method ran. Read if the program has several methods and at most
	 * 256 delegates. NULL: it was not read, or the format of the blob is unknown. */
	const struct etc_delegate_graph *contents;
	/* .compile_specs; set only by etc_program_read_whole() */
	const struct etc_compile_spec *specs;
	uint32_t spec_count;
};

/* An option of a delegate: the schema's table CompileSpec. */
struct etc_compile_spec {
	struct etc_str key;
	struct etc_span value;
};

/* A line of an instruction's stack trace: the schema's table Frame. */
struct etc_frame {
	struct etc_str file, function, context;
	int32_t line;
};
struct etc_frames {
	const struct etc_frame *v;
	uint32_t count;
};

/* A list of instructions: the schema's table Chain. The index in `instructions` is an event's
 * instruction_id. */
struct etc_program_chain {
	const struct etc_instruction *instructions;
	uint32_t count;

	/* These members are set only by etc_program_read_whole(); etc_program_read() leaves them
	 * empty: */
	/* the inputs and outputs of the chain: indices of the method's values, int32 */
	struct etc_numbers inputs, outputs;
	/* .stacktrace: the stack trace of each instruction; `frame_count` entries */
	const struct etc_frames *frames;
	uint32_t frame_count;
};

/* A memory that is not on the CPU: the schema's table NonConstBufferDevice. */
struct etc_memory_device {
	int32_t memory_id;
	int8_t type, index;
};

/* A method: the schema's table ExecutionPlan. The index in `chains` is an event's chain_index. */
struct etc_program_method {
	struct etc_str name;
	const struct etc_program_chain *chains;
	const struct etc_operator *operators;
	const struct etc_program_delegate *delegates;
	uint32_t chain_count, operator_count, delegate_count;
	struct etc_numbers inputs; /* indices of values, int32 */
	bool dynamic_inputs;       /* an input has a dynamic shape (Tensor.shape_dynamism) */

	/* These members are set only by etc_program_read_whole(); etc_program_read() leaves them
	 * empty: */
	const struct etc_evalue *values;
	uint32_t value_count;
	struct etc_numbers outputs; /* indices of the output values, int32 */
	/* .non_const_buffer_sizes: size in bytes of each memory, int64; the index is the memory id,
	 * and 0 is not used */
	struct etc_numbers memory;
	const struct etc_memory_device *devices; /* devices of memories that are not on the CPU */
	uint32_t device_count;
	/* how inputs and outputs are nested in Python, as encoded text: the field
	 * container_meta_type */
	struct etc_str container_in, container_out;
};

/* Positions of tensors' data in a segment: the schema's table SubsegmentOffsets. */
struct etc_subsegments {
	bool present;
	uint32_t segment;
	/* for each tensor, the 64-bit offset of its data in the segment; the index is
	 * Tensor.data_buffer_idx */
	struct etc_numbers offsets;
};

/* Data with a name: the schema's table NamedData. */
struct etc_named_data {
	struct etc_str key;
	uint32_t segment;
};

/* Position of a segment in the file: the schema's table DataSegment. */
struct etc_segment {
	uint64_t offset; /* offset of the segment, relative to etc_program.segments_at */
	uint64_t size;
};

struct etc_program {
	uint32_t version; /* the field Program.version; 0 in every known file */
	const struct etc_program_method *methods;
	uint32_t method_count;
	const struct etc_segment *segments; /* the field Program.segments */
	uint32_t segment_count;

	/* Only etc_program_read_whole() sets the members from here to named_count. */
	/* the program was read by etc_program_read_whole() */
	bool whole;
	/* positions of the data of constant tensors: the field Program.constant_segment */
	struct etc_subsegments constants;
	/* positions of the initial data of mutable tensors: the field
	 * Program.mutable_data_segments */
	const struct etc_subsegments *mutable_segments;
	/* data of constant tensors, as programs until 2024 have them: the field
	 * Program.constant_buffer */
	const struct etc_span *constant_buffers;
	/* blobs of delegates inside the FlatBuffer: the field Program.backend_delegate_data */
	const struct etc_span *inline_data;
	const struct etc_named_data *named_data;
	uint32_t mutable_segment_count, constant_buffer_count, inline_count, named_count;

	/* Fields of the extended header "eh00": */
	uint32_t header_length; /* length of the header in bytes; 0: there is none */
	/* size of the FlatBuffer, from the start of the file on; without a header the size of the
	 * file */
	size_t flatbuffer_bytes;
	size_t segments_at; /* offset of the segment data; 0: none */
	/* size of the segment data; 0: none, or the header has only 24 bytes, and so does not
	 * contain this size */
	uint64_t segments_bytes;

	size_t file_bytes; /* size of the whole file */
};

/* Returns the method of that name, or NULL. */
static inline const struct etc_program_method *etc_program_method(const struct etc_program *p,
                                                                  struct etc_str name)
{
	for (uint32_t i = 0; i < p->method_count; i++)
		if (etc_str_eq(p->methods[i].name, name))
			return &p->methods[i];
	return NULL;
}

/* Returns the instruction that an event names by the index of a chain and an instruction id. NULL:
 * the method does not have this instruction. */
static inline const struct etc_instruction *
etc_program_instruction(const struct etc_program_method *m, uint64_t chain, int64_t instruction)
{
	if (chain >= m->chain_count || instruction < 0 ||
	    (uint64_t)instruction >= m->chains[chain].count)
		return NULL;
	return &m->chains[chain].instructions[instruction];
}

#endif
