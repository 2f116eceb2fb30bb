/* fuzz_elf.c -- reads any bytes as the shared object of a plugin. */
#include <stdlib.h>

#include "host/elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct etc_elf elf = etc_elf_read((struct etc_span){ data, size }, 1);

	if (elf.kind == ETC_ELF_PLUGIN && elf.major != 1)
		abort();
	if (elf.kind == ETC_ELF_OTHER_ABI && elf.major == 1)
		abort();
	return 0;
}
