package analysis

import (
	"strconv"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// numbers are `$1` and its like, with what is written as the name.
func (s Statement) numbers() (found []ForeignPlaceholder) {
	for _, m := range numbered.FindAllStringSubmatchIndex(s.written, -1) {
		if m[2] < 0 {
			continue
		}
		if index, err := strconv.Atoi(s.written[m[4]:m[5]]); err == nil {
			found = append(found, ForeignPlaceholder{
				Name: s.written[m[2]:m[3]], Index: index, Span: s.place(text.Span{Start: m[2], End: m[3]}), Key: "statement",
			})
		}
	}
	return found
}

// paramSpan is where the tool declares a parameter.
func (t PlacedTool) paramSpan(name string) (text.Span, bool) {
	if !t.IsForeign() {
		d := t.Param(name)
		if d == nil {
			return text.Span{}, false
		}
		return t.At(d.NameNode()).Span(), true
	}
	for i, p := range t.foreign.Tool.Params {
		if p.Name == name && i < len(t.foreign.Params) {
			return t.foreign.Params[i], true
		}
	}
	return text.Span{}, false
}

// numberReferences are the numbers by which statements name a parameter.
func numberReferences(w Workspace, s subject) (found []Reference) {
	f := w.files.get(s.path)
	if f == nil || s.kind != ParameterSubject {
		return nil
	}
	for _, t := range f.Tools {
		if t.owner() != s.owner {
			continue
		}
		statement, _ := statementOf(w, ScopedTool{PlacedTool: t, File: f})
		for _, n := range statement.numbers() {
			if n.Index <= len(statement.names) && statement.names[n.Index-1] == s.name {
				found = append(found, Reference{s.path, n.Span, Reads})
			}
		}
	}
	return found
}
