/* host.c -- see host.h */
#include "host/host.h"

void etc_host_release(struct etc_host *host)
{
	(void)host;
}
