/* files.c -- see files.h */
#include "context/files.h"

#include "base/sha256.h"

/* number of bytes of a large file that are hashed before their pages are released */
enum { PIECE = 8 << 20 };

/* Returns the SHA-256 of an input's bytes; for a file known from a baseline, the hash in the
 * baseline. `from` is the mapped file that contains the bytes, or NULL if they are not in a mapped
 * file. Its pages are released while the hash is computed. */
static struct etc_str hash_of(const struct etc_input_file *file, const struct etc_file *from,
                              struct etc_arena *arena)
{
	uint8_t digest[ETC_SHA256_BYTES];
	struct etc_text hex = { 0 };
	struct etc_sha256 sha;

	if (file->sha256.ptr)
		return file->sha256;
	etc_sha256_init(&sha);
	for (size_t at = 0, n; at < file->bytes.len; at += n) {
		n = file->bytes.len - at < PIECE ? file->bytes.len - at : PIECE;
		etc_sha256_add(&sha, (struct etc_span){ file->bytes.ptr + at, n });
		if (from && n == PIECE)
			etc_file_rest(from);
	}
	etc_sha256_end(&sha, digest);
	etc_text_hex(&hex, (struct etc_span){ digest, sizeof digest });
	return etc_text_keep(&hex, arena);
}

struct etc_str etc_file_hash(const struct etc_input_file *file, struct etc_arena *arena)
{
	return hash_of(file, NULL, arena);
}

static uint64_t size_of(const struct etc_input_file *f)
{
	return f->sha256.ptr ? f->stored_bytes : f->bytes.len;
}

bool etc_file_same(const struct etc_input_file *a, const struct etc_input_file *b,
                   struct etc_arena *arena)
{
	struct etc_str hash;

	if (size_of(a) != size_of(b))
		return false;
	if (!a->sha256.ptr && !b->sha256.ptr)
		return a->bytes.ptr == b->bytes.ptr || a->bytes.len == 0 ||
		       memcmp(a->bytes.ptr, b->bytes.ptr, a->bytes.len) == 0;
	hash = etc_file_hash(a, arena);
	return hash.len && etc_str_eq(hash, etc_file_hash(b, arena));
}

const struct etc_inputs *etc_inputs_known(const struct etc_inputs *all, uint32_t count,
                                          const struct etc_inputs *in, struct etc_arena *arena)
{
	for (uint32_t i = 0; i < count; i++)
		if (etc_file_same(&all[i].dump, &in->dump, arena))
			return &all[i];
	return NULL;
}

void etc_note_twice(struct etc_notes *notes, const struct etc_inputs *again,
                    const struct etc_inputs *first)
{
	notes->file = (struct etc_str){ 0 };
	if (strcmp(again->dump.path, first->dump.path) == 0)
		etc_note_each(notes, N0180, "%s", again->dump.path);
	else
		etc_note_each(notes, N0180, "%s is %s", again->dump.path, first->dump.path);
}

uint32_t etc_list_files(const struct etc_inputs *in, bool hashes, struct etc_arena *arena,
                        struct etc_report_file *out)
{
	static const char *const kinds[ETC_FILE_KINDS] = { "etdump", "etrecord", "debug_buffer",
		                                           "program", "baseline" };
	const struct etc_input_file *files[ETC_FILE_KINDS] = { &in->dump, &in->etrecord,
		                                               &in->debug_buffer, &in->program,
		                                               &in->baseline };
	uint32_t n = 0;

	for (size_t i = 0; i < ETC_FILE_KINDS; i++) {
		if (!files[i]->path)
			continue;
		out[n] = (struct etc_report_file){ .path = etc_str_of(files[i]->path),
			                           .kind = kinds[i] };
		if (hashes)
			out[n].sha256 = hash_of(
				files[i], files[i] == &in->dump ? &in->trace.from : NULL, arena);
		n++;
	}
	return n;
}

enum etc_status etc_list_settings(const struct etc_settings *settings, struct etc_arena *arena,
                                  struct etc_report *report, struct etc_error *err)
{
	struct etc_setting *set = etc_new(arena, struct etc_setting, settings->all_count);

	ETC_NEED(set, err);
	report->settings = set;
	for (uint32_t i = 0; i < settings->all_count; i++)
		if (!settings->all[i].built_in)
			set[report->setting_count++] = settings->all[i];
	return ETC_OK;
}
