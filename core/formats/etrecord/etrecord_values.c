/* etrecord_values.c -- lists reference outputs and representative inputs of an ETRecord: their
 * values, and the position of their bytes. */
#include "formats/etrecord/etrecord_reader.h"

#include "formats/pickle/torch_save.h"

/* Returns an item of the reference outputs as a test case. If the item is a list, the list's items
 * are the values of the case. Otherwise the item itself is the only value of the case: some records
 * have a plain list of values instead of a list of cases. */
static struct etc_record_case as_case(const struct etc_ref_value *const *value)
{
	if (etc_ref_is_list(*value))
		return (struct etc_record_case){ (*value)->items, (*value)->count };
	return (struct etc_record_case){ value, 1 };
}

static bool add_method(struct etc_record_reader *r, struct etc_grow *methods, struct etc_str name,
                       const struct etc_ref_value *list)
{
	struct etc_record_method *m = ETC_GROW(r->arena, methods, struct etc_record_method);
	struct etc_record_case *cases = etc_new(r->arena, struct etc_record_case, list->count);

	if (!m || !cases)
		return false;
	for (uint32_t i = 0; i < list->count; i++)
		cases[i] = as_case(&list->items[i]);
	*m = (struct etc_record_method){ name, cases, list->count };
	return true;
}

/* Lists reference outputs: {method: [case, ...]}, or [case, ...] for `forward`. */
static bool list_outputs(struct etc_record_reader *r, struct etc_record_blob *blob)
{
	const struct etc_ref_value *v = blob->value;
	struct etc_grow methods = { 0 };
	bool ok = true;

	for (uint32_t i = 0; etc_ref_is_dict(v) && i < v->count; i += 2)
		if (v->items[i]->kind == ETC_REF_STRING && etc_ref_is_list(v->items[i + 1]))
			ok &= add_method(r, &methods, v->items[i]->text, v->items[i + 1]);
	if (etc_ref_is_list(v))
		ok &= add_method(r, &methods, ETC_STR("forward"), v);
	blob->methods = methods.items;
	blob->method_count = methods.count;
	return ok;
}

/* Lists representative inputs: [value, ...] is the single case of `forward`. */
static bool list_inputs(struct etc_record_reader *r, struct etc_record_blob *blob)
{
	struct etc_record_method *m;
	struct etc_record_case *one;

	if (!etc_ref_is_list(blob->value))
		return true;
	m = etc_new(r->arena, struct etc_record_method, 1);
	one = etc_new(r->arena, struct etc_record_case, 1);
	if (!m || !one)
		return false;
	*one = (struct etc_record_case){ blob->value->items, blob->value->count };
	*m = (struct etc_record_method){ ETC_STR("forward"), one, 1 };
	blob->methods = m;
	blob->method_count = 1;
	return true;
}

/* Returns the number of test cases that the Inspector finds in reference_outputs["forward"]. -1:
 * there are no reference outputs, or the entry is not a list. -2: the Inspector raises, because the
 * key is missing. */
static int64_t count_forward(const struct etc_ref_value *v)
{
	const struct etc_ref_value *list;

	if (v->kind == ETC_REF_NONE)
		return -1;
	list = etc_ref_get(v, ETC_STR("forward"));
	if (!list)
		return -2;
	return etc_ref_is_list(list) ? (int64_t)list->count : -1;
}

static enum etc_status read_blob(struct etc_record_reader *r, struct etc_str name,
                                 struct etc_record_blob *blob, struct etc_error *err)
{
	const struct etc_zip_entry *e = etc_zip_find(&r->zip, name);
	struct etc_pickle_fault fault = { 0 };
	enum etc_pickle_verdict verdict = ETC_PICKLE_REFUSED;
	struct etc_zip_data data;
	struct etc_error why = { 0 };

	if (!e)
		return ETC_OK;
	/* Python checks the CRC, which costs a pass over the data. So the CRC is checked only to
	 * reproduce the Inspector. */
	if (etc_zip_read(&r->zip, e, r->want & ETC_RECORD_INSPECTOR ? 0 : blob->bytes, r->arena,
	                 &data, &why) == ETC_OK)
		verdict = blob->is_pickle ? etc_pickle_read_legacy(data.bytes, r->arena,
		                                                   &blob->value, &fault)
		                          : etc_torch_load(data.bytes, ETC_PICKLE_TORCH, r->arena,
		                                           &blob->value, &fault);
	else if (why.code == E0405)
		verdict = ETC_PICKLE_CLOSED;
	if (why.code == E0904)
		return etc_no_memory(err);
	blob->state = verdict == ETC_PICKLE_READ      ? ETC_VALUES_READ
	              : verdict == ETC_PICKLE_REFUSED ? ETC_VALUES_REFUSED
	                                              : ETC_VALUES_CLOSED;
	if (verdict == ETC_PICKLE_READ)
		return ETC_OK;
	blob->why = why.code   ? etc_arena_str(r->arena, etc_str_of(why.text))
	            : fault.at ? etc_arena_printf(r->arena, "%sbyte %zu: %s",
	                                          blob->is_pickle ? "" : "data.pkl ", fault.at,
	                                          fault.why)
	                       : etc_arena_str(r->arena, etc_str_of(fault.why));
	etc_note_each(r->notes, W0427, ETC_STR_FMT ": " ETC_STR_FMT, ETC_STR_ARG(name),
	              ETC_STR_ARG(blob->why));
	return ETC_OK;
}

/* Returns the arguments if the value has the form ((argument, ...), {}) and no argument is a list
 * or dict; else NULL. */
static const struct etc_ref_value *arguments_of(const struct etc_ref_value *v)
{
	const struct etc_ref_value *list;

	if (!v || !etc_ref_is_list(v) || v->count != 2 || v->items[1]->count)
		return NULL;
	list = v->items[0];
	for (uint32_t i = 0; etc_ref_is_list(list) && i < list->count; i++)
		if (etc_ref_is_list(list->items[i]) || etc_ref_is_dict(list->items[i]))
			return NULL;
	return etc_ref_is_list(list) ? list : NULL;
}

/* Adds a method with its example inputs. Unreadable inputs are skipped. */
static enum etc_status read_example(struct etc_record_reader *r, const struct etc_zip_entry *e,
                                    struct etc_str method, struct etc_grow *methods,
                                    struct etc_error *err)
{
	const struct etc_ref_value *value = NULL, *list;
	struct etc_pickle_fault fault = { 0 };
	struct etc_error why = { 0 };
	struct etc_record_method *m;
	struct etc_record_case *one;
	struct etc_zip_data data;

	if (etc_zip_read(&r->zip, e, 0, r->arena, &data, &why) != ETC_OK)
		return why.code == E0904 ? etc_no_memory(err) : ETC_OK;
	if (etc_torch_load(data.bytes, ETC_PICKLE_TORCH, r->arena, &value, &fault) !=
	    ETC_PICKLE_READ)
		return ETC_OK;
	list = arguments_of(value);
	if (!list)
		return ETC_OK;
	m = ETC_GROW(r->arena, methods, struct etc_record_method);
	one = etc_new(r->arena, struct etc_record_case, 1);
	ETC_NEED(m && one, err);
	*one = (struct etc_record_case){ list->items, list->count };
	*m = (struct etc_record_method){ method, one, 1 };
	return ETC_OK;
}

static enum etc_status read_examples(struct etc_record_reader *r, struct etc_error *err)
{
	const struct etc_str before = ETC_STR("edge_dialect_exported_program/"),
			     after = ETC_STR("_example_inputs");
	struct etc_record_blob *blob = &r->out->example_inputs;
	struct etc_grow methods = { 0 };

	for (uint32_t i = 0; i < r->zip.count; i++) {
		const struct etc_zip_entry *e = &r->zip.entries[i];
		struct etc_str method = e->name;

		if (!etc_str_starts(method, before) || !etc_str_ends(method, after) ||
		    method.len < before.len + after.len)
			continue;
		method.ptr += before.len;
		method.len -= before.len + after.len;
		ETC_TRY(read_example(r, e, method, &methods, err));
	}
	blob->methods = methods.items;
	blob->method_count = methods.count;
	return ETC_OK;
}

enum etc_status etc_record_read_values(struct etc_record_reader *r, struct etc_error *err)
{
	struct etc_record_blob *outputs = &r->out->reference_outputs;
	struct etc_record_blob *inputs = &r->out->representative_inputs;

	ETC_TRY(read_blob(r, ETC_STR("reference_outputs"), outputs, err));
	ETC_TRY(read_blob(r, ETC_STR("representative_inputs"), inputs, err));
	if (outputs->value) {
		/* The Inspector does not read the value of a raw pickle, because it raises an
		 * exception before. */
		if (!outputs->is_pickle)
			outputs->forward_cases = count_forward(outputs->value);
		ETC_NEED(list_outputs(r, outputs), err);
	}
	if (inputs->value && !list_inputs(r, inputs))
		return etc_no_memory(err);
	return r->want & ETC_RECORD_VALUES ? read_examples(r, err) : ETC_OK;
}
