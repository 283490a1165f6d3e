# shellcheck shell=bash disable=SC2154
print_heading "A tool of Récif, unchanged"
expect 0 bin/abl-lsp run $demo/corail/weather.tool.yaml weather --arg city=Lisbon --allow-host $addr
