package main

import (
	"cmp"
	"fmt"
	"io"
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
		Short: "List the tools of files as they resolve, imports followed",
		Args:  argumentCount(1, anyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkOneOf("format", format, "text", "json"); err != nil {
				return err
			}
			sources, err := expandArguments(args, isLanguageFile)
			if err != nil {
				return err
			}
			w, err := loadAll(sources)
			if err != nil {
				return err
			}
			list := listTools(w, sources)
			if format == "json" {
				return indent.Encode(cmd.OutOrStdout(), list)
			}
			return listText(cmd.OutOrStdout(), list)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
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

func listText(out io.Writer, list []listing.Tool) error {
	for _, t := range list {
		kind := cmp.Or(string(t.Kind), "no binding")
		from := ""
		if t.Origin != "abl" {
			from = " (" + t.Origin + ")"
		}
		signature := strings.Replace(t.Signature, t.Name, tool.JoinVersion(t.Name, t.Version), 1)
		_, err := fmt.Fprintf(out, "%s\n    %s, %s, %s:%d%s\n", signature, kind, t.Gate, t.File, t.Range.Start.Line+1, from)
		if err != nil {
			return err
		}
		if t.Description != "" {
			fmt.Fprintf(out, "    %s\n", t.Description)
		}
	}
	return nil
}
