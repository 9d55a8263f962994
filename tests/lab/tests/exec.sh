#!/bin/bash
# lab exec: bytes, statuses, signals; many at once; nothing is left behind.
. "$(dirname "$(readlink -f "$0")")/lib.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status_of() { "$@" >/dev/null 2>&1; echo $?; }
running() { on "$1" sh -c "ps -eo args= | grep -c '^$2'"; }
# Waits, bounded, until a command runs on a host or does not.
until_running() { for ((i = 0; i < 60; i++)); do [[ $(running "$1" "$2") == "$3" ]] && return; sleep 0.1; done; return 1; }

check "exit status 0" test "$(status_of on n1 true)" = 0
check "exit status 7" test "$(status_of on n1 sh -c 'exit 7')" = 7
check "128 + signal" test "$(status_of on n1 sh -c 'kill -TERM $$')" = 143
check "no such command: 127" test "$(status_of on n1 /no/such)" = 127
check "not executable: 126" test "$(status_of on n1 /proc/version)" = 126
check "no such host: 255" test "$(status_of on n9 true)" = 255
check "words are kept as they are" test "$(on n1 printf '%s|' 'a b' '' $'c\nd' '*')" = $'a b||c\nd|*|'
check "output and errors are apart" test "$(on n1 sh -c 'echo out; echo err >&2' 2>/dev/null)" = out
check "  the other way round" test "$(on n1 sh -c 'echo out; echo err >&2' 2>&1 >/dev/null)" = err
check "input ends" test "$(printf abc | lab exec n1 -- wc -c)" = 3

head -c 3000000 /dev/urandom >"$scratch/bytes"
sum=$(sha256sum <"$scratch/bytes")
check "3 MB in, unharmed" test "$(lab exec n1 -- sha256sum <"$scratch/bytes")" = "$sum"
check "3 MB in and out again, unharmed" test "$(lab exec n1 -- cat <"$scratch/bytes" | sha256sum)" = "$sum"
check "three at once on one host" eval '
  head -c 500000 "$scratch/bytes" >"$scratch/part"
  for i in 1 2 3; do (lab exec n1 -- cat <"$scratch/part" | sha256sum >"$scratch/sum$i") & done; wait
  for i in 1 2 3; do [[ $(cat "$scratch/sum$i") == "$(sha256sum <"$scratch/part")" ]] || exit 1; done'
# The reader of the first stream reads nothing until the second is through.
check "a stream that nobody reads holds up no other" eval '
  mkfifo "$scratch/gate"
  lab exec n1 -- head -c 2000000 /dev/zero > >(read -r <"$scratch/gate"; wc -c >"$scratch/slow") &
  slow=$!
  [[ $(lab exec n1 -- cat <"$scratch/part" | sha256sum) == "$(sha256sum <"$scratch/part")" ]] || exit 1
  echo >"$scratch/gate"; wait $slow
  for ((i = 0; i < 50; i++)); do [[ -s $scratch/slow ]] && break; sleep 0.1; done
  [[ $(cat "$scratch/slow") == 2000000 ]]'
check "a command that reads no input ends" test "$(lab exec n1 -- echo hello <"$scratch/bytes")" = hello

"$LAB_DIR/tools/lab-exec" "$LAB_DIR/exec.socket" n2 sleep 1111 </dev/null & victim=$!
check "a long command runs" until_running n2 'sleep 1111' 1
kill -KILL "$victim"
wait "$victim" 2>/dev/null
check "killed here, it is killed there" until_running n2 'sleep 1111' 0

"$LAB_DIR/tools/lab-exec" "$LAB_DIR/exec.socket" n2 sh -c 'trap "echo bye; exit 9" TERM; sleep 1112 & wait' </dev/null >"$scratch/bye" & victim=$!
check "a command with a handler runs" until_running n2 'sleep 1112' 1
kill -TERM "$victim"
wait "$victim"
check "SIGTERM is passed on: status 9" test $? = 9
check "  and what it said came through" test "$(cat "$scratch/bye")" = bye
finish
