#!/usr/bin/env bash
# Runs Go's benchmarks and prints only their lines. Arguments go to go test.
set -euo pipefail
cd "$(dirname "$0")/.."
go test -run '^$' -bench . -benchmem "$@" ./... | awk '/^(Benchmark|cpu:|FAIL|panic|---)/'
