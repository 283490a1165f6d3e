package analysis

import (
	"cmp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// foreignSymbols returns what a foreign file declares: tools with their parameters, and other named
// entries.
func foreignSymbols(f *model.File) []Symbol {
	var symbols []Symbol
	for _, root := range f.YAMLTree().Roots() {
		symbols = append(symbols, foreignEntries(f, root)...)
	}
	for _, t := range f.Tools {
		symbols = append(symbols, foreignSymbol(t))
	}
	slices.SortStableFunc(symbols, func(a, b Symbol) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return symbols
}

func foreignSymbol(t model.PositionedTool) Symbol {
	s := Symbol{Name: t.Name, Detail: strings.TrimPrefix(describe.OneLine(t.Foreign.Signature(), maxDetail), t.Name), Kind: ToolSymbol, Span: t.Span(), NameSpan: t.NameSpan()}
	for i, p := range t.Foreign.Tool.Params {
		if at := t.Foreign.Params[i]; !t.IsImplied(i) && s.Span.Start <= at.Start && at.End <= s.Span.End && p.Name != "" {
			s.Children = append(s.Children, Symbol{Name: p.Name, Detail: p.Type.String(), Kind: ParameterSymbol, Span: at, NameSpan: at})
		}
	}
	return s
}

// foreignEntries returns what a document declares apart from tools: the names of its maps, or its
// own name.
func foreignEntries(f *model.File, root *yaml.Node) []Symbol {
	field := model.DocumentField(f, root)
	if field == nil {
		return nil
	}
	if name := root.Get("name"); field.Name != "tool" && projectfile.KeyField(field, "name") != nil && name.IsScalar() && name.Text != "" {
		return []Symbol{{Name: name.Text, Detail: root.Get(field.By).StringValue(), Kind: BlockSymbol, Span: root.Span, NameSpan: name.TextSpan()}}
	}
	var symbols []Symbol
	for _, m := range root.OwnMembers() {
		below := projectfile.KeyField(field, m.Key.Text)
		if below == nil || below.Each == nil || below.Each.Declares && below.Each.Ref == tool.RefForeignTool {
			continue
		}
		for _, one := range m.Value.OwnMembers() {
			s := memberSymbol(one, BlockSymbol)
			s.Detail = one.Value.Get("kind").StringValue()
			symbols = append(symbols, s)
		}
	}
	return symbols
}
