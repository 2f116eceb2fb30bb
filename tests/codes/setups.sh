# setups.sh -- for each diagnostic a function of its name, run in an empty folder: it puts
# the files there that the example of its page (docs/codes) names. $DATA is tests/data,
# $ROOT the repository, $BUILD the folder of etcore.

# edge NAME...: files of tests/data/edge under the names that people give them.
edge() {
	for name; do
		case $name in
		*.etdump) cp "$DATA/edge/$name" run.etdump ;;
		*.etrecord) cp "$DATA/edge/$name" model.etrecord ;;
		*) cp "$DATA/edge/$name" debug.bin ;;
		esac
	done
}

# cases NAME [FILE...]: files of a case of tests/data/cases, run.etdump if none is named.
cases() {
	name=$1
	shift
	for file in ${*:-run.etdump}; do
		cp "$DATA/cases/$name/$file" .
	done
}

E0201() { :; }
E0202() { cp "$DATA/cases/mlp_xnnpack/run.etdump" whole.etdump; }
W0203() { edge runs_empty.etdump; }
E0204() { edge identifier_ED01.etdump; }
E0205() { edge events_count_huge.etdump; }
E0206() { edge shared_20000x20000.etdump; }
E0207() { edge layout_2023_10.etdump; }
W0208() { edge two_dumps.etdump; }
W0209() { edge prefix_long.etdump; }
W0210() { edge version_1.etdump; }
W0211() { edge utf8_invalid.etdump; }
W0212() { edge name_no_nul.etdump; }
W0213() { edge event_empty.etdump; }
W0214() { edge profile_and_debug.etdump; }
W0215() { edge debug_without_entry.etdump; }
W0216() { edge value_tag_without_member.etdump; }
W0217() { # tests/unit/test_etdump_hostile.c, leaves_out_values_of_2023, builds it
	base64 -d >run.etdump <<-END
	owAAABAAAABFRDAwCAAMAAQACAAIAAAAAAAAAAQAAAABAAAAEAAAAAwAEAAEAAgAAAAMAAwAAAAMAAAA/////woAAAAB
	AAAAcgABAAAADgAAAAoACAAAAAAABAAKAAAADgAAAAoAFAAEAAwAEAAKAAAAAAAAAAAAAAAAAAAADgAAAAoACQAEAAAA
	BQAKAAAAAQoAAAAGAAwABAAGAAAAKgAAAAAAAAA=
	END
}
E0220() { cp "$DATA/logs/wrapped.log" serial.log; }
E0221() { cp "$DATA/logs/runner.log" serial.log; }
W0222() {
	cat "$DATA/logs/wrapped.log" "$DATA/logs/runner.log" >serial.log
	head -c 3000 "$DATA/logs/wrapped.log" >>serial.log
}
N0223() { cp "$DATA/logs/runner.log" serial.log; }
N0224() { cat "$DATA/logs/wrapped.log" "$DATA/logs/runner.log" >serial.log; }
N0225() { N0223; }
N0275() { cases mlp_xnnpack run.etdump model.pte; }
