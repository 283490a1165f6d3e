package analysis

import "github.com/abl-lsp/abl-lsp/syntax/text"

// Location is a place that a word leads to.
type Location struct {
	From text.Span // the word that was asked about
	Path string
	Span text.Span // the name there; empty at the beginning of a file
	Full text.Span // the declaration around it
}

// Definition is where the name at an offset of the file at path is declared: the
// signature of a tool, the parameter in it, a step, or the file that an import
// names.
// Names that cannot be found lead nowhere.
func (w Workspace) Definition(path string, offset int) []Location {
	c, ok := w.cursor(path, offset)
	if !ok {
		return nil
	}
	t, ok := w.target(c)
	switch {
	case !ok:
		return nil
	case t.file != nil:
		to := Resolve(path, t.file.Path)
		if f := w.files[to]; f == nil || f.Absent != Present {
			return nil
		}
		return []Location{{From: t.span, Path: to}}
	case t.step != nil:
		return []Location{{From: t.span, Path: path, Span: t.step.NameSpan, Full: t.step.full()}}
	}
	l := Location{From: t.span, Path: t.tool.File.Path, Span: t.tool.NameSpan(), Full: t.tool.Span()}
	if t.param != nil {
		l.Span = t.tool.At(t.param.NameNode()).Span()
		l.Full = t.tool.At(t.param.Node).Span()
	}
	return []Location{l}
}
