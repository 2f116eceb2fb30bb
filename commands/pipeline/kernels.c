/* kernels.c -- finds micro-kernels in logs; see kernels.h */
#include "commands/pipeline/kernels.h"

#include <string.h>

/* The operations in names of XNNPACK's micro-kernels. In a name, the words between "xnn_" and the
 * operation are the data type. */
static const char *const operations[] = {
	"gemm",       "igemm",      "dwconv",  "dwconv2d",   "conv",      "spmm",
	"vmulcaddc",  "avgpool",    "maxpool", "argmaxpool", "ibilinear", "raddstoreexpminusmax",
	"transposec", "transposev", "packw",   "rsum",       "rdsum",     "rmax",
	"rmin",       "rminmax",    "copy",    "fill",       "pad",       "unpool",
	"zip",        "lut32norm",
};

static bool is_operation(struct etc_str word)
{
	for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
		if (etc_str_eq(word, etc_str_of(operations[i])))
			return true;
	/* vadd, vhswish ...: "v" and the name of an operation on vectors */
	return word.len > 2 && word.ptr[0] == 'v' && word.ptr[1] >= 'a' && word.ptr[1] <= 'z';
}

static struct etc_str next_part(struct etc_str s, size_t *at)
{
	size_t end = etc_str_find(s, ETC_STR("_"), *at);
	struct etc_str word = etc_str_sub(s, *at, end);

	*at = end == SIZE_MAX ? s.len + 1 : end + 1;
	return word;
}

void etc_kernel_part(struct etc_seen_kernel *k)
{
	size_t two = etc_str_find(k->name, ETC_STR("__"), 0), at = 4, begin = 4, before = 4;
	struct etc_str base = etc_str_sub(k->name, 0, two), word;
	bool ukernel = false;

	if (two != SIZE_MAX)
		k->arch = etc_str_sub(k->name, two + 2, k->name.len);
	if (!etc_str_starts(base, ETC_STR("xnn_")))
		return;
	while (at <= base.len) {
		before = at;
		word = next_part(base, &at);
		if (ukernel) {
			k->tile = word;
			return;
		}
		if (!k->op.len && is_operation(word)) {
			k->op = word;
			k->dtype = etc_str_sub(base, begin, before > begin ? before - 1 : begin);
		}
		ukernel = etc_str_eq(word, ETC_STR("ukernel"));
	}
}

static enum etc_status add(struct etc_seen_kernels *k, struct etc_str name, struct etc_str category,
                           bool bound, struct etc_arena *arena, struct etc_error *err)
{
	struct etc_seen_kernel *one;

	for (uint32_t i = 0; i < k->count; i++)
		if (k->v[i].bound == bound && etc_str_eq(k->v[i].name, name) &&
		    etc_str_eq(k->v[i].category, category)) {
			k->v[i].count++;
			return ETC_OK;
		}
	if (k->count == ETC_KERNELS_MAX)
		return ETC_OK;
	one = ETC_APPEND(arena, k->v, k->count, k->room);
	ETC_NEED(one, err);
	*one = (struct etc_seen_kernel){ .name = etc_arena_str(arena, name),
		                         .category = etc_arena_str(arena, category),
		                         .count = 1,
		                         .bound = bound };
	ETC_NEED(one->name.ptr, err);
	etc_kernel_part(one);
	return ETC_OK;
}

/* Searches the log for lines such as "Using gemm microkernel 'xnn_…'". */
enum etc_status etc_kernels_from_log(struct etc_str log, struct etc_arena *arena,
                                     struct etc_seen_kernels *k, struct etc_error *err)
{
	const struct etc_str using = ETC_STR("Using "), middle = ETC_STR(" microkernel '");
	size_t at = 0;

	while ((at = etc_str_find(log, using, at)) != SIZE_MAX) {
		size_t line = etc_str_find(log, ETC_STR("\n"), at), word = at + using.len, name,
		       end;
		struct etc_str rest = etc_str_sub(log, word, line);

		at = word;
		name = etc_str_find(rest, middle, 0);
		if (name == SIZE_MAX || name == 0 || memchr(rest.ptr, ' ', name))
			continue;
		end = etc_str_find(rest, ETC_STR("'"), name + middle.len);
		if (end == SIZE_MAX || end == name + middle.len)
			continue;
		ETC_TRY(add(k, etc_str_sub(rest, name + middle.len, end),
		            etc_str_sub(rest, 0, name), false, arena, err));
	}
	return ETC_OK;
}

static bool is_kernel(struct etc_str symbol)
{
	return etc_str_starts(symbol, ETC_STR("kai_run_")) ||
	       (etc_str_starts(symbol, ETC_STR("xnn_")) &&
	        etc_str_find(symbol, ETC_STR("_ukernel"), 0) != SIZE_MAX);
}

/* Returns the symbol in a line of the dynamic loader. In " 123: binding file a [0] to b [0]: normal
 * symbol `kai_run_…' [V1]" it is kai_run_…. */
static struct etc_str symbol_of(struct etc_str line)
{
	const struct etc_str symbol = ETC_STR(" symbol `");
	size_t at = etc_str_find(line, symbol, 0), end;

	if (at == SIZE_MAX || etc_str_find(line, ETC_STR("binding file "), 0) == SIZE_MAX)
		return (struct etc_str){ 0 };
	end = etc_str_find(line, ETC_STR("'"), at + symbol.len);
	return etc_str_sub(line, at + symbol.len, end == SIZE_MAX ? 0 : end);
}

/* Updates `*loading` for a line of the dynamic loader. `*loading` is true while libraries are
 * relocated: it becomes false when a library is initialised, or when the code of the runner
 * starts. */
static void follow_loader(struct etc_str line, bool *loading)
{
	static const char *const begins[] = { "calling init:", "initialize program:",
		                              "transferring control:" };

	if (etc_str_find(line, ETC_STR("relocation processing:"), 0) != SIZE_MAX)
		*loading = true;
	for (size_t i = 0; *loading && i < sizeof begins / sizeof begins[0]; i++)
		if (etc_str_find(line, etc_str_of(begins[i]), 0) != SIZE_MAX)
			*loading = false;
}

enum etc_status etc_kernels_from_bindings(struct etc_str words, struct etc_arena *arena,
                                          struct etc_seen_kernels *k, struct etc_error *err)
{
	bool loading = true;

	for (size_t at = 0; at < words.len;) {
		const char *end = memchr(words.ptr + at, '\n', words.len - at);
		size_t next = end ? (size_t)(end - words.ptr) : words.len;
		struct etc_str line = etc_str_sub(words, at, next), name = symbol_of(line);

		at = next + 1;
		if (!name.len) {
			follow_loader(line, &loading);
			continue;
		}
		if (name.len >= 512 || !is_kernel(name))
			continue;
		if (loading)
			k->at_load++;
		else
			ETC_TRY(add(k, name, (struct etc_str){ "", 0 }, true, arena, err));
	}
	return ETC_OK;
}
