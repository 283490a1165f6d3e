package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/export"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
)

func newExport() *cobra.Command {
	var to string
	names, docs := exportForms()
	cmd := &cobra.Command{
		Use:   "export --to FORM FILE",
		Short: "Write the tools of a file in another form",
		Long: "Writes the tools of a file, imports followed, in another form on stdout:\n\n" + docs +
			"\nWhat that form cannot express is left out, and named on stderr. Exits with 5 if a\n" +
			"tool's own definition has errors.",
		Args: argumentCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkOneOf("to", to, names...); err != nil {
				return err
			}
			return exportTools(cmd, args[0], to)
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "the `FORM` to write: "+strings.Join(names, ", "))
	return cmd
}

// exportForms returns the names of the forms in which tools can be exported, and a text
// with a line about each.
func exportForms() (names []string, docs string) {
	for _, f := range dialect.Forms() {
		names = append(names, f.Name)
		docs += fmt.Sprintf("  %-12s %s\n", f.Name, f.Doc)
	}
	return names, docs
}

func exportTools(cmd *cobra.Command, path, to string) error {
	w, in, err := loadFile(cmd.Context(), path, "has the tools")
	if err != nil {
		return err
	}
	if len(model.LowerAll(w, in.path)) == 0 {
		return fmt.Errorf("%s has no tools%s", path, model.WantedTools(path))
	}
	if found := brokenTools(cmd.Context(), w, in); len(found) > 0 {
		return reportBroken(cmd, w, found)
	}
	written, err := export.Tools(w, in.path, to)
	if err != nil {
		return err
	}
	errs := printableOutput{cmd.ErrOrStderr()}
	for _, lost := range written.LossesByReason() {
		fmt.Fprintln(errs, "left out:", lost)
	}
	for _, note := range written.Notes {
		fmt.Fprintln(errs, "note:", note)
	}
	_, err = io.WriteString(cmd.OutOrStdout(), written.Text)
	return err
}

// brokenTools returns the errors in the tools of the file in, imported ones included.
func brokenTools(ctx context.Context, w model.Workspace, in source) (found []finding) {
	for _, t := range allTools(ctx, w, in) {
		found = append(found, toolErrors(t, in)...)
	}
	return found
}

// allTools returns the tools of a file, imports included.
func allTools(ctx context.Context, w model.Workspace, in source) []invoke.Tool {
	return invoke.All(w, in.path, checkAllIn(ctx, w))
}

// checkAllIn returns a function that finds the diagnostics of a file, including those that
// comments suppress.
func checkAllIn(ctx context.Context, w model.Workspace) func(path string) []model.Diagnostic {
	return func(path string) []model.Diagnostic {
		return check.Run(ctx, w, path, check.Options{Unsuppressed: true})
	}
}

// reportBroken shows the errors in found as check does, but on stderr. It returns the exit
// code of a run of a tool with errors.
func reportBroken(cmd *cobra.Command, w model.Workspace, found []finding) error {
	if err := reportText(cmd.ErrOrStderr(), checkReport{workspace: w, found: found, coloured: hasColours(cmd, cmd.ErrOrStderr())}); err != nil {
		return err
	}
	return exitCodeOf[executor.KindDefinition]
}

// toolErrors returns the errors of the tool t. The paths of their files are shown as seen
// from the file in.
func toolErrors(t invoke.Tool, in source) (found []finding) {
	file := t.BrokenIn
	for _, d := range t.Broken {
		found = append(found, finding{d, source{file.Path, displayPath(in, file.Path)}, file.Positions()})
	}
	return found
}
