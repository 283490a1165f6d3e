#!/usr/bin/env bash
# `make test`: gets the programs that the tests need, then runs every test. If it gets
# all of them, a test may not skip because one is missing (ABL_REQUIRE_TESTDEPS=1, which
# CI always sets).
set -uo pipefail
cd "$(dirname "$0")/.." || exit
scripts/needs.sh || exit 1

exec 3>&1
left_out=$(scripts/testdeps.sh 2>&1 >&3) && export ABL_REQUIRE_TESTDEPS=1
[ -z "$left_out" ] || echo "$left_out"

# The race detector makes tests five times as slow. Packages that start no goroutines, or
# only drive programs, are tested without it ($pure); of these only the tests named AtOnce run
# with it, and the code that lsp's tests use. Tests of the command line start the program for
# one run each, and those of the sandbox a process for each program, so only those run with it
# that have much going on at once in one process ($concurrent). Some tests of other packages also
# run without it ($plain): those that measure memory or count allocations, and tests of lsp that
# send a thousand requests one after the other, or type. TestBranchSwitch is one of these, because
# TestRandomSession and TestStorm do the same with the detector in less time. `make check` vets,
# and the linker writes no tables for debuggers.
export PATH=$PATH:$PWD/.cache/bin
export GOGC=400 # collecting garbage would take a quarter of the time
pure='^github.com/abl-lsp/abl-lsp(/(syntax|tool|analysis|dialect|expression|docs|editors|cmd|executor/(schema|template)|internal/(bench|benchtext|conformance|disk|generate|history|invoke|operator|redistest|shell|testdeps|toolpages))(/|$)|$)'
sandbox='/executor/sandbox(/|$)' # takes long, and so is in the half with the detector, without it
concurrent='^Test(MCPCallers|MCPFollowsFiles|MCPStreams|Live.*|.*Terminated|Interrupted.*|EditorGone|TasksSurviveKill|AtOnce|CacheAtOnce|Ready|Idle|Killed|Parent|Cancel|Waits|Order)$'
plain='^(TestMarkers|TestFixturesTellEncodingsApart|TestBadTexts|TestBranchSwitch|TestTypingReplay|TestForeignTyping|TestSyntaxErrorsFirst|TestPublishedIsChecked|TestManyClosedAtOnce|Test.*Allocations.*)$'
packages=$(go list ./... | grep -v /editors/vscode) || exit 1
status=0
# `make soak` runs the random tests at length, without -short.
options=(-short -count=1 -timeout 1200s -vet=off -ldflags=-w)
test_with_race_detector() {
  local failed=0
  renice -n 5 $BASHPID > /dev/null
  go test -race "${options[@]}" -skip "$plain" "$@" $(grep -vE "$pure|$sandbox" <<< "$packages") || failed=1
  go test "${options[@]}" "$@" $(grep -E "$sandbox" <<< "$packages") || failed=1
  go test -race "${options[@]}" -run 'AtOnce$' "$@" ./analysis/... || failed=1
  go test -race "${options[@]}" -run "$concurrent" "$@" ./cmd/abl-lsp ./executor/sandbox || failed=1
  return $failed
}
# Both halves run at once, because each sometimes waits for programs. The half with the
# detector has the lower priority: it ends while VS Code is tested, which is slow to draw.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'kill 0' INT # a shell does not pass the signal on to background jobs
test_with_race_detector "$@" > "$log" 2>&1 &
go test "${options[@]}" "$@" $(grep -E "$pure" <<< "$packages") || status=1
go test "${options[@]}" -run "$plain" "$@" ./lsp ./executor/http ./executor/sql ./internal/mcpserver || status=1
(cd deploy && go test "$@" .) || status=1
go test -count=1 -timeout 1200s "$@" ./editors/vscode || status=1
wait $! || status=1
cat "$log"

[ -z "$left_out" ] || printf '\nNot tested here:\n%s\n' "$left_out"
exit $status
