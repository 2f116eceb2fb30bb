/* damage_kinds.c -- see damage_kinds.h */
#define _GNU_SOURCE /* memfd_create */
#include "edge/damage_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "edge/etdump_check.h"
#include "formats/config/conf.h"
#include "formats/etdump/debug_buffer.h"
#include "formats/etdump/etdump.h"
#include "formats/etrecord/etrecord.h"
#include "formats/program/program.h"

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "damage: %s\n", what);
	abort();
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	for (int i = 0; i < 8; i++)
		h = (h ^ (v >> 8 * i & 0xff)) * 1099511628211u;
	return h;
}

static uint64_t text(uint64_t h, struct etc_str s)
{
	h = mix(h, s.len);
	for (size_t i = 0; i < s.len; i++)
		h = (h ^ (uint8_t)s.ptr[i]) * 1099511628211u;
	return h;
}

static struct damage_answer answer(enum etc_status st, const struct etc_error *err)
{
	require(st == ETC_OK || (err->code != ETC_CODE_NONE && err->text[0]),
	        "an error without a code");
	return (struct damage_answer){ .read = st == ETC_OK,
		                       .code = st == ETC_OK ? ETC_CODE_NONE : err->code };
}

static bool ends(const char *path, const char *with)
{
	return etc_str_ends(etc_str_of(path), etc_str_of(with));
}

static bool has(struct etc_span file, size_t at, const char *id)
{
	return etc_fits(file.len, at, 4) && memcmp(file.ptr + at, id, 4) == 0;
}

/* ---- ETDump --------------------------------------------------------------------- */

static bool is_etdump(const char *path, struct etc_span file)
{
	(void)path;
	return has(file, 8, "ED00") || has(file, 4, "ED00");
}

static struct damage_answer read_etdump(struct etc_span file)
{
	struct etdump_answer a = etdump_check(file.ptr, file.len, NULL);

	return (struct damage_answer){ a.read, a.code, a.digest };
}

/* ---- ETRecord: everything that is read ------------------------------------------ */

static uint64_t handles(uint64_t h, const struct etc_handles *v)
{
	h = text(mix(mix(h, v->form), v->count), v->raw);
	for (uint32_t i = 0; i < v->count; i++)
		h = mix(h, (uint64_t)v->v[i]);
	return h;
}

static uint64_t maps(uint64_t h, const struct etc_method_maps *m)
{
	h = text(h, m->method);
	for (uint32_t i = 0; i < m->handle_count; i++)
		h = handles(text(h, m->handles[i].key), &m->handles[i].handles);
	for (uint32_t i = 0; i < m->delegate_count; i++) {
		const struct etc_delegate_entry *d = &m->delegates[i];

		h = text(text(mix(h, d->count), d->key), d->backend);
		for (uint32_t k = 0; k < d->count; k++)
			h = handles(text(h, d->ids[k].key), &d->ids[k].handles);
	}
	for (uint32_t i = 0; i < m->num_outs_count; i++)
		h = text(mix(text(h, m->num_outs[i].key), (uint64_t)m->num_outs[i].outputs),
		         m->num_outs[i].raw);
	return h;
}

static uint64_t node(uint64_t h, const struct etc_node *n)
{
	h = text(text(text(mix(h, n->index), n->name), n->op), n->target);
	h = text(text(text(handles(h, &n->debug_handle), n->stack_trace), n->source_fn),
	         n->source_file);
	h = text(mix(mix(h, n->source_line), n->foreign), n->source_text);
	for (uint32_t i = 0; i < n->module_count; i++)
		h = text(text(text(h, n->modules[i].key), n->modules[i].path), n->modules[i].klass);
	return h;
}

/* Hashes a value and the values inside it. Visits at most `budget` values, because a value may
 * contain itself. */
static uint64_t value(uint64_t h, const struct etc_ref_value *v, unsigned *budget)
{
	if (*budget == 0)
		return h;
	--*budget;
	h = mix(h, v->kind);
	if (v->kind == ETC_REF_TENSOR) {
		h = mix(mix(h, v->tensor->count), v->tensor->offset);
		h = text(h, (struct etc_str){ (const char *)v->tensor->bytes.ptr,
		                              v->tensor->bytes.len });
	} else if (etc_ref_is_dict(v) || etc_ref_is_list(v) || v->kind == ETC_REF_SET) {
		for (uint32_t i = 0; i < v->count; i++)
			h = value(h, v->items[i], budget);
	} else if (v->kind == ETC_REF_STRING || v->kind == ETC_REF_BYTES) {
		h = text(h, v->text);
	} else if (v->kind == ETC_REF_INT || v->kind == ETC_REF_BOOL) {
		h = mix(h, (uint64_t)v->integer);
	}
	return h;
}

static uint64_t blob(uint64_t h, const struct etc_record_blob *b)
{
	unsigned budget = 10000;

	h = mix(mix(mix(mix(h, b->present), b->is_pickle), (uint64_t)b->forward_cases), b->state);
	return b->state == ETC_VALUES_READ ? value(h, b->value, &budget) : h;
}

static uint64_t record(const struct etc_record *r)
{
	uint64_t h = text(14695981039346656037u, r->version);

	h = mix(mix(h, r->has_export_graph_id), r->export_graph_id);
	h = mix(mix(mix(h, r->handle_map_present), r->delegate_map_present),
	        r->num_outs_map_present);
	for (uint32_t i = 0; i < r->method_count; i++)
		h = maps(h, &r->methods[i]);
	for (uint32_t i = 0; i < r->graph_count; i++) {
		const struct etc_graph *g = &r->graphs[i];

		h = mix(mix(text(text(h, g->name), g->method), g->kind), g->truncated);
		h = text(mix(text(h, g->unsupported), g->has_state_dict), g->python_reason);
		for (uint32_t k = 0; k < g->node_count; k++)
			h = node(h, &g->nodes[k]);
	}
	for (uint32_t i = 0; i < r->unknown_count; i++)
		h = text(h, r->unknown[i]);
	return blob(blob(h, &r->reference_outputs), &r->representative_inputs);
}

static bool is_record(const char *path, struct etc_span file)
{
	(void)path;
	return has(file, 0, "PK\3\4");
}

static struct damage_answer read_record(struct etc_span file)
{
	struct etc_error err = { 0 };
	struct damage_answer a;
	struct etc_arena arena;
	struct etc_notes notes;
	struct etc_record r;

	etc_arena_init(&arena, 64 << 20);
	etc_notes_init(&notes, &arena);
	a = answer(etc_etrecord_read(file, ETC_RECORD_ALL & ~ETC_RECORD_INSPECTOR, &arena, &notes,
	                             &r, &err),
	           &err);
	if (a.read)
		a.digest = record(&r);
	if (a.read && etc_notes_warning(&notes)) /* the warning says that a part was left out */
		a.code = etc_notes_warning(&notes)->code;
	etc_arena_release(&arena);
	return a;
}

/* ---- .pte ------------------------------------------------------------------------ */

static bool is_program(const char *path, struct etc_span file)
{
	(void)path;
	return has(file, 4, "ET12");
}

static uint64_t method(uint64_t h, const struct etc_program_method *m)
{
	h = mix(text(h, m->name), m->chain_count);
	for (uint32_t c = 0; c < m->chain_count; c++)
		for (uint32_t i = 0; i < m->chains[c].count; i++) {
			const struct etc_instruction *x = &m->chains[c].instructions[i];

			h = mix(mix(mix(h, x->kind), (uint64_t)x->index), (uint64_t)x->other);
		}
	for (uint32_t i = 0; i < m->operator_count; i++)
		h = text(h, m->operators[i].text);
	for (uint32_t i = 0; i < m->delegate_count; i++) {
		const struct etc_program_delegate *d = &m->delegates[i];

		h = text(h, d->backend);
		h = text(h, (struct etc_str){ (const char *)d->processed.ptr, d->processed.len });
	}
	return h;
}

static struct damage_answer read_program(struct etc_span file)
{
	struct etc_error err = { 0 };
	struct etc_program p;
	struct damage_answer a;
	struct etc_arena arena;

	etc_arena_init(&arena, 64 << 20);
	a = answer(etc_program_read_whole(file, NULL, &arena, &p, &err), &err);
	for (uint32_t i = 0; a.read && i < p.method_count; i++)
		a.digest = method(a.digest, &p.methods[i]);
	etc_arena_release(&arena);
	return a;
}

/* ---- INI ------------------------------------------------------------------------- */

static bool is_conf(const char *path, struct etc_span file)
{
	(void)file;
	return ends(path, ".ini");
}

static struct damage_answer read_conf(struct etc_span file)
{
	struct etc_conf_options o = { .only_file = true };
	struct etc_error err = { 0 };
	struct etc_settings s;
	struct damage_answer a;
	struct etc_arena arena;
	char path[64];
	int fd = memfd_create("conf", MFD_CLOEXEC);

	require(fd >= 0 && (file.len == 0 || write(fd, file.ptr, file.len) == (ssize_t)file.len),
	        "a file in memory");
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	o.file = path;
	etc_arena_init(&arena, 64 << 20);
	a = answer(etc_conf_load(&o, &arena, &s, &err), &err);
	for (uint32_t i = 0; a.read && i < s.all_count; i++)
		a.digest =
			text(text(text(a.digest, s.all[i].section), s.all[i].key), s.all[i].value);
	etc_arena_release(&arena);
	close(fd);
	return a;
}

/* ---- debug buffer of the dump that damage_set_dump() opened ------------------------ */

static struct {
	struct etc_file file;
	struct etc_trace trace;
	struct etc_arena arena;
} dump;

void damage_set_dump(const char *path)
{
	struct etc_error err = { 0 };

	etc_arena_init(&dump.arena, 64 << 20);
	require(etc_file_open(&dump.file, path, SIZE_MAX, &err) == ETC_OK &&
	                etc_etdump_read(dump.file.bytes, NULL, &dump.arena, NULL, &dump.trace,
	                                &err) == ETC_OK,
	        "the dump of the debug buffer cannot be read");
}

static bool is_buffer(const char *path, struct etc_span file)
{
	(void)path;
	(void)file;
	return dump.trace.value_count > 0;
}

/* Reads every tensor of the dump from its debug buffer `file`. Each tensor must be inside the
 * buffer, or be rejected with a code. If any is rejected, there must be a warning. */
static struct damage_answer read_buffer(struct etc_span file)
{
	struct damage_answer a = { .read = true };
	size_t readable = 0, tensors = 0;
	struct etc_arena arena;
	struct etc_notes notes;

	for (size_t v = 0; v < dump.trace.value_count; v++)
		for (uint32_t i = 0; i < dump.trace.values[v].count; i++, tensors++) {
			struct etc_tensor_view view;
			struct etc_error err = { 0 };

			if (etc_debug_tensor(&dump.trace.values[v].tensors[i], file, &view, &err) !=
			    ETC_OK) {
				require(err.code != ETC_CODE_NONE, "a tensor without a code");
				continue;
			}
			readable++;
			a.digest = text(a.digest, (struct etc_str){ (const char *)view.bytes.ptr,
			                                            view.bytes.len });
		}
	etc_arena_init(&arena, 1 << 20);
	etc_notes_init(&notes, &arena);
	etc_debug_check(&dump.trace, &file, &notes);
	require((readable < tensors) == (etc_notes_warning(&notes) != NULL),
	        "a tensor that is not in the buffer, and no warning");
	etc_arena_release(&arena);
	return a;
}

static const struct damage_kind kinds[] = {
	{ "etdump", is_etdump, read_etdump, true, false },
	{ "etrecord", is_record, read_record, true, true },
	{ "pte", is_program, read_program, true, false },
	{ "ini", is_conf, read_conf, false, false },
	{ "debug buffer", is_buffer, read_buffer, false, false },
};

const struct damage_kind *damage_kind_of(const char *path, struct etc_span file)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (kinds[i].is(path, file))
			return &kinds[i];
	return NULL;
}
