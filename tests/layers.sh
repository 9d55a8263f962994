#!/usr/bin/env bash
# Enforces the include table of docs/architecture.md: a file of a room includes only the rooms that its row names.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A may
while IFS='|' read -r _ room allowed _; do
  room=$(tr -d ' `' <<<"$room")
  may[${room%/}]=" $(tr -d '`,' <<<"$allowed") ${room%/} "
done < <(sed -n '/<!-- layers -->/,/<!-- end layers -->/p' docs/architecture.md | grep -E '^\| `')
[ ${#may[@]} -ge 12 ] || { echo "layers: the table in docs/architecture.md was not found" >&2; exit 1; }

bad=0
check() { # FILE ROOM
  local file=$1 room=$2 line include target
  [ -n "${may[$room]:-}" ] || { echo "$file: room '$room' has no row in the table"; bad=1; return; }
  while IFS=: read -r line include; do
    include=$(sed -E 's/.*"([^"]+)".*/\1/' <<<"$include")
    case "$include" in
      registry/*) target=registry ;;
      */*) target=${include%%/*} ;;
      *) continue ;;
    esac
    [[ ${may[$room]} == *" $include "* ]] && continue # a single header is allowed by its name
    [[ ${may[$room]} == *" $target "* ]] && continue
    echo "$file:$line: $room may not include \"$include\""
    bad=1
  done < <(grep -nE '^#include "' "$file" || true)
}
while read -r file; do
  case "$file" in
    src/*) room=${file#src/} && room=${room%%/*} ;;
    *) room=${file%%/*} ;;
  esac
  check "$file" "$room"
done < <(git ls-files 'src/*.h' 'src/*.cc' 'checks/*.cc' 'tuning/*.cc' 'cmd/*.h' 'cmd/*.cc')
exit $bad
