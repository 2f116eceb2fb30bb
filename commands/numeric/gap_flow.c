/* gap_flow.c -- propagates errors through the exported graph; see gap_flow.h */
#include "commands/numeric/gap_flow.h"

#include "base/ascii.h"

/* Reads the next word of `text`, from `*at` on. Returns false at the end. */
static bool next_word(struct etc_str text, size_t *at, struct etc_str *word)
{
	size_t from;

	while (*at < text.len && !etc_is_word(text.ptr[*at]))
		(*at)++;
	from = *at;
	while (*at < text.len && etc_is_word(text.ptr[*at]))
		(*at)++;
	*word = etc_str_sub(text, from, *at);
	return word->len > 0;
}

/* Returns the number of inputs of line `i`: the earlier lines whose names are in the line's
 * arguments. If `out` is not NULL, writes the indices of these lines to it. */
static uint32_t inputs_of(const struct etc_graph_lines *lines, const struct etc_map *names,
                          uint32_t i, uint32_t *out)
{
	const struct etc_graph_line *line = &lines->v[i];
	uint32_t n = 0;

	for (uint32_t a = 0; a < line->argument_count; a++) {
		struct etc_str word;
		size_t at = 0;

		while (next_word(line->arguments[a].text, &at, &word)) {
			size_t from = etc_map_get(names, word);

			if (from == ETC_MAP_NONE || from >= i)
				continue;
			if (out)
				out[n] = (uint32_t)from;
			n++;
		}
	}
	return n;
}

static bool is_item(const struct etc_graph_line *line)
{
	return line->node && !etc_str_eq(line->node->name, line->name);
}

static const int64_t *handle_of(const struct etc_graph_line *line)
{
	return line->op == ETC_LINE_CALL && line->node && line->node->debug_handle.count
	               ? line->node->debug_handle.v
	               : NULL;
}

static const uint32_t NO_EXIT = UINT32_MAX;
static const uint32_t MANY_EXITS = UINT32_MAX - 1;

/* Finds the exit of every handle: the only line of the handle that is read outside of it. Lines
 * without a handle are outside. If a getitem is read, the line whose output it returns counts in
 * its place. If several lines are read outside, the handle has no exit. If the handle has a single
 * node, that node is the exit, even if nothing reads it. */
static bool find_exits(struct etc_gap_flow *f, struct etc_arena *arena)
{
	const struct etc_graph_lines *lines = f->lines;
	uint32_t *nodes = etc_new(arena, uint32_t, lines->count);

	f->exit = etc_new(arena, uint32_t, lines->count);
	if (!nodes || !f->exit)
		return false;
	for (uint32_t i = 0; i < lines->count; i++)
		f->exit[i] = NO_EXIT;
	for (uint32_t i = 0; i < lines->count; i++) {
		const int64_t *mine = handle_of(&lines->v[i]);

		if (mine && !is_item(&lines->v[i]))
			nodes[etc_gap_flow_line(f, *mine)]++;
		for (uint32_t k = f->first_input[i]; k < f->first_input[i + 1]; k++) {
			uint32_t from = f->inputs[k], *exit;
			const int64_t *its = handle_of(&lines->v[from]);

			if (!its || (mine && *mine == *its))
				continue;
			if (is_item(&lines->v[from]) &&
			    f->first_input[from] < f->first_input[from + 1])
				from = f->inputs[f->first_input[from]];
			exit = &f->exit[etc_gap_flow_line(f, *its)];
			*exit = *exit == NO_EXIT || *exit == from ? from : MANY_EXITS;
		}
	}
	for (uint32_t i = 0; i < lines->count; i++)
		if (nodes[i] == 1)
			f->exit[i] = i;
	return true;
}

uint32_t etc_gap_flow_exit(const struct etc_gap_flow *f, int64_t handle)
{
	uint32_t line = etc_gap_flow_line(f, handle),
		 exit = line == UINT32_MAX ? line : f->exit[line];

	return exit == MANY_EXITS ? UINT32_MAX : exit;
}

static bool make(const struct etc_graph_lines *lines, struct etc_arena *arena,
                 struct etc_gap_flow *out)
{
	struct etc_map names;
	uint32_t total = 0;

	etc_map_init(&names, arena);
	etc_map_init(&out->of_handle, arena);
	out->first_input = etc_new(arena, uint32_t, (size_t)lines->count + 1);
	out->error = etc_new(arena, double, lines->count);
	if (!out->first_input || !out->error)
		return false;
	for (uint32_t i = 0; i < lines->count; i++) {
		if (etc_map_add(&names, lines->v[i].name, i) == ETC_MAP_NONE)
			return false;
		out->first_input[i] = total;
		total += inputs_of(lines, &names, i, NULL);
	}
	out->first_input[lines->count] = total;
	out->inputs = etc_new(arena, uint32_t, total);
	if (!out->inputs)
		return false;
	for (uint32_t i = 0; i < lines->count; i++)
		(void)inputs_of(lines, &names, i, out->inputs + out->first_input[i]);
	/* Starts with the last line, so that the last of several nodes with the same handle is
	 * stored. A getitem has the same handle as the call whose output it returns, so only calls
	 * are stored. */
	for (uint32_t i = lines->count; i-- > 0;) {
		const struct etc_node *node = lines->v[i].node;
		bool is_call = lines->v[i].op == ETC_LINE_CALL && node &&
		               etc_str_eq(node->name, lines->v[i].name);

		for (uint32_t k = 0; is_call && k < node->debug_handle.count; k++)
			if (etc_map_add(&out->of_handle,
			                (struct etc_str){ (const char *)&node->debug_handle.v[k],
			                                  sizeof(int64_t) },
			                i) == ETC_MAP_NONE)
				return false;
	}
	return find_exits(out, arena);
}

enum etc_status etc_gap_flow_make(const struct etc_graph_lines *lines, struct etc_arena *arena,
                                  struct etc_gap_flow *out, struct etc_error *err)
{
	*out = (struct etc_gap_flow){ .lines = lines };
	return make(lines, arena, out) ? ETC_OK : etc_no_memory(err);
}

uint32_t etc_gap_flow_line(const struct etc_gap_flow *f, int64_t handle)
{
	size_t at = f->lines->count
	                    ? etc_map_get(&f->of_handle,
	                                  (struct etc_str){ (const char *)&handle, sizeof handle })
	                    : ETC_MAP_NONE;

	return at == ETC_MAP_NONE ? UINT32_MAX : (uint32_t)at;
}

double etc_gap_flow_input(const struct etc_gap_flow *f, uint32_t line)
{
	double most = 0;

	for (uint32_t k = f->first_input[line]; k < f->first_input[line + 1]; k++)
		if (f->error[f->inputs[k]] > most)
			most = f->error[f->inputs[k]];
	return most;
}

void etc_gap_flow_run(struct etc_gap_flow *f, const double *known)
{
	for (uint32_t i = 0; i < f->lines->count; i++)
		f->error[i] = known[i] >= 0 ? known[i] : etc_gap_flow_input(f, i);
}
