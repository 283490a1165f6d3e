# What the scripts install, in one place. Sourced, not run.
# shellcheck shell=bash disable=SC2034

golangci_lint=2.15.0
actionlint=1.7.12 # reads the workflows

# Debian suites that hold the newest and the oldest Neovim the tests run, the
# oldest that the grammar's queries are for (0.10), Helix, and the tree-sitter CLI
# (its version is in syntax/grammar/.tree-sitter-version).
newest_suite=forky
queries_suite=trixie
oldest_suite=bookworm

# Go modules that carry the schemas of the report formats: SARIF as OASIS
# publishes it, JUnit as Jenkins reads it.
sarif_schema=github.com/securego/gosec/v2@v2.29.0
junit_schema=github.com/yannh/kubeconform@v0.8.0

# code-server is VS Code: 4.139.1 is its 1.139, and 4.93.1 its 1.93, the oldest that
# engines.vscode of the extension names. Each comes with the Node that it is for.
code_server_newest=4.139.1
code_server_newest_node=24.21.0
code_server_oldest=4.93.1
code_server_oldest_node=20.18.0
