package analysis

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// useAt is what the word at an offset names.
func useAt(w Workspace, path string, offset int) (use, bool) {
	f := w.files.get(path)
	if f == nil || f.Doc == nil {
		return use{}, false
	}
	r, found := resolver{w: w, f: f}, []use(nil)
	offset = min(max(offset, 0), len(f.Doc.Text()))
	switch {
	case f.Project != nil || IsCases(path) || f.Foreign != nil || IsManifest(path) || f.IsYAMLAgent():
		found = r.uses()
	case f.Kind == YAML:
		return use{}, false
	default:
		if e := f.cursor(offset).entry; e.Entry != nil {
			word := wordAt(f.Doc.Text(), offset)
			r.word = f.Doc.Text()[word.Start:word.End]
			found = r.entryUses(e)
		}
	}
	found = slices.DeleteFunc(found, func(u use) bool { return !u.span.Touches(offset) })
	if len(found) == 0 {
		return use{}, false
	}
	// Of two that meet at the offset the second has it.
	return slices.MaxFunc(found, func(a, b use) int {
		return cmp.Or(cmp.Compare(a.span.Start, b.span.Start), cmp.Compare(a.access, b.access))
	}), true
}

// askedAt is what the word at an offset names, the number of a parameter, or a
// reference in a schema.
func askedAt(w Workspace, path string, offset int) (use, bool) {
	if n, ok := numberedAt(w, path, offset); ok {
		offset = n.declared.Start
	}
	u, ok := useAt(w, path, offset)
	if r, refers := schemaReferenceAt(w.files.get(path), offset); !ok && refers {
		return useAt(w, path, r.span.End)
	}
	return u, ok
}

// numberedParam is a parameter that a statement names by its number.
type numberedParam struct {
	name     string
	tool     ScopedTool
	span     text.Span // of the number
	declared text.Span // where the parameter is
}

// numberedAt is the one at an offset of the file at path.
func numberedAt(w Workspace, path string, offset int) (n numberedParam, ok bool) {
	f := w.files.get(path)
	if f == nil || f.Doc == nil {
		return numberedParam{}, false
	}
	around := f.toolAround
	if f.Foreign != nil {
		around = f.foreignAround
	}
	t, ok := around(offset)
	if !ok {
		return numberedParam{}, false
	}
	s, ok := statementOf(w, ScopedTool{PlacedTool: t, File: f})
	if !ok {
		return numberedParam{}, false
	}
	for _, p := range s.numbers() {
		if p.Span.Touches(offset) && p.Index <= len(s.names) {
			n = numberedParam{name: s.names[p.Index-1], tool: s.Tool, span: p.Span}
			n.declared, ok = t.paramSpan(n.name)
			return n, ok
		}
	}
	return numberedParam{}, false
}

// groupAt is the match of a pattern on a line whose group the cursor touches.
func groupAt(p *regexp.Regexp, source string, line text.Span, group, offset int) (text.Span, bool) {
	line.Start = max(line.Start, min(offset-longestName, line.End))
	line.End = min(line.End, max(offset+longestName, line.Start))
	for _, m := range p.FindAllStringSubmatchIndex(source[line.Start:line.End], -1) {
		at := text.Span{Start: m[2*group], End: m[2*group+1]}.Shift(line.Start)
		if at.Touches(offset) {
			return at, true
		}
	}
	return text.Span{}, false
}

// longestName is how far from the cursor a name may begin or end: a line may be
// millions of bytes long.
const longestName = 500

// foreignAt is the tool or the parameter whose name stands at an offset of a
// foreign file.
func foreignAt(f *File, offset int) (t target, ok bool) {
	if f == nil || f.Foreign == nil {
		return target{}, false
	}
	for _, decl := range f.Tools {
		t := target{tool: ScopedTool{PlacedTool: decl, File: f}, span: decl.NameSpan()}
		if t.span.Touches(offset) {
			return t, true
		}
		for i := range decl.Params {
			t.param = &decl.Params[i]
			if t.span = decl.At(t.param.NameNode()).Span(); t.span.Touches(offset) {
				return t, true
			}
		}
	}
	return target{}, false
}
