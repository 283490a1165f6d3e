package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/journal"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttext\n, 🧀 und ÄÖÜ": "plain\ttext\n, 🧀 und ÄÖÜ",
		"\x1b[1;31mred\x1b[0m\r\n": "red\n",
		"\x1b]0;title\a":           `\u001b]0;title\u0007`,
		"\x1b[2J\x1b[1;1H":         `\u001b[2J\u001b[1;1H`,
		"10%\r20%":                 `10%\u000d20%`,
		"\u009b2J\x7f":             `\u009b2J\u007f`,
		"a\u202eb\u2066":           `a\u202eb\u2066`,
	} {
		t.Run(text, func(t *testing.T) {
			if got := escapeForTerminal(text); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		})
	}
}

// hostile is in every text that others write.
const hostile = "\x1b]52;c;aGVsbG8=\a\u009b2J"

// TestOutputIsEscapedForTerminal checks history, and what a run prints besides its value.
func TestOutputIsEscapedForTerminal(t *testing.T) {
	var shown bytes.Buffer
	no := false
	value, _ := json.Marshal(hostile)
	row := journal.Row{
		Run: hostile, Tool: hostile, File: hostile, Environment: hostile, Args: value, OK: &no,
		Error: &journal.Error{Kind: hostile, Message: hostile},
	}
	if err := historyText(textWriter{&shown, false, true}, []executor.ListedRun{executor.ListRun(row)}, nil); err != nil {
		t.Fatal(err)
	}
	e := executor.Envelope{
		Warnings: []string{hostile}, Console: hostile,
		Error: &executor.Error{Kind: executor.KindRemote, Message: hostile, Hint: hostile},
		Needs: &executor.Needs{Confirmation: &executor.Confirmation{Summary: hostile}},
	}
	cmd := &cobra.Command{}
	cmd.SetOut(&shown)
	cmd.SetErr(&shown)
	if err := showEnvelope(cmd, e); err != nil {
		t.Fatal(err)
	}
	if shown.String() != escapeForTerminal(shown.String()) {
		t.Errorf("%q", shown.String())
	}
}
