# Sourced by the tests of this folder, SCRIPT ROCERT: each brings up a lab of its own and runs itself in it.
# shellcheck shell=bash
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
lab=$here/../lab
ROCERT=$(readlink -f "${1:?path of the rocert that the hosts run, without sanitizers}")
if [ ! -x "$ROCERT" ]; then
  echo "skipped: $ROCERT is not built; cmake --preset release && cmake --build --preset release"
  exit 77
fi
# in_lab HOSTS RAILS: returns inside a lab, with $work as a folder of this run.
in_lab() {
  if [ -z "${ROCERT_IN_LAB:-}" ]; then
    ROCERT_IN_LAB=1 exec "$lab" run --hosts "$1" --rails "$2" --share "$(dirname "$ROCERT")" --share "$here" "$0" "$ROCERT"
  fi
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
}
failed=0

on() { "$lab" exec "$1" -- "${@:2}" </dev/null; }
say() { printf '%s\n' "$*"; }
wrong() {
  say "WRONG: $*"
  failed=1
}
finish() {
  [ $failed -eq 0 ] && say "ok: all expectations hold"
  exit $failed
}

# audit HOST [OPTION...]: its JSON in $work/audit.json, its exit status in $status.
audit() {
  local host=$1
  shift
  status=0
  on "$host" "$ROCERT" audit --json "$@" >"$work/audit.json" 2>"$work/audit.err" || status=$?
}
# What failed: "SEVERITY CODE PORT" a line, consequences included, sorted.
failures() {
  jq -r '[.findings[] | recurse(.consequences[]?)] | map(select(.verdict == "fail" and .severity != "info" and .waived == null))
    | .[] | "\(.severity) \(.code) \(.subject.port)"' "$work/audit.json" | sed 's/ $//' | sort -u
}
# expect WHAT STATUS [LINE...]: the last audit ended with STATUS and failed exactly in these lines.
expect() {
  local what=$1 wanted=$2 got lines
  shift 2
  lines=$(printf '%s\n' "$@" | sed '/^$/d' | sort -u)
  got=$(failures)
  if [ "$status" = "$wanted" ] && [ "$got" = "$lines" ]; then
    say "ok: $what"
  else
    wrong "$what: exit $status, wanted $wanted"
    say "  seen:   ${got//$'\n'/; }"
    say "  wanted: ${lines//$'\n'/; }"
    cat "$work/audit.err"
  fi
}
# field CODE PORT NAME: a member of that finding.
field() {
  jq -r --arg code "$1" --arg port "$2" --arg name "$3" \
    '[.findings[] | recurse(.consequences[]?)] | map(select(.code == $code and .subject.port == $port)) | .[0][$name]' "$work/audit.json"
}
# wait_for SECONDS COMMAND...: polls until it succeeds.
wait_for() {
  local left=$(($1 * 10))
  shift
  until "$@"; do
    left=$((left - 1))
    [ $left -gt 0 ] || return 1
    sleep 0.1
  done
}
