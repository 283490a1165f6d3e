package main

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/benchtext"
)

// writeFiles writes the files of a workspace below a folder.
func writeFiles(folder string, files iter.Seq2[string, string]) error {
	for path, text := range files {
		path = filepath.Join(folder, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// makeWorkspace writes a workspace into a new folder of the measurement.
func (b *bench) makeWorkspace(name string, files iter.Seq2[string, string]) (string, error) {
	folder := filepath.Join(b.folder, name)
	return folder, writeFiles(folder, files)
}

// measureBatch measures check and fmt on 2,000 files.
func (b *bench) measureBatch() error {
	folder, err := b.makeWorkspace("abl", benchtext.Workspace(2000))
	if err != nil {
		return err
	}
	if err := b.measureCommand(b.ownFigures, "check", b.program, "check", folder); err != nil {
		return err
	}
	if err := b.measureCommand(b.ownFigures, "fmt", b.program, "fmt", "--check", folder); err != nil || b.tombi == "" {
		return err
	}
	if folder, err = b.makeWorkspace("toml", benchtext.TOMLWorkspace(2000)); err != nil {
		return err
	}
	if err := b.measureCommand(b.figuresOf("tombi"), "check", b.tombi, "lint", folder); err != nil {
		return err
	}
	return b.measureCommand(b.figuresOf("tombi"), "fmt", b.tombi, "format", "--check", folder)
}

// measureImports measures check where one library has many importers, and where a chain
// of imports is long.
func (b *bench) measureImports() error {
	for _, w := range []struct {
		name  string
		files iter.Seq2[string, string]
	}{
		{"importers_1000", benchtext.Importers(1000)},
		{"importers_500", benchtext.Importers(500)},
		{"chain_800", benchtext.Chain(800)},
		{"chain_400", benchtext.Chain(400)},
	} {
		folder, err := b.makeWorkspace(w.name, w.files)
		if err != nil {
			return err
		}
		if err := b.measureCommand(b.ownFigures, w.name, b.program, "check", folder); err != nil {
			return err
		}
	}
	return nil
}

// measureCommand measures a command from start to end, the best of three.
func (b *bench) measureCommand(into figures, name, program string, args ...string) error {
	u, err := fastest(3, func() *exec.Cmd { return b.command(program, args...) })
	if err != nil {
		return fmt.Errorf("%s %s: %w", filepath.Base(program), strings.Join(args, " "), err)
	}
	into.setUsage(name, u)
	return nil
}

// measureIndex measures the first index of 2,000 files.
func (b *bench) measureIndex() error {
	folder, err := b.makeWorkspace("abl", benchtext.Workspace(2000))
	if err != nil {
		return err
	}
	return b.measureIndexOf(folder, "index", "lookup_77", 3)
}

// measureLarge measures check and the first index of 10,000 files with 100,000 tools.
func (b *bench) measureLarge() error {
	folder, err := b.makeWorkspace("large", benchtext.Libraries(10000))
	if err != nil {
		return err
	}
	u, err := fastest(1, func() *exec.Cmd { return b.command(b.program, "check", folder) })
	if err != nil {
		return err
	}
	b.ownFigures.setUsage("large_check", u)
	return b.measureIndexOf(folder, "large_index", "find_77_7", 1)
}

// measureIndexOf measures how long a server that was just started in a workspace takes to
// answer a question about all of its files, the best of some runs.
func (b *bench) measureIndexOf(folder, figure, symbol string, runs int) error {
	var took []time.Duration
	var peaks []int64
	for range runs {
		s, err := b.startIn(folder, false)
		if err != nil {
			return err
		}
		answered, err := s.timeRequest("workspace/symbol", object{"query": symbol})
		if err != nil {
			return err
		}
		peak, err := s.close()
		if err != nil {
			return err
		}
		took, peaks = append(took, answered), append(peaks, peak)
	}
	b.ownFigures.setTime(figure+"_ms", slices.Min(took))
	b.ownFigures.setMemory(figure+"_mib", slices.Min(peaks))
	return nil
}

// startIn starts the program as a server in a folder.
func (b *bench) startIn(folder string, pull bool) (*server, error) {
	s, err := startServer(b.command(b.program, "serve"))
	if err != nil {
		return nil, err
	}
	_, err = s.initialize(folder, pull)
	return s, err
}

// measureQuestions measures requests about a tool that a thousand files may use.
func (b *bench) measureQuestions() error {
	folder, err := b.makeWorkspace("importers_1000", benchtext.Importers(1000))
	if err != nil {
		return err
	}
	s, err := b.startIn(folder, true)
	if err != nil {
		return err
	}
	library := filepath.Join(folder, "order_0", "tools", "order_0.tools.abl")
	text, err := os.ReadFile(library)
	if err != nil {
		return err
	}
	if err := s.open(fileURI(library), "abl", string(text)); err != nil {
		return err
	}
	if _, err := s.call("workspace/symbol", object{"query": "find"}); err != nil { // reads the files
		return err
	}
	took, err := s.timeRequest("workspace/diagnostic", object{"previousResultIds": []any{}})
	if err != nil {
		return err
	}
	b.ownFigures.setTime("workspace_diagnostic_ms", took)
	tool := object{
		"textDocument": object{"uri": fileURI(library)},
		"position":     object{"line": 4, "character": 4},
		"context":      object{"includeDeclaration": true},
		"newName":      "search_order_0",
	}
	for _, method := range []string{"references", "rename"} {
		var all []time.Duration
		for range 7 {
			took, err := s.timeRequest("textDocument/"+method, tool)
			if err != nil {
				return err
			}
			all = append(all, took)
		}
		b.ownFigures.setTime(method+"_ms", quantile(all, 0.5))
	}
	_, err = s.close()
	return err
}

// measureLibraryEdit measures from an edit of a library to the diagnostics of 300 open
// agents that import it.
func (b *bench) measureLibraryEdit() error {
	const agents = 300
	folder, err := b.makeWorkspace("importers_300", benchtext.Importers(agents))
	if err != nil {
		return err
	}
	s, err := b.startIn(folder, false)
	if err != nil {
		return err
	}
	var library string
	var last string
	for path, text := range benchtext.Importers(agents) {
		last = fileURI(filepath.Join(folder, filepath.FromSlash(path)))
		if library == "" {
			library = last
		}
		if err := s.open(last, "abl", text); err != nil {
			return err
		}
	}
	if _, err := s.settle(last); err != nil {
		return err
	}
	var all []time.Duration
	for version := 2; version < 12; version++ {
		took, err := s.renameParameter(library, version, agents)
		if err != nil {
			return err
		}
		all = append(all, took)
	}
	b.ownFigures.setTime("library_edit_ms", quantile(all, 0.5))
	_, err = s.close()
	return err
}

// renameParameter renames a parameter of all tools of the library of benchtext.Importers,
// there and back, and waits until all its importers have new diagnostics.
func (s *server) renameParameter(library string, version, importers int) (time.Duration, error) {
	const firstTool, linesOfTool = 4, 14
	var edits []edit
	for i, verb := range []string{"find", "read", "create", "update", "cancel", "price", "assign", "archive", "export"} {
		at := len("  ") + len(verb) + len("_order_0(")
		e := edit{firstTool + linesOfTool*i, at, at, "x"}
		if version%2 == 1 {
			e.end, e.text = at+1, ""
		}
		edits = append(edits, e)
	}
	s.mu.Lock()
	before := len(s.published)
	s.mu.Unlock()
	begin, err := s.change(library, version, edits...)
	if err != nil {
		return 0, err
	}
	var end time.Time
	err = s.await("diagnostics of all importers", func() bool {
		seen := map[string]bool{library: true}
		for _, p := range s.published[before:] {
			seen[p.uri], end = true, p.at
		}
		return len(seen) > importers
	})
	return end.Sub(begin), err
}

// decode reads JSON of a server.
func decode[T any](raw json.RawMessage) (value T, err error) {
	err = json.Unmarshal(raw, &value)
	return value, err
}
