package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/format"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/parallel"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// formatter holds what the command fmt does with each file.
type formatter struct {
	check, diff, write bool
	eol                string // the line end to write; "" to keep those of the file

	changes bool // a file would change
	failed  bool // a file could not be formatted or written
}

func newFmt() *cobra.Command {
	var f formatter
	cmd := &cobra.Command{
		Use:   "fmt PATH…",
		Short: "Format files, or all ABL files below folders",
		Long: "Prints files in their canonical form, or all ABL files below folders; - reads\n" +
			"one file from stdin. A file with syntax errors is left alone: exit 2.",
		Args: argumentCount(1, anyNumber),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	cmd.Flags().BoolVar(&f.check, "check", false, "only list the files that would change, and exit with 1 if there are any")
	cmd.Flags().BoolVar(&f.diff, "diff", false, "print what would change as a unified diff")
	cmd.Flags().BoolVar(&f.write, "write", false, "write the files instead of printing them")
	cmd.Flags().StringVar(&f.eol, "eol", "", "the `END` of every line: lf; without it line ends of one kind stay as they are")
	return cmd
}

func (f *formatter) run(cmd *cobra.Command, args []string) error {
	if f.eol != "" && f.eol != "lf" {
		return fmt.Errorf("--eol is lf, not %s", f.eol)
	}
	if f.check && f.write {
		return errors.New("--check and --write do not go together")
	}
	if f.write && args[0] == "-" {
		return fmt.Errorf("--write cannot write stdin; leave it out")
	}
	var sources []source
	var results []formatResult
	var err error
	newFileSpinner(cmd, args).work("formatting", func() { sources, results, err = formatAll(cmd, args) })
	if err != nil {
		return err
	}
	out, errs := newTextWriter(cmd, cmd.OutOrStdout()), newTextWriter(cmd, cmd.ErrOrStderr())
	for i, s := range sources {
		if err := context.Cause(cmd.Context()); err != nil {
			return err
		}
		if err := f.writeResult(out, s, results[i]); err != nil {
			f.failed = true
			fmt.Fprintln(cmd.ErrOrStderr(), errs.paintLabel(bold, err.Error()))
		}
	}
	switch {
	case f.failed:
		return exitCode(exitUsage)
	case f.check && f.changes:
		return exitCode(exitFound)
	}
	return nil
}

// formatResult is the result of formatting one file.
type formatResult struct {
	before, after string // equal if nothing changes
	isYAML        bool
	err           error
}

// formatAll formats the files that the command is given. It returns an error only if they
// cannot be read.
func formatAll(cmd *cobra.Command, args []string) ([]source, []formatResult, error) {
	ctx := cmd.Context()
	if slices.Contains(args, "-") {
		w, sources, err := readArguments(cmd, args, "stdin.abl", isLanguageFile)
		if err != nil {
			return nil, nil, err
		}
		return sources, []formatResult{formatInWorkspace(ctx, w, sources[0].path)}, nil
	}
	sources, err := expandArguments(args, isLanguageFile)
	if err != nil {
		return nil, nil, err
	}
	results, isDone := make([]formatResult, len(sources)), make([]bool, len(sources))
	w, err := readEach(ctx, sources, func(i int, f *model.File) {
		if isDone[i] = hasFormAlone(ctx, f); isDone[i] {
			results[i] = formatFile(f, nil)
		}
	})
	if err != nil || !slices.Contains(isDone, false) {
		return sources, results, err
	}
	w = completeWorkspace(w, sources)
	parallel.Each(ctx, len(sources), func(i int) {
		if !isDone[i] {
			results[i] = formatInWorkspace(ctx, w, sources[i].path)
		}
	})
	return sources, results, context.Cause(ctx)
}

// hasFormAlone reports whether f can be formatted without the diagnostics from its
// workspace. It is also true for files that are not formatted at all.
func hasFormAlone(ctx context.Context, f *model.File) bool {
	return !model.IsABL(f.Path) || f.Kind == model.YAML || f.IsYAMLAgent() || check.HasForm(ctx, f)
}

func formatInWorkspace(ctx context.Context, w model.Workspace, path string) formatResult {
	return formatFile(w.File(path), checkAllIn(ctx, w)(path))
}

// formatFile returns the canonical text of f, given the diagnostics of f. A file of the
// YAML dialect is left unchanged. If f cannot be formatted, the result has an error.
func formatFile(f *model.File, found []model.Diagnostic) formatResult {
	out := formatResult{before: f.Written().Doc.Text(), isYAML: f.Written().Kind == model.YAML}
	if !model.IsABL(f.Path) {
		out.err = errors.New("not formatted: its name does not end in .abl")
		return out
	}
	if out.after = out.before; out.isYAML {
		return out
	}
	edits, err := format.Format(f.Doc, found)
	if err == nil && len(edits) > 0 {
		out.after, err = text.Apply(out.before, edits...)
	}
	out.err = err
	return out
}

// writeResult shows or writes the result of formatting a file.
func (f *formatter) writeResult(out textWriter, s source, r formatResult) error {
	before, after, err := r.before, r.after, r.err
	if refused, ok := errors.AsType[*format.FormatError](err); ok {
		return fmt.Errorf("%s:%d: not formatted: %s", s.shown, refused.Line+1, refused.Message)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.shown, err)
	}
	if !r.isYAML && (f.eol == "lf" || mixesLineEnds(after)) {
		after = strings.ReplaceAll(after, "\r\n", "\n")
	}
	f.changes = f.changes || after != before
	if err := f.show(out, s, before, after); err != nil {
		return err
	}
	if f.write && after != before {
		return replaceFile(s.path, after)
	}
	return nil
}

// mixesLineEnds reports whether only some lines of a text end as in Windows.
func mixesLineEnds(s string) bool {
	windows := strings.Count(s, "\r\n")
	return windows > 0 && windows < strings.Count(s, "\n")
}

func (f *formatter) show(out textWriter, s source, before, after string) (err error) {
	switch {
	case f.diff:
		_, err = io.WriteString(out, out.paintDiff(string(diff.Diff(s.shown, []byte(before), s.shown+" (formatted)", []byte(after)))))
	case f.check && after != before:
		_, err = fmt.Fprintln(out, s.shown)
	case !f.check && !f.write:
		_, err = io.WriteString(out, after)
	}
	return err
}

// replaceFile replaces the content of a file, all of it or nothing. The file keeps its
// mode, and a link stays a link. A read-only file is not changed.
func replaceFile(path, content string) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("writing %s: it is read-only", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".abl-lsp-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // after the rename it does nothing
	_, err = f.WriteString(content)
	if err = errors.Join(err, f.Chmod(info.Mode().Perm()), f.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return os.Rename(f.Name(), path)
}
