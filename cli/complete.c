/* complete.c -- shell completion; see manual.h. The options are those of commands/NAME/command.c,
 * which library/describe.c lists. */
#include "cli/command.h"
#include "cli/manual.h"

/* Writes the choices "a|b|c" as words "a b c". */
static void words(struct etc_text *out, const char *choices)
{
	for (; *choices; choices++)
		etc_text_char(out, *choices == '|' ? ' ' : *choices);
}

/* Writes `s` with a backslash before each byte of `special`; each apostrophe is replaced by
 * `quote`. */
static void escaped(struct etc_text *out, const char *s, const char *special, const char *quote)
{
	for (; *s; s++) {
		if (*s == '\'') {
			etc_text_cstr(out, quote);
			continue;
		}
		if (strchr(special, *s))
			etc_text_char(out, '\\');
		etc_text_char(out, *s);
	}
}

/* Writes the subcommands of a command, separated by blanks. They are taken from the command's
 * usage: for "[list | info NAME]", they are list and info; for "FILE…", there are none. Returns
 * true if there are any. */
static bool actions(struct etc_text *out, const struct etc_command *c)
{
	const char *s = c->usage + strspn(c->usage, "[");
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz"), from = out->len;

	while (n) {
		etc_text_printf(out, "%s%.*s", out->len > from ? " " : "", (int)n, s);
		s = strchr(s + n, '|');
		s = s ? s + strspn(s, "| ") : "";
		n = strspn(s, "abcdefghijklmnopqrstuvwxyz");
	}
	return out->len > from;
}

/* Writes the names of the commands, and "help", separated by blanks. */
static void command_names(struct etc_text *out)
{
	struct etc_command c;

	for (unsigned i = 0; etc_command_at(i, &c); i++)
		if (!c.hidden)
			etc_text_printf(out, "%s ", c.name);
	etc_text_cstr(out, "help");
}

/* Does the option take several values separated by commas? */
static bool is_list(const struct etcore_option_info *o)
{
	return o->words && strchr(o->argument, ',');
}

/* ---- bash ------------------------------------------------------------------- */

static void bash_command(struct etc_text *out, const struct etc_command *c)
{
	etc_text_printf(out, "\t%s)\n\t\toptions='-h --help", c->name);
	for (unsigned i = 0; i < c->option_count; i++) {
		const struct etcore_option_info *o = &c->options[i];

		if (o->letter)
			etc_text_printf(out, " -%c", (int)o->letter);
		etc_text_printf(out, " --%s", o->name);
	}
	etc_text_cstr(out, "' actions='");
	actions(out, c);
	etc_text_cstr(out, "'\n\t\tcase $prev in\n");
	for (unsigned i = 0; i < c->option_count; i++) {
		const struct etcore_option_info *o = &c->options[i];

		if (!etc_option_takes_value(o))
			continue;
		etc_text_cstr(out, "\t\t");
		if (o->letter)
			etc_text_printf(out, "-%c|", (int)o->letter);
		etc_text_printf(out, "--%s) ", o->name);
		if (o->choices) {
			etc_text_cstr(out, "wanted=words choices='");
			words(out, o->choices);
			etc_text_cstr(out, "' ;;\n");
		} else if (o->words) {
			etc_text_printf(out, "wanted=%s choices='",
			                is_list(o)                ? "list"
			                : etc_option_is_output(o) ? "output"
			                                          : "words");
			words(out, o->words);
			etc_text_cstr(out, "' ;;\n");
		} else if (o->kind == ETCORE_OPTION_OPTIONAL) {
			etc_text_cstr(out, ";;\n");
		} else {
			etc_text_cstr(out, "wanted=files ;;\n");
		}
	}
	etc_text_cstr(out, "\t\tesac ;;\n");
}

void etc_complete_bash(struct etc_text *out)
{
	struct etc_command command, *c = &command;

	etc_text_cstr(out,
	              "# bash completion of etcore\n"
	              "_etcore()\n{\n"
	              "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	              "\tlocal wanted= choices= options= actions= at=1 command commands='");
	command_names(out);
	etc_text_cstr(out,
	              "'\n"
	              "\tCOMPREPLY=()\n"
	              "\t# bash makes three words of --name=value\n"
	              "\tif [ \"$cur\" = = ]; then\n\t\tcur=\n"
	              "\telif [ \"$prev\" = = ]; then\n"
	              "\t\tprev=${COMP_WORDS[COMP_CWORD-2]}\n\tfi\n"
	              "\t# --color before the command\n"
	              "\twhile [ $at -lt $COMP_CWORD ]; do\n"
	              "\t\tcase ${COMP_WORDS[at]} in\n"
	              "\t\t--color|--no-color|=|auto|always|never) at=$((at+1)) ;;\n"
	              "\t\t*) break ;;\n\t\tesac\n\tdone\n"
	              "\tcommand=${COMP_WORDS[at]}\n"
	              "\t# a file instead of a command: as for analyze\n"
	              "\tcase \" $commands \" in *\" $command \"*) ;; *) command=analyze ;; esac\n"
	              "\tif [ \"$prev\" = --color ]; then\n"
	              "\t\twanted=words choices='auto always never'\n"
	              "\telif [ $at -eq $COMP_CWORD ]; then\n"
	              "\t\twanted=output choices=\"$commands\"\n"
	              "\t\toptions='--help --version --color --no-color'\n"
	              "\t\t[[ $cur != -* ]] || wanted=\n"
	              "\telse case $command in\n"
	              "\thelp)\n\t\tactions=$commands ;;\n");
	for (unsigned i = 0; etc_command_at(i, c); i++)
		if (!c->hidden)
			bash_command(out, c);
	etc_text_cstr(out, "\tesac\n\tfi\n"
	                   "\tif [ -z \"$wanted\" ] && [[ $cur != -* ]] && "
	                   "[ $COMP_CWORD -eq $((at+1)) ]; then\n"
	                   "\t\twanted=output choices=$actions\n\tfi\n"
	                   "\tif [ \"$wanted\" = output ]; then\n"
	                   "\t\tmapfile -t COMPREPLY < <(compgen -W \"$choices\" -- \"$cur\")\n"
	                   "\t\t[ ${#COMPREPLY[@]} -eq 0 ] || return\n\tfi\n"
	                   "\tif [ \"$wanted\" = words ]; then\n"
	                   "\t\tmapfile -t COMPREPLY < <(compgen -W \"$choices\" -- \"$cur\")\n"
	                   "\telif [ \"$wanted\" = list ]; then\n"
	                   "\t\tlocal before=\n"
	                   "\t\tcase $cur in *,*) before=${cur%,*}, ;; esac\n"
	                   "\t\tcompopt -o nospace 2>/dev/null\n"
	                   "\t\tmapfile -t COMPREPLY < <(compgen -P \"$before\" "
	                   "-W \"$choices\" -- \"${cur##*,}\")\n"
	                   "\telif [ -z \"$wanted\" ] && [[ $cur == -* ]]; then\n"
	                   "\t\tmapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")\n"
	                   "\telse\n"
	                   "\t\tcompopt -o filenames 2>/dev/null\n"
	                   "\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
	                   "\tfi\n}\ncomplete -F _etcore etcore\n");
}

/* ---- zsh -------------------------------------------------------------------- */

static void zsh_option(struct etc_text *out, const struct etcore_option_info *o)
{
	bool value = etc_option_takes_value(o), optional = o->kind == ETCORE_OPTION_OPTIONAL,
	     many = o->kind == ETCORE_OPTION_LIST || o->kind == ETCORE_OPTION_COUNT;

	etc_text_cstr(out, " \\\n\t\t\t");
	if (o->letter && !many)
		etc_text_printf(out, "'(-%c --%s)'", (int)o->letter, o->name);
	else if (many)
		etc_text_cstr(out, "'*'");
	if (o->letter)
		etc_text_printf(out, "{-%c%s,--%s%s}'[", (int)o->letter, value ? "+" : "", o->name,
		                value ? "=" : "");
	else
		etc_text_printf(out, "'--%s%s[", o->name, optional ? "=-" : value ? "=" : "");
	escaped(out, o->help, "[]\\", "'\\''");
	etc_text_char(out, ']');
	if (value) {
		etc_text_cstr(out, optional ? "::" : ":");
		escaped(out, o->argument, ":\\", "'\\''");
		etc_text_char(out, ':');
		if (o->choices) {
			etc_text_char(out, '(');
			words(out, o->choices);
			etc_text_char(out, ')');
		} else if (is_list(o)) {
			/* because of the leading blank, zsh adds no arguments to this command */
			etc_text_cstr(out, " _values -s , column ");
			words(out, o->words);
		} else if (etc_option_is_output(o)) {
			etc_text_cstr(out, "{compadd ");
			words(out, o->words);
			etc_text_cstr(out, "; _files}");
		} else if (o->words) {
			etc_text_char(out, '(');
			words(out, o->words);
			etc_text_char(out, ')');
		} else if (!optional) {
			etc_text_cstr(out, "_files");
		}
	}
	etc_text_char(out, '\'');
}

void etc_complete_zsh(struct etc_text *out)
{
	struct etc_command command, *c = &command;

	etc_text_cstr(out, "#compdef etcore\n"
	                   "_etcore() {\n\tlocal -a commands\n\tlocal command\n"
	                   "\tcommands=(\n\t\t'help:the help of a command'\n");
	for (unsigned i = 0; etc_command_at(i, c); i++)
		if (!c->hidden) {
			etc_text_printf(out, "\t\t'%s:", c->name);
			escaped(out, c->summary, ":\\", "'\\''");
			etc_text_cstr(out, "'\n");
		}
	etc_text_cstr(out, "\t)\n"
	                   "\t# --color before the command\n"
	                   "\twhile (( CURRENT > 2 )) && [[ $words[2] == (--color*|--no-color|auto|"
	                   "always|never) ]]; do\n"
	                   "\t\tif [[ $words[2] == --color ]] && (( CURRENT == 3 )); then\n"
	                   "\t\t\tcompadd auto always never\n\t\t\treturn\n\t\tfi\n"
	                   "\t\twords[2]=()\n\t\t(( CURRENT-- ))\n\tdone\n"
	                   "\tif (( CURRENT == 2 )); then\n"
	                   "\t\t_describe command commands || _files\n\t\treturn\n\tfi\n"
	                   "\tcommand=$words[2]\n"
	                   "\tif (( ${commands[(I)$command:*]} )); then\n"
	                   "\t\tshift words\n\t\t(( CURRENT-- ))\n"
	                   "\telse # a file instead of a command: as for analyze\n"
	                   "\t\tcommand=analyze\n\tfi\n"
	                   "\tcase $command in\n"
	                   "\thelp)\n\t\t_describe command commands ;;\n");
	for (unsigned i = 0; etc_command_at(i, c); i++) {
		struct etc_text list = { 0 };

		if (c->hidden)
			continue;
		etc_text_printf(out, "\t%s)\n\t\t_arguments -s '(- *)'{-h,--help}'[a short help]'",
		                c->name);
		for (unsigned k = 0; k < c->option_count; k++)
			zsh_option(out, &c->options[k]);
		if (actions(&list, c))
			etc_text_printf(out,
			                " \\\n\t\t\t'1:what:{compadd " ETC_STR_FMT " || _files}'",
			                ETC_STR_ARG(etc_text_str(&list)));
		etc_text_release(&list);
		etc_text_cstr(out, " \\\n\t\t\t'*:file:_files' ;;\n");
	}
	etc_text_cstr(out, "\tesac\n}\n_etcore \"$@\"\n");
}

/* ---- fish ------------------------------------------------------------------- */

static void fish_option(struct etc_text *out, const char *command,
                        const struct etcore_option_info *o)
{
	etc_text_printf(out, "complete -c etcore -n '__etcore_command %s'", command);
	if (o->letter)
		etc_text_printf(out, " -s %c", (int)o->letter);
	etc_text_printf(out, " -l %s", o->name);
	if (o->choices) {
		etc_text_cstr(out, " -x -a '");
		words(out, o->choices);
		etc_text_char(out, '\'');
	} else if (o->words) {
		etc_text_printf(out, " %s -a '%s", etc_option_is_output(o) ? "-r -F" : "-x",
		                is_list(o) ? "(__fish_append , " : "");
		words(out, o->words);
		etc_text_cstr(out, is_list(o) ? ")'" : "'");
	} else if (etc_option_takes_value(o) && o->kind != ETCORE_OPTION_OPTIONAL) {
		etc_text_cstr(out, " -r -F");
	}
	etc_text_cstr(out, " -d '");
	escaped(out, o->help, "\\", "\\'");
	etc_text_cstr(out, "'\n");
}

void etc_complete_fish(struct etc_text *out)
{
	struct etc_command command, *c = &command;

	etc_text_cstr(
		out,
		"# fish completion of etcore\n"
		"# Is it a line of this command? A file instead of a command is analyze's; none: "
		"before the command.\n"
		"function __etcore_command\n"
		"\tset -l words (commandline -opc)[2..]\n"
		"\twhile string match -qr -- '^(--color|--no-color|auto$|always$|never$)' "
		"$words[1]\n\t\tset -e words[1]\n\tend\n"
		"\tif not set -q words[1]\n\t\ttest $argv[1] = none\n\t\treturn\n\tend\n"
		"\tcontains -- $words[1] ");
	command_names(out);
	etc_text_cstr(out,
	              "; or set words[1] analyze\n"
	              "\ttest $words[1] = $argv[1]; and test (count $argv) -eq 1 -o (count "
	              "$words) -eq 1\nend\n"
	              "complete -c etcore -s h -l help -d 'a short help'\n"
	              "complete -c etcore -n '__etcore_command none' -l version -d version\n"
	              "complete -c etcore -n '__etcore_command none' -l no-color -d 'no colours'\n"
	              "complete -c etcore -n '__etcore_command none' -l color -x -a 'auto always "
	              "never' -d colours\n"
	              "complete -c etcore -n '__etcore_command none' -a help -d 'the help of a "
	              "command'\n"
	              "complete -c etcore -n '__etcore_command help first' -f -a '");
	command_names(out);
	etc_text_cstr(out, "'\n");
	for (unsigned i = 0; etc_command_at(i, c); i++) {
		struct etc_text list = { 0 };

		if (c->hidden)
			continue;
		etc_text_printf(out, "complete -c etcore -n '__etcore_command none' -a %s -d '",
		                c->name);
		escaped(out, c->summary, "\\", "\\'");
		etc_text_cstr(out, "'\n");
		if (actions(&list, c))
			etc_text_printf(
				out,
				"complete -c etcore -n '__etcore_command %s first' -a '" ETC_STR_FMT
				"'\n",
				c->name, ETC_STR_ARG(etc_text_str(&list)));
		etc_text_release(&list);
		for (unsigned k = 0; k < c->option_count; k++)
			fish_option(out, c->name, &c->options[k]);
	}
}
