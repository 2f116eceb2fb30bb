/* load.c -- opens a plugin; the only user of <dlfcn.h>.
 *
 * An opened library stays mapped until the process ends: etcore keeps pointers to its texts, atexit
 * handlers of the library may run at the end, and stack traces of a sanitizer point into it. Only a
 * library with an invalid descriptor is closed again. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "host/internal.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include "base/file.h"
#include "host/elf.h"

static void refuse(struct etc_plugin *p, enum etc_code why, struct etc_str reason)
{
	p->state = ETC_PLUGIN_REFUSED;
	p->why = why;
	p->reason = reason;
}

static void other_abi(struct etc_plugin *p, uint32_t major, struct etc_arena *arena)
{
	p->abi_found = major;
	refuse(p, E0604,
	       etc_arena_printf(arena,
	                        "made for ABI %u, this etcore speaks %u (rebuild with its SDK)",
	                        (unsigned)major, ETCORE_PLUGIN_ABI_MAJOR));
}

/* The field e_machine of ELF files for this processor; 0: unknown. */
#if defined(__x86_64__)
#define OWN_MACHINE 62
#elif defined(__aarch64__)
#define OWN_MACHINE 183
#else
#define OWN_MACHINE 0
#endif

static const char *machine_name(unsigned machine)
{
	static const struct {
		unsigned machine;
		const char *name;
	} names[] = { { 3, "i386" },      { 40, "32-bit Arm" }, { 62, "x86-64" },
		      { 183, "AArch64" }, { 164, "Hexagon" },   { 243, "RISC-V" } };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (names[i].machine == machine)
			return names[i].name;
	return "another machine";
}

/* Examines the file's bytes. Returns false if the file must not be opened; p->why and p->reason
 * then say why. */
static bool looks_like_plugin(struct etc_plugin *p, struct etc_arena *arena)
{
	struct etc_error err;
	struct etc_file file;
	struct etc_elf elf;

	if (!p->is_file && !etc_file_exists(p->path.ptr)) {
		refuse(p, E0601,
		       access(p->path.ptr, F_OK) == 0 ? ETC_STR("not a regular file")
		                                      : ETC_STR("no such file"));
		return false;
	}
	if (etc_file_open_found(&file, p->path.ptr, 0, &err) != ETC_OK) {
		refuse(p, E0606, etc_arena_str(arena, etc_str_of(err.text)));
		return false;
	}
	elf = etc_elf_read(file.bytes, ETCORE_PLUGIN_ABI_MAJOR);
	etc_file_release(&file);
	p->abi_found = elf.major;
	switch (elf.kind) {
	case ETC_ELF_NOT:
		refuse(p, E0602, ETC_STR("not an ELF shared object"));
		return false;
	case ETC_ELF_DAMAGED:
		refuse(p, E0602, ETC_STR("damaged ELF file"));
		return false;
	case ETC_ELF_NO_ENTRY:
		refuse(p, E0603, ETC_STR("exports no etcore_plugin_v1"));
		return false;
	case ETC_ELF_OTHER_ABI:
		other_abi(p, elf.major, arena);
		return false;
	case ETC_ELF_PLUGIN:
		break;
	}
	/* A file for another machine is refused here, because dlopen() would report that the file
	 * does not exist. */
	if (OWN_MACHINE && elf.machine != OWN_MACHINE) {
		refuse(p, E0602,
		       etc_arena_printf(arena, "made for %s, this etcore runs on %s",
		                        machine_name(elf.machine), machine_name(OWN_MACHINE)));
		return false;
	}
	return true;
}

/* Returns the text of dlerror() without the path of the plugin, because etcore's message begins
 * with the path. */
static struct etc_str reason_of(const struct etc_plugin *p, struct etc_arena *arena)
{
	const char *text = dlerror();
	struct etc_str s = etc_str_of(text ? text : "cannot be loaded");

	if (etc_str_starts(s, p->path) &&
	    etc_str_starts(etc_str_sub(s, p->path.len, s.len), ETC_STR(": ")))
		s = etc_str_sub(s, p->path.len + 2, s.len);
	return etc_arena_str(arena, s);
}

static bool covers(const struct dl_phdr_info *info, uintptr_t address)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		uintptr_t from = info->dlpi_addr + h->p_vaddr;

		if (h->p_type == PT_LOAD && address >= from && address - from < h->p_memsz)
			return true;
	}
	return false;
}

static int remember(struct dl_phdr_info *info, size_t size, void *arg)
{
	const struct etc_plugin *p = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum && covers(info, (uintptr_t)p->abi); i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		uintptr_t from = info->dlpi_addr + h->p_vaddr;

		if (h->p_type == PT_LOAD && h->p_flags & PF_X)
			etc_crash_remember(p->name, p->path, from, from + h->p_memsz);
	}
	return 0;
}

/* Opens the library and validates its descriptor. This runs code of the plugin and dereferences its
 * pointers, so a crash is reported as a crash of the plugin. */
static void *open_library(struct etc_plugin *p, const struct etcore_plugin **abi,
                          const char **fault)
{
	const struct etc_hook_place place = { .plugin = p->name,
		                              .path = p->path,
		                              .hook = "its constructors or descriptor" };
	void *library;

	if (!p->unguarded)
		etc_crash_install();
	etc_crash_enter(&place);
	library = dlopen(p->path.ptr, RTLD_NOW | RTLD_LOCAL);
	*abi = library ? dlsym(library, "etcore_plugin_v1") : NULL;
	*fault = *abi ? etc_contract_fault(*abi, ETCORE_PLUGIN_ABI_MINOR)
	              : "exports no etcore_plugin_v1";
	if (!*fault)
		*fault = etc_option_default_fault(*abi);
	etc_crash_leave();
	return library;
}

/* Has this process already opened the library, as `etcore batch` has after its first dump? If so,
 * dlopen() would return the opened library, even if the file has changed. Only regular files are
 * tested, because dlopen() would block on a pipe. */
static bool is_open(const struct etc_plugin *p)
{
	void *library;

	if (!p->is_file && !etc_file_exists(p->path.ptr))
		return false;
	library = dlopen(p->path.ptr, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
	return library && dlclose(library) == 0;
}

enum etc_status etc_plugin_look(struct etc_plugin *p, struct etc_arena *arena,
                                struct etc_error *err)
{
	if (!looks_like_plugin(p, arena) && !p->reason.ptr)
		return etc_no_memory(err);
	return ETC_OK;
}

enum etc_status etc_plugin_open(struct etc_plugin *p, struct etc_arena *arena,
                                struct etc_error *err)
{
	const struct etcore_plugin *abi;
	const char *fault;
	void *library;

	if (!is_open(p))
		ETC_TRY(etc_plugin_look(p, arena, err));
	if (p->state == ETC_PLUGIN_REFUSED)
		return ETC_OK;
	library = open_library(p, &abi, &fault);
	if (!library)
		refuse(p, E0606, reason_of(p, arena));
	else if (abi && ETCORE_HAS(abi, struct etcore_plugin, abi_major) &&
	         abi->abi_major != ETCORE_PLUGIN_ABI_MAJOR)
		other_abi(p, abi->abi_major, arena);
	else if (fault)
		refuse(p, etc_contract_code(abi), etc_arena_str(arena, etc_str_of(fault)));
	if (!library || fault) {
		if (library)
			dlclose(library);
		return p->reason.ptr ? ETC_OK : etc_no_memory(err);
	}
	p->abi = abi;
	p->abi_found = abi->abi_major;
	p->name = etc_str_of(abi->name);
	p->state = ETC_PLUGIN_LOADED;
	if (!p->unguarded)
		dl_iterate_phdr(remember, p);
	return ETC_OK;
}

/* ---- writable memory of a library ------------------------------------------- */

struct variables {
	uintptr_t of; /* an address inside the library whose memory is listed */
	struct etc_span *out;
	uint32_t room, count;
};

/* Returns the end of the part of a library that the linker makes read-only after relocation
 * (RELRO). */
static uintptr_t protected_end(const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
			return info->dlpi_addr + info->dlpi_phdr[i].p_vaddr +
			       info->dlpi_phdr[i].p_memsz;
	return 0;
}

static int take_variables(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct variables *v = arg;
	uintptr_t safe = protected_end(info);

	(void)size;
	if (!covers(info, v->of))
		return 0;
	for (int i = 0; i < info->dlpi_phnum && v->count < v->room; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		uintptr_t from = info->dlpi_addr + h->p_vaddr, to = from + h->p_memsz;

		if (h->p_type != PT_LOAD || !(h->p_flags & PF_W))
			continue;
		if (safe > from)
			from = safe;
		if (from < to)
			v->out[v->count++] =
				(struct etc_span){ (const uint8_t *)from, (size_t)(to - from) };
	}
	return 1;
}

uint32_t etc_plugin_variables(const struct etcore_plugin *abi, struct etc_span *out, uint32_t room)
{
	struct variables v = { (uintptr_t)abi, out, room, 0 };

	dl_iterate_phdr(take_variables, &v);
	return v.count;
}
