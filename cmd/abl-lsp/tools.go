package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/listing"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

func newTools() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "tools PATH…",
		Short: "List the tools of files, with those that they import",
		Args:  argumentCount(1, anyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkOneOf("format", format, "text", "json"); err != nil {
				return err
			}
			sources, err := expandArguments(args, isLanguageFile)
			if err != nil {
				return err
			}
			w, err := loadAll(cmd.Context(), sources)
			if err != nil {
				return err
			}
			list := listTools(w, sources)
			if format == "json" {
				return indent.Encode(cmd.OutOrStdout(), list)
			}
			out := newTextWriter(cmd, cmd.OutOrStdout())
			return errors.Join(listText(out, list), listPrompts(out, w, sources))
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "the `FORMAT` of the output: text or json")
	return cmd
}

// listTools returns the tools of the files, each once, in the order of the files.
func listTools(w model.Workspace, sources []source) []listing.Tool {
	list := []listing.Tool{}
	type place struct {
		path  string
		start listing.Position
	}
	seen := map[place]bool{}
	for _, in := range sources {
		paths := map[string]string{} // by the path that is shown
		show := func(path string) string {
			shown := displayPath(in, path)
			paths[shown] = path
			return shown
		}
		for _, t := range listing.List(w, in.path, show, executor.InlineSchemas) {
			if at := (place{paths[t.File], t.Range.Start}); !seen[at] {
				seen[at] = true
				list = append(list, t)
			}
		}
	}
	return list
}

// gateStyles are the styles of what a run needs.
var gateStyles = map[tool.Gate]style{tool.Safe: green, tool.Confirm: boldYellow, tool.Blocked: boldRed}

func listText(out textWriter, list []listing.Tool) error {
	for _, t := range list {
		kind := cmp.Or(string(t.Kind), "no binding")
		from := ""
		if t.Origin != "abl" {
			from = " (" + t.Origin + ")"
		}
		before, after, _ := strings.Cut(t.Signature, t.Name)
		signature := out.escape(before) + out.paint(bold, tool.JoinVersion(t.Name, t.Version)) + out.escape(after)
		place := fmt.Sprintf("%s:%d%s", t.File, t.Range.Start.Line+1, from)
		_, err := fmt.Fprintf(out, "%s\n    %s, %s, %s\n", signature, kind, out.paint(gateStyles[t.Gate], string(t.Gate)), out.paint(faint, place))
		if err != nil {
			return err
		}
		if t.Description != "" {
			fmt.Fprintf(out, "    %s\n", out.escape(t.Description))
		}
	}
	return nil
}

// listPrompts lists the prompts of the files.
func listPrompts(out textWriter, w model.Workspace, sources []source) error {
	for _, in := range sources {
		f := w.File(in.path)
		if f == nil || f.Foreign == nil {
			continue
		}
		for i := range f.Foreign.Prompts {
			p := &f.Foreign.Prompts[i]
			after := strings.TrimPrefix(p.Signature(), p.Prompt.Name)
			place := fmt.Sprintf("%s:%d (%s)", in.shown, model.LineOf(f, p.Name), f.Foreign.System)
			if _, err := fmt.Fprintf(out, "%s%s\n    prompt, %s\n", out.paint(bold, p.Prompt.Name), out.escape(after), out.paint(faint, place)); err != nil {
				return err
			}
			if p.Description != "" {
				fmt.Fprintf(out, "    %s\n", out.escape(p.Description))
			}
		}
	}
	return nil
}
