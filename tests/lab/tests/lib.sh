# shellcheck shell=bash
# For the tests that run in a lab of four hosts with two rails: LAB_DIR says which. Sourced.
set -uo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
failed=0

lab() { timeout 120 "$here/../lab" "$@"; }
on() { local host=$1; shift; lab exec "$host" -- "$@" </dev/null; }

# check NAME COMMAND...: one line a check; what the command said, if it failed.
check() {
  local name=$1 said
  shift
  if said=$("$@" 2>&1); then
    echo "ok    $name"
  else
    echo "FAIL  $name"
    sed 's/^/      /' <<<"$said"
    failed=1
  fi
}
check_not() { local name=$1; shift; check "$name" not "$@"; }
not() { ! "$@"; }
has() { grep -qE -- "$1" <<<"$2" || { echo "no '$1' in:"; echo "$2"; return 1; }; }
finish() { exit "$failed"; }

counter() { on "$1" ethtool -S "$2" | awk -v name="$3:" '$1 == name { print $2 }'; }
# port n1:0 to-host dropped_by_share
port() { lab ports | awk -v port="$1" -v way="$2" -v key="$3=" '$1 == port && $0 ~ way { for (i = 1; i <= NF; i++) if (index($i, key) == 1) print substr($i, length(key) + 1) }'; }
ping_from() { on "$1" ping -n -q -c "${3:-3}" -i 0.1 -W 1 "${@:4}" "$2"; }

# write_bw RAIL FROM TO COUNT: 64 KiB RDMA writes with traffic class 104 and a time-out of a second: when half a
# megabyte waits longer for a slow port, rxe sends it again and the pair ends in an error. What they carried is for counters to say: on
# a busy machine perftest finds its clock too uneven to report a bandwidth, after it has done its work.
write_bw() {
  local rail=$1 from=$2 to=$3 count=$4 server out status=0
  local words=(timeout 60 ib_write_bw -d "mlx5_$rail" -x 1 -s 65536 -n "$count" --tclass 104 -u 18 --report_gbits)
  on "$to" "${words[@]}" >/dev/null 2>&1 &
  server=$!
  # The server listens when its TCP port is bound.
  for ((i = 0; i < 100; i++)); do
    on "$to" sh -c 'grep -q ":4853 00000000:0000 0A" /proc/net/tcp /proc/net/tcp6' 2>/dev/null && break
  done
  out=$(on "$from" "${words[@]}" "198.18.$rail.${to#n}" 2>&1) || status=$?
  wait "$server" || status=$?
  [[ $out == *"r^2"*"Can't produce a report"* || $out == *"Can't produce a report"*"r^2"* ]] && status=0
  ((status == 0)) || echo "$out"
  return "$status"
}
