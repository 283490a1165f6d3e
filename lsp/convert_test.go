package lsp_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

type convertedAnswer struct {
	Text *string
	Lost []struct {
		Message string
		Range   protocol.Range
	}
}

// TestConvert converts an open agent to YAML and back, and refuses to lose something unless that is
// asked for.
func TestConvert(t *testing.T) {
	w := openWorkspace(t)
	w.write("plain.agent.abl", "AGENT: Plain\nGOAL: \"Help 🧭\"\n")
	w.write("lost.agent.abl", "AGENT: Lost\nGOAL: \"🧭\"\nEXECUTION: {top_p: 0.5, model: a}\n")
	w.write("plain.agent.yaml", "agent: Plain\ngoal: {description: \"🧭\", measurable: true}\n")
	w.write("lib.tools.abl", "TOOLS:\n  a() -> string\n")
	var answer convertedAnswer
	ask := func(name, rest string) error {
		answer = convertedAnswer{}
		return w.command("abl.convert", fmt.Sprintf(`{"uri": %q%s}`, uri.File(filepath.Join(w.dir, name)), rest), &answer)
	}
	if err := ask("plain.agent.abl", `, "to": "yaml"`); err != nil || answer.Text == nil || *answer.Text != "agent: Plain\ngoal: \"Help 🧭\"\n" || len(answer.Lost) != 0 {
		t.Errorf("%v %+v", err, answer)
	}
	if err := ask("lost.agent.abl", `, "to": "yaml"`); err != nil || answer.Text != nil || len(answer.Lost) != 1 || !strings.Contains(answer.Lost[0].Message, "`top_p`") {
		t.Errorf("%v %+v", err, answer)
	} else if at := answer.Lost[0].Range; at.Start.Line != 2 || at.Start.Character != 12 || at.End.Character != 17 {
		t.Errorf("the loss is at %+v", at)
	}
	if err := ask("lost.agent.abl", `, "to": "yaml", "lossy": true`); err != nil || answer.Text == nil || !strings.Contains(*answer.Text, "model: a") || len(answer.Lost) != 1 {
		t.Errorf("%v %+v", err, answer)
	}
	if err := ask("plain.agent.yaml", `, "to": "abl"`); err != nil || answer.Text != nil || len(answer.Lost) != 1 || answer.Lost[0].Range.Start.Line != 1 {
		t.Errorf("%v %+v", err, answer)
	}
	if err := ask("plain.agent.yaml", `, "to": "abl", "lossy": true`); err != nil || answer.Text == nil || !strings.HasPrefix(*answer.Text, "AGENT: Plain\nGOAL: \"🧭\"") {
		t.Errorf("%v %+v", err, answer)
	}
	for _, refused := range []string{`, "to": "abl"`, `, "to": "xml"`, ``} {
		if err := ask("plain.agent.abl", refused); err == nil {
			t.Errorf("%s is answered: %+v", refused, answer)
		}
	}
	if err := ask("lib.tools.abl", `, "to": "yaml"`); err == nil {
		t.Errorf("a library is converted: %+v", answer)
	}
}
