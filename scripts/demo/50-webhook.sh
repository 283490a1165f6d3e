# shellcheck shell=bash disable=SC2154
reports=$demo/tools/reports.tools.abl

heading "A report that is ordered now, and comes a second later by a callback"
expect 0 bin/abl-lsp run $reports generate_report --arg report_type=revenue --arg date_range=2026-Q1 --dry-run
expect 3 bin/abl-lsp run $reports generate_report --arg report_type=revenue --arg date_range=2026-Q1 --allow-host $addr
expect 0 bin/abl-lsp run $reports generate_report --arg report_type=revenue --arg date_range=2026-Q1 --allow-host $addr --yes
