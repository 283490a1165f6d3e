package analysis

import (
	"fmt"

	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// yamlSymbols returns the outline of abl.yaml or of saved cases.
func yamlSymbols(f *model.File) []Symbol {
	var symbols []Symbol
	for _, m := range f.YAML.Root().OwnMembers() {
		if f.Project == nil {
			symbols = append(symbols, casesSymbol(m))
		} else {
			symbols = append(symbols, projectSymbol(m, SectionSymbol))
		}
	}
	return symbols
}

// projectSymbol returns a key of the top level, or of an environment, with the names below it.
func projectSymbol(m yaml.Member, kind SymbolKind) Symbol {
	s := memberSymbol(m, kind)
	if m.Value.IsScalar() {
		s.Kind, s.Detail = ValueSymbol, describe.OneLine(m.Value.Text, maxDetail)
		return s
	}
	for _, inner := range m.Value.OwnMembers() {
		if m.Key.Text != projectfile.Environments {
			s.Children = append(s.Children, entrySymbol(inner))
			continue
		}
		environment := memberSymbol(inner, BlockSymbol)
		for _, key := range inner.Value.OwnMembers() {
			environment.Children = append(environment.Children, projectSymbol(key, BlockSymbol))
		}
		s.Children = append(s.Children, environment)
	}
	return s
}

// entrySymbol returns a name of a table, with its kind as the detail.
func entrySymbol(m yaml.Member) Symbol {
	if m.Value.IsScalar() {
		return memberSymbol(m, ValueSymbol)
	}
	s := memberSymbol(m, BlockSymbol)
	for _, key := range []string{"kind", "transport", "provider"} {
		if word := m.Value.Get(key).StringValue(); word != "" {
			s.Detail = word
		}
	}
	return s
}

// casesSymbol returns a tool with its saved cases.
func casesSymbol(m yaml.Member) Symbol {
	s := memberSymbol(m, ToolSymbol)
	for i, c := range m.Value.Items {
		item := Symbol{Name: fmt.Sprintf("case %d", i+1), Detail: c.Get("environment").StringValue(), Kind: ItemSymbol, Span: c.Span, NameSpan: c.Span}
		if name := c.Get("name"); name.IsScalar() && name.Alias == "" && name.Text != "" {
			item.Name, item.NameSpan = describe.OneLine(name.Text, maxDetail), name.TextSpan()
		}
		s.Children = append(s.Children, item)
	}
	return s
}

func memberSymbol(m yaml.Member, kind SymbolKind) Symbol {
	s := Symbol{Name: m.Key.Text, Kind: kind, Span: m.Key.Span, NameSpan: m.Key.TextSpan()}
	if m.Value.Alias == "" {
		s.Span.End = max(s.Span.End, m.Value.Span.End)
	}
	if s.Name == "" {
		s.Name = `""`
	}
	return s
}

// yamlDeclarations returns the names that abl.yaml lists, or the saved cases.
func yamlDeclarations(f *model.File) []WorkspaceSymbol {
	var out []WorkspaceSymbol
	var below func(s Symbol)
	below = func(s Symbol) {
		for _, c := range s.Children {
			if c.Kind == BlockSymbol && s.Name != "credentials" || c.Kind == ItemSymbol {
				out = append(out, WorkspaceSymbol{c.Name, c.Kind, s.Name, f.Path, c.NameSpan})
			}
			if s.Name == projectfile.Environments {
				for _, table := range c.Children {
					below(table)
				}
			}
		}
	}
	for _, s := range yamlSymbols(f) {
		below(s)
	}
	return out
}
