/* etdump_pages.c -- see etdump_reader.h: controls which pages of the file are in memory. Requests
 * the pages that will be read next, and releases the pages that were read. */
#include "base/file.h"
#include "base/progress.h"
#include "formats/etdump/etdump_hint.h"

/* REACH: number of bytes that the system maps around a byte that is read. A run is loaded ahead if
 * it has at least MANY events, and on average less than EVENT bytes per event. REST: number of
 * events after which pages are released. */
enum { REACH = 64 << 10, MANY = 1 << 12, EVENT = 512, REST = 1 << 18 };

/* Does the dump begin where its input file begins, so that offsets in the dump are offsets in
 * the file? */
static bool is_mapped(const struct etc_etdump_reader *r)
{
	return r->file && r->file->bytes.ptr == r->fb.ptr;
}

void etc_etdump_fetch(struct etc_etdump_reader *r)
{
	size_t len = r->out->used_bytes, runs = r->out->run_count;
	bool all_over = runs >= len / REACH, stays = runs * sizeof *r->runs < len / 8;

	if (is_mapped(r) && all_over && stays)
		etc_file_fetch(r->file, 0, len);
}

void etc_etdump_fetch_events(const struct etc_etdump_reader *r, struct etc_fb_vec events)
{
	size_t a = events.at, b = events.at + 4 * events.count - 4, first, last;

	if (events.count < MANY || !is_mapped(r))
		return;
	a += etc_fb_load32(&r->fb, a);
	b += etc_fb_load32(&r->fb, b);
	first = a < b ? a : b;
	last = a < b ? b : a;
	if (last - first < events.count * EVENT)
		etc_file_fetch(r->file, first, last);
}

bool etc_etdump_is_heavy(const struct etc_etdump_reader *r, size_t samples)
{
	const struct etc_trace *t = r->out;
	size_t lists = r->listed * (sizeof(struct etc_event) + sizeof(struct etc_hint));
	size_t columns = samples * 2 * sizeof *r->start;

	return (lists + columns + t->run_count * sizeof *t->runs) > t->used_bytes / 5;
}

/* Estimates the number of samples of all runs, before run `i` is read. If all events so far were
 * profile events, the estimate is the number of all events. Otherwise, and for a sparse trace, it
 * is the number of samples read so far. */
static size_t samples_to_come(const struct etc_etdump_reader *r, size_t i)
{
	return !r->keep && r->samples == etc_etdump_position(r, i) ? r->events : r->samples;
}

/* Releases the pages of runs `from` to `to` - 1. Writers put the events of a run between its table
 * and the table of the run before it. */
static void release_runs(const struct etc_etdump_reader *r, size_t from, size_t to)
{
	bool falls = r->runs[0].at > r->runs[r->out->run_count - 1].at;
	size_t before = from ? r->runs[from - 1].at : falls ? r->out->used_bytes : 0;
	size_t last = r->runs[to - 1].at;

	if (!r->file || !etc_etdump_is_heavy(r, samples_to_come(r, to)))
		return;
	etc_file_rest_part(r->file, before < last ? before : last, before < last ? last : before);
}

/* Returns the approximate number of bytes of the file up to the end of a run. */
static uint64_t bytes_to(const struct etc_etdump_reader *r, size_t run)
{
	const size_t at = r->runs[run].at;

	return r->runs[0].at > r->runs[r->out->run_count - 1].at ? r->out->used_bytes - at : at;
}

void etc_etdump_rest(struct etc_etdump_reader *r, size_t run, size_t events)
{
	r->since += events;
	if (!r->file || r->since < REST)
		return;
	etc_progress("reading", r->file->path, bytes_to(r, run), r->out->used_bytes);
	release_runs(r, r->rested, run + 1);
	r->rested = run + 1;
	r->since = 0;
}
