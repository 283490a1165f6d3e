package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// finding is a diagnostic with the file that it is about.
type finding struct {
	analysis.Diagnostic
	in    source
	lines *text.Lines
}

// reports are the formats of check.
var reports = map[string]func(io.Writer, analysis.Workspace, []finding) error{ //nolint:gochecknoglobals // a table
	"text": reportText,
	"json": reportJSON,
}

func newCheck() *cobra.Command {
	var format, level, stdinPath string
	cmd := &cobra.Command{
		Use:   "check PATH…",
		Short: "Report what is wrong in files, or in all ABL files below folders",
		Long: "Reports what is wrong in files, or in all ABL files below folders; - reads\n" +
			"one file from stdin. Exits with 1 where something is as bad as --fail-level.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, "text", "json"); err != nil {
				return err
			}
			if err := oneOf("fail-level", level, "error", "warning", "information"); err != nil {
				return err
			}
			w, sources, err := checked(cmd, args, stdinPath)
			if err != nil {
				return err
			}
			found := findings(cmd.Context(), w, sources)
			if err := reports[format](cmd.OutOrStdout(), w, found); err != nil {
				return err
			}
			if fails(found, level) {
				return exit(exitFound)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	cmd.Flags().StringVar(&level, "fail-level", "error", "exit with 1 from this level on: error, warning or information")
	cmd.Flags().StringVar(&stdinPath, "stdin-path", "stdin.abl", "the path that the text on stdin has")
	return cmd
}

func checked(cmd *cobra.Command, args []string, stdinPath string) (analysis.Workspace, []source, error) {
	if slices.Contains(args, "-") {
		if len(args) > 1 {
			return analysis.Workspace{}, nil, fmt.Errorf("- stands alone: stdin is one file")
		}
		w, s, err := loadStdin(cmd.InOrStdin(), stdinPath)
		return w, []source{s}, err
	}
	sources, err := expand(args)
	if err != nil {
		return analysis.Workspace{}, nil, err
	}
	w, err := load(sources)
	return w, sources, err
}

// findings are the diagnostics of the files, by file, then by position.
func findings(ctx context.Context, w analysis.Workspace, sources []source) []finding {
	var out []finding
	for _, s := range sources {
		for _, d := range check.Run(ctx, w, s.path, nil) {
			out = append(out, finding{d, s, w.File(s.path).Doc.Lines()})
		}
	}
	slices.SortStableFunc(out, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.in.shown, b.in.shown), cmp.Compare(a.Span.Start, b.Span.Start))
	})
	return out
}

func fails(found []finding, level string) bool {
	return slices.ContainsFunc(found, func(f finding) bool {
		for s := analysis.Error; s < analysis.Hint; s++ {
			if f.Severity == s {
				return true
			}
			if s.String() == level {
				return false
			}
		}
		return false
	})
}
