#!/bin/bash
# A host that dies or freezes: what waits for it ends, and the others go on.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

exec_n3() { timeout 60 "$LAB_DIR/tools/lab-exec" "$LAB_DIR/exec.socket" n3 "$@" </dev/null; }
exec_n3 sh -c 'echo started; sleep 1000' >"$LAB_DIR/started" 2>"$LAB_DIR/said" & waiting=$!
for ((i = 0; i < 100; i++)); do [[ -s $LAB_DIR/started ]] && break; sleep 0.1; done
check "freeze" lab freeze n3
check "  status says so" has 'n3 frozen' "$(lab status)"
timeout 2 "$LAB_DIR/tools/lab-exec" "$LAB_DIR/exec.socket" n3 true </dev/null >/dev/null 2>&1
check "  a command to it ends with its caller" test $? = 124
check "  others go on" on n4 true
check "thaw" lab thaw n3
check "  it answers" on n3 true
check "kill" lab kill n3
wait "$waiting"
check "  what ran there ends with status 254" test $? = 254
check "  and says why" has 'n3 died: signal 9' "$(cat "$LAB_DIR/said")"
check "  status says so" has 'n3 dead.*signal 9' "$(lab status)"
exec_n3 true >/dev/null 2>&1
check "  a new command ends with status 255" test $? = 255
check "  others go on" ping_from n1 198.18.0.2
finish
