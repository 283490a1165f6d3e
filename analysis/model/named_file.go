package model

import (
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// NamedFile is a file that a run reads because a tool names it, or because abl.yaml names it for
// the tools of a service: a module, or a schema.
type NamedFile struct {
	Property string
	Path     string    // as written
	Target   string    // the path that it means
	Span     text.Span // of what is written
}

// NamedFiles returns the files that the file names, if the ending of their name says that they are
// read as imports are.
func (s *Summary) NamedFiles() []NamedFile {
	if s == nil || s.namedFiles == nil {
		return nil
	}
	return s.namedFiles()
}

func readNamedFiles(f *File) (named []NamedFile) {
	addPath := func(property, written string, span text.Span) {
		n := NamedFile{Property: property, Path: written, Target: Resolve(f.Path, written), Span: span}
		if IsForeign(n.Target) && filepath.IsAbs(n.Target) && !strings.Contains(written, "{{") {
			named = append(named, n)
		}
	}
	if f.Project != nil {
		for _, m := range projectfile.Modules(f.YAML) {
			addPath("module", m.Name, m.Span)
		}
		return named
	}
	for t := range f.ToolsWith(HasFiles) {
		if t.IsForeign() {
			continue
		}
		for _, property := range []string{"module", "input_schema", "output_schema"} {
			p, ok := t.Property(property)
			written, isText := "", false
			if ok && (property != "module" || t.Kind() == tool.KindModule) {
				written, isText = p.value().(string)
			}
			if isText && written != "" && isSingle(p.Value) && !strings.HasPrefix(strings.TrimSpace(written), "{") {
				addPath(property, written, t.InFile(p.Value).Span())
			}
		}
	}
	return named
}
