/* own.c -- makes up events of the plugin's backend. A hook that recognises names or metadata does
 * nothing for events of other backends. So the events contain words from the plugin itself: its
 * backends, name and columns, and constant texts in its library. */
#include "commands/plugins/check/internal.h"

#include <stdio.h>

#include "base/ascii.h"
#include "base/file.h"
#include "host/elf.h"

enum { WORD_LEAST = 3, WORD_MOST = 32, NAMES = 3, BLOBS = 4, IDS = 6 };

/* Can the text be a name or key that the plugin expects in events, or a part of such a name?
 * Sentences, format strings and names of the runtime's symbols cannot. */
static bool is_word(struct etc_str s)
{
	size_t letters = 0;

	if (s.len < WORD_LEAST || s.len > WORD_MOST || s.ptr[0] == '_')
		return false;
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] < ' ' || s.ptr[i] > '~' || strchr("%\\\"", s.ptr[i]))
			return false;
		letters += etc_is_alphanumeric(s.ptr[i]);
	}
	return letters >= 2;
}

static void add_word(void *arg, struct etc_str s)
{
	struct etc_checking *c = arg;

	if (c->word_count == ETC_OWN_WORDS || !is_word(s))
		return;
	for (unsigned i = 0; i < c->word_count; i++)
		if (etc_str_eq(c->words[i], s))
			return;
	c->words[c->word_count] = etc_arena_str(c->arena, s);
	c->word_count += c->words[c->word_count].ptr != NULL;
}

/* Adds the words for a backend. For "AcmeBackend", these include "Acme" and "acme". */
static void add_backend(struct etc_checking *c, struct etc_str id)
{
	struct etc_str stem =
		etc_str_ends(id, ETC_STR("Backend")) ? etc_str_sub(id, 0, id.len - 7) : id;
	char lower[WORD_MOST];

	add_word(c, id);
	add_word(c, stem);
	for (size_t i = 0; i < stem.len && i < sizeof lower; i++)
		lower[i] = etc_lower(stem.ptr[i]);
	if (stem.len <= sizeof lower)
		add_word(c, (struct etc_str){ lower, stem.len });
}

enum etc_status etc_own_words(struct etc_checking *c, struct etc_error *err)
{
	const struct etcore_plugin *p = c->abi;
	struct etc_file file;

	for (uint32_t i = 0; p->backends && p->backends[i]; i++)
		add_backend(c, etc_str_of(p->backends[i]));
	add_word(c, etc_str_of(p->name));
	for (uint32_t i = 0; p->columns && p->columns[i]; i++)
		if (c->word_count < ETC_OWN_WORDS / 2)
			add_word(c, etc_str_of(p->columns[i]->name));
	ETC_TRY(etc_file_open_found(&file, c->path, 0, err));
	etc_elf_texts(file.bytes, add_word, c);
	etc_file_release(&file);
	return ETC_OK;
}

static bool ends_open(struct etc_str word)
{
	return !etc_is_alphanumeric(word.ptr[word.len - 1]);
}

static void put_name(struct etc_own_event *e, struct etc_str w, unsigned shape)
{
	static const char *const behind[NAMES][2] = { { "", "" },
		                                      { "_conv2d_1", "conv2d_1" },
		                                      { ":conv2d:0", "conv2d:0" } };

	e->name_len = (size_t)snprintf(e->name, sizeof e->name, ETC_STR_FMT "%s", ETC_STR_ARG(w),
	                               behind[shape][ends_open(w)]);
}

static void put(struct etc_own_event *e, const char *text, size_t len)
{
	size_t room = sizeof e->blob - e->blob_len;

	len = len < room ? len : room;
	memcpy(e->blob + e->blob_len, text, len);
	e->blob_len += len;
}

/* Writes all words with values: as "cycles=5 dram=5", where `separator` is between the words, or as
 * members of a JSON object. */
static void put_words(const struct etc_checking *c, struct etc_own_event *e, bool json,
                      char separator)
{
	if (json)
		put(e, "{", 1);
	for (unsigned i = 0; i < c->word_count; i++) {
		const char before[] = { i ? separator : '\0', '\0' };
		char text[WORD_MOST + 16];
		struct etc_str w = c->words[i];
		int n = json ? snprintf(text, sizeof text, "%s\"" ETC_STR_FMT "\": 5",
		                        i ? ", " : "", ETC_STR_ARG(w))
		             : snprintf(text, sizeof text, "%s" ETC_STR_FMT "%s5", before,
		                        ETC_STR_ARG(w), ends_open(w) ? "" : "=");

		put(e, text, (size_t)n);
	}
	if (json)
		put(e, "}", 1);
}

static void put_blob(const struct etc_checking *c, struct etc_own_event *e, unsigned i)
{
	const unsigned shape = i % BLOBS;
	static const char packed[24] = { 5, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7 };

	if (shape == 1)
		put_words(c, e, false, " ;,\n"[i / BLOBS % 4]);
	else if (shape == 2)
		put_words(c, e, true, ',');
	else if (shape == 3)
		put(e, packed, sizeof packed);
}

unsigned etc_own_events(const struct etc_checking *c)
{
	return (c->word_count * NAMES + IDS) * BLOBS;
}

bool etc_own_event(const struct etc_checking *c, unsigned i, struct etc_own_event *out)
{
	static const int64_t ids[IDS] = { 0, 1, 2, 3, 16, 1000 };
	unsigned word = i / (NAMES * BLOBS), rest = i - c->word_count * NAMES * BLOBS;

	*out = (struct etc_own_event){ .id = -1 };
	if (word < c->word_count)
		put_name(out, c->words[word], i / BLOBS % NAMES);
	else if (i < etc_own_events(c))
		out->id = ids[rest / BLOBS];
	else
		return false;
	put_blob(c, out, i);
	return true;
}
