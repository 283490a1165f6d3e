#!/usr/bin/env bash
# npm.sh [NAME]: installs the packages of scripts/NAME, else those of scripts/npm, into
# .cache/NAME/node_modules, in the versions of the lock file there. A second call does
# nothing until the lock file changes. If it fails, it says why and exits 1.
set -euo pipefail
cd "$(dirname "$0")/.."
from=scripts/${1:-npm}
into=.cache/${1:-npm}
[ ! -d "$into/node_modules" ] || ! cmp -s "$from/package-lock.json" "$into/installed" || exit 0
command -v npm > /dev/null || {
  echo "this machine has no npm" >&2
  exit 1
}
mkdir -p "$into"
cp "$from/package.json" "$from/package-lock.json" "$from/.npmrc" "$into/"
if ! log=$(cd "$into" && npm ci --loglevel=error 2>&1); then
  echo "npm: $(tail -1 <<< "$log")" >&2
  exit 1
fi
rm -f "$into/installed" # the file may be shared with a copy of this folder
cp "$from/package-lock.json" "$into/installed"
