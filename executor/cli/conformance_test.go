package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/cli"
	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/tool"
)

// self returns the path of this test binary, which is an ordinary program in a mode.
func self(t testing.TB) string {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func TestConformance(t *testing.T) {
	notes := filepath.Join(t.TempDir(), "notes")
	hung := filepath.Join(t.TempDir(), "hung")
	hanging := make(chan struct{}, 16)
	go func() {
		for seen := 0; t.Context().Err() == nil; time.Sleep(5 * time.Millisecond) {
			for ; seen < count(hung); seen++ {
				hanging <- struct{}{}
			}
		}
	}()
	of := func(mode string, change func(*tool.Tool, *tool.CLI)) tool.Tool {
		spec := &tool.CLI{Binary: self(t), Env: asMode(mode)}
		spec.Env["ABL_CLI_NOTES"] = notes
		tl := tool.Tool{Name: mode, Kind: tool.KindCLI, Spec: spec, Params: conformance.Params()}
		tl.Hints.SideEffects = "false"
		if change != nil {
			change(&tl, spec)
		}
		return tl
	}
	secret := func(_ *tool.Tool, s *tool.CLI) { s.Env["TOKEN"] = "{{secrets." + conformance.Secret + "}}" }
	conformance.Run(t, conformance.Kind{
		Runner:      cli.New(),
		Echo:        of("echo", nil),
		Write:       of("echo", func(tl *tool.Tool, _ *tool.CLI) { tl.Hints.SideEffects = "" }),
		Hang:        of("hang", func(_ *tool.Tool, s *tool.CLI) { s.Env["ABL_CLI_NOTES"] = hung }),
		Flood:       of("flood", nil),
		Refuse:      of("refuse", nil),
		Leak:        of("leak", secret),
		Broken:      of("broken", secret),
		Calls:       func() int { return count(notes) },
		HangArrived: hanging,
		OddText:     `aü"*?~#\`,
	})
}

// count returns the number of lines of a file.
func count(name string) int {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0
	}
	return bytes.Count(text, []byte("\n"))
}
