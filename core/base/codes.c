/* codes.c -- see codes.h */
#include "base/codes.h"

#include "base/error.h"

static const struct etc_code_info table[] = {
#define X(letter, number, status, title, hint) \
	{ letter##number, #letter[0], ETC_##status, #letter #number, title, hint },
#include "base/codes.def"
#undef X
};

const struct etc_code_info *etc_code_info(enum etc_code code)
{
	static const struct etc_code_info none = { ETC_CODE_NONE, 'E', ETC_FINDING, "", "", "" };

	for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
		if (table[i].code == code)
			return &table[i];
	return &none;
}

const struct etc_code_info *etc_code_list(unsigned *count)
{
	*count = sizeof table / sizeof table[0];
	return table;
}

const char *etc_code_severity(const struct etc_code_info *info)
{
	return info->letter == 'E' ? "error" : info->letter == 'W' ? "warning" : "note";
}
