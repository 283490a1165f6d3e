// Command run runs the examples on the pages of docs/tools, as a chapter of make demo: each
// command is shown with what it prints. It is run in the root of the repository, and its first
// argument is the program. It fails where something else is printed than the page says. An example
// that this machine cannot run is left out; where kinds are named, as further arguments, theirs
// alone are run, and must be.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/toolpages"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("usage: run PROGRAM [KIND…]")
	}
	named := args[1:]
	program, err := filepath.Abs(args[0])
	if err != nil {
		return err
	}
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	pages, err := toolpages.Read(root)
	if err != nil {
		return err
	}
	runner := toolpages.Runner{Program: program, Root: root}
	var faults []error
	for _, kind := range named {
		if !slices.ContainsFunc(pages, func(p toolpages.Page) bool { return p.Kind == kind }) {
			return fmt.Errorf("%s has no page of the kind %s", toolpages.Folder, kind)
		}
	}
	for _, p := range pages {
		if len(named) > 0 && !slices.Contains(named, p.Kind) {
			continue
		}
		fmt.Fprintf(out, "\n── %s: %s\n", p.Kind, p.InShort)
		if missing := runner.Missing(p); len(missing) > 0 && len(named) == 0 {
			fmt.Fprintf(out, "\nleft out: this machine has no %s\n", strings.Join(missing, ", "))
			continue
		}
		faults = append(faults, runPage(ctx, runner, p, out))
	}
	return errors.Join(faults...)
}

// runPage runs the example of a page in a folder of its own.
func runPage(ctx context.Context, runner toolpages.Runner, p toolpages.Page, out io.Writer) error {
	dir, err := os.MkdirTemp("", "abl-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	results, err := runner.Run(ctx, p, dir)
	for _, r := range results {
		fmt.Fprintf(out, "\n$ %s\n%s", r.Line, r.Got)
		if !r.IsExpected() {
			err = errors.Join(err, fmt.Errorf("%s.md: `%s` ends with %d, or prints something else:\n%s", p.Kind, r.Line, r.Exit, r.Output))
		}
	}
	return err
}
