package lsp

import (
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/internal/benchtext"
)

// yamlAgentFile is where the benchmarks have an agent in YAML.
const yamlAgentFile uri.URI = "file:///p/a.agent.yaml"

// BenchmarkKeystrokeAgent measures a letter typed into a step of the same agent in both dialects.
func BenchmarkKeystrokeAgent(b *testing.B) {
	for _, agent := range agentsOf5000Lines() {
		b.Run(agent.dialect, func(b *testing.B) {
			s := newServerWithDocument(b, agent.at, agent.text)
			b.ReportAllocs()
			for version := int32(2); b.Loop(); version++ {
				s.typeIntoAgent(b, agent, version)
			}
		})
	}
}

// TestKeystrokeAllocationsYAML checks that a keystroke in an agent in YAML allocates at most twice
// as much as in the same agent in ABL.
func TestKeystrokeAllocationsYAML(t *testing.T) {
	counts := map[string]float64{}
	for _, agent := range agentsOf5000Lines() {
		s := newServerWithDocument(t, agent.at, agent.text)
		version := int32(2)
		counts[agent.dialect] = testing.AllocsPerRun(10, func() {
			s.typeIntoAgent(t, agent, version)
			version++
		})
	}
	if counts["yaml"] > 2*counts["abl"] {
		t.Errorf("%.0f allocations in YAML, %.0f in ABL", counts["yaml"], counts["abl"])
	}
}

// benchAgent is an agent with a line whose 20th column is inside a word.
type benchAgent struct {
	dialect string
	at      uri.URI
	text    string
	line    int
}

func agentsOf5000Lines() []benchAgent {
	abl, yaml := benchtext.Agent(5000), benchtext.AgentYAML(5000)
	lineOf := func(source, word string) int { return strings.Count(source[:strings.Index(source, word)], "\n") }
	return []benchAgent{
		{"abl", "file:///p/a.agent.abl", abl, lineOf(abl, "word_200\n")},
		{"yaml", yamlAgentFile, yaml, lineOf(yaml, "word_200\n")},
	}
}

// typeIntoAgent types a letter, or removes the last one, and asks for the diagnostics.
func (s *server) typeIntoAgent(t testing.TB, agent benchAgent, version int32) {
	d := typeLetter(t, s, agent.at, agent.line, version)
	s.diagnostics.documentReport(t.Context(), s.session.load(), d)
}
