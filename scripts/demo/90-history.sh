# shellcheck shell=bash disable=SC2154
heading "What was run, the newest first"
expect 0 bin/abl-lsp history --limit 5
