/* overlay.h -- `-o model-explorer[=DIR]`: writes times as node data of Model Explorer, with the
 * node ids of Arm's adapters. docs/analysis.md describes the files. */
#ifndef ETC_COMMANDS_ANALYZE_OVERLAY_H
#define ETC_COMMANDS_ANALYZE_OVERLAY_H

#include "commands/analyze/analyze.h"
#include "commands/analyze/answer.h"

/* The formats of `analyze`: those of tables, and model-explorer, which writes several files. */
/* clang-format off */
#define ETC_ANALYZE_FORMATS(X)                                                                     \
	ETC_TABLE_FORMATS(X)                                                                       \
	X("model-explorer", NULL, true, false, NULL)
/* clang-format on */

/* Destination of node data; `wanted` false: not requested. */
struct etc_overlay_target {
	bool wanted;
	const char *folder; /* NULL: the folder of each dump */
};

/* Parses -o model-explorer[=DIR] into `out`; `rest` gets the other formats. E0501 given twice,
 * E0505 no folder after '='. */
enum etc_status etc_overlay_parse(const struct etc_opt_list *options, struct etc_arena *arena,
                                  struct etc_opt_list *rest, struct etc_overlay_target *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Makes the files of all parts in memory, with notes on what they cannot show. E0580 no file can be
 * made, E0605, E0904. */
struct etc_overlay_file;
struct etc_overlay {
	struct etc_overlay_file *files;
	uint32_t count;
};
enum etc_status etc_overlay_make(struct etc_answer *a, const struct etc_overlay_target *target,
                                 struct etc_overlay *out, struct etc_error *err) ETC_MUST_CHECK;

/* Writes the files. Their names are written to `out`, unless `out` gets another report (`quiet`).
 * E0903, E0909. */
enum etc_status etc_overlay_write(const struct etc_overlay *overlay, bool quiet,
                                  struct etc_text *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
