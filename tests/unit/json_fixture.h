/* json_fixture.h -- for tests of JSON: a fixture with an open document. */
#ifndef ETC_TEST_JSON_FIXTURE_H
#define ETC_TEST_JSON_FIXTURE_H

#include "unit.h"

#include "formats/container/json.h"

struct fixture {
	struct etc_arena arena;
	struct etc_error err;
	struct etc_json *doc;
	struct etc_json_likes likes;
};

static inline int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	etc_arena_init(&f->arena, 64 << 20);
	*state = f;
	return 0;
}

static inline int teardown(void **state)
{
	struct fixture *f = *state;

	etc_json_close(f->doc);
	etc_arena_release(&f->arena);
	free(f);
	return 0;
}

/* Opens the text and returns its root. Forgets which containers earlier texts had. */
static inline struct etc_json_value open_text(struct fixture *f, struct etc_str text)
{
	struct etc_json_value root;

	etc_json_close(f->doc);
	f->err = (struct etc_error){ 0 };
	f->likes = (struct etc_json_likes){ .arena = &f->arena };
	assert_ok(etc_json_open(text, 0, &f->arena, &f->doc, &f->err), &f->err);
	etc_json_root(f->doc, &root);
	return root;
}

static inline struct etc_json_value open_doc(struct fixture *f, const char *text)
{
	return open_text(f, etc_str_of(text));
}

#endif
