/* config.h -- reads the configuration of a pipeline, which states what is measured, and how.
 *
 * Accepts the JSON of all generations of Arm's profiling kit, and an INI file with the same keys
 * (command_new.c writes one). Some keys do not exist in the kit: schedule, roles, environment,
 * inputs, targets, time limits. For an unknown key, the nearest known name is reported; the kit
 * silently ignores unknown keys. */
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
	/* path of the runner; NULL: the configuration has neither `runner_path` nor
	 * `quiet_runner` */
	const char *runner_path;
	const char *quiet_runner; /* path that is used if runner_path is missing or empty */
	uint8_t mode, role;
	/* number of measured executions, and of warm-up executions before them */
	uint32_t runs, warmup;
	struct etc_numbers threads;
	struct etc_words extra_args; /* additional arguments of the runner */
	/* environment variables of the runner, as NAME=VALUE */
	struct etc_words env;
	struct etc_words inputs; /* files for the runner's --inputs */
	/* arguments for the runner's options --method, --data_path and --print_output; NULL: the
	 * option is not passed */
	const char *method, *data_path, *print_output;
	/* processors on which the runner may run, for etc_cpus_parse(); NULL: any */
	const char *cpu_affinity;
	/* where the runner is executed: "local", "adb" or "adb:SERIAL"; NULL: the target in
	 * [device] */
	const char *target;
	const char *expect_sha256; /* expected SHA-256 of the runner; NULL: it is not checked */
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
		/* number of blocks. The runs of an experiment at one number of threads are divided
		 * among this many processes */
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

/* Returns the time limit of one process in ms, rounded up; 0: no limit. */
unsigned etc_experiment_limit_ms(const struct etc_experiment *x);

/* Is the name usable for a folder and for files? It must not contain '/' or a control character,
 * must not start with '.' or '-', and must have at most 128 bytes. */
bool etc_experiment_named(const char *name);

/* Reads the configuration at `path`. The file is JSON if it starts with '{', '"', or a '[' that is
 * not followed by a letter; else it is INI. Then applies the options KEY=VALUE in `set`. A KEY is a
 * key of [pipeline], of schedule, gates or device, or of all experiments; SECTION.KEY or
 * EXPERIMENT.KEY is the key of one section or experiment. Texts are in the arena. E1001: there is
 * no configuration. E1002: a value is wrong. W1003: a key is unknown. E0901, E0902, E0904, and
 * E0510 to E0520 for INI files. */
enum etc_status etc_pipeline_config_read(const char *path, const char *const *set,
                                         uint32_t set_count, struct etc_arena *arena,
                                         struct etc_notes *notes, struct etc_pipeline_config *out,
                                         struct etc_error *err) ETC_MUST_CHECK;

const char *etc_mode_text(uint8_t mode);
const char *etc_role_text(uint8_t role);
const char *etc_order_text(uint8_t order);

#endif
