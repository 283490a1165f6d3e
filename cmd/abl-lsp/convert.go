package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/convert"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// conversion is what the convert command is asked for.
type conversion struct {
	to           string
	lossy, write bool
}

func newConvert() *cobra.Command {
	var asked conversion
	cmd := &cobra.Command{
		Use:   "convert --to yaml|abl FILE",
		Short: "Write an agent in the other dialect",
		Long: "Writes an agent in ABL as YAML, or one in YAML as ABL, on stdout. What the other\n" +
			"dialect has no form for is named on stderr, each with its place. Then nothing is\n" +
			"written and the exit code is 1, unless --lossy is set.",
		Args: argumentCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkOneOf("to", asked.to, convert.Dialects()...); err != nil {
				return err
			}
			return asked.run(cmd, args[0])
		},
	}
	cmd.Flags().StringVar(&asked.to, "to", "", "the `DIALECT` to write: yaml or abl")
	cmd.Flags().BoolVar(&asked.lossy, "lossy", false, "write it even if something is lost")
	cmd.Flags().BoolVar(&asked.write, "write", false, "write a new file beside FILE instead of stdout; FILE stays")
	return cmd
}

func (asked conversion) run(cmd *cobra.Command, path string) error {
	w, in, err := loadFile(cmd.Context(), path, "has the agent")
	if err != nil {
		return err
	}
	f := w.File(in.path)
	converted, err := convert.To(asked.to, f, check.Run(cmd.Context(), w, in.path, check.Options{Unsuppressed: true}))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	errs := printableOutput{cmd.ErrOrStderr()}
	for _, loss := range converted.Lost {
		at := f.Written().Doc.Lines().Position(loss.Span.Start, text.UTF32)
		fmt.Fprintf(errs, "%s:%d:%d: lost: %s\n", in.shown, at.Line+1, at.Character+1, loss.Message)
	}
	switch {
	case len(converted.Lost) > 0 && !asked.lossy:
		return exitCode(exitFound)
	case asked.write:
		return writeBeside(model.PathInDialect(path, asked.to == "yaml"), converted.Text)
	}
	_, err = io.WriteString(cmd.OutOrStdout(), converted.Text)
	return err
}

// writeBeside writes a new file. It returns an error if there is one already.
func writeBeside(path, content string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s exists already; delete it first, or leave out --write", path)
	} else if err != nil {
		return err
	}
	_, err = file.WriteString(content)
	return errors.Join(err, file.Close())
}
