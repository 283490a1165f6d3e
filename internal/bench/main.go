// Command bench measures the program as an editor and a shell see it: with a client over
// pipes, and as processes from start to end. It also measures other programs of the same
// kind. Run it in the root of the repository, by make bench.
package main

import (
	"errors"
	"flag"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"

	"github.com/abl-lsp/abl-lsp/internal/benchtext"
)

// bench is one measurement.
type bench struct {
	folder  string // of what it writes
	program string
	tombi   string // "" if it is not available; so are those below
	toolbox string
	calls   int // that each experiment with many clients makes

	ownFigures figures
	others     map[string]figures // of the other programs, by their names
}

func main() {
	var o options
	flag.StringVar(&o.program, "program", "bin/abl-lsp", "the `file` of the program that is measured")
	flag.StringVar(&o.version, "version", "", "what the history calls the program (default: the commit that is checked out)")
	flag.StringVar(&o.packages, "packages", ".cache/npm-bench/node_modules", "the `folder` of npm's packages")
	flag.StringVar(&o.history, "history", "", "compare with the first figures in this `file`; append to it where all were measured, and draw it")
	flag.IntVar(&o.calls, "calls", allCalls, "the `number` of calls that 64 clients make; another one is for a trial, and is not stored")
	flag.StringVar(&o.only, "only", "", "the experiments whose names match this `expression`")
	draw := flag.Bool("draw", false, "show the history, and measure nothing")
	write := flag.String("write", "", "write a `workspace` (files, importers or chain) into the folder that follows, and measure nothing")
	size := flag.Int("size", 2000, "the number of files, importers or imports that -write makes")
	flag.Parse()
	do := func() error { return measure(o) }
	switch {
	case *write != "":
		do = func() error { return writeWorkspace(*write, *size, flag.Arg(0)) }
	case *draw:
		do = func() error { return showFile(o.history) }
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// writeWorkspace writes one of the workspaces of benchtext into a folder.
func writeWorkspace(name string, size int, folder string) error {
	workspaces := map[string]func(int) iter.Seq2[string, string]{
		"files": benchtext.Workspace, "importers": benchtext.Importers, "chain": benchtext.Chain,
		"libraries": benchtext.Libraries,
	}
	workspace, ok := workspaces[name]
	if !ok || folder == "" {
		return fmt.Errorf("-write %q %q: want files, importers, chain or libraries, and a folder", name, folder)
	}
	return writeFiles(folder, workspace(size))
}

// options are the values of the flags.
type options struct {
	program, version, packages, history, only string
	calls                                     int
}

// measure runs the experiments, prints their figures, and stores them.
func measure(o options) error {
	only, err := regexp.Compile(o.only)
	if err != nil {
		return err
	}
	b, err := newBench(o)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.folder)
	for _, e := range experiments() {
		if !only.MatchString(e.name) {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring:", e.name)
		if failed := e.run(b); failed != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", e.name, failed))
		}
	}
	return errors.Join(err, b.report(o, err == nil))
}

// newBench copies the program into a new folder, and finds the programs to compare with.
func newBench(o options) (*bench, error) {
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	b := &bench{folder: folder, calls: o.calls, ownFigures: figures{}, others: map[string]figures{}}
	if b.program, err = copyProgram(o.program, folder); err != nil {
		return nil, err
	}
	b.tombi = b.findNPMProgram("tombi", filepath.Join(o.packages, "@tombi-toml", "cli-*", "tombi*"))
	b.toolbox = b.findNPMProgram("MCP Toolbox", filepath.Join(o.packages, "@toolbox-sdk", "server-*", "bin", "toolbox*"))
	return b, nil
}

// findNPMProgram returns the path of a program in npm's packages, which have one for each system.
func (b *bench) findNPMProgram(name, pattern string) string {
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) == 0 {
		b.reportLeftOut(name, fmt.Errorf("%s is not there", pattern))
		return ""
	}
	path, err := filepath.Abs(found[0])
	if err != nil {
		return ""
	}
	return path
}

// reportLeftOut prints that the figures of a program are left out.
func (*bench) reportLeftOut(name string, why error) {
	fmt.Fprintf(os.Stderr, "left out: %s, because %v\n", name, why)
}

// figuresOf returns the figures of another program.
func (b *bench) figuresOf(name string) figures {
	if b.others[name] == nil {
		b.others[name] = figures{}
	}
	return b.others[name]
}

// experiment is a part of the measurement.
type experiment struct {
	name string
	run  func(*bench) error
}

// experiments returns all parts, in the order of the table.
func experiments() []experiment {
	return []experiment{
		{"editor", func(b *bench) error { return b.measureEditor(b.ablLanguage()) }},
		{"editor of TOML", func(b *bench) error {
			if b.tombi == "" {
				return nil
			}
			return b.measureEditor(b.tomlLanguage())
		}},
		{"agents", (*bench).measureAgents},
		{"batch", (*bench).measureBatch},
		{"index", (*bench).measureIndex},
		{"large", (*bench).measureLarge},
		{"imports", (*bench).measureImports},
		{"questions", (*bench).measureQuestions},
		{"library", (*bench).measureLibraryEdit},
		{"run", (*bench).measureRun},
		{"mcp", (*bench).measureMCP},
		{"shared", (*bench).measureShared},
	}
}
