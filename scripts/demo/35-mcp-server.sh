# shellcheck shell=bash disable=SC2154
client=(node cmd/abl-lsp/testdata/mcp-client.mjs .cache/npm/node_modules)

heading "The other way round: the tools of a file as an MCP server, for a client of the protocol's own library"
expect 0 "${client[@]}" '{"calls": [{"name": "calculate", "arguments": {"expression": "6 * 7"}}]}' \
  bin/abl-lsp mcp $demo/corail/builtin.tools.abl
