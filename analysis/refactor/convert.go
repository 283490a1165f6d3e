package refactor

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/dialect/abl"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// convertToABL writes the tools that an import brings from a foreign file into a library in the
// same folder, and imports that library instead. On a name in the import's list it converts that
// tool alone.
func convertToABL(s selection) []Refactoring {
	i := s.file.ImportAround(s.Start)
	if i == nil {
		return nil
	}
	from := s.w.File(i.Target)
	if from == nil || from.Foreign == nil {
		return nil
	}
	all := conversion{file: s.file, from: from, line: *i, names: -1}
	offered := []Refactoring{all.offer("Convert the tools of `" + i.Path + "` to ABL")}
	for k, n := range i.Names {
		if len(i.Names) > 1 && n.Span().Touches(s.Start) {
			one := all
			one.names = k
			offered = append(offered, one.offer("Convert `"+n.UnquotedText()+"` to ABL"))
		}
	}
	return offered
}

// conversion is an import to be converted.
type conversion struct {
	file  *model.File  // the importing file
	from  *model.File  // the foreign file
	line  model.Import // of file
	names int          // the index of the only name to convert; -1 for everything that the import brings
}

func (c conversion) offer(title string) Refactoring {
	r := Refactoring{Title: title, Reads: c.libraries(), edits: c.edits}
	switch {
	case edit.HasOtherText(c.line):
		r.Disabled = "the line of the import cannot be read"
	case len(c.tools()) == 0:
		r.Disabled = "`" + c.line.Path + "` has none of these tools"
	default:
		r.Opens = r.Reads[0]
	}
	return r
}

// tools returns the tools to convert, in the order of their file.
func (c conversion) tools() []foreign.Tool {
	var tools []foreign.Tool
	for _, t := range c.from.Foreign.Tools {
		wanted := c.line.All || c.line.NameOf(t.Tool.Name, t.Version) >= 0
		if c.names >= 0 {
			wanted = c.line.NameOf(t.Tool.Name, t.Version) == c.names
		}
		if wanted && t.Tool.Name != "" {
			tools = append(tools, t)
		}
	}
	return tools
}

// maxLibraries is how many names are tried for the new library.
const maxLibraries = 9

// libraries returns the possible paths of the new library: the name of the foreign file without the
// part that only says that it has tools.
func (c conversion) libraries() []string {
	base := c.from.Path
	for _, suffix := range []string{filepath.Ext(base), ".tools", ".tool"} {
		base = strings.TrimSuffix(base, suffix)
	}
	paths := []string{base + ".tools.abl"}
	for n := 2; n <= maxLibraries; n++ {
		paths = append(paths, base+"-"+strconv.Itoa(n)+".tools.abl")
	}
	return paths
}

func (c conversion) edits(_ context.Context, w model.Workspace) ([]model.FileEdit, error) {
	made, err := c.library(w, c.tools())
	if err != nil {
		return nil, err
	}
	return append([]model.FileEdit{made}, c.importerEdits(made.Path)...), nil
}

// importerEdits returns the edits of the file that imports the tools.
func (c conversion) importerEdits(library string) []model.FileEdit {
	return append(c.importEdits(model.Relative(c.file.Path, library)), c.renameEdits(c.tools())...)
}

// library returns the edit that creates the new library with tools in it. It fails if there are
// files of all names that the library could have.
func (c conversion) library(w model.Workspace, tools []foreign.Tool) (model.FileEdit, error) {
	isFree := func(path string) bool { f := w.File(path); return f == nil || f.Absent == model.NotFound }
	paths := c.libraries()
	k := slices.IndexFunc(paths, isFree)
	if k < 0 {
		return model.FileEdit{}, errors.New("there are files of all names that the library could have, such as " + filepath.Base(paths[0]))
	}
	return model.FileEdit{Path: paths[k], Edit: text.Edit{NewText: c.header(w) + abl.Library(abl.Entries(tools))}}, nil
}

// header returns a comment with the entries of abl.yaml that the tools need.
func (c conversion) header(w model.Workspace) string {
	project := abl.Project(c.neededEntries(w))
	if project == "" {
		return ""
	}
	lines := strings.Split(strings.TrimSuffix(project, "\n"), "\n")
	return "# In abl.yaml these tools need:\n#   " + strings.Join(lines, "\n#   ") + "\n"
}

// neededEntries returns the entries of abl.yaml that the tools of the foreign file need. Paths of
// database files are relative to the nearest abl.yaml, since the entries will be there.
func (c conversion) neededEntries(w model.Workspace) tool.Object {
	from, at := c.from.Path, model.ProjectPath(w, c.from.Path)
	if at == "" {
		return c.from.Foreign.Project
	}
	project := slices.Clone(c.from.Foreign.Project)
	for i, table := range project {
		sources, ok := table.Value.(tool.Object)
		if table.Name != projectfile.Sources || !ok {
			continue
		}
		sources = slices.Clone(sources)
		for k, source := range sources {
			if model.KindOfSource(source) == "sqlite" {
				sources[k].Value = withDatabasePath(source.Value, func(path string) string { return model.RelativeLike(path, at, model.Resolve(from, path)) })
			}
		}
		project[i].Value = sources
	}
	return project
}

// withDatabasePath returns a source of SQLite with another path of its file.
func withDatabasePath(source any, written func(path string) string) any {
	keys, _ := source.(tool.Object) // its kind was read
	path, isText := keys.Get("database").(string)
	if !isText || path == ":memory:" || strings.Contains(path, "{{") {
		return keys
	}
	return slices.Clone(keys).With("database", written(path))
}

// importEdits returns the edits that make the import name the library; if only one name is
// converted, on a line of its own.
func (c conversion) importEdits(written string) []model.FileEdit {
	if c.names < 0 {
		return []model.FileEdit{model.ReplaceEdit(c.line.PathNode().Span(), `"`+written+`"`)}
	}
	unversioned, version := tool.SplitVersion(c.line.Names[c.names].UnquotedText())
	name := tool.JoinVersion(abl.Name(unversioned), version)
	end := c.file.Doc.Lines().LineText(c.file.Doc.Lines().Line(c.line.Span().End)).End
	line := "\n" + model.IndentAt(c.file, c.line.Span().Start) + `file: "` + written + `" [` + name + "]"
	return []model.FileEdit{model.ReplaceEdit(edit.WithoutName(c.line, c.names), ""), model.ReplaceEdit(text.Span{Start: end, End: end}, line)}
}

// renameEdits returns the edits for tools whose names ABL cannot have: in the list, and where the
// file uses them.
func (c conversion) renameEdits(tools []foreign.Tool) []model.FileEdit {
	names := map[string]string{}
	for _, t := range tools {
		if name := abl.Name(t.Tool.Name); name != t.Tool.Name {
			names[t.Tool.Name] = name
		}
	}
	var edits []model.FileEdit
	for k, n := range c.line.Names {
		unversioned, version := tool.SplitVersion(n.UnquotedText())
		if to := names[unversioned]; to != "" && k != c.names {
			edits = append(edits, model.ReplaceEdit(c.line.NameSpan(k), tool.JoinVersion(to, version)))
		}
	}
	for _, m := range c.file.NameRefsOf(model.ToolRef) {
		if to := names[m.Name]; to != "" {
			edits = append(edits, model.ReplaceEdit(m.Span, to))
		}
	}
	return edits
}
