/* methods.c -- a profile by methods: one of them, and their loads; see profile.h */
#include "api/profile.h"

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

	if (!paths || !rows || !loads)
		return etc_fail(err, E0904, "%zu rows", profile->row_count);
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

/* The one method of the runs [from, to) of the trace, or empty: none or several. */
static struct etc_str method_between(const struct etc_profile *profile, size_t from, size_t to)
{
	struct etc_str method = { 0 };

	for (uint32_t p = 0; p < profile->path_count; p++) {
		const struct etc_profile_path *path = &profile->paths[p];
		bool here = false;

		for (size_t i = 0; i < path->runs && !here; i++)
			here = path->run[i] >= from && path->run[i] < to;
		if (!here)
			continue;
		if (method.len && !etc_str_eq(method, path->method))
			return (struct etc_str){ 0 };
		method = path->method;
	}
	return method;
}

bool etc_profile_assign_loads(const struct etc_profile *profile, struct etc_profile_load *loads,
                              const size_t *run, size_t run_count)
{
	bool several = false, known = true;

	for (uint32_t p = 1; p < profile->path_count; p++)
		several =
			several || !etc_str_eq(profile->paths[p].method, profile->paths[0].method);
	if (!several)
		return true;
	/* A load is followed by runs of its method alone, and no method twice. */
	for (size_t i = 0; i < profile->load_count && known; i++) {
		size_t end = i + 1 < profile->load_count ? run[i + 1] : run_count;

		loads[i].method = method_between(profile, run[i], end);
		known = loads[i].method.len > 0;
		for (size_t k = 0; k < i; k++)
			known = known && !etc_str_eq(loads[k].method, loads[i].method);
	}
	for (size_t i = 0; i < profile->load_count && !known; i++)
		loads[i].method = (struct etc_str){ 0 };
	return known;
}
