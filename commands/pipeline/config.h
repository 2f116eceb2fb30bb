/* config.h -- the configuration of a pipeline: what to measure, and how.
 *
 * Accepts the JSON of all generations of Arm's profiling kit, and an INI file with the same keys
 * (command_new.c writes one). Keys that the kit lacks: schedule, roles, environment, inputs,
 * targets, time limits. An unknown key is reported with the nearest known name; the kit ignores it
 * silently. */
#ifndef ETC_COMMANDS_PIPELINE_CONFIG_H
#define ETC_COMMANDS_PIPELINE_CONFIG_H

#include "base/arena.h"
#include "base/error.h"
#include "base/notes.h"
#include "commands/pipeline/gates.h"

enum { ETC_PIPELINE_EXPERIMENTS_MAX = 1024, ETC_PIPELINE_LIST_MAX = 4096 };

enum etc_pipeline_mode { ETC_MODE_TIMING, ETC_MODE_XNNTRACE };
enum etc_pipeline_role { ETC_ROLE_NONE, ETC_ROLE_BASELINE, ETC_ROLE_CANDIDATE, ETC_ROLE_OTHER };
enum etc_pipeline_order { ETC_ORDER_SEQUENTIAL, ETC_ORDER_INTERLEAVE, ETC_ORDER_ABBA };

/* A list of texts, each terminated by NUL. */
struct etc_words {
	const char **v;
	uint32_t count;
};

struct etc_numbers {
	const uint32_t *v;
	uint32_t count;
};

struct etc_experiment {
	const char *name;
	/* path of the runner; NULL: neither `runner_path` nor `quiet_runner` is set */
	const char *runner_path;
	const char *quiet_runner; /* used if runner_path is missing or empty */
	uint8_t mode, role;
	/* runs: number of measured executions; warmup: number of warm-up executions before them */
	uint32_t runs, warmup;
	struct etc_numbers threads;
	struct etc_words extra_args; /* additional arguments of the runner */
	/* environment variables of the runner, as NAME=VALUE */
	struct etc_words env;
	struct etc_words inputs; /* files for the runner's --inputs */
	/* arguments of the runner's options of these names; NULL: the option is not passed */
	const char *method, *data_path, *print_output;
	const char *cpu_affinity; /* a list as in base/cpus.h, or NULL */
	/* where the runner runs: "local", "adb", "adb:SERIAL"; NULL: the target in [device] */
	const char *target;
	const char *expect_sha256; /* expected SHA-256 of the runner, or NULL */
	double timeout_s;          /* time limit of one process in seconds; 0: none */
	bool etdump;
};

struct etc_compare_pair {
	const char *label, *baseline, *candidate; /* names of experiments */
	uint32_t baseline_threads, candidate_threads;
};

struct etc_pipeline_config {
	const char *path;
	const char *model, *output_root; /* NULL: not set */
	struct etc_experiment *experiments;
	struct etc_compare_pair *pairs;
	uint32_t experiment_count, pair_count;
	struct {
		uint8_t order; /* enum etc_pipeline_order */
		/* number of blocks: processes among which the runs of an experiment at one number
		 * of threads are divided */
		uint32_t blocks;
		uint32_t cooldown_ms;
		double max_temp_c; /* 0: the temperature is not checked */
	} schedule;
	struct etc_gates gates;
	struct {
		const char *target, *dir; /* NULL: not set */
	} device;
};

void etc_experiment_defaults(struct etc_experiment *e);

/* The time limit of one process in ms, rounded up; 0: none. */
unsigned etc_experiment_limit_ms(const struct etc_experiment *x);

/* Is the name fit for a folder and for file names? It must not contain '/' or a control character,
 * start with a dot or '-', or be longer than 128 bytes. */
bool etc_experiment_named(const char *name);

/* Reads the configuration at `path`. The file is JSON if it starts with '{', '"', or a '[' that no
 * letter follows; else it is INI. Then applies the options in `set`, KEY=VALUE: KEY is a key of
 * [pipeline], of schedule, gates or device, or of all experiments. SECTION.KEY or EXPERIMENT.KEY
 * selects one of these. Texts are the arena's. E1001 no configuration, E1002 a wrong value; notes
 * W1003, an unknown key. E0901, E0902, E0904, and E0510 to E0520 of INI files. */
enum etc_status etc_pipeline_config_read(const char *path, const char *const *set,
                                         uint32_t set_count, struct etc_arena *arena,
                                         struct etc_notes *notes, struct etc_pipeline_config *out,
                                         struct etc_error *err) ETC_MUST_CHECK;

const char *etc_mode_text(uint8_t mode);
const char *etc_role_text(uint8_t role);
const char *etc_order_text(uint8_t order);

#endif
