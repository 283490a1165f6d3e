#!/usr/bin/env bash
# Runs every fuzz test for a while, one after the other: fuzz.sh TIME
set -uo pipefail
cd "$(dirname "$0")/.." || exit
failed=0
while read -r file name; do
  package=./$(dirname "$file")
  echo "fuzz: $name in $package for $1"
  go test -run '^$' -fuzz "^$name\$" -fuzztime "$1" "$package" || failed=1
done < <(git ls-files --cached --others --exclude-standard '*_test.go' |
  xargs -r grep -oE '^func Fuzz\w+' | sed 's/:func / /')
exit $failed
