#!/usr/bin/env bash
# Types every block of testdata/corpus letter by letter, and checks what the editor shows.
set -euo pipefail
cd "$(dirname "$0")/.."
go test ./lsp -run 'TestTypingReplay$' -typing 0 -timeout 120m -count 1
