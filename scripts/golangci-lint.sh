#!/usr/bin/env bash
# Runs golangci-lint with the given arguments, in the version of versions.sh. Exits 3
# if it cannot get the program, after saying why.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/versions.sh
program=$(scripts/gotool.sh github.com/golangci/golangci-lint/v2/cmd/golangci-lint "$golangci_lint" version --short)
export GOLANGCI_LINT_CACHE=$PWD/.cache/golangci-lint
exec "$program" "$@"
