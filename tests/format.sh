#!/usr/bin/env bash
# clang-format over every C++ file, shellcheck over every script.
set -euo pipefail
cd "$(dirname "$0")/.."
format=$(command -v clang-format-19 || true)
check=$(command -v shellcheck || true)
if [ -z "$format" ] || [ -z "$check" ]; then
  echo "skipped: clang-format-19 or shellcheck is not installed"
  exit 77
fi
bad=0
git ls-files '*.h' '*.cc' ':!tests/lab/kernel' | xargs -r "$format" --dry-run -Werror || bad=1
git ls-files | while read -r file; do
  [ -f "$file" ] && head -c 40 "$file" | head -n 1 | grep -qE '^#!.*(bash|/sh)' && echo "$file" || true
done | xargs -r "$check" -x --source-path=SCRIPTDIR -S warning || bad=1
exit $bad
