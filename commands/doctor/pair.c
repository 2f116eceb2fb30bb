/* pair.c -- see doctor.h: reports whether two files belong together, and on what evidence. For
 * dump, record and program, core/together/together.h decides; for buffers and tensor files, this
 * file. */
#include "commands/doctor/doctor.h"

#include <stdio.h>

#include "base/map.h"
#include "tensor/program_tensor.h"
#include "model/scalar_type.h"

/* ---- results ------------------------------------------------------------------------ */

enum etc_status etc_doctor_pair(struct etc_diagnosis *d, const struct etc_patient *a,
                                const struct etc_patient *b, uint8_t together, const char *evidence,
                                struct etc_error *err)
{
	struct etc_patient_pair *new =
		ETC_APPEND(&d->s->arena, d->pairs, d->pair_count, d->pair_room);

	ETC_NEED(new, err);
	*new = (struct etc_patient_pair){ a, b, together,
		                          etc_arena_str(&d->s->arena, etc_str_of(evidence)) };
	if (together != ETC_TOGETHER_NO)
		return ETC_OK;
	/* reports the mismatch with the code that `analyze` uses for it */
	d->s->notes.file = etc_str_of(b->path);
	if (a->trace && b->record) {
		d->s->notes.file = etc_str_of(a->path);
		etc_note(&d->s->notes, W0424, "%s: %s", b->path, evidence);
	} else if (a->trace && b->program) {
		etc_note(&d->s->notes, W0435, "%s: %s", a->path, evidence);
	} else {
		etc_note(&d->s->notes, W0969, "%s: %s", a->path, evidence);
	}
	return ETC_OK;
}

/* ---- ETDump and debug buffer ----------------------------------------------------------- */

static uint64_t buffer_end(const struct etc_trace *trace)
{
	uint64_t end = 0;

	for (size_t i = 0; i < trace->value_count; i++)
		for (uint32_t k = 0; trace->values[i].tensors && k < trace->values[i].count; k++) {
			const struct etc_value *v = &trace->values[i];
			const struct etc_scalar_type *type;
			uint64_t bytes;

			if (v->tag != ETC_VALUE_TENSOR && v->tag != ETC_VALUE_TENSOR_LIST)
				break;
			type = etc_scalar_type(v->tensors[k].scalar_type);
			bytes = type ? type->bytes : 1;
			for (uint32_t r = 0; r < v->tensors[k].rank; r++)
				if (v->tensors[k].sizes[r] < 0 ||
				    __builtin_mul_overflow(bytes, (uint64_t)v->tensors[k].sizes[r],
				                           &bytes))
					bytes = 0;
			if (v->tensors[k].offset >= 0 && bytes <= INT64_MAX &&
			    (uint64_t)v->tensors[k].offset + bytes > end)
				end = (uint64_t)v->tensors[k].offset + bytes;
		}
	return end;
}

static enum etc_status dump_and_buffer(struct etc_diagnosis *d, const struct etc_patient *dump,
                                       const struct etc_patient *buffer, struct etc_error *err)
{
	uint64_t end = buffer_end(dump->trace);
	char text[160];

	if (dump->trace->tensor_count == 0)
		return etc_doctor_pair(d, dump, buffer, ETC_TOGETHER_UNKNOWN,
		                       "the dump has no debug tensor", err);
	snprintf(text, sizeof text, "%sthe last of %zu debug tensors ends at byte %llu of %zu",
	         end <= buffer->bytes.len ? "it is large enough, " : "", dump->trace->tensor_count,
	         (unsigned long long)end, buffer->bytes.len);
	/* A buffer that is large enough may still belong to another run, since a buffer does not
	 * identify its run. */
	return etc_doctor_pair(d, dump, buffer,
	                       end <= buffer->bytes.len ? ETC_TOGETHER_UNKNOWN : ETC_TOGETHER_NO,
	                       text, err);
}

/* ---- ETDump, ETRecord and program ---------------------------------------------------- */

/* Returns the program (or the record, if `program` is false) among the files. NULL if there is
 * none, or if there are several. */
static const struct etc_patient *only(const struct etc_diagnosis *d, bool program)
{
	const struct etc_patient *found = NULL;
	uint32_t count = 0;

	for (uint32_t i = 0; i < d->patient_count; i++)
		if (program ? d->patients[i].program != NULL : d->patients[i].record != NULL) {
			found = &d->patients[i];
			count++;
		}
	return count == 1 ? found : NULL;
}

static enum etc_status relate(struct etc_diagnosis *d, const struct etc_patient *a,
                              const struct etc_patient *b, struct etc_error *err)
{
	const struct etc_patient *program = b->program ? b : a->trace ? only(d, true) : NULL;
	const struct etc_patient *record = b->record ? b : a->record ? a : only(d, false);
	struct etc_together_files f = { .trace = a->trace,
		                        .record = record ? record->record : NULL,
		                        .record_bytes = record ? record->bytes : a->bytes,
		                        .program = program ? program->program : NULL };
	struct etc_relations all;
	const struct etc_relation *r = &all.record_program;

	if (program)
		f.weights_in = program->program_bytes;
	ETC_TRY(etc_relations_find(&f, d->s->arena.budget, &all, err));
	if (a->trace)
		r = b->record ? &all.dump_record : &all.dump_program;
	return etc_doctor_pair(d, a, b, r->together, r->text, err);
}

/* ---- program and external data --------------------------------------------------------------- */

static bool has_delegate(const struct etc_program *program)
{
	for (uint32_t i = 0; i < program->method_count; i++)
		if (program->methods[i].delegate_count)
			return true;
	return false;
}

static enum etc_status program_and_tensors(struct etc_diagnosis *d,
                                           const struct etc_patient *program,
                                           const struct etc_patient *tensors, struct etc_error *err)
{
	uint32_t external = 0, found = 0, equal = 0;
	const struct etc_tensor_file *f = tensors->tensors;
	struct etc_map names, data_of;
	char text[200];

	etc_map_init(&names, &d->s->arena);
	etc_map_init(&data_of, &d->s->arena);
	for (uint32_t i = 0; i < f->data_count; i++)
		if (etc_map_add(&data_of, f->data[i].key, i) == ETC_MAP_NONE)
			return etc_no_memory(err);
	for (uint32_t i = 0; i < program->program->method_count; i++) {
		const struct etc_program_method *m = &program->program->methods[i];

		for (uint32_t k = 0; k < m->value_count; k++) {
			const struct etc_evalue_tensor *t = m->values[k].tensor;
			size_t before = names.count, data;
			uint64_t bytes;

			if (m->values[k].kind != ETC_EVALUE_TENSOR || !t->external)
				continue;
			if (etc_map_add(&names, t->name, 0) == ETC_MAP_NONE)
				return etc_no_memory(err);
			if (names.count == before)
				continue;
			external++;
			data = etc_map_get(&data_of, t->name);
			found += data != ETC_MAP_NONE;
			equal += data != ETC_MAP_NONE && etc_tensor_bytes(t, &bytes) &&
			         bytes <= f->data[data].bytes.len;
		}
	}
	if (!external)
		return etc_doctor_pair(
			d, program, tensors, ETC_TOGETHER_UNKNOWN,
			"the program has no external tensors; its delegates may have", err);
	snprintf(text, sizeof text,
	         "%lu of %lu external tensors are in it by name, %lu of them with enough bytes",
	         (unsigned long)found, (unsigned long)external, (unsigned long)equal);
	/* Names and sizes of tensors stay the same when a model is trained again. So equal names
	 * and sizes do not prove that the files belong together. A file without any of the names
	 * may still contain the tensors of the program's delegates. */
	return etc_doctor_pair(d, program, tensors,
	                       equal == found && (found || has_delegate(program->program))
	                               ? ETC_TOGETHER_UNKNOWN
	                               : ETC_TOGETHER_NO,
	                       text, err);
}

static enum etc_status compare(struct etc_diagnosis *d, const struct etc_patient *a,
                               const struct etc_patient *b, struct etc_error *err)
{
	if (a->trace && (b->record || b->program))
		return relate(d, a, b, err);
	if (a->trace && b->kind == ETC_PATIENT_BUFFER)
		return dump_and_buffer(d, a, b, err);
	if (a->record && b->program)
		return relate(d, a, b, err);
	if (a->program && b->tensors)
		return program_and_tensors(d, a, b, err);
	return ETC_OK;
}

enum etc_status etc_doctor_pairs(struct etc_diagnosis *d, struct etc_error *err)
{
	for (uint32_t i = 0; i < d->patient_count; i++)
		for (uint32_t k = 0; k < d->patient_count; k++)
			ETC_TRY(compare(d, &d->patients[i], &d->patients[k], err));
	return ETC_OK;
}
