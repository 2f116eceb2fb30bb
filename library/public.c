/* public.c -- errors, locale and output of the library's functions; see public.h */
#define _GNU_SOURCE /* newlocale */
#include "library/public.h"

#include <stdio.h>

void etc_public_copy(void *out, const void *all, size_t size)
{
	uint32_t room;

	if (!out)
		return;
	memcpy(&room, out, sizeof room);
	if (room <= sizeof room)
		return;
	memcpy((char *)out + sizeof room, (const char *)all + sizeof room,
	       (room < size ? room : size) - sizeof room);
}

static struct etcore_diagnostic diagnostic(const struct etc_code_info *info, struct etc_str file,
                                           struct etc_str text)
{
	struct etcore_diagnostic d = {
		.status = info->status,
		.severity = info->letter == 'E'   ? ETCORE_SEVERITY_ERROR
		            : info->letter == 'W' ? ETCORE_SEVERITY_WARNING
		                                  : ETCORE_SEVERITY_NOTE,
		.offset = -1,
		.count = 1,
		.code = info->name,
		.hint = info->hint,
	};

	if (info->name[0])
		snprintf(d.see, sizeof d.see, "etcore explain %s", info->name);
	snprintf(d.file, sizeof d.file, ETC_STR_FMT, ETC_STR_ARG(file));
	etc_code_message(info, text, d.message, sizeof d.message);
	return d;
}

void etc_public_diagnostic(struct etcore_diagnostic *out, const struct etc_code_info *info,
                           struct etc_str file, struct etc_str text, uint64_t count)
{
	struct etcore_diagnostic d = diagnostic(info, file, text);

	d.count = count;
	etc_public_copy(out, &d, sizeof d);
}

int etc_public_error(struct etcore_diagnostic *out, enum etc_status st, const struct etc_error *err)
{
	struct etcore_diagnostic d;

	if (st == ETC_OK)
		return ETCORE_STATUS_OK;
	d = diagnostic(etc_code_info(err->code), etc_str_of(err->file), etc_str_of(err->text));
	d.status = (int32_t)st;
	d.offset = err->at;
	d.line = err->line;
	etc_public_copy(out, &d, sizeof d);
	return (int)st;
}

/* Replaces the error in `*err` by E0904, because the failed allocation may have caused that error:
 * for example, a file next to the dump may have seemed to be missing, or a name to be invalid. */
static enum etc_status what_came_of_it(const struct etc_refusal *r, struct etc_error *err)
{
	const struct etc_error was = *err;

	return etc_in_file(err,
	                   etc_fail(err, E0904, "%zu bytes; therefore, perhaps: %s: %s", r->wanted,
	                            etc_code_info(was.code)->name, was.text),
	                   was.file);
}

enum etc_status etc_public_whole(enum etc_status st, struct etc_error *err)
{
	struct etc_refusal r = etc_memory_refused();
	size_t used;

	if (!r.wanted)
		return st;
	if (st == ETC_OK || st == ETC_FINDING || st == ETC_NO_VERDICT)
		st = etc_fail(err, E0904,
		              "%zu bytes, without which the answer would lack something", r.wanted);
	else if (st != ETC_NOMEM && st != ETC_LIMIT && err->code != E0903)
		st = what_came_of_it(&r, err);
	/* E0903 without a file name means that the memory for a text was exhausted. */
	if (err->code == E0903 && !err->file[0])
		st = etc_fail(err, E0904, "the answer");
	used = strlen(err->text);
	if (!r.budget || (err->code != E0904 && err->code != E0905))
		return st;
	snprintf(err->text + used, sizeof err->text - used,
	         "; the budget of %zu bytes ([limits] max_memory) is used up", r.budget);
	err->code = E0905;
	return ETC_LIMIT;
}

struct etc_locale etc_locale_enter(void)
{
	/* newlocale() returns a static object for "C", so nothing is freed; if it fails, the
	 * caller's locale stays. */
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);

	return (struct etc_locale){ uselocale(c) };
}

struct etc_locale etc_locale_stay(void)
{
	return (struct etc_locale){ uselocale((locale_t)0) };
}

void etc_locale_leave(struct etc_locale l)
{
	locale_t c = uselocale(l.callers);

	if (c != l.callers && c != LC_GLOBAL_LOCALE)
		freelocale(c);
}

enum etc_status etc_receive_begin(struct etc_text *out, struct etc_common_options *options,
                                  struct etc_error *err)
{
	struct etc_receiver *r = out->arg;
	uint64_t width = 0;

	ETC_TRY(etc_opt_count("width", options->width_text, UINT32_MAX, &width, err));
	options->width = (uint32_t)width;
	r->of = out;
	r->fold = (struct etc_fold){ .width = options->width, .ascii = options->ascii };
	return ETC_OK;
}

static bool hand_over(struct etc_receiver *r, struct etc_str chunk)
{
	locale_t ours;

	if (!r->write || r->stopped || !chunk.len)
		return !r->stopped;
	ours = uselocale(r->locale.callers);
	r->stopped = r->write(r->arg, chunk.ptr, chunk.len) != 0;
	uselocale(ours);
	return !r->stopped;
}

bool etc_receive(void *receiver, struct etc_str chunk)
{
	struct etc_receiver *r = receiver;
	struct etc_text folded = { 0 };
	bool whole;

	if (!r->of->prose || !(r->fold.width || r->fold.ascii))
		return hand_over(r, chunk);
	etc_fold_put(&r->fold, chunk, &folded);
	whole = !folded.failed && hand_over(r, etc_text_str(&folded));
	etc_text_release(&folded);
	return whole;
}

/* Passes the rest of the report, a last line without a line break, to the receiver. */
static bool receive_rest(struct etc_receiver *r)
{
	struct etc_text rest = { 0 };
	bool whole;

	etc_fold_end(&r->fold, &rest);
	whole = !rest.failed && hand_over(r, etc_text_str(&rest));
	etc_text_release(&rest);
	return whole;
}

enum etc_status etc_receive_end(struct etc_text *out, enum etc_status st, struct etc_error *err)
{
	struct etc_receiver *r = out->arg;

	bool salvaged = st == ETC_CORRUPT && err->code == W0226;

	/* there is a report after success, after a check that failed, and for the salvaged part of
	 * a file */
	if ((st == ETC_OK || st == ETC_FINDING || st == ETC_NO_VERDICT || salvaged) &&
	    !(etc_text_flush(out) && receive_rest(r)))
		st = r->stopped ? etc_fail(err, E0903, "the receiver of the answer stopped it")
		                : etc_fail(err, E0904, "the answer");
	etc_text_release(&r->fold.line);
	etc_text_release(out);
	return st;
}
