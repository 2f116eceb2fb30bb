/* manual.c -- manual pages in roff; see manual.h */
#include "cli/manual.h"

#include "cli/command.h"

/* Returns the code point at `*p`, and moves `*p` past it. The text must be valid UTF-8, as the
 * tables of commands and options are. */
static uint32_t next_code_point(const char **p)
{
	const unsigned char *s = (const unsigned char *)*p;
	uint32_t c = s[0];
	int more = c < 0x80 ? 0 : c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;

	c = more ? c & (0x3Fu >> more) : c;
	for (int i = 1; i <= more && s[i]; i++)
		c = c << 6 | (s[i] & 0x3Fu);
	*p += 1;
	for (; more > 0 && **p; more--)
		*p += 1;
	return c;
}

/* Appends text in ASCII with roff's special characters escaped. */
static void plain(struct etc_text *out, const char *s)
{
	if (*s == '.' || *s == '\'')
		etc_text_cstr(out, "\\&");
	while (*s) {
		uint32_t c = next_code_point(&s);

		if (c == '\\')
			etc_text_cstr(out, "\\e");
		else if (c == '-')
			etc_text_cstr(out, "\\-");
		else if (c == '"')
			etc_text_cstr(out, "\\(dq");
		else if (c == '\'')
			etc_text_cstr(out, "\\(aq");
		else if (c == '~' || c == '^' || c == '`')
			etc_text_cstr(out, c == '~' ? "\\(ti" : c == '^' ? "\\(ha" : "\\(ga");
		else if (c < 0x80)
			etc_text_char(out, (char)c);
		else
			etc_text_printf(out, "\\[u%04X]", (unsigned)c);
	}
}

static void bold(struct etc_text *out, const char *s)
{
	etc_text_cstr(out, "\\fB");
	plain(out, s);
	etc_text_cstr(out, "\\fR");
}

static void italic(struct etc_text *out, const char *s)
{
	etc_text_cstr(out, "\\fI");
	plain(out, s);
	etc_text_cstr(out, "\\fR");
}

/* Begins a page: writes its title line, without a date, so that the same source gives the same
 * page. */
static void head(struct etc_text *out, const char *page, const char *section, const char *summary)
{
	etc_text_cstr(out, ".TH \"");
	plain(out, page);
	etc_text_printf(out, "\" %s \"\" \"etcore %s\"\n.SH NAME\n", section, etcore_version());
	plain(out, page);
	etc_text_cstr(out, " \\- ");
	plain(out, summary);
	etc_text_cstr(out, "\n");
}

static void option(struct etc_text *out, const struct etcore_option_info *o)
{
	char letter[3] = { '-', (char)o->letter, '\0' };

	etc_text_cstr(out, ".TP\n");
	if (o->letter) {
		bold(out, letter);
		etc_text_cstr(out, ", ");
	}
	etc_text_cstr(out, "\\fB\\-\\-");
	plain(out, o->name);
	etc_text_cstr(out, "\\fR");
	if (o->argument) {
		etc_text_char(out, ' ');
		italic(out, o->argument);
	}
	etc_text_char(out, '\n');
	plain(out, o->help);
	if (etc_option_choices(o)) {
		etc_text_cstr(out, "\n.br\n");
		italic(out, etc_option_is_output(o) ? "FORMAT" : o->argument);
		etc_text_cstr(out, ": ");
		plain(out, etc_option_choices(o));
	}
	etc_text_char(out, '\n');
}

static void exit_statuses(struct etc_text *out)
{
	struct etcore_diagnostic d = ETCORE_DIAGNOSTIC;

	etc_text_cstr(out, ".SH EXIT STATUS\n.TP\n0\nsuccess\n");
	for (int st = 1; st < 64; st++)
		for (uint32_t i = 0; etcore_code(i, &d); i++)
			if (d.status == st && d.severity == ETCORE_SEVERITY_ERROR) {
				etc_text_printf(out, ".TP\n%d\n", st);
				plain(out, etc_status_text((enum etc_status)st));
				etc_text_char(out, '\n');
				break;
			}
	etc_text_cstr(out, ".PP\nEach diagnostic has a code; \\fBetcore explain\\fR \\fICODE\\fR "
	                   "says what it means.\n");
}

static void see_also(struct etc_text *out, const char *self)
{
	struct etc_command command, *c = &command;

	etc_text_cstr(out, ".SH SEE ALSO\n");
	if (strcmp(self, "") != 0)
		etc_text_cstr(out, ".BR etcore (1),\n");
	for (unsigned i = 0; etc_command_at(i, c); i++)
		if (!c->hidden && strcmp(c->name, self) != 0) {
			etc_text_cstr(out, ".BR etcore\\-");
			plain(out, c->name);
			etc_text_cstr(out, " (1),\n");
		}
	etc_text_cstr(out, ".BR etcore.ini (5),\n.BR etcore\\-plugin (7)\n");
}

void etc_man_command(struct etc_text *out, const struct etc_command *cmd)
{
	char page[64] = "etcore-";

	strncat(page, cmd->name, sizeof page - strlen(page) - 1);
	head(out, page, "1", cmd->summary);
	etc_text_cstr(out, ".SH SYNOPSIS\n\\fBetcore ");
	plain(out, cmd->name);
	etc_text_cstr(out, "\\fR ");
	plain(out, cmd->usage);
	etc_text_cstr(out, "\n.SH OPTIONS\nA long option may be cut short as long as it is unique; "
	                   "\\- and _ are the same in its name.\n");
	for (unsigned i = 0; i < cmd->option_count; i++)
		option(out, &cmd->options[i]);
	etc_text_cstr(out, ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\na short form of this page\n");
	etc_text_cstr(out, ".SH EXAMPLES\n.nf\n");
	for (const char *p = cmd->examples; *p;) {
		char line[256];
		size_t n = strcspn(p, "\n"), kept = n < sizeof line ? n : sizeof line - 1;

		memcpy(line, p, kept);
		line[kept] = '\0';
		plain(out, line);
		etc_text_char(out, '\n');
		p += n + (p[n] == '\n');
	}
	etc_text_cstr(out, ".fi\n");
	exit_statuses(out);
	see_also(out, cmd->name);
}

void etc_man_program(struct etc_text *out)
{
	struct etc_command command, *c = &command;
	struct etcore_key_info k = { .size = sizeof k };

	head(out, "etcore", "1", "where an ExecuTorch model spends its time");
	etc_text_cstr(out, ".SH SYNOPSIS\n\\fBetcore\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n.br\n"
	                   "\\fBetcore\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR\n.br\n"
	                   "\\fBetcore\\fR \\fB\\-\\-version\\fR\n.SH COMMANDS\n");
	for (unsigned i = 0; etc_command_at(i, c); i++) {
		if (c->hidden)
			continue;
		etc_text_cstr(out, ".TP\n.BR etcore\\-");
		plain(out, c->name);
		etc_text_cstr(out, " (1)\n");
		plain(out, c->summary);
		etc_text_char(out, '\n');
	}
	etc_text_cstr(out, ".SH ENVIRONMENT\n");
	for (uint32_t i = 0; etcore_key(i, &k); i++) {
		if (!k.environment)
			continue;
		etc_text_cstr(out, ".TP\n");
		bold(out, k.environment);
		etc_text_cstr(out, "\nthe key ");
		bold(out, k.key);
		etc_text_printf(out, " of [%s] in\n.BR etcore.ini (5)\n", k.section);
	}
	etc_text_cstr(out, ".TP\n\\fBETCORE_PLUGIN_PATH\\fR\n"
	                   "folders with plugins, : between, each from the root\n");
	exit_statuses(out);
	see_also(out, "");
}

void etc_man_config(struct etc_text *out)
{
	const char *section = "";
	struct etcore_key_info k = { .size = sizeof k };

	head(out, "etcore.ini", "5", "configuration of etcore");
	etc_text_cstr(
		out,
		".SH DESCRIPTION\n"
		"Lines of \\fIkey\\fR = \\fIvalue\\fR below a [\\fIsection\\fR]; what begins with "
		"; or "
		"# is a comment.\nWhat counts, highest first: options of the command line, "
		"variables "
		"of the environment, the file given with \\-c, the user's file, the system's file, "
		"and what is built in.\nBeside the user's and the system's file, etcore.d/*.ini "
		"are "
		"read after it in the order of their names.\n\\fBetcore config\\fR shows every key "
		"with its value and origin.\n.SH "
		"FILES\n.TP\n\\fI$XDG_CONFIG_HOME/etcore/etcore.ini\\fR\n"
		"the user's file; without the variable ~/.config\n.TP\n"
		"\\fIetc/etcore/etcore.ini\\fR\nthe system's file, in the prefix of the program\n");
	for (uint32_t i = 0; etcore_key(i, &k); i++) {
		bool named = strcmp(k.section, "plugin") == 0 || strcmp(k.section, "backend") == 0;

		if (strcmp(section, k.section) != 0)
			etc_text_printf(out, ".SH [%s%s]\n", k.section, named ? ".NAME" : "");
		section = k.section;
		etc_text_cstr(out, ".TP\n");
		bold(out, k.key);
		etc_text_cstr(out, " = ");
		italic(out, k.built_in[0] ? k.built_in : "(empty)");
		etc_text_char(out, '\n');
		plain(out, k.help);
		etc_text_cstr(out, "\n.br\n");
		plain(out, k.expected);
		if (k.unit[0]) {
			etc_text_cstr(out, "; unit: ");
			plain(out, k.unit);
		}
		if (k.environment) {
			etc_text_cstr(out, "; environment: ");
			bold(out, k.environment);
		}
		etc_text_char(out, '\n');
	}
	etc_text_cstr(out, ".SH SEE ALSO\n.BR etcore (1),\n.BR etcore\\-config (1)\n");
}

void etc_man_plugin(struct etc_text *out)
{
	static const char *const hooks[][2] = {
		{ "open, close", "make an instance from the options of [plugin.NAME], and end it" },
		{ "probe", "0 to 100: is this delegate call mine?" },
		{ "parse_metadata", "columns from the metadata of one event" },
		{ "convert_time",
		  "times as a converter in Python gives them, for etcore inspector" },
		{ "describe_time", "unit, clock, kind and parent of every event" },
		{ "name_event", "operator, layout, types and kernel of one event" },
		{ "classify", "category, compute unit and precision of one event" },
		{ "map_event", "the nodes of the graph that one event stands for" },
		{ "expand_event", "what one event consists of, where its metadata is a table" },
		{ "get_extension, get_instance_extension", "later interfaces by their names" },
	};

	head(out, "etcore-plugin", "7",
	     "a backend's plugin for etcore: what it is, how it is built and checked");
	etc_text_cstr(out,
	              ".SH SYNOPSIS\n.B #include <etcore/plugin.h>\n.PP\n.nf\n"
	              "ETCORE_EXPORT const struct etcore_plugin \\fBetcore_plugin_v1\\fR = { ... "
	              "};\n.fi\n"
	              ".SH DESCRIPTION\nA plugin is one shared object that explains the events of "
	              "a backend: names, "
	              "columns, units of time, categories.\nIt exports one constant, links to "
	              "nothing of etcore, and "
	              "may be written in any language that can make one.\nWhatever is built for a "
	              "version of the "
	              "ABI's major number is loaded by every etcore with that number.\n.SH HOOKS\n"
	              "Functions in that constant; each may be NULL, may decline, and costs "
	              "nothing but its answer "
	              "when it fails.\n");
	for (size_t i = 0; i < sizeof hooks / sizeof hooks[0]; i++) {
		etc_text_cstr(out, ".TP\n");
		bold(out, hooks[i][0]);
		etc_text_char(out, '\n');
		plain(out, hooks[i][1]);
		etc_text_char(out, '\n');
	}
	etc_text_cstr(
		out,
		".SH MAKING ONE\n.nf\n\\fBetcore plugins new\\fR \\fINAME\\fR "
		"[\\fB\\-\\-language\\fR c|cpp|rust|zig] [\\fB\\-\\-backend\\fR \\fIID\\fR]\n.fi\n"
		"writes a project that builds and passes its own test: CMake, Meson and make for C "
		"and C++, "
		"make for the others.\n.SH BUILDING\n.TP\nCMake\nfind_package(etcore REQUIRED), "
		"then "
		"etcore_add_plugin(NAME SOURCE...)\n.TP\npkg\\-config, Meson\nthe package "
		"etcore\\-plugin: "
		"flags of the compiler and the linker; its variable plugindir is where plugins go\n"
		".SH CHECKING\n.nf\n\\fBetcore plugins check\\fR ./NAME.so \\fB\\-\\-level "
		"strict\\fR\n.fi\n"
		"asks every hook with ordinary and hostile events, in processes of their own.\n.SH "
		"FILES\n"
		"Below the prefix of the program:\n.TP\n\\fIlib/etcore/plugins/1\\fR\ninstalled "
		"plugins\n"
		".TP\n\\fIetc/etcore/etcore.d\\fR\na vendor's NAME.ini, which says library = and "
		"options\n"
		".TP\n\\fIinclude/etcore/plugin.h\\fR\nthe contract\n"
		".TP\n\\fIshare/doc/etcore/docs/plugins\\fR\nthe reference: using, configuring, "
		"writing, the contract, checking\n"
		".TP\n\\fIshare/doc/etcore/docs/columns.md\\fR\nnames of columns that backends "
		"share\n"
		".TP\n\\fIshare/doc/etcore/sdk/README.md\\fR\na guide from a callable in Python to "
		"a plugin\n"
		".TP\n\\fIshare/etcore\\fR\nrecord_parity.py and bindings.py\n"
		".SH SEE ALSO\n.BR etcore\\-plugins (1),\n.BR etcore.ini (5)\n");
}
