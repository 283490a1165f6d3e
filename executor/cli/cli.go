// Package cli runs the tools of `type: cli`: programs of this machine, without a shell.
//
// Arguments become words of the command line exactly as docs/tools/cli.md says. No argument can
// choose the program or be read as an option. A program, and everything that it started, ends with
// its run. Its output is bounded, in memory and in the answer.
package cli

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/process"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Runner runs cli tools. It is safe for concurrent use.
type Runner struct{}

// New returns a Runner.
func New() *Runner { return &Runner{} }

// Run starts the program and waits until it ends.
func (r *Runner) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	c, err := commandOf(call)
	if err != nil {
		return executor.Result{}, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	out := newOutput(call, func() { stop(process.ErrTooMuch) })
	p, err := process.Start(ctx, process.Command{
		Words: c.Argv, Dir: c.Dir, Env: c.Env, NoBatch: true, Stdout: &out.stdout, Stderr: &out.stderr,
	})
	if err != nil {
		return executor.Result{}, startError(err)
	}
	return out.result(p.Wait())
}

// command is the command that will be started, as a preview shows it.
type command struct {
	Argv []string          `json:"argv"`
	Dir  string            `json:"dir"`
	Env  map[string]string `json:"env"`
}

// Preview returns the words of the command line.
func (r *Runner) Preview(call executor.Call) (any, error) { return commandOf(call) }

// Reach returns the program: as it is written, as a path, and by its base name.
func (r *Runner) Reach(call executor.Call) (executor.Reach, error) {
	s, err := executor.SpecOf[*tool.CLI](call)
	if err != nil {
		return executor.Reach{}, err
	}
	written, program, err := programOf(call, s)
	if err != nil {
		return executor.Reach{}, err
	}
	words := append([]string{program}, argumentWords(call)...)
	reach := executor.Reach{
		Receiver:  written,
		Project:   []string{program, workingFolder(call)},
		Programs:  process.Programs(workingFolder(call), words),
		Uncovered: process.Uncovered(words),
	}
	for _, name := range []string{written, program, filepath.Base(program)} {
		reach.Accesses = append(reach.Accesses, tool.Permission{Kind: "process", Op: "start", Resource: name})
	}
	return reach, nil
}

// argumentWords returns the arguments that may become words of the command line.
func argumentWords(call executor.Call) (words []string) {
	for _, name := range call.Scope.Params {
		switch text, _ := call.Scope.Args[name].(string); {
		case name == tool.Subcommand:
			words = append(words, strings.Fields(text)...)
		case text != "":
			words = append(words, text)
		}
	}
	return words
}

// Pace returns the timeout of the binding. A program is never started again automatically.
func (r *Runner) Pace(call executor.Call) (executor.Pace, error) {
	s, err := executor.SpecOf[*tool.CLI](call)
	if err != nil {
		return executor.Pace{}, err
	}
	timeout, err := call.Duration("timeout", s.Timeout)
	return executor.Pace{Timeout: timeout}, err
}

// commandOf builds the command line of a call.
func commandOf(call executor.Call) (command, error) {
	s, err := executor.SpecOf[*tool.CLI](call)
	if err != nil {
		return command{}, err
	}
	_, program, err := programOf(call, s)
	if err != nil {
		return command{}, err
	}
	b := builder{call: call, spec: s, words: []string{program}}
	env, err := b.environment()
	if err != nil {
		return command{}, err
	}
	if err := b.addArguments(); err != nil {
		return command{}, err
	}
	return command{b.words, workingFolder(call), env}, nil
}

// workingFolder returns the folder in which a program starts: that of the project's file, else that
// of the tool's file.
func workingFolder(call executor.Call) string {
	if call.Environment.Root == "" {
		return fileFolder(call)
	}
	return call.Environment.Root
}

func fileFolder(call executor.Call) string {
	if !filepath.IsAbs(call.Tool.Origin.File) {
		return call.Environment.Root
	}
	return filepath.Dir(call.Tool.Origin.File)
}
