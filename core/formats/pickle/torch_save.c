/* torch_save.c -- see torch_save.h. */
#include "formats/pickle/torch_save.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/number.h"
#include "formats/container/zip.h"

enum { NEWEST_VERSION = 10 }; /* kMaxSupportedFileFormatVersion of inline_container.h */

struct archive {
	struct etc_zip zip;
	struct etc_arena *arena;
	/* name of the folder in the archive that contains all entries; ends with '/' */
	struct etc_str folder;
	bool big_endian;
	bool weights; /* ETC_PICKLE_WEIGHTS: the bytes of storages are never read */
	struct etc_pickle_fault *why;
};

ETC_PRINTF(2, 3)
static enum etc_pickle_verdict refuse(struct etc_pickle_fault *why, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(why->why, sizeof why->why, fmt, args);
	va_end(args);
	return ETC_PICKLE_REFUSED;
}

/* Returns the entry of that name in the folder, or NULL. */
static const struct etc_zip_entry *find(const struct archive *a, struct etc_str name)
{
	struct etc_str path = etc_arena_printf(a->arena, "%.*s%.*s", (int)a->folder.len,
	                                       a->folder.ptr, (int)name.len, name.ptr);

	return path.ptr ? etc_zip_find(&a->zip, path) : NULL;
}

/* Gets the bytes of an entry. Like torch, does not check the CRC. */
static enum etc_pickle_verdict content(const struct archive *a, const struct etc_zip_entry *e,
                                       struct etc_span *out)
{
	struct etc_zip_data data = { 0 };
	struct etc_error err = { 0 };

	*out = (struct etc_span){ 0 };
	if (e->size == 0)
		return ETC_PICKLE_READ;
	if (etc_zip_read(&a->zip, e, (size_t)e->size, a->arena, &data, &err) != ETC_OK)
		return refuse(a->why, "%.160s", err.text);
	*out = data.bytes;
	if (data.bytes.len != e->size)
		return refuse(a->why, "an entry of %zu bytes, not %llu", data.bytes.len,
		              (unsigned long long)e->size);
	return ETC_PICKLE_READ;
}

static enum etc_pickle_verdict find_storage(void *arg, struct etc_ref_storage *s,
                                            struct etc_pickle_fault *why)
{
	const struct archive *a = arg;
	struct etc_str name = etc_arena_printf(a->arena, "data/%.*s", (int)s->key.len, s->key.ptr);
	const struct etc_zip_entry *e = name.ptr ? find(a, name) : NULL;

	if (!e)
		return refuse(why, "the storage '%.*s' is not in the archive",
		              (int)(s->key.len < 60 ? s->key.len : 60), s->key.ptr);
	if (e->size != s->bytes)
		return refuse(why, "the storage '%.*s' has %llu bytes, not %llu",
		              (int)(s->key.len < 60 ? s->key.len : 60), s->key.ptr,
		              (unsigned long long)e->size, (unsigned long long)s->bytes);
	s->big_endian = a->big_endian;
	s->packed = e->method != 0 || a->weights;
	return s->packed ? ETC_PICKLE_READ : content(a, e, &s->data);
}

/* Finds the folder that contains all entries; the folder may have any name. */
static enum etc_pickle_verdict find_folder(struct archive *a)
{
	size_t slash;

	if (a->zip.count == 0)
		return refuse(a->why, "the archive is empty");
	slash = etc_str_find(a->zip.entries[0].name, ETC_STR("/"), 0);
	if (slash == SIZE_MAX)
		return refuse(a->why, "an entry in no folder");
	a->folder = etc_str_sub(a->zip.entries[0].name, 0, slash + 1);
	for (uint32_t i = 0; i < a->zip.count; i++) {
		struct etc_str name = a->zip.entries[i].name;

		if (!etc_str_starts(name, a->folder))
			return refuse(a->why, "entries in several folders");
		if (etc_str_eq(etc_str_sub(name, a->folder.len, name.len),
		               ETC_STR("constants.pkl")))
			return refuse(a->why, "a TorchScript archive");
	}
	return ETC_PICKLE_READ;
}

static enum etc_pickle_verdict check_version(const struct archive *a)
{
	const struct etc_zip_entry *e = find(a, ETC_STR(".data/version"));
	struct etc_span bytes;
	uint64_t version;

	if (!e)
		e = find(a, ETC_STR("version"));
	if (!e)
		return refuse(a->why, "the archive has no version");
	ETC_PICKLE_TRY(content(a, e, &bytes));
	if (!etc_number_parse_u64(
		    etc_str_trim((struct etc_str){ (const char *)bytes.ptr, bytes.len }), &version))
		return refuse(a->why, "the version is no number");
	if (version < 1 || version > NEWEST_VERSION)
		return refuse(a->why, "version %llu, known are 1 to %d",
		              (unsigned long long)version, NEWEST_VERSION);
	return ETC_PICKLE_READ;
}

static enum etc_pickle_verdict check_order(struct archive *a)
{
	const struct etc_zip_entry *e = find(a, ETC_STR("byteorder"));
	struct etc_span bytes;
	struct etc_str order;

	if (!e)
		return ETC_PICKLE_READ;
	ETC_PICKLE_TRY(content(a, e, &bytes));
	order = (struct etc_str){ (const char *)bytes.ptr, bytes.len };
	a->big_endian = etc_str_eq(order, ETC_STR("big"));
	if (!a->big_endian && !etc_str_eq(order, ETC_STR("little")))
		return refuse(a->why, "unknown byte order");
	return ETC_PICKLE_READ;
}

enum etc_pickle_verdict etc_torch_load(struct etc_span file, enum etc_pickle_names names,
                                       struct etc_arena *arena, const struct etc_ref_value **out,
                                       struct etc_pickle_fault *why)
{
	struct archive a = { .arena = arena, .weights = names == ETC_PICKLE_WEIGHTS, .why = why };
	const struct etc_zip_entry *e;
	struct etc_error err = { 0 };
	struct etc_span pickle;

	*out = NULL;
	*why = (struct etc_pickle_fault){ 0 };
	if (etc_zip_open_first(file, arena, &a.zip, &err) != ETC_OK)
		return refuse(why, "%.160s", err.text);
	ETC_PICKLE_TRY(find_folder(&a));
	ETC_PICKLE_TRY(check_version(&a));
	ETC_PICKLE_TRY(check_order(&a));
	e = find(&a, ETC_STR("data.pkl"));
	if (!e)
		return refuse(why, "the archive has no data.pkl");
	ETC_PICKLE_TRY(content(&a, e, &pickle));
	return etc_pickle_read(pickle, names, find_storage, &a, arena, out, why);
}
