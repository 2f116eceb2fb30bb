/* texts.c -- the hostile texts that checks pass to plugins. An untrusted file may contain such
 * texts. */
#include "commands/plugins/check/internal.h"

#include <stdio.h>

enum { MIB = 1 << 20 };

#define T(what, s)                     \
	{                              \
		what, s, sizeof(s) - 1 \
	}
/* clang-format off */
static const struct { const char *what, *s; size_t len; } texts[] = {
	T("one byte 'a'", "a"), T("one byte '5'", "5"), T("one byte '-'", "-"), T("one byte '#'", "#"),
	T("one byte '('", "("), T("one byte ')'", ")"), T("one byte ','", ","), T("one byte ':'", ":"),
	T("one byte '{'", "{"), T("one byte '['", "["), T("one byte '\"'", "\""), T("one byte '\\'", "\\"),
	T("one byte NUL", "\0"), T("one byte 0xff", "\xff"), T("one blank", " "), T("one line feed", "\n"),
	T("non-UTF-8 bytes", "\xff\xfe\x80"), T("overlong UTF-8", "ab\xc0\x80" "cd"),
	T("a UTF-8 surrogate", "\xed\xa0\x80"), T("cut UTF-8", "abc\xe2\x82"),
	T("UTF-8 above U+10FFFF", "\xf5\x80\x80\x80"), T("non-UTF-8 in JSON", "{\"a\": \"\xff\"}"),
	T("NUL inside", "ab\0cd (e\0f) #1"), T("NUL inside JSON", "{\"a\": \"x\0y\"}"),
	T("NUL first", "\0abc"), T("printf directives", "%s%n%1000000d%*d"),
	T("a double too large", "1e999999"), T("an integer too small", "-9223372036854775809"),
	T("an integer too large", "18446744073709551616"), T("nan", "nan"), T("many digits", "0.1000000000000000055511151231257827021181583404541015625"),
	T("ordinal 0", "Fully Connected (NC, F32) GEMM #0"), T("a huge ordinal", "Fully Connected (NC, F32) GEMM #99999999999999999999"),
	T("unbalanced parentheses", "Convolution ((NHWC, F32 IGEMM #1"), T("nothing in parentheses", "Convolution () #1"),
	T("double key in JSON", "{\"a\": 1, \"a\": [2], \"a\": null}"), T("lone surrogate in JSON", "{\"a\": \"\\ud800\"}"),
	T("JSON of another type", "[[], {}, 1, \"x\", null, true]"), T("JSON null", "null"),
	T("numbers in JSON", "{\"a\": [NaN, Infinity, -Infinity, 1e400, -0, 123456789012345678901234567890]}"),
	T("terminal escapes", "\x1b[2J\x1b]0;x\x07"),
};
static const struct { char what[40]; const char *unit; } large[] = {
	{ "'a'", "a" }, { "'('", "(" }, { "'['", "[" }, { "'{\"a\":'", "{\"a\":" }, { "'9'", "9" },
	{ "'\"'", "\"" }, { "'\\'", "\\" }, { "0xff", "\xff" }, { "blanks", " " }, { "', '", ", " },
	{ "' #1'", " #1" },
};
/* clang-format on */

/* Texts that are truncated at many positions, as after an interrupted write. */
static const char *const whole[] = {
	"{\"operatorName\": \"ios17.conv\", \"estimatedCost\": 0.25, \"preferredComputeUnit\": "
	"\"NE\", "
	"\"supportedComputeUnits\": [\"NE\", \"C\\u0050U\"], \"n\": [-1.5e-3, true, null, {}]}",
	"Fully Connected (NC, QP8, F32, QB4W) GEMM #12",
	"output_1:ios17.conv",
};
enum {
	TEXTS = sizeof texts / sizeof texts[0],
	LARGE = sizeof large / sizeof large[0],
	WHOLE = sizeof whole / sizeof whole[0]
};

struct etcore_text etc_fenced_text(struct etc_fence *f, const char *s, size_t len, bool *ok)
{
	char *at = etc_fence_new(f, len);

	*ok &= at != NULL;
	if (!at)
		return (struct etcore_text){ 0 };
	if (len)
		memcpy(at, s, len);
	return (struct etcore_text){ at, len };
}

static bool large_text(struct etc_fence *f, unsigned i, struct etc_hostile *out)
{
	size_t n = strlen(large[i].unit);
	char *at = etc_fence_new(f, MIB);

	if (!at) {
		out->failed = true;
		return false;
	}
	/* The text so far consists of complete units, so appending a copy of it continues the
	 * pattern. */
	memcpy(at, large[i].unit, n);
	for (size_t done = n; done < MIB; done *= 2)
		memcpy(at + done, at, done < MIB - done ? done : MIB - done);
	out->text = (struct etcore_text){ at, MIB };
	snprintf(out->what, sizeof out->what, "1 MiB of %s", large[i].what);
	return true;
}

bool etc_hostile_text(struct etc_fence *f, unsigned i, bool with_large, struct etc_hostile *out)
{
	bool ok = true;

	*out = (struct etc_hostile){ .what = "an empty text without pointer" };
	if (i == 0)
		return true;
	i--;
	if (i == 0) {
		snprintf(out->what, sizeof out->what, "an empty text");
		out->text = etc_fenced_text(f, "", 0, &ok);
		out->failed = !ok;
		return ok;
	}
	i--;
	if (i < TEXTS) {
		snprintf(out->what, sizeof out->what, "%s", texts[i].what);
		out->text = etc_fenced_text(f, texts[i].s, texts[i].len, &ok);
		out->failed = !ok;
		return ok;
	}
	i -= TEXTS;
	for (unsigned w = 0; w < WHOLE; w++) {
		unsigned step = with_large ? 1 : 8, cuts = ((unsigned)strlen(whole[w]) - 1) / step;

		if (i < cuts) {
			snprintf(out->what, sizeof out->what, "%s cut to %u bytes",
			         w ? "a name" : "JSON", (i + 1) * step);
			out->text = etc_fenced_text(f, whole[w], (i + 1) * step, &ok);
			out->failed = !ok;
			return ok;
		}
		i -= cuts;
	}
	return with_large && i < LARGE && large_text(f, i, out);
}
