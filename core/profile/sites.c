/* sites.c -- see sites.h */
#include "profile/sites.h"

#include "join/owner.h"

enum etc_status etc_profile_sites(struct etc_sites *sites, const struct etc_trace *trace,
                                  uint32_t template, const struct etc_profile_options *options,
                                  const struct etc_method *method, struct etc_all_places *places,
                                  bool nodes, const struct etc_sites_runs *runs,
                                  struct etc_arena *arena, struct etc_arena *scratch,
                                  struct etc_error *err)
{
	const struct etc_join_input in = {
		.trace = trace,
		.host = options->host,
		.method = method,
		.clock = options->clock,
		.places = nodes || options->peaks,
		.metadata = options->host != NULL,
	};
	uint32_t *asked = etc_new(scratch, uint32_t, runs->count);
	struct etc_places *of = NULL;
	bool nameless;

	ETC_NEED(asked, err);
	ETC_TRY(etc_sites_make(sites, &trace->templates[template], in.clock, scratch, err));
	ETC_TRY(etc_sites_calls(sites, err));
	ETC_TRY(etc_sites_own(sites, &in, asked,
	                      etc_runs_asked(runs->run, runs->use, runs->count, asked), arena,
	                      err));
	nameless = options->record && etc_sites_nameless(sites);
	if (nodes || nameless)
		ETC_TRY(etc_places_of(places, method, &of, err));
	if (nameless)
		ETC_TRY(etc_sites_name(sites, of, err));
	return nodes ? etc_sites_place(sites, of, err) : ETC_OK;
}
