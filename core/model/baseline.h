/* baseline.h -- profiles that `etcore baseline save` stores for later comparisons.
 *
 * commands/compare reads and writes a file "etcore.baseline/1" with the data that a comparison
 * needs: for each dump, a profile by event and a profile by delegate, both with the times of each
 * run. */
#ifndef ETC_MODEL_BASELINE_H
#define ETC_MODEL_BASELINE_H

#include "model/profile.h"

#define ETC_BASELINE_FORMAT "etcore.baseline/"
enum { ETC_BASELINE_VERSION = 1 };

/* A dump is stored as two profiles: one with a row for each event, one with a row for each
 * delegate. */
enum { ETC_BASELINE_EVENT, ETC_BASELINE_DELEGATE, ETC_BASELINE_VIEWS };

/* The files that a profile was made from, in the order in which reports list them. */
enum {
	ETC_BASELINE_DUMP,
	ETC_BASELINE_RECORD,
	ETC_BASELINE_BUFFER,
	ETC_BASELINE_PROGRAM,
	ETC_BASELINE_FILES
};

struct etc_baseline_file {
	/* path of the file as the user gave it; empty: there was no such file */
	struct etc_str path;
	struct etc_str sha256;
	uint64_t bytes;
};

/* A note or warning about the dump. */
struct etc_baseline_note {
	struct etc_str code; /* "W0422"; may be a code that only a newer etcore has */
	struct etc_str file, text;
	uint64_t count;
	/* true: the note was reported when the profile was computed; false: when the dump was
	 * read */
	bool of_profile;
};

#define ETC_BASELINE_TYPICAL "near the median"

struct etc_baseline_dump {
	struct etc_baseline_file files[ETC_BASELINE_FILES];
	struct etc_str etcore;         /* version of etcore that wrote the baseline */
	const struct etc_str *plugins; /* plugins that were used, such as "xnnpack 1.0.0" */
	uint32_t plugin_count;
	/* the rule by which typical runs were chosen: ETC_BASELINE_TYPICAL; empty: an older rule */
	struct etc_str typical;
	uint64_t warmup; /* number of warm-up runs that was requested; a path may have fewer */
	const struct etc_baseline_note *notes;
	uint32_t note_count;
	struct etc_profile views[ETC_BASELINE_VIEWS];
};

struct etc_baseline {
	const struct etc_baseline_dump *dumps;
	uint32_t count;
};

#endif
