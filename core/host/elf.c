/* elf.c -- see elf.h. Layout: System V ABI, "Object Files"; the numbers are
 * offsets in Elf32_* and Elf64_* structs. */
#include "host/elf.h"

#include "base/number.h"

enum { ET_DYN = 3, SHT_DYNSYM = 11, STB_GLOBAL = 1, STB_WEAK = 2, STB_GNU_UNIQUE = 10 };
enum { PT_LOAD = 1, PT_DYNAMIC = 2 };
enum { DT_HASH = 4, DT_STRTAB = 5, DT_SYMTAB = 6, DT_STRSZ = 10, DT_GNU_HASH = 0x6ffffef5 };

#define ENTRY "etcore_plugin_v"

struct image {
	struct etc_span file;
	bool wide, big; /* ELFCLASS64, ELFDATA2MSB */
};

struct section {
	uint32_t type, link;
	uint64_t at, size;
};

/* An unsigned number of `n` bytes, or 0 outside the file; callers check the
 * struct around it first. */
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

/* Section `i` of the table at `table`, whose entries are `each` bytes long. */
static bool section_at(const struct image *im, uint64_t table, uint64_t each, uint64_t i,
                       struct section *out)
{
	uint64_t at = table + i * each; /* i and each are 16 bit */

	if (at < table || !inside(im, at, im->wide ? 64 : 40))
		return false;
	out->type = (uint32_t)number(im, at + 4, 4);
	out->at = im->wide ? number(im, at + 24, 8) : number(im, at + 16, 4);
	out->size = im->wide ? number(im, at + 32, 8) : number(im, at + 20, 4);
	out->link = (uint32_t)number(im, at + (im->wide ? 40 : 24), 4);
	return true;
}

/* Is the symbol at `at` one that dlsym finds? Its name's offset in *name. */
static bool exported(const struct image *im, uint64_t at, uint64_t *name)
{
	unsigned info = (unsigned)number(im, at + (im->wide ? 4 : 12), 1);
	unsigned defined_in = (unsigned)number(im, at + (im->wide ? 6 : 14), 2);
	unsigned binding = info >> 4;

	*name = number(im, at, 4);
	return defined_in != 0 &&
	       (binding == STB_GLOBAL || binding == STB_WEAK || binding == STB_GNU_UNIQUE);
}

/* The major of an entry's name, UINT32_MAX for any other name. */
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

/* ---- without section headers: what the dynamic linker goes by ------------------- */

struct segment {
	uint32_t type;
	uint64_t at, address, size;
};

static bool segment_at(const struct image *im, uint64_t i, struct segment *out)
{
	uint64_t each = number(im, im->wide ? 54 : 42, 2);
	uint64_t table = im->wide ? number(im, 32, 8) : number(im, 28, 4), at = table + i * each;

	if (each < (im->wide ? 56u : 32u) || at < table || !inside(im, at, each))
		return false;
	out->type = (uint32_t)number(im, at, 4);
	out->at = im->wide ? number(im, at + 8, 8) : number(im, at + 4, 4);
	out->address = im->wide ? number(im, at + 16, 8) : number(im, at + 8, 4);
	out->size = im->wide ? number(im, at + 32, 8) : number(im, at + 16, 4);
	return true;
}

/* What lies at `address` of the loaded object: place and rest of its segment. */
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

/* How many symbols the hash table of GNU knows: one more than the last of its
 * longest chain. */
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

/* The tables that the dynamic segment at `at` names. */
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

static void search_loaded(const struct image *im, uint32_t major, struct etc_elf *out)
{
	uint64_t count = number(im, im->wide ? 56 : 44, 2);
	struct section symbols, names;
	struct segment s;

	out->kind = ETC_ELF_NO_ENTRY;
	for (uint64_t i = 0; i < count && segment_at(im, i, &s); i++)
		if (s.type == PT_DYNAMIC && dynamic_tables(im, &s, &symbols, &names)) {
			search(im, &symbols, &names, major, out);
			return;
		}
}

struct etc_elf etc_elf_read(struct etc_span file, uint32_t major)
{
	struct etc_elf out = { .kind = ETC_ELF_NOT };
	struct image im = { .file = file };
	uint64_t table, each, count;

	if (!etc_fits(file.len, 0, 20) || memcmp(file.ptr, "\177ELF", 4) != 0 || file.ptr[4] < 1 ||
	    file.ptr[4] > 2 || file.ptr[5] < 1 || file.ptr[5] > 2)
		return out;
	im.wide = file.ptr[4] == 2;
	im.big = file.ptr[5] == 2;
	out.machine = (uint16_t)number(&im, 18, 2);
	if (number(&im, 16, 2) != ET_DYN)
		return out;
	out.kind = ETC_ELF_DAMAGED;
	if (!inside(&im, 0, im.wide ? 64 : 52))
		return out;
	table = im.wide ? number(&im, 40, 8) : number(&im, 32, 4);
	each = number(&im, im.wide ? 58 : 46, 2);
	count = number(&im, im.wide ? 60 : 48, 2);
	if (count && each < (im.wide ? 64u : 40u))
		return out;
	for (uint64_t i = 0; i < count; i++) {
		struct section symbols, names;

		if (!section_at(&im, table, each, i, &symbols))
			return out;
		if (symbols.type != SHT_DYNSYM)
			continue;
		if (symbols.link >= count || !section_at(&im, table, each, symbols.link, &names) ||
		    !inside(&im, symbols.at, symbols.size) || !inside(&im, names.at, names.size))
			return out;
		out.kind = ETC_ELF_NO_ENTRY;
		search(&im, &symbols, &names, major, &out);
		return out;
	}
	search_loaded(&im, major, &out);
	return out;
}
