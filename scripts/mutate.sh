#!/usr/bin/env bash
# Makes each kind of slip in all places of testdata/corpus, and writes docs/fidelity.md.
set -euo pipefail
cd "$(dirname "$0")/.."
go test ./analysis/check -run 'TestMutate$' -mutate -timeout 30m -count 1 -v | grep -v '^=== '
