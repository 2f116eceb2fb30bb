/* ini.c -- parses one INI file with inih; the only user of <ini.h>.
 *
 * inih as packaged (r55) silently truncates lines at 198 bytes, and names of sections and keys at
 * 49 bytes. It drops text after a ']', ends a line at a NUL, reports no line numbers, and appends
 * an indented line to the key before that line. So next_line() reads the file line by line. It
 * checks each complete line before inih gets it, and refuses lines that inih would truncate. The
 * line number becomes the origin of the key. */
#include "formats/config/ini.h"

#include <ini.h>

#include <stdio.h>

#include "base/file.h"
#include "base/text.h"
#include "model/limits.h"

enum { LINE_MAX_BYTES = 198, NAME_MAX_BYTES = 49 };

struct reading {
	const struct etc_ini_taker *taker;
	struct etc_str rest; /* unread part of the file */
	struct etc_str path;
	uint32_t line;
	bool indented; /* is the current line indented? */
	bool has_key;  /* the section has a key before the current line */
	enum etc_status st;
	struct etc_error *err;
};

static enum etc_status at_line(const struct reading *r, enum etc_status st)
{
	if (st != ETC_OK && r->err) {
		snprintf(r->err->file, sizeof r->err->file, ETC_STR_FMT, ETC_STR_ARG(r->path));
		r->err->line = r->line;
	}
	return st;
}

static bool comment(struct etc_str s)
{
	return s.len == 0 || s.ptr[0] == ';' || s.ptr[0] == '#';
}

/* Checks the header of a section, such as "[plugin.xnnpack] ; comment", and passes the section's
 * name to the taker. */
static enum etc_status check_header(const struct reading *r, struct etc_str line)
{
	const char *close = memchr(line.ptr, ']', line.len);
	struct etc_str name, after;

	if (!close)
		return etc_fail(r->err, E0510, "a section without ']'");
	name = etc_str_sub(line, 1, (size_t)(close - line.ptr));
	after = etc_str_trim(etc_str_sub(line, name.len + 2, line.len));
	if (!comment(after))
		return etc_fail(r->err, E0510, "'" ETC_STR_FMT "' after the section",
		                ETC_STR_ARG(after));
	if (name.len > NAME_MAX_BYTES)
		return etc_fail(r->err, E0511, "a section of %zu bytes", name.len);
	return r->taker->section(r->taker->arg, name, r->err);
}

/* Checks that the line has the form "key = value" or "key: value"; a continuation line has
 * neither. */
static enum etc_status check_key(const struct reading *r, struct etc_str line)
{
	size_t n = 0;

	while (n < line.len && line.ptr[n] != '=' && line.ptr[n] != ':')
		n++;
	if (r->indented && r->has_key)
		return ETC_OK;
	if (n == line.len)
		return etc_fail(r->err, E0510, "no '=' in '" ETC_STR_FMT "'", ETC_STR_ARG(line));
	n = etc_str_trim(etc_str_sub(line, 0, n)).len;
	if (n == 0)
		return etc_fail(r->err, E0510, "no key before '='");
	if (n > NAME_MAX_BYTES)
		return etc_fail(r->err, E0511, "a key of %zu bytes", n);
	return ETC_OK;
}

/* Refuses everything in the line that inih would truncate or misread. */
static enum etc_status check_line(struct reading *r, struct etc_str line)
{
	struct etc_str text = etc_str_trim(line);

	if (memchr(line.ptr, '\0', line.len))
		return etc_fail(r->err, E0517, "a NUL byte");
	if (etc_utf8_fault(line) != SIZE_MAX)
		return etc_fail(r->err, E0517, "bytes that are not UTF-8");
	if (line.len > LINE_MAX_BYTES)
		return etc_fail(r->err, E0511, "a line of %zu bytes", line.len);
	r->indented = text.len && text.ptr != line.ptr;
	if (comment(text))
		return ETC_OK;
	if (text.ptr[0] == '[' && !(r->indented && r->has_key)) {
		r->has_key = false;
		return check_header(r, text);
	}
	return check_key(r, text);
}

/* inih calls this function instead of fgets(). Copies the next line of the file to `to` and ends it
 * with a newline. Returns NULL at the end of the file or on an error. */
static char *next_line(char *to, int room, void *stream)
{
	struct reading *r = stream;
	const char *end;
	struct etc_str line;

	if (r->st != ETC_OK || r->rest.len == 0)
		return NULL;
	end = memchr(r->rest.ptr, '\n', r->rest.len);
	line = etc_str_sub(r->rest, 0, end ? (size_t)(end - r->rest.ptr) : r->rest.len);
	r->rest = etc_str_sub(r->rest, line.len + (end != NULL), r->rest.len);
	r->line++;
	if (line.len && line.ptr[line.len - 1] == '\r')
		line.len--;
	r->st = at_line(r, check_line(r, line));
	if (r->st == ETC_OK && line.len + 2 > (size_t)room)
		r->st = at_line(r, etc_fail(r->err, E0511, "a line of %zu bytes", line.len));
	if (r->st != ETC_OK)
		return NULL;
	if (line.len)
		memcpy(to, line.ptr, line.len);
	to[line.len] = '\n';
	to[line.len + 1] = '\0';
	return to;
}

static enum etc_status take(struct reading *r, struct etc_str section, struct etc_str key,
                            struct etc_str value)
{
	if (section.len == 0)
		return etc_fail(r->err, r->taker->no_section,
		                "'" ETC_STR_FMT "' stands before any section", ETC_STR_ARG(key));
	return r->taker->key(r->taker->arg, section, key, value, r->line, r->indented && r->has_key,
	                     r->err);
}

static int on_key(void *user, const char *section, const char *name, const char *value)
{
	struct reading *r = user;

	if (r->st == ETC_OK)
		r->st = at_line(r,
		                take(r, etc_str_of(section), etc_str_of(name), etc_str_of(value)));
	r->has_key = true;
	return r->st == ETC_OK;
}

static enum etc_status parse(struct reading *r)
{
	int bad;

	if (etc_str_starts(r->rest, ETC_STR("\xef\xbb\xbf")))
		r->rest = etc_str_sub(r->rest, 3, r->rest.len);
	/* inih would skip a second byte order mark, and read a section header after it that
	 * check_line() does not check. So the file is refused. */
	if (etc_str_starts(r->rest, ETC_STR("\xef\xbb\xbf"))) {
		r->line = 1;
		return at_line(r, etc_fail(r->err, E0510, "two byte order marks"));
	}
	bad = ini_parse_stream(next_line, r, on_key, r);
	if (r->st == ETC_OK && bad) {
		/* inih found an error that the checks above did not. */
		r->line = bad > 0 ? (uint32_t)bad : 0;
		r->st = at_line(r, etc_fail(r->err, E0510, "inih refuses it"));
	}
	return r->st;
}

enum etc_status etc_ini_read(const char *path, const struct etc_ini_taker *taker,
                             struct etc_error *err)
{
	struct reading r = { .taker = taker, .path = etc_str_of(path), .st = ETC_OK, .err = err };
	struct etc_file file;
	enum etc_status st = etc_file_open(&file, path, ETC_LIMIT_INI_BYTES, err);

	if (st != ETC_OK)
		return st;
	r.rest = (struct etc_str){ (const char *)file.bytes.ptr, file.bytes.len };
	if (file.bytes.len > ETC_LIMIT_INI_BYTES)
		st = etc_in_file(err, etc_fail(err, E0520, "%zu bytes", file.bytes.len), path);
	else
		st = parse(&r);
	etc_file_release(&file);
	return st;
}
