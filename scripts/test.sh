#!/usr/bin/env bash
# What `make test` does: gets the counterparts that the tests drive, then runs
# every test. With all of them at hand a test may not skip for want of one
# (ABL_REQUIRE_TESTDEPS=1, which a CI run sets from the start).
set -uo pipefail
cd "$(dirname "$0")/.." || exit
scripts/needs.sh || exit 1

exec 3>&1
left_out=$(scripts/testdeps.sh 2>&1 >&3) && export ABL_REQUIRE_TESTDEPS=1
[ -z "$left_out" ] || echo "$left_out"

# Packages that start no goroutines, or only drive programs, are tested without the
# race detector, which takes five times as long; of these only the tests named AtOnce
# run with it, and whatever lsp's tests do with them. So are the scripts of the command
# line, which start the program a thousand times, one run each, the tests that measure its
# memory or count what it allocates, and those tests of lsp
# that ask a thousand times for one thing after the other, or type. The one of a switched branch
# does at length what TestRandomSession and TestStorm do with it. `make check` vets
# what runs with it, and the linker writes no tables for debuggers.
export PATH=$PATH:$PWD/.cache/bin
export GOGC=400 # collecting garbage would take a quarter of the time
pure='^github.com/abl-lsp/abl-lsp(/(syntax|tool|analysis|dialect|expression|docs|editors)(/|$)|$)'
plain='^(TestScript|TestHostileAnswers|TestToolboxParity|TestMarkers|TestFixturesTellEncodingsApart|TestBadTexts|TestBranchSwitch|TestTypingReplay|TestForeignTyping|TestSyntaxErrorsFirst|TestPublishedIsChecked|TestManyClosedAtOnce|Test.*Allocations.*)$'
packages=$(go list ./... | grep -v /editors/vscode) || exit 1
status=0
raced() {
  local failed=0
  go test -race -count=1 -timeout 600s -vet=off -ldflags=-w -skip "$plain" "$@" $(grep -vE "$pure" <<< "$packages") || failed=1
  go test -race -count=1 -timeout 600s -run 'AtOnce$' "$@" ./analysis/... || failed=1
  return $failed
}
# Beside each other, since each half waits for programs now and then.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'kill 0' INT # which a shell keeps from what runs in its background
raced "$@" > "$log" 2>&1 &
go test -short -count=1 -timeout 600s "$@" $(grep -E "$pure" <<< "$packages") || status=1 # `make soak` has the long form
go test -count=1 -timeout 600s -run "$plain" "$@" ./cmd/abl-lsp ./lsp ./executor/http ./executor/sql ./internal/mcpserver || status=1
wait $! || status=1
cat "$log"
go test -count=1 -timeout 1200s "$@" ./editors/vscode || status=1 # alone: two VS Codes and their browsers at once take the whole machine

[ -z "$left_out" ] || printf '\nNot tested here:\n%s\n' "$left_out"
exit $status
