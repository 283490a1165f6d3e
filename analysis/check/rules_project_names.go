package check

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/tool"
)

// projectNames describes the places of tools that name entries of one table of abl.yaml: the value
// of property, or what named returns.
type projectNames struct {
	trait    model.Traits // of the tools that give such names
	property string
	kinds    []tool.Kind
	named    func(model.PositionedTool) []model.Word // nil: the property
	table    string
	what     string // the noun for one of them

	// resolved reports whether a value is no name but what the name would resolve to.
	resolved func(value string) bool
}

// reportUnknown reports the names that the table does not have. Without a table it is a hint, since
// the names are unknown; if abl.yaml cannot be read, nothing is reported.
func (n projectNames) reportUnknown(out *findings, f File) {
	in, known := f.Workspace.Project(f.Path)
	if !known || in != nil && (in.Project == nil || in.Project.Broken) {
		return
	}
	var table projectfile.Table
	listed := false
	if in != nil {
		table, listed = in.Project.Table(n.table)
	}
	names := table.Names()
	if table.Incomplete || !listed && in != nil && in.Project.Incomplete {
		return
	}
	for t := range f.ToolsWith(n.trait) {
		for _, w := range n.words(t) {
			name, at := w.Text, w.Span.Shift(t.Offset)
			exported := n.table == projectfile.Servers && model.HasExportedName(f.Workspace, f.Path, model.ServerNameKind, name)
			if slices.Contains(names, name) || exported || len(*out) >= maxFindings {
				continue
			}
			if !listed {
				out.hint(at, "No `%s` lists %s, so nobody knows the %s `%s`; put it under `%s:` there.", projectfile.FileName, n.table, n.what, name, n.table)
				continue
			}
			d := out.warn(at, "`%s` has no %s `%s`; %s", projectfile.FileName, n.what, name,
				model.DidYouMean(name, names, "put it under `"+n.table+":` there."))
			offerNear(d, at, name, names)
		}
	}
}

// words returns the names of entries that t gives, with their places in t's entry.
func (n projectNames) words(t model.PositionedTool) []model.Word {
	if n.named != nil {
		return n.named(t)
	}
	p, ok := t.Property(n.property)
	if !ok || !slices.Contains(n.kinds, t.Kind()) {
		return nil
	}
	word, ok := p.PlainName()
	if !ok || n.resolved != nil && n.resolved(word.Text) {
		return nil
	}
	return []model.Word{word}
}
