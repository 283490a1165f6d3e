#!/usr/bin/env bash
# Prints where a program of Go is in the wanted version: the one on PATH if it is that
# one, else one built below .cache (golangci-lint takes 1-2 minutes, once).
#
#   gotool.sh PACKAGE VERSION FLAG...    with the flags the program says its version
#
# Exits 3 when it can't be had, after saying why.
set -euo pipefail
cd "$(dirname "$0")/.."
package=$1 version=$2 name=${1##*/}
shift 2

program=$PWD/.cache/tools/$name-$version
if [ ! -x "$program" ]; then
  if command -v "$name" > /dev/null && [ "$("$name" "$@" 2> /dev/null | head -1)" = "$version" ]; then
    program=$(command -v "$name")
  else
    echo "building $name $version into .cache (once)" >&2
    build=.cache/tools/build-$name
    mkdir -p "$build"
    printf 'module tools\n\ngo 1.26.0\n' > "$build/go.mod"
    if ! log=$(cd "$build" && { go get "$package@v$version" && go build -o "$program" "$package"; } 2>&1); then
      echo "left out: $name, because it does not build here: $(tail -1 <<< "$log")" >&2
      exit 3
    fi
    rm -rf "$build"
  fi
fi
echo "$program"
