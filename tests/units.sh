#!/usr/bin/env bash
# Every unit is named by its file, has a page, and has a test: checks/, tuning/, tuning/drivers/, src/probe/probes/.
set -euo pipefail
cd "$(dirname "$0")/.."

bad=0
complain() { echo "$1"; bad=1; }
unit() { # FILE CODE TEST
  grep -q "\.code = \"$2\"" "$1" || complain "$1: its page does not carry the code \"$2\" that the file name gives"
  for part in title why source; do
    grep -qE "\.$part =( |$)" "$1" || complain "$1: its page has no .$part"
  done
  [ -f "$3" ] || complain "$1: no test $3"
}
# A setting's key is group.name; groups and names may hold underscores, so the file only has to equal the key with dots gone.
setting_key() { grep -oE '\.code = "[^"]+"' "$1" | head -n 1 | cut -d'"' -f2; }

for file in checks/*.cc; do
  name=$(basename "$file" .cc)
  unit "$file" "${name//_/-}" "tests/unit/checks/${name}_test.cc"
done
for file in tuning/*.cc; do
  name=$(basename "$file" .cc)
  key=$(setting_key "$file")
  [ "${key//./_}" = "$name" ] || complain "$file: key '$key' does not give the file name"
  unit "$file" "$key" "tests/unit/tuning/${name}_test.cc"
done
for file in tuning/drivers/*.cc; do
  name=$(basename "$file" .cc)
  unit "$file" "$name" "tests/unit/drivers/${name}_test.cc"
done
for file in src/probe/probes/*.cc; do
  name=$(basename "$file" .cc)
  unit "$file" "$name" "tests/unit/probe/${name}_test.cc"
done
exit $bad
