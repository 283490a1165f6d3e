package cursor

import (
	"cmp"
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// OccurrenceAt returns the occurrence of the word at an offset of the file at path. The second
// result is false if the word names nothing.
func OccurrenceAt(w model.Workspace, path string, offset int) (model.Occurrence, bool) {
	f := w.File(path)
	if f == nil || f.Doc == nil {
		return model.Occurrence{}, false
	}
	r, found := model.Resolver{Workspace: w, File: f}, []model.Occurrence(nil)
	isInYAML := f.IsYAMLAgent() && !f.Agent.Map.IsGenerated(offset)
	if !isInYAML {
		offset = min(max(offset, 0), len(f.Doc.Text()))
	}
	switch {
	case isInYAML:
		found = r.AnchorOccurrences()
	case f.Project != nil || model.IsCases(path) || f.Foreign != nil || model.IsManifest(path):
		found = r.Occurrences()
	case f.Kind == model.YAML:
		return model.Occurrence{}, false
	default:
		if e := f.Cursor(offset).Entry; e.Entry != nil {
			word := model.WordAt(f.Doc.Text(), offset)
			r.Word = f.Doc.Text()[word.Start:word.End]
			found = r.EntryOccurrences(e)
		}
	}
	found = slices.DeleteFunc(found, func(u model.Occurrence) bool { return !u.Span.Touches(offset) })
	if len(found) == 0 {
		return aliasAt(&r, offset)
	}
	// If two names meet at the offset, the second one counts.
	return slices.MaxFunc(found, func(a, b model.Occurrence) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Access, b.Access))
	}), true
}

// aliasAt returns the alias of an agent in YAML whose text an offset is in.
func aliasAt(r *model.Resolver, offset int) (model.Occurrence, bool) {
	if !r.File.IsYAMLAgent() {
		return model.Occurrence{}, false
	}
	sign := r.File.WrittenOffset(offset)
	all := r.AnchorOccurrences()
	i := slices.IndexFunc(all, func(u model.Occurrence) bool {
		return u.Access == model.Reads && r.File.WrittenSpan(u.Span).Start == sign+1
	})
	if i < 0 {
		return model.Occurrence{}, false
	}
	return all[i], true
}

// AnyOccurrenceAt returns the occurrence of the word, of the number of a parameter, or of the
// schema reference at an offset of the file at path. The second result is false if there is none.
func AnyOccurrenceAt(w model.Workspace, path string, offset int) (model.Occurrence, bool) {
	if n, ok := NumberedParamAt(w, path, offset); ok {
		offset = n.Declared.Start
	}
	u, ok := OccurrenceAt(w, path, offset)
	if r, refers := model.SchemaReferenceAt(w.File(path), offset); !ok && refers {
		return OccurrenceAt(w, path, r.Span.End)
	}
	return u, ok
}

// NumberedParam is a parameter that a statement names by its number.
type NumberedParam struct {
	Name     string
	Tool     model.ScopedTool
	Span     text.Span // of the number
	Declared text.Span // of the parameter's declaration
}

// NumberedParamAt returns the parameter whose number is at an offset of the file at path, in a
// statement. ok is false if no such number is there.
func NumberedParamAt(w model.Workspace, path string, offset int) (n NumberedParam, ok bool) {
	f := w.File(path)
	if f == nil || f.Doc == nil {
		return NumberedParam{}, false
	}
	around := f.ToolAround
	if f.Foreign != nil {
		around = f.ForeignAround
	}
	t, ok := around(offset)
	if !ok {
		return NumberedParam{}, false
	}
	s, ok := model.StatementOf(w, model.ScopedTool{PositionedTool: t, File: f})
	if !ok {
		return NumberedParam{}, false
	}
	for _, p := range s.NumberedPlaceholders() {
		if p.Span.Touches(offset) && p.Index <= len(s.Names) {
			n = NumberedParam{Name: s.Names[p.Index-1], Tool: s.Tool, Span: p.Span}
			n.Declared, ok = t.ParamSpan(n.Name)
			return n, ok
		}
	}
	return NumberedParam{}, false
}

// GroupAt returns the span of a group of p in the match whose group touches the offset. It looks
// for matches in the given line of source. The second result is false if there is none.
func GroupAt(p *lazyregexp.Regexp, source string, line text.Span, group, offset int) (text.Span, bool) {
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

// longestName is how far from the cursor a name may begin or end: a line may be millions of bytes
// long.
const longestName = 500

// ForeignAt returns the tool or the parameter whose name is at an offset of the foreign file f. ok
// is false elsewhere, and for a file that is nil or not foreign.
func ForeignAt(f *model.File, offset int) (t Target, ok bool) {
	if f == nil || f.Foreign == nil {
		return Target{}, false
	}
	for _, decl := range f.Tools {
		t := Target{Tool: model.ScopedTool{PositionedTool: decl, File: f}, Span: decl.NameSpan()}
		if t.Span.Touches(offset) {
			return t, true
		}
		for i := range decl.Params {
			t.Param = &decl.Params[i]
			if t.Span = decl.InFile(t.Param.NameNode()).Span(); t.Span.Touches(offset) {
				return t, true
			}
		}
	}
	return Target{}, false
}
