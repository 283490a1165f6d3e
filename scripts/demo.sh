#!/usr/bin/env bash
# `make demo`: builds abl-lsp, checks testdata/demo as an editor would, then runs its
# tools and the examples of docs/tools (scripts/demo/*.sh, each a chapter) against servers
# that it starts on loopback.
set -euo pipefail
cd "$(dirname "$0")/.."
demo=testdata/demo
failed=0

print_heading() { printf '\n── %s\n' "$1"; }

# expect STATUS COMMAND...: shows the command, runs it, and checks its exit code.
expect() {
  local want=$1 got=0
  shift
  printf '\n$ %s\n' "${*@Q}" | sed "s/'\([A-Za-z0-9_.:/=-]*\)'/\1/g"
  "$@" || got=$?
  [ $got -eq "$want" ] || {
    echo "demo: exit $got, expected $want" >&2
    failed=1
  }
}

# serve COMMAND...: starts a server that prints a line when it is ready. It ends with the
# demo: by a signal, or by the end of its input.
servers=()
serve() {
  local line out
  exec {out}< <(exec "$@" < "$state/alive" {alive}>&-)
  servers+=($!)
  read -r -u "$out" line || {
    echo "demo: $1 did not start; does something else listen at its address?" >&2
    exit 1
  }
  echo "$line"
}
clean_up() {
  [ ${#servers[@]} -eq 0 ] || kill "${servers[@]}" 2> /dev/null || true
  rm -rf "$state"
}
state=
trap clean_up EXIT

make --no-print-directory build
state=$(mktemp -d)
export ABL_STATE_DIR=$state # the demo leaves no trace among your runs
export ABL_CACHE_DIR=$PWD/.cache/abl-lsp # the tests use the same folder
mkfifo "$state/alive"
exec {alive}<> "$state/alive"

for chapter in scripts/demo/*.sh; do
  # shellcheck disable=SC1090
  . "$chapter"
done
exit $failed
