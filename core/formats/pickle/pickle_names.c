/* pickle_names.c -- the names that a pickle of torch.save may contain: those that
 * torch.load(weights_only=True) of torch 2.13 allows, and two that only some pickles may contain
 * (enum etc_pickle_names). */
#include "formats/pickle/pickle_vm.h"

#define S(text)                        \
	{                              \
		text, sizeof(text) - 1 \
	}

static const struct {
	struct etc_str module, name;
	uint8_t means;
} names[] = {
	{ S("collections"), S("OrderedDict"), ETC_NAME_ORDERED_DICT },
	{ S("collections"), S("Counter"), ETC_NAME_COUNTER },
	{ S("builtins"), S("set"), ETC_NAME_SET },
	{ S("builtins"), S("complex"), ETC_NAME_COMPLEX },
	{ S("builtins"), S("bytearray"), ETC_NAME_BYTEARRAY },
	{ S("_codecs"), S("encode"), ETC_NAME_ENCODE },
	{ S("torch"), S("Size"), ETC_NAME_SIZE },
	{ S("torch"), S("device"), ETC_NAME_DEVICE },
	{ S("torch"), S("Tensor"), ETC_NAME_TENSOR_CLASS },
	{ S("torch.serialization"), S("_get_layout"), ETC_NAME_LAYOUT },
	{ S("torch.nn.parameter"), S("Parameter"), ETC_NAME_PARAMETER },
	{ S("torch.storage"), S("TypedStorage"), ETC_NAME_TYPED },
	{ S("torch.storage"), S("UntypedStorage"), ETC_NAME_UNTYPED },
	{ S("torch"), S("per_tensor_affine"), ETC_NAME_SCHEME },
	{ S("torch"), S("per_tensor_symmetric"), ETC_NAME_SCHEME },
	{ S("torch"), S("per_channel_affine"), ETC_NAME_SCHEME },
	{ S("torch"), S("per_channel_symmetric"), ETC_NAME_SCHEME },
	{ S("torch"), S("per_channel_affine_float_qparams"), ETC_NAME_SCHEME },
	{ S("torch._utils"), S("_rebuild_tensor"), ETC_NAME_REBUILD },
	{ S("torch._utils"), S("_rebuild_tensor_v2"), ETC_NAME_REBUILD_V2 },
	{ S("torch._utils"), S("_rebuild_tensor_v3"), ETC_NAME_REBUILD_V3 },
	{ S("torch._utils"), S("_rebuild_qtensor"), ETC_NAME_REBUILD_QUANTISED },
	{ S("torch._utils"), S("_rebuild_meta_tensor_no_storage"), ETC_NAME_REBUILD_META },
	{ S("torch._utils"), S("_rebuild_parameter"), ETC_NAME_REBUILD_PARAMETER },
	{ S("torch._utils"), S("_rebuild_parameter_with_state"), ETC_NAME_REBUILD_STATEFUL },
	{ S("torch._tensor"), S("_rebuild_from_type_v2"), ETC_NAME_REBUILD_TYPE },
	{ S("torch._utils"), S("_rebuild_sparse_tensor"), ETC_NAME_REBUILD_CLOSED },
	{ S("torch._utils"), S("_rebuild_nested_tensor"), ETC_NAME_REBUILD_CLOSED },
	{ S("torch._utils"), S("_rebuild_wrapper_subclass"), ETC_NAME_REBUILD_CLOSED },
	{ S("torch._utils"), S("_rebuild_device_tensor_from_numpy"), ETC_NAME_REBUILD_CLOSED },
	{ S("torch._utils"), S("_rebuild_device_tensor_from_cpu_tensor"), ETC_NAME_REBUILD_CLOSED },
	{ S("torch.storage"), S("_load_from_bytes"), ETC_NAME_LOAD_BYTES },
	{ S("executorch.exir.serde.export_serialize"), S("_reconstruct_fake_tensor"),
	  ETC_NAME_FAKE },
};

/* Modules that have other names in Python 3; pickles of protocol 2 have the names of Python 2. */
static const struct {
	struct etc_str old, now;
} renamed[] = {
	{ S("__builtin__"), S("builtins") },
	{ S("UserDict"), S("collections") },
	{ S("UserList"), S("collections") },
	{ S("UserString"), S("collections") },
};

/* The types in the names of tensor classes: torch.FloatTensor, torch.sparse.FloatTensor ... */
static const struct etc_str tensor_types[] = { S("BFloat16"), S("Bool"),  S("Byte"), S("Char"),
	                                       S("Double"),   S("Float"), S("Half"), S("Int"),
	                                       S("Long"),     S("Short") };

static bool is_tensor_class(struct etc_str module, struct etc_str name)
{
	const bool sparse = etc_str_ends(module, ETC_STR(".sparse"));

	if (!etc_str_ends(name, ETC_STR("Tensor")))
		return false;
	name.len -= 6;
	for (size_t i = 0; i < sizeof tensor_types / sizeof tensor_types[0]; i++)
		if (etc_str_eq(name, tensor_types[i]))
			return !sparse || !etc_str_eq(name, ETC_STR("Bool"));
	return false;
}

/* Returns the dtype of a storage class such as torch.FloatStorage or torch.cuda.FloatStorage; NULL
 * for other names. */
static const struct etc_torch_dtype *storage_dtype(struct etc_str module, struct etc_str name)
{
	const struct etc_torch_dtype *dtype;

	if (!etc_str_ends(name, ETC_STR("Storage")))
		return NULL;
	dtype = etc_torch_dtype_of_storage(etc_str_sub(name, 0, name.len - 7));
	if (dtype && module.len != 5 && (dtype->quantised || dtype->complex))
		return NULL;
	return dtype;
}

enum etc_pickle_name etc_pickle_lookup(struct etc_str module, struct etc_str name,
                                       const struct etc_torch_dtype **dtype)
{
	const bool torch = etc_str_eq(module, ETC_STR("torch"));
	const bool cuda = etc_str_eq(module, ETC_STR("torch.cuda"));

	for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++)
		if (etc_str_eq(module, renamed[i].old))
			module = renamed[i].now;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (etc_str_eq(module, names[i].module) && etc_str_eq(name, names[i].name))
			return (enum etc_pickle_name)names[i].means;
	if (torch) {
		*dtype = etc_torch_dtype(name);
		if (*dtype)
			return ETC_NAME_DTYPE;
	}
	if (torch || cuda) {
		*dtype = storage_dtype(module, name);
		if (*dtype)
			return ETC_NAME_STORAGE;
	}
	if ((torch || cuda || etc_str_eq(module, ETC_STR("torch.sparse")) ||
	     etc_str_eq(module, ETC_STR("torch.cuda.sparse"))) &&
	    is_tensor_class(module, name))
		return ETC_NAME_TENSOR_CLASS;
	return ETC_NAME_NONE;
}
