// Package benchtext generates texts of a given size for benchmarks, so that all
// measure the same text.
package benchtext

import (
	"fmt"
	"strings"
)

// Library returns a tool library of about the given number of lines, ten a tool,
// without mistakes. Line 4+10n (from 0) is the description of tool n.
func Library(lines int) string {
	var b strings.Builder
	b.WriteString("TOOLS:\n  base_url: \"https://api.example.com\"\n\n")
	for i := range lines / 10 {
		fmt.Fprintf(&b, `  find_item_%d(query: string, limit: number = 10, tags: string[] = ["a"]) -> {items: {id: string, price?: number}[], total: number}
    description: "Finds items, number %d"
    type: http
    endpoint: "/items/{query}/%d"
    method: GET
    headers:
      X-Trace: "{{session.trace}}"
    hints:
      cacheable: true

`, i, i, i)
	}
	return b.String()
}

// Agent returns an agent of about the given number of lines, eleven a step, without
// mistakes.
func Agent(lines int) string {
	var b strings.Builder
	b.WriteString("AGENT: Sample\nGOAL: \"Find items\"\n\nTOOLS:\n  find(query: string) -> {total: number}\n    description: \"Finds items\"\n\nFLOW:\n")
	for i := range lines / 11 {
		fmt.Fprintf(&b, `  step_%d:
    REASONING: false
    CALL: find
      WITH:
        query: word_%d
      AS: found_%d
    ON_RESULT:
      - IF: result.total > %d
        SET: count_%d = result.total
    THEN: step_%d

`, i, i, i, i, i, (i+1)%max(lines/11, 1))
	}
	return b.String()
}

// AgentYAML returns the agent that [Agent] returns for the same number of lines, in YAML.
func AgentYAML(lines int) string {
	var b strings.Builder
	b.WriteString("agent: Sample\ngoal: \"Find items\"\n\ntools:\n  - name: find\n    description: \"Finds items\"\n    parameters:\n      - name: query\n        type: string\n    returns:\n      fields:\n        total: number\n\nflow:\n  steps:\n")
	for i := range lines / 11 {
		fmt.Fprintf(&b, `    step_%d:
      reasoning: false
      call: find
      call_with:
        query: word_%d
      call_as: found_%d
      on_result:
        - condition: result.total > %d
          set:
            count_%d: result.total
          then: step_%d
      then: step_%d

`, i, i, i, i, i, (i+1)%max(lines/11, 1), (i+1)%max(lines/11, 1))
	}
	return b.String()
}

// Toolbox returns a tools.yaml of MCP Toolbox of about the given number of lines, ten a
// tool, without mistakes. Line 6+10n (from 0) is the description of tool n.
func Toolbox(lines int) string {
	var b strings.Builder
	b.WriteString("sources:\n  pg: {kind: postgres, host: 127.0.0.1, port: 5432, database: x, user: u, password: \"${PG}\"}\ntools:\n")
	for i := range lines / 10 {
		fmt.Fprintf(&b, `  search_%d:
    kind: postgres-sql
    source: pg
    description: Finds flights ✈️
    statement: SELECT * FROM flights WHERE airline = $1 LIMIT $2
    parameters:
      - {name: airline, type: string, description: Two letters}
      - name: limit
        type: integer
        description: How many
`, i)
	}
	return b.String()
}

// Recif returns a Récif Agent with a number of tools, followed by these tools, twelve lines
// each.
func Recif(tools int) string {
	agent, rest := strings.Builder{}, strings.Builder{}
	agent.WriteString("apiVersion: agents.recif.dev/v1\nkind: Agent\nmetadata: {name: sre}\nspec:\n  name: S\n  tools:\n")
	for i := range tools {
		fmt.Fprintf(&agent, "    - weather-%d\n", i)
		fmt.Fprintf(&rest, `---
apiVersion: agents.recif.dev/v1
kind: Tool
metadata: {name: weather-%d}
spec:
  name: weather_%d
  type: http
  description: Weather ☀️
  endpoint: "https://weather.example.com/{city}"
  method: GET
  parameters:
    - {name: city, type: string, description: Which, required: true}
`, i, i)
	}
	return agent.String() + rest.String()
}
