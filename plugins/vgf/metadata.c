/* metadata.c -- parses the metadata of a VGF event; see metadata.h */
#include "metadata.h"

#include <string.h>

#include "statistics.h"

enum { DATA_AVAILABLE, SEGMENTS, BYTES, COLUMNS = BYTES + VGF_BLOBS };

static const struct etcore_column all[COLUMNS] = {
	ETCORE_COLUMN(ETCORE_TYPE_BOOL, "vgf_data_available", NULL,
	              "did the driver give any statistics of the neural accelerator?",
	              ETCORE_ROLLUP_SET),
	ETCORE_COLUMN(ETCORE_TYPE_I64, "vgf_segments", NULL, "segments of the program",
	              ETCORE_ROLLUP_SUM),
	ETCORE_COLUMN(ETCORE_TYPE_I64, "vgf_debug_database", "bytes",
	              "size of the segments' debug databases", ETCORE_ROLLUP_SUM),
	ETCORE_COLUMN(ETCORE_TYPE_I64, "vgf_statistics_info", "bytes",
	              "size of what describes the segments' statistics", ETCORE_ROLLUP_SUM),
	ETCORE_COLUMN(ETCORE_TYPE_I64, "vgf_statistics_memory", "bytes",
	              "size of the segments' statistics", ETCORE_ROLLUP_SUM),
};
const struct etcore_column *const vgf_columns[] = { &all[0], &all[1], &all[2],
	                                            &all[3], &all[4], NULL };

static struct etcore_text name_of(int column)
{
	return (struct etcore_text){ all[column].name, strlen(all[column].name) };
}

static etcore_result put_columns(const struct vgf_statistics *s, const struct etcore_sink *out)
{
	etcore_result r = out->begin_columns(out->handle);

	if (r == ETCORE_OK && s->has_data)
		r = out->boolean(out->handle, name_of(DATA_AVAILABLE), s->data_available);
	if (r == ETCORE_OK)
		r = out->i64(out->handle, name_of(SEGMENTS), (int64_t)s->segments);
	for (int b = 0; b < VGF_BLOBS && r == ETCORE_OK; b++)
		r = out->i64(out->handle, name_of(BYTES + b), (int64_t)s->bytes[b]);
	return r;
}

etcore_result vgf_parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                 const struct etcore_sink *out)
{
	const struct etcore_event *event = call->events[index];
	struct vgf_statistics first = { .segments = 0 };
	bool spoke = false, knows_bytes = ETCORE_HAS(out, struct etcore_sink, json_bytes);
	etcore_result r = out->begin_list(out->handle);

	(void)self;
	for (uint64_t i = 0; event->metadata && i < event->samples && r == ETCORE_OK; i++) {
		struct vgf_statistics s;

		if (event->metadata[i].len == 0)
			continue;
		r = vgf_statistics_read(event->metadata[i], &s);
		if (r == ETCORE_OK && !knows_bytes)
			/* the host is of a version whose sink has no json_bytes */
			r = ETCORE_FAILED;
		if (r == ETCORE_OK) {
			r = out->json_bytes(out->handle, (struct etcore_text){ "", 0 },
			                    (struct etcore_text){ s.text, s.len });
			vgf_statistics_release(&s);
			s.text = NULL;
			first = spoke ? first : s;
			spoke = true;
		} else if (r == ETCORE_DECLINE) {
			r = ETCORE_OK;
		}
	}
	if (r == ETCORE_OK && spoke)
		r = put_columns(&first, out);
	return r;
}
