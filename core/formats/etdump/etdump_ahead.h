/* etdump_ahead.h -- the events of all runs, read by one thread or by several.
 *
 * A loop of a benchmark logs the same list of events again and again. Once a run was
 * like one before, or is as long as the next, those that are left are cut into ranges, some
 * for each thread. The first goes on as before; each of the others is read ahead by whichever
 * thread has nothing to do: it follows shapes that are known already, and stops at the first
 * run that follows none, or is odd in any way. What was read of a range is taken when its turn
 * comes, the rest is read as ever. So shapes are numbered, texts judged and errors found
 * by one thread only, and a trace is the same however many there are.
 *
 * Not for others than the ETDump reader. */
#ifndef ETC_READ_ETDUMP_AHEAD_H
#define ETC_READ_ETDUMP_AHEAD_H

#include "formats/etdump/etdump_reader.h"

/* A reader for another thread, without memory of its own; what it finds odd goes to `found`. */
void etc_etdump_apart(const struct etc_etdump_reader *r, struct etc_etdump_reader *apart,
                      struct etc_trace *found);

/* Has such a reader come upon what is to be told, or paid for, in the order of the file? */
bool etc_etdump_is_odd(const struct etc_etdump_reader *apart);

/* etdump_heads.c: of many runs of `all` behind run `i`, reads those that are like it but for
 * their events, with r->jobs threads. Of those in r->runs `at` is set and `head`, and first_sample
 * is the number of events; all else is left to whoever takes them in order. */
void etc_heads_ahead(struct etc_etdump_reader *r, struct etc_fb_vec all, size_t i);

/* Of a run that was looked at: asks for the same of one that comes some runs later. */
void etc_heads_prefetch(struct etc_etdump_reader *r, struct etc_fb_table run,
                        struct etc_fb_vec events, struct etc_str name);

/* Reads the events of run `i`, whatever they are. */
typedef enum etc_status etc_run_reader(struct etc_etdump_reader *r, size_t i,
                                       struct etc_error *err);

/* All runs, in order, with r->jobs threads. When it is called runs[i].first_sample is the
 * number of events of all runs before. What `read` returns. */
enum etc_status etc_etdump_runs(struct etc_etdump_reader *r, etc_run_reader *read,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
