#!/usr/bin/env bash
# Prints the path of a Go program in a given version: the one on PATH if it has this
# version, else one built below .cache (golangci-lint takes 1-2 minutes, once).
#
#   gotool.sh PACKAGE VERSION FLAG...    the flags make the program print its version
#
# If it cannot get the program, it says why and exits 3.
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
