#!/usr/bin/env bash
# What `make check` does: format, vet, lint, freshness of what is generated.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
. scripts/versions.sh
failed=0

step() {
  echo "check: $1"
  shift
  "$@" || failed=1
}

formatted() {
  local files
  files=$(git ls-files --cached --others --exclude-standard '*.go' | xargs -r ls 2> /dev/null | xargs -r gofmt -l)
  [ -z "$files" ] || {
    printf 'not formatted (run gofmt -w):\n%s\n' "$files"
    return 1
  }
}

lint() {
  scripts/golangci-lint.sh run ./...
  had $?
}

# A lint that can't be had is no fault of the code; it has been said why.
had() {
  [ "$1" -eq 3 ] && [ -z "${CI:-}" ] && return 0
  return "$1"
}

workflows() {
  local program
  program=$(scripts/gotool.sh github.com/rhysd/actionlint/cmd/actionlint "$actionlint" -version) || {
    had $?
    return
  }
  "$program"
}

fresh() {
  scripts/testdeps.sh > /dev/null 2>&1 # the test says what it lacks
  PATH=$PATH:$PWD/.cache/bin go test -run '^Test(Generated|Fresh$)' ./syntax/grammar ./internal/generate
}

step format formatted
step vet go vet ./... ./testdata/demo/api
step lint lint
step workflows workflows
step generated fresh
exit $failed
