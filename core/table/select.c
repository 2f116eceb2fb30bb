/* select.c -- see select.h */
#include "table/select.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/pattern.h"
#include "base/percent.h"
#include "base/text.h"

enum relation { EQ, NE, LT, LE, GT, GE, MATCH };

struct etc_condition {
	struct etc_str text; /* as given, for messages */
	struct etc_str column, value;
	uint8_t relation;
	bool is_number;
	bool has_point;
	int decimals;                /* number of decimals that the number has as typed: 1 for 2.5,
	                              * -1 for 2.54e3 */
	double number;               /* in `unit` */
	struct etc_str unit;         /* text after the number; empty: none */
	struct etc_pattern *pattern; /* for MATCH: the compiled `value` */
};

/* ---- reading the options --------------------------------------------------- */

/* Sets c->decimals, the number of decimals of the typed number `s`, and c->has_point. */
static void count_decimals(struct etc_str s, struct etc_condition *c)
{
	size_t point = etc_str_find(s, ETC_STR("."), 0), e = 0;
	uint64_t exponent = 0;
	bool below;

	while (e < s.len && s.ptr[e] != 'e' && s.ptr[e] != 'E')
		e++;
	below = e + 1 < s.len && s.ptr[e + 1] == '-';
	if (e + 1 < s.len && (below || s.ptr[e + 1] == '+'))
		etc_number_parse_u64(etc_str_sub(s, e + 2, s.len), &exponent);
	else if (e < s.len)
		etc_number_parse_u64(etc_str_sub(s, e + 1, s.len), &exponent);
	c->has_point = point < e && e - point <= 18 && exponent < 400;
	if (c->has_point)
		c->decimals = (int)(e - point) - 1 + (below ? (int)exponent : -(int)exponent);
}

/* Parses a number and the text after it into the condition `c`. False: there is no number. */
static bool read_number(struct etc_str s, struct etc_condition *c)
{
	size_t n = s.len;

	while (n && !(s.ptr[n - 1] >= '0' && s.ptr[n - 1] <= '9') && s.ptr[n - 1] != '.')
		n--;
	c->unit = etc_str_trim(etc_str_sub(s, n, s.len));
	s = etc_str_trim(etc_str_sub(s, 0, n));
	count_decimals(s, c);
	return s.len && etc_number_parse(s, &c->number);
}

/* Checks that consecutive operator characters form one operator. Without this check, `=>10us` would
 * be read as `=` with the value `>10us`. A pattern after `~` may start with any character. */
static enum etc_status check_operator(struct etc_str text, size_t at, const char *sign,
                                      struct etc_error *err)
{
	static const struct {
		const char *wrong, *right;
	} meant[] = {
		{ "=>", ">=" }, { "=<", "<=" }, { "==", "=" }, { "=~", "~" }, { "<>", "!=" }
	};
	size_t end = at;

	while (end < text.len && strchr("!<>=~", text.ptr[end]))
		end++;
	if (sign && (end == at + strlen(sign) || sign[0] == '~'))
		return ETC_OK;
	for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
		if (etc_str_eq(etc_str_sub(text, at, end), etc_str_of(meant[i].wrong)))
			return etc_fail(err, E0551, "'%s' in '" ETC_STR_FMT "'; did you mean '%s'?",
			                meant[i].wrong, ETC_STR_ARG(text), meant[i].right);
	return etc_fail(err, E0551, "'" ETC_STR_FMT "' in '" ETC_STR_FMT "'",
	                ETC_STR_ARG(etc_str_sub(text, at, end)), ETC_STR_ARG(text));
}

static enum etc_status parse_condition(struct etc_str text, struct etc_condition *c,
                                       struct etc_error *err)
{
	static const struct {
		const char *sign;
		uint8_t relation;
	} signs[] = { { "!=", NE }, { "<=", LE }, { ">=", GE },  { "=", EQ },
		      { "<", LT },  { ">", GT },  { "~", MATCH } };
	size_t at = 0, sign = 0;

	while (at < text.len && !strchr("!<>=~", text.ptr[at]))
		at++;
	while (sign < sizeof signs / sizeof *signs &&
	       !etc_str_starts(etc_str_sub(text, at, text.len), etc_str_of(signs[sign].sign)))
		sign++;
	*c = (struct etc_condition){ .text = text,
		                     .column = etc_str_trim(etc_str_sub(text, 0, at)) };
	if (at == text.len || c->column.len == 0)
		return etc_fail(err, E0507, "'" ETC_STR_FMT "'", ETC_STR_ARG(text));
	ETC_TRY(check_operator(text, at,
	                       sign < sizeof signs / sizeof *signs ? signs[sign].sign : NULL, err));
	c->relation = signs[sign].relation;
	c->value = etc_str_trim(etc_str_sub(text, at + strlen(signs[sign].sign), text.len));
	if (c->relation == MATCH)
		return etc_pattern_make(c->value, &c->pattern, err);
	c->is_number = read_number(c->value, c);
	if (!c->is_number && c->relation != EQ && c->relation != NE)
		return etc_fail(err, E0507, "'" ETC_STR_FMT "': '" ETC_STR_FMT "' is no number",
		                ETC_STR_ARG(text), ETC_STR_ARG(c->value));
	return ETC_OK;
}

static enum etc_status parse_sort(struct etc_str s, struct etc_selection *out,
                                  struct etc_error *err)
{
	size_t colon = etc_str_find(s, ETC_STR(":"), 0);
	struct etc_str way = colon == SIZE_MAX ? ETC_STR("") : etc_str_sub(s, colon + 1, s.len);

	out->sort = etc_str_trim(etc_str_sub(s, 0, colon == SIZE_MAX ? s.len : colon));
	if (etc_str_eq(way, ETC_STR("asc")))
		out->direction = 1;
	else if (etc_str_eq(way, ETC_STR("desc")))
		out->direction = -1;
	else if (colon != SIZE_MAX)
		return etc_fail(err, E0505,
		                "--sort '" ETC_STR_FMT "'; expected COLUMN:asc or :desc",
		                ETC_STR_ARG(s));
	return ETC_OK;
}

static enum etc_status parse_columns(struct etc_str s, struct etc_arena *arena,
                                     struct etc_selection *out, struct etc_error *err)
{
	struct etc_str *names;
	uint32_t n = 1, to = 0;

	for (size_t i = 0; i < s.len; i++)
		n += s.ptr[i] == ',';
	names = etc_new(arena, struct etc_str, n);
	ETC_NEED(names, err);
	for (size_t from = 0, i = 0; i <= s.len; i++)
		if (i == s.len || s.ptr[i] == ',') {
			names[to] = etc_str_trim(etc_str_sub(s, from, i));
			to += names[to].len > 0;
			from = i + 1;
		}
	if (to == 0)
		return etc_fail(err, E0506, "--columns names none");
	out->columns = names;
	out->column_count = to;
	return ETC_OK;
}

enum etc_status etc_selection_parse(const char *const *where, uint32_t where_count,
                                    const char *sort, const char *columns, struct etc_arena *arena,
                                    struct etc_selection *out, struct etc_error *err)
{
	*out = (struct etc_selection){ 0 };
	out->conditions = etc_new(arena, struct etc_condition, where_count);
	ETC_NEED(out->conditions, err);
	for (uint32_t i = 0; i < where_count; i++)
		ETC_TRY(parse_condition(etc_str_of(where[i]),
		                        &out->conditions[out->condition_count++], err));
	if (sort)
		ETC_TRY(parse_sort(etc_str_of(sort), out, err));
	return columns ? parse_columns(etc_str_of(columns), arena, out, err) : ETC_OK;
}

void etc_selection_release(struct etc_selection *s)
{
	for (uint32_t i = 0; i < s->condition_count; i++)
		etc_pattern_release(s->conditions[i].pattern);
	s->condition_count = 0;
}

/* ---- columns ---------------------------------------------------------------- */

static const struct unit {
	const char *name;
	double factor;
	uint8_t style;
} units[] = { { "ns", 1, ETC_STYLE_TIME },          { "us", 1e3, ETC_STYLE_TIME },
	      { "\xc2\xb5s", 1e3, ETC_STYLE_TIME }, { "ms", 1e6, ETC_STYLE_TIME },
	      { "s", 1e9, ETC_STYLE_TIME },         { "%", 0.01, ETC_STYLE_SHARE } };

/* Returns half a unit in the last digit of the condition's number, multiplied by `factor`: 0.05 for
 * "2.5" and the factor 1. */
static double half_digit(const struct etc_condition *c, double factor)
{
	double half = factor / 2;

	for (int d = c->decimals; d > 0; d--)
		half /= 10;
	for (int d = c->decimals; d < 0; d++)
		half *= 10;
	return half;
}

bool etc_quantity_parse(struct etc_str text, struct etc_quantity *out)
{
	struct etc_condition c = { 0 };

	if (!read_number(text, &c))
		return false;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (!etc_str_eq(c.unit, etc_str_of(units[i].name)))
			continue;
		*out = (struct etc_quantity){ .number = c.number * units[i].factor,
			                      .within = half_digit(&c, units[i].factor),
			                      .share = units[i].style == ETC_STYLE_SHARE };
		return true;
	}
	return false;
}

/* Returns the unit of times at the end of a heading such as "p90 us", and sets `*word` to the text
 * before it. NULL: the heading does not end with a unit of times. */
static const struct unit *unit_of_heading(struct etc_str heading, struct etc_str *word)
{
	size_t at = heading.len;

	while (at && heading.ptr[at - 1] != ' ')
		at--;
	*word = etc_str_trim(etc_str_sub(heading, 0, at));
	for (size_t i = 0; word->len && i < sizeof units / sizeof *units; i++)
		if (units[i].style == ETC_STYLE_TIME &&
		    etc_str_eq(etc_str_sub(heading, at, heading.len), etc_str_of(units[i].name)))
			return &units[i];
	return NULL;
}

static bool is_listed_before(const struct etc_table *t, uint32_t column)
{
	const struct etc_column *own = &t->columns[column];

	for (uint32_t c = 0; c < t->column_count; c++)
		if (c != column && (c < column || t->columns[c].typed) &&
		    strcmp(t->columns[c].name, own->name) == 0)
			return true;
	return false;
}

/* Lists the columns: "the columns are what, on, kind, calls, per run, ...". Columns that exist only
 * for options (`typed`) come first, then columns with an alias, under this alias, then all others.
 * Columns that are both `typed` and `extra` are left out. */
static void list_columns(const struct etc_table *t, struct etc_text *list)
{
	const char *gap = "the columns are ";

	for (unsigned round = 0; round < 3; round++)
		for (uint32_t c = 0; c < t->column_count; c++) {
			const struct etc_column *column = &t->columns[c];
			unsigned when = column->extra && column->typed ? 3
			                : column->typed                ? 0
			                : column->alias                ? 1
			                                               : 2;

			if (when != round || (!column->typed && is_listed_before(t, c)) ||
			    /* left out: the upper end of an interval, because the column of the
			     * lower end is listed and its name stands for both ends */
			    (c && t->columns[c - 1].upper == c + 1))
				continue;
			etc_text_cstr(list, gap);
			etc_text_cstr(list, round == 1 ? column->alias : column->name);
			gap = ", ";
		}
}

/* Returns "node" for "acme_node" if there is a column "node"; else an empty text. In older plugins,
 * names had a prefix where all plugins now share one name. */
static struct etc_str without_prefix(struct etc_str name, const struct etc_str *names, size_t count)
{
	for (size_t at = 0; at < name.len; at++)
		for (size_t i = 0; name.ptr[at] == '_' && i < count; i++)
			if (etc_str_eq(etc_str_sub(name, at + 1, name.len), names[i]))
				return names[i];
	return ETC_STR_NONE;
}

static enum etc_status unknown_column(const struct etc_table *t, struct etc_str name,
                                      struct etc_error *err)
{
	struct etc_str *names = etc_malloc((3 * t->column_count + 1) * sizeof *names), near = { 0 };
	struct etc_text list = { 0 };
	enum etc_status st;
	size_t n = 0;

	for (uint32_t c = 0; names && c < t->column_count; c++) {
		const struct etc_column *column = &t->columns[c];
		struct etc_str own = etc_str_of(column->name);

		names[n++] = own;
		if (etc_str_ends(own, ETC_STR("_ns")))
			names[n++] = etc_str_sub(own, 0, own.len - 3);
		else if (column->title && column->title[0])
			names[n++] = etc_str_of(column->title);
		if (column->alias)
			names[n++] = etc_str_of(column->alias);
	}
	if (names)
		near = without_prefix(name, names, n);
	if (names && !near.len)
		near = etc_nearest(name, names, n);
	if (near.len)
		etc_text_printf(&list, "did you mean '" ETC_STR_FMT "'?", ETC_STR_ARG(near));
	else
		list_columns(t, &list);
	st = etc_fail(err, E0506, "'" ETC_STR_FMT "'; " ETC_STR_FMT, ETC_STR_ARG(name),
	              ETC_STR_ARG(etc_text_str(&list)));
	free(names);
	etc_text_release(&list);
	return st;
}

static bool same_letters(struct etc_str a, struct etc_str b)
{
	for (size_t i = 0; a.len == b.len && i < a.len; i++)
		if (etc_lower(a.ptr[i]) != etc_lower(b.ptr[i]))
			return false;
	return a.len == b.len;
}

/* How well a word matches a column; smaller numbers are better matches. NO_FIT: the word does not
 * match the column. */
enum { FITS_NAME, FITS_SHORT_NAME, FITS_HEADING, FITS_LETTERS, NO_FIT };

static unsigned fits(const struct etc_column *column, struct etc_str word)
{
	struct etc_str name = etc_str_of(column->name), brief = name;
	struct etc_str title = etc_str_of(column->title ? column->title : ""),
		       alias = etc_str_of(column->alias ? column->alias : ""), before_unit;

	if (etc_str_ends(name, ETC_STR("_ns")))
		brief.len -= 3;
	if (word.len == 0)
		return NO_FIT;
	if (etc_str_eq(name, word))
		return FITS_NAME;
	if (etc_str_eq(brief, word))
		return FITS_SHORT_NAME;
	if (etc_str_eq(title, word) || etc_str_eq(alias, word) ||
	    (column->style == ETC_STYLE_TIME && unit_of_heading(word, &before_unit) &&
	     etc_str_eq(alias, before_unit)))
		return FITS_HEADING;
	return same_letters(name, word) || same_letters(brief, word) || same_letters(title, word) ||
	                       same_letters(alias, word)
	               ? FITS_LETTERS
	               : NO_FIT;
}

enum among { ALL_COLUMNS, TIMES, NUMBERS };

static unsigned best_fit(const struct etc_table *t, struct etc_str name, enum among among,
                         uint32_t *column)
{
	unsigned best = NO_FIT;

	for (uint32_t c = 0; c < t->column_count; c++) {
		unsigned fit = fits(&t->columns[c], name);
		bool is_time = etc_str_ends(etc_str_of(t->columns[c].name), ETC_STR("_ns"));

		if (fit < best &&
		    (among == ALL_COLUMNS || (among == TIMES ? is_time : t->columns[c].right))) {
			best = fit;
			*column = c;
		}
	}
	return best;
}

enum etc_status etc_table_column(const struct etc_table *t, struct etc_str name, uint32_t *column,
                                 struct etc_error *err)
{
	struct etc_str word;

	*column = 0;
	if (best_fit(t, name, ALL_COLUMNS, column) < NO_FIT ||
	    (unit_of_heading(name, &word) && best_fit(t, word, TIMES, column) < NO_FIT))
		return ETC_OK;
	return unknown_column(t, name, err);
}

/* ---- conditions ------------------------------------------------------------- */

/* A condition, prepared for one table: it has the index of its column in this table, and its number
 * in the unit of the column's cells. */
struct test {
	const struct etc_condition *c;
	uint32_t column;
	double number;
	/* half a unit in the number's last digit. The operator = treats a value as equal if its
	 * distance from the number is smaller, because both are then displayed alike */
	double within;
	/* the number has no decimal point, and the screen shows six digits of the column's values.
	 * Then = selects a value whose six digits are the number: 0.9999998, which is shown as 1,
	 * is equal to 1. */
	bool six_digits;
	/* = and != compare texts, because VALUE is not a number, or has a unit that the column does
	 * not have */
	bool as_text;
};

static void in_unit(struct test *test, double factor)
{
	test->number = test->c->number * factor;
	test->within = half_digit(test->c, factor);
}

static enum etc_status bare_number(struct test *test, const struct etc_column *column,
                                   struct etc_error *err)
{
	const struct etc_condition *c = test->c;
	const struct unit *unit;
	struct etc_str word;
	double percent;

	if (column->style == ETC_STYLE_SHARE) {
		ETC_TRY(etc_percent_parse("--where", c->value, -HUGE_VAL, HUGE_VAL, E0507, &percent,
		                          err));
		in_unit(test, 0.01);
	} else if ((column->style == ETC_STYLE_TIME || fits(column, c->column) == NO_FIT) &&
	           (unit = unit_of_heading(c->column, &word)) != NULL) {
		in_unit(test, unit->factor);
	} else if (column->style == ETC_STYLE_TIME && c->number != 0 &&
	           !etc_str_ends(c->column, ETC_STR("_ns"))) {
		return etc_fail(err, E0507,
		                "'" ETC_STR_FMT "': %.6g of which unit? ns, us, ms or s",
		                ETC_STR_ARG(c->text), c->number);
	} else if (c->has_point) {
		in_unit(test, 1);
	} else {
		test->six_digits = column->style == ETC_STYLE_NUMBER;
	}
	return ETC_OK;
}

/* Returns the first text in a column of texts. NULL: the column has no text, or is a column of
 * numbers (it is right-aligned, or a cell is a number). */
static const struct etc_cell *word_of_words(const struct etc_table *t, uint32_t column)
{
	const struct etc_cell *found = NULL;
	double ignored;

	for (uint32_t r = 0; r < t->row_count; r++) {
		const struct etc_cell *cell = &t->cells[(size_t)r * t->column_count + column];

		if (t->columns[column].right || etc_cell_number(cell, &ignored))
			return NULL;
		if (!found && cell->kind == ETC_CELL_TEXT && cell->s.len)
			found = cell;
	}
	return found;
}

/* Changes `*column` to the column that a condition with a number means: a column of numbers with
 * the same name or heading. If the column has the lower end of an interval, < and <= test the
 * column with the upper end. E0507: = or != with an interval; or a relation such as < with a column
 * of texts, which have no order. */
static enum etc_status column_of_number(const struct etc_condition *c, const struct etc_table *t,
                                        uint32_t *column, struct etc_error *err)
{
	const struct etc_column *own = &t->columns[*column];
	bool below = c->relation == LT || c->relation == LE;
	const struct etc_cell *word;

	if (!own->right)
		(void)best_fit(t, c->column, NUMBERS, column);
	own = &t->columns[*column];
	if (own->upper && fits(own, c->column) >= FITS_HEADING) {
		if (c->relation == EQ || c->relation == NE)
			return etc_fail(err, E0507,
			                "'" ETC_STR_FMT "': an interval has two ends: > or <",
			                ETC_STR_ARG(c->text));
		*column = below ? own->upper - 1 : *column;
	}
	if (c->relation == EQ || c->relation == NE)
		return ETC_OK;
	word = word_of_words(t, *column);
	return word ? etc_fail(err, E0507,
	                       "'" ETC_STR_FMT "': '" ETC_STR_FMT
	                       "' holds words such as '" ETC_STR_FMT "'",
	                       ETC_STR_ARG(c->text), ETC_STR_ARG(c->column), ETC_STR_ARG(word->s))
	            : ETC_OK;
}

static enum etc_status prepare(const struct etc_condition *c, const struct etc_table *t,
                               struct test *out, struct etc_error *err)
{
	const struct etc_column *column;

	*out = (struct test){ .c = c, .number = c->number };
	ETC_TRY(etc_table_column(t, c->column, &out->column, err));
	if (c->is_number)
		ETC_TRY(column_of_number(c, t, &out->column, err));
	column = &t->columns[out->column];
	out->as_text = !c->is_number;
	if (out->as_text)
		return ETC_OK;
	if (c->unit.len == 0)
		return bare_number(out, column, err);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (etc_str_eq(c->unit, etc_str_of(units[i].name)) &&
		    units[i].style == column->style) {
			in_unit(out, units[i].factor);
			return ETC_OK;
		}
	out->as_text = c->relation == EQ || c->relation == NE;
	if (out->as_text)
		return ETC_OK;
	return etc_fail(err, E0507, "'" ETC_STR_FMT "': '" ETC_STR_FMT "' is no unit of %s",
	                ETC_STR_ARG(c->text), ETC_STR_ARG(c->unit), column->name);
}

/* Rounds to six significant digits, as the screen does. */
static double rounded(double v)
{
	char text[ETC_NUMBER_MAX];

	(void)etc_number_parse((struct etc_str){ text, etc_number_g(text, v) }, &v);
	return v;
}

static bool related(double a, uint8_t relation, const struct test *test)
{
	double b = test->number;

	switch (relation) {
	case EQ:
		return a == b || (a >= b - test->within && a < b + test->within) ||
		       (test->six_digits && rounded(a) == b);
	case NE:
		return !related(a, EQ, test);
	case LT:
		return a < b;
	case LE:
		return a <= b;
	case GT:
		return a > b;
	default:
		return a >= b;
	}
}

static struct etc_str text_of(const struct etc_cell *cell, char number[ETC_NUMBER_MAX])
{
	double v;

	if (cell->kind == ETC_CELL_TEXT)
		return cell->s;
	if (cell->kind == ETC_CELL_LIST)
		return cell->list->joined;
	if (cell->kind == ETC_CELL_BOOL)
		return cell->i ? ETC_STR("true") : ETC_STR("false");
	if (!etc_cell_number(cell, &v))
		return ETC_STR("");
	return (struct etc_str){ number, etc_number_g(number, v) };
}

/* Is `value` equal to `text` as a screen shows it, with unprintable characters escaped? */
static bool is_escaped(struct etc_str text, struct etc_str value)
{
	struct etc_text shown = { 0 };
	bool same;

	if (etc_text_is_plain(text))
		return false;
	etc_text_shown(&shown, text);
	same = etc_str_eq(etc_text_str(&shown), value);
	etc_text_release(&shown);
	return same;
}

/* Is `value` the text, as in the file or escaped? Or is it the form to which a narrow screen
 * shortens the text: its beginning, an ellipsis or three dots, and sometimes its end? */
static bool is_shown_as(struct etc_str text, struct etc_str value)
{
	const struct etc_str signs[] = { ETC_STR("\xe2\x80\xa6"), ETC_STR("...") };

	if (etc_str_eq(text, value) || is_escaped(text, value))
		return true;
	for (size_t i = 0; i < 2; i++) {
		size_t at = etc_str_find(value, signs[i], 1), end = at + signs[i].len;

		if (at != SIZE_MAX && at + value.len - end <= text.len &&
		    etc_str_starts(text, etc_str_sub(value, 0, at)) &&
		    etc_str_ends(text, etc_str_sub(value, end, value.len)))
			return true;
	}
	return false;
}

static bool is_text(const struct etc_cell *cell, struct etc_str value)
{
	char number[ETC_NUMBER_MAX];

	if (cell->kind == ETC_CELL_BOOL && etc_str_eq(value, ETC_STR("yes")))
		return cell->i != 0;
	if (cell->kind == ETC_CELL_BOOL && etc_str_eq(value, ETC_STR("no")))
		return cell->i == 0;
	if (cell->kind == ETC_CELL_BLANK && value.len)
		return false;
	return is_shown_as(text_of(cell, number), value);
}

/* Does a screen show the list as `value`, such as "stem and 14 more"? */
static bool is_list_as_shown(const struct etc_cell *list, struct etc_str value)
{
	char rest[sizeof " and 4294967295 more"];
	struct etc_str head;
	uint32_t more;

	if (list->kind != ETC_CELL_TEXT)
		return false;
	head = etc_list_head(list->s, &more);
	snprintf(rest, sizeof rest, " and %u more", more);
	return more && etc_str_starts(value, head) &&
	       is_shown_as(etc_str_of(rest), etc_str_sub(value, head.len, value.len));
}

static bool is_word(const struct etc_table *t, uint32_t column, const struct etc_cell *cell,
                    struct etc_str value)
{
	return is_text(cell, value) ||
	       (column < t->column_count && t->columns[column].style == ETC_STYLE_LIST &&
	        is_list_as_shown(cell, value));
}

/* Does the cell's text match the pattern of the condition (relation ~), or equal its value (other
 * relations)? */
static bool fits_text(const struct etc_condition *c, const struct etc_table *t, uint32_t column,
                      const struct etc_cell *cell)
{
	char number[ETC_NUMBER_MAX];

	if (c->relation != MATCH)
		return is_word(t, column, cell, c->value);
	return (cell->kind != ETC_CELL_BLANK || c->value.len == 0) &&
	       etc_pattern_matches(c->pattern, text_of(cell, number));
}

/* The member etc_column.also of a column names another column, which has the same values in other
 * words and may name a further column. Does one of the columns found in this way satisfy the
 * condition? */
static bool others_fit(const struct test *test, const struct etc_table *t,
                       const struct etc_cell *row)
{
	uint32_t at = t->columns[test->column].also;

	for (uint32_t n = 0; at && at - 1 != test->column && n < t->column_count; n++) {
		if (test->c->value.len && fits_text(test->c, t, at - 1, &row[at - 1]))
			return true;
		at = t->columns[at - 1].also;
	}
	return false;
}

static bool holds_of(const struct test *test, const struct etc_table *t,
                     const struct etc_cell *cell, const struct etc_cell *row)
{
	const struct etc_condition *c = test->c;
	double v;

	if (!test->as_text && c->relation != MATCH && etc_cell_number(cell, &v))
		return related(v, c->relation, test);
	if (c->relation != EQ && c->relation != NE && c->relation != MATCH)
		return false;
	return (c->relation == NE) !=
	       (fits_text(c, t, test->column, cell) || others_fit(test, t, row));
}

/* Does a list satisfy a condition? It does if one of its items, or its complete text, satisfies the
 * condition. For !=, all items and the text must. */
static bool holds_of_list(const struct test *test, const struct etc_table *t,
                          const struct etc_cell *cell, const struct etc_cell *row)
{
	bool ne = test->c->relation == NE, any = ne != holds_of(test, t, cell, row);

	for (uint32_t i = 0; i < cell->list->count && !any; i++)
		any = ne != holds_of(test, t, &cell->list->items[i], row);
	return ne != any;
}

static bool holds(const struct test *test, const struct etc_table *t, const struct etc_cell *row)
{
	const struct etc_cell *cell = &row[test->column];

	return cell->kind == ETC_CELL_LIST ? holds_of_list(test, t, cell, row)
	                                   : holds_of(test, t, cell, row);
}

/* ---- order ------------------------------------------------------------------ */

struct ranked {
	const struct etc_cell *cell;
	uint32_t row, block;
	/* 1: ascending; -1: descending; 0: descending for numbers, ascending for texts */
	int direction;
};

static int compare_cells(const struct etc_cell *a, const struct etc_cell *b)
{
	double x, y;
	bool na = etc_cell_number(a, &x), nb = etc_cell_number(b, &y);
	size_t n;
	int order = 0;

	if (a->kind == ETC_CELL_LIST && b->kind == ETC_CELL_LIST) {
		const struct etc_cell_list *x_list = a->list, *y_list = b->list;

		for (uint32_t i = 0; i < x_list->count && i < y_list->count && !order; i++)
			order = compare_cells(&x_list->items[i], &y_list->items[i]);
		return order ? order
		             : (x_list->count > y_list->count) - (x_list->count < y_list->count);
	}
	if (na && nb)
		return x < y ? -1 : x > y;
	if (na != nb)
		return na ? -1 : 1;
	if (a->kind != ETC_CELL_TEXT || b->kind != ETC_CELL_TEXT)
		return a->kind == ETC_CELL_BOOL && b->kind == ETC_CELL_BOOL
		               ? (a->i > b->i) - (a->i < b->i)
		               : 0;
	n = a->s.len < b->s.len ? a->s.len : b->s.len;
	order = n ? memcmp(a->s.ptr, b->s.ptr, n) : 0;
	return order ? order : (a->s.len > b->s.len) - (a->s.len < b->s.len);
}

/* Compares two rows by the cells of the sorted column, for qsort(). Unknown values come last in
 * both directions; rows with equal cells keep their order. */
static int by_cell(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	double ignored;
	int order, direction = x->direction;

	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	if ((x->cell->kind == ETC_CELL_BLANK) != (y->cell->kind == ETC_CELL_BLANK))
		return x->cell->kind == ETC_CELL_BLANK ? 1 : -1;
	if (direction == 0)
		direction = etc_cell_number(x->cell, &ignored) ? -1 : 1;
	order = compare_cells(x->cell, y->cell) * direction;
	return order ? order : (x->row > y->row) - (x->row < y->row);
}

static enum etc_status sort_rows(const struct etc_selection *s, const struct etc_table *t,
                                 const uint32_t *block, struct etc_arena *arena, uint32_t *rows,
                                 uint32_t count, struct etc_error *err)
{
	struct ranked *v = etc_new(arena, struct ranked, count);
	uint32_t column;

	ETC_TRY(etc_table_column(t, s->sort, &column, err));
	ETC_NEED(v, err);
	for (uint32_t i = 0; i < count; i++)
		v[i] = (struct ranked){ &t->cells[(size_t)rows[i] * t->column_count + column],
			                rows[i], block ? block[rows[i]] : 0, s->direction };
	if (count)
		qsort(v, count, sizeof *v, by_cell);
	for (uint32_t i = 0; i < count; i++)
		rows[i] = v[i].row;
	return ETC_OK;
}

/* ---- applying the selection ----------------------------------------------------- */

enum etc_status etc_selection_rows(const struct etc_selection *s, const struct etc_table *t,
                                   const uint32_t *block, struct etc_arena *arena, uint32_t **rows,
                                   uint32_t *count, struct etc_error *err)
{
	struct test *tests = etc_new(arena, struct test, s->condition_count);

	*rows = etc_new(arena, uint32_t, t->row_count);
	*count = 0;
	ETC_NEED(tests && *rows, err);
	for (uint32_t i = 0; i < s->condition_count; i++)
		ETC_TRY(prepare(&s->conditions[i], t, &tests[i], err));
	for (uint32_t r = 0; r < t->row_count; r++) {
		bool all = true;

		for (uint32_t i = 0; i < s->condition_count && all; i++)
			all = holds(&tests[i], t, &t->cells[(size_t)r * t->column_count]);
		if (all)
			(*rows)[(*count)++] = r;
	}
	return s->sort.len ? sort_rows(s, t, block, arena, *rows, *count, err) : ETC_OK;
}

enum etc_status etc_selection_table(const struct etc_selection *s, const struct etc_table *t,
                                    const uint32_t *rows, uint32_t count, struct etc_arena *arena,
                                    struct etc_table *out, struct etc_error *err)
{
	const struct etc_table all = *t; /* a copy, because `out` and `t` may be the same table */
	uint32_t most = s->column_count ? 2 * s->column_count : all.column_count, n = 0;
	struct etc_column *columns = etc_new(arena, struct etc_column, most);
	uint32_t *from = etc_new(arena, uint32_t, most);
	struct etc_cell *cells = etc_new(arena, struct etc_cell, (size_t)count * most);

	ETC_NEED(columns && from && cells, err);
	for (uint32_t c = 0; c < (s->column_count ? s->column_count : most); c++) {
		from[n] = c;
		if (s->column_count)
			ETC_TRY(etc_table_column(&all, s->columns[c], &from[n], err));
		columns[n] = all.columns[from[n]];
		n += s->column_count || s->keeps_typed || !columns[n].typed;
		if (s->column_count && columns[n - 1].upper &&
		    fits(&columns[n - 1], s->columns[c]) >= FITS_HEADING) {
			from[n] = columns[n - 1].upper - 1;
			columns[n] = all.columns[from[n]];
			n++;
		}
	}
	*out = (struct etc_table){ .title = all.title,
		                   .columns = columns,
		                   .column_count = n,
		                   .cells = cells,
		                   .row_count = count };
	for (uint32_t r = 0; r < count; r++)
		for (uint32_t c = 0; c < n; c++)
			cells[(size_t)r * n + c] =
				all.cells[(size_t)rows[r] * all.column_count + from[c]];
	return ETC_OK;
}

/* ---- values that no row has --------------------------------------------------- */

/* Appends the distinct texts of the tested column, separated by ", "; a text that contains a comma
 * is quoted. After MOST texts, an ellipsis replaces the others. */
static void list_values(const struct etc_table *t, uint32_t column, struct etc_text *list)
{
	enum { MOST = 12 };
	uint32_t first[MOST], n = 0;

	for (uint32_t r = 0; r < t->row_count; r++) {
		const struct etc_cell *cells = &t->cells[column];
		const struct etc_cell *cell = &cells[(size_t)r * t->column_count];
		uint32_t k = 0;

		if (cell->kind != ETC_CELL_TEXT)
			continue;
		while (k < n && !etc_str_eq(cells[(size_t)first[k] * t->column_count].s, cell->s))
			k++;
		if (k < n)
			continue;
		if (n == MOST) {
			etc_text_cstr(list, " \xe2\x80\xa6");
			return;
		}
		etc_text_cstr(list, n ? ", " : "");
		if (etc_str_find(cell->s, ETC_STR(","), 0) == SIZE_MAX)
			etc_text_put(list, cell->s);
		else
			etc_text_printf(list, "'" ETC_STR_FMT "'", ETC_STR_ARG(cell->s));
		first[n++] = r;
	}
}

void etc_remark_value(struct etc_str text, const struct etc_table *values, uint32_t column,
                      struct etc_notes *notes)
{
	struct etc_text list = { 0 };

	list_values(values, column, &list);
	if (list.len)
		etc_note(notes, N0530, "'" ETC_STR_FMT "'; there are " ETC_STR_FMT,
		         ETC_STR_ARG(text), ETC_STR_ARG(etc_text_str(&list)));
	etc_text_release(&list);
}

void etc_selection_remark(const struct etc_selection *s, const struct etc_table *t,
                          struct etc_notes *notes)
{
	for (uint32_t i = 0; i < s->condition_count; i++) {
		const struct etc_condition *c = &s->conditions[i];
		struct test test;
		bool any = false;

		if (c->relation != EQ || prepare(c, t, &test, NULL) != ETC_OK)
			continue;
		for (uint32_t r = 0; r < t->row_count && !any; r++)
			any = holds(&test, t, &t->cells[(size_t)r * t->column_count]);
		if (!any && t->columns[test.column].right && test.as_text)
			etc_note(notes, N0530, "'" ETC_STR_FMT "'%s", ETC_STR_ARG(c->text),
			         t->columns[test.column].also ? "" : "; its values are numbers");
		else if (!any)
			etc_remark_value(c->text, t, test.column, notes);
	}
}
