#!/usr/bin/env bash
# Rewrites the expectations that tests keep in files, in packages whose tests define
# the flag -update or run fixtures. Read the diff before you commit.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=$(git ls-files --cached --others --exclude-standard '*_test.go' |
  xargs -r grep -lE 'flag\.Bool(Var)?\(.*"update"|marker\.Run\(' | xargs -r -n 1 dirname | sort -u | sed 's|^|./|')
[ -n "$packages" ] || {
  echo "no package keeps expectations in files"
  exit
}
# shellcheck disable=SC2086
go test $packages -update || true
git status --short
