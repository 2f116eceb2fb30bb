/* farm.c -- see batch.h: assigns dumps to worker processes, and replaces workers that exit. */
#define _DEFAULT_SOURCE
#include "commands/analyze/batch/batch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/stop.h"

enum { WORKERS_MOST = 256, WAIT_MS = 200, FORKS_MOST = 3 };

/* A dump that a worker has analysed, but whose rows it has not written yet. */
struct held {
	struct etc_order order;
	bool failed;
};

struct hand {
	/* process id of the worker, and the connection to it; fd is -1 if no worker runs */
	int pid, fd;
	uint32_t number, nth;
	bool busy;              /* the worker works on `order` */
	struct etc_order order; /* current order; its run_id is set when the worker has sent it */
	uint64_t since;
	struct held *held;
	uint32_t held_count, held_room;
};

struct farm {
	struct etc_batch *batch;
	struct hand hands[WORKERS_MOST];
	uint32_t hand_count, numbers;
	uint32_t next; /* index of the first dump that was not given to a worker yet */
	/* orders of workers that ended; other workers will get these orders */
	struct etc_order *again;
	uint32_t again_count, again_room;
	uint32_t vain; /* number of workers that ended since a dump was last finished */
	/* number of dumps after which a worker must write its rows; lowered if a worker runs out of
	 * memory */
	uint32_t held_most;
	struct etc_batch_counts *counts;
	bool stopped;
	int progress;
	uint64_t begun, shown;
	struct etc_error *err;
	enum etc_status st;
};

static void fail(struct farm *f, enum etc_status st)
{
	if (f->st == ETC_OK)
		f->st = st;
}

/* ---- workers ------------------------------------------------------------------------- */

static bool start(struct farm *f, struct hand *h)
{
	h->number = f->numbers++;
	h->nth = 0;
	h->busy = false;
	for (int i = 0; i < FORKS_MOST; i++) {
		h->pid = etc_process_fork(&h->fd);
		if (h->pid == 0)
			_exit(etc_batch_work(f->batch, h->fd, h->number));
		if (h->pid > 0)
			return true;
	}
	h->fd = -1;
	return false;
}

static void send_order(struct hand *h)
{
	ssize_t n;

	/* an error is ignored: if the worker has ended, reading from the socket shows it */
	do
		n = send(h->fd, &h->order, sizeof h->order, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
}

static void order(struct hand *h, const struct etc_order *what)
{
	h->order = *what;
	h->busy = true;
	h->since = etc_process_now();
	send_order(h);
}

static void do_again(struct farm *f, const struct etc_order *what)
{
	struct etc_order *new =
		ETC_APPEND(f->batch->arena, f->again, f->again_count, f->again_room);

	if (new)
		*new = *what;
	else
		fail(f, etc_no_memory(f->err));
}

/* Sets *to to the order for the next dump. Returns false if no dump is left, or if `batch` was
 * stopped. */
static bool next_order(struct farm *f, struct etc_order *to)
{
	if (f->stopped)
		return false;
	if (f->again_count) {
		*to = f->again[--f->again_count];
		return true;
	}
	while (f->next < f->batch->items.count &&
	       etc_parts_has(&f->batch->parts, f->batch->items.v[f->next])) {
		f->next++;
		f->counts->before++;
	}
	*to = (struct etc_order){ .what = ETC_ORDER_DUMP, .item = f->next };
	return f->next < f->batch->items.count && ++f->next;
}

static void give(struct farm *f, struct hand *h)
{
	const struct etc_order write = { .what = ETC_ORDER_WRITE };
	struct etc_order next;

	if (next_order(f, &next))
		order(h, &next);
	else if (h->held_count)
		order(h, &write);
}

/* ---- when a worker ends -------------------------------------------------------------- */

/* Queues again the dumps whose rows the ended worker `h` held but had not written. */
static void do_held_again(struct farm *f, struct hand *h)
{
	for (uint32_t i = 0; i < h->held_count; i++) {
		f->counts->done--;
		f->counts->failed -= h->held[i].failed;
		do_again(f, &h->held[i].order);
	}
}

/* Counts a worker that has ended. If too many workers end in succession and none finishes a dump
 * (for example because memory is short), the run fails, since new workers would end in the same
 * way. */
static void note_end(struct farm *f, int status)
{
	if (++f->vain <= FORKS_MOST * (f->hand_count + 1))
		return;
	if (WIFEXITED(status) && WEXITSTATUS(status) == ETC_NOMEM)
		fail(f, etc_no_memory(f->err));
	else
		fail(f, etc_fail(f->err, E0902, "%u processes ended before a dump was done",
		                 (unsigned)f->vain));
}

/* Did the worker run out of memory because it held rows of other dumps? If so, workers hold fewer
 * rows from now on. */
static bool held_too_much(struct farm *f, const struct hand *h, int status)
{
	if (!WIFEXITED(status) || WEXITSTATUS(status) != ETC_NOMEM || !(h->held_count || h->nth))
		return false;
	if (h->held_count > 1 && f->held_most > h->held_count / 2)
		f->held_most = h->held_count / 2;
	return true;
}

/* Handles the end of a worker. The dump that it was analysing is recorded as lost, or is analysed
 * again if the worker ran out of memory because of the rows of other dumps. Dumps that the worker
 * had finished are analysed again, unless their rows were written. */
static void lost(struct farm *f, struct hand *h, int status, bool late)
{
	const bool full = !late && held_too_much(f, h, status);
	struct etc_order o = h->order;

	if (h->busy && o.what == ETC_ORDER_DUMP && !full) {
		o.what = ETC_ORDER_LOST;
		o.code = late ? E1205 : E1204;
		if (late)
			snprintf(o.text, sizeof o.text, "more than %llu s",
			         (unsigned long long)f->batch->limit_ms / 1000);
		else if (WIFSIGNALED(status))
			snprintf(o.text, sizeof o.text, "by %s", etc_signal_name(WTERMSIG(status)));
		else
			snprintf(o.text, sizeof o.text, "with status %d: %s", WEXITSTATUS(status),
			         etc_status_text((enum etc_status)WEXITSTATUS(status)));
	}
	if (h->busy && o.what != ETC_ORDER_WRITE)
		do_again(f, &o);
	if (h->held_count && !etc_parts_settle(&f->batch->parts, h->number, h->nth))
		do_held_again(f, h);
	h->held_count = 0;
	h->busy = false;
}

/* Closes the connection and waits for the end of the worker. `late`: kills the worker first,
 * because it exceeded the time limit, or because the whole command failed. */
static void end(struct farm *f, struct hand *h, bool late)
{
	int status = 0;

	if (h->fd < 0)
		return;
	/* workers forked later have copies of `fd`, so close() alone would not end the
	 * connection */
	shutdown(h->fd, SHUT_RDWR);
	close(h->fd);
	h->fd = -1;
	if (late)
		kill(h->pid, SIGKILL);
	while (waitpid(h->pid, &status, 0) < 0 && errno == EINTR)
		;
	lost(f, h, status, late);
	if (f->st == ETC_OK)
		note_end(f, status);
}

/* ---- words --------------------------------------------------------------------------- */

static void hold(struct farm *f, struct hand *h, bool failed)
{
	struct held *new = ETC_APPEND(f->batch->arena, h->held, h->held_count, h->held_room);

	f->counts->failed += failed;
	f->counts->done++;
	f->vain = 0;
	if (new)
		*new = (struct held){ h->order, failed };
	else
		fail(f, etc_no_memory(f->err));
}

static void answer_id(struct farm *f, struct hand *h, const char *run_id)
{
	const struct etc_str id = { run_id, ETC_HEX };
	struct etc_order reply = h->order;
	size_t owner = etc_map_intern(&f->batch->parts.ids, id, h->order.item);

	memcpy(h->order.run_id, run_id, sizeof h->order.run_id);
	reply.what = owner == h->order.item ? ETC_ORDER_GO : ETC_ORDER_KNOWN;
	if (owner == ETC_MAP_NONE)
		fail(f, etc_no_memory(f->err));
	(void)send(h->fd, &reply, sizeof reply, MSG_NOSIGNAL);
}

static void hear(struct farm *f, struct hand *h)
{
	const struct etc_order write = { .what = ETC_ORDER_WRITE };
	struct etc_word word;
	ssize_t n = recv(h->fd, &word, sizeof word, MSG_DONTWAIT);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n < (ssize_t)offsetof(struct etc_word, error)) {
		end(f, h, false);
		return;
	}
	switch ((enum etc_word_kind)word.what) {
	case ETC_WORD_ID:
		answer_id(f, h, word.run_id);
		return;
	case ETC_WORD_DONE:
		h->busy = false;
		hold(f, h, word.failed);
		if (word.full || h->held_count >= f->held_most)
			order(h, &write);
		return;
	case ETC_WORD_PARTS:
		h->busy = false;
		h->nth++;
		h->held_count = 0;
		return;
	case ETC_WORD_FAILED:
		/* the worker holds the rows of several dumps. They are analysed again, in smaller
		 * groups, since fewer rows need less memory */
		if (word.error.code == E0904 && h->held_count > 1) {
			end(f, h, false);
			return;
		}
		if (f->st == ETC_OK)
			*f->err = word.error;
		fail(f, (enum etc_status)etc_code_info(word.error.code)->status);
		end(f, h, false);
		return;
	}
}

/* ---- progress ------------------------------------------------------------------------ */

static void show(struct farm *f)
{
	const uint64_t now = etc_process_now(), took = now - f->begun;
	const uint32_t all = f->batch->items.count - f->counts->before;
	char line[160];
	double rate;

	if (!f->progress || now - f->shown < 1000 || took < 1000)
		return;
	f->shown = now;
	rate = f->counts->done * 1000.0 / (double)took;
	snprintf(line, sizeof line,
	         "\r\033[K%u of %u dumps, %u with errors, %.0f per second, about %.0f s left",
	         (unsigned)f->counts->done, (unsigned)all, (unsigned)f->counts->failed, rate,
	         rate > 0 ? (all > f->counts->done ? all - f->counts->done : 0) / rate : 0.0);
	etc_descriptor_write(f->progress, etc_str_of(line));
}

/* ---- the loop ------------------------------------------------------------------------ */

static void keep_time(struct farm *f)
{
	const uint64_t now = etc_process_now();

	for (uint32_t i = 0; i < f->hand_count; i++) {
		struct hand *h = &f->hands[i];

		if (h->fd >= 0 && h->busy && h->order.what == ETC_ORDER_DUMP &&
		    now - h->since > f->batch->limit_ms)
			end(f, h, true);
	}
}

/* Assigns work to every free worker, and replaces those that exited. Returns false when all work is
 * done. */
static bool employ(struct farm *f)
{
	bool any = false;

	for (uint32_t i = 0; i < f->hand_count; i++) {
		struct hand *h = &f->hands[i];
		bool wanted = !f->stopped && (f->again_count || f->next < f->batch->items.count);

		if (h->fd < 0 && wanted && !start(f, h)) {
			any = any || f->again_count;
			continue;
		}
		if (h->fd >= 0 && !h->busy)
			give(f, h);
		any = any || (h->fd >= 0 && h->busy);
	}
	return any;
}

/* Waits for messages of the workers and handles them. Only running workers are passed to poll(),
 * because poll() fails if it gets more descriptors than the process may open. */
static void step(struct farm *f)
{
	struct pollfd polls[WORKERS_MOST];
	struct hand *of[WORKERS_MOST];
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->hand_count; i++)
		if (f->hands[i].fd >= 0) {
			polls[n] = (struct pollfd){ .fd = f->hands[i].fd, .events = POLLIN };
			of[n++] = &f->hands[i];
		}
	if (poll(polls, n, WAIT_MS) < 0)
		return;
	for (uint32_t i = 0; i < n; i++)
		if (polls[i].revents)
			hear(f, of[i]);
}

enum etc_status etc_batch_farm(struct etc_batch *b, uint64_t jobs, int progress,
                               struct etc_batch_counts *out, struct etc_error *err)
{
	struct farm *f = etc_new(b->arena, struct farm, 1);

	*out = (struct etc_batch_counts){ 0 };
	ETC_NEED(f, err);
	f->batch = b;
	f->counts = out;
	f->err = err;
	f->progress = progress;
	f->held_most = UINT32_MAX;
	f->begun = etc_process_now();
	f->hand_count = jobs < WORKERS_MOST ? (uint32_t)jobs : WORKERS_MOST;
	for (uint32_t i = 0; i < f->hand_count; i++)
		f->hands[i].fd = -1;
	while (f->st == ETC_OK && employ(f)) {
		step(f);
		keep_time(f);
		show(f);
		f->stopped = f->stopped || etc_stop_signal();
	}
	for (uint32_t i = 0; i < f->hand_count; i++) {
		const struct hand *h = &f->hands[i];
		const bool writes = h->busy && h->order.what == ETC_ORDER_WRITE;

		/* a worker that is writing is not killed, so that it can remove its temporary
		 * file */
		end(f, &f->hands[i], f->st != ETC_OK && !writes);
	}
	if (progress && f->shown)
		etc_descriptor_write(progress, ETC_STR("\r\033[K"));
	out->left = f->again_count + b->items.count - f->next;
	if (f->st == ETC_OK && out->left && !f->stopped)
		return etc_fail(err, E0902, "cannot start a process: %s", strerror(errno));
	return f->st;
}
