package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/docs"
)

func newExplain() *cobra.Command {
	return &cobra.Command{
		Use:   "explain [CODE]",
		Short: "Explain a diagnostic code, or list all codes",
		Args:  argumentCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listCodes(cmd.OutOrStdout())
			}
			page, ok := docs.Find(args[0])
			if !ok {
				return unknownCode(args[0])
			}
			_, err := io.WriteString(cmd.OutOrStdout(), page.Text)
			return err
		},
	}
}

func listCodes(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, p := range docs.Pages() {
		fmt.Fprintf(w, "%s\t%s\n", p.Code, p.Summary())
	}
	return w.Flush()
}

func unknownCode(code string) error {
	var codes []string
	for _, p := range docs.Pages() {
		codes = append(codes, p.Code)
	}
	return fmt.Errorf("`%s` is no diagnostic code; %s\n%s",
		code, model.DidYouMean(code, codes, "these are:"), "  "+strings.Join(codes, "\n  "))
}
