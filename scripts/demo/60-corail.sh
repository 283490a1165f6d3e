# shellcheck shell=bash disable=SC2154
heading "A tool as Récif has it, unchanged"
expect 0 bin/abl-lsp run $demo/corail/weather.tool.yaml weather --arg city=Lisbon --allow-host $addr
