/* tensor_files.h -- `-o npy=…|npz=…|safetensors=…` of `etcore numeric values`. */
#ifndef ETC_API_NUMERIC_EXPORT_H
#define ETC_API_NUMERIC_EXPORT_H

#include "base/arena.h"
#include "base/error.h"
#include "commands/numeric/tensor_files.h"

/* One -o of an export. */
struct etc_export_target {
	uint8_t form;     /* of the table in numeric_export.c */
	const char *path; /* a file; of npy a folder, unless it ends in ".npy" */
};

/* What -o asks for: exports, and the rest, which are formats of tables. */
struct etc_export_options {
	struct etc_export_target *targets;
	uint32_t count;
	const char **others;
	uint32_t other_count;
};

/* E0505 an export without a path, E0904. */
enum etc_status etc_export_parse(const char *const *output, uint32_t count, struct etc_arena *arena,
                                 struct etc_export_options *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Writes all targets; types are checked before any file is begun. E1153, E1156 a type
 * that the format has not; E1154 no tensor, or several for one .npy file; E0903, E0904. */
enum etc_status etc_export_write(const struct etc_export_options *options,
                                 const struct etc_export *tensors, size_t count,
                                 struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

#endif
