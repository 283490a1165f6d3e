#!/bin/bash
# Writes the parser from grammar.js, and into the Go binding a sum over the C
# sources: cgo does not look into included files, so that without it Go would go
# on using an old build.
#   TREE_SITTER=/path/to/tree-sitter syntax/grammar/generate.sh
set -euo pipefail
export LC_ALL=C # the order of the headers
cd "$(dirname "$0")"
if [ "${1:-}" != --sum ]; then
  "${TREE_SITTER:-tree-sitter}" generate --abi 14
fi
sum=$(cat src/parser.c src/scanner.c src/*.h | sha256sum | cut -c1-16)
sed -i.bak "s|^// #define ABL_SOURCES .*|// #define ABL_SOURCES \"$sum\"|" bindings/go/binding.go
rm -f bindings/go/binding.go.bak
