#!/usr/bin/env bash
# Runs golangci-lint with the given arguments, in the version of versions.sh:
# the one on PATH if it is that one, else one built below .cache (1-2 minutes,
# once). Exits 3 when it can't be had, after saying why.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/versions.sh

program=$PWD/.cache/tools/golangci-lint-$golangci_lint
if [ ! -x "$program" ]; then
  if command -v golangci-lint > /dev/null && golangci-lint version --short 2> /dev/null | grep -qxF "$golangci_lint"; then
    program=$(command -v golangci-lint)
  else
    echo "building golangci-lint $golangci_lint into .cache (once)" >&2
    build=.cache/tools/build
    mkdir -p "$build"
    printf 'module tools\n\ngo 1.26.0\n' > "$build/go.mod"
    package=github.com/golangci/golangci-lint/v2/cmd/golangci-lint
    if ! log=$(cd "$build" && { go get "$package@v$golangci_lint" && go build -o "$program" "$package"; } 2>&1); then
      echo "left out: golangci-lint, because it does not build here: $(tail -1 <<< "$log")" >&2
      exit 3
    fi
    rm -rf "$build"
  fi
fi

export GOLANGCI_LINT_CACHE=$PWD/.cache/golangci-lint
exec "$program" "$@"
