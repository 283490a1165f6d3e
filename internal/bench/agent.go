package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/benchtext"
)

// agentDialect is an agent in one of the dialects.
type agentDialect struct {
	name, file, language string
	text                 string
}

// agentLines is the length of the agent that is measured.
const agentLines = 5000

// agentDialects returns the same agent in both dialects.
func agentDialects() []agentDialect {
	return []agentDialect{
		{"abl", "open.agent.abl", "abl", benchtext.Agent(agentLines)},
		{"yaml", "open.agent.yaml", "yaml", benchtext.AgentYAML(agentLines)},
	}
}

// measureAgents measures what a person notices who edits an agent, in both dialects.
func (b *bench) measureAgents() error {
	for _, d := range agentDialects() {
		if err := b.measureAgent(d); err != nil {
			return err
		}
	}
	return nil
}

// measureAgent opens an agent and types three hundred letters into a step in the middle.
func (b *bench) measureAgent(d agentDialect) error {
	l := language{
		id: d.language, file: d.file, text: func(int) string { return d.text }, figures: figures{},
		server: func() *exec.Cmd { return b.command(b.program, "serve") },
	}
	if err := b.measureOpen(l, agentLines); err != nil {
		return err
	}
	name := "agent_" + d.name
	b.ownFigures[name+"_open_ms"], b.ownFigures[name+"_open_mib"] = l.figures["open_ms"], l.figures["open_mib"]
	s, _, err := l.start(b.folder)
	if err != nil {
		return err
	}
	uri := fileURI(filepath.Join(b.folder, d.file))
	if err := s.open(uri, d.language, d.text); err != nil {
		return err
	}
	if _, err := s.settle(uri); err != nil {
		return err
	}
	before, _, _ := strings.Cut(d.text, fmt.Sprintf("word_%d\n", agentLines/22))
	line := strings.Count(before, "\n")
	typist := typist{server: s, uri: uri, version: 1, line: line, column: len(before) - strings.LastIndex(before, "\n") - 1}
	took, err := typist.typeLetters(300, 50*time.Millisecond)
	if err != nil {
		return err
	}
	b.ownFigures.setTime(name+"_keystroke_p50_ms", quantile(took, 0.5))
	peak, err := s.close()
	b.ownFigures.setMemory(name+"_typed_mib", peak)
	return err
}
