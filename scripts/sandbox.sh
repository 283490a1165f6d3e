#!/usr/bin/env bash
# Makes the WebAssembly for the code of sandbox tools, which abl-lsp embeds, from packages
# of npm, and puts it into executor/sandbox/wasm. A second call does nothing until the
# versions of the packages or the program that makes it change. If it fails, it says why and
# exits 1.
set -euo pipefail
cd "$(dirname "$0")/.."
into=executor/sandbox/wasm
made=.cache/sandbox.made

now=$(cat scripts/npm/package-lock.json {cmd/sandboxkit,executor/sandbox/quickjs,executor/sandbox/packed}/* | cksum)
if [ -f $into/python.wasm.zst ] && [ -f $into/javascript.saved.zst ] && [ "$(cat $made 2> /dev/null)" = "$now" ]; then
  exit 0
fi
scripts/npm.sh
rm -f $into/{javascript,python}.*
go run ./cmd/sandboxkit .cache/npm/node_modules $into
echo "$now" > $made
