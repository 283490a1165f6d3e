#!/usr/bin/env bash
# Installs the packages of scripts/npm into .cache/npm/node_modules, in the versions
# of its lock file. A second call does nothing until that changes. Exits 1 when they
# can't be had, after saying why.
set -euo pipefail
cd "$(dirname "$0")/.."
into=.cache/npm
[ ! -d $into/node_modules ] || ! cmp -s scripts/npm/package-lock.json $into/installed || exit 0
command -v npm > /dev/null || {
  echo "this machine has no npm" >&2
  exit 1
}
mkdir -p $into
cp scripts/npm/package.json scripts/npm/package-lock.json scripts/npm/.npmrc $into/
if ! log=$(cd $into && npm ci --loglevel=error 2>&1); then
  echo "npm: $(tail -1 <<< "$log")" >&2
  exit 1
fi
rm -f $into/installed # which may be shared with a copy of this folder
cp scripts/npm/package-lock.json $into/installed
