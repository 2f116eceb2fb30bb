/* dump.h -- one dump of a run folder while it is looked at. Its memory is its
 * own: a folder of a thousand dumps needs that of one. */
#ifndef ETC_API_PIPELINE_DUMP_H
#define ETC_API_PIPELINE_DUMP_H

#include "profile/profile.h"
#include "context/session.h"
#include "inspector/inspector.h"
#include "commands/pipeline/kit_csv.h"

struct etc_dump_work {
	struct etc_arena arena;
	struct etc_notes notes;
	struct etc_file file;
	struct etc_trace trace;
};

/* Opens and reads; close it in any case. What reading an ETDump says. */
enum etc_status etc_dump_work_open(struct etc_dump_work *w, const char *path,
                                   const struct etc_limits *limits,
                                   struct etc_error *err) ETC_MUST_CHECK;
void etc_dump_work_close(struct etc_dump_work *w);

/* What the kit sees of it: the Inspector's events, in ms. */
struct etc_dump_kit {
	struct etc_kit_dump dump;
	double v1_ms[5];      /* by categories of kit-v1, as analyze_results adds them up */
	bool v1_seen[5];      /* some row has it */
	uint32_t first_v1[5]; /* the row that it was first seen in: their order */
	uint32_t hints[3];    /* "__neonsme2", "sme2", "neon" in names */
	uint32_t rows;        /* of its table */
};

/* `record`: NULL, or one that the Inspector takes; when it does not take it for this dump,
 * as if there was none. E08xx where the Inspector raises, E0904. */
enum etc_status etc_dump_work_kit(struct etc_dump_work *w, struct etc_str id,
                                  const struct etc_record *record, struct etc_dump_kit *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* The names of kit-v1 in the order above. */
extern const char *const etc_kit_v1_names[5];

/* How many runs have a Method::execute event. */
size_t etc_dump_work_executions(const struct etc_dump_work *w);

#endif
