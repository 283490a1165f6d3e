# shellcheck shell=bash disable=SC2154
corail=$demo/corail

heading "What abl-lsp does by itself: the time, and arithmetic that is never evaluated as code"
expect 0 bin/abl-lsp run $corail/builtin.tools.abl now --arg timezone=Europe/Lisbon
expect 0 bin/abl-lsp run $corail/builtin.tools.abl calculate --arg "expression=round(2 ** 0.5 * 100, 2) + 15 % 4"
expect 4 bin/abl-lsp run $corail/builtin.tools.abl calculate --arg "expression=__import__('os').system('id')"

heading "Search first, then read the page that looks right"
expect 0 bin/abl-lsp run $corail/builtin.tools.abl web_search --arg "query=Lisbon in June" --allow-host $addr
expect 0 bin/abl-lsp run $corail/builtin.tools.abl fetch_url --arg url=http://$addr/pages/lisbon --allow-host $addr
expect 1 bin/abl-lsp run $corail/builtin.tools.abl fetch_url --arg url=http://$addr/pages/picture --allow-host $addr

heading "A program of this machine, without a shell"
expect 0 bin/abl-lsp run $corail/toolchain.tools.abl toolchain --arg "command=list encoding/json encoding/hex" --arg test=false
expect 4 bin/abl-lsp run $corail/toolchain.tools.abl toolchain --arg "command=env"
expect 4 bin/abl-lsp run $corail/toolchain.tools.abl toolchain --arg "command=list std; id"
expect 4 bin/abl-lsp run $corail/toolchain.tools.abl toolchain --arg "command=list --exec=sh"

heading "A tool as Récif has it, unchanged"
expect 0 bin/abl-lsp run $corail/weather.tool.yaml weather --arg city=Lisbon --allow-host $addr
