#!/usr/bin/env bash
# Every planted misconfiguration of a real host is found, alone and named; a good host gives nothing; a recording says the same.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
in_lab 1 2
site=$here/site.yaml
port=ens1np0
arp_scheme() { # ARP_IGNORE ARP_ANNOUNCE, of both rails
  local p
  for p in ens1np0 ens2np0; do
    on n1 sh -c "echo $1 >/proc/sys/net/ipv4/conf/$p/arp_ignore; echo $2 >/proc/sys/net/ipv4/conf/$p/arp_announce"
  done
}

audit n1 --profile "$site"
expect "a good host gives nothing" 0

on n1 dcb pfc set dev $port prio-pfc 3:off
audit n1 --profile "$site"
expect "PFC off" 1 "error dcb.pfc $port"
[ "$(field dcb.pfc $port seen)" = 0,0,0,0,0,0,0,0 ] || wrong "dcb.pfc seen: $(field dcb.pfc $port seen)"
[ "$(field dcb.pfc $port wanted)" = 0,0,0,1,0,0,0,0 ] || wrong "dcb.pfc wanted: $(field dcb.pfc $port wanted)"

# The same from a recording, on the build machine.
on n1 sh -c "rm -rf /tmp/rec && '$ROCERT' record -o /tmp/rec >&2 && tar -C /tmp -cf - rec" >"$work/rec.tar"
tar -C "$work" -xf "$work/rec.tar"
cp "$work/audit.json" "$work/live.json"
status=0
"$ROCERT" audit --json --root "$work/rec" --profile "$site" >"$work/audit.json" 2>"$work/audit.err" || status=$?
expect "PFC off, from a recording" 1 "error dcb.pfc $port"
verdicts='[.findings[] | recurse(.consequences[]?) | [.code, .subject.port, .subject.item, .verdict, .seen, .wanted]] | sort'
if [ "$(jq -S "$verdicts" "$work/live.json")" = "$(jq -S "$verdicts" "$work/audit.json")" ]; then
  say "ok: the recording gives the same findings"
else
  wrong "the recording gives other findings"
  diff <(jq -c "$verdicts | .[]" "$work/live.json") <(jq -c "$verdicts | .[]" "$work/audit.json") || true
fi
# What was not recorded is not recorded, never absent.
rm -rf "$work/thin"
cp -r "$work/rec" "$work/thin"
jq 'del(.asked[] | select(.path == "/proc/self/limits"))' "$work/rec/manifest.json" >"$work/thin/manifest.json"
"$ROCERT" snapshot --root "$work/thin" >"$work/thin.json" 2>/dev/null || wrong "snapshot of a thinned recording failed"
jq -e '.facts["process.limits"].gap == "not recorded"' "$work/thin.json" >/dev/null ||
  wrong "a path that was not recorded is not called so"
on n1 dcb pfc set dev $port prio-pfc 3:on

on n1 ip link set $port mtu 1500
audit n1 --profile "$site"
expect "MTU 1500" 1 "error link.mtu $port" "error rdma-mtu-is-as-wanted $port"
on n1 ip link set $port mtu 9000

on n1 ip address add 198.18.0.101/24 dev ens2np0
on n1 ip address del 198.18.1.1/24 dev ens2np0
arp_scheme 0 0
audit n1 --profile "$site"
failures | grep -q '^error same-subnet-ports-answer-arp-for-themselves' || wrong "two rails in one subnet without an ARP scheme: not said"
[ "$(jq '[.findings[] | recurse(.consequences[]?) | select(.code == "same-subnet-ports-answer-arp-for-themselves" and .verdict == "fail")] | length' "$work/audit.json")" = 1 ] ||
  wrong "same-subnet: not exactly one finding a host"
[ $status -eq 1 ] || wrong "same-subnet: exit $status"
say "same subnet: $(failures | tr '\n' ';')"
on n1 ip address add 198.18.1.1/24 dev ens2np0
on n1 ip address del 198.18.0.101/24 dev ens2np0
arp_scheme 1 2
audit n1 --profile "$site"
expect "good again" 0

"$lab" fault unplug n1 1
audit n1 --profile "$site"
expect "one NIC removed" 1 "error every-expected-port-is-present"
say "said: $(jq -r '.findings[] | select(.code == "every-expected-port-is-present") | .seen + " / " + .wanted + " / " + .says' "$work/audit.json")"
"$lab" fault plug n1 1
finish
