#!/usr/bin/env bash
# What `make demo` does: builds abl-lsp, checks testdata/demo as an editor
# would, then runs its tools against a small API on loopback.
set -euo pipefail
cd "$(dirname "$0")/.."
demo=testdata/demo
tools=$demo/tools/weather.tools.abl
addr=127.0.0.1:8787 # named in the tool files
failed=0

heading() { printf '\n── %s\n' "$1"; }

# expect STATUS COMMAND...: shows the command, runs it, wants that exit code.
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

make --no-print-directory build
go build -o .cache/demo-api ./$demo/api

heading "An agent that imports two tools, with one mistake in it"
expect 1 bin/abl-lsp check $demo
expect 0 bin/abl-lsp tools $demo/agents/trip_planner.agent.abl

heading "A small API on $addr"
coproc api { exec .cache/demo-api -addr $addr; }
read -r -u "${api[0]}" line || {
  echo "demo: the API did not start; is something else listening on $addr?" >&2
  exit 1
}
echo "$line"

heading "What a run would send; nothing is sent"
expect 0 bin/abl-lsp run $tools get_weather --arg "city=São Paulo" --dry-run

heading "Loopback is a private address, so a run is refused until you allow it"
expect 3 bin/abl-lsp run $tools get_weather --arg "city=São Paulo"
expect 0 bin/abl-lsp run $tools get_weather --arg "city=São Paulo" --arg days=2 --allow-host $addr

heading "A booking changes something, so it asks; --yes is the answer"
booking=$(printf '{"city":"Lisbon","from":"2026-06-01","to":"2026-06-04","travellers":2}')
expect 3 bin/abl-lsp run $tools book_trip --args "$booking" --allow-host $addr
expect 0 bin/abl-lsp run $tools book_trip --args "$booking" --allow-host $addr --yes

heading "The misspelled tool does not run, and says why; the others do not mind"
expect 5 bin/abl-lsp run $demo/agents/trip_planner.agent.abl local_time --arg city=Lisbon --allow-host $addr

exit $failed
