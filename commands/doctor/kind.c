/* kind.c -- see doctor.h: finds the kind of a file from its bytes. */
#include "commands/doctor/doctor.h"

#include "base/ascii.h"
#include "base/file.h"
#include "base/text.h"
#include "formats/container/gzip.h"
#include "formats/etdump/serial_log.h"

enum { LOOKED_AT = 4096, TRACE_LOOKED_AT = 1 << 20 };

const char *etc_patient_kind_name(uint8_t kind)
{
	static const char *const names[ETC_PATIENT_KINDS] = {
		[ETC_PATIENT_UNKNOWN] = "unknown",       [ETC_PATIENT_ETDUMP] = "etdump",
		[ETC_PATIENT_LOG] = "serial_log",        [ETC_PATIENT_ETRECORD] = "etrecord",
		[ETC_PATIENT_PROGRAM] = "program",       [ETC_PATIENT_BUNDLED] = "bundled_program",
		[ETC_PATIENT_TENSORS] = "flat_tensor",   [ETC_PATIENT_BUFFER] = "debug_buffer",
		[ETC_PATIENT_EMPTY] = "empty",           [ETC_PATIENT_HTML] = "html",
		[ETC_PATIENT_LFS] = "git_lfs_pointer",   [ETC_PATIENT_TEXT] = "text",
		[ETC_PATIENT_COMPRESSED] = "compressed", [ETC_PATIENT_CHROME] = "chrome_trace",
		[ETC_PATIENT_ARCHIVE] = "zip",           [ETC_PATIENT_ANSWER] = "answer",
	};

	return names[kind];
}

/* Is `word` at offset `at`, in upper or lower case? */
static bool has_word(struct etc_span b, size_t at, const char *word)
{
	return etc_starts_word(
		etc_str_sub((struct etc_str){ (const char *)b.ptr, b.len }, at, b.len), word);
}

static size_t first_sign(struct etc_span b)
{
	size_t at = etc_span_has(b, 0, "\xef\xbb\xbf", 3) ? 3 : 0;

	while (at < b.len && (b.ptr[at] == ' ' || (b.ptr[at] >= 9 && b.ptr[at] <= 13)))
		at++;
	return at;
}

/* Are the bytes a web page, or the XML error of an object store? Comments and an XML declaration
 * may come first. */
static bool is_html(struct etc_span b)
{
	static const char *const words[] = { "<!doctype html", "<html", "<head", "<body",
		                             "<error" };
	struct etc_str s = { (const char *)b.ptr, b.len < LOOKED_AT ? b.len : LOOKED_AT };
	size_t at = first_sign(b);

	while (has_word(b, at, "<!--") || has_word(b, at, "<?xml")) {
		size_t end = etc_str_find(s, ETC_STR(">"), at);

		if (has_word(b, at, "<!--"))
			end = etc_str_find(s, ETC_STR("-->"), at);
		if (end == SIZE_MAX)
			return false;
		at = end + (has_word(b, end, "-->") ? 3 : 1);
		while (at < s.len && (s.ptr[at] == ' ' || (s.ptr[at] >= 9 && s.ptr[at] <= 13)))
			at++;
	}
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (has_word(b, at, words[i]))
			return true;
	return false;
}

/* Do the first TRACE_LOOKED_AT bytes contain the word? This number is large, because some profilers
 * write long headers before the events. */
static bool contains(struct etc_span b, const char *word)
{
	struct etc_str s = { (const char *)b.ptr,
		             b.len < TRACE_LOOKED_AT ? b.len : TRACE_LOOKED_AT };

	return etc_str_find(s, etc_str_of(word), 0) != SIZE_MAX;
}

static bool is_chrome(struct etc_span b)
{
	size_t at = first_sign(b);

	if (at >= b.len || (b.ptr[at] != '{' && b.ptr[at] != '['))
		return false;
	return contains(b, "\"traceEvents\"") || (b.ptr[at] == '[' && contains(b, "\"ph\""));
}

/* Returns the value of "schema" in JSON that etcore wrote, such as "etcore.analyze/1"; empty for
 * other JSON. */
static struct etc_str answer_schema(struct etc_span b)
{
	struct etc_str s = { (const char *)b.ptr, b.len < LOOKED_AT ? b.len : LOOKED_AT };
	size_t key = etc_str_find(s, ETC_STR("\"schema\""), 0), colon = key + strlen("\"schema\"");
	struct etc_str value;
	size_t end;

	if (first_sign(b) >= b.len || b.ptr[first_sign(b)] != '{' || key == SIZE_MAX)
		return (struct etc_str){ 0 };
	value = etc_str_trim(etc_str_sub(s, colon, s.len));
	value = etc_str_trim(etc_str_sub(value, value.len && value.ptr[0] == ':', value.len));
	end = etc_str_find(value, ETC_STR("\""), 1);
	return etc_str_starts(value, ETC_STR("\"etcore.")) && end != SIZE_MAX
	               ? etc_str_sub(value, 1, end)
	               : (struct etc_str){ 0 };
}

/* Are the first LOOKED_AT bytes printable text? */
static bool is_text(struct etc_span b)
{
	struct etc_str s = { (const char *)b.ptr, b.len < LOOKED_AT ? b.len : LOOKED_AT };
	size_t fault = etc_utf8_fault(s);

	if (fault != SIZE_MAX && fault + 4 < s.len)
		return false;
	for (size_t i = 0; i < s.len; i++)
		if ((b.ptr[i] < 32 && !(b.ptr[i] >= 9 && b.ptr[i] <= 13) && b.ptr[i] != 27) ||
		    b.ptr[i] == 127)
			return false;
	return true;
}

static enum etc_patient_kind other_kind(struct etc_span b)
{
	if (b.len == 0)
		return ETC_PATIENT_EMPTY;
	if (is_html(b))
		return ETC_PATIENT_HTML;
	if (etc_span_has(b, 0, "version https://git-lfs.github.com/spec/", 40))
		return ETC_PATIENT_LFS;
	if (etc_packed_kind(b))
		return ETC_PATIENT_COMPRESSED;
	if (etc_serial_log_is(b))
		return ETC_PATIENT_LOG;
	if (is_chrome(b))
		return ETC_PATIENT_CHROME;
	if (answer_schema(b).len)
		return ETC_PATIENT_ANSWER;
	return is_text(b) ? ETC_PATIENT_TEXT : ETC_PATIENT_UNKNOWN;
}

enum etc_patient_kind etc_patient_kind_of(struct etc_span b)
{
	switch (etc_file_kind_of(b)) {
	case ETC_FILE_ETDUMP:
		return ETC_PATIENT_ETDUMP;
	case ETC_FILE_ETRECORD:
		/* read.c decides by the entries of the zip archive whether it is an ETRecord */
		return ETC_PATIENT_ETRECORD;
	case ETC_FILE_PROGRAM:
		return ETC_PATIENT_PROGRAM;
	case ETC_FILE_BUNDLED_PROGRAM:
		return ETC_PATIENT_BUNDLED;
	case ETC_FILE_TENSORS:
		return ETC_PATIENT_TENSORS;
	case ETC_FILE_UNKNOWN:
		break;
	}
	return other_kind(b);
}

/* ---- kinds of files that no command of etcore reads ------------------------------------ */

static const struct {
	enum etc_code code;
	const char *words;
} others[ETC_PATIENT_KINDS] = {
	[ETC_PATIENT_EMPTY] = { E0963, "empty" },
	[ETC_PATIENT_HTML] = { E0961, "an HTML page" },
	[ETC_PATIENT_LFS] = { E0962, "a pointer of Git LFS" },
	[ETC_PATIENT_TEXT] = { E0964, "text" },
	[ETC_PATIENT_COMPRESSED] = { E0965, "compressed, or an archive" },
	[ETC_PATIENT_CHROME] = { E0966, "a trace in Chrome's format" },
	[ETC_PATIENT_ARCHIVE] = { E0967, "a zip archive" },
	[ETC_PATIENT_ANSWER] = { E0985, "an output file of etcore" },
	[ETC_PATIENT_UNKNOWN] = { E0968, "unknown" },
};

const char *etc_patient_kind_words(uint8_t kind)
{
	return others[kind].words;
}

/* Copies the first line to `to`, truncated to `room` bytes. Each byte that is not printable ASCII
 * becomes '?'. */
static void quote(struct etc_span bytes, char *to, size_t room)
{
	size_t n = 0;

	while (n < bytes.len && n + 1 < room && bytes.ptr[n] != '\n' && bytes.ptr[n] != '\r') {
		to[n] = bytes.ptr[n] < 32 || bytes.ptr[n] > 126 ? '?' : (char)bytes.ptr[n];
		n++;
	}
	to[n] = '\0';
}

enum etc_status etc_patient_fail(uint8_t kind, struct etc_span bytes, const char *path,
                                 struct etc_error *err)
{
	char first[64];

	if (kind == ETC_PATIENT_EMPTY)
		return etc_fail(err, etc_doctor_code_of_nothing(path), "the file has 0 bytes");
	/* The readers unpack a packed file once. This file is still packed, so it was packed
	 * twice. */
	if (kind == ETC_PATIENT_COMPRESSED && etc_gzip_is(bytes))
		return etc_fail(err, others[kind].code, "it was packed with gzip twice");
	if (kind == ETC_PATIENT_COMPRESSED)
		return etc_fail(err, others[kind].code, "%s, by its first bytes",
		                etc_packed_kind(bytes));
	if (kind == ETC_PATIENT_ANSWER)
		return etc_fail(err, others[kind].code, "its schema is '" ETC_STR_FMT "'",
		                ETC_STR_ARG(answer_schema(bytes)));
	if (kind != ETC_PATIENT_TEXT && kind != ETC_PATIENT_HTML)
		return etc_fail(err, others[kind].code, "by its first bytes");
	quote(bytes, first, sizeof first);
	return etc_fail(err, others[kind].code, "it begins '%s'", first);
}

/* Does a reader report this code when a file is of another kind? */
static bool is_another_kind(enum etc_code code)
{
	return code == E0201 || code == E0401 || code == E0430 || code == E0509 || code == E1180;
}

/* Is the file one of Chrome's traces, or JSON that etcore wrote, but not a baseline? (For a damaged
 * baseline, the error of the baseline reader is more precise than an error about the kind of the
 * file.) */
static bool is_made_for_else(enum etc_patient_kind kind, struct etc_span bytes)
{
	return kind == ETC_PATIENT_CHROME ||
	       (kind == ETC_PATIENT_ANSWER &&
	        !etc_str_starts(answer_schema(bytes), ETC_STR(ETC_BASELINE_FORMAT)));
}

/* Opens the file at `path` in the same way as the readers did: a file in memory takes precedence,
 * and gzip is unpacked. Bytes that were not in memory before belong to `file`. False: the file
 * cannot be opened. */
static bool open_again(const struct etc_given *given, const char *path, struct etc_file *file)
{
	struct etc_span content;

	while (given && strcmp(given->name, path) != 0)
		given = given->next;
	*file = (struct etc_file){ .borrowed = true };
	if (given)
		file->bytes = given->bytes;
	else if (etc_file_open_found(file, path, 0, NULL) != ETC_OK)
		return false;
	if (etc_gzip_is(file->bytes) && etc_gzip_unpack(file->bytes, &content, NULL) == ETC_OK) {
		etc_file_release(file);
		*file = (struct etc_file){ .bytes = content };
	}
	return true;
}

enum etc_status etc_patient_cause(enum etc_status status, const struct etc_given *given,
                                  struct etc_error *err)
{
	struct etc_file file;
	char path[sizeof err->file];
	enum etc_patient_kind kind;

	if (status == ETC_OK || (!is_another_kind(err->code) && err->code != E0176) ||
	    !open_again(given, err->file, &file))
		return status;
	kind = etc_patient_kind_of(file.bytes);
	if (err->code == E0176 ? is_made_for_else(kind, file.bytes)
	                       : kind >= ETC_PATIENT_EMPTY && kind != ETC_PATIENT_ARCHIVE) {
		memcpy(path, err->file, sizeof path);
		status = etc_in_file(err, etc_patient_fail((uint8_t)kind, file.bytes, path, err),
		                     path);
	}
	etc_file_release(&file);
	return status;
}
