#!/usr/bin/env bash
# Gets the real counterparts that the tests need (the tree-sitter CLI, Helix, the
# newest and the oldest Neovim and one between, Emacs, Vim, VS Code and a browser,
# xmllint, zsh, fish, curl, Git, a Secret Service, sandboxes, database servers) and puts them
# into .cache/bin. Schemas of reports go into .cache/schemas, packages from npm into
# .cache/npm, MCP's official test suite into .cache/npm-conformance, and MCP Toolbox into
# .cache/npm-bench. A program that is already on PATH is used. If something is left out,
# it says on stderr what and why, and exits 1.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
. scripts/versions.sh
bin=.cache/bin
mkdir -p $bin
left_out=0
PATH=$(tr : '\n' <<< "$PATH" | grep -vx "$PWD/$bin" | paste -sd:) # earlier results of this script are not programs of the machine

# provide NAME PROGRAM SUITE PACKAGE...: makes NAME runnable.
provide() {
  local name=$1 program=$2 suite=$3 root reason
  shift 3
  if command -v "$name" > /dev/null; then
    rm -f "$bin/$name"
    echo "$name: $(command -v "$name")"
    return
  fi
  root=.cache/debian/$suite
  if reason=$(scripts/debian.sh "$root" "$suite" "$@" 2>&1) && reason=$(scripts/debian.sh --wrap "$root" "$program" "$bin/$name" 2>&1); then
    echo "$name: $bin/$name ($("$bin/$name" --version 2>&1 | head -1), Debian $suite)"
    return
  fi
  rm -f "$bin/$name"
  echo "left out: $name, because $reason" >&2
  left_out=1
}

# provide_databases makes the database servers runnable that the tests start. PostgreSQL's
# initdb starts the server in its own folder, so both come from the same place.
provide_databases() {
  local root=.cache/debian/databases reason pair found
  for pair in "initdb postgres" "mariadbd" "pgbouncer" "redis-server"; do
    found=$(PATH=$PATH:/usr/sbin command -v "${pair%% *}" || find /usr/lib/postgresql -name "${pair%% *}" 2> /dev/null | tail -1)
    for program in $pair; do
      rm -f "$bin/$program"
      if [ -n "$found" ]; then
        echo "$program: $(dirname "$found")/$program"
      elif reason=$(scripts/debian.sh "$root" "$oldest_suite" postgresql-15 mariadb-server-core pgbouncer redis-server 2>&1) &&
        reason=$(scripts/debian.sh --wrap "$root" "$program" "$bin/$program" 2>&1); then
        echo "$program: $bin/$program ($("$bin/$program" --version 2>&1 | head -1), Debian $oldest_suite)"
      else
        echo "left out: $program, because $reason" >&2
        left_out=1
      fi
    done
  done
}

# provide_editors makes Emacs, Vim and tmux runnable, and puts Vim's plugin ALE into
# .cache/vim-ale.
provide_editors() {
  local root=.cache/debian/editors reason pair name program
  rm -f .cache/vim-ale
  for pair in "emacs emacs-nox" "vim vim.basic" "tmux tmux" vim-ale; do
    read -r name program <<< "$pair"
    rm -f "$bin/$name"
    if command -v "$name" > /dev/null; then
      echo "$name: $(command -v "$name")"
    elif ! reason=$(scripts/debian.sh "$root" "$oldest_suite" emacs-nox elpa-eglot vim vim-ale tmux 2>&1); then
      echo "left out: $name, because $reason" >&2
      left_out=1
    elif [ "$name" = vim-ale ]; then
      ln -s "debian/editors/usr/share/vim-ale" .cache/vim-ale
      echo "vim-ale: .cache/vim-ale (Debian $oldest_suite)"
    elif reason=$(scripts/debian.sh --wrap "$root" "$program" "$bin/$name" 2>&1); then
      echo "$name: $bin/$name ($("$bin/$name" --version 2> /dev/null | head -1), Debian $oldest_suite)"
    else
      echo "left out: $name, because $reason" >&2
      left_out=1
    fi
  done
}

# provide_schema NAME MODULE FILE: copies a file out of a Go module.
provide_schema() {
  local name=$1 module=$2 file=$3 dir reason
  mkdir -p .cache/schemas
  if reason=$(cd / && go mod download "$module" 2>&1) &&
    dir=$(cd / && go list -m -f '{{.Dir}}' "$module") &&
    reason=$(cp -f "$dir/$file" ".cache/schemas/$name" 2>&1); then
    echo "$name: .cache/schemas/$name (of $module)"
    return
  fi
  rm -f ".cache/schemas/$name"
  echo "left out: $name, because $reason" >&2
  left_out=1
}

# This takes the longest, and does not need the rest.
vscode_log=$(mktemp)
trap 'rm -f "$vscode_log"' EXIT
scripts/vscode.sh 2> "$vscode_log" &
vscode=$!

# All packages of one suite, because a suite is unpacked once.
newest_packages=(neovim tree-sitter-cli hx)
oldest_packages=(neovim libxml2-utils dbus gnome-keyring bubblewrap runsc curl zsh fish git)

provide tree-sitter tree-sitter "$newest_suite" "${newest_packages[@]}"
provide nvim nvim "$newest_suite" "${newest_packages[@]}"
provide hx hx "$newest_suite" "${newest_packages[@]}"
provide nvim-0.10 nvim "$queries_suite" neovim
provide nvim-oldest nvim "$oldest_suite" "${oldest_packages[@]}"
provide xmllint xmllint "$oldest_suite" "${oldest_packages[@]}"
provide dbus-daemon dbus-daemon "$oldest_suite" "${oldest_packages[@]}"
provide gnome-keyring-daemon gnome-keyring-daemon "$oldest_suite" "${oldest_packages[@]}"
provide bwrap bwrap "$oldest_suite" "${oldest_packages[@]}"
provide runsc runsc "$oldest_suite" "${oldest_packages[@]}"
provide curl curl "$oldest_suite" "${oldest_packages[@]}"
provide zsh zsh "$oldest_suite" "${oldest_packages[@]}"
provide fish fish "$oldest_suite" "${oldest_packages[@]}"
provide git git "$oldest_suite" "${oldest_packages[@]}"
provide_databases
provide_editors
provide_schema sarif.json "$sarif_schema" report/sarif/testdata/sarif-schema-2.1.0.json
provide_schema junit.xsd "$junit_schema" fixtures/junit.xsd
if reason=$(scripts/npm.sh 2>&1); then
  echo "npm packages: .cache/npm/node_modules"
else
  echo "left out: the npm packages of scripts/npm, because $reason" >&2
  left_out=1
fi
if reason=$(scripts/npm.sh npm-conformance 2>&1); then
  echo "MCP's test suite: .cache/npm-conformance/node_modules"
else
  echo "left out: the npm packages of scripts/npm-conformance, because $reason" >&2
  left_out=1
fi
if reason=$(scripts/npm.sh npm-bench 2>&1); then
  echo "MCP Toolbox: .cache/npm-bench/node_modules"
else
  echo "left out: the npm packages of scripts/npm-bench, because $reason" >&2
  left_out=1
fi
if reason=$(scripts/sandbox.sh 2>&1); then
  echo "sandbox: executor/sandbox/wasm"
else
  echo "left out: the WebAssembly of the sandbox, because $reason" >&2
  left_out=1
fi
wait $vscode || {
  cat "$vscode_log" >&2
  left_out=1
}
exit $left_out
