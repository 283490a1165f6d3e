package main

import (
	"fmt"
	"io"
	"strings"

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
				return listCodes(newTextWriter(cmd, cmd.OutOrStdout()))
			}
			page, ok := docs.Find(args[0])
			if !ok {
				return unknownCode(args[0])
			}
			out := newTextWriter(cmd, cmd.OutOrStdout())
			text := page.Text
			if isTerminal(cmd.OutOrStdout()) {
				text = out.paintMarkdown(text, terminalWidth(cmd.OutOrStdout()))
			}
			_, err := io.WriteString(out, text)
			return err
		},
	}
}

// listCodes prints all codes, each with what it reports: on a terminal in lines that fit.
func listCodes(out textWriter) error {
	longest := 0
	for _, p := range docs.Pages() {
		longest = max(longest, len(p.Code))
	}
	for _, p := range docs.Pages() {
		summary := p.Summary()
		if first, isLead := strings.CutSuffix(summary, ":"); isLead { // to a list on the page
			summary = first + "."
		}
		if isTerminal(out.Writer) {
			summary = wrapText(summary, max(terminalWidth(out.Writer)-longest-2, 20))
		}
		summary = strings.ReplaceAll(summary, "\n", "\n"+strings.Repeat(" ", longest+2))
		if _, err := fmt.Fprintf(out, "%s%s  %s\n", out.paint(bold, p.Code), strings.Repeat(" ", longest-len(p.Code)), summary); err != nil {
			return err
		}
	}
	return nil
}

func unknownCode(code string) error {
	var codes []string
	for _, p := range docs.Pages() {
		codes = append(codes, p.Code)
	}
	list := "\n  " + strings.Join(codes, "\n  ")
	if meant := model.DidYouMean(code, codes, ""); meant != "" {
		return fmt.Errorf("`%s` is no diagnostic code; %s%s\n%s", code, meant, list, meant) // the list may fill the screen
	}
	return fmt.Errorf("`%s` is no diagnostic code; these are:%s", code, list)
}
