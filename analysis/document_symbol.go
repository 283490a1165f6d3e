package analysis

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Symbol is one line of a file's outline.
type Symbol struct {
	Name     string // never empty
	Detail   string
	Kind     SymbolKind
	Span     text.Span // of the whole declaration
	NameSpan text.Span // inside Span
	Children []Symbol  // inside Span
}

// SymbolKind is the kind of a symbol, which decides its icon.
type SymbolKind int

// The kinds of symbols.
const (
	SectionSymbol SymbolKind = iota
	ToolSymbol
	ParameterSymbol
	ImportSymbol
	BlockSymbol // a step, a field, a rule: a key with a block
	ItemSymbol  // an item of a list
	ValueSymbol // a shared default
)

// DocumentSymbols returns the outline of the file at path: its sections with their tools, imports,
// steps, fields and so on; for abl.yaml its tables with their names, for saved cases the tools with
// their cases.
func DocumentSymbols(w model.Workspace, path string) []Symbol {
	f := w.File(path)
	switch {
	case f == nil || f.Doc == nil:
		return nil
	case f.Foreign != nil:
		return foreignSymbols(f)
	case f.YAML != nil:
		return yamlSymbols(f)
	case f.Kind == model.YAML:
		return nil
	case f.IsYAMLAgent():
		return symbolsInYAML(f, sectionSymbols(f))
	}
	return sectionSymbols(f)
}

func sectionSymbols(f *model.File) []Symbol {
	var symbols []Symbol
	for _, s := range f.Doc.Sections() {
		if s.Name() == "" {
			continue
		}
		if s.ContinuesFlow {
			symbols = append(symbols, fileOutline(f, s)...)
			continue
		}
		head := model.PositionNode(s.Head.Root(), s.Head.Offset)
		symbols = append(symbols, Symbol{
			Name: s.Name(), Detail: detail(head.Node), Kind: SectionSymbol,
			Span: s.Span(), NameSpan: head.InFile(head.KeyNode()).Span(), Children: fileOutline(f, s),
		})
	}
	return symbols
}

// fileOutline returns the symbols in a section.
func fileOutline(f *model.File, s syntax.Section) []Symbol {
	var symbols []Symbol
	for _, e := range s.Entries {
		n := model.PositionNode(e.Root(), e.Offset)
		switch {
		case s.Head.Kind() != syntax.ToolsSection:
			symbols = append(symbols, blockSymbols(n)...)
		case n.Kind() == syntax.Tool:
			symbols = append(symbols, toolSymbols(f, e)...)
		case n.Kind() == syntax.Add:
			add := symbolOf(n, n.KeyNode(), BlockSymbol)
			add.Children = toolSymbols(f, e)
			symbols = append(symbols, add)
		case n.Kind() == syntax.Import:
			symbols = append(symbols, importSymbol(n))
		case n.Kind() == syntax.Pair:
			symbols = append(symbols, symbolOf(n, n.KeyNode(), ValueSymbol))
		}
	}
	return symbols
}

// toolSymbols returns the tools of an entry: the declared one, or those below an ADD.
func toolSymbols(f *model.File, e syntax.PositionedEntry) []Symbol {
	var symbols []Symbol
	decls := f.DeclaredTools(e.Entry)
	for i := range decls {
		t := model.PositionedTool{ToolDecl: &decls[i], Offset: e.Offset}
		s := symbolOf(t.InFile(t.Node), t.NameNode(), ToolSymbol)
		s.Detail = string(t.Kind())
		for j := range t.Params {
			if p := &t.Params[j]; p.Name != "" {
				param := symbolOf(t.InFile(p.Node), p.NameNode(), ParameterSymbol)
				param.Detail = p.Type.String()
				s.Children = append(s.Children, param)
			}
		}
		symbols = append(symbols, s)
	}
	return symbols
}

func importSymbol(n model.PositionedNode) Symbol {
	i := model.NewImport("", n)
	name := n.KeyNode()
	if path := n.Child(syntax.FieldPath); i.Path != "" {
		name = path
	}
	s := symbolOf(n, name, ImportSymbol)
	var names []string
	for _, n := range i.Names {
		names = append(names, n.UnquotedText())
	}
	s.Detail = strings.Join(names, ", ")
	return s
}

// blockSymbols returns the symbol of a line that has lines below it: a step, a field, an item.
// Steps may also be below `steps:`.
func blockSymbols(n model.PositionedNode) []Symbol {
	switch n.Kind() {
	case syntax.Pair, syntax.Step:
		if n.Child(syntax.FieldBlock).IsZero() {
			return nil
		}
		s := symbolOf(n, n.KeyNode(), BlockSymbol)
		if !strings.EqualFold(n.Key(), "steps") {
			return []Symbol{s}
		}
		names := false // of steps that are siblings
		for c := range n.BlockChildren() {
			switch c.Kind() {
			case syntax.Step:
				s.Children = append(s.Children, blockSymbols(n.InFile(c))...)
			case syntax.ListItem:
				names = true
			}
		}
		if names && len(s.Children) == 0 {
			return nil
		}
		return []Symbol{s}
	case syntax.ListItem:
		for first := range n.BlockChildren() {
			if first.Kind() == syntax.Pair && !first.Value().IsZero() {
				s := symbolOf(n, first.Value(), ItemSymbol)
				s.Detail = first.Key()
				return []Symbol{s}
			}
			break
		}
	}
	return nil
}

// symbolOf returns the symbol of a node whose name is a part of it.
func symbolOf(n model.PositionedNode, name syntax.Node, kind SymbolKind) Symbol {
	s := Symbol{Name: describe.OneLine(name.UnquotedText(), maxDetail), Detail: detail(n.Node), Kind: kind, Span: n.Span(), NameSpan: n.InFile(name).Span()}
	if s.Name == "" {
		s.Name = name.Text()
	}
	return s
}

// maxDetail is how many characters of a text an outline shows.
const maxDetail = 60

// detail returns what the outline shows next to the name of n: the value after the colon on its
// line, clipped to maxDetail characters. It is "" if n has no value there.
func detail(n syntax.Node) string { return describe.OneLine(n.Value().UnquotedText(), maxDetail) }
