# What the scripts install, in one place. Sourced, not run.
# shellcheck shell=bash disable=SC2034

golangci_lint=2.15.0

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
