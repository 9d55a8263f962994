#!/usr/bin/env bash
# Certification over real soft-RoCE: a good fabric is certified, its traffic rides the class's priority, a bad port is named,
# and dead, frozen and unreachable workers end in bounded time as unknown hosts.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
in_lab 4 2

inventory() { # HOSTLIST
  cat >"$work/inventory.yaml" <<YAML
schema: rocert/inventory/1
launcher: lab
launch: {program: $lab, rocert: $ROCERT}
hosts: [$1]
YAML
}
certify() { # OUT: status in $status
  status=0
  timeout 240 "$ROCERT" certify --inventory "$work/inventory.yaml" --profile soft-roce --out "$1" >"$1.txt" 2>"$1.err" || status=$?
}
standing() { jq -r '.hosts | map("\(.host) \(.standing)") | join(", ")' "$1/certificate.json"; }
prio3() { on "$1" ethtool -S ens1np0 | awk '$1 == "rx_prio3_packets:" { print $2 }'; }
worker='^[^ ]*rocert worker' # as pgrep -f sees it
no_workers() {
  local host left
  for host in "$@"; do
    left=$(on "$host" pgrep -f "$worker" || true)
    [ -z "$left" ] || wrong "a worker is left on $host: $left"
  done
}

inventory '"n[1-4]"'
before=$(prio3 n2)
certify "$work/good"
after=$(prio3 n2)
[ $status -eq 0 ] || { wrong "four good hosts: exit $status"; cat "$work/good.err" "$work/good.txt"; }
say "good: $(standing "$work/good")"
if [ $((after - before)) -gt 1000 ]; then
  say "ok: $((after - before)) frames on priority 3 at the receiver"
else
  wrong "priority 3 at the receiver: $((after - before)) frames"
fi
no_workers n1 n2 n3 n4

for host in n1 n2; do "$lab" fault rewrite-dscp $host 0 26 0; done
inventory '"n[1-2]"'
before=$(prio3 n2)
certify "$work/remarked"
after=$(prio3 n2)
if [ $((after - before)) -lt 100 ]; then
  say "ok: remarked by the switch, $((after - before)) frames on priority 3"
else
  wrong "remarked: still $((after - before)) frames on priority 3"
fi
jq -e '.pairs_measured == 2 and .pairs_planned == 2' "$work/remarked/certificate.json" >/dev/null || wrong "remarked: not measured"
"$lab" fault clear

inventory '"n[1-4]"'
"$lab" fault drop n3 1 5%
certify "$work/lossy"
seen=$(standing "$work/lossy")
[ "$status:$seen" = "1:n1 certified, n2 certified, n3 excluded, n4 certified" ] || { wrong "a port that drops: exit $status, $seen"; cat "$work/lossy.txt"; }
jq -r '.hosts[2].reasons[]' "$work/lossy/certificate.json"
jq -e '.hosts[2].suspects | map(.netdev) == ["ens2np0"]' "$work/lossy/certificate.json" >/dev/null || wrong "the port ens2np0 of n3 is not named alone"
"$lab" fault clear

# One worker killed, one frozen in mid-round, one host that does not exist.
inventory '"n[1-5]"'
timeout 240 "$ROCERT" certify --inventory "$work/inventory.yaml" --profile soft-roce --out "$work/hurt" >"$work/hurt.txt" 2>"$work/hurt.err" &
run=$!
measured() { grep -qs write_bw "$work/hurt/evidence.jsonl"; }
wait_for 120 measured || wrong "no first measurement"
on n4 pkill -STOP -f "$worker" || wrong "no worker to freeze"
on n2 pkill -KILL -f "$worker" || wrong "no worker to kill"
status=0
wait $run || status=$?
seen=$(standing "$work/hurt")
say "hurt: exit $status, $seen"
jq -r '.hosts[] | select(.standing == "unknown") | "  \(.host): \(.reasons | join("; "))"' "$work/hurt/certificate.json"
[ $status -eq 3 ] || { wrong "hurt run: exit $status, wanted 3"; cat "$work/hurt.err" "$work/hurt.txt"; }
for host in n2 n4 n5; do
  jq -e --arg h "$host" '.hosts[] | select(.host == $h) | .standing == "unknown" and (.reasons | length) > 0' "$work/hurt/certificate.json" >/dev/null ||
    wrong "$host is not unknown with a reason"
done
no_workers n1 n2 n3 n4

# Interrupted: ends cleanly, leaves nothing.
inventory '"n[1-4]"'
rm -rf "$work/cut"
timeout 240 "$ROCERT" certify --inventory "$work/inventory.yaml" --profile soft-roce --out "$work/cut" >"$work/cut.txt" 2>"$work/cut.err" &
run=$!
measured() { grep -qs write_bw "$work/cut/evidence.jsonl"; }
wait_for 120 measured || wrong "no first measurement before the interrupt"
kill -INT $run # timeout passes it on
status=0
wait $run || status=$?
say "interrupted: exit $status"
[ $status -ne 0 ] || wrong "an interrupted run must not look certified"
no_workers n1 n2 n3 n4
finish
