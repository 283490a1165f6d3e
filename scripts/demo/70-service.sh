# shellcheck shell=bash disable=SC2154
. scripts/versions.sh
service=$demo/service
if [ "$(uname)" = Linux ] && ! command -v bwrap > /dev/null; then # a module runs in its jail
  PATH=$PATH:$PWD/.cache/bin
  command -v bwrap > /dev/null ||
    { scripts/debian.sh .cache/debian/bubblewrap "$oldest_suite" bubblewrap && scripts/debian.sh --wrap .cache/debian/bubblewrap bwrap .cache/bin/bwrap; }
fi
sure= # without a jail each run is confirmed
[ "$(uname)" = Linux ] || sure=--yes

heading "The tools of a service as it documents them, and the module that handles them"
expect 0 bin/abl-lsp tools $service/github.tools.ts
expect 4 bin/abl-lsp run $service/github.tools.ts listRepositories --arg per_page=500
expect 3 bin/abl-lsp run $service/github.tools.ts listRepositories --arg per_page=2 $sure
export DEMO_GITHUB_TOKEN=demo-github-token
expect 3 bin/abl-lsp run $service/github.tools.ts listRepositories --arg per_page=2 $sure
expect 0 bin/abl-lsp run $service/github.tools.ts listRepositories --arg per_page=2 --allow-host $addr $sure

heading "mutation: true asks first; streaming: true shows each word as it comes"
expect 3 bin/abl-lsp run $service/github.tools.ts createRepository --arg name=atlas --allow-host $addr
expect 0 bin/abl-lsp run $service/github.tools.ts createRepository --arg name=atlas --allow-host $addr --yes
expect 0 bin/abl-lsp run $service/github.tools.ts streamMessage --arg "question=How is the weather?" --allow-host $addr $sure
unset DEMO_GITHUB_TOKEN

heading "A function of a module beside the file, in a jail on Linux"
expect 0 bin/abl-lsp run $service/words.tools.abl count_words --arg "text=The quick brown fox jumps" $sure
[ "$(uname)" != Linux ] || expect 1 bin/abl-lsp run $service/words.tools.abl read_passwords
