package refactor

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// addCase writes a case of a tool into the file of its saved cases, which is created if there is
// none.
func addCase(s selection) []Refactoring {
	t, ok := s.tool()
	if !ok || !filepath.IsAbs(s.file.Path) || s.file.Kind == model.Profile {
		return nil
	}
	path := model.CasesPath(s.file.Path)
	r := Refactoring{
		Title:   "Add a case for `" + t.Name + "` to " + filepath.Base(path),
		Reads:   []string{path},
		Creates: path,
		Opens:   path,
		edits: func(_ context.Context, w model.Workspace) ([]model.FileEdit, error) {
			lowered := model.LowerTool(w, s.file.Path, model.ScopedTool{PositionedTool: t, File: s.file}).Tool
			edit, err := caseEdit(w.File(path), filepath.Base(path), t.Name, "", []string{
				"args: " + model.FlowYAML(model.SampleArguments(lowered)), "expect:", "  ok: true",
			})
			return []model.FileEdit{{Path: path, Edit: edit}}, err
		},
	}
	if named, _ := s.w.Scope(s.file.Path).Tool(t.Name); named.Span() != t.Span() {
		r.Disabled = "cases of `" + t.Name + "` are those of the other tool of this name"
	}
	return []Refactoring{r}
}

// caseEdit returns the edit that adds a case of tool to f, the file of saved cases called name; f
// is nil, or has no text, if that does not exist. called is the name of the case; for "" a free one
// is chosen. It fails if f cannot be read, or does not have a line for each tool and case, and if
// called is taken.
func caseEdit(f *model.File, name, tool, called string, lines []string) (text.Edit, error) {
	first := tool + ":\n" + caseItem("  ", cmp.Or(called, edit.NameAsWords(tool)), lines)
	if f == nil || f.Doc == nil {
		if f != nil && f.Absent != model.NotFound {
			return text.Edit{}, fmt.Errorf("%s cannot be read", name)
		}
		return text.Edit{NewText: first + "\n"}, nil
	}
	root := f.YAML.Root()
	if faults := f.YAML.Faults(); len(faults) > 0 {
		return text.Edit{}, fmt.Errorf("%s is no YAML in line %d: put that right first", name, f.Doc.Lines().Line(faults[0].Span.Start)+1)
	}
	if len(f.YAML.Roots()) > 1 || root.Style == yaml.Flow || root.Kind != yaml.Map && root.Kind != yaml.Null {
		return text.Edit{}, fmt.Errorf("%s does not have a line for each tool", name)
	}
	for _, m := range root.OwnMembers() {
		if m.Key.Text == tool {
			return caseBelow(f, m, tool, called, lines)
		}
	}
	end := len(f.Doc.Text())
	before := "\n"
	if rest := strings.TrimRight(f.Doc.Text(), " \t\r\n"); rest == "" {
		before = ""
	} else if !strings.ContainsAny(f.Doc.Text()[len(rest):], "\r\n") {
		before = "\n\n"
	}
	return text.Insertion(end, before+first+"\n"), nil
}

// caseBelow returns the edit that adds a case to the list in m, which has the cases of tool. It
// fails if the list is inline or written elsewhere, and if a case is called that already.
func caseBelow(f *model.File, m yaml.Member, tool, called string, lines []string) (text.Edit, error) {
	source, cases := f.Doc.Text(), m.Value
	switch {
	case cases.Kind == yaml.Null && cases.Span.Len() == 0 && cases.Anchor+cases.Tag+cases.Alias == "":
		at := f.Doc.Lines().LineText(f.Doc.Lines().Line(m.Key.Span.End)).End
		return text.Insertion(at, "\n"+caseItem("  ", cmp.Or(called, edit.NameAsWords(tool)), lines)), nil
	case cases.Kind == yaml.List && len(cases.Items) == 0 && !cases.Unclosed && cases.Anchor+cases.Tag+cases.Alias == "":
		empty := text.Span{Start: m.Colon + 1, End: cases.Span.End}
		return text.Edit{Span: empty, NewText: "\n" + caseItem("  ", cmp.Or(called, edit.NameAsWords(tool)), lines)}, nil
	case cases.Kind != yaml.List || cases.Style == yaml.Flow || cases.Alias != "":
		return text.Edit{}, fmt.Errorf("the cases of `%s` do not have a line each", tool)
	}
	var names []string
	for _, c := range cases.Items {
		if name := c.Get("name"); name != nil {
			names = append(names, name.Text)
		}
	}
	if slices.Contains(names, called) {
		return text.Edit{}, fmt.Errorf("`%s` has a case called %q already", tool, called)
	}
	name := cmp.Or(called, edit.NameAsWords(tool))
	for n := 2; slices.Contains(names, name); n++ {
		name = fmt.Sprintf("%s %d", edit.NameAsWords(tool), n)
	}
	last := cases.Span.Start + len(strings.TrimRight(source[cases.Span.Start:cases.Span.End], " \t\r\n"))
	at := f.Doc.Lines().LineText(f.Doc.Lines().Line(last)).End
	return text.Insertion(at, "\n"+caseItem(columnText(f, cases.Span.Start), name, lines)), nil
}

// caseItem returns a case as an item of a list.
func caseItem(indent, name string, lines []string) string {
	var b strings.Builder
	b.WriteString(indent + "- name: " + model.FlowYAML(name))
	for _, line := range lines {
		b.WriteString("\n" + indent + "  " + line)
	}
	return b.String()
}
