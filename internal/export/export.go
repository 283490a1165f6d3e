// Package export writes the tools of a file in another form, for the command line and
// for editors. It also lists what that form cannot say.
package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Output is the tools of a file in another form.
type Output struct {
	Text  string
	Lost  []foreign.Loss // what the form cannot say
	Notes []string       // what the form says in another way
}

// LossTexts returns each loss as a text that begins with the name of its tool.
func (o Output) LossTexts() []string { return foreign.LossTexts(o.Lost) }

// LossesByReason returns the losses in one line for each reason, in the order of their first
// tools. The line of a reason that concerns several tools counts and names them.
func (o Output) LossesByReason() []string {
	var reasons []string
	tools := map[string][]string{}
	for _, l := range o.Lost {
		if _, has := tools[l.What]; !has {
			reasons = append(reasons, l.What)
		}
		tools[l.What] = append(tools[l.What], l.Tool)
	}
	lines := make([]string, len(reasons))
	for i, reason := range reasons {
		lines[i] = foreign.Loss{Tool: tools[reason][0], What: reason}.String()
		if names := tools[reason]; len(names) > 1 {
			lines[i] = fmt.Sprintf("%s (%d tools: %s)", reason, len(names), strings.Join(names, ", "))
		}
	}
	return lines
}

// Tools writes the tools that the file at path can name, with imported ones, in a form of
// [dialect.Forms]. The tools must have no errors. It fails only if there is no such form.
func Tools(w model.Workspace, path, form string) (Output, error) {
	var names []string
	for _, f := range dialect.Forms() {
		if f.Name != form {
			names = append(names, f.Name)
			continue
		}
		all, platforms := withoutPlatformTools(model.LowerAll(w, path))
		project := projectOf(w, path, all)
		var clashing []foreign.Loss
		if form == "toolbox" { // the others have no tables
			all, clashing = withoutConflicts(w, path, all)
		}
		tools := make([]tool.Tool, len(all))
		for i, l := range all {
			tools[i] = withBaseURL(l.Tool, project)
		}
		written := f.Write(tools, project)
		return Output{written.Text, slices.Concat(platforms, foreignLosses(w, path, form, all), clashing, written.Lost), written.Notes}, nil
	}
	return Output{}, fmt.Errorf("there is no form %q; there are %s", form, strings.Join(names, ", "))
}

// PlatformOnly returns the loss of one of the platform's own tools.
func PlatformOnly(name string) foreign.Loss {
	return foreign.Loss{Tool: name, What: "the whole tool, which runs on the platform only"}
}

// withoutPlatformTools returns the tools without the platform's own. lost has the reason
// for each tool that is left out.
func withoutPlatformTools(all []model.LoweredTool) (rest []model.LoweredTool, lost []foreign.Loss) {
	for _, l := range all {
		if _, ok := l.Declared.PlatformTool(); ok {
			lost = append(lost, PlatformOnly(l.Tool.Name))
			continue
		}
		rest = append(rest, l)
	}
	return rest, lost
}

// projectOf returns the tables of the project's file, with the entries that files of other
// systems add to them.
func projectOf(w model.Workspace, path string, all []model.LoweredTool) tool.Object {
	project := ownTables(w, path)
	for _, f := range foreignFiles(w, path, all) {
		project = addMissingEntries(project, f.Foreign.Project)
	}
	return project
}

// ownTables returns the tables of the nearest abl.yaml.
func ownTables(w model.Workspace, path string) tool.Object {
	if f, _ := w.Project(path); f != nil && f.YAML != nil {
		return projectfile.Tables(f.YAML)
	}
	return nil
}

// foreignFiles returns the files of other systems that tools come from, each once.
func foreignFiles(w model.Workspace, path string, all []model.LoweredTool) (list []*model.File) {
	files := []*model.File{w.File(path)}
	for _, l := range all {
		files = append(files, l.Declared.File)
	}
	for _, f := range files {
		if f != nil && f.Foreign != nil && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

// addMissingEntries adds entries to tables that have no entry of the same name.
func addMissingEntries(project, more tool.Object) tool.Object {
	added := foreign.File{Project: project}
	for _, table := range more {
		own := project.Object(table.Name)
		for _, m := range more.Object(table.Name) {
			if o, ok := m.Value.(tool.Object); ok && !own.Has(m.Name) {
				added.AddEntry(table.Name, m.Name, o)
			}
		}
	}
	return added.Project
}

// withBaseURL sets the project's base URL in an HTTP tool without a base URL and a source.
func withBaseURL(t tool.Tool, project tool.Object) tool.Tool {
	s, ok := t.Spec.(*tool.HTTP)
	if !ok || s.BaseURL != "" || s.Source != "" {
		return t
	}
	if url, isText := project.Get("base_url").(string); isText {
		own := *s
		own.BaseURL = url
		t.Spec = &own
	}
	return t
}

// foreignLosses describes what files of other systems say and a tool cannot.
func foreignLosses(w model.Workspace, path, form string, all []model.LoweredTool) (lost []foreign.Loss) {
	if f := w.File(path).Foreign; f != nil {
		for _, l := range f.Lost {
			lost = append(lost, foreign.Loss{What: l.Text})
		}
	}
	for _, l := range all {
		for _, text := range l.Declared.LostNames() {
			if form == "crd" && strings.HasPrefix(text.Text, foreign.Metadata) {
				continue // which is written as it was
			}
			lost = append(lost, foreign.Loss{Tool: l.Tool.Name, What: text.Text})
		}
	}
	return lost
}
