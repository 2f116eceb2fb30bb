/* report_traces.c -- see report_tables.h: tables of micro-kernels from logs. */
#include "commands/pipeline/report_tables.h"
#include "commands/pipeline/kit_kernels.h"

enum { MOST_LOG = 64 << 20 };

static struct etc_str id_of(const struct etc_folder_entry *e)
{
	size_t from = e->rel.len;

	while (from && e->rel.ptr[from - 1] != '/')
		from--;
	return etc_str_sub(e->rel, from, e->rel.len - strlen("_xnntrace.log"));
}

static enum etc_status kernels_csv(const void *what, struct etc_text *out, struct etc_error *err)
{
	(void)err;
	etc_kit_kernels_csv(what, out);
	return ETC_OK;
}

/* Reads one log; a log that cannot be read has no kernels. */
static enum etc_status read_trace(struct etc_report_job *job, const struct etc_folder_entry *e,
                                  struct etc_kit_kernels *out, struct etc_error *err)
{
	struct etc_file file;
	enum etc_status st;

	*out = (struct etc_kit_kernels){ .id = id_of(e) };
	if (e->kind != ETC_ENTRY_FILE || e->bytes > MOST_LOG ||
	    etc_file_open_found(&file, e->path, MOST_LOG, NULL) != ETC_OK)
		return ETC_OK;
	st = etc_kit_kernels_read((struct etc_str){ (const char *)file.bytes.ptr, file.bytes.len },
	                          id_of(e), job->summary.arena, out, err);
	etc_file_release(&file);
	return st;
}

struct view {
	const struct etc_kit_kernels *on, *off;
	struct etc_str title;
	struct etc_arena *arena;
};

static enum etc_status kernel_view(const void *what, struct etc_text *out, struct etc_error *err)
{
	const struct view *v = what;

	return etc_kit_kernels_view(v->on, v->off, "gemm", v->title, v->arena, out, err);
}

static bool holds(struct etc_str s, const char *a, const char *b)
{
	return etc_str_find(s, etc_str_of(a), 0) != SIZE_MAX ||
	       etc_str_find(s, etc_str_of(b), 0) != SIZE_MAX;
}

/* Writes the kit's view of the first trace of each build, if both exist. */
static enum etc_status write_view(struct etc_report_job *job, const struct etc_kit_kernels *k,
                                  uint32_t count, const char **path, struct etc_error *err)
{
	struct etc_str model = job->folder.model, name;
	struct view v = { .arena = job->summary.arena };
	const char *folder;
	size_t from;

	for (uint32_t i = 0; i < count; i++) {
		if (holds(k[i].id, "sme2_off", "sme2-off"))
			v.off = v.off ? v.off : &k[i];
		else if (holds(k[i].id, "sme2", "f16igemm"))
			v.on = v.on ? v.on : &k[i];
	}
	if (!v.on || !v.off)
		return ETC_OK;
	for (from = model.len; from && model.ptr[from - 1] != '/';)
		from--;
	name = etc_str_sub(model, from, model.len);
	if (etc_str_ends(name, ETC_STR(".pte")))
		name.len -= 4;
	v.title = etc_arena_printf(
		v.arena,
		ETC_STR_FMT ": GEMM/IGEMM Kernel view (XNNPACK Delegated):", ETC_STR_ARG(name));
	ETC_NEED(v.title.ptr, err);
	ETC_TRY(etc_report_folder(job, NULL, &folder, err));
	return etc_report_write(job, folder, ETC_STR("kernel_view_gemm"), ".md", kernel_view, &v,
	                        path, err);
}

enum etc_status etc_report_traces(struct etc_report_job *job, struct etc_error *err)
{
	const struct etc_folder_entries *traces = &job->folder.traces;
	struct etc_summary *s = &job->summary;
	struct etc_kit_kernels *k = etc_new(s->arena, struct etc_kit_kernels, traces->count);
	struct etc_str *files = etc_new(s->arena, struct etc_str, (size_t)traces->count + 1);

	ETC_NEED(k && files, err);
	s->kernels = files;
	for (uint32_t i = 0; i < traces->count; i++) {
		const char *folder, *path;

		ETC_TRY(read_trace(job, &traces->v[i], &k[i], err));
		ETC_TRY(etc_report_folder(job, &traces->v[i], &folder, err));
		ETC_TRY(etc_report_write(job, folder, k[i].id, "_kernels.csv", kernels_csv, &k[i],
		                         &path, err));
		files[s->kernel_count++] = etc_str_of(path);
	}
	if (traces->count) {
		const char *path = NULL;

		ETC_TRY(write_view(job, k, traces->count, &path, err));
		if (path)
			files[s->kernel_count++] = etc_str_of(path);
	}
	return ETC_OK;
}
