/* fuzz_pipeline.c -- reads any bytes as a pipeline's configuration: the result must be an error
 * with a code, or a configuration from which a plan can be made. Also reads the bytes as a runner's
 * log and as the bindings that the dynamic loader lists (LD_DEBUG=bindings). */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands/pipeline/kernels.h"
#include "commands/pipeline/plan.h"
#include "formats/runner/runner_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_config(const char *path, struct etc_arena *arena)
{
	struct etc_error err = { .at = -1 };
	struct etc_pipeline_config c;
	struct etc_run_plan plan;
	struct etc_notes notes;
	size_t runs = 0, want = 0;

	etc_notes_init(&notes, arena);
	if (etc_pipeline_config_read(path, NULL, 0, arena, &notes, &c, &err) != ETC_OK) {
		require(err.code != ETC_CODE_NONE);
		return;
	}
	for (uint32_t i = 0; i < c.experiment_count; i++) {
		require(c.experiments[i].name && c.experiments[i].runs > 0);
		if (c.experiments[i].runs > 1000 || c.schedule.blocks > 1000)
			return;
		want += c.experiments[i].mode == ETC_MODE_TIMING
		                ? (size_t)c.experiments[i].runs * c.experiments[i].threads.count
		                : 0;
	}
	if (etc_run_plan_make(&c, NULL, 0, arena, &plan, &err) != ETC_OK) {
		require(err.code == E1004 || err.code == E0904);
		return;
	}
	for (uint32_t i = 0; i < plan.job_count; i++)
		if (plan.units[plan.jobs[i].unit].experiment->mode == ETC_MODE_TIMING)
			runs += plan.jobs[i].runs;
	require(runs == want);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct etc_str text = { (const char *)data, size };
	struct etc_seen_kernels kernels = { 0 };
	struct etc_runner_log log;
	struct etc_arena arena;
	struct etc_error err;
	char path[64];
	int fd = memfd_create("pipeline", 0);

	require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	etc_arena_init(&arena, 64 << 20);
	check_config(path, &arena);
	require(etc_runner_log_read(text, &arena, &log, &err) == ETC_OK);
	require(etc_kernels_from_log(text, &arena, &kernels, &err) == ETC_OK);
	require(etc_kernels_from_bindings(text, &arena, &kernels, &err) == ETC_OK);
	etc_arena_release(&arena);
	close(fd);
	return 0;
}
