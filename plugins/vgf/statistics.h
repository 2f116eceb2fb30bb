/* statistics.h -- neural accelerator statistics of the VGF backend: reads one JSON text as
 * ExecuTorch's devtools/inspector/vgf_neural_statistics.py does: checks the schema and its
 * version, and decodes the blobs of each segment. */
#ifndef VGF_STATISTICS_H
#define VGF_STATISTICS_H

#include <etcore/plugin.h>
#include <stdbool.h>

/* The blobs of a segment. */
enum { VGF_DEBUG_DATABASE, VGF_STATISTICS_INFO, VGF_STATISTICS_MEMORY, VGF_BLOBS };

struct vgf_statistics {
	char *text; /* the dict as JSON in which b"<base64>" stands for bytes */
	uint64_t len;
	uint64_t segments;
	uint64_t bytes[VGF_BLOBS]; /* decoded, of all segments */
	bool has_data, data_available;
};

/* ETCORE_OK: release it. ETCORE_DECLINE: metadata of another kind. CORRUPT: the Python reader
 * raises. NOMEM. */
etcore_result vgf_statistics_read(struct etcore_bytes blob, struct vgf_statistics *out);
void vgf_statistics_release(struct vgf_statistics *s);

#endif
