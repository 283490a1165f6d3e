package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/internal/parallel"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// finding is a diagnostic with the file that it is about.
type finding struct {
	model.Diagnostic
	in        source
	positions text.Positions
}

func newCheck() *cobra.Command {
	var format, level, stdinPath string
	var standard bool
	cmd := &cobra.Command{
		Use:   "check PATH…",
		Short: "Report what is wrong in files, or in all ABL files below folders",
		Long: "Reports what is wrong in files, or in all ABL files below folders; - reads\n" +
			"one file from stdin. Exits with 1 if a finding is at or above --fail-level.",
		Args: argumentCount(1, anyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkOneOf("format", format, formatNames()...); err != nil {
				return err
			}
			if err := checkOneOf("fail-level", level, "error", "warning", "information"); err != nil {
				return err
			}
			r := checkReport{level: severity(level), coloured: hasColours(cmd, cmd.OutOrStdout())}
			var err error
			newFileSpinner(cmd, args).work("checking", func() { err = r.check(cmd, args, stdinPath, check.Options{Standard: standard}) })
			if err != nil {
				return err
			}
			for _, s := range r.sources {
				if isUnknown(r.workspace, s.path) {
					fmt.Fprintf(cmd.ErrOrStderr(), "%s holds no tools of another system that is known here, so what it says was not checked\n", s.shown)
				}
			}
			if err := reportFormats()[format](cmd.OutOrStdout(), r); err != nil {
				return err
			}
			if slices.ContainsFunc(r.found, r.isFailure) {
				return exitCode(exitFound)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "the `FORMAT` of the report: "+strings.Join(formatNames(), ", "))
	cmd.Flags().StringVar(&level, "fail-level", "error", "exit with 1 from this `LEVEL` on: error, warning or information")
	cmd.Flags().BoolVar(&standard, "standard", false, "check by the published ABL language: extensions are errors")
	cmd.Flags().StringVar(&stdinPath, "stdin-path", "stdin.abl", "the `PATH` that the text on stdin has")
	return cmd
}

// check reads the files that args name and finds what is wrong in them.
func (r *checkReport) check(cmd *cobra.Command, args []string, stdinPath string, o check.Options) (err error) {
	if r.workspace, r.sources, err = readArguments(cmd, args, stdinPath, isChecked); err != nil {
		return err
	}
	r.sources = withForeign(r.workspace, r.sources)
	r.found = findings(cmd.Context(), r.workspace, r.sources, o)
	return context.Cause(cmd.Context()) // after Ctrl-C the findings are not complete
}

// isChecked reports, by the name alone, whether check reads the file at path when it is
// given a folder above it: an ABL file, an abl.yaml, a file of saved cases or a
// project.json.
func isChecked(path string) bool {
	return model.IsABL(path) || model.IsProjectFile(path) || model.IsCases(path) || model.IsManifest(path)
}

// readArguments reads the files that args name, and the wanted files below the folders
// that args name. For "-" alone it reads stdin as a file at stdinPath. It returns the
// workspace with all that these files use, and the files themselves.
func readArguments(cmd *cobra.Command, args []string, stdinPath string, wanted func(path string) bool) (model.Workspace, []source, error) {
	if slices.Contains(args, "-") {
		if len(args) > 1 {
			return model.Workspace{}, nil, fmt.Errorf("- stands alone: stdin is one file")
		}
		w, s, err := loadStdin(cmd.Context(), cmd.InOrStdin(), stdinPath)
		return w, []source{s}, err
	}
	sources, err := expandArguments(args, wanted)
	if err != nil {
		return model.Workspace{}, nil, err
	}
	w, err := load(cmd.Context(), sources)
	return w, sources, err
}

// findings returns the diagnostics of the files, sorted by file, then by position.
func findings(ctx context.Context, w model.Workspace, sources []source, o check.Options) []finding {
	found := make([][]finding, len(sources))
	cache := new(check.Cache)
	parallel.Each(ctx, len(sources), func(i int) {
		s, o := sources[i], o
		positions, _ := w.Positions(s.path)
		o.Cache = cache.ForOneRun()
		for _, d := range append(check.Run(ctx, w, s.path, o), unreadableReason(w, s.path)...) {
			found[i] = append(found[i], finding{d, s, positions})
		}
	})
	out := slices.Concat(found...)
	slices.SortStableFunc(out, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.in.shown, b.in.shown), cmp.Compare(a.Span.Start, b.Span.Start))
	})
	return out
}

// isUnknown reports whether the file at path has a name that files of other systems have,
// but not the content of any such system. It is false for a file that is too large to be
// read.
func isUnknown(w model.Workspace, path string) bool {
	if !model.IsForeign(path) {
		return false
	}
	f := w.File(path)
	return f.Foreign == nil && !f.IsYAMLAgent() && !f.Doc.TooLarge()
}

// unreadableReason returns the syntax errors of a file for which isUnknown is true, since
// they may be the reason why its system is not known. It returns nil for other files.
func unreadableReason(w model.Workspace, path string) []model.Diagnostic {
	if !isUnknown(w, path) {
		return nil
	}
	var out []model.Diagnostic
	for _, fault := range dialect.Read(path, w.File(path).Doc.Text()).Faults {
		if fault.Code == "syntax-error" {
			out = append(out, model.Diagnostic{Span: fault.Span, Severity: model.Error, Code: fault.Code, Message: fault.Message})
		}
	}
	return out
}

func severity(name string) model.Severity {
	s := model.Error
	for s.String() != name {
		s++
	}
	return s
}
