/* dump.h -- one dump of a run folder while it is processed. The memory of a dump is released when
 * the dump is closed, so processing a thousand dumps needs no more memory than one dump. */
#ifndef ETC_COMMANDS_PIPELINE_DUMP_H
#define ETC_COMMANDS_PIPELINE_DUMP_H

#include "profile/profile.h"
#include "inspector/inspector.h"
#include "commands/pipeline/kit_csv.h"

struct etc_dump_work {
	struct etc_arena arena;
	struct etc_notes notes;
	struct etc_file file;
	struct etc_trace trace;
};

/* Opens and reads the dump. The caller must call etc_dump_work_close(), even after an error.
 * Returns the errors of reading an ETDump. */
enum etc_status etc_dump_work_open(struct etc_dump_work *w, const char *path,
                                   const struct etc_limits *limits,
                                   struct etc_error *err) ETC_MUST_CHECK;
void etc_dump_work_close(struct etc_dump_work *w);

/* The data for the kit's tables: the Inspector's events, in ms. */
struct etc_dump_kit {
	struct etc_kit_dump dump;
	/* time of each category of kit-v1, added up as in the kit's program analyze_results */
	double v1_ms[5];
	bool v1_seen[5]; /* for each category: does at least one row have it? */
	/* per category: number, from 1, of the first row that has it; 0: no row. The kit lists
	 * categories in the order of these numbers */
	uint32_t first_v1[5];
	/* how often each text of etc_kit_hints ("sme2", ...) occurs in the names of events, from
	 * which the kit tells the kind of kernels */
	uint32_t hints[3];
	uint32_t rows; /* number of rows of the Inspector's table */
};

/* Makes the data for the kit's tables, with the record `record` (NULL: without). If the Inspector
 * would raise an exception with the record, makes the data without the record. E08xx: the Inspector
 * would raise an exception even without a record. E0904. */
enum etc_status etc_dump_work_kit(struct etc_dump_work *w, struct etc_str id,
                                  const struct etc_record *record, struct etc_dump_kit *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* The names of kit-v1's categories, in the order of v1_ms. */
extern const char *const etc_kit_v1_names[5];

/* The texts that etc_dump_kit.hints counts, in the same order: "__neonsme2", "sme2", "neon". Upper
 * and lower case count as equal. */
extern const char *const etc_kit_hints[3];

/* Is `e` the runtime's event of a method's execution, Method::execute? */
static inline bool etc_event_is_execute(const struct etc_event *e)
{
	return e->kind == ETC_EVENT_PROFILE && !etc_event_is_delegate(e) &&
	       etc_str_eq(etc_event_name(e), ETC_STR("Method::execute"));
}

/* Returns the number of runs that have a Method::execute event. */
size_t etc_dump_work_executions(const struct etc_dump_work *w);

#endif
