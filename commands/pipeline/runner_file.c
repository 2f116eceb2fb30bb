/* runner_file.c -- examines the file of a runner; see runner_file.h */
#define _POSIX_C_SOURCE 200809L
#include "commands/pipeline/runner_file.h"

#include <unistd.h>

#include "base/file.h"
#include "base/sha256_text.h"
#include "base/text.h"

enum { X86 = 3, ARM = 40, X86_64 = 62, AARCH64 = 183, RISCV = 243, PT_INTERP = 3 };

static uint64_t number_at(struct etc_span f, size_t at, size_t size)
{
	uint64_t v = 0;

	for (size_t i = 0; i < size; i++)
		v |= (uint64_t)f.ptr[at + i] << 8 * i;
	return v;
}

/* Reads an ELF file, 32-bit or 64-bit, that is little-endian, as on all machines for which
 * ExecuTorch's runner is built. */
static void look_at_elf(struct etc_span f, struct etc_arena *arena, struct etc_runner_file *out)
{
	bool wide = f.len > 4 && f.ptr[4] == 2;
	size_t head = wide ? 64 : 52, entry, count, table;

	out->elf = true;
	if (f.len < head || f.ptr[5] != 1)
		return;
	out->machine = (uint16_t)number_at(f, 18, 2);
	table = (size_t)(wide ? number_at(f, 32, 8) : number_at(f, 28, 4));
	entry = (size_t)number_at(f, wide ? 54 : 42, 2);
	count = (size_t)number_at(f, wide ? 56 : 44, 2);
	for (size_t i = 0; i < count && entry >= (wide ? 56u : 32u); i++) {
		size_t at = table + i * entry, from, len;

		if (!etc_fits(f.len, at, entry))
			return;
		if (number_at(f, at, 4) != PT_INTERP)
			continue;
		from = (size_t)(wide ? number_at(f, at + 8, 8) : number_at(f, at + 4, 4));
		len = (size_t)(wide ? number_at(f, at + 32, 8) : number_at(f, at + 16, 4));
		if (etc_fits(f.len, from, len) && len > 1 && len < 4096)
			out->loader = etc_arena_cstr(
				arena, (struct etc_str){ (const char *)f.ptr + from, len - 1 });
		return;
	}
}

/* Reads a first line such as "#!/usr/bin/env python3". */
static void look_at_script(struct etc_span f, struct etc_arena *arena, struct etc_runner_file *out)
{
	struct etc_str line = { (const char *)f.ptr, f.len < 256 ? f.len : 256 };
	size_t n = 0;

	line = etc_str_trim(etc_str_sub(line, 2, etc_str_find(line, ETC_STR("\n"), 0)));
	while (n < line.len && line.ptr[n] != ' ' && line.ptr[n] != '\t')
		n++;
	if (n)
		out->loader = etc_arena_cstr(arena, etc_str_sub(line, 0, n));
}

enum etc_status etc_runner_file_look(const char *path, struct etc_arena *arena,
                                     struct etc_runner_file *out, struct etc_error *err)
{
	struct etc_str below = etc_arena_printf(arena, "executorch/%s", path);
	struct etc_file file;

	*out = (struct etc_runner_file){ .path = path };
	ETC_NEED(below.ptr, err);
	if (path[0] != '/' && etc_file_exists(below.ptr))
		out->path = below.ptr;
	out->there = etc_file_exists(out->path);
	out->executable = out->there && access(out->path, X_OK) == 0;
	if (!out->there || etc_file_open_found(&file, out->path, 0, NULL) != ETC_OK)
		return ETC_OK;
	out->bytes = file.bytes.len;
	out->sha256 = etc_hex_sha256(file.bytes, arena);
	if (file.bytes.len > 4 && memcmp(file.bytes.ptr, "\177ELF", 4) == 0)
		look_at_elf(file.bytes, arena, out);
	else if (file.bytes.len > 2 && memcmp(file.bytes.ptr, "#!", 2) == 0)
		look_at_script(file.bytes, arena, out);
	etc_file_release(&file);
	return ETC_OK;
}

const char *etc_machine_name(uint16_t machine, struct etc_arena *arena)
{
	static const struct {
		uint16_t machine;
		const char *name;
	} names[] = {
		{ X86, "x86" },         { ARM, "Arm (32 bit)" }, { X86_64, "x86-64" },
		{ AARCH64, "AArch64" }, { RISCV, "RISC-V" },
	};
	const char *other;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (names[i].machine == machine)
			return names[i].name;
	other = etc_arena_printf(arena, "machine %u", machine).ptr;
	return other ? other : "another machine";
}

uint16_t etc_machine_here(void)
{
#if defined(__x86_64__)
	return X86_64;
#elif defined(__aarch64__)
	return AARCH64;
#elif defined(__riscv)
	return RISCV;
#elif defined(__arm__)
	return ARM;
#elif defined(__i386__)
	return X86;
#else
	return 0;
#endif
}

bool etc_runner_file_android(const struct etc_runner_file *f)
{
	return f->elf && f->loader && strncmp(f->loader, "/system/bin/linker", 18) == 0;
}
