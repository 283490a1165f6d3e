package lsp

import (
	"runtime"
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

// TestKeystrokeAllocationsYAML checks how much a keystroke in an agent in YAML allocates, compared
// with the same agent in ABL.
func TestKeystrokeAllocationsYAML(t *testing.T) {
	counts, bytes := map[string]float64{}, map[string]float64{}
	for _, agent := range agentsOf5000Lines() {
		s := newServerWithDocument(t, agent.at, agent.text)
		version := int32(2)
		typeLetter := func() {
			s.typeIntoAgent(t, agent, version)
			version++
		}
		before := allocatedBytes()
		counts[agent.dialect] = testing.AllocsPerRun(10, typeLetter)
		bytes[agent.dialect] = float64(allocatedBytes()-before) / 11 // one more to warm up
	}
	if counts["yaml"] > 1.1*counts["abl"] {
		t.Errorf("%.0f allocations in YAML, %.0f in ABL", counts["yaml"], counts["abl"])
	}
	if bytes["yaml"] > 2*bytes["abl"] {
		t.Errorf("%.0f bytes in YAML, %.0f in ABL", bytes["yaml"], bytes["abl"])
	}
}

// allocatedBytes returns how many bytes the process has allocated since it began.
func allocatedBytes() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

// TestMemoryYAML checks how much of Go's memory an open agent in YAML takes, compared with the same
// agent in ABL, also after letters were typed in many of its steps. The tables that all agents of a dialect
// share are not counted.
func TestMemoryYAML(t *testing.T) {
	inUse := map[string]int64{}
	newServerWithDocument(t, "file:///p/a.agent.abl", benchtext.Agent(11))
	newServerWithDocument(t, yamlAgentFile, benchtext.AgentYAML(11))
	for _, agent := range agentsOf5000Lines() {
		before := heapInUse()
		s := newServerWithDocument(t, agent.at, agent.text)
		version := int32(2)
		for i, line := range strings.Split(agent.text, "\n") {
			if strings.Contains(line, "query: word_") && i%10 == 0 {
				agent.line = i
				s.typeIntoAgent(t, agent, version)
				version++
			}
		}
		inUse[agent.dialect] = heapInUse() - before
		runtime.KeepAlive(s)
	}
	if 2*inUse["yaml"] > 5*inUse["abl"] {
		t.Errorf("%d bytes in YAML, %d in ABL", inUse["yaml"], inUse["abl"])
	}
}

// heapInUse returns the bytes that are still in use after a collection.
func heapInUse() int64 {
	runtime.GC()
	runtime.GC() // what the first one finalizes
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
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
