# setups.sh -- has a function for each diagnostic, named like its code. It runs in an empty folder and creates
# the files that the example of the diagnostic's page (docs/codes) uses. $DATA is tests/data,
# $ROOT the repository, $BUILD the folder of etcore.

# edge NAME...: copies files of tests/data/edge under their usual names.
edge() {
	for name; do
		case $name in
		*.etdump) cp "$DATA/edge/$name" run.etdump ;;
		*.etrecord) cp "$DATA/edge/$name" model.etrecord ;;
		*) cp "$DATA/edge/$name" debug.bin ;;
		esac
	done
}

# cases NAME [FILE...]: copies files of a case of tests/data/cases, by default run.etdump.
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
W0217() { # tests/unit/core/formats/etdump/test_etdump_hostile.c, leaves_out_values_of_2023, builds it
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
W0226() { head -c 5299 "$DATA/cases/mlp_xnnpack/run.etdump" >cut.etdump; }
N0227() { W0226; }
N0223() { cp "$DATA/logs/runner.log" serial.log; }
N0224() { cat "$DATA/logs/wrapped.log" "$DATA/logs/runner.log" >serial.log; }
N0225() { N0223; }
N0275() { cases mlp_xnnpack run.etdump model.pte; }

# made NAME ARGUMENTS...: makes NAME.etdump with runs of these times (tests/tools/make_dump.py).
made() {
	name=$1
	shift
	python3 "$ROOT/tests/tools/make_dump.py" "$name.etdump" "$@"
}

# pair BEFORE AFTER: copies two runs of tests/data for comparison.
pair() {
	cp "$DATA/$1" before.etdump
	cp "$DATA/$2" after.etdump
}

N0670() { made run --noise 3:90000000:1000 --events 3000; }
N0120() { cases mlp_xnnpack; }
N0121() { cp "$DATA/logs/wrapped.log" serial.log; }
N0122() { cases multi_method; }
N0123() { cases multi_method; }
N0124() { cases linear_int8_pt2e; }
N0125() { cases no_runs; }
N0126() { edge names_special.etdump; }
N0127() {
	cp "$DATA/pte/equal_methods.etdump" run.etdump
	cp "$DATA/pte/equal_methods.etrecord" model.etrecord
}
N0128() { cp "$ROOT/tests/cli/cases/analyze-repeated-instruction/run.etdump" .; }
N0129() { edge alloc_events.etdump; }
N0130() { cases mlp_xnnpack; }
N0131() { cp "$DATA/arm/attn_i8d/sme/run.etdump" a.etdump && cp "$DATA/arm/attn_i8d/sme2/run.etdump" b.etdump; }
N0132() {
	cp "$DATA/cases/mlp_xnnpack/run.etdump" a.etdump
	cp "$DATA/cases/conv_net_xnnpack/run.etdump" b.etdump
}
N0133() {
	cp "$DATA/pte/loads_first.etdump" run.etdump
	cp "$DATA/cases/multi_method/model.etrecord" .
}
N0150() { made before 1000000 && made after 1000000 1100000; }
N0134() { made run --noise 20:100000:9000; }
N0135() {
	made run --noise 20:100000:100
	"$BUILD/etcore" baseline save run.etdump -o - | sed 's/"typical": *"[^"]*", *//' >old.baseline
}
N0151() {
	made before --noise 40:108000:100
	made after --noise 40:100000:100 --step 400
}
N0152() { N0151; }
N0153() { speeds monday 0 && speeds tuesday 1; }
N0154() { pair arm/attn_f32/nosme/run.etdump arm/attn_f32/sme2/run.etdump; }
N0155() { pair arm/attn_i8d/nosme/run.etdump arm/attn_i8d/sme2/run.etdump; }
N0156() {
	mkdir before after
	cp "$DATA/cases/mlp_portable/"*.et* before
	cp "$DATA/cases/mlp_xnnpack/"*.et* after
}
N0157() { pair cases/mlp_portable/run.etdump cases/mlp_xnnpack/run.etdump; }
N0158() { made before --noise 30:100000:500 && made after --noise 30:103000:500 --events 20; }
W0159() { pair cases/mlp_portable/run.etdump arm/linear_f32_m1/nosme/run.etdump; }
W0160() {
	cp "$DATA/cases/mlp_xnnpack/run.etdump" host.etdump
	cp "$DATA/logs/runner.log" board.log
}
N0161() { made before --noise 8:100000:300 && made after --noise 8:120000:300 --seed 2; }
N0162() { made without --noise 30:100000:500 && made with --noise 30:103000:500 --events 20; }
N0163() { N0155; }
N0164() {
	mkdir a b
	for group in a:cnn_f32 b:cnn_f16; do
		net="$DATA/arm/${group#*:}"
		cp "$net/sme2/run.etdump" "$net/model.etrecord" "${group%:*}"
		cp "$net/model.pte" "${group%:*}" || cp "$DATA/pte/cnn_f16.pte" "${group%:*}/model.pte"
	done
}
N0165() {
	for i in 1 2 3; do made a$i --noise 12:100000:300 --seed $i --events 4; done
	made b --noise 12:104000:300 --seed 9 --events 4
}
N0166() {
	made a1 --noise 12:100000:300 --events 4
	made a2 --noise 12:100000:300 --events 5 --seed 2
	made b --noise 12:104000:300 --events 4 --seed 3
}
N0167() { made before 5 5 5 5 5 5 5 5 && made after --noise 8:100000:300; }
W0168() {
	cp "$DATA/cases/no_runs/run.etdump" empty.etdump
	cases mlp_xnnpack
}
N0169() {
	mkdir a b
	cp "$DATA/arm/linear_dynw_f32/sme2/run.etdump" a
	cp "$DATA/arm/linear_dynw_f32/sme/run.etdump" b
}
N0170() { pair backends/cases/qnn_htp_detailed/run.etdump plugins/qnn_without_units.etdump; }

# checked BEFORE RUN: makes the two files of `etcore check`; each argument is "--noise ..." or a list of times.
checked() {
	made before $1
	made run $2
}
W0171() { checked 1000000 1000001; }
W0172() { checked "--noise 12:100000:30000" "--noise 12:100000:30000 --seed 7"; }
W0173() { checked "5 5 5 5 5 5 5 5" "0 0 0 0 0 0 0 0" && mv run.etdump zero.etdump; }
W0174() {
	for i in 1 2 3; do made before$i --noise 12:100000:300 --seed $i; done
	made run --noise 12:100000:300 --seed 4
	printf '[rule conv]\nop = Convolution (NHWC, F32) IGEMM\n' >rules.ini
}
E0175() { checked "--noise 12:100000:300" "--noise 12:150000:300 --seed 2"; }
E0176() { made other --noise 6:100000:300; }
E0177() { made run --noise 6:100000:300; }
E0178() {
	made run --noise 6:100000:300
	etcore baseline save run.etdump -o run.baseline
	sed 's,baseline/1,baseline/2,' run.baseline >newer.baseline
}
W0179() {
	made run --noise 6:100000:300 && made after --noise 12:100000:300
	etcore baseline save run.etdump -o run.baseline
}
N0141() { cases linear_fp32; mv run.etdump a.etdump; cp a.etdump copy.etdump; }
N0140() { for n in a:1 b:2 c:3; do made "${n%:*}" --noise 12:100000:300 --seed "${n#*:}"; done; }
N0180() {
	made a --noise 12:100000:300 && made b --noise 12:100000:300 --seed 2
	etcore baseline save a.etdump -o a.baseline
}
E0181() { E0177 && printf '[rule a]\nmax_regresion = 5%%\n' >rules.ini && cp run.etdump before.etdump; }
E0182() { E0177 && printf '[rules]\n' >rules.ini && cp run.etdump before.etdump; }
E0183() { E0177 && printf '[rule a]\nmetric = p50\n' >rules.ini && cp run.etdump before.etdump; }
E0190() { W0172; }
W0191() { checked "--noise 12:100000:300" "--noise 12:112000:300 --seed 2"; }
# ramp NAME FROM STEP: makes 30 runs, each STEP longer than the one before, with some noise.
ramp() {
	i=0 times=
	while [ $i -lt 31 ]; do
		times="$times $(($2 + $3 * i + i * 7919 % 13 * 800))"
		i=$((i + 1))
	done
	made $1 $times
}
W0192() { made before --noise 31:100000:300 && ramp run 95500 240; }
N0193() {
	made before --noise 61:100000:500
	made after $(python3 -c 'for i in range(61): print((100000 + i * 7919 % 13 * 100) * (4 if i % 5 == 3 else 1))')
}
N0194() { for i in 1 2 3; do made a$i --noise 12:100000:300 --seed $i && made b$i --noise 12:108000:300 --seed 1$i; done; }
N0195() { N0194; }
# speeds NAME REST: 31 runs at two speeds 20 % apart; run i is slow if i % 4 / 3 is REST.
speeds() { made $1 $(python3 -c "for i in range(31): print((100000 + i * 7919 % 13 * 100) * (12 if i % 4 // 3 == $2 else 10) // 10)"); }
N0197() { speeds before 1 && speeds after 0; }
N0198() {
	for side in before:rows1 after:rows1024; do
		cp "$DATA/work/two_sizes/${side#*:}.etdump" "${side%:*}.etdump"
		cp "$DATA/work/two_sizes/model.pte" "${side%:*}.pte"
	done
}
N0196() { made before --noise 31:100000:300 && ramp after 95500 240; }

N0301() { cases mlp_xnnpack; }
N0302() { cases mlp_xnnpack; }
N0303() { cp "$DATA/backends/cases/coreml_basic/run.etdump" .; }
N0304() { cases conv_net_xnnpack; }
N0305() { cp "$DATA/backends/cases/demo_int_ids/"*.et* .; }
W0306() { edge wrap_32.etdump; }

# record NAME: copies tests/data/edge/record_NAME.etrecord next to its dump.
record() { edge "record_$1.etrecord" record.etdump; }

# make KIND FILE...: makes files with tests/codes/make.py.
make() { python3 "$ROOT/tests/codes/make.py" "$@"; }

E0401() { cases mlp_xnnpack run.etdump model.pte; }
E0402() { record v1; }
E0403() { record cut_end; }
E0404() { record crc_wrong; }
E0405() { record encrypted; }
E0406() { record map_cut; }
E0407() { make bomb model.etrecord 20; }
E0408() { record map_deep_100k; }
W0410() { record duplicate_last; }
W0411() { record map_duplicate_keys; }
W0412() { record map_float; }
W0413() { record no_debug_handle_map; }
W0414() { record no_instruction_id_to_num_outs_map; }
W0416() { record program_garbage; }
W0417() { record reference_garbage; }
W0418() { record no_state_dict; }
W0419() { record no_edge_program; }
N0420() {
	cases mlp_xnnpack run.etdump model.etrecord
	cp model.etrecord older.etrecord
}
N0421() { cases mlp_xnnpack run.etdump model.etrecord; }
W0422() { record crc_wrong; }
N0423() { cases mlp_xnnpack; }
W0424() {
	cases mlp_xnnpack
	cp "$DATA/cases/conv_net_xnnpack/model.etrecord" .
}
W0425() { record map_other_method; }
W0426() { record traversal; }
W0427() { record reference_garbage; }
N0428() { make edit "$DATA/cases/mlp_xnnpack/model.etrecord" model.etrecord exported_program '"metadata":' '"novelty": 1, "metadata":'; }
E0430() { N0421; }
E0431() { sed 's/ET12/ET13/' "$DATA/pte/debug_sizes.pte" >model.pte; }
E0432() { cp "$DATA/pte/multi_method.pte" whole.pte; }
E0433() { { printf '\377\377\377\177' && tail -c +5 "$DATA/pte/debug_sizes.pte"; } >model.pte; }
E0434() { make shared_program model.pte; }
W0435() { cases multi_method && cp "$DATA/cases/mlp_xnnpack/model.pte" .; }
N0436() {
	cases multi_method run.etdump model.etrecord
	sed 's/XnnpackBackend/XnnpuckBackend/g' "$DATA/pte/multi_method.pte" >model.pte
}
W0437() { make edit "$DATA/edge/record_good.etrecord" model.etrecord export_graph_id 2 two; }
N0438() { cases mlp_xnnpack run.etdump model.etrecord; }
N0450() { cases mlp_xnnpack; }
N0451() { cases conv_net_xnnpack run.etdump model.etrecord; }

# ini TEXT: writes TEXT, with printf's escapes, to etcore.ini.
ini() { printf "$1" >etcore.ini; }

W0460() { cp "$DATA/numeric/fed/x_another/"* "$DATA/numeric/fed/references.safetensors" .; }
E0501() { cases mlp_xnnpack; }
E0502() { cases mlp_xnnpack; }
E0503() { cases mlp_xnnpack; }
E0504() { cases mlp_xnnpack; }
E0505() { cases mlp_xnnpack; }
E0506() { cases mlp_xnnpack; }
E0507() { cases mlp_xnnpack; }
E0531() { head -c 20000000 /dev/zero | gzip -9n >bomb.etdump.gz; }
E0532() { cases mlp_xnnpack && gzip -n run.etdump && truncate -s 600 run.etdump.gz; }
E0533() { mkdir results; }
N0530() { cases mlp_xnnpack; }
E0508() { cases mlp_xnnpack run.etdump model.etrecord; }
E0509() { printf '\1\2\3\200\201' >debug.bin; }
E0510() { ini '[etcore]\nwhat is this\n'; }
E0511() { { printf '[etcore]\nplugin_path = ' && head -c 300 /dev/zero | tr '\0' x; } >etcore.ini; }
E0512() { ini '[etcore]\ncolour = never\n'; }
E0513() { ini '[etcor]\n'; }
E0514() { ini '[etcore]\ncolor = never\ncolor = always\n'; }
E0515() { ini '[etcore]\nsource_time_scale = minutes\n'; }
E0516() { ini '[plugin.xnnpak]\nanything = 1\n'; }
E0517() { ini '[etcore]\ncolor = \377\n'; }
E0518() { :; }
E0519() { ini '[etcore]\ncolor = never\n warmup = 2\n'; }
E0520() { :; }
E0521() { cases multi_method model.etrecord; }
E0525() { ini '[backend.AcmeBackend]\ncolumn.cost = estimatedCost : f64\n'; }
E0550() { E0177 && cp run.etdump before.etdump; }
E0551() { cases mlp_xnnpack; }
E0552() { cases mlp_xnnpack; }
E0526() { ini '[backend.AcmeBackend]\ncolumn.op = name ~ "(x" : str\n'; }
E0527() { ini '[backend.AcmeBackend]\ncolumn.op = name : string\n'; }
N0996() {
	cp "$DATA/backends/cases/coreml_basic/"*.et* .
	ini '[backend.CoreMLBackend]\ncolumn.samples = name : str\n'
}
N0997() {
	cp "$DATA/backends/cases/coreml_basic/"*.et* .
	ini '[backend.CoreMLBackend]\ncolumn.big = name ~ "()" : "9000000000000000000" : i64 : sum\n'
}
E0528() {
	cp "$DATA/backends/cases/coreml_basic/"*.et* .
	ini '[backend.CoreMLBackend]\ncolumn.coreml_operator = name : str\n'
}
E0529() {
	E0528
	ini '[backend.CoreMLBackend]\nowner = coreml\ntime = value\n'
}

# plugin NAME AS: copies a test plugin as AS, with a dump for it.
plugin() {
	cp "$BUILD/tests/plugins/$1.so" "$2"
	cases conv_net_xnnpack
}

# folder NAME...: copies test plugins to the folder plugins, with a dump.
folder() {
	mkdir plugins
	for name; do cp "$BUILD/tests/plugins/$name.so" plugins; done
	cases mlp_xnnpack
}

E0601() { cases mlp_xnnpack; }
E0602() { :; }
E0603() { plugin host/no_symbol acme.so; }
E0604() { plugin host/wrong_abi acme.so; }
E0605() { plugin host/rival rival.so && plugin host/rival2 rival2.so; }
E0606() { plugin host/undefined acme.so; }
E0607() { plugin host/too_small acme.so; }
E0608() { plugin host/adds a.so && cp a.so b.so; }
E0609() { plugin host/crashes crashes.so; }
W0610() { plugin host/fails fails.so; }
W0611() { plugin host/fails fails.so; }
W0612() { folder host/wrong_abi; }
W0613() { cp "$DATA/arm/cnn_f16/sme2/run.etdump" .; }
N0614() { cp "$DATA/backends/cases/ethosu_cycles/run.etdump" .; }
W0615() { W0613; }
E0616() {
	mkdir plugins
	for i in $(seq 10 80); do cp "$BUILD/tests/plugins/host/adds.so" plugins/$i.so; done
}
N0617() { cases mlp_xnnpack && mkdir plugins && cp "$BUILD/plugins/xnnpack.so" plugins; }
W0618() { :; }
W0619() { folder host/adds && chmod o+w plugins; }
W0620() { folder host/adds && chmod o+w plugins/adds.so; }
W0621() { plugin host/adds adds.so && chmod o+w adds.so; }
N0622() {
	plugin host/timed/timed timed.so && python3 "$ROOT/tests/tools/make_calls.py" run.etdump <<-'END'
	0 500 900 [conv unit=ns sync=500/70]
	0 100 600 DELEGATE_CALL
	- 0 1000 Method::execute
	END
}
W0626() {
	plugin host/timed/expands expands.so && python3 "$ROOT/tests/tools/make_calls.py" run.etdump <<-END
	0 100 900 [graph unit=ns clock=host]=$(printf 'conv 300\nrelu 20 in=2' | od -An -v -tx1 | tr -d ' \n')
	0 100 1000 DELEGATE_CALL
	- 0 1100 Method::execute
	END
}
W0627() {
	table=$(printf 'conv 100 sum=7\nodd 20' | od -An -v -tx1 | tr -d ' \n')
	plugin host/timed/expands expands.so && python3 "$ROOT/tests/tools/make_calls.py" run.etdump <<-END
	0 100 900 [graph unit=ns clock=host]=$table
	0 100 1000 DELEGATE_CALL
	- 0 1100 Method::execute

	0 2100 2900 [graph unit=ns clock=host]=$table
	0 2100 3000 DELEGATE_CALL
	- 2000 3100 Method::execute
	END
}
N0625() { cases mlp_xnnpack; }
N0644() { cases mlp_xnnpack; }
N0645() {
	cp "$DATA/plugins/dsp_packed.etdump" run.etdump
	ini '[backend.DspBackend]\nprobe = u16le@2 ~ "^[12]$"\ncolumn.tag = u64be@8\n'
}
W0648() { cases mlp_xnnpack; }
W0647() {
	plugin host/timed/timed timed.so && python3 "$ROOT/tests/tools/make_calls.py" run.etdump <<-'END'
	0 0 4611686018427387904 [conv unit=cycles ns=1000]
	0 100 600 DELEGATE_CALL
	- 0 1000 Method::execute
	END
}
E0630() { plugin host/wrong_abi acme.so; }
E0631() { :; }
E0632() { :; }
E0633() { cp "$BUILD/plugins/xnnpack.so" acme.so && cases mlp_portable; }
E0634() { cp "$BUILD/plugins/coreml.so" acme.so && echo '{"format": "other"}' >parity.json; }
E0635() { :; }
W0636() {
	cp "$DATA/backends/cases/qnn_htp_detailed/run.etdump" .
	cp "$DATA/backends/cases/coreml_basic/model.etrecord" .
}
W0640() { plugin host/crashes crashes.so; }

# values NAME: copies a dump of tests/data/values with its debug buffer.
values() {
	cp "$DATA/values/$1.etdump" run.etdump
	cp "$DATA/values/$1.bin" debug.bin
}

# debugged NAME: copies a dump of tests/data/edge with its debug buffer.
debugged() { edge "$1.etdump" && cp "$DATA/edge/${2:-$1}.dbg" debug.bin; }

E0701() { values overlap; }
E0702() { values overlap; }
E0703() { values overlap; }
E0704() { values overlap; }
W0705() { debugged tensor_beyond; }
W0706() { debugged tensor_type_hole; }
W0707() { debugged tensor_size_negative; }
E0708() { cases mlp_portable; }
W0709() { cases mlp_portable && head -c 4096 /dev/zero >debug.bin; }
W0710() { debugged outputs_differ; }
W0711() { cases nan_output run.etdump debug.bin; }

E0801() { edge alloc_events.etdump; }
E0802() { edge debug_without_entry.etdump; }
E0803() { edge not_prefixed.etdump; }
E0804() { edge scalar_inf.etdump; }
E0805() { edge wrap_64.etdump; }
E0806() { cases mlp_xnnpack; }
E0807() { debugged outputs_differ; }
E0808() { debugged debug_differ; }
E0809() { edge runs_empty.etdump; }
E0810() { record map_other_method; }
E0811() { cases multi_method_forward run.etdump model.etrecord; }
E0812() { record map_null; }
E0813() { record unknown_entry; }
E0814() { edge record.etdump && cp "$DATA/old/0.7.0/mlp_xnnpack/model.etrecord" .; }
E0895() {
	edge record.etdump
	make edit "$DATA/edge/record_good.etrecord" model.etrecord edge_dialect_exported_program/forward \
		'"nn_module_stack": "L__self__,,model.Tiny"' '"nn_module_stack": "L__self__,a;b,model.Tiny"'
}
E0897() {
	cp "$DATA/backends/cases/coreml_partial/run.etdump" .
	make edit "$DATA/backends/cases/coreml_partial/model.etrecord" model.etrecord delegate_map \
		'"name": "CoreMLBackend"' '"name": {"id": "CoreMLBackend"}'
}
E0896() { edge record.etdump record_good.etrecord; }
N0557() { cases mlp_xnnpack run.etdump; }
E0556() { mkdir runs; cp "$DATA/cases/mlp_xnnpack/run.etdump" runs/a.etdump; cp runs/a.etdump runs/b.etdump; }
W0558() {
	python3 "$ROOT/tests/tools/make_calls.py" run.etdump <<-END
	0 11000 30000 [graph:0]
	0 11000 20000 [op:1]
	0 10000 70000 DELEGATE_CALL
	- 0 80000 Method::execute
	END
	printf '[backend.Acme]\nprobe = .\nlevel.1 = ^(graph)\nlevel.2 = ^(op)\nunit.ns = .\n' >levels.ini
}
W0555() { cases mlp_xnnpack run.etdump; }
E0815() {
	edge record.etdump
	make edit "$DATA/edge/record_good.etrecord" model.etrecord edge_dialect_exported_program/forward \
		'aten.relu.default", "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}}' \
		'aten.to.device", "inputs": [{"name": "a", "arg": {"as_device": {"type": "cpu"}}}'
}
E0816() { record reference_garbage; }
E0817() { debugged tensor_beyond; }
E0818() { debugged tensor_bf16; }
E0819() {
	cp "$ROOT/tests/cli/cases/inspector-raises-0819/run.etdump" .
	cp "$BUILD/tests/plugins/oracle/json_keys__none.so" keys.so
}
E0820() { record state_dict_garbage; }
E0821() { debugged outputs_list; }
E0822() { record comment; }
E0823() { # Core ML's parser asks the JSON of the metadata for keys; a list has none
	LC_ALL=C sed 's/{"supportedComputeUnits":/["supportedComputeUnits",/g; s/"outputNames":/"outputNames",/g
		s/"operatorName":/"operatorName",/g; s/"estimatedCost":/"estimatedCost",/g
		s/"preferredComputeUnit":"\([A-Z]*\)"}/"preferredComputeUnit","\1"]/g' \
		"$DATA/backends/cases/coreml_partial/run.etdump" >run.etdump
}
E0824() { cases mlp_portable run.etdump model.etrecord; }
E0825() {
	cases debug_xnnpack run.etdump model.etrecord debug.bin
	cp "$DATA/numeric/debug_xnnpack.safetensors" references.safetensors
}

E0901() { cases mlp_xnnpack; }
E0902() { :; }
E0903() { cases mlp_xnnpack; }
E0905() {
	cases conv_net_xnnpack model.etrecord
	python3 -c 'import zipfile
z = zipfile.ZipFile("model.etrecord")
files = [(i.filename, z.read(i)) for i in z.infolist()]
with zipfile.ZipFile("model.etrecord", "w", zipfile.ZIP_DEFLATED) as z:
    for name, data in files:
        z.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)'
}
E0906() { cases mlp_xnnpack; }

# meanwhile COMMAND: runs COMMAND on run.etdump after etcore has opened it and while etcore waits for its ETRecord, a FIFO.
meanwhile() {
	cases mlp_xnnpack
	mkfifo model.etrecord
	{
		exec 3>model.etrecord # blocks until the FIFO has a reader
		"$@"
		cat "$DATA/cases/mlp_xnnpack/model.etrecord" >&3
	} </dev/null >/dev/null 2>&1 &
}
again() { # the same byte, at another time
	sleep 0.1
	head -c 1 run.etdump | dd of=run.etdump conv=notrunc
}
replaced() { cp run.etdump other && mv other run.etdump; }
E0907() { meanwhile again; }
W0908() { meanwhile replaced; }
E0909() { cases mlp_xnnpack; }
E0960() { cases no_runs; }
E0961() { printf '<!doctype html>\n<title>Sign in</title>\n' >model.pte; }
E0962() { printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n' >model.pte; }
E0963() { : >run.etdump; }
E0964() { echo "see the artifacts of the build" >run.etdump; }
E0965() { printf '\3757zXZ\0 and so on' >run.etdump; }
E0966() { echo '{"traceEvents": [{"ph": "X", "ts": 1}]}' >trace.json; }
E0967() { edge record_zip_empty.etrecord && mv model.etrecord results.zip; }
E0968() { head -c 4096 /dev/zero >run.etdump; }
W0969() { edge tensor_over_end.etdump && cp "$DATA/edge/tensor_over_end.dbg" debug.bin; }
W0970() { make etdump run.etdump Method::execute:-1:-1; }
W0971() { cases no_runs; }
N0972() { make etdump run.etdump DELEGATE_CALL:0:3 Method::execute:-1:-1; }
W0973() { cases mlp_xnnpack && cp "$DATA/cases/debug_mlp/debug.bin" .; }
W0974() { make etdump run.etdump; }
W0986() { edge record_comment.etrecord; }
N0987() { cp "$DATA/cases/multi_method/model.etrecord" .; }
N0988() { cases multi_method; }
E0985() { cases mlp_xnnpack && echo '{"schema": "etcore.analyze/1", "stat": "typical"}' >answer.json; }
W0975() { # a byte of a weight
	make flip "$DATA/cases/mlp_xnnpack/model.pte" model.pte -9
}

W1150() { cases debug_mlp; }
W1151() { values overlap; }
W1152() { cases mlp_xnnpack; }
E1153() { values types; }
E1154() { values types; }
W1155() { values overlap; }
E1156() { values types; }
E1170() { cases debug_mlp run.etdump debug.bin; }
E1171() { cases bundled_program run.etdump debug.bin model.etrecord; }
E1172() {
	cases mlp_xnnpack
	cp "$DATA/cases/debug_mlp/model.etrecord" "$DATA/cases/debug_mlp/debug.bin" .
}
W1173() { cp "$DATA/numeric/methods/"* .; }
N1174() { cases nan_output run.etdump debug.bin && cp "$DATA/cases/bundled_program/model.etrecord" .; }
E1175() { cases debug_mlp && cp "$DATA/cases/bundled_program/model.etrecord" .; }
W1176() {
	E0825
	head -c 1000 debug.bin >cut.bin
}
E1177() {
	cases bundled_program run.etdump debug.bin
	cp "$DATA/numeric/bundled_program.bpte" model.bpte
}
N1178() { W1173; }
E1180() { E0825; }
E1181() { E0825; }
E1182() { E0825 && make references weights.safetensors fc1.weight ""; }
E1183() { E0825 && make references broken.safetensors forward/1 '{"methods": {"forward": {"values": [{"handle": [9], "kind": "tensor"}]}}}'; }
E1184() { E0825; }

# experiment KEYS RUNNER: writes config.json with one experiment "a" with these keys (JSON), and its
# runner, which replays a stored dump and accepts the settings of tests/pipeline/replay_runner.py.
experiment() { make pipeline "$1" "$2"; }

# failing WHAT: makes an experiment whose runner fails with WHAT.
failing() { experiment '' "\"do\": \"$1\""; }

# folder_of RUN: unpacks a run folder that the kit wrote (tests/data/kit/runs.json.gz).
folder_of() { make run_folder "$1" "${2:-runs}"; }

# changed CODE: makes a run folder whose manifest d is changed by the Python statements CODE.
changed() { folder_of ab_cnn_f32/g1 && make change runs/manifest.json "$1"; }

E1000() { :; }
E1001() { echo '{"model": "m"} x' >config.json; }
E1002() { echo '{"model": "m", "experiments": [{"name": "a", "runs": 0}]}' >config.json; }
W1003() { experiment '"num_runs": 5' ''; }
E1004() { experiment '' ''; }
E1005() { failing fail; }
E1006() { experiment '' '' && etcore pipeline run --config config.json; }
E1007() { failing hang; }
W1010() { experiment '' '' && rm a; }
W1011() { experiment '' '' && chmod -x a; }
W1012() { failing crash; }
W1013() { failing fail; }
W1014() { experiment '"timeout_s": 1' '"do": "hang"'; }
W1015() { failing no_dump; }
W1016() { failing stub; }
W1017() { failing cut; }
W1018() { experiment '' '"executions": 3'; }
W1019() { experiment '"etdump": false' '"do": "quiet"'; }
W1020() { experiment '"etdump": false' '"ms": [100000.0]'; }
W1021() { failing flood; }
W1022() { failing nan; }
W1023() { experiment '' ''; }
W1024() { experiment '' '"threads": 7'; }
W1025() { experiment '' ''; }
W1026() { experiment '"cpu_affinity": "1023"' ''; }
W1027() { E1006; }
W1028() { experiment "\"expect_sha256\": \"$(printf '%064d' 0)\"" ''; }
N1030() { experiment '"name": "android_a"' ''; }
E1031() { E1006 && echo '{"jobs": [' >runs/manifest.json; }
E1032() { failing hang && mkdir runs; }
E1050() { changed 'd.update(model=None)'; }
E1051() { folder_of ab_cnn_f32/g1 && rm runs/mac_sme2_on/*.log; }
E1052() { folder_of ab_cnn_f32/g1 && echo '{} {}' >runs/manifest.json; }
E1053() { changed 'd.update(generated_at="yesterday")'; }
E1054() { mkdir runs; }
E1055() { folder_of ab_cnn_f32/g1 && truncate -s 1000 runs/mac_sme2_on/mac_sme2_on_t1.etdump; }
W1056() { make example example; }
E1057() { folder_of ab_cnn_f32/g3 && make change runs/cnn_f32_pipeline_summary.json 'd["runs"][0].update(runs=9)'; }
E1058() { changed 'd["results"][0]["metrics"].update(status="failed")'; }
E1059() { changed 'd["results"][0]["metrics"].update(latency_ms=[-1.0, 1.0, 2.0])'; }
E1060() {
	changed 'd.update(model="model.pte", model_sha256="0" * 64)'
	echo "another program" >model.pte
}
W1061() { changed 'd.update(generated_at="2199-01-01T00:00:00Z")'; }
W1062() { folder_of real_aa/g1; }
E1063() { E1065; }
E1064() {
	folder_of ab_cnn_f32/g1 good && folder_of ab_cnn_f32/g1
	make change runs/manifest.json 'd["results"].pop()'
}
E1065() { folder_of ab_cnn_f32/g1 good && folder_of ab_mm_f32/g1; }
E1066() { folder_of ab_cnn_f32/g1; }
E1067() {
	folder_of ab_cnn_f32/g1
	{ printf '{"results": [' && yes 0, | head -n 2097152 | tr -d '\n' && echo '0]}'; } >runs/manifest.json
}
# of_two B MORE: makes a run of experiments a and b with three processes each; B (JSON) has the times of b.
of_two() {
	make measured "{\"a\": {\"1\": [[3, 3.01, 3, 3.02, 3], [3.02, 3, 3.01, 3, 3], [3, 3, 3.02, 3, 3.01]]}, \"b\": {\"1\": $1}}" "${2:-{\}}"
	etcore pipeline run --config c.json || true
}
E1068() { failing hang && { timeout -s INT 2 etcore pipeline run --config config.json || true; }; }
W1069() { of_two '[[3, 3, 3.01, 3.02, 3], [9, 9.01, 9, 9.02, 9], [3, 3.01, 3, 3, 3]]'; }
W1072() {
	make measured '{"a": {"1": [[3, 3, 3], [3, 3, 3]]}, "b": {"1": [[3, 3, 3], [3, 3, 3]]}}'
	etcore pipeline run --config c.json --only a
}
E1073() {
	of_two '["exit 3"]' '{"analysis": {"compare_pairs": [{"baseline": {"experiment": "a", "threads": 1},
		"candidate": {"experiment": "b", "threads": 1}}]}}'
}
E1074() {
	of_two '[[9, 9.01, 9, 9.02, 9], [9, 9, 9.01, 9, 9], [9, 9.02, 9, 9, 9.01]]' '{"gates": {"regression_pct": 5}}'
}
W1070() { E1055; }
W1075() {
	changed 'd.update(model="model.pte", model_sha256="0" * 64)'
	truncate -s 17179869185 model.pte
}
W1076() {
	make measured '{"a": {"1": [[3, 3.01, 3]]}}'
	etcore pipeline run --config c.json
	sed -i 's/"warmup_dropped": 1/"warmup_dropped": 0/' runs/manifest.json
}
W1077() {
	E1006
	sed -i 's/"max_temp_c": null/"max_temp_c": 60/; s/"temperature_c": [^,}]*/"temperature_c": 77/' runs/manifest.json
}
W1079() { experiment "" "" && cp "$DATA/arm/cnn_f32/model.pte" .; }
W1078() {
	folder_of ab_cnn_f32/g3
	cp runs/cnn_f32_pipeline_summary.json runs/mm_f32_pipeline_summary.json
}
W1071() { folder_of ab_cnn_f32/g1 && cp "$DATA/edge/not_prefixed.etdump" runs/mac_sme2_on/mac_sme2_on_t1.etdump; }
# backends NAME: copies the dump and the record of a case of tests/data/backends.
backends() { cp "$DATA/backends/cases/$1/run.etdump" "$DATA/backends/cases/$1/model.etrecord" .; }
E0560() { edge runs_empty.etdump; }
E0562() { cases mlp_xnnpack; }
N0660() { backends qnn_htp_detailed; }
N0661() { backends vulkan_two_parts; }
N0662() { backends qnn_htp_detailed; }
N0663() { backends qnn_htp_detailed; }
W0664() { cases mlp_xnnpack; }
N0665() { backends qnn_htp_detailed; }
W0666() { echo '- 0 9223372036854775809 Method::execute' | python3 "$ROOT/tests/tools/make_calls.py" run.etdump; }
E0570() { cases mlp_xnnpack; }
E0571() { cases mlp_xnnpack && "$BUILD/etcore" analyze run.etdump -o json=rows.json; }
E0572() { cases mlp_xnnpack; }
E0573() { cases no_runs; }
E0574() { cases no_runs; }
E0576() { cases conv_net_xnnpack && cp "$DATA/cases/linear_fp32/run.etdump" other.etdump; }
E0575() { cases mlp_xnnpack; }
N0694() {
	cases conv_net_xnnpack
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "Iteration $i of 12: 0.060$i ms"; done >plain.log
}
overhead() { N0694 && "$BUILD/etcore" overhead --on run.etdump --off plain.log -o json=overhead.json; }
E0577() { overhead; }
E0578() { cases conv_net_xnnpack run.etdump; }
N0696() { E0578; }
N0697() {
	overhead && sed -i 's/"certain": true/"certain": false/' overhead.json
}
N0698() { overhead && cp "$DATA/arm/attn_f32/nosme/run.etdump" run.etdump; }
N0699() { E0578; }
E0580() { cases no_runs; }
N0680() { cases mlp_xnnpack run.etdump model.etrecord; }
W0681() { N0127 && mkdir other && cp "$DATA/cases/linear_fp32/run.etdump" other; }

N0690() { cases conv_net_xnnpack; }
N0691() { backends coreml_basic; }
N0692() {
	pair arm/attn_i8d/nosme/run.etdump arm/attn_i8d/sme2/run.etdump
	"$BUILD/etcore" diff before.etdump -- after.etdump -o json=diff.json
}
N0695() { N0692 && cp "$DATA/arm/attn_f32/nosme/run.etdump" other.etdump; }
N0693() { cp "$DATA/arm/attn_i8d/nosme/run.etdump" .; }

E1200() { mkdir runs && cp "$DATA/cases/linear_fp32/run.etdump" runs/a.etdump && head -c 700 runs/a.etdump >runs/b.etdump; }
E1201() { mkdir runs && cp "$DATA/cases/linear_fp32/run.etdump" runs; }
E1202() { E1201 && mkdir tables; }
E1223() { mkdir runs && cp "$DATA/cases/linear_fp32/run.etdump" runs; }

work() { python3 "$ROOT/tests/tools/make_work.py" . "$@"; }
W1300() { work relu:1000:1000:3000; }
N1301() { work mm:64x128,128x32:64x32:5000; }
W1302() { work mm:2x3,4x5:2x5:5000; }
W1303() { work mm:1073741824x1073741824,1073741824x1073741824:1073741824x1073741824:5000; }
E1400() { cp "$DATA/tokens/dynamic/run.etdump.gz" run.etdump.gz && echo 'I 00:00:00 executorch:main.cpp] no statistics' >runner.log; }
N1401() { cp "$DATA/tokens/two/run.etdump.gz" run.etdump.gz; }
W1402() { cp "$DATA/tokens/dynamic/run.etdump.gz" run.etdump.gz && sed 's/"generated_tokens":8/"generated_tokens":80/' "$DATA/tokens/dynamic/runner.log" >runner.log; }
E1403() { cp "$DATA/tokens/dynamic/run.etdump.gz" run.etdump.gz && cp "$DATA/cases/linear_fp32/run.etdump" other.etdump; }
