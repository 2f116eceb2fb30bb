/* command.c -- `etcore batch`: analyses many dumps into a folder of tables. */
#include "commands/analyze/batch/batch.h"

#include <stdio.h>

#include "base/cpus.h"
#include "base/number.h"
#include "base/process.h"
#include "base/sha256_text.h"
#include "base/stop.h"
#include "context/question.h"
#include "host/guard.h"
#include "table/sqlite.h"

enum { JOBS_MOST = 256, SHARDS_MOST = 1000000, SECONDS_MOST = 86400 };

/* The formats of the tables. The writer of a format gets a report that has rows and nothing
 * else. */
#define ETC_BATCH_FORMATS(X)                               \
	X("ndjson", "jsonl", true, false, etc_write_lines) \
	X("parquet", NULL, true, false, etc_write_parquet) \
	X("arrow", NULL, true, false, etc_write_arrow)     \
	X("sqlite", "db", true, false, etc_write_sqlite)

const char etc_batch_version[] = ETCORE_VERSION;

static const struct etc_format formats[] = ETC_FORMAT_ARRAY(ETC_BATCH_FORMATS, ETC_TABLE_FORMAT);

/* clang-format off */
static const struct etc_opt options[] = {
	{ 0, "out", ETC_OPT_TEXT, offsetof(struct etc_batch_options, out), "DIR", NULL,
	  "the folder of the tables" },
	{ 0, "files-from", ETC_OPT_TEXT, offsetof(struct etc_batch_options, files_from), "FILE", NULL,
	  "a list of dumps and folders, one per line or each ended by NUL; - is standard input" },
	{ 0, "jobs", ETC_OPT_TEXT, offsetof(struct etc_batch_options, jobs), "N", NULL,
	  "number of processes that analyse (default: one per processor)" },
	{ 0, "timeout", ETC_OPT_TEXT, offsetof(struct etc_batch_options, timeout), "SECONDS", NULL,
	  "time limit for one dump (default: 60)" },
	{ 0, "shard", ETC_OPT_TEXT, offsetof(struct etc_batch_options, shard), "I/N", NULL,
	  "only the dumps of part I of N, from 0, by a hash of their names" },
	{ 0, "resume", ETC_OPT_FLAG, offsetof(struct etc_batch_options, resume), NULL, NULL,
	  "add what is new to the tables" },
	{ 0, "meta", ETC_OPT_LIST, offsetof(struct etc_batch_options, meta), "KEY=VALUE", NULL,
	  "a column of the tables runs and paths (repeatable)" },
	{ 0, "meta-pattern", ETC_OPT_TEXT, offsetof(struct etc_batch_options, pattern), "PATTERN", NULL,
	  "columns taken from the paths: {device}/{date}/*.etdump" },
	{ 0, "partition-by", ETC_OPT_TEXT, offsetof(struct etc_batch_options, partition), "KEY,KEY", NULL,
	  "folders for the values of these columns: date=2026-11-24/device=pixel" },
	{ 0, "tables", ETC_OPT_TEXT, offsetof(struct etc_batch_options, tables), "samples,events,baselines", NULL,
	  "also these tables, which are large" },
	{ 'o', "output", ETC_OPT_CHOICE, offsetof(struct etc_batch_options, format), "FORMAT",
	  &("" ETC_BATCH_FORMATS(ETC_FORMAT_WORD))[1], "format of the tables (default: ndjson)" },
	{ 0, "progress", ETC_OPT_TEXT | ETC_OPT_HIDDEN, offsetof(struct etc_batch_options, progress), "DESCRIPTOR", NULL,
	  "where progress is shown" },
	{ 0, "keep", ETC_OPT_FLAG | ETC_OPT_HIDDEN, offsetof(struct etc_batch_options, keep), NULL, NULL,
	  "analyse in this process, and keep the tables for etcore_arrow" },
	ETC_CONFIG_ROW(struct etc_batch_options),
	{ 0, "plugin", ETC_OPT_LIST, offsetof(struct etc_batch_options, common.plugins), "NAME|PATH", NULL,
	  "use this plugin (repeatable)" },
	{ 0, "no-plugins", ETC_OPT_FLAG, offsetof(struct etc_batch_options, common.no_plugins), NULL, NULL,
	  "use no plugin at all" },
	{ 0, "set", ETC_OPT_LIST, offsetof(struct etc_batch_options, common.set), "SECTION.KEY=VALUE", NULL,
	  "set a key of the configuration (repeatable)" },
	ETC_SHOWN_ROWS(struct etc_batch_options),
};
/* clang-format on */

/* ---- options --------------------------------------------------------------------------- */

static enum etc_status parse_shard(const char *text, struct etc_shard *out, struct etc_error *err)
{
	const char *slash = text ? strchr(text, '/') : NULL;

	*out = (struct etc_shard){ 0, 1 };
	if (!text)
		return ETC_OK;
	if (!slash ||
	    !etc_number_parse_u64((struct etc_str){ text, (size_t)(slash - text) }, &out->i) ||
	    !etc_number_parse_u64(etc_str_of(slash + 1), &out->n) || out->n == 0 ||
	    out->n > SHARDS_MOST || out->i >= out->n)
		return etc_fail(err, E0505, "--shard '%s'; expected I/N, I from 0 to N - 1", text);
	return ETC_OK;
}

static enum etc_status parse_count(const char *name, const char *text, uint64_t most, uint64_t *out,
                                   struct etc_error *err)
{
	ETC_TRY(etc_opt_count(name, text, most, out, err));
	return *out ? ETC_OK : etc_fail(err, E0505, "--%s '%s'; expected 1 or more", name, text);
}

static uint64_t processors(void)
{
	struct etc_cpus cpus;

	return etc_cpus_get(&cpus) == 0 ? etc_cpus_count(&cpus) : 1;
}

/* ---- the settings ---------------------------------------------------------------------- */

static void add_word(struct etc_sha256 *to, struct etc_str word)
{
	const uint8_t end = 0;

	etc_sha256_add(to, etc_span_of(word));
	etc_sha256_add(to, (struct etc_span){ &end, 1 });
}

/* Does the setting change only what is shown, and no number? */
static bool is_shown_only(const struct etc_setting *s)
{
	return etc_str_eq(s->section, ETC_STR("etcore")) &&
	       (etc_str_eq(s->key, ETC_STR("color")) || etc_str_eq(s->key, ETC_STR("jobs")) ||
	        etc_str_eq(s->key, ETC_STR("plugin_path")) ||
	        etc_str_eq(s->key, ETC_STR("target_time_scale")));
}

/* Loads the plugins, so that their errors are reported once and not by each worker. Writes to `to`
 * a hash of etcore's version, the loaded plugins and the configuration. Settings that change no
 * number (is_shown_only()) are left out of the hash. */
static enum etc_status settle(struct etc_session *s, const struct etc_batch_options *o,
                              char to[ETC_HEX + 1], struct etc_error *err)
{
	uint8_t digest[ETC_SHA256_BYTES];
	struct etc_sha256 sha;

	ETC_TRY(etc_session_plugins(s, &o->common, 0, err));
	etc_sha256_init(&sha);
	add_word(&sha, ETC_STR(ETCORE_VERSION));
	for (uint32_t i = 0; i < s->settings.all_count; i++) {
		const struct etc_setting *key = &s->settings.all[i];

		if (is_shown_only(key))
			continue;
		add_word(&sha, key->section);
		add_word(&sha, key->key);
		add_word(&sha, key->value);
	}
	for (uint32_t i = 0; i < s->host.count; i++) {
		const struct etc_plugin *p = &s->host.plugins[i];
		const char *hash = NULL;

		if (p->state != ETC_PLUGIN_LOADED)
			continue;
		hash = etc_file_sha256(p->path.ptr, &s->arena, NULL);
		add_word(&sha, p->name);
		add_word(&sha, etc_str_of(hash ? hash : ""));
	}
	etc_sha256_end(&sha, digest);
	for (int i = 0; i < ETC_SHA256_BYTES; i++)
		snprintf(to + 2 * i, 3, "%02x", digest[i]);
	return ETC_OK;
}

/* ---- the command ----------------------------------------------------------------------- */

static enum etc_status conclude(const struct etc_batch *b, const struct etc_batch_counts *n,
                                struct etc_text *out, struct etc_error *err)
{
	if (n->left)
		return etc_fail(err, E1203, "%s: %u of %u dumps are left",
		                etc_signal_name(etc_stop_signal()), (unsigned)n->left,
		                (unsigned)b->items.count);
	ETC_TRY(etc_parts_success(&b->parts, err));
	etc_text_tell(out, "%u dump%s in %s", (unsigned)n->done, etc_plural(n->done), b->parts.out);
	if (n->before)
		etc_text_tell(out, "; %u done before", (unsigned)n->before);
	etc_text_char(out, '\n');
	if (n->failed)
		return etc_fail(err, E1200, "%u of %u", (unsigned)n->failed, (unsigned)n->done);
	return ETC_OK;
}

static enum etc_status work(struct etc_batch *b, struct etc_text *out, struct etc_error *err)
{
	struct etc_batch_counts counts;
	enum etc_status st;

	st = etc_parts_open(&b->parts, &b->shard, b->options->resume, err);
	if (st == ETC_OK) {
		if (etc_crash_owned())
			etc_stop_catch();
		st = etc_batch_farm(b, b->jobs, b->progress, &counts, err);
		if (etc_crash_owned())
			etc_stop_release();
	}
	if (st == ETC_OK)
		st = conclude(b, &counts, out, err);
	etc_parts_close(&b->parts);
	return st;
}

/* Implements etc_batch_make_fn: fills `b` from the options. */
static enum etc_status make(struct etc_session *s, const struct etc_batch_options *o,
                            struct etc_batch *b, struct etc_error *err)
{
	const char *format = o->format ? o->format : formats[0].name;
	uint64_t seconds = 60, progress = 0;

	*b = (struct etc_batch){ .options = o, .arena = &s->arena, .jobs = processors() };
	ETC_TRY(parse_shard(o->shard, &b->shard, err));
	ETC_TRY(parse_count("jobs", o->jobs, JOBS_MOST, &b->jobs, err));
	ETC_TRY(parse_count("timeout", o->timeout, SECONDS_MOST, &seconds, err));
	if (o->progress && etc_number_parse_u64(etc_str_of(o->progress), &progress))
		b->progress = (int)progress;
	ETC_TRY(etc_session_configure(s, &o->common, NULL, 0, 0, err));
	/* this budget is for the list of dumps; the configured budget applies to each single
	 * dump */
	s->arena.budget = ETC_BATCH_NAMES_BUDGET;
	b->limit_ms = seconds * 1000;
	b->parts.out = o->out;
	b->parts.format = etc_format_find(formats, etc_str_of(format));
	if (b->parts.format->tables == etc_write_sqlite)
		ETC_TRY(etc_sqlite_load(err));
	b->parts.arena = &s->arena;
	ETC_TRY(etc_sheets_wanted(o->tables, &b->parts.wanted, err));
	ETC_TRY(etc_meta_parse(o, &s->arena, &b->meta, err));
	ETC_TRY(settle(s, o, b->parts.settings, err));
	return etc_batch_list(o, &b->shard, &s->arena, &b->items, err);
}

static enum etc_status answer(struct etc_session *s, const void *args,
                              const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_batch_options *o = args;
	struct etc_batch b;

	if (!o->out)
		return etc_fail(err, E0501, "where to? etcore batch runs --out tables");
	if (!o->common.operands.count && !o->files_from)
		return etc_fail(err, E0501, "which dumps? etcore batch runs --out tables");
	ETC_TRY(make(s, o, &b, err));
	return work(&b, reply->out, err);
}

static enum etc_status run(void *args, const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_batch_options *o = args;

	if (o->keep)
		return etc_batch_keep(o, make, reply, err);
	return etc_session_run(ETC_BATCH_NAMES_BUDGET, answer, args, reply, err);
}

const struct etc_question etc_ask_batch = {
	.name = "batch",
	.summary = "analyse many dumps into tables for DuckDB, Spark and others",
	.usage = "PATH… --out DIR [options]",
	.examples = "etcore batch runs --out tables\n"
		    "etcore batch runs --out tables --resume --meta-pattern "
		    "'{device}/{date}/*.etdump'\n"
		    "find runs -name '*.etdump' -print0 | etcore batch --files-from - --out tables",
	ETC_OPTIONS(struct etc_batch_options),
	.run = run,
};
