#!/usr/bin/env bash
# Makes each kind of slip in all places of testdata/corpus, measures the ranks of completions, and
# writes docs/fidelity.md.
set -euo pipefail
cd "$(dirname "$0")/.."
go test ./analysis/check -run 'TestMutate$' -mutate -timeout 30m -count 1 -v | grep -v '^=== '
go test ./analysis -run 'TestCompletionRanks$' -ranks -timeout 30m -count 1 -v | grep -v '^=== '
