/* methods.c -- restricts a profile to one method, and assigns loads to methods; see profile.h. */
#include "profile/profile.h"

#include "base/nearest.h"

enum etc_status etc_profile_only(struct etc_profile *profile, struct etc_str method,
                                 struct etc_arena *arena, struct etc_error *err)
{
	struct etc_profile_path *paths =
		etc_new(arena, struct etc_profile_path, profile->path_count);
	struct etc_profile_row *rows = etc_new(arena, struct etc_profile_row, profile->row_count);
	struct etc_profile_load *loads =
		etc_new(arena, struct etc_profile_load, profile->load_count);
	uint32_t path_count = 0;
	size_t row_count = 0, load_count = 0;

	ETC_NEED(paths && rows && loads, err);
	for (uint32_t p = 0; p < profile->path_count; p++) {
		if (!etc_str_eq(profile->paths[p].method, method))
			continue;
		for (size_t i = 0; i < profile->row_count; i++)
			if (profile->rows[i].path == p) {
				rows[row_count] = profile->rows[i];
				rows[row_count++].path = path_count;
			}
		paths[path_count++] = profile->paths[p];
	}
	for (size_t i = 0; i < profile->load_count; i++)
		if (!profile->loads[i].method.len || etc_str_eq(profile->loads[i].method, method))
			loads[load_count++] = profile->loads[i];
	profile->paths = paths;
	profile->path_count = path_count;
	profile->rows = rows;
	profile->row_count = row_count;
	profile->loads = loads;
	profile->load_count = load_count;
	return ETC_OK;
}

enum etc_status etc_profile_has(const struct etc_profile *profile, const char *name,
                                struct etc_arena *arena, struct etc_error *err)
{
	struct etc_str want = etc_str_of(name);
	struct etc_str *names = etc_new(arena, struct etc_str, profile->path_count);
	uint32_t n = 0;

	ETC_NEED(names, err);
	for (uint32_t i = 0; i < profile->path_count; i++) {
		if (etc_str_eq(profile->paths[i].method, want))
			return ETC_OK;
		if (profile->paths[i].method.len)
			names[n++] = profile->paths[i].method;
	}
	return etc_fail_unknown(err, E0508, want, names, n, "the dump has",
	                        "the methods of this dump are not known");
}

enum etc_status etc_profile_choose(struct etc_profile *profile, const char *name,
                                   struct etc_arena *arena, struct etc_error *err)
{
	ETC_TRY(etc_profile_has(profile, name, arena, err));
	return etc_profile_only(profile, etc_str_of(name), arena, err);
}

static bool is_loaded(const struct etc_profile_load *loads, size_t count, struct etc_str method)
{
	for (size_t i = 0; i < count; i++)
		if (etc_str_eq(loads[i].method, method))
			return true;
	return false;
}

/* Returns the only method that has runs in [from, to) of the trace and was not loaded before.
 * Empty: there is no such method, or there are several. */
static struct etc_str new_method(const struct etc_profile *profile,
                                 const struct etc_profile_load *loads, size_t count, size_t from,
                                 size_t to)
{
	struct etc_str method = { 0 };

	for (uint32_t p = 0; p < profile->path_count; p++) {
		const struct etc_profile_path *path = &profile->paths[p];
		bool here = false;

		for (size_t i = 0; i < path->runs && !here; i++)
			here = path->run[i] >= from && path->run[i] < to;
		if (!here || is_loaded(loads, count, path->method))
			continue;
		if (method.len && !etc_str_eq(method, path->method))
			return (struct etc_str){ 0 };
		method = path->method;
	}
	return method;
}

bool etc_profile_assign_loads(const struct etc_profile *profile, struct etc_profile_load *loads,
                              size_t run_count, const uint32_t *file, bool choice)
{
	bool several = false, known = true;
	size_t first = 0; /* first load of the file to which the current load belongs */

	for (uint32_t p = 1; p < profile->path_count; p++)
		several =
			several || !etc_str_eq(profile->paths[p].method, profile->paths[0].method);
	for (size_t i = 1; i < profile->load_count && choice; i++)
		several = several || !file || file[loads[i].run] == file[loads[i - 1].run];
	if (!several)
		return true;
	/* A method runs only after it was loaded. So if a method runs for the first time between a
	 * load and the next one, the first of these two loads loaded it. */
	for (size_t i = 0; i < profile->load_count && known; i++) {
		size_t end = i + 1 < profile->load_count ? loads[i + 1].run : run_count;

		if (file && file[loads[i].run] != file[loads[first].run])
			first = i;
		loads[i].method = new_method(profile, loads + first, i - first, loads[i].run, end);
		known = loads[i].method.len > 0;
	}
	for (size_t i = 0; i < profile->load_count && !known; i++)
		loads[i].method = (struct etc_str){ 0 };
	return known;
}
