# shellcheck shell=bash disable=SC2154
scripts/npm.sh
auth=$demo/auth/loyalty.tools.abl
login=127.0.0.1:8795 # named in abl.yaml beside it

print_heading "A tool that signs in by OAuth: what it would send, with a placeholder for the token"
expect 0 bin/abl-lsp run $auth whoami --dry-run

print_heading "A run asks for the client's secret, which goes only to the OAuth server on $login"
serve node internal/oauthtest/provider.mjs .cache/npm/node_modules ${login#*:} 2> /dev/null
expect 3 bin/abl-lsp run $auth whoami --allow-host 127.0.0.1
export LOYALTY_SECRET=service+secret/42
expect 0 bin/abl-lsp run $auth whoami --allow-host 127.0.0.1

print_heading "If a person must sign in, a terminal or an editor waits; a script gets an error"
expect 3 bin/abl-lsp run $auth my_points --allow-host 127.0.0.1 < /dev/null
