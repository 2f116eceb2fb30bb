/* overlay.h -- `-o model-explorer[=DIR]`: writes times as "node data" files of Model Explorer, a
 * viewer of graphs. The node ids are those of Arm's adapters. docs/analysis.md describes the
 * files. */
#ifndef ETC_COMMANDS_ANALYZE_OVERLAY_H
#define ETC_COMMANDS_ANALYZE_OVERLAY_H

#include "commands/analyze/analyze.h"
#include "commands/analyze/answer.h"

/* The formats of `analyze`: the formats of tables, and model-explorer, which writes several
 * files. */
/* clang-format off */
#define ETC_ANALYZE_FORMATS(X)                                                                     \
	ETC_TABLE_FORMATS(X)                                                                       \
	X("model-explorer", NULL, true, false, NULL)
/* clang-format on */

/* Where to write the node data for Model Explorer. `wanted` is false if -o model-explorer was not
 * given. */
struct etc_overlay_target {
	bool wanted;
	const char *folder; /* the folder to write to; NULL: the folder of each dump */
};

/* Parses -o model-explorer[=DIR] into `out`, and sets `rest` to the other formats. E0501:
 * model-explorer was given twice. E0505: no folder after '='. */
enum etc_status etc_overlay_parse(const struct etc_opt_list *options, struct etc_arena *arena,
                                  struct etc_opt_list *rest, struct etc_overlay_target *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Makes the files of all parts in memory, and adds a note on each thing that they cannot show.
 * E0580: no file can be made. E0605, E0904. */
struct etc_overlay_file;
struct etc_overlay {
	struct etc_overlay_file *files;
	uint32_t count;
};
enum etc_status etc_overlay_make(struct etc_answer *a, const struct etc_overlay_target *target,
                                 struct etc_overlay *out, struct etc_error *err) ETC_MUST_CHECK;

/* Writes the files, and lists their names in `out`. With `quiet`, the names are not listed, because
 * `out` gets another report. E0903, E0909. */
enum etc_status etc_overlay_write(const struct etc_overlay *overlay, bool quiet,
                                  struct etc_text *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
