#!/usr/bin/env bash
# What `make bench` does: gets the programs that are measured beside this one, and
# measures. Arguments go to internal/bench; -only, for one, names the experiments.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/npm.sh npm-bench || echo "left out: tombi and MCP Toolbox" >&2
go run ./internal/bench -history testdata/bench/history.jsonl "$@"
