#!/usr/bin/env bash
# Runs every fuzz test for a while, one after the other: fuzz.sh TIME
set -uo pipefail
cd "$(dirname "$0")/.." || exit
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
while read -r file name; do
  package=./$(dirname "$file")
  echo "fuzz: $name in $package for $1"
  # Making an input shorter may take a minute in which no input is tried.
  go test -run '^$' -fuzz "^$name\$" -fuzztime "$1" -fuzzminimizetime 100x "$package" 2>&1 | tee "$log" && continue
  # Before Go 1.27 the end of the time may be reported as a failure (go.dev/issue/75804).
  if grep -qx '    context deadline exceeded' "$log" && ! grep -q 'Failing input written' "$log"; then
    echo "fuzz: $name: its time ran out, and nothing failed"
  else
    failed=1
  fi
done < <(git ls-files --cached --others --exclude-standard '*_test.go' |
  xargs -r grep -oE '^func Fuzz\w+' | sed 's/:func / /')
exit $failed
