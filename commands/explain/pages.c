/* pages.c -- see pages.h */
#include "commands/explain/pages.h"

static struct etc_str between(struct etc_str s, size_t from, size_t to)
{
	while (from < to && (s.ptr[from] == '\n' || s.ptr[from] == ' '))
		from++;
	while (to > from && (s.ptr[to - 1] == '\n' || s.ptr[to - 1] == ' '))
		to--;
	return (struct etc_str){ s.ptr + from, to - from };
}

/* Index of `what` in `s`, from `from` on; s.len if it does not occur. */
static size_t find(struct etc_str s, size_t from, const char *what)
{
	size_t at = etc_str_find(s, etc_str_of(what), from);

	return at == SIZE_MAX ? s.len : at;
}

/* Start of the line after the line that contains byte `at`. */
static size_t next_line(struct etc_str s, size_t at)
{
	while (at < s.len && s.ptr[at] != '\n')
		at++;
	return at + (at < s.len);
}

bool etc_page_find(const struct etc_code_info *code, struct etc_page *out)
{
	struct etc_str all = { (const char *)etc_pages_text, etc_pages_size };
	char heading[] = "\n## E0000: ";
	size_t from, open, close;

	*out = (struct etc_page){ 0 };
	memcpy(heading + 4, code->name, 5);
	from = find(all, 0, heading);
	if (from == all.len)
		return false;
	from = next_line(all, from + 1);
	all.len = find(all, from, "\n## ");
	open = find(all, from, "\n```");
	out->cause = between(all, from, open);
	open = next_line(all, open + 1);
	close = find(all, open, "\n```");
	out->example = between(all, open, close);
	out->remedy = between(all, next_line(all, close + 1), all.len);
	return true;
}

/* Returns the word at *at and moves *at past the word; empty at the end. Sets `*line` if the word
 * begins a line, `*gap` if it begins a paragraph. */
static struct etc_str next_word(struct etc_str s, size_t *at, bool *line, bool *gap)
{
	unsigned lines = *at == 0;
	size_t from;

	for (; *at < s.len && (s.ptr[*at] == ' ' || s.ptr[*at] == '\n'); ++*at)
		lines += s.ptr[*at] == '\n';
	from = *at;
	while (*at < s.len && s.ptr[*at] != ' ' && s.ptr[*at] != '\n')
		++*at;
	*line = lines > 0;
	*gap = lines > 1;
	return (struct etc_str){ s.ptr + from, *at - from };
}

void etc_page_put_paragraphs(struct etc_text *out, struct etc_str text, unsigned indent,
                             unsigned width)
{
	size_t at = 0, used = 0, hang = 0;
	struct etc_str word;
	bool line, gap;

	while ((word = next_word(text, &at, &line, &gap)).len > 0) {
		size_t columns = etc_utf8_width(word);
		bool item = line && etc_str_eq(word, ETC_STR("-"));

		if (used == 0 || gap || item) {
			if (used > 0)
				etc_text_cstr(out, gap ? "\n\n" : "\n");
			etc_text_repeat(out, " ", indent);
			hang = item ? 2 : 0;
			used = indent;
		} else if (used + 1 + columns > width) {
			etc_text_char(out, '\n');
			used = indent + hang;
			etc_text_repeat(out, " ", used);
		} else {
			etc_text_char(out, ' ');
			used++;
		}
		etc_text_put(out, word);
		used += columns;
	}
	if (used > 0)
		etc_text_char(out, '\n');
}

void etc_page_put_lines(struct etc_text *out, struct etc_str text, unsigned indent)
{
	for (size_t at = 0; at < text.len;) {
		size_t end = next_line(text, at);
		struct etc_str line = { text.ptr + at, end - at };

		if (line.len && line.ptr[line.len - 1] == '\n')
			line.len--;
		if (line.len)
			etc_text_repeat(out, " ", indent);
		etc_text_put(out, line);
		etc_text_char(out, '\n');
		at = end;
	}
}
