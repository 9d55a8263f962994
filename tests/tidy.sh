#!/usr/bin/env bash
# tests/tidy.sh BUILD: clang-tidy over the files whose text, headers, flags or rules changed since they last passed, those that
# were committed last first. What passed is remembered outside the checkout under a key of all of these. Where much is pending
# (a machine that remembers nothing) it ends after ROCERT_TIDY_MINUTES (10) and says how many files it did not come to.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/.."
tidy=$(command -v clang-tidy-19 || true)
if [ -z "$tidy" ]; then
  echo "skipped: clang-tidy-19 is not installed"
  exit 77
fi
minutes=${ROCERT_TIDY_MINUTES:-10}
passed=${ROCERT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rocert}/tidy
mkdir -p "$passed"
rules=$({ cat .clang-tidy; "$tidy" --version; } | sha256sum | cut -c1-16)

# The compiler's commands without what clang does not know or cannot read: GCC's precompiled headers and warnings.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -E 's# -Winvalid-pch -include [^ ]*cmake_pch\.hxx##; s# -fpch-preprocess##; s# -Wno-(maybe-uninitialized|restrict|stringop-[a-z]*)##g' \
  "$build/compile_commands.json" >"$work/compile_commands.json"

# ninja's dependency log: object, then its indented inputs. Only our own files count; system headers change with the tool.
ninja -C "$build" -t deps >"$work/deps" 2>/dev/null
# "SOURCE KEY" of every compiled file of ours that git knows.
git ls-files 'src/*.cc' 'checks/*.cc' 'tuning/*.cc' 'cmd/*.cc' >"$work/sources"
git ls-files -s >"$work/index"
git ls-files -m | while read -r file; do [ ! -f "$file" ] || echo "$(git hash-object "$file") $file"; done >"$work/modified"
awk -v root="$PWD/" -v rules="$rules" '
  FILENAME ~ /index$/ { hash[$4] = $2; next }
  FILENAME ~ /modified$/ { hash[$2] = $1; next }
  FILENAME ~ /sources$/ { is_source[$1] = 1; next }
  /^[^ ]/ { source = ""; next }
  {
    file = $1
    sub(root, "", file)
    sub(/^(\.\.\/)+/, "", file)
    if (source == "") { source = file; key[source] = rules }
    if (file in hash) key[source] = key[source] " " hash[file]
  }
  END { for (source in key) if (source in is_source) print source, key[source] }
' "$work/index" "$work/modified" "$work/sources" "$work/deps" |
  while read -r source key; do echo "$source $(sha256sum <<<"$key" | cut -c1-32)"; done | sort >"$work/keys"
[ -s "$work/keys" ] || { echo "tidy: $build has no compiled files; build it first"; exit 1; }

git log --format= --name-only -n 200 | awk 'NF && !seen[$0]++ { print $0, NR }' >"$work/recent"
awk 'FILENAME ~ /recent$/ { at[$1] = $2; next } { print ($1 in at ? at[$1] : 1e9), $0 }' "$work/recent" "$work/keys" | sort -n | cut -d' ' -f2- |
  while read -r source key; do [ -e "$passed/$key" ] || echo "$source $key"; done >"$work/pending"
pending=$(wc -l <"$work/pending")
echo "clang-tidy: $pending of $(wc -l <"$work/keys") files changed since they last passed"
[ "$pending" -gt 0 ] || exit 0

deadline=$(($(date +%s) + minutes * 60))
export tidy work passed deadline
judge() { # SOURCE KEY; what is deprecated is so in the standard library's own headers
  if [ "$(date +%s)" -ge "$deadline" ]; then
    echo "$1" >>"$work/left"
    return 0
  fi
  if "$tidy" --quiet -p "$work" --extra-arg=-Wno-deprecated-declarations "$1" >"$work/$2" 2>&1; then
    : >"$passed/$2"
  else
    grep -vE 'warnings? (and [0-9]+ errors? )?generated|^Suppressed|^Use -header-filter|^$' "$work/$2"
    echo "^^ $1"
    return 1
  fi
}
export -f judge
status=0
# shellcheck disable=SC2016
xargs -L 1 -P "$(nproc)" bash -c 'judge "$1" "$2"' _ <"$work/pending" || status=1
[ ! -e "$work/left" ] || echo "skipped: clang-tidy did not come to $(wc -l <"$work/left") of $pending files in $minutes minutes"
exit $status
