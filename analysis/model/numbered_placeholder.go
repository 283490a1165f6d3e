package model

import "github.com/abl-lsp/abl-lsp/syntax/text"

// NumberedPlaceholders returns the placeholders of the statement that are numbers, such as `$1`.
// Their Name is what is written.
func (s Statement) NumberedPlaceholders() (found []ForeignPlaceholder) {
	for index, at := range numbersIn(s.written) {
		found = append(found, ForeignPlaceholder{Name: s.written[at.Start:at.End], Index: index, Span: s.place(at), Key: "statement"})
	}
	return found
}

// ParamSpan returns the place at which the tool declares the parameter called name. The second
// result is false if it declares none.
func (t PositionedTool) ParamSpan(name string) (text.Span, bool) {
	if !t.IsForeign() {
		d := t.Param(name)
		if d == nil {
			return text.Span{}, false
		}
		return t.InFile(d.NameNode()).Span(), true
	}
	for i, p := range t.Foreign.Tool.Params {
		if p.Name == name && i < len(t.Foreign.Params) {
			return t.Foreign.Params[i], true
		}
	}
	return text.Span{}, false
}

// NumberReferences returns the numbers by which statements refer to a parameter.
func NumberReferences(w Workspace, s Symbol) (found []Reference) {
	f := w.File(s.Path)
	if f == nil || s.Kind != ParameterSymbol {
		return nil
	}
	for _, t := range f.Tools {
		if t.Owner() != s.Owner {
			continue
		}
		statement, _ := StatementOf(w, ScopedTool{PositionedTool: t, File: f})
		for _, n := range statement.NumberedPlaceholders() {
			if n.Index <= len(statement.Names) && statement.Names[n.Index-1] == s.Name {
				found = append(found, Reference{s.Path, n.Span, Reads})
			}
		}
	}
	return found
}
