/* groups.c -- splits operands into groups, and opens their files; see groups.h */
#include "commands/compare/groups.h"

#include "context/files.h"
#include "commands/compare/stored.h"
#include "commands/compare/baseline_read.h"
#include "profile/remarks.h"

enum { LETTERS = 26, SEPARATE = '/', BUDGET_PER_DUMP = 64 << 20, BUDGET_PER_BYTE = 64 };

static bool is_separator(const char *operand)
{
	return strcmp(operand, "--") == 0;
}

/* ---- operands --------------------------------------------------------------------- */

/* Adds an operand. If it is a record or program, it is used for all dumps of the group. */
static enum etc_status add_file(struct etc_file_group *g, const char *path, struct etc_session *s,
                                struct etc_error *err)
{
	struct etc_span bytes = { 0 };
	enum etc_file_kind kind;

	if (strcmp(path, "-") != 0)
		ETC_TRY(etc_in_file(err, etc_session_open(s, path, &bytes, err), path));
	kind = etc_file_kind_of(bytes);
	if (kind == ETC_FILE_ETRECORD)
		g->etrecord = path;
	else if (kind == ETC_FILE_PROGRAM)
		g->program = path;
	else
		g->dumps[g->dump_count++] = path;
	return ETC_OK;
}

static enum etc_status part_operands(struct etc_file_groups *groups,
                                     const struct etc_group_options *o, struct etc_session *s,
                                     struct etc_error *err)
{
	uint32_t n = 1, count;
	const char **files;

	ETC_TRY(etc_session_operands(s, o->files, o->file_count, false, &files, &count, err));
	for (uint32_t i = 0; i < count; i++)
		n += is_separator(files[i]);
	if (n < 2 && !o->single)
		return etc_fail(err, E0501,
		                "which against which? etcore diff A.etdump -- B.etdump");
	if (n > LETTERS)
		return etc_fail(err, E0501, "%u groups; at most %d can be compared", n, LETTERS);
	groups->v = etc_new(&s->arena, struct etc_file_group, n);
	ETC_NEED(groups->v, err);
	for (uint32_t i = 0; groups->count < n; groups->count++, i++) {
		struct etc_file_group *g = &groups->v[groups->count];

		g->dumps = etc_new(&s->arena, const char *, count);
		g->etrecord = o->etrecord;
		g->program = o->program;
		ETC_NEED(g->dumps, err);
		for (; i < count && !is_separator(files[i]); i++)
			ETC_TRY(add_file(g, files[i], s, err));
		if (g->dump_count == 0)
			return etc_fail(err, E0501, "group %u has no ETDump", groups->count + 1);
		groups->dump_count += g->dump_count;
	}
	return ETC_OK;
}

/* ---- names -------------------------------------------------------------------------- */

/* Returns the length of the common prefix of two paths, up to and including its last '/'. */
static size_t common_head(struct etc_str a, struct etc_str b)
{
	size_t at = 0, whole = 0;

	for (; at < a.len && at < b.len && a.ptr[at] == b.ptr[at]; at++)
		if (a.ptr[at] == SEPARATE)
			whole = at + 1;
	return whole;
}

/* Returns the length of the longest common suffix of two paths that begins with a '/'. */
static size_t common_tail(struct etc_str a, struct etc_str b)
{
	size_t n = 0, whole = 0;

	while (n < a.len && n < b.len && a.ptr[a.len - 1 - n] == b.ptr[b.len - 1 - n])
		if (a.ptr[a.len - 1 - n++] == SEPARATE)
			whole = n;
	return whole;
}

/* Returns the path of a group. If the group has one dump, it is the path of the dump; else it is
 * the folder that contains all its dumps. */
static struct etc_str path_of(const struct etc_file_group *g)
{
	struct etc_str path = etc_str_of(g->dumps[0]);

	for (uint32_t i = 1; i < g->dump_count; i++)
		path.len = common_head(path, etc_str_of(g->dumps[i]));
	while (g->dump_count > 1 && path.len && path.ptr[path.len - 1] == SEPARATE)
		path.len--;
	return path;
}

static struct etc_str without_ending(struct etc_str s)
{
	static const char *const endings[] = { ".gz", ".etdump", ".etdp", ".baseline" };

	for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
		if (etc_str_ends(s, etc_str_of(endings[i])))
			s.len -= strlen(endings[i]);
	return s;
}

/* Names each group by the part of its path that differs from the paths of the other groups. Returns
 * false if the paths do not differ. */
static bool name_by_paths(struct etc_file_groups *groups)
{
	size_t head = SIZE_MAX, tail = SIZE_MAX;
	struct etc_str first = path_of(&groups->v[0]);

	for (uint32_t g = 1; g < groups->count; g++) {
		struct etc_str path = path_of(&groups->v[g]);
		size_t h = common_head(first, path), t = common_tail(first, path);

		head = h < head ? h : head;
		tail = t < tail ? t : tail;
	}
	for (uint32_t g = 0; g < groups->count; g++) {
		struct etc_str path = path_of(&groups->v[g]);

		if (head + tail >= path.len)
			return false;
		groups->v[g].name = without_ending(etc_str_sub(path, head, path.len - tail));
		for (uint32_t k = 0; k < g; k++)
			if (etc_str_eq(groups->v[k].name, groups->v[g].name))
				return false;
	}
	return true;
}

static enum etc_status name_by_option(struct etc_file_groups *groups, const char *names,
                                      struct etc_error *err)
{
	struct etc_str rest = etc_str_of(names);

	for (uint32_t g = 0; g < groups->count; g++) {
		size_t comma = etc_str_find(rest, ETC_STR(","), 0);
		bool last = g + 1 == groups->count;

		groups->v[g].name = etc_str_trim(etc_str_sub(rest, 0, comma));
		if (groups->v[g].name.len == 0 || (comma == SIZE_MAX) != last)
			return etc_fail(err, E0505, "--names '%s'; there are %u groups", names,
			                groups->count);
		for (uint32_t i = 0; i < g; i++)
			if (etc_str_eq(groups->v[i].name, groups->v[g].name))
				return etc_fail(err, E0505,
				                "--names '%s'; two groups have the same name",
				                names);
		rest = last ? rest : etc_str_sub(rest, comma + 1, rest.len);
	}
	return ETC_OK;
}

static void name_by_letters(struct etc_file_groups *groups)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	for (uint32_t g = 0; g < groups->count; g++)
		groups->v[g].name = (struct etc_str){ letters + g, 1 };
}

enum etc_status etc_groups_parse(struct etc_file_groups *groups,
                                 const struct etc_group_options *options, struct etc_session *s,
                                 struct etc_error *err)
{
	*groups = (struct etc_file_groups){ 0 };
	ETC_TRY(part_operands(groups, options, s, err));
	if (options->names)
		return name_by_option(groups, options->names, err);
	if (!name_by_paths(groups))
		name_by_letters(groups);
	return ETC_OK;
}

/* ---- files ---------------------------------------------------------------------------- */

/* An operand: either a dump, or a baseline, which contains several dumps. */
struct operand {
	struct etc_input_file file;
	/* the operand as a baseline; its count is 0 if the operand is a dump */
	struct etc_baseline baseline;
};

static enum etc_status open_operands(const struct etc_file_group *g, struct etc_session *s,
                                     struct operand *operands, uint32_t *dumps,
                                     struct etc_error *err)
{
	*dumps = 0;
	for (uint32_t i = 0; i < g->dump_count; i++) {
		struct operand *o = &operands[i];
		enum etc_status st;

		o->file.path = g->dumps[i];
		ETC_TRY(etc_in_file(err, etc_session_open(s, o->file.path, &o->file.bytes, err),
		                    o->file.path));
		++*dumps;
		if (etc_file_kind_of(o->file.bytes) != ETC_FILE_UNKNOWN ||
		    !etc_stored_is(o->file.bytes))
			continue;
		if (s->settings.limits.max_memory == 0)
			s->arena.budget += BUDGET_PER_DUMP + BUDGET_PER_BYTE * o->file.bytes.len;
		st = etc_baseline_read(o->file.bytes, &s->arena, &o->baseline, err);
		ETC_TRY(etc_in_file(err, st, o->file.path));
		*dumps += o->baseline.count - 1;
	}
	return ETC_OK;
}

static void add_input(struct etc_file_group *g, const struct etc_inputs *in, struct etc_session *s)
{
	const struct etc_inputs *known = etc_inputs_known(g->inputs, g->dump_count, in, &s->arena);

	if (known) {
		etc_note_twice(&s->notes, in, known);
		return;
	}
	g->dumps[g->dump_count] = in->dump.path;
	g->inputs[g->dump_count++] = *in;
	etc_remark_foreign(in, &s->notes);
}

static enum etc_status open_dump(struct etc_file_group *g, const char *path,
                                 const struct etc_group_options *options, struct etc_session *s,
                                 struct etc_error *err)
{
	struct etc_input_paths paths = {
		.dump = path,
		.etrecord = g->etrecord,
		.program = g->program,
		.no_siblings = options->no_siblings,
		.flows = true,
		.verbose = options->verbose,
	};
	struct etc_inputs *in = etc_new(&s->arena, struct etc_inputs, 1);

	ETC_NEED(in, err);
	ETC_TRY(etc_inputs_open(s, &paths, in, err));
	add_input(g, in, s);
	return ETC_OK;
}

static enum etc_status open_group(struct etc_file_group *g, const struct etc_group_options *options,
                                  struct etc_session *s, struct etc_error *err)
{
	struct operand *operands = etc_new(&s->arena, struct operand, g->dump_count);
	uint32_t operand_count = g->dump_count, room;

	ETC_NEED(operands, err);
	ETC_TRY(open_operands(g, s, operands, &room, err));
	g->dumps = etc_new(&s->arena, const char *, room);
	g->inputs = etc_new(&s->arena, struct etc_inputs, room);
	g->dump_count = 0;
	ETC_NEED(g->dumps && g->inputs, err);
	for (uint32_t i = 0; i < operand_count; i++) {
		const struct operand *o = &operands[i];

		if (o->baseline.count == 0)
			ETC_TRY(open_dump(g, o->file.path, options, s, err));
		for (uint32_t d = 0; d < o->baseline.count; d++) {
			struct etc_inputs in;

			ETC_TRY(etc_stored_input(s, &o->file, &o->baseline.dumps[d], d == 0, &in,
			                         err));
			add_input(g, &in, s);
		}
	}
	return ETC_OK;
}

static const struct etc_file *file_of(const struct etc_session *s, const char *path)
{
	for (uint32_t i = 0; i < s->file_count; i++)
		if (strcmp(s->files[i].path, path) == 0)
			return &s->files[i];
	return NULL;
}

/* Are two dumps with equal content the same file, because their paths are equal or one path is a
 * link to the other? The answer is no for a dump in a stored baseline. */
static bool is_one_file(const struct etc_session *s, const struct etc_inputs *a,
                        const struct etc_inputs *b)
{
	const struct etc_file *x = file_of(s, a->dump.path), *y = file_of(s, b->dump.path);

	if (a->stored || b->stored || !x || !y)
		return false;
	return x == y || (x->mark.inode && x->mark.inode == y->mark.inode &&
	                  x->mark.device == y->mark.device);
}

/* Reports each dump of `g` that is also in the first group (N0140, N0141), and sets
 * g->same_as_first, g->in_first and g->equal_files. */
static void find_shared(const struct etc_file_group *first, struct etc_file_group *g,
                        struct etc_session *s)
{
	uint32_t shared = 0;

	s->notes.file = (struct etc_str){ 0 };
	for (uint32_t d = 0; d < g->dump_count; d++) {
		const struct etc_inputs *known = etc_inputs_known(first->inputs, first->dump_count,
		                                                  &g->inputs[d], &s->arena);

		if (!known)
			continue;
		shared++;
		if (is_one_file(s, known, &g->inputs[d])) {
			etc_note_each(
				&s->notes, N0140, ETC_STR_FMT " and " ETC_STR_FMT " both have %s",
				ETC_STR_ARG(first->name), ETC_STR_ARG(g->name), known->dump.path);
			continue;
		}
		g->equal_files = true;
		etc_note_each(&s->notes, N0141, "%s of " ETC_STR_FMT " and %s of " ETC_STR_FMT,
		              known->dump.path, ETC_STR_ARG(first->name), g->inputs[d].dump.path,
		              ETC_STR_ARG(g->name));
	}
	g->same_as_first = shared == g->dump_count && shared == first->dump_count;
	g->in_first = shared > 0 && (shared == g->dump_count || shared == first->dump_count);
}

enum etc_status etc_groups_open(struct etc_file_groups *groups,
                                const struct etc_group_options *options, struct etc_session *s,
                                struct etc_error *err)
{
	/* The budget of memory is for one dump. The profiles of all dumps, and the comparison, need
	 * more. */
	if (s->settings.limits.max_memory == 0)
		s->arena.budget += (size_t)groups->dump_count * BUDGET_PER_DUMP;
	groups->dump_count = 0;
	for (uint32_t g = 0; g < groups->count; g++) {
		ETC_TRY(open_group(&groups->v[g], options, s, err));
		groups->dump_count += groups->v[g].dump_count;
		if (g)
			find_shared(&groups->v[0], &groups->v[g], s);
	}
	return ETC_OK;
}
