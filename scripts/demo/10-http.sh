# shellcheck shell=bash disable=SC2154
tools=$demo/tools/weather.tools.abl
addr=127.0.0.1:8787 # named in the tool files
go build -o .cache/demo-api ./$demo/api

print_heading "An agent that imports two tools, with one mistake in it"
expect 1 bin/abl-lsp check $demo
expect 0 bin/abl-lsp tools $demo/agents/trip_planner.agent.abl

print_heading "A small API on $addr"
serve .cache/demo-api -addr $addr

print_heading "What a run would send; nothing is sent"
expect 0 bin/abl-lsp run $tools get_weather --arg "city=São Paulo" --dry-run

print_heading "Loopback is a private address, so a run is refused until you allow it"
expect 3 bin/abl-lsp run $tools get_weather --arg "city=São Paulo"
expect 0 bin/abl-lsp run $tools get_weather --arg "city=São Paulo" --arg days=2 --allow-host $addr

print_heading "A booking changes something, so it asks; --yes is the answer"
booking=$(printf '{"city":"Lisbon","from":"2026-06-01","to":"2026-06-04","travellers":2}')
expect 3 bin/abl-lsp run $tools book_trip --args "$booking" --allow-host $addr
expect 0 bin/abl-lsp run $tools book_trip --args "$booking" --allow-host $addr --yes

print_heading "The misspelled tool does not run, and says why; the other tools still run"
expect 5 bin/abl-lsp run $demo/agents/trip_planner.agent.abl local_time --arg city=Lisbon --allow-host $addr
