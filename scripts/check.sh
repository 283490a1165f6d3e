#!/usr/bin/env bash
# `make check`: checks format, vet, lint, and that generated files are fresh.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
. scripts/versions.sh
failed=0

run_step() {
  echo "check: $1"
  shift
  "$@" || failed=1
}

check_format() {
  local files
  files=$(git ls-files --cached --others --exclude-standard '*.go' | xargs -r ls 2> /dev/null | xargs -r gofmt -l)
  [ -z "$files" ] || {
    printf 'not formatted (run gofmt -w):\n%s\n' "$files"
    return 1
  }
}

run_lint() {
  scripts/golangci-lint.sh run ./...
  allow_missing $?
}

# allow_missing STATUS: a lint program that could not be installed (status 3) is not a fault
# of the code, except in CI; the script has already said why.
allow_missing() {
  [ "$1" -eq 3 ] && [ -z "${CI:-}" ] && return 0
  return "$1"
}

check_workflows() {
  local program
  program=$(scripts/gotool.sh github.com/rhysd/actionlint/cmd/actionlint "$actionlint" -version) || {
    allow_missing $?
    return
  }
  "$program"
}

check_generated() {
  scripts/testdeps.sh > /dev/null 2>&1 # the test says what is missing
  PATH=$PATH:$PWD/.cache/bin go test -run '^Test(Generated|Fresh$)' ./syntax/grammar ./internal/generate
}

run_step format check_format
run_step vet go vet ./... ./testdata/demo/api
run_step lint run_lint
run_step workflows check_workflows
run_step generated check_generated
exit $failed
