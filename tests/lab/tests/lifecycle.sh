#!/bin/bash
# Labs come and go: several at once, none leaves a process or a socket, whatever ends it.
. "$(dirname "$(readlink -f "$0")")/lib.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset LAB_DIR
# Processes and sockets of a lab; its folder is in every command line of its processes.
processes() { pgrep -fc -- "$1/" || true; }
sockets() { find "$1" -type s 2>/dev/null | wc -l; }
gone() { for ((i = 0; i < 100; i++)); do [[ $(processes "$1") == 0 && $(sockets "$1") == 0 ]] && return; sleep 0.1; done; pgrep -fa -- "$1/"; return 1; }

check "two labs at once" eval 'lab --dir $scratch/a up --hosts 1 --rails 1 && lab --dir $scratch/b up --hosts 1 --rails 1 --mtu 1500'
check "  each with its own MTU" test "$(lab --dir "$scratch/a" exec n1 -- cat /sys/class/net/ens1np0/mtu) $(lab --dir "$scratch/b" exec n1 -- cat /sys/class/net/ens1np0/mtu)" = "9000 1500"
check_not "  a second lab in one folder is refused" lab --dir "$scratch/a" up --hosts 1
check "down ends one" lab --dir "$scratch/a" down
check "  without a trace" gone "$scratch/a"
check "  the other goes on" lab --dir "$scratch/b" exec n1 -- true
check "  down again is no error" lab --dir "$scratch/a" down
kill -KILL "$(cat "$scratch/b/pid")"
gone_processes() { for ((i = 0; i < 100; i++)); do [[ $(processes "$1") == 0 ]] && return; sleep 0.1; done; return 1; }
check "its daemon killed, a lab ends" gone_processes "$scratch/b"
check "  and down clears up" eval 'lab --dir $scratch/b down && [[ $(sockets $scratch/b) == 0 ]]'

mkdir "$scratch/share"
echo hello >"$scratch/share/file"
cat >"$scratch/script" <<END
#!/bin/bash
[[ \$($here/../lab exec n1 -- cat $scratch/share/file) == hello ]] || exit 1
[[ \$1 == fail ]] && exit 5
[[ \$1 != wait ]] || { touch $scratch/waiting; sleep 1000; }
END
chmod +x "$scratch/script"
options=(--dir "$scratch/c" --hosts 1 --rails 1 --share "$scratch/share")
check "run: a script, with a shared folder" lab run "${options[@]}" "$scratch/script" pass
check "  nothing is left" gone "$scratch/c"
lab run "${options[@]}" "$scratch/script" fail >"$scratch/said" 2>&1
check "run passes the script's status on" test $? = 5
check "  and says where the logs are" has "logs are kept in $scratch/c" "$(cat "$scratch/said")"
check "  nothing is left" gone "$scratch/c"
for signal in TERM KILL; do
  rm -f "$scratch/waiting"
  "$here/../lab" run "${options[@]}" "$scratch/script" wait >/dev/null 2>&1 & running=$!
  for ((i = 0; i < 600; i++)); do [[ -e $scratch/waiting ]] && break; sleep 0.1; done
  kill -$signal "$running"
  wait "$running" 2>/dev/null
  check "run ended by SIG$signal ends its lab" gone "$scratch/c"
done
lab --dir "$scratch/d" up --hosts 1 --memory 1M >"$scratch/said" 2>&1
check "a host that does not boot fails the lab" test $? = 1
check "  and says where to look" has 'n1.*see .*console.log' "$(cat "$scratch/said")"
check "  nothing is left" gone "$scratch/d"
finish
