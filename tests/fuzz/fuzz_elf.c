/* fuzz_elf.c -- reads any bytes as the shared object of a plugin. */
#include <stdlib.h>

#include "host/elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct etc_span file = { data, size };
	struct etc_elf elf = etc_elf_read(file, 1);

	(void)etc_elf_object_end(file, 0x3000);
	if (elf.kind == ETC_ELF_PLUGIN && elf.major != 1)
		abort();
	if (elf.kind == ETC_ELF_OTHER_ABI && elf.major == 1)
		abort();
	return 0;
}
