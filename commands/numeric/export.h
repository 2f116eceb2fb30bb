/* export.h -- the options `-o npy=…|npz=…|safetensors=…` of `etcore numeric values`. */
#ifndef ETC_COMMANDS_NUMERIC_EXPORT_H
#define ETC_COMMANDS_NUMERIC_EXPORT_H

#include "base/arena.h"
#include "base/error.h"
#include "commands/numeric/tensor_files.h"
#include "context/output.h"

/* clang-format off */
/* X(name, ending, type, error, writer, single):
 *
 * name    name of the format
 * ending  file name extension of the format, if it differs from `name`; NULL: it does not
 * type    function that returns the format's name for an element type; NULL if the format
 *         lacks the type
 * error   code of the error if the format lacks the type
 * writer  function that writes a file
 * single  true if a file contains only one tensor. (Then the path of -o is a folder, unless it
 *         ends with the extension of the format) */
#define ETC_EXPORT_FORMATS(X)                                                                      \
	X("npy",         NULL, etc_npy_type,         E1153, put_npy,         true)                 \
	X("npz",         NULL, etc_npy_type,         E1153, put_npz,         false)                \
	X("safetensors", NULL, etc_safetensors_type, E1156, put_safetensors, false)
/* clang-format on */
#define ETC_VALUES_FORMATS(X) ETC_TABLE_FORMATS(X) ETC_EXPORT_FORMATS(X)

/* The formats of tables, and the formats of ETC_EXPORT_FORMATS. */
extern const struct etc_format etc_values_formats[];

/* Moves those targets (values of -o) from `t` to `exports` whose format is one of
 * ETC_EXPORT_FORMATS. E0904. */
enum etc_status etc_export_take(struct etc_targets *t, struct etc_targets *exports,
                                struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* Writes the tensors to each target (value of -o) in `exports`. The types of all tensors are
 * checked before any file is created. E1153, E1156: the format lacks a type. E1154: there is no
 * tensor, or there are several for one .npy file. E0903, E0904, E0909. */
enum etc_status etc_export_write(const struct etc_targets *exports,
                                 const struct etc_export *tensors, size_t count,
                                 struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

#endif
