#!/usr/bin/env bash
# Writes the generated files: the list of the kinds of tools from their files, the JSON
# schemas and tables of docs from the schema tables, and the parser from grammar.js. It
# records the version of the tree-sitter CLI, because another version writes another parser.c.
set -euo pipefail
cd "$(dirname "$0")/.."
go run ./internal/generate/kinds
go run ./internal/generate
command -v tree-sitter > /dev/null || [ -x .cache/bin/tree-sitter ] || scripts/testdeps.sh > /dev/null || true
export PATH=$PATH:$PWD/.cache/bin
HOME=$(mktemp -d)
export HOME
trap 'rm -rf "$HOME"' EXIT
syntax/grammar/generate.sh
tree-sitter --version | cut -d ' ' -f 2 > syntax/grammar/.tree-sitter-version
