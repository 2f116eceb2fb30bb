/* run.c -- runs a hook: opens the instance at first use, runs the hook under the guard, and
 * reports failures as notes. */
#include "host/internal.h"
#include "host/isolated/remote.h"

#include <stdio.h>

/* Limits for the number of different notes about one hook of a plugin: FAULTS_MOST for notes about
 * its faults, MESSAGES_MOST for messages that the plugin itself reports by diagnose(). */
enum { FAULTS_MOST = 4, MESSAGES_MOST = 16 };

/* ---- the hooks ------------------------------------------------------------- */

struct body {
	const struct etc_plugin *p;
	struct etc_hook_args *a;
};

static void open_body(void *arg)
{
	const struct body *b = arg;

	b->a->result =
		b->p->abi->open(&b->p->services, b->p->settings, b->p->setting_count, &b->a->self);
}

static void close_body(void *arg)
{
	const struct body *b = arg;

	b->p->abi->close(b->p->self);
}

static void probe_body(void *arg)
{
	const struct body *b = arg;

	b->a->score = b->p->abi->probe(b->p->self, b->a->call);
}

static void describe_body(void *arg)
{
	const struct body *b = arg;

	b->a->result = b->p->abi->describe_time(b->p->self, b->a->call, b->a->times);
}

static void name_body(void *arg)
{
	const struct body *b = arg;

	b->a->result = b->p->abi->name_event(b->p->self, b->a->call, b->a->index, b->a->facts);
}

static void classify_body(void *arg)
{
	const struct body *b = arg;

	b->a->result = b->p->abi->classify(b->p->self, b->a->call, b->a->index, b->a->facts);
}

static void map_body(void *arg)
{
	const struct body *b = arg;

	b->a->result = b->p->abi->map_event(b->p->self, b->a->call, b->a->index, b->a->map);
}

static void parse_body(void *arg)
{
	const struct body *b = arg;

	b->a->result = b->p->abi->parse_metadata(b->p->self, b->a->call, b->a->index, b->a->data);
}

static void expand_body(void *arg)
{
	const struct body *b = arg;

	b->a->result = b->p->abi->expand_event(b->p->self, b->a->call, b->a->index, b->a->children);
}

static void convert_body(void *arg)
{
	const struct body *b = arg;

	b->a->result = b->p->abi->convert_time(b->p->self, b->a->call, b->a->index, b->a->scales,
	                                       b->a->raw, b->a->count, b->a->numbers);
}

/* clang-format off */
static const struct {
	const char *name;
	void (*body)(void *arg);
	bool of_event; /* true: called once for each event; false: once for each delegate call */
} hooks[ETC_HOOKS] = {
	[ETC_HOOK_OPEN]     = { "open", open_body, false },
	[ETC_HOOK_CLOSE]    = { "close", close_body, false },
	[ETC_HOOK_PROBE]    = { "probe", probe_body, false },
	[ETC_HOOK_DESCRIBE] = { "describe_time", describe_body, false },
	[ETC_HOOK_NAME]     = { "name_event", name_body, true },
	[ETC_HOOK_CLASSIFY] = { "classify", classify_body, true },
	[ETC_HOOK_MAP]      = { "map_event", map_body, true },
	[ETC_HOOK_PARSE]    = { "parse_metadata", parse_body, true },
	[ETC_HOOK_EXPAND]   = { "expand_event", expand_body, true },
	[ETC_HOOK_CONVERT]  = { "convert_time", convert_body, true },
};
/* clang-format on */

bool etc_hook_of_event(enum etc_hook hook)
{
	return hooks[hook].of_event;
}

/* ---- notes ------------------------------------------------------------------ */

static inline struct etc_hook_place place_of(const struct etc_plugin *p, enum etc_hook hook,
                                             const struct etcore_call *call, int64_t index)
{
	bool of_event = call && index >= 0 && index < call->count;

	return (struct etc_hook_place){ .plugin = p->name,
		                        .path = p->path,
		                        .hook = hooks[hook].name,
		                        .call = call,
		                        .event = of_event ? call->events[index] : NULL };
}

/* Was `code` already reported for this plugin's hook, either with the same text or with `most`
 * different texts? If so, counts the new report; the caller does not print it. */
static bool said(const struct etc_plugin *p, enum etc_code code, const char *hook, const char *text,
                 unsigned most)
{
	char head[100];
	unsigned alike = 0;

	snprintf(head, sizeof head, "plugin '" ETC_STR_FMT "' in %s", ETC_STR_ARG(p->name), hook);
	for (struct etc_note *n = p->host->notes ? p->host->notes->first : NULL; n; n = n->next) {
		if (n->code == code && etc_str_eq(n->file, p->host->notes->file) &&
		    etc_str_starts(n->text, etc_str_of(head)) &&
		    (etc_str_ends(n->text, etc_str_of(text)) || ++alike >= most)) {
			n->count++;
			return true;
		}
	}
	return false;
}

void etc_hook_note(struct etc_plugin *p, enum etc_code code, enum etc_hook hook,
                   const struct etcore_call *call, int64_t index, const char *text)
{
	struct etc_hook_place place = place_of(p, hook, call, index);
	char where[ETC_PLACE_MAX];

	p->host->hook_failures++;
	if (said(p, code, place.hook, text, FAULTS_MOST))
		return;
	etc_hook_place_text(&place, where);
	etc_note_each(p->host->notes, code, "plugin '" ETC_STR_FMT "' in %s%s: %s",
	              ETC_STR_ARG(p->name), place.hook, where, text);
}

static void threw(struct etc_plugin *p, enum etc_hook hook, const struct etcore_call *call,
                  int64_t index, const char *what)
{
	char text[200];

	snprintf(text, sizeof text, "a C++ exception left the hook: %s", what);
	etc_hook_note(p, W0610, hook, call, index, text);
}

void etc_hook_diagnose(void *handle, uint32_t severity, struct etcore_text message)
{
	struct etc_plugin *p = handle;
	enum etc_code code = severity == ETCORE_SEVERITY_WARNING ? W0613 : N0614;
	char where[ETC_PLACE_MAX], text[ETC_DIAGNOSE_MAX + 1];
	int len = message.len < ETC_DIAGNOSE_MAX ? (int)message.len : ETC_DIAGNOSE_MAX;

	if (!p || !p->place || (len && !message.ptr))
		return;
	etc_hook_place_text(p->place, where);
	snprintf(text, sizeof text, "%.*s", len, len ? message.ptr : "");
	if (said(p, code, p->place->hook, text, MESSAGES_MOST))
		return;
	etc_note_each(p->host->notes, code, "plugin '" ETC_STR_FMT "' in %s%s: %s",
	              ETC_STR_ARG(p->name), p->place->hook, where, text);
}

const void *etc_hook_service(void *handle, const char *id)
{
	(void)handle, (void)id;
	return NULL; /* no service exists yet */
}

/* ---- running ----------------------------------------------------------------- */

bool etc_hook_call(const struct etc_plugin *p, enum etc_hook hook, struct etc_hook_args *a,
                   char what[ETC_EXCEPTION_MAX])
{
	struct body body = { p, a };

	return etc_guard(hooks[hook].body, &body, what, ETC_EXCEPTION_MAX);
}

static bool run(struct etc_plugin *p, enum etc_hook hook, struct etc_hook_args *a)
{
	int64_t index = hooks[hook].of_event ? (int64_t)a->index : -1;
	struct etc_hook_place place = place_of(p, hook, a->call, index);
	char what[ETC_EXCEPTION_MAX];
	bool ok;

	p->place = &place;
	if (p->remote) {
		enum etc_replay how = etc_remote_answer(p, hook, a, what);

		p->place = NULL;
		if (how == ETC_REPLAY_THREW)
			threw(p, hook, a->call, index, what);
		return how == ETC_REPLAY_DONE;
	}
	etc_crash_enter(&place);
	ok = etc_hook_call(p, hook, a, what);
	etc_crash_leave();
	p->place = NULL;
	if (!ok)
		threw(p, hook, a->call, index, what);
	return ok;
}

static bool open_instance(struct etc_plugin *p)
{
	struct etc_hook_args a = { .result = ETCORE_FAILED };

	if (!p->remote)
		etc_crash_install();
	p->opened = true;
	p->services = (struct etcore_host){ sizeof(struct etcore_host), ETCORE_PLUGIN_ABI_MINOR, p,
		                            etc_hook_diagnose, etc_hook_service };
	if (!p->abi->open)
		return true;
	if (run(p, ETC_HOOK_OPEN, &a) && a.result == ETCORE_OK) {
		p->self = a.self;
		return true;
	}
	if (p->broken)
		/* the process of the isolated plugin has ended, which was reported already */
		return false;
	p->broken = true;
	etc_note_each(p->host->notes, W0615, "plugin '" ETC_STR_FMT "': open() returned %d",
	              ETC_STR_ARG(p->name), (int)a.result);
	p->host->hook_failures++;
	return false;
}

bool etc_hook_ready(struct etc_plugin *p)
{
	return p->opened || p->broken ? !p->broken : open_instance(p);
}

bool etc_hook_run(struct etc_plugin *p, enum etc_hook hook, struct etc_hook_args *a)
{
	return etc_hook_ready(p) && run(p, hook, a);
}

bool etc_hook_excused(struct etc_plugin *p, enum etc_hook hook, const struct etc_hook_args *a)
{
	int64_t index = hooks[hook].of_event ? (int64_t)a->index : -1;
	etcore_result r = a->result;

	if (a->in && a->in->fault[0]) {
		etc_hook_note(p, W0611, hook, a->call, index, a->in->fault);
		return false;
	}
	if (r == ETCORE_OK || r == ETCORE_DECLINE)
		return r == ETCORE_OK;
	etc_hook_note(p, W0610, hook, a->call, index,
	              r == ETCORE_CORRUPT  ? "damaged data"
	              : r == ETCORE_FAILED ? "it failed"
	              : r == ETCORE_NOMEM  ? "it ran out of memory"
	                                   : "it returned an unknown result");
	return false;
}
