# shellcheck shell=bash disable=SC2154
client=(node cmd/abl-lsp/testdata/mcp-client.mjs .cache/npm/node_modules)

print_heading "The tools of a file as an MCP server, for a client of the protocol's own library"
expect 0 "${client[@]}" '{"calls": [{"name": "weather", "arguments": {"city": "Lisbon"}}]}' \
  bin/abl-lsp mcp --allow-host $addr $demo/corail/weather.tool.yaml
