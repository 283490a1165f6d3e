package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/dialect/abl"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

func newImport() *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Write the tools of another system's file as ABL",
		Long: "Writes the tools of an MCP Toolbox file, of Récif's resources, of ToolDefinitions\n" +
			"or of Nao as ABL on stdout. What belongs into abl.yaml, what was left out and\n" +
			"what is wrong with the file goes to stderr.",
		Args: argumentCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := absolutePath(args[0])
			if err != nil {
				return err
			}
			source, err := source{path, args[0]}.read()
			if err != nil {
				return err
			}
			if len(source) > syntax.MaxBytes {
				return tooLargeError(args[0])
			}
			f := dialect.Read(path, source)
			if len(f.Tools) == 0 && f.Project == nil {
				return fmt.Errorf("%s holds no tools of another system%s", args[0], model.WantedTools(args[0]))
			}
			if len(f.Tools) > 0 {
				fmt.Fprint(cmd.OutOrStdout(), abl.Library(abl.Entries(f.Tools)))
			}
			return reportLeftOut(cmd.ErrOrStderr(), args[0], source, f)
		},
	}
}

// reportLeftOut writes to errs what the file f has and the library made of it does not.
// All of it is YAML, ready to be pasted.
func reportLeftOut(errs io.Writer, name, source string, f foreign.File) error {
	lines := text.NewLines(source)
	for _, fault := range f.Faults {
		fmt.Fprintf(errs, "# %s:%d: %s\n", name, lines.Line(fault.Span.Start)+1, fault.Message)
	}
	for _, lost := range f.Lost {
		fmt.Fprintf(errs, "# %s:%d: left out: %s\n", name, lines.Line(lost.Span.Start)+1, lost.Text)
	}
	for _, other := range f.ToolsElsewhere {
		fmt.Fprintf(errs, "# %s:%d: another file has the tool %s\n", name, lines.Line(other.Span.Start)+1, other.Text)
	}
	project := abl.Project(f.Project)
	if project == "" {
		return nil
	}
	_, err := fmt.Fprint(errs, "# For abl.yaml:\n"+project)
	return err
}
