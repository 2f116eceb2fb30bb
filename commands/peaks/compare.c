/* compare.c -- compares peaks of several threads with those of one; see compare.h */
#include "commands/peaks/compare.h"

const char *const etc_peak_keys[ETC_WORK_OTHER] = { "gflops_fp32", "gflops_fp16", "gflops_bf16",
	                                            "gflops_int8" };

/* A peak counts as lower than another peak if it is below this fraction of the other peak. Repeated
 * measurements of the same peak differ by a few percent. */
static const double CLEARLY = 0.95;

static void compare(const char *key, double several, double threads, double one,
                    struct etc_notes *notes)
{
	if (several > 0 && several < CLEARLY * one)
		etc_note_each(notes, N1304, "%s: %.3g with %.0f threads, %.3g with one", key,
		              several, threads, one);
}

void etc_peaks_compare(const struct etc_peaks *several, const struct etc_peaks *one,
                       struct etc_notes *notes)
{
	for (uint8_t t = 0; t < ETC_WORK_OTHER; t++)
		compare(etc_peak_keys[t], several->gflops[t], several->threads, one->gflops[t],
		        notes);
	compare("gbps", several->gbps, several->threads, one->gbps, notes);
	compare("gbps_cache", several->gbps_cache, several->threads, one->gbps_cache, notes);
}
