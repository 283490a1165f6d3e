#!/usr/bin/env bash
# Gets the real counterparts that the tests drive (the tree-sitter CLI, the
# newest and the oldest Neovim) and puts what it found into .cache/bin. What
# is on PATH already is taken as it is. Exits 1 when something is left out,
# after saying on stderr what and why.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
. scripts/versions.sh
bin=.cache/bin
mkdir -p $bin
left_out=0

# rig NAME PROGRAM SUITE PACKAGE...: makes NAME runnable.
rig() {
  local name=$1 program=$2 suite=$3 root reason
  shift 3
  if command -v "$name" > /dev/null; then
    rm -f "$bin/$name"
    echo "$name: $(command -v "$name")"
    return
  fi
  root=.cache/debian/$suite
  if reason=$(scripts/debian.sh "$root" "$suite" "$@" 2>&1) && reason=$(scripts/debian.sh --wrap "$root" "$program" "$bin/$name" 2>&1); then
    echo "$name: $bin/$name ($("$bin/$name" --version | head -1), Debian $suite)"
    return
  fi
  rm -f "$bin/$name"
  echo "left out: $name, because $reason" >&2
  left_out=1
}

rig tree-sitter tree-sitter "$newest_suite" neovim tree-sitter-cli
rig nvim nvim "$newest_suite" neovim tree-sitter-cli
rig nvim-oldest nvim "$oldest_suite" neovim
exit $left_out
