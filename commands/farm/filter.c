/* filter.c -- makes SQL statements from --where, --since and --last; see farm.h. Names are quoted
 * as identifiers, and values as text, so that nothing in an option is parsed as SQL. (DuckDB
 * converts the text if the column is a number.) */
#include "commands/farm/farm.h"

#include "base/ascii.h"
#include "base/nearest.h"
#include "base/number.h"
#include "table/select.h"

enum {
	/* room for the columns that DuckDB proposes in its message about an unknown one; it
	 * proposes fewer */
	PROPOSED = 16,
	LISTED = 13, /* one value more than etc_remark_value() lists */
	LISTED_BYTES = 1 << 20
};

static void put_quoted(struct etc_text *sql, struct etc_str s, char quote)
{
	etc_text_char(sql, quote);
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] == quote)
			etc_text_char(sql, quote);
		etc_text_char(sql, s.ptr[i]);
	}
	etc_text_char(sql, quote);
}

static bool is_between(struct etc_str s, char quote)
{
	return s.len >= 2 && s.ptr[0] == quote && s.ptr[s.len - 1] == quote;
}

/* Removes quotes: model = 'x' means the same as model = x. */
static struct etc_str unquoted(struct etc_str s)
{
	return is_between(s, '\'') || is_between(s, '"') ? etc_str_sub(s, 1, s.len - 1) : s;
}

/* A condition of --where. */
struct condition {
	struct etc_str column, value;
	const char *sign;
	/* the column's name was quoted, so it is used unchanged: "typical" does not stand for
	 * "typical_ns" */
	bool literal;
};

static enum etc_status parse_condition(const char *text, struct condition *to,
                                       struct etc_error *err)
{
	static const char *const signs[] = { "!=", "<=", ">=", "=", "<", ">", "~" };
	struct etc_str all = etc_str_of(text), column;
	size_t at = strcspn(text, "!<>=~"), sign = 0;

	column = etc_str_trim(etc_str_sub(all, 0, at));
	to->column = unquoted(column);
	to->literal = to->column.len != column.len;
	while (sign < sizeof signs / sizeof *signs &&
	       strncmp(text + at, signs[sign], strlen(signs[sign])) != 0)
		sign++;
	if (!to->column.len || sign == sizeof signs / sizeof *signs)
		return etc_fail(err, E0507, "'%s'", text);
	to->sign = signs[sign];
	at += strlen(signs[sign]);
	if (text[at] && strchr("!<>=~", text[at]))
		return etc_fail(err, E0551, "in '%s'", text);
	to->value = unquoted(etc_str_trim(etc_str_sub(all, at, all.len)));
	return ETC_OK;
}

/* Returns the column that `name` stands for: a share if `share` is true, else a time. `name` may
 * lack "_ns". NULL: there is no such column. */
static const char *column_of_quantity(struct etc_str name, bool share)
{
	static const char *const times[] = { "typical_ns", "median_ns", "mean_ns", "p90_ns",
		                             "min_ns",     "max_ns",    "load_ns", NULL };
	static const char *const shares[] = { "spread", NULL };

	for (const char *const *c = share ? shares : times; *c; c++)
		if (etc_str_eq(name, etc_str_of(*c)) ||
		    (!share && etc_str_eq(name, (struct etc_str){ *c, strlen(*c) - 3 })))
			return *c;
	return NULL;
}

/* Writes a condition on a time or share with a unit, such as "typical > 5ms". Returns false if the
 * condition is not of this kind. As in `analyze`, `=` rounds the column's value to as many digits
 * as the given number has, and then compares. */
static bool put_quantity(struct etc_text *sql, const struct condition *c)
{
	struct etc_quantity q;
	const char *column;

	if (c->literal || c->sign[0] == '~' || !etc_quantity_parse(c->value, &q))
		return false;
	column = column_of_quantity(c->column, q.share);
	if (!column)
		return false;
	if (c->sign[0] == '=' || c->sign[0] == '!')
		etc_text_printf(sql, " AND ((abs(\"%s\" - %.15g) <= %.15g) IS %s)", column,
		                q.number, q.within, c->sign[0] == '=' ? "TRUE" : "NOT TRUE");
	else
		etc_text_printf(sql, " AND (\"%s\" %s %.15g)", column, c->sign, q.number);
	return true;
}

static void put_condition(struct etc_text *sql, const struct condition *c)
{
	if (put_quantity(sql, c))
		return;
	etc_text_cstr(sql, c->sign[0] == '~' ? " AND regexp_matches(CAST(" : " AND (");
	put_quoted(sql, c->column, '"');
	if (!c->value.len && c->sign[0] != '~') /* an empty value means "unknown" */
		etc_text_cstr(sql, c->sign[0] == '!' ? " IS NOT NULL" : " IS NULL");
	else {
		etc_text_cstr(sql, c->sign[0] == '~'   ? " AS VARCHAR),"
		                   : c->sign[0] == '!' ? " IS DISTINCT FROM"
		                                       : c->sign);
		etc_text_char(sql, ' ');
		put_quoted(sql, c->value, '\'');
	}
	etc_text_char(sql, ')');
}

/* Does the message contain the quote `quote`, directly followed by `text`? */
static bool names(struct etc_str message, char quote, struct etc_str text)
{
	for (size_t at = 0; text.len && (at = etc_str_find(message, text, at)) < message.len; at++)
		if (at && message.ptr[at - 1] == quote)
			return true;
	return false;
}

/* Sets `*c` to the condition of --where whose column or value is named in `message`, an error
 * message of DuckDB. False: there is none. */
static bool blames(const struct etc_farm_options *o, struct etc_str message, struct condition *c)
{
	const bool binder = etc_str_find(message, ETC_STR("Binder Error"), 0) < message.len,
		   conversion = etc_str_find(message, ETC_STR("Conversion Error"), 0) < message.len,
		   input = etc_str_find(message, ETC_STR("Invalid Input Error"), 0) < message.len;
	struct etc_error ignored = { .at = -1 };

	for (uint32_t i = 0; i < o->where.count; i++)
		if (parse_condition(o->where.v[i], c, &ignored) == ETC_OK &&
		    ((binder && names(message, '"', c->column)) ||
		     (conversion && names(message, '\'', c->value)) ||
		     (input && c->sign[0] == '~' && etc_str_ends(message, c->value))))
			return true;
	return false;
}

/* Of the columns that the message proposes, returns the one that is most similar to `column`; empty
 * if none is similar. */
static struct etc_str proposed(struct etc_str message, struct etc_str column)
{
	struct etc_str names[PROPOSED];
	size_t n = 0, at = etc_str_find(message, ETC_STR(ETC_FARM_NEAR), 0), to;

	while (n < PROPOSED && (at = etc_str_find(message, ETC_STR("\""), at)) != SIZE_MAX &&
	       (to = etc_str_find(message, ETC_STR("\""), at + 1)) != SIZE_MAX) {
		names[n++] = etc_str_sub(message, at + 1, to);
		at = to + 1;
	}
	return etc_nearest(column, names, n);
}

/* Returns in words what the column of a condition contains, such as "whole numbers". `message` is
 * DuckDB's error that a text could not be converted to the column's type. */
static const char *kind_of(struct etc_str message)
{
	return etc_str_find(message, ETC_STR("INT"), 0) != SIZE_MAX      ? "whole numbers"
	       : etc_str_find(message, ETC_STR("DOUBLE"), 0) != SIZE_MAX ? "numbers"
	       : etc_str_find(message, ETC_STR("BOOL"), 0) != SIZE_MAX   ? "true and false"
	                                                                 : "another type";
}

static enum etc_status no_column(struct etc_str message, const struct condition *c,
                                 struct etc_error *err)
{
	const char *time = column_of_quantity(c->column, false);
	struct etc_str near = time ? etc_str_of(time) : proposed(message, c->column);
	double number;

	if (time && c->sign[0] != '~' && etc_number_parse(c->value, &number))
		return etc_fail(err, E1228,
		                "'" ETC_STR_FMT " %s " ETC_STR_FMT "': " ETC_STR_FMT
		                " of which unit? ns, us, ms or s",
		                ETC_STR_ARG(c->column), c->sign, ETC_STR_ARG(c->value),
		                ETC_STR_ARG(c->value));
	return etc_fail(err, E1228, "no column '" ETC_STR_FMT "'%s" ETC_STR_FMT "%s",
	                ETC_STR_ARG(c->column), near.len ? "; did you mean '" : "",
	                ETC_STR_ARG(near), near.len ? "'?" : "");
}

enum etc_status etc_farm_blame(const struct etc_farm_options *o, enum etc_status st,
                               struct etc_error *err)
{
	char text[sizeof err->text];
	struct etc_str message = { text, strlen(err->text) };
	struct condition c;

	memcpy(text, err->text, sizeof text);
	if (st == ETC_OK || err->code != E1221 || !blames(o, message, &c))
		return st;
	if (c.sign[0] == '~' && etc_str_ends(message, c.value))
		return etc_fail(err, E1228, "'" ETC_STR_FMT "' is no regular expression",
		                ETC_STR_ARG(c.value));
	if (etc_str_find(message, ETC_STR(" not found"), 0) != SIZE_MAX)
		return no_column(message, &c, err);
	return etc_fail(err, E1228,
	                "'" ETC_STR_FMT "' is no value of '" ETC_STR_FMT "', a column of %s",
	                ETC_STR_ARG(c.value), ETC_STR_ARG(c.column), kind_of(message));
}

/* Reports N0530 if no dump has the value of the condition. The note lists values that dumps have.
 * The values whose spelling is most similar to the missing value come first. */
static enum etc_status remark(struct etc_session *s, const char *folder, const struct condition *c,
                              const char *text, struct etc_error *err)
{
	struct etc_text sql = { 0 }, json = { 0 };
	struct etc_table values;
	enum etc_status st;

	etc_text_cstr(&sql, "SELECT DISTINCT CAST(");
	put_quoted(&sql, c->column, '"');
	etc_text_cstr(&sql, " AS VARCHAR) AS name FROM farm_runs WHERE name IS NOT NULL AND "
	                    "NOT EXISTS (FROM farm_runs WHERE ");
	put_quoted(&sql, c->column, '"');
	etc_text_cstr(&sql, " = ");
	put_quoted(&sql, c->value, '\'');
	etc_text_cstr(&sql, ") ORDER BY jaro_winkler_similarity(name, ");
	put_quoted(&sql, c->value, '\'');
	etc_text_printf(&sql, ") DESC, name LIMIT %d", LISTED);
	st = sql.failed ? etc_no_memory(err)
	                : etc_farm_ask(folder, ETC_STR(""), etc_text_str(&sql), LISTED_BYTES, &json,
	                               err);
	if (st == ETC_OK)
		st = etc_farm_read(etc_text_str(&json), "name", &s->arena, &values, err);
	if (st == ETC_OK)
		etc_remark_value(etc_str_of(text), &values, 0, &s->notes);
	etc_text_release(&sql);
	etc_text_release(&json);
	return st;
}

enum etc_status etc_farm_remark(struct etc_session *s, const struct etc_farm_options *o,
                                struct etc_error *err)
{
	struct etc_quantity q;
	struct condition c;

	for (uint32_t i = 0; i < o->where.count; i++) {
		ETC_TRY(parse_condition(o->where.v[i], &c, err));
		if (c.sign[0] == '=' && c.value.len && !etc_quantity_parse(c.value, &q))
			ETC_TRY(remark(s, o->common.operands.v[1], &c, o->where.v[i], err));
	}
	return ETC_OK;
}

static int two_digits(const char *s)
{
	return (s[0] - '0') * 10 + s[1] - '0';
}

/* Is the text a date YYYY-MM-DD, the form of the column `day`? Days are compared as texts. */
static bool is_day(const char *s)
{
	static const char form[] = "dddd-dd-dd";
	size_t i = 0;
	int century, year, month, day;

	while (form[i] && (form[i] == 'd' ? etc_is_digit(s[i]) : s[i] == form[i]))
		i++;
	if (form[i] || s[i])
		return false;
	century = two_digits(s);
	year = two_digits(s + 2);
	month = two_digits(s + 5);
	day = two_digits(s + 8);
	if (month < 1 || month > 12 || day < 1)
		return false;
	if (month == 2)
		return day <= 28 + ((year ? year : century) % 4 == 0);
	return day <= 30 + ((month + month / 8) & 1);
}

enum etc_status etc_farm_filter(const struct etc_farm_options *o, struct etc_text *sql,
                                struct etc_error *err)
{
	uint64_t last = 0;

	ETC_TRY(etc_opt_count("last", o->last, 1000000000, &last, err));
	if (o->last && !last)
		return etc_fail(err, E0505, "--last '%s'; expected 1 or more", o->last);
	if (o->since && !is_day(o->since))
		return etc_fail(err, E0505, "--since '%s'; expected a day as YYYY-MM-DD", o->since);
	if (!o->where.count && !o->since && !last)
		return ETC_OK;
	etc_text_cstr(sql, "CREATE OR REPLACE TEMP VIEW runs AS FROM farm_runs WHERE true");
	for (uint32_t i = 0; i < o->where.count; i++) {
		struct condition c;

		ETC_TRY(parse_condition(o->where.v[i], &c, err));
		put_condition(sql, &c);
	}
	if (o->since) {
		etc_text_cstr(sql, " AND day >= ");
		put_quoted(sql, etc_str_of(o->since), '\'');
	}
	if (last)
		etc_text_printf(
			sql,
			" QUALIFY row_number() OVER (PARTITION BY model, device, method, path "
			"ORDER BY day DESC, modified_ns DESC, run_id) <= %llu",
			(unsigned long long)last);
	etc_text_cstr(sql, ";\nCREATE OR REPLACE TEMP VIEW rows AS SELECT r.* FROM farm_rows r "
	                   "SEMI JOIN runs t "
	                   "ON r.analysis_id = t.analysis_id AND r.path = t.path;\n");
	return sql->failed ? etc_no_memory(err) : ETC_OK;
}
