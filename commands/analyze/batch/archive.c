/* archive.c -- reads dumps in zip and tar archives; see archive.h.
 *
 * A tar is a sequence of members (POSIX.1 pax and ustar). Each has a header of 512 bytes, and
 * contents that are padded to a multiple of 512. A long name is stored in an extra member before
 * the member that has this name: a member of GNU's type 'L', or a member of type 'x' with a record
 * "LENGTH path=NAME\n". A hard link (type '1') has no contents; it names an earlier member. A
 * symbolic link (type '2') has a path relative to the folder of the link; the path may be that of a
 * later member. If the target of a link has a long name, an extra member of type 'K', or a record
 * "linkpath", has that name. Members of other types (devices) are listed but cannot be read, so
 * `batch` reports them in the table `errors`. */
#define _DEFAULT_SOURCE
#include "commands/analyze/batch/archive.h"

#include <errno.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "formats/container/gzip.h"

enum { BLOCK = 512, NAME_AT = 0, NAME = 100, SIZE_AT = 124, SIZE = 12, SUM_AT = 148, SUM = 8 };
enum { NAME_MOST = 4096 };
enum { TYPE_AT = 156, LINK_AT = 157, MAGIC_AT = 257, PREFIX_AT = 345, PREFIX = 155 };
/* In the header of a sparse file (GNU tar), and in each block of the map that follows the header,
 * one byte is nonzero if another block follows. SPARSE_AT and SPARSE_MORE_AT are the offsets of
 * that byte in the header and in a block. */
enum { SPARSE_AT = 482, SPARSE_MORE_AT = 504 };
/* the number of links after which Linux reports ELOOP */
enum { LINKS_MOST = 40 };

static const struct etc_str mark = { "!/", 2 };

bool etc_archive_is(struct etc_str path)
{
	return etc_str_ends(path, ETC_STR(".zip")) || etc_str_ends(path, ETC_STR(".tar")) ||
	       etc_str_ends(path, ETC_STR(".tar.gz")) || etc_str_ends(path, ETC_STR(".tgz"));
}

struct etc_str etc_archive_part(struct etc_str path)
{
	for (size_t at = 0; (at = etc_str_find(path, mark, at)) < path.len; at++)
		if (etc_archive_is(etc_str_sub(path, 0, at)))
			return etc_str_sub(path, 0, at);
	return path;
}

int etc_archive_stat(const char *path, struct stat *st)
{
	const struct etc_str part = etc_archive_part(etc_str_of(path));
	char archive[4096];

	if (stat(path, st) == 0 || part.len == strlen(path) || part.len >= sizeof archive)
		return stat(path, st);
	memcpy(archive, part.ptr, part.len);
	archive[part.len] = '\0';
	return stat(archive, st);
}

int64_t etc_archive_modified(const struct stat *st)
{
	const int64_t second = 1000000000, seconds = st->st_mtim.tv_sec;

	if (seconds >= INT64_MAX / second)
		return INT64_MAX;
	return seconds <= INT64_MIN / second ? INT64_MIN : seconds * second + st->st_mtim.tv_nsec;
}

enum etc_status etc_archive_fits(const char *path, struct etc_error *err)
{
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size <= (off_t)ETC_ARCHIVE_MOST)
		return ETC_OK;
	return etc_fail(err, E1207, "%lld bytes, and at most %zu are read", (long long)st.st_size,
	                ETC_ARCHIVE_MOST);
}

static enum etc_status add(struct etc_archive *a, const struct etc_member *m, struct etc_error *err)
{
	struct etc_member *new = ETC_APPEND(&a->arena, a->members, a->count, a->room);
	size_t at;

	ETC_NEED(new, err);
	*new = *m;
	at = etc_map_add(&a->index, m->name, a->count - 1);
	ETC_NEED(at != ETC_MAP_NONE, err);
	if (at != a->count - 1) {
		a->members[at] = *m;
		a->count--;
	}
	return ETC_OK;
}

/* ---- tar -------------------------------------------------------------------------- */

/* Parses the number in the `n` bytes at `p`: octal digits or, if the highest bit of the first byte
 * is set, binary. Returns false if it is invalid or too large. */
static bool number_at(const uint8_t *p, unsigned n, uint64_t *out)
{
	const bool binary = p[0] & 0x80;
	unsigned i = 0;

	for (*out = binary ? p[i++] & 0x7f : 0; !binary && i < n && p[i] == ' ';)
		i++;
	for (; i < n && (binary || (p[i] && p[i] != ' ')); i++) {
		if (*out >> 55 || (!binary && (p[i] < '0' || p[i] > '7')))
			return false;
		*out = binary ? *out << 8 | p[i] : *out << 3 | (p[i] - (unsigned)'0');
	}
	return true;
}

/* Is the header's checksum right? It was computed with the bytes of the checksum set to blanks. */
static bool sum_fits(const uint8_t *header)
{
	uint64_t sum = 0, said;

	for (unsigned i = 0; i < BLOCK; i++)
		sum += i >= SUM_AT && i < SUM_AT + SUM ? ' ' : header[i];
	return number_at(header + SUM_AT, SUM, &said) && said == sum;
}

static struct etc_str text_at(const uint8_t *p, unsigned n)
{
	const uint8_t *end = memchr(p, 0, n);

	return (struct etc_str){ (const char *)p, end ? (size_t)(end - p) : n };
}

/* Removes leading "./", which `tar -C DIR .` writes before each name. */
static struct etc_str plain(struct etc_str name)
{
	while (etc_str_starts(name, ETC_STR("./")))
		name = etc_str_sub(name, 2, name.len);
	return name;
}

/* Returns the value of `key` (such as "path=") in the records of a pax header; {NULL, 0}: there is
 * none. */
static struct etc_str pax_value(struct etc_str records, struct etc_str key)
{
	struct etc_str found = ETC_STR_NONE;

	while (records.len) {
		size_t n = 0, digits = 0;
		struct etc_str record;

		while (digits < records.len && digits < 9 && etc_is_digit(records.ptr[digits]))
			n = n * 10 + (size_t)(records.ptr[digits++] - '0');
		if (n < digits + 2 || n > records.len)
			break;
		record = etc_str_sub(records, digits + 1, n - 1);
		if (etc_str_starts(record, key))
			found = etc_str_sub(record, key.len, record.len);
		records = etc_str_sub(records, n, records.len);
	}
	return found;
}

static enum etc_status name_of(struct etc_archive *a, const uint8_t *header, struct etc_str *name,
                               struct etc_error *err)
{
	const struct etc_str own = text_at(header + NAME_AT, NAME);
	const struct etc_str prefix = memcmp(header + MAGIC_AT, "ustar", 6) == 0
	                                      ? text_at(header + PREFIX_AT, PREFIX)
	                                      : ETC_STR_NONE;

	if (!name->ptr && prefix.len)
		*name = etc_arena_printf(&a->arena, ETC_STR_FMT "/" ETC_STR_FMT,
		                         ETC_STR_ARG(prefix), ETC_STR_ARG(own));
	else if (!name->ptr)
		*name = own;
	ETC_NEED(name->ptr, err);
	*name = plain(*name);
	return ETC_OK;
}

static enum etc_status damaged(struct etc_error *err, size_t at, const char *what)
{
	etc_fail(err, E0404, "%s", what);
	err->at = (int64_t)at;
	return (enum etc_status)etc_code_info(E0404)->status;
}

/* Name and properties of the next member, read from members of types 'L', 'K' and 'x' before it. */
struct long_names {
	struct etc_str own, link; /* {NULL, 0}: not given */
	bool sparse;
};

/* Reads a member of a tar archive that only describes the next member or the whole archive.
 * Returns false if the member has another type. */
static bool take_long(uint8_t type, struct etc_span bytes, struct long_names *to)
{
	const struct etc_str text = { (const char *)bytes.ptr, bytes.len };
	const unsigned n = bytes.len < 65536 ? (unsigned)bytes.len : 65536;
	struct etc_str name;

	if (type == 'L')
		to->own = text_at(bytes.ptr, n);
	else if (type == 'K')
		to->link = text_at(bytes.ptr, n);
	else if (type == 'x') {
		name = pax_value(text, ETC_STR("GNU.sparse.name="));
		*to = (struct long_names){
			name.ptr ? name : pax_value(text, ETC_STR("path=")),
			pax_value(text, ETC_STR("linkpath=")),
			pax_value(text, ETC_STR("GNU.sparse.")).ptr != NULL,
		};
	}
	return type == 'L' || type == 'K' || type == 'x' || type == 'g' || type == 'V';
}

/* Returns the name of the member that the symbolic link `from` with the path `link` refers to.
 * Returns "" if the link refers to a file outside of the archive, {NULL, 0} if out of memory. */
static struct etc_str target_of(struct etc_arena *arena, struct etc_str from, struct etc_str link)
{
	char *to = etc_new(arena, char, from.len + link.len + 1);
	size_t n = from.len - etc_path_name(from).len;

	if (!to || etc_str_starts(link, ETC_STR("/")))
		return to ? ETC_STR("") : ETC_STR_NONE;
	memcpy(to, from.ptr, n);
	while (link.len) {
		const size_t end = etc_str_find(link, ETC_STR("/"), 0);
		const struct etc_str step = etc_str_sub(link, 0, end);

		link = end < link.len ? etc_str_sub(link, end + 1, link.len) : ETC_STR("");
		if (etc_str_eq(step, ETC_STR(".."))) {
			if (!n)
				return ETC_STR("");
			for (n--; n && to[n - 1] != '/';)
				n--;
		} else if (step.len && !etc_str_eq(step, ETC_STR("."))) {
			memcpy(to + n, step.ptr, step.len);
			n += step.len;
			if (end != SIZE_MAX)
				to[n++] = '/';
		}
	}
	return (struct etc_str){ to, n };
}

/* Completes *m, a member that is a link. A hard link to an earlier member gets the contents of
 * that member. For any other link, the name of the target is stored; the target may come later,
 * or be missing. */
static enum etc_status take_link(struct etc_archive *a, const uint8_t *header,
                                 const struct long_names *names, struct etc_member *m,
                                 struct etc_error *err)
{
	const struct etc_str link =
		plain(names->link.ptr ? names->link : text_at(header + LINK_AT, NAME));
	const size_t of = m->type == '1' ? etc_map_get(&a->index, link) : ETC_MAP_NONE;
	const struct etc_str own = m->name;

	if (of != ETC_MAP_NONE) {
		*m = a->members[of];
		m->name = own;
		return ETC_OK;
	}
	m->link = m->type == '1' ? link : target_of(&a->arena, own, link);
	ETC_NEED(m->link.ptr, err);
	return ETC_OK;
}

static enum etc_status add_named(struct etc_archive *a, const uint8_t *header,
                                 struct long_names *names, struct etc_span bytes,
                                 struct etc_error *err)
{
	const char type = (char)header[TYPE_AT];
	struct etc_member m = { .bytes = bytes, .type = type ? type : '0' };

	if (type == '5' || type == 'D') /* a folder */
		return ETC_OK;
	if (names->sparse)
		m.type = 'S';
	ETC_TRY(name_of(a, header, &names->own, err));
	m.name = names->own;
	if (type == '1' || type == '2')
		ETC_TRY(take_link(a, header, names, &m, err));
	return add(a, &m, err);
}

/* Sets *size to the number of bytes of a member's contents. False: the header is invalid. */
static bool size_of(const uint8_t *header, uint64_t *size)
{
	const char type = (char)header[TYPE_AT];

	if (!sum_fits(header) || !number_at(header + SIZE_AT, SIZE, size))
		return false;
	if (type >= '1' &&
	    type <= '6') /* links, devices and folders have no content, whatever the size field holds */
		*size = 0;
	return true;
}

/* Returns the offset after the additional blocks of a sparse file's map, which start at `at`. */
static size_t after_map(struct etc_span bytes, size_t at)
{
	bool more = bytes.ptr[at - BLOCK + SPARSE_AT];

	for (; more && etc_fits(bytes.len, at, BLOCK); at += BLOCK)
		more = bytes.ptr[at + SPARSE_MORE_AT];
	return at;
}

static enum etc_status read_tar(struct etc_archive *a, struct etc_span bytes, struct etc_error *err)
{
	struct long_names names = { 0 };

	if (!bytes.len) /* even a tar without members has blocks of zeros */
		return damaged(err, 0, "the tar is empty");
	for (size_t at = 0; at < bytes.len;) {
		const uint8_t *header = bytes.ptr + at;
		struct etc_span member;
		uint64_t size;

		if (bytes.len - at < BLOCK)
			return damaged(err, at, "the tar is cut off");
		/* a block of zeros ends the archive */
		if (!header[0] && memcmp(header, header + 1, BLOCK - 1) == 0)
			return ETC_OK;
		if (!size_of(header, &size))
			return damaged(err, at, "no header of a tar");
		at += BLOCK;
		if (header[TYPE_AT] == 'S')
			at = after_map(bytes, at);
		if (size > bytes.len - at)
			return damaged(err, at, "the tar is cut off");
		member = (struct etc_span){ bytes.ptr + at, (size_t)size };
		at += ((size_t)size + BLOCK - 1) / BLOCK * BLOCK;
		at = at < bytes.len ? at : bytes.len;
		if (take_long(header[TYPE_AT], member, &names))
			continue;
		ETC_TRY(add_named(a, header, &names, member, err));
		names = (struct long_names){ 0 };
	}
	return ETC_OK;
}

/* ---- the archive ------------------------------------------------------------------- */

static enum etc_status read_zip(struct etc_archive *a, struct etc_error *err)
{
	enum etc_status st = etc_zip_open(a->file.bytes, &a->arena, &a->zip, err);

	/* the zip reader's error text is replaced, because it is about an ETRecord */
	if (st != ETC_OK && st != ETC_NOMEM)
		return damaged(err, err->at > 0 ? (size_t)err->at : 0, "not a whole zip archive");
	ETC_TRY(st);
	for (uint32_t i = 0; i < a->zip.count; i++)
		ETC_TRY(add(a,
		            &(struct etc_member){ .name = a->zip.entries[i].name,
		                                  .packed = &a->zip.entries[i],
		                                  .type = '0' },
		            err));
	return ETC_OK;
}

static enum etc_status read_archive(struct etc_archive *a, struct etc_error *err)
{
	struct etc_span bytes;

	ETC_TRY(etc_archive_fits(a->path.ptr, err));
	ETC_TRY(etc_file_open_found(&a->file, a->path.ptr, ETC_ARCHIVE_MOST, err));
	bytes = a->file.bytes;
	if (etc_str_ends(a->path, ETC_STR(".zip")))
		return read_zip(a, err);
	if (etc_gzip_is(bytes)) {
		ETC_TRY(etc_gzip_unpack(bytes, &a->unpacked, err));
		bytes = a->unpacked;
	}
	return read_tar(a, bytes, err);
}

void etc_archive_close(struct etc_archive *a)
{
	if (!a->path.ptr)
		return;
	etc_file_release(&a->file);
	free((void *)(uintptr_t)a->unpacked.ptr);
	etc_arena_release(&a->arena);
	*a = (struct etc_archive){ 0 };
}

enum etc_status etc_archive_open(struct etc_archive *a, struct etc_str path, struct etc_error *err)
{
	enum etc_status st;
	const char *own;

	if (a->path.ptr && etc_str_eq(a->path, path))
		return ETC_OK;
	etc_archive_close(a);
	etc_arena_init(&a->arena, ETC_ARCHIVE_MOST);
	own = etc_arena_cstr(&a->arena, path);
	if (!own) {
		etc_arena_release(&a->arena);
		return etc_no_memory(err);
	}
	a->path = etc_str_of(own);
	etc_map_init(&a->index, &a->arena);
	st = read_archive(a, err);
	if (st != ETC_OK)
		etc_archive_close(a);
	return st;
}

/* Finds the member `name` and follows links. E0901: there is no such member, or no such target. */
static enum etc_status find(const struct etc_archive *a, struct etc_str name,
                            const struct etc_member **out, struct etc_error *err)
{
	for (int links = 0; links < LINKS_MOST; links++) {
		const size_t at = etc_map_get(&a->index, name);

		if (at == ETC_MAP_NONE && !links)
			return etc_fail(err, E0901, "the archive has no such member");
		if (at == ETC_MAP_NONE && !name.len)
			return etc_fail(err, E0901, "a link to a file outside of the archive");
		if (at == ETC_MAP_NONE)
			return etc_fail(err, E0901,
			                "a link to '" ETC_STR_FMT
			                "', and the archive has no such file",
			                ETC_STR_ARG(name));
		*out = &a->members[at];
		if (!(*out)->link.ptr)
			return ETC_OK;
		name = (*out)->link;
	}
	return etc_fail(err, E0901, "%s", strerror(ELOOP));
}

enum etc_status etc_archive_read(const struct etc_archive *a, struct etc_str name,
                                 struct etc_arena *arena, struct etc_span *out,
                                 struct etc_error *err)
{
	const struct etc_member *m = NULL;
	struct etc_zip_data data;

	if (name.len >= NAME_MOST) /* parts.c has no room for longer names */
		return etc_fail(err, E0901, "%s", strerror(ENAMETOOLONG));
	ETC_TRY(find(a, plain(name), &m, err));
	if (m->type == 'S')
		return etc_fail(err, E0405, "it is stored as a sparse file");
	if (m->type != '0' && m->type != '7')
		return etc_fail(err, E0901, "it is not a regular file");
	*out = m->bytes;
	if (!m->packed)
		return ETC_OK;
	ETC_TRY(etc_zip_read(&a->zip, m->packed, 0, arena, &data, err));
	*out = data.bytes;
	return ETC_OK;
}
