/* etrecord_v0.c -- entries of an "ETRECORD_V0" archive, the only kind so far.
 *
 * The names changed from release to release while the marker stayed, so each
 * entry is told by its name and its companions, never by a version: an entry B
 * is a program if it has one of the reserved names or if B_state_dict exists. */
#include "read/etrecord_reader.h"

enum etc_status etc_record_read_v0(struct etc_record_reader *r, struct etc_error *err)
{
	ETC_TRY(etc_record_read_maps(r, err));
	return ETC_OK;
}
