/* limits.c -- see limits.h */
#include "model/limits.h"

#include "base/cpus.h"
#include "base/parallel.h"

enum { JOBS_FROM = 64 << 20 };

unsigned etc_limits_jobs(const struct etc_limits *limits, size_t bytes)
{
	struct etc_cpus cpus;
	uint32_t jobs;

	if (!limits || limits->jobs == 1 ||
	    bytes <= (limits->jobs_from ? limits->jobs_from : JOBS_FROM))
		return 1;
	jobs = limits->jobs;
	if (jobs == 0)
		jobs = etc_cpus_get(&cpus) == 0 ? etc_cpus_count(&cpus) : 1;
	return jobs == 0 ? 1 : jobs < ETC_JOBS_MAX ? jobs : ETC_JOBS_MAX;
}
