package model

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/dialect/abl"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// IsForeign reports whether a file may hold tools of another system, by its name.
func IsForeign(path string) bool {
	return dialect.Is(path) && !IsABL(path) && !IsProjectFile(path) && !NamesTools(path) && !isExported(path)
}

// readForeign reads a foreign file. Its tools become declarations, as they would be written in ABL,
// with the places that they really have. Tools whose text is unchanged are not parsed again.
func readForeign(f *File, before *File) {
	var last *foreign.File
	if before != nil {
		last = before.Foreign
	}
	read := dialect.Reread(last, f.Path, f.Doc.Lines())
	if read.System == "" {
		return
	}
	f.Foreign, f.foreignDecls = &read, map[string]*ToolDecl{}
	f.declaredNames = sync.OnceValue(func() map[declaredName]bool { return readDeclared(f) })
	for i := range read.Tools {
		t := &read.Tools[i]
		t.Name = Unquoted(f, t.Name)
		for k, name := range t.Params {
			t.Params[k] = Unquoted(f, name)
		}
		if decl := foreignDecl(f, t, before); decl != nil {
			f.Tools = append(f.Tools, PositionedTool{ToolDecl: decl})
		}
	}
	f.Builtins = map[string]PositionedTool{}
	for i := range read.Builtins {
		t := &read.Builtins[i]
		f.Builtins[t.Resource] = PositionedTool{ToolDecl: foreignDecl(f, t, before)}
	}
}

// Unquoted returns a span of the file without the quotes at its ends.
func Unquoted(f *File, s text.Span) text.Span {
	source := f.Doc.Text()[s.Start:s.End]
	if len(source) > 1 && strings.IndexByte("\"'`", source[0]) >= 0 && source[0] == source[len(source)-1] {
		return text.Span{Start: s.Start + 1, End: s.End - 1}
	}
	return s
}

// IsCertainlyForeign reports whether the file at path is certainly a foreign file: it says so
// itself, a file imports it, or one of its tools is complete. Many JSON and YAML files have a list
// of tools that are not tools of an agent.
func IsCertainlyForeign(w Workspace, path string) bool {
	f := w.File(path)
	switch {
	case f == nil || f.Doc == nil || isExportFile(w, path) && !isImported(w, path):
		return false
	case f.Foreign == nil: // if it is too large, its system is unknown
		return f.Doc.TooLarge() && IsForeign(path) && isImported(w, path)
	}
	return f.Foreign.Sure || slices.ContainsFunc(f.Foreign.Tools, func(p0 foreign.Tool) bool { return isCompleteForeign(f, p0) }) || isImported(w, path)
}

// isCompleteForeign reports whether a foreign tool has a name, a description, and a property that
// says how it runs or what it changes. A ToolDefinition is known by its schema.
func isCompleteForeign(f *File, t foreign.Tool) bool {
	_, custom := t.Spec.(*tool.Custom)
	return t.Tool.Name != "" && t.Description != "" && (t.Kind != "" && !custom || t.Mutation != "" || f.Foreign.System == "service")
}

func isImported(w Workspace, path string) bool {
	for _, h := range w.files.All() {
		if slices.Contains(h.Imported(), path) {
			return true
		}
	}
	return false
}

// foreignDecl returns the declaration of a foreign tool, nil if the tool has no name. It is that of
// the file's last version if the tool is unchanged.
func foreignDecl(f *File, t *foreign.Tool, before *File) *ToolDecl {
	if t.Tool.Name == "" {
		return nil
	}
	if before != nil {
		if old := before.foreignDecls[t.Tool.Name]; old != nil && sameForeignTool(old.Foreign, t) {
			d := *old
			d.Foreign = t
			f.foreignDecls[t.Tool.Name] = &d
			return &d
		}
	}
	d := parseForeign(t)
	if d != nil {
		f.foreignDecls[t.Tool.Name] = d
	}
	return d
}

// sameForeignTool reports whether two tools are the same, apart from their places.
func sameForeignTool(a, b *foreign.Tool) bool {
	sameEntry := a.Entry != nil && b.Entry != nil && a.Entry.Origin() != nil && a.Entry.Origin() == b.Entry.Origin()
	return sameEntry || reflect.DeepEqual(a.Tool, b.Tool)
}

// parseForeign writes a foreign tool as ABL and parses it.
func parseForeign(t *foreign.Tool) *ToolDecl {
	source, _ := abl.Tool(t.Tool)
	for _, s := range syntax.Parse("TOOLS:\n" + source).Sections() {
		for _, e := range s.Entries {
			if e.Kind() != syntax.Tool {
				continue
			}
			d := NewToolDecl(e.Root())
			d.Name, d.Foreign = t.Tool.Name, t
			for i := range min(len(d.Params), len(t.Tool.Params)) {
				d.Params[i].Name = t.Tool.Params[i].Name
			}
			return &d
		}
	}
	return nil
}

// IsForeign reports whether the tool is declared in a foreign file.
func (d *ToolDecl) IsForeign() bool { return d.Foreign != nil }

// LostNames returns the names in the foreign declaration for which ABL has no word.
func (d *ToolDecl) LostNames() []foreign.Name {
	if d.Foreign == nil {
		return nil
	}
	return d.Foreign.Lost
}

// foreignSpan returns the place in the foreign file of what a node of the ABL declaration shows: a
// parameter, or the tool itself.
func foreignSpan(d *ToolDecl, n syntax.Node) text.Span {
	for i := range min(len(d.Params), len(d.Foreign.Params)) {
		if p := &d.Params[i]; n == p.Node || n == p.NameNode() {
			return d.Foreign.Params[i]
		}
	}
	return d.Foreign.Name
}

// lowerForeign lowers a foreign tool.
func lowerForeign(w Workspace, path string, t ScopedTool) LoweredTool {
	l := LoweredTool{Tool: t.Foreign.Tool, Declared: t, ToolTimeout: toolTimeout(w, path)}
	l.Tool.Origin = tool.Origin{
		System: t.File.Foreign.System,
		File:   t.File.Path,
		Line:   t.File.Doc.Lines().Line(t.NameSpan().Start) + 1,

		Metadata: t.Foreign.Origin.Metadata,
	}
	return l
}

// SystemNames are the names of the other systems for readers, by their keys.
var SystemNames = map[string]string{
	"toolbox": "MCP Toolbox", "corail": "Corail", "service": "a ToolDefinition service", "nao": "Nao",
}
