# The versions that the scripts install, in one place. This file is sourced, not run.
# shellcheck shell=bash disable=SC2034

golangci_lint=2.15.0
actionlint=1.7.12 # checks the workflows

# Debian suites with the newest and the oldest Neovim that the tests run, the oldest
# Neovim that the grammar's queries support (0.10), Helix, and the tree-sitter CLI
# (its version is in syntax/grammar/.tree-sitter-version).
newest_suite=forky
queries_suite=trixie
oldest_suite=bookworm

# Go modules that contain the schemas of the report formats: SARIF as published by
# OASIS, JUnit as read by Jenkins.
sarif_schema=github.com/securego/gosec/v2@v2.29.0
junit_schema=github.com/yannh/kubeconform@v0.8.0

# code-server is VS Code: 4.139.1 is its 1.139, and 4.93.1 its 1.93, the oldest that
# engines.vscode of the extension names. Each needs the version of Node below it.
code_server_newest=4.139.1
code_server_newest_node=24.21.0
code_server_oldest=4.93.1
code_server_oldest_node=20.18.0
