/* filter.c -- see farm.h. Names are quoted as identifiers and values as texts of SQL, which DuckDB makes numbers of where the column
 * has some: nothing of them is read as SQL. */
#include "commands/farm/farm.h"

#include "base/ascii.h"

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

/* "model = 'x'", like model=x. */
static struct etc_str unquoted(struct etc_str s)
{
	return is_between(s, '\'') || is_between(s, '"') ? etc_str_sub(s, 1, s.len - 1) : s;
}

static enum etc_status put_condition(struct etc_text *sql, const char *text, struct etc_error *err)
{
	static const char *const signs[] = { "!=", "<=", ">=", "=", "<", ">", "~" };
	struct etc_str all = etc_str_of(text), column, value;
	size_t at = strcspn(text, "!<>=~"), sign = 0;

	column = unquoted(etc_str_trim(etc_str_sub(all, 0, at)));
	while (sign < sizeof signs / sizeof *signs &&
	       strncmp(text + at, signs[sign], strlen(signs[sign])) != 0)
		sign++;
	if (!column.len || sign == sizeof signs / sizeof *signs)
		return etc_fail(err, E0507, "'%s'", text);
	at += strlen(signs[sign]);
	if (text[at] && strchr("!<>=~", text[at]))
		return etc_fail(err, E0551, "in '%s'", text);
	value = unquoted(etc_str_trim(etc_str_sub(all, at, all.len)));
	etc_text_cstr(sql, signs[sign][0] == '~' ? " AND regexp_matches(" : " AND (");
	put_quoted(sql, column, '"');
	if (!value.len && signs[sign][0] != '~') /* unknown values match only "" */
		etc_text_cstr(sql, signs[sign][0] == '!' ? " IS NOT NULL" : " IS NULL");
	else {
		etc_text_cstr(sql, signs[sign][0] == '~' ? "," : signs[sign]);
		etc_text_char(sql, ' ');
		put_quoted(sql, value, '\'');
	}
	etc_text_char(sql, ')');
	return ETC_OK;
}

static int two_digits(const char *s)
{
	return (s[0] - '0') * 10 + s[1] - '0';
}

/* YYYY-MM-DD, as the column `day` has it: days are compared as texts. */
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
	for (uint32_t i = 0; i < o->where.count; i++)
		ETC_TRY(put_condition(sql, o->where.v[i], err));
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
