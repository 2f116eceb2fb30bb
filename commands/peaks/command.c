/* command.c -- `etcore peaks`: measures this machine, and writes the section [peaks] of a
 * configuration. */
#include "commands/peaks/compare.h"
#include "commands/peaks/measure.h"
#include "context/output.h"
#include "context/question.h"
#include "context/session.h"

enum { MOST_THREADS = 1024, MOST_SECONDS = 3600 };

struct options {
	struct etc_common_options common;
	struct etc_opt_list output;
	const char *threads, *seconds;
};

/* The peaks that were measured on all threads, and on one thread. */
struct answer {
	struct etc_peaks_found all, one;
	const struct etc_notes *notes;
};

/* Writes a measured peak with three significant digits, or as a whole number if it is 100 or more.
 * Further digits would differ from measurement to measurement. */
static void put_peak(struct etc_text *out, const char *before, const char *key, double value)
{
	if (value > 0)
		etc_text_printf(out, value < 100 ? "%s%s = %.3g\n" : "%s%s = %.0f\n", before, key,
		                value);
}

static void put_keys(struct etc_text *out, const struct etc_peaks *p, const char *before)
{
	for (uint8_t t = 0; t < ETC_WORK_OTHER; t++)
		put_peak(out, before, etc_peak_keys[t], p->gflops[t]);
	put_peak(out, before, "gbps", p->gbps);
	put_peak(out, before, "gbps_cache", p->gbps_cache);
	if (p->cache_bytes)
		etc_text_printf(out, "%scache_bytes = %zu\n", before, p->cache_bytes);
}

static void put_kernels(struct etc_text *out, const struct etc_peaks_found *f)
{
	etc_text_cstr(out, "# products of matrices:");
	for (uint8_t t = 0; t < ETC_WORK_OTHER; t++)
		if (f->name[t])
			etc_text_printf(out, " %s with %s;", etc_work_type_name(t), f->name[t]);
	etc_text_cstr(out, " others are not measured\n");
	etc_text_printf(out, "# memory: STREAM's triad over three arrays of %zu MiB\n",
	                f->array_bytes >> 20);
	if (f->last_cache > f->array_bytes)
		etc_text_printf(out,
		                "# (the last cache has %zu MiB, so gbps may be the speed of that "
		                "cache)\n",
		                f->last_cache >> 20);
}

static void put_ini(void *what, struct etc_text *out)
{
	const struct answer *a = what;

	out->prose = false;
	etc_text_cstr(out, "# measured by etcore peaks: the best of several repetitions\n");
	put_kernels(out, &a->all);
	for (const struct etc_note *n = a->notes->first; n; n = n->next)
		if (n->code == N1304)
			etc_text_printf(out, "# %s  %s: " ETC_STR_FMT "\n",
			                etc_code_info(n->code)->name, etc_code_info(n->code)->title,
			                ETC_STR_ARG(n->text));
	etc_text_cstr(out, "[peaks]\n");
	etc_text_printf(out, "threads = %.0f\n", a->all.peaks.threads);
	put_keys(out, &a->all.peaks, "");
	if (a->all.peaks.threads > 1) {
		etc_text_cstr(out, "\n# on one thread:\n;threads = 1\n");
		put_keys(out, &a->one.peaks, ";");
	}
}

#define PEAKS_FORMATS(X) X("ini", NULL, put_ini)
static const struct etc_format formats[] = ETC_FORMAT_ARRAY(PEAKS_FORMATS, ETC_DOCUMENT_FORMAT);

static const struct etc_opt options[] = {
	ETC_OUTPUT_ROW(struct options, PEAKS_FORMATS, ""),
	{ 0, "threads", ETC_OPT_TEXT, offsetof(struct options, threads), "N", NULL,
	  "number of threads that the model will use (default: all processors of this process)" },
	{ 0, "seconds", ETC_OPT_TEXT, offsetof(struct options, seconds), "N", NULL,
	  "time for all measurements (default: 5)" },
	ETC_CONFIG_ROW(struct options),
	ETC_REPORT_ROWS(struct options),
};

static enum etc_status answer(struct etc_session *s, const void *what,
                              const struct etc_reply *reply, struct etc_error *err)
{
	const struct options *o = what;
	uint64_t threads = etc_peaks_processors(), seconds = 5;
	struct etc_targets targets;
	struct answer a;
	double each;

	if (o->common.operands.count)
		return etc_fail(err, E0501, "peaks takes no operands; it measures this machine");
	ETC_TRY(etc_session_configure(s, &o->common, NULL, 0, 0, err));
	ETC_TRY(etc_targets_parse(&targets, formats, &o->output, &s->arena, err));
	ETC_TRY(etc_opt_count("threads", o->threads, MOST_THREADS, &threads, err));
	ETC_TRY(etc_opt_count("seconds", o->seconds, MOST_SECONDS, &seconds, err));
	if (threads == 0 || seconds == 0)
		return etc_fail(err, E0505, "%s '0'; expected at least 1",
		                threads ? "--seconds" : "--threads");
	each = (double)seconds / (threads > 1 ? 2 : 1);
	ETC_TRY(etc_peaks_measure((unsigned)threads, each, &a.all, err));
	if (threads > 1)
		ETC_TRY(etc_peaks_measure(1, each, &a.one, err));
	a.notes = &s->notes;
	if (threads > 1)
		etc_peaks_compare(&a.all.peaks, &a.one.peaks, &s->notes);
	ETC_TRY(etc_session_report(s, o->common.strict, reply, err));
	return etc_targets_document(&targets, &a, reply->out, err);
}

const struct etc_question etc_ask_peaks = {
	.name = "peaks",
	.summary =
		"what this machine's processor and memory could do at most, for analyze --roofline",
	.usage = "[-o FILE.ini] [--threads N]",
	.examples = "etcore peaks -o peaks.ini\n"
		    "etcore peaks --threads 1 --seconds 2\n"
		    "etcore analyze run.etdump --roofline -c peaks.ini",
	ETC_OPTIONS(struct options),
	.answer = answer,
};
