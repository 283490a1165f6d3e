#!/usr/bin/env bash
# `make bench`: gets the programs that this one is compared with, and measures.
# Arguments go to internal/bench; for example -only names the experiments.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/npm.sh npm-bench || echo "left out: tombi and MCP Toolbox" >&2
go run ./internal/bench -history testdata/bench/history.jsonl "$@"
