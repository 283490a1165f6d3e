package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool/sqltext"
)

// Escape is the `escape` of a template parameter.
type Escape struct {
	Word      string
	Span      text.Span
	Databases []string // the kinds that the tool's source may be of
	Known     []string // the words that one of these knows; empty if that is not known
}

// Escapes returns the `escape` of each template parameter in the tools of a file.
func Escapes(w Workspace, f *File) (all []Escape) {
	kinds := SourceKinds(w, f)
	for t := range f.ToolsWith(HasEscapes) {
		written := escapesIn(t)
		source, _ := sourceOf(t)
		databases := kinds[source.Name]
		if len(databases) == 0 {
			databases = source.Supported
		}
		for _, e := range written {
			e.Databases, e.Known = databases, escapesOf(databases)
			all = append(all, e)
		}
	}
	return all
}

// escapesOf returns the words that any of several databases knows. Kinds such as cloud-sql-postgres
// are variants of another kind.
func escapesOf(kinds []string) (known []string) {
	for _, kind := range kinds {
		var own []string
		for part := range strings.SplitSeq(kind, "-") {
			own = append(own, sqltext.EscapeWords(part)...)
		}
		if len(own) == 0 {
			return nil
		}
		known = append(known, own...)
	}
	slices.Sort(known)
	return slices.Compact(known)
}

func escapesIn(t PositionedTool) (all []Escape) {
	if t.IsForeign() {
		return foreignEscapes(t.Foreign.Entry)
	}
	block, _ := t.Property("template_parameters")
	for _, p := range block.Properties() {
		for _, key := range p.Properties() {
			if word, plain := key.PlainName(); plain && key.Name() == "escape" {
				all = append(all, Escape{Word: word.Text, Span: word.Span.Shift(t.Offset)})
			}
		}
	}
	return all
}

func foreignEscapes(entry *yaml.Node) (all []Escape) {
	params := entry.Get("templateParameters")
	if params == nil || params.Alias != "" {
		return nil
	}
	for _, p := range params.Items {
		for _, of := range []*yaml.Node{p, p.Get("items")} {
			if word := of.Get("escape"); word.StringValue() != "" && word.Alias == "" && p.Alias == "" {
				all = append(all, Escape{Word: word.Text, Span: word.TextSpan()})
			}
		}
	}
	return all
}
