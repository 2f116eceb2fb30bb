/* read.c -- see doctor.h: reads a file completely and describes it in one line. */
#include "commands/doctor/doctor.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/sha256.h"
#include "join/paths.h"
#include "tensor/program_tensor.h"
#include "formats/program/bundled.h"
#include "formats/etdump/etdump.h"
#include "formats/etrecord/etrecord.h"
#include "formats/program/program.h"
#include "formats/etdump/serial_log.h"
#include "formats/program/tensor_file.h"
#include "formats/container/zip.h"

/* One line of text of limited length. If a list in it does not fit, the line ends with "...". */
struct line {
	char text[600];
	size_t len;
};

static void say(struct line *l, const char *fmt, ...) ETC_PRINTF(2, 3);

static void say(struct line *l, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(l->text + l->len, sizeof l->text - l->len, fmt, args);
	va_end(args);
	if (n > 0)
		l->len += (size_t)n < sizeof l->text - l->len ? (size_t)n
		                                              : sizeof l->text - l->len - 1;
}

/* Appends a size with thousands separators, such as "12,345". */
static void say_bytes(struct line *l, uint64_t bytes)
{
	char digits[24];
	int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)bytes);

	for (int i = 0; i < n; i++)
		say(l, "%s%c", i && (n - i) % 3 == 0 ? "," : "", digits[i]);
	say(l, " bytes");
}

static enum etc_status keep(struct etc_diagnosis *d, struct etc_patient *p, const struct line *l,
                            struct etc_error *err)
{
	p->what = etc_arena_str(&d->s->arena, etc_str_of(l->text));
	return p->what.ptr ? ETC_OK : etc_no_memory(err);
}

/* ---- ETDump --------------------------------------------------------------------- */

static enum etc_status describe_trace(struct etc_diagnosis *d, struct etc_patient *p,
                                      const char *kind, struct etc_error *err)
{
	const struct etc_trace *t = p->trace;
	size_t loads = 0, executes = 0, events = 0, debugs = 0;
	uint8_t *kinds = etc_new(&d->s->arena, uint8_t, t->template_count);
	struct line l = { .len = 0 };
	uint32_t root;

	ETC_NEED(kinds, err);
	for (size_t s = 0; s < t->template_count; s++)
		kinds[s] = (uint8_t)etc_template_kind(&t->templates[s], &root);
	for (size_t r = 0; r < t->run_count; r++) {
		const struct etc_template *template = etc_run_template(t, &t->runs[r]);

		loads += kinds[t->runs[r].template] == ETC_RUN_LOAD;
		executes += kinds[t->runs[r].template] == ETC_RUN_EXECUTE;
		events += template->count;
		debugs += template->debugs;
	}
	say(&l, "%s, ", kind);
	say_bytes(&l, p->bytes.len);
	say(&l, ", complete; %zu run%s (%zu load%s, %zu execute%s", t->run_count,
	    etc_plural(t->run_count), loads, etc_plural(loads), executes, etc_plural(executes));
	if (t->run_count > loads + executes)
		say(&l, ", %zu other%s", t->run_count - loads - executes,
		    etc_plural(t->run_count - loads - executes));
	say(&l, "), %zu event%s, ", events, etc_plural(events));
	if (debugs)
		say(&l, "%zu debug value%s", debugs, etc_plural(debugs));
	else
		say(&l, "no debug data");
	if (t->allocation_count)
		say(&l, ", %zu allocation%s", t->allocation_count, etc_plural(t->allocation_count));
	p->whole = true;
	return keep(d, p, &l, err);
}

/* Returns the index of the event whose duration is the run's duration. For each run,
 * etc_session_dump_sparse() keeps only the times of that event. */
static uint32_t root_of(struct etc_template *template)
{
	etc_template_learn(template);
	return template->root;
}

static enum etc_status read_dump(struct etc_diagnosis *d, struct etc_patient *p,
                                 struct etc_error *cause, struct etc_error *err)
{
	struct etc_trace *trace = etc_new(&d->s->arena, struct etc_trace, 1);
	struct etc_serial_log log = { .dump = p->bytes };
	const char *kind = "ETDump";
	enum etc_status st;

	ETC_NEED(trace, err);
	if (p->kind == ETC_PATIENT_LOG) {
		kind = "serial log with an ETDump";
		if (etc_serial_log_read(p->bytes, &d->s->arena, &d->s->notes, &log, cause) !=
		    ETC_OK)
			return ETC_OK;
	}
	/* If sections [backend.ID] are configured, etc_profile_meet() reads the times of all
	 * events, so all times must be kept. */
	st = etc_settings_give_backend(&d->s->settings)
	             ? etc_session_dump(d->s, log.dump, trace, cause)
	             : etc_session_dump_sparse(d->s, log.dump, root_of, trace, cause);
	if (st != ETC_OK)
		return ETC_OK;
	*cause = (struct etc_error){ .at = -1 }; /* clear the error of an earlier attempt */
	p->trace = trace;
	return describe_trace(d, p, kind, err);
}

/* ---- ETRecord --------------------------------------------------------------------- */

static const char *generation(const struct etc_record *r)
{
	if (r->edge_is_per_method)
		return "executorch 1.2 or newer layout";
	if (r->num_outs_map_present || r->has_export_graph_id)
		return "executorch 1.0 or 1.1 layout";
	return "layout of before executorch 1.0";
}

static void say_graphs(struct line *l, const struct etc_record *r)
{
	uint32_t edge = 0, exported = 0, extra = 0;

	for (uint32_t i = 0; i < r->graph_count; i++) {
		edge += r->graphs[i].kind == ETC_GRAPH_EDGE;
		exported += r->graphs[i].kind == ETC_GRAPH_EXPORTED;
		extra += r->graphs[i].kind == ETC_GRAPH_EXTRA;
	}
	say(l, "; graphs: %s", edge + exported + extra ? "" : "none");
	if (edge)
		say(l, "edge dialect");
	if (exported)
		say(l, "%sexported program", edge ? ", " : "");
	if (extra)
		say(l, "%s%lu more", edge + exported ? ", " : "", (unsigned long)extra);
}

static enum etc_status describe_record(struct etc_diagnosis *d, struct etc_patient *p,
                                       struct etc_error *err)
{
	const struct etc_record *r = p->record;
	struct line l = { .len = 0 };

	say(&l, "ETRecord (%s), ", generation(r));
	say_bytes(&l, p->bytes.len);
	say(&l, ", %lu method%s", (unsigned long)r->method_count, etc_plural(r->method_count));
	for (uint32_t i = 0; i < r->method_count && i < 8; i++)
		say(&l, "%s" ETC_STR_FMT, i ? ", " : ": ", ETC_STR_ARG(r->methods[i].method));
	if (r->method_count > 8)
		say(&l, " ...");
	say_graphs(&l, r);
	p->whole = true;
	return keep(d, p, &l, err);
}

/* Checks that the content of every entry matches the checksum in the directory of the archive. This
 * includes entries that the ETRecord reader does not open. */
static enum etc_status check_entries(struct etc_span file, size_t budget, struct etc_error *cause)
{
	struct etc_arena directory, scratch;
	enum etc_status st;
	struct etc_zip zip;

	etc_arena_init(&directory, budget);
	st = etc_zip_open(file, &directory, &zip, cause);
	for (uint32_t i = 0; st == ETC_OK && i < zip.count; i++) {
		struct etc_zip_data data;

		etc_arena_init(&scratch, budget);
		st = etc_zip_read(&zip, &zip.entries[i], 0, &scratch, &data, cause);
		etc_arena_release(&scratch);
		if (st != ETC_LIMIT && st != ETC_NOMEM)
			continue;
		/* The entry has packed weights that exceed the budget. They are not read; this is
		 * not a fault of the file. */
		*cause = (struct etc_error){ .at = -1 };
		st = ETC_OK;
	}
	etc_arena_release(&directory);
	return st;
}

static void note_refusal(struct etc_diagnosis *d, enum etc_code code, uint32_t refuses,
                         struct etc_str reason)
{
	if (refuses)
		etc_note(&d->s->notes, code, "%s, " ETC_STR_FMT,
		         etc_code_info((enum etc_code)refuses)->name, ETC_STR_ARG(reason));
}

static enum etc_status read_record(struct etc_diagnosis *d, struct etc_patient *p,
                                   struct etc_error *cause, struct etc_error *err)
{
	struct etc_record *record = etc_new(&d->s->arena, struct etc_record, 1);
	struct etc_zip zip;

	ETC_NEED(record, err);
	if (etc_zip_open(p->bytes, &d->s->arena, &zip, NULL) == ETC_OK &&
	    !etc_zip_find(&zip, ETC_STR("debug_handle_map"))) {
		bool marked = false;

		for (uint32_t i = 0; i < zip.count; i++)
			marked |= etc_str_starts(zip.entries[i].name, ETC_STR("ETRECORD_V"));
		if (!marked) {
			p->kind = ETC_PATIENT_ARCHIVE;
			return ETC_OK;
		}
	}
	if (etc_etrecord_read(p->bytes,
	                      ETC_RECORD_MAPS | ETC_RECORD_GRAPHS | ETC_RECORD_VALUES |
	                              ETC_RECORD_INSPECTOR,
	                      &d->s->arena, &d->s->notes, record, cause) != ETC_OK)
		return ETC_OK;
	note_refusal(d, W0986, record->inspector_refuses, record->inspector_reason);
	note_refusal(d, N0987, record->graphs_refuse, record->graphs_reason);
	p->record = record;
	ETC_TRY(describe_record(d, p, err));
	p->whole = check_entries(p->bytes, d->s->arena.budget, cause) == ETC_OK;
	return ETC_OK;
}

/* ---- programs ------------------------------------------------------------------------ */

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Is `key` a hexadecimal SHA-256 that differs from the SHA-256 of `data`? */
static bool is_wrong_hash(struct etc_str key, struct etc_span data)
{
	uint8_t digest[ETC_SHA256_BYTES];

	if (key.len != 2 * ETC_SHA256_BYTES)
		return false;
	for (size_t i = 0; i < key.len; i++)
		if (hex_digit(key.ptr[i]) < 0)
			return false;
	etc_sha256_of(data, digest);
	for (size_t i = 0; i < ETC_SHA256_BYTES; i++)
		if (hex_digit(key.ptr[2 * i]) * 16 + hex_digit(key.ptr[2 * i + 1]) != digest[i])
			return true;
	return false;
}

/* Checks the weights that XNNPACK names by their hash. A program has no other checksums. */
static void check_hashes(struct etc_diagnosis *d, const struct etc_patient *p)
{
	const struct etc_program *program = p->program;

	for (uint32_t i = 0; i < program->named_count; i++) {
		const struct etc_segment *s = &program->segments[program->named_data[i].segment];
		struct etc_span data = { p->program_bytes.ptr, 0 };

		if (s->size)
			data = (struct etc_span){ p->program_bytes.ptr + program->segments_at +
				                          s->offset,
				                  (size_t)s->size };
		if (is_wrong_hash(program->named_data[i].key, data))
			etc_note(&d->s->notes, W0975, "segment %lu, '" ETC_STR_FMT "'",
			         (unsigned long)program->named_data[i].segment,
			         ETC_STR_ARG(program->named_data[i].key));
	}
}

/* Sets `cause` to E0433 if a planned tensor ends beyond the end of its memory. The runtime rejects
 * such a program. */
static void check_plan(const struct etc_program_method *m, struct etc_error *cause)
{
	for (uint32_t i = 0; i < m->value_count; i++) {
		const struct etc_evalue_tensor *t = m->values[i].tensor;
		uint64_t bytes;
		int64_t size;

		if (m->values[i].kind != ETC_EVALUE_TENSOR || !t->planned ||
		    !etc_tensor_bytes(t, &bytes))
			continue;
		size = t->memory_id < m->memory.count ? etc_i64_at(m->memory, t->memory_id) : 0;
		if (size >= 0 && bytes <= (uint64_t)size &&
		    t->memory_offset <= (uint64_t)size - bytes)
			continue;
		(void)etc_fail(cause, E0433,
		               "value %lu of " ETC_STR_FMT " has %llu bytes at %llu of memory "
		               "%lu, which has %lld",
		               (unsigned long)i, ETC_STR_ARG(m->name), (unsigned long long)bytes,
		               (unsigned long long)t->memory_offset, (unsigned long)t->memory_id,
		               (long long)size);
		return;
	}
}

static void say_program(struct line *l, const struct etc_program *program)
{
	uint64_t instructions = 0, delegates = 0;

	for (uint32_t i = 0; i < program->method_count; i++) {
		for (uint32_t c = 0; c < program->methods[i].chain_count; c++)
			instructions += program->methods[i].chains[c].count;
		delegates += program->methods[i].delegate_count;
	}
	say(l, "%lu method%s", (unsigned long)program->method_count,
	    etc_plural(program->method_count));
	for (uint32_t i = 0; i < program->method_count && i < 8; i++)
		say(l, "%s" ETC_STR_FMT, i ? ", " : ": ", ETC_STR_ARG(program->methods[i].name));
	if (program->method_count > 8)
		say(l, " ...");
	say(l, "; %llu instruction%s, %llu delegate%s", (unsigned long long)instructions,
	    etc_plural(instructions), (unsigned long long)delegates, etc_plural(delegates));
}

static enum etc_status read_program(struct etc_diagnosis *d, struct etc_patient *p,
                                    struct etc_error *cause, struct etc_error *err)
{
	struct etc_program *program = etc_new(&d->s->arena, struct etc_program, 1);
	const struct etc_limits *limits = &d->s->settings.limits;
	struct etc_bundled_program bundled = { 0 };
	struct line l = { .len = 0 };

	ETC_NEED(program, err);
	p->program_bytes = p->bytes;
	if (p->kind == ETC_PATIENT_BUNDLED) {
		if (etc_bundled_read(p->bytes, limits, &d->s->arena, &bundled, cause) != ETC_OK)
			return ETC_OK;
		p->program_bytes = bundled.program;
	}
	if (etc_program_read_whole(p->program_bytes, limits, &d->s->arena, program, cause) !=
	    ETC_OK)
		return ETC_OK;
	p->program = program;
	p->whole = true;
	check_hashes(d, p);
	say(&l, p->kind == ETC_PATIENT_BUNDLED ? "BundledProgram, " : "program (.pte), ");
	say_bytes(&l, p->bytes.len);
	say(&l, ", complete; ");
	say_program(&l, program);
	if (p->kind == ETC_PATIENT_BUNDLED)
		say(&l, ", test cases for %lu method%s", (unsigned long)bundled.suite_count,
		    etc_plural(bundled.suite_count));
	for (uint32_t i = 0; i < program->method_count && cause->code == ETC_CODE_NONE; i++)
		check_plan(&program->methods[i], cause);
	return keep(d, p, &l, err);
}

static enum etc_status read_tensors(struct etc_diagnosis *d, struct etc_patient *p,
                                    struct etc_error *cause, struct etc_error *err)
{
	struct etc_tensor_file *f = etc_new(&d->s->arena, struct etc_tensor_file, 1);
	struct line l = { .len = 0 };

	ETC_NEED(f, err);
	if (etc_tensor_file_read(p->bytes, &d->s->settings.limits, &d->s->arena, f, cause) !=
	    ETC_OK)
		return ETC_OK;
	p->tensors = f;
	p->whole = true;
	say(&l, "external data (.ptd), ");
	say_bytes(&l, p->bytes.len);
	say(&l, ", complete; %lu name%s", (unsigned long)f->data_count, etc_plural(f->data_count));
	return keep(d, p, &l, err);
}

/* ---- files that no command of etcore reads --------------------------------------------- */

/* Returns the number of examined bytes if all of them are 0, else 0. At most the first `most` bytes
 * are examined, because reading a hole of a large sparse file takes long. */
static size_t zeros(struct etc_span bytes)
{
	const size_t most = 64 << 20, n = bytes.len < most ? bytes.len : most;

	return n && bytes.ptr[0] == 0 && memcmp(bytes.ptr, bytes.ptr + 1, n - 1) == 0 ? n : 0;
}

static enum etc_status describe_other(struct etc_diagnosis *d, struct etc_patient *p,
                                      struct etc_error *err)
{
	struct etc_error cause = { .at = -1 };
	struct line l = { .len = 0 };
	const size_t blank = p->kind == ETC_PATIENT_UNKNOWN ? zeros(p->bytes) : 0;

	say(&l, "%s, ", etc_patient_kind_words(p->kind));
	say_bytes(&l, p->bytes.len);
	if (blank)
		(void)etc_fail(&cause, E0968, "%s bytes are 0: was it written to its end?",
		               blank == p->bytes.len ? "all its" : "its first 67,108,864");
	else
		(void)etc_patient_fail(p->kind, p->bytes, p->path, &cause);
	ETC_TRY(etc_doctor_error(d, &cause, p->path, err));
	return keep(d, p, &l, err);
}

enum etc_status etc_patient_read(struct etc_diagnosis *d, struct etc_patient *p,
                                 struct etc_error *err)
{
	static enum etc_status (*const readers[ETC_PATIENT_KINDS])(
		struct etc_diagnosis *, struct etc_patient *, struct etc_error *,
		struct etc_error *) = {
		[ETC_PATIENT_ETDUMP] = read_dump,     [ETC_PATIENT_LOG] = read_dump,
		[ETC_PATIENT_ETRECORD] = read_record, [ETC_PATIENT_PROGRAM] = read_program,
		[ETC_PATIENT_BUNDLED] = read_program, [ETC_PATIENT_TENSORS] = read_tensors,
	};
	struct etc_error cause = { .at = -1 };
	struct line l = { .len = 0 };

	d->s->notes.file = etc_str_of(p->path);
	if (readers[p->kind])
		ETC_TRY(readers[p->kind](d, p, &cause, err));
	if (!readers[p->kind] || p->kind == ETC_PATIENT_ARCHIVE)
		return describe_other(d, p, err);
	if (cause.code == ETC_CODE_NONE)
		return ETC_OK;
	ETC_TRY(etc_doctor_error(d, &cause, p->path, err));
	if (p->what.len)
		return ETC_OK;
	say(&l, "%s, ", etc_patient_kind_name(p->kind));
	say_bytes(&l, p->bytes.len);
	say(&l, ", cannot be read");
	return keep(d, p, &l, err);
}
