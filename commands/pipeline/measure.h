/* measure.h -- reads and checks the log and the dump of one process of a runner. */
#ifndef ETC_COMMANDS_PIPELINE_MEASURE_H
#define ETC_COMMANDS_PIPELINE_MEASURE_H

#include "base/notes.h"
#include "commands/pipeline/model.h"
#include "commands/pipeline/plan.h"
#include "commands/pipeline/runner_file.h"
#include "formats/runner/runner_log.h"

enum etc_block_state {
	ETC_BLOCK_PENDING,
	ETC_BLOCK_OK,
	ETC_BLOCK_FAILED,
	ETC_BLOCK_INTERRUPTED,
	ETC_BLOCK_KEPT,  /* as OK, but measured by an earlier command */
	ETC_BLOCK_STATES /* number of states */
};

/* Returns the word for an enum etc_block_state: "pending", "ok", "failed", "interrupted". For a
 * kept block, it is "ok". */
const char *etc_block_state_text(uint8_t state);

/* The latencies in an ETDump: the time of Method::execute in each run, unmodified. A tick is
 * assumed to be a nanosecond, as in executor_runner. */
struct etc_times {
	/* times of Method::execute in ms, one for each run that has this event, in file order */
	double *execute_ms;
	uint32_t runs;
	double load_ms; /* time of Program::load_method; -1: not logged */
	bool backwards; /* an event ends before it begins */
};

/* The result of one block. Texts are in the arena. */
struct etc_block_result {
	uint8_t state; /* enum etc_block_state */
	/* code of the reason why the block failed; ETC_CODE_NONE: it did not fail */
	enum etc_code code;
	const char *why;
	const char *key; /* SHA-256 of everything that the block's result depends on */
	/* start and end of the process, as etc_time_text() writes them; NULL: unknown */
	const char *started, *finished;
	const char *etdump_sha256; /* SHA-256 of the dump; NULL: there is no dump */
	const char *log_sha256;    /* SHA-256 of the log; NULL: there is no log */
	/* position of this block in the order in which the folder's blocks were measured, from 1;
	 * 0: not measured yet */
	uint32_t order;
	double wall_ms, user_ms, sys_ms, temperature_c, mhz;
	uint64_t peak_rss_kib;
	int exit_status, signal;
	uint32_t executions; /* number of executions that were requested */
	struct etc_runner_log log;
	struct etc_times times;
	const char *foreign; /* why the dump cannot be a dump of the model; NULL: it may be one */
};

struct etc_block_place {
	const struct etc_plan_unit *unit;
	uint32_t block;
	struct etc_notes *notes;
	const struct etc_model *model; /* may be NULL */
};

/* The text of W1077, with the temperature when a process started, and the maximum temperature. */
#define ETC_HEAT_TEXT "%.0f °C when it started; max_temp_c is %.0f"

/* Marks the block as failed, and reports why. If the block has failed before, r->code and r->why
 * keep the first reason. */
void etc_block_fails(const struct etc_block_place *at, struct etc_block_result *r,
                     enum etc_code code, const char *fmt, ...) ETC_PRINTF(4, 5);

/* Reports a warning about the block. The block does not fail. */
void etc_block_warns(const struct etc_block_place *at, enum etc_code code, const char *fmt, ...)
	ETC_PRINTF(3, 4);

/* Reads the log at `log` and the dump at `etdump` (NULL: no dump was requested) into `r`, and
 * reports problems: W1015 to W1024. `executions` is the requested number of executions. E0904. */
enum etc_status etc_block_collect(const struct etc_block_place *at, const char *log,
                                  const char *etdump, uint32_t executions, struct etc_arena *arena,
                                  struct etc_block_result *r, struct etc_error *err) ETC_MUST_CHECK;

/* Compares the times of the executions in the log with the times of Method::execute in the dump. If
 * they contradict each other, sets `*why` to a text that says how. Sets it to NULL if they agree,
 * or cannot be compared.
 *
 * An execution in the log includes its Method::execute, so its time may be longer. The times
 * contradict each other in three cases. (1) In the median, the time in the log is shorter by more
 * than rounding. (2) The quotient of the two times is the same in all executions. (3) In the
 * median, the time in the log is longer by more than a fifth of Method::execute and by more than
 * 0.2 ms. The text is in the arena. E0904. */
enum etc_status etc_block_contradiction(const struct etc_block_result *r, struct etc_arena *arena,
                                        const char **why, struct etc_error *err) ETC_MUST_CHECK;

/* The sources of latencies, the best first. etc_block_source() returns the best source that has a
 * latency for every block; blocks without a latency in any source are ignored. From the lines of
 * the log and from the dump, only latencies after the first `warmup` count. From ETC_SOURCE_TOTAL,
 * a mean counts even if it includes the warm-up. */
enum etc_latency_source {
	ETC_SOURCE_NONE,
	ETC_SOURCE_ITERATIONS, /* a line of the log for each iteration */
	ETC_SOURCE_ETDUMP,     /* the dump: Method::execute of each run */
	ETC_SOURCE_TOTAL       /* one number per block: the mean */
};
const char *etc_latency_source_text(uint8_t source);
uint8_t etc_block_source(const struct etc_block_result *blocks, uint32_t count, uint32_t warmup);

/* Returns the number of a block's latencies in `source`, without those of the first `warmup`
 * executions. If `out` is not NULL, copies these latencies to it, in ms. ETC_SOURCE_TOTAL has one
 * latency: the mean of all executions, including the warm-up. */
uint32_t etc_block_latencies(const struct etc_block_result *r, uint8_t source, uint32_t warmup,
                             double *out);

#endif
