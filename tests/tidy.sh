#!/usr/bin/env bash
# tests/tidy.sh BUILD: clang-tidy over the files whose text, headers, flags or rules changed since they last passed. What
# passed is remembered outside the checkout under a key of all of these.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/.."
tidy=$(command -v clang-tidy-19 || true)
if [ -z "$tidy" ]; then
  echo "skipped: clang-tidy-19 is not installed"
  exit 77
fi
passed=${ROCERT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rocert}/tidy
mkdir -p "$passed"
rules=$({ cat .clang-tidy; "$tidy" --version; } | sha256sum | cut -c1-16)

# ninja's dependency log: object, then its indented inputs. Only our own files count; system headers change with the tool.
key_of() { # SOURCE
  local deps
  deps=$(ninja -C "$build" -t deps "$(object_of "$1")" 2>/dev/null | sed -n 's/^    //p' | grep -E "^($PWD/|(\.\./)+)(src|checks|tuning|cmd|tests)/" || true)
  # shellcheck disable=SC2086
  (cd "$build" && sha256sum $deps "$OLDPWD/$1" 2>/dev/null | cut -c1-64; echo "$rules") | sha256sum | cut -c1-32
}
declare -A objects
while IFS=$'\t' read -r source object; do objects[$source]=$object; done < <(
  grep -E '"(file|output)":' "$build/compile_commands.json" | sed -E 's/^ *"(file|output)": "(.*)",?$/\1\t\2/' |
    awk -F'\t' -v root="$PWD/" '$1 == "file" { sub(root, "", $2); file = $2 } $1 == "output" { print file "\t" $2 }')
object_of() { echo "${objects[$1]:-none}"; }

pending=()
keys=()
while read -r file; do
  [ -n "${objects[$file]:-}" ] || continue
  key=$(key_of "$file")
  [ -e "$passed/$key" ] && continue
  pending+=("$file")
  keys+=("$key")
done < <(git ls-files 'src/*.cc' 'checks/*.cc' 'tuning/*.cc' 'cmd/*.cc')
echo "clang-tidy: ${#pending[@]} of ${#objects[@]} compiled files changed since they last passed"
[ ${#pending[@]} -gt 0 ] || exit 0

export tidy build passed
judge() { # "FILE KEY"
  local file=${1% *} key=${1#* }
  if "$tidy" --quiet -p "$build" "$file" 2>&1 | grep -vE 'warnings generated|Suppressed|Use -header-filter|^$'; then
    echo "^^ $file"
    return 1
  fi
  : >"$passed/$key"
}
export -f judge
for i in "${!pending[@]}"; do printf '%s %s\0' "${pending[$i]}" "${keys[$i]}"; done |
  xargs -0 -P "$(nproc)" -I{} bash -c 'judge "$1"' _ {}
