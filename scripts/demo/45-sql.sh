# shellcheck shell=bash disable=SC2154
flights=$demo/sql/flights.tools.abl
rm -f .cache/flights.db

heading "SQL on a database of this project; what changes something asks first"
expect 3 bin/abl-lsp run $flights make_flights
expect 0 bin/abl-lsp run $flights make_flights --yes
expect 0 bin/abl-lsp run $flights add_flight --arg airline=CY --arg flight_number=0123 --arg price=10.5 --yes
expect 0 bin/abl-lsp run $flights add_flight --arg airline=DL --arg flight_number=888 --arg price=99 --yes

heading "Values are bound, and a text of digits stays a text"
expect 0 bin/abl-lsp run $flights search_flights_by_number --arg airline=CY --arg flight_number=0123
expect 0 bin/abl-lsp run $flights search_flights_by_number --arg airline=CY --arg "flight_number=' OR 1=1 --"

heading "What is pasted into a statement can only be a name"
expect 0 bin/abl-lsp run $flights list_flights --arg 'columns=["airline", "price"]' --dry-run
expect 4 bin/abl-lsp run $flights list_flights --arg 'columns=["airline"]' --arg "table=flights; DROP TABLE flights"

heading "A statement of the caller's own, by a tool of MCP Toolbox"
expect 0 bin/abl-lsp run $demo/sql/tools.yaml anything --arg 'sql=SELECT count(*) AS n FROM flights'
expect 3 bin/abl-lsp run $demo/sql/tools.yaml anything --arg 'sql=DELETE FROM flights'
