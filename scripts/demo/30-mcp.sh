# shellcheck shell=bash disable=SC2154
scripts/npm.sh
mcp=$demo/mcp/everything.tools.abl
mcp_addr=127.0.0.1:8788 # named in abl.yaml beside it

heading "A tool of an MCP server, which abl.yaml says how to start; nothing is started yet"
expect 0 bin/abl-lsp run $mcp echo --arg message=hello --dry-run

heading "What a server does nobody can know, so it asks; --yes is the answer"
expect 3 bin/abl-lsp run $mcp echo --arg message=hello
expect 0 bin/abl-lsp run $mcp echo --arg message=hello --yes

heading "A structured answer, and what the server says of a town that it does not know"
expect 0 bin/abl-lsp run $mcp weather_in --arg "location=New York"
expect 1 bin/abl-lsp run $mcp weather_in --arg location=Atlantis

heading "The same server, where it listens on $mcp_addr"
serve env PORT=${mcp_addr#*:} node .cache/npm/node_modules/@modelcontextprotocol/server-everything/dist/index.js streamableHttp
for _ in {1..100}; do
  (exec 3<> "/dev/tcp/${mcp_addr%:*}/${mcp_addr#*:}") 2> /dev/null && break
  sleep 0.1
done
expect 0 bin/abl-lsp run $mcp add --arg a=2 --arg b=3.5 --allow-host $mcp_addr
