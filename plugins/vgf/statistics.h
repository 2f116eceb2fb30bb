/* statistics.h -- reads the statistics of a neural accelerator that the VGF backend logs as a JSON
 * text. Like ExecuTorch's devtools/inspector/vgf_neural_statistics.py, it checks the schema and the
 * version of the schema, and decodes the blobs of each segment. */
#ifndef PLUGINS_VGF_STATISTICS_H
#define PLUGINS_VGF_STATISTICS_H

#include <etcore/plugin.h>
#include <stdbool.h>

/* The kinds of blobs that a segment of a VGF program has, and their number. */
enum { VGF_DEBUG_DATABASE, VGF_STATISTICS_INFO, VGF_STATISTICS_MEMORY, VGF_BLOBS };

struct vgf_statistics {
	char *text; /* the dict as JSON in which b"<base64>" stands for bytes */
	uint64_t len;
	uint64_t segments;
	uint64_t bytes[VGF_BLOBS]; /* sizes of the decoded blobs, summed over the segments */
	bool has_data, data_available;
};

/* Reads the metadata of one event. After ETCORE_OK, the caller must call vgf_statistics_release()
 * for `out`. ETCORE_DECLINE: the metadata is of another kind. ETCORE_CORRUPT: the Python reader
 * would raise an exception. ETCORE_NOMEM. */
etcore_result vgf_statistics_read(struct etcore_bytes blob, struct vgf_statistics *out);
void vgf_statistics_release(struct vgf_statistics *s);

#endif
