package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/analysis"
)

func newTools() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "tools PATH…",
		Short: "List the tools of files as they resolve, imports followed",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, "text", "json"); err != nil {
				return err
			}
			sources, err := expand(args)
			if err != nil {
				return err
			}
			w, err := load(sources)
			if err != nil {
				return err
			}
			list := listTools(w, sources)
			if format == "json" {
				return writeJSON(cmd.OutOrStdout(), list)
			}
			return listText(cmd.OutOrStdout(), list)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

// listedTool is a tool as `tools` shows it.
type listedTool struct {
	Name        string          `json:"name"`
	Namespace   string          `json:"namespace"`
	Version     string          `json:"version"`
	Description string          `json:"description"`
	Kind        string          `json:"kind"`
	File        string          `json:"file"`
	Range       jsonRange       `json:"range"`
	Parameters  json.RawMessage `json:"parameters"`
	Returns     json.RawMessage `json:"returns"`
	Mutates     *bool           `json:"mutates"`
	Gate        string          `json:"gate"`
	Origin      string          `json:"origin"`

	signature string
}

// listTools are the tools of the files, each once, in the order of the files.
func listTools(w analysis.Workspace, sources []source) []listedTool {
	list := []listedTool{}
	type place struct {
		path   string
		offset int
	}
	seen := map[place]bool{}
	for _, in := range sources {
		for _, l := range w.LowerAll(in.path) {
			at := place{l.Declared.File.Path, l.Declared.NameSpan().Start}
			if seen[at] {
				continue
			}
			seen[at] = true
			list = append(list, listTool(in, l))
		}
	}
	return list
}

func listTool(in source, l analysis.Lowered) listedTool {
	t := l.Tool
	return listedTool{
		Name:        t.Name,
		Namespace:   t.Namespace,
		Version:     t.Version,
		Description: t.Description,
		Kind:        string(t.Kind),
		File:        shownPath(in, l.Declared.File.Path),
		Range:       rangeOf(l.Declared.File.Doc.Lines(), l.Declared.NameSpan()),
		Parameters:  t.ArgumentSchema(),
		Returns:     t.ReturnSchema(),
		Mutates:     t.Mutates(),
		Gate:        string(t.Gate()),
		Origin:      t.Origin.System,
		signature:   t.Signature(),
	}
}

func listText(out io.Writer, list []listedTool) error {
	for _, t := range list {
		kind := t.Kind
		if kind == "" {
			kind = "no binding"
		}
		_, err := fmt.Fprintf(out, "%s\n    %s, %s, %s:%d\n", t.signature, kind, t.Gate, t.File, t.Range.Start.Line+1)
		if err != nil {
			return err
		}
		if t.Description != "" {
			fmt.Fprintf(out, "    %s\n", t.Description)
		}
	}
	return nil
}
