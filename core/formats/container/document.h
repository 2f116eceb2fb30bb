/* document.h -- reads a small JSON document that a command of etcore wrote. */
#ifndef ETC_FORMATS_CONTAINER_DOCUMENT_H
#define ETC_FORMATS_CONTAINER_DOCUMENT_H

#include "base/span.h"
#include "formats/container/json.h"

enum etc_json_kind {
	ETC_JSON_NUMBER, /* double */
	ETC_JSON_TEXT,   /* struct etc_str */
	ETC_JSON_FLAG    /* bool */
};

/* A member of an object, and the offset in a struct at which etc_json_fields() stores its value. */
struct etc_json_field {
	const char *key;
	size_t offset;
	uint8_t kind; /* enum etc_json_kind */
};

/* etc_json_document() calls `walk` for the root of the document, then checks the rest of the
 * document. Damage is reported as error `code`; further errors are E0904 and those of `walk`. */
typedef enum etc_status etc_json_walk(void *arg, const struct etc_json_value *root,
                                      struct etc_error *err);
enum etc_status etc_json_document(struct etc_span bytes, uint16_t code, etc_json_walk *walk,
                                  void *arg, struct etc_arena *arena,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Reads the object `v`: for each member that `fields` names, stores the value in `to`, at the
 * offset of the field. For a member that is missing, null or of another type, nothing is stored.
 * Fails with `code` if `v` is no object or damaged; E0904. */
enum etc_status etc_json_fields(const struct etc_json_value *v, const struct etc_json_field *fields,
                                size_t count, uint16_t code, void *to, struct etc_arena *arena,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
