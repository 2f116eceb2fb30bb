#!/bin/sh
# race.sh ETCORE FOLDER -- under ThreadSanitizer, the check `threads` must find a data race that
# changes no answer, and none in the same plugin without the race.
set -u
status=0
said=$("$1" plugins check "$2/race.so" threads --limit 300 2>/dev/null) || status=$?
case $status$said in
1*"FAILED   threads"*"ThreadSanitizer: data race"*) ;;
*)
	echo "status $status, not a data race: $said" >&2
	exit 1
	;;
esac
"$1" plugins check "$2/nothing.so" threads --limit 300 || exit 1
echo "the race is found: $(echo "$said" | grep FAILED)"
