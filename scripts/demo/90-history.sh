# shellcheck shell=bash disable=SC2154
print_heading "Past runs, the newest first"
expect 0 bin/abl-lsp history --limit 5
