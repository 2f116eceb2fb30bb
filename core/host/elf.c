/* elf.c -- see elf.h. The numbers in the code are offsets in the structs Elf32_* and Elf64_*, as
 * described in "Object Files" of the System V ABI. */
#include "host/elf.h"

#include "base/number.h"

enum {
	ET_DYN = 3,
	SHT_SYMTAB = 2,
	SHT_DYNSYM = 11,
	STT_OBJECT = 1,
	STB_GLOBAL = 1,
	STB_WEAK = 2,
	STB_GNU_UNIQUE = 10
};
enum { PT_LOAD = 1, PT_DYNAMIC = 2, PF_X = 1, PF_W = 2 };
enum {
	DT_NEEDED = 1,
	DT_HASH = 4,
	DT_STRTAB = 5,
	DT_SYMTAB = 6,
	DT_STRSZ = 10,
	DT_RPATH = 15,
	DT_RUNPATH = 29,
	DT_GNU_HASH = 0x6ffffef5,
	DT_AUXILIARY = 0x7ffffffd,
	DT_FILTER = 0x7fffffff
};

#define ENTRY "etcore_plugin_v"

struct image {
	struct etc_span file;
	/* `wide`: a 64-bit file (ELFCLASS64); `big`: in big-endian byte order (ELFDATA2MSB) */
	bool wide, big;
};

struct section {
	uint32_t type, link;
	uint64_t at, size;
};

/* Returns the unsigned number in the `n` bytes at offset `at`; 0: these bytes are outside of the
 * file. Callers check before that the struct with the number is inside the file. */
static uint64_t number(const struct image *im, uint64_t at, unsigned n)
{
	uint64_t v = 0;

	if (at > SIZE_MAX || !etc_fits(im->file.len, (size_t)at, n))
		return 0;
	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)im->file.ptr[at + (im->big ? n - 1 - i : i)] << (8 * i);
	return v;
}

static bool inside(const struct image *im, uint64_t at, uint64_t n)
{
	return at <= SIZE_MAX && n <= SIZE_MAX && etc_fits(im->file.len, (size_t)at, (size_t)n);
}

/* Reads the header of section `i` from the table of headers at offset `table`. Each header has
 * `each` bytes. False: the header is not inside the file. */
static bool section_at(const struct image *im, uint64_t table, uint64_t each, uint64_t i,
                       struct section *out)
{
	uint64_t at = table + i * each; /* cannot overflow: `i` and `each` have 16 bits */

	if (at < table || !inside(im, at, im->wide ? 64 : 40))
		return false;
	out->type = (uint32_t)number(im, at + 4, 4);
	out->at = im->wide ? number(im, at + 24, 8) : number(im, at + 16, 4);
	out->size = im->wide ? number(im, at + 32, 8) : number(im, at + 20, 4);
	out->link = (uint32_t)number(im, at + (im->wide ? 40 : 24), 4);
	return true;
}

/* Would dlsym() find the symbol at offset `at` of the file? Sets `*name` to the offset of the
 * symbol's name in the table of names. */
static bool exported(const struct image *im, uint64_t at, uint64_t *name)
{
	unsigned info = (unsigned)number(im, at + (im->wide ? 4 : 12), 1);
	unsigned defined_in = (unsigned)number(im, at + (im->wide ? 6 : 14), 2);
	unsigned binding = info >> 4;

	*name = number(im, at, 4);
	return defined_in != 0 &&
	       (binding == STB_GLOBAL || binding == STB_WEAK || binding == STB_GNU_UNIQUE);
}

/* Returns N if the symbol's name is "etcore_plugin_v<N>"; UINT32_MAX for any other name. */
static uint32_t major_of(const struct image *im, const struct section *names, uint64_t name)
{
	const size_t prefix = sizeof ENTRY - 1;
	struct etc_str s;
	uint64_t major;

	if (name >= names->size || names->size - name <= prefix)
		return UINT32_MAX;
	s = (struct etc_str){ (const char *)im->file.ptr + names->at + name,
		              (size_t)(names->size - name) };
	if (memcmp(s.ptr, ENTRY, prefix) != 0)
		return UINT32_MAX;
	s = etc_str_sub(s, prefix, prefix + 11);
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] == '\0')
			s.len = i;
	return etc_number_parse_u64(s, &major) && major < UINT32_MAX ? (uint32_t)major : UINT32_MAX;
}

static void search(const struct image *im, const struct section *symbols,
                   const struct section *names, uint32_t major, struct etc_elf *out)
{
	const uint64_t each = im->wide ? 24 : 16;

	for (uint64_t at = 0; at + each <= symbols->size; at += each) {
		uint64_t name;
		uint32_t found;

		if (!exported(im, symbols->at + at, &name))
			continue;
		found = major_of(im, names, name);
		if (found == UINT32_MAX)
			continue;
		if (found == major) {
			out->kind = ETC_ELF_PLUGIN;
			out->major = major;
			return;
		}
		if (out->kind != ETC_ELF_OTHER_ABI || found > out->major)
			out->major = found;
		out->kind = ETC_ELF_OTHER_ABI;
	}
}

/* ---- files without section headers: dynamic segment ---------------------------- */

struct segment {
	uint32_t type, flags;
	uint64_t at, address, size;
};

static bool segment_at(const struct image *im, uint64_t i, struct segment *out)
{
	uint64_t each = number(im, im->wide ? 54 : 42, 2);
	uint64_t table = im->wide ? number(im, 32, 8) : number(im, 28, 4), at = table + i * each;

	if (each < (im->wide ? 56u : 32u) || at < table || !inside(im, at, each))
		return false;
	out->type = (uint32_t)number(im, at, 4);
	out->flags = (uint32_t)number(im, at + (im->wide ? 4 : 24), 4);
	out->at = im->wide ? number(im, at + 8, 8) : number(im, at + 4, 4);
	out->address = im->wide ? number(im, at + 16, 8) : number(im, at + 8, 4);
	out->size = im->wide ? number(im, at + 32, 8) : number(im, at + 16, 4);
	return true;
}

/* Sets `*out` to the bytes of the file that are loaded from `address` on, up to the end of the
 * segment that contains `address`. False: no segment contains it. */
static bool loaded_at(const struct image *im, uint64_t address, struct section *out)
{
	uint64_t count = number(im, im->wide ? 56 : 44, 2);
	struct segment s;

	for (uint64_t i = 0; i < count && segment_at(im, i, &s); i++) {
		if (s.type != PT_LOAD || address < s.address || address - s.address >= s.size ||
		    !inside(im, s.at, s.size))
			continue;
		out->at = s.at + (address - s.address);
		out->size = s.size - (address - s.address);
		return true;
	}
	return false;
}

/* Returns the number of symbols. GNU's hash table does not store it. It is 1 + the index of the
 * last symbol: the symbol at the end of that chain whose first symbol has the highest index. */
static uint64_t gnu_symbols(const struct image *im, const struct section *hash)
{
	uint64_t buckets = number(im, hash->at, 4), first = number(im, hash->at + 4, 4);
	uint64_t bloom = number(im, hash->at + 8, 4) * (im->wide ? 8 : 4);
	uint64_t at = hash->at + 16 + bloom, last = 0;

	if (16 + bloom + buckets * 4 > hash->size)
		return 0;
	for (uint64_t b = 0; b < buckets; b++) {
		uint64_t symbol = number(im, at + b * 4, 4);

		last = symbol > last ? symbol : last;
	}
	if (last < first)
		return 0;
	at += buckets * 4;
	while (inside(im, at + (last - first) * 4, 4) &&
	       !(number(im, at + (last - first) * 4, 4) & 1))
		last++;
	return last + 1;
}

/* Finds the two tables to which the dynamic segment `dynamic` refers: that of the symbols, and that
 * of their names. False: the segment refers to no such tables, or they are damaged. */
static bool dynamic_tables(const struct image *im, const struct segment *dynamic,
                           struct section *symbols, struct section *names)
{
	const unsigned word = im->wide ? 8 : 4;
	uint64_t string_bytes = 0, count = 0;
	struct section hash;

	*symbols = *names = (struct section){ 0 };
	if (!inside(im, dynamic->at, dynamic->size))
		return false;
	for (uint64_t at = 0; at + 2 * word <= dynamic->size; at += 2 * word) {
		uint64_t tag = number(im, dynamic->at + at, word);
		uint64_t value = number(im, dynamic->at + at + word, word);

		if (tag == 0)
			break;
		if (tag == DT_STRSZ)
			string_bytes = value;
		else if ((tag == DT_SYMTAB && !loaded_at(im, value, symbols)) ||
		         (tag == DT_STRTAB && !loaded_at(im, value, names)))
			return false;
		else if (tag == DT_HASH && loaded_at(im, value, &hash) && hash.size >= 8)
			count = number(im, hash.at + 4, 4);
		else if (tag == DT_GNU_HASH && count == 0 && loaded_at(im, value, &hash))
			count = gnu_symbols(im, &hash);
	}
	if (string_bytes > names->size || count > symbols->size / (im->wide ? 24 : 16))
		return false;
	symbols->size = count * (im->wide ? 24 : 16);
	names->size = string_bytes;
	return count > 0;
}

/* Finds the first dynamic segment, and the two tables to which it refers: that of the symbols, and
 * that of their names. False: the file has no such segment or tables, or they are damaged. */
static bool loaded_tables(const struct image *im, struct segment *dynamic, struct section *symbols,
                          struct section *names)
{
	uint64_t count = number(im, im->wide ? 56 : 44, 2);

	for (uint64_t i = 0; i < count && segment_at(im, i, dynamic); i++)
		if (dynamic->type == PT_DYNAMIC && dynamic_tables(im, dynamic, symbols, names))
			return true;
	return false;
}

/* ---- reading an ELF file -------------------------------------------------------- */

/* Parses the ELF header. Returns ETC_ELF_PLUGIN if the header is usable, else the kind of file. */
static enum etc_elf_kind open_image(struct etc_span file, struct image *im, uint16_t *machine)
{
	*im = (struct image){ .file = file };
	*machine = 0;
	if (!etc_fits(file.len, 0, 20) || memcmp(file.ptr, "\177ELF", 4) != 0 || file.ptr[4] < 1 ||
	    file.ptr[4] > 2 || file.ptr[5] < 1 || file.ptr[5] > 2)
		return ETC_ELF_NOT;
	im->wide = file.ptr[4] == 2;
	im->big = file.ptr[5] == 2;
	*machine = (uint16_t)number(im, 18, 2);
	if (number(im, 16, 2) != ET_DYN)
		return ETC_ELF_NOT;
	return inside(im, 0, im->wide ? 64 : 52) ? ETC_ELF_PLUGIN : ETC_ELF_DAMAGED;
}

/* Finds, through the section headers, the first section of this type, which must be a table of
 * symbols, and the table of their names. Returns ETC_ELF_PLUGIN if there is such a section,
 * ETC_ELF_NO_ENTRY if not, ETC_ELF_DAMAGED if a table is outside of the file. */
static enum etc_elf_kind find_section(const struct image *im, uint32_t type,
                                      struct section *symbols, struct section *names)
{
	uint64_t table = im->wide ? number(im, 40, 8) : number(im, 32, 4);
	uint64_t each = number(im, im->wide ? 58 : 46, 2);
	uint64_t count = number(im, im->wide ? 60 : 48, 2);

	if (count && each < (im->wide ? 64u : 40u))
		return ETC_ELF_DAMAGED;
	for (uint64_t i = 0; i < count; i++) {
		if (!section_at(im, table, each, i, symbols))
			return ETC_ELF_DAMAGED;
		if (symbols->type != type)
			continue;
		if (symbols->link >= count || !section_at(im, table, each, symbols->link, names) ||
		    !inside(im, symbols->at, symbols->size) || !inside(im, names->at, names->size))
			return ETC_ELF_DAMAGED;
		return ETC_ELF_PLUGIN;
	}
	return ETC_ELF_NO_ENTRY;
}

/* Finds the dynamic symbols and their names: through the section headers, or, if the file has none,
 * through the dynamic segment. Returns ETC_ELF_PLUGIN if they are found, otherwise the
 * value that says why they are not. */
static enum etc_elf_kind find_symbols(const struct image *im, struct section *symbols,
                                      struct section *names)
{
	struct segment dynamic;
	enum etc_elf_kind kind = find_section(im, SHT_DYNSYM, symbols, names);

	if (kind != ETC_ELF_NO_ENTRY)
		return kind;
	return loaded_tables(im, &dynamic, symbols, names) ? ETC_ELF_PLUGIN : ETC_ELF_NO_ENTRY;
}

struct etc_elf etc_elf_read(struct etc_span file, uint32_t major)
{
	struct etc_elf out = { .kind = ETC_ELF_NOT };
	struct section symbols, names;
	struct image im;

	out.kind = open_image(file, &im, &out.machine);
	if (out.kind == ETC_ELF_PLUGIN)
		out.kind = find_symbols(&im, &symbols, &names);
	if (out.kind != ETC_ELF_PLUGIN)
		return out;
	out.kind = ETC_ELF_NO_ENTRY;
	search(&im, &symbols, &names, major, &out);
	return out;
}

static bool text_at(const struct image *im, const struct section *names, uint64_t at,
                    struct etc_str *out)
{
	const char *start, *end;

	if (at >= names->size)
		return false;
	start = (const char *)im->file.ptr + names->at + at;
	end = memchr(start, '\0', (size_t)(names->size - at));
	if (!end)
		return false;
	*out = (struct etc_str){ start, (size_t)(end - start) };
	return true;
}

uint64_t etc_elf_object_end(struct etc_span file, uint64_t address)
{
	struct section symbols, names;
	struct image im;
	uint16_t machine;
	uint64_t size, end = 0;

	if (open_image(file, &im, &machine) != ETC_ELF_PLUGIN ||
	    find_section(&im, SHT_SYMTAB, &symbols, &names) != ETC_ELF_PLUGIN)
		return 0;
	size = im.wide ? 24 : 16;
	for (uint64_t at = 0; at + size <= symbols.size && !end; at += size) {
		uint64_t s = symbols.at + at, n = im.wide ? 8 : 4;
		uint64_t from = number(&im, s + n, im.wide ? 8 : 4);
		uint64_t bytes = number(&im, s + 2 * n, im.wide ? 8 : 4);

		if ((number(&im, s + (im.wide ? 4 : 12), 1) & 15) == STT_OBJECT &&
		    address >= from && address - from < bytes)
			end = from + bytes;
	}
	return end;
}

bool etc_elf_exports(struct etc_span file, void (*each)(void *arg, struct etc_str name, bool weak),
                     void *arg)
{
	struct section symbols, names;
	struct image im;
	uint16_t machine;
	uint64_t size;

	if (open_image(file, &im, &machine) != ETC_ELF_PLUGIN ||
	    find_symbols(&im, &symbols, &names) != ETC_ELF_PLUGIN)
		return false;
	size = im.wide ? 24 : 16;
	for (uint64_t at = 0; at + size <= symbols.size; at += size) {
		unsigned info = (unsigned)number(&im, symbols.at + at + (im.wide ? 4 : 12), 1);
		struct etc_str text;
		uint64_t name;

		if (!exported(&im, symbols.at + at, &name))
			continue;
		if (!text_at(&im, &names, name, &text))
			return false;
		each(arg, text, info >> 4 != STB_GLOBAL);
	}
	return true;
}

/* Does a dynamic entry with this tag name a library that the dynamic linker loads? It loads those
 * of DT_NEEDED, and also those of DT_AUXILIARY and DT_FILTER. */
static bool names_library(uint64_t tag)
{
	return tag == DT_NEEDED || tag == DT_AUXILIARY || tag == DT_FILTER;
}

static bool names_folders(uint64_t tag)
{
	return tag == DT_RPATH || tag == DT_RUNPATH;
}

/* Calls `each` with the text of every dynamic entry for whose tag is_wanted() returns true. False:
 * the file is not a shared object, or its tables are damaged. */
static bool dynamic_texts(struct etc_span file, bool (*is_wanted)(uint64_t tag),
                          void (*each)(void *arg, struct etc_str text), void *arg)
{
	struct section symbols, names;
	struct segment dynamic;
	uint16_t machine;
	struct image im;
	unsigned word;

	if (open_image(file, &im, &machine) != ETC_ELF_PLUGIN ||
	    !loaded_tables(&im, &dynamic, &symbols, &names))
		return false;
	word = im.wide ? 8 : 4;
	for (uint64_t at = 0; at + 2 * word <= dynamic.size; at += 2 * word) {
		uint64_t tag = number(&im, dynamic.at + at, word);
		struct etc_str text;

		if (tag == 0)
			break;
		if (!is_wanted(tag))
			continue;
		if (!text_at(&im, &names, number(&im, dynamic.at + at + word, word), &text))
			return false;
		each(arg, text);
	}
	return true;
}

bool etc_elf_needs(struct etc_span file, void (*each)(void *arg, struct etc_str name), void *arg)
{
	return dynamic_texts(file, names_library, each, arg);
}

bool etc_elf_search(struct etc_span file, void (*each)(void *arg, struct etc_str path), void *arg)
{
	return dynamic_texts(file, names_folders, each, arg);
}

static void texts_in(struct etc_str all, void (*each)(void *arg, struct etc_str text), void *arg)
{
	size_t from = 0;

	for (size_t i = 0; i < all.len; i++) {
		if (all.ptr[i] >= ' ' && all.ptr[i] <= '~')
			continue;
		if (all.ptr[i] == '\0' && i > from)
			each(arg, etc_str_sub(all, from, i));
		from = i + 1;
	}
}

void etc_elf_texts(struct etc_span file, void (*each)(void *arg, struct etc_str text), void *arg)
{
	struct segment s;
	uint16_t machine;
	struct image im;

	if (open_image(file, &im, &machine) != ETC_ELF_PLUGIN)
		return;
	/* The last segment is read first, because linkers place constants after the names of
	 * symbols, and callers need the texts of constants first. */
	for (uint64_t i = number(&im, im.wide ? 56 : 44, 2); i-- > 0;)
		if (segment_at(&im, i, &s) && s.type == PT_LOAD && !(s.flags & (PF_W | PF_X)) &&
		    inside(&im, s.at, s.size))
			texts_in((struct etc_str){ (const char *)file.ptr + s.at, (size_t)s.size },
			         each, arg);
}
