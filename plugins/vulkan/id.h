/* id.h -- parses the ids of the Vulkan delegate's events.
 *
 * backends/vulkan/runtime/VulkanBackend.cpp logs two kinds of events: steps of the CPU's code, such
 * as "ETVK_EXECUTE", and one event per dispatched shader, whose id is an object:
 *
 *   {"operator": {"name": "aten.linear.default", "delegate_node_id": 2, "args":
 *   [{"type": "TENSOR", "value_ref": 0, "dtype": "Float", "sizes": [1, 8],
 *   "storage": "TEXTURE_3D", "packed_dim": 0}, ...]}, "kernel_name":
 *   "linear_naive", "operator_id": 14, "dispatch_id": 2}
 *
 * "operator" is absent for shaders that the delegate added itself. The object was printed by a C++
 * stream, so a number may be `inf` or `nan`, and texts are not escaped. Before ExecuTorch 1.1, the
 * id was the name of the kernel and a number: "conv2d_clamp_half_163". */
#ifndef PLUGINS_VULKAN_ID_H
#define PLUGINS_VULKAN_ID_H

#include <etcore/plugin.h>

#include <stdbool.h>

enum vulkan_kind {
	VULKAN_OTHER, /* the id has none of the forms of this backend */
	VULKAN_HOST,  /* a step that runs on the CPU */
	/* a shader, whose id is an object; if the object cannot be parsed, `kernel` is empty */
	VULKAN_SHADER,
	VULKAN_LEGACY /* <kernel>_<number>; ids of other backends may have this form, too */
};

/* A text that the id does not contain is empty, a number that it does not contain is -1. Texts are
 * printable ASCII, and are views into the id. */
struct vulkan_id {
	enum vulkan_kind kind;
	struct etcore_text step; /* only for HOST: the step, such as "EXECUTE" */
	struct etcore_text kernel, operator_name;
	int64_t node; /* "delegate_node_id", which is a key in the record's delegate map */
	/* number of the operator, counted over all graphs of the process */
	int64_t operator_id;
	int64_t dispatch; /* "dispatch_id": index among the dispatches of the graph */
	/* "args" of the operator: the text of the array, with its brackets */
	struct etcore_text args;
	/* type, sizes and storage of the last argument, which is the operator's result */
	struct etcore_text dtype, sizes, storage;
	struct etcore_text first_dtype; /* type of the first argument that is a tensor */
};

struct vulkan_id vulkan_id_of(const struct etcore_event *event);

/* Writes the types of the operands, such as "Float, Half", to `text`. False: the id has none, or
 * `text` is too small. */
bool vulkan_types(const struct vulkan_id *id, char *text, size_t room);

#endif
