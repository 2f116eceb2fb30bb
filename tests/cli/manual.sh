#!/bin/bash
# manual.sh ETCORE man|bash|zsh|fish -- tests the output of `etcore help`: groff must have no
# complaint about the manual pages, and they must name every option; each shell must read
# its completion, and bash, which can be driven by a script, must complete with it. Status 77: the tool
# is not installed.
set -u
etcore=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0

fail() {
	echo "$*" >&2
	bad=1
}

have() {
	command -v "$1" >/dev/null || { echo "skipped: $1 is not installed"; exit 77; }
}

check_man() {
	have groff
	for page in $("$etcore" help --as pages); do
		"$etcore" help --as man "$page" >"$scratch/$page" || fail "$page is not written"
		[ -z "$(LC_ALL=C tr -d '\n\t -~' <"$scratch/$page")" ] || fail "$page is not ASCII"
		groff -man -Tutf8 -ww "$scratch/$page" 2>"$scratch/log" |
			sed 's/\x1b\[[0-9;]*m//g; s/.\x08//g' >"$scratch/text"
		[ -s "$scratch/log" ] && fail "$page: $(cat "$scratch/log")"
		[ -s "$scratch/text" ] || fail "$page has no text"
		command=${page#etcore-}
		command=${command%.1}
		[ "etcore-$command.1" = "$page" ] || continue
		for option in $("$etcore" "$command" --help | grep -oE '^  .. .--[a-z0-9_-]+' | grep -oE -- '--.*'); do
			grep -qE "^ .*$option( |\$)" "$scratch/text" ||
				fail "$page does not have $option"
		done
	done
	# Every key is in its manual page, except keys that plugins declare.
	for key in library enabled $(awk '/^;?\[/ { own = /plugin/ } /^;[a-z_]+ =/ && !own { print substr($1, 2) }' conf/etcore.ini); do
		grep -q "^.fB$key.fR = " "$scratch/etcore.ini.5" || fail "etcore.ini.5 does not have $key"
	done
	"$etcore" help --as man etcore-nothing.1 2>/dev/null && fail "a page of no command was written"
}

# completes EXPECTED WORD...: completes the last word.
completes() {
	local expected=$1 got
	shift
	got=$(cd "$scratch" && bash -c 'source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _etcore
		printf "%s\n" "${COMPREPLY[@]}"' - "$@" 2>&1 | LC_ALL=C sort | tr '\n' ' ')
	got=${got% }
	[ "$got" = "$expected" ] || fail "$*: '$got', expected '$expected'"
}

check_bash() {
	have bash
	"$etcore" help --as bash >"$scratch/bash"
	touch "$scratch/run one.etdump" "$scratch/run.etdump"
	completes "analyze" etcore an
	completes "analyze baseline batch check config diff doctor dump explain farm help inspector memory numeric overhead peaks pipeline plugins report summary tokens trace what-if" etcore ""
	completes "--no-color" etcore --n
	completes "--help" etcore --h
	# A file instead of a command, and options before the command.
	completes "run one.etdump run.etdump" etcore run
	completes "--by" etcore run.etdump --by
	completes "help" etcore he
	completes "analyze" etcore help an
	completes "analyze" etcore --no-color an
	completes "always" etcore --color = al
	completes "kernel" etcore --color = never analyze --by k
	# Words that follow a command.
	completes "info" etcore plugins in
	completes "values" etcore numeric va
	completes "compare new report run validate" etcore pipeline ""
	completes "trend" etcore farm tr
	completes "merge" etcore baseline me
	completes "run one.etdump run.etdump" etcore doctor run
	completes "--by" etcore analyze --by
	completes "--etdump_path" etcore inspector --etd
	completes "kernel" etcore analyze --by k
	completes "kernel" etcore analyze --by = k
	completes "csv json table tsv" etcore inspector -o ""
	completes "json text" etcore config --output =
	# -o also takes a path: files are offered if no format begins with the text.
	completes "json" etcore analyze -o js
	completes "run one.etdump run.etdump" etcore analyze -o run
	# Columns: etcore's own and agreed names; in a list the last item is completed.
	completes "self_max_ns self_ns self_raw self_spread" etcore analyze --columns self
	completes "name,shader name,shapes name,share" etcore analyze --columns name,sha
	completes "a,b,name" etcore analyze --columns = a,b,nam
	completes "dispatch" etcore analyze --sort disp
	completes "run one.etdump run.etdump" etcore analyze run
	completes "run one.etdump run.etdump" etcore analyze --etrecord run
	completes "" etcore explain --by k
}

check_zsh() {
	have zsh
	"$etcore" help --as zsh >"$scratch/_etcore"
	zsh -n "$scratch/_etcore" || fail "zsh does not read _etcore"
	grep -q "'--by=\[what a row stands for (default: op)\]:WHAT:(op kernel " "$scratch/_etcore" || fail "no choices of --by"
	grep -q "'--columns=.*:NAME,…: _values -s , column .*key name .* shader " "$scratch/_etcore" || fail "no columns"
}

# fish_offers LINE WORDS: fish completes the end of LINE with these words
fish_offers() {
	HOME=$scratch XDG_CONFIG_HOME=$scratch XDG_DATA_HOME=$scratch fish -N -c "source $scratch/etcore.fish; complete -C '$1'" >"$scratch/got"
	[ "$(cut -f1 "$scratch/got" | tr '\n' ' ')" = "$2" ] || fail "fish: $1: $(cat "$scratch/got")"
}

check_fish() {
	have fish
	"$etcore" help --as fish >"$scratch/etcore.fish"
	HOME=$scratch fish --no-execute "$scratch/etcore.fish" || fail "fish does not read etcore.fish"
	fish_offers 'etcore analyze --by k' 'kernel '
	fish_offers 'etcore analyze --columns name,sha' 'name,shader name,shapes name,share '
	fish_offers 'etcore --color al' 'always '
	fish_offers 'etcore --color always ana' 'analyze '
	fish_offers 'etcore --no-co' '--no-color '
}

"check_$2"
exit $bad
