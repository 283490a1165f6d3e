# shellcheck shell=bash disable=SC2154
service=$demo/service
sure= # without a jail each run is confirmed
[ "$(uname)" = Linux ] || sure=--yes

print_heading "The tool definitions of a service, and the module with their functions"
expect 0 bin/abl-lsp tools $service/github.tools.ts
expect 4 bin/abl-lsp run $service/github.tools.ts listRepositories --arg per_page=500
expect 3 bin/abl-lsp run $service/github.tools.ts listRepositories --arg per_page=2 $sure
export DEMO_GITHUB_TOKEN=demo-github-token
expect 3 bin/abl-lsp run $service/github.tools.ts listRepositories --arg per_page=2 $sure
expect 0 bin/abl-lsp run $service/github.tools.ts listRepositories --arg per_page=2 --allow-host $addr $sure

print_heading "mutation: true asks first; streaming: true shows each word as it comes"
expect 3 bin/abl-lsp run $service/github.tools.ts createRepository --arg name=atlas --allow-host $addr
expect 0 bin/abl-lsp run $service/github.tools.ts createRepository --arg name=atlas --allow-host $addr --yes
expect 0 bin/abl-lsp run $service/github.tools.ts streamMessage --arg "question=How is the weather?" --allow-host $addr $sure
unset DEMO_GITHUB_TOKEN
