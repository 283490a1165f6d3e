package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
	"github.com/abl-lsp/abl-lsp/tool"
)

func newExport() *cobra.Command {
	var to string
	names, docs := forms()
	cmd := &cobra.Command{
		Use:   "export --to FORM FILE",
		Short: "Write the tools of a file in another form",
		Long: "Writes the tools of a file, imports followed, in another form on stdout:\n\n" + docs +
			"\nWhat that form cannot say is left out, and named on stderr. Exits with 5 where a\n" +
			"tool's own definition has errors.",
		Args: takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("to", to, names...); err != nil {
				return err
			}
			return exportTools(cmd, args[0], to)
		},
	}
	cmd.Flags().StringVar(&to, "to", "", strings.Join(names, ", "))
	return cmd
}

// forms are the names of the forms, and a line about each.
func forms() (names []string, docs string) {
	for _, f := range dialect.Forms() {
		names = append(names, f.Name)
		docs += fmt.Sprintf("  %-12s %s\n", f.Name, f.Doc)
	}
	return names, docs
}

func exportTools(cmd *cobra.Command, path, to string) error {
	sources, err := expand([]string{path}, isLanguage)
	if err != nil {
		return err
	}
	if len(sources) != 1 || sources[0].shown != path {
		return fmt.Errorf("%s is a folder: name the file that has the tools", path)
	}
	w, err := loadWhole(sources)
	if err != nil {
		return err
	}
	in := sources[0]
	all := w.LowerAll(in.path)
	if len(all) == 0 {
		return fmt.Errorf("%s has no tools", path)
	}
	if found := brokenTools(cmd.Context(), w, in, all); len(found) > 0 {
		if err := reportText(cmd.ErrOrStderr(), report{workspace: w, found: found}); err != nil {
			return err
		}
		return exitOf[executor.KindDefinition]
	}
	return writeForm(cmd, to, w, in, all)
}

// brokenTools is what is wrong with the tools themselves.
func brokenTools(ctx context.Context, w analysis.Workspace, in source, all []analysis.Lowered) (found []finding) {
	known := map[string][]analysis.Diagnostic{}
	inFile := func(path string) []analysis.Diagnostic {
		if _, has := known[path]; !has {
			known[path] = check.Run(ctx, w, path, check.Options{Unsuppressed: true})
		}
		return known[path]
	}
	for _, l := range all {
		file := l.Declared.File
		for _, d := range invoke.Broken(l, inFile) {
			found = append(found, finding{d, source{file.Path, shownPath(in, file.Path)}, file.Doc.Lines()})
		}
	}
	return found
}

func writeForm(cmd *cobra.Command, to string, w analysis.Workspace, in source, all []analysis.Lowered) error {
	project := projectOf(w, in, all)
	tools := make([]tool.Tool, len(all))
	for i, l := range all {
		tools[i] = based(l.Tool, project)
	}
	for _, f := range dialect.Forms() {
		if f.Name != to {
			continue
		}
		written := f.Write(tools, project)
		errs := printer{cmd.ErrOrStderr()}
		for _, lost := range append(alreadyLost(w, in, all), written.Lost...) {
			fmt.Fprintln(errs, "left out:", lost)
		}
		for _, note := range written.Notes {
			fmt.Fprintln(errs, "note:", note)
		}
		_, err := io.WriteString(cmd.OutOrStdout(), written.Text)
		return err
	}
	return nil
}

// projectOf is what the project's file says, and what files of other systems bring
// that belongs there.
func projectOf(w analysis.Workspace, in source, all []analysis.Lowered) tool.Object {
	var project tool.Object
	if f, _ := w.Project(in.path); f != nil && f.YAML != nil {
		project = projectfile.Tables(f.YAML)
	}
	files := []*analysis.File{w.File(in.path)}
	for _, l := range all {
		files = append(files, l.Declared.File)
	}
	seen := map[*analysis.File]bool{}
	for _, f := range files {
		if f.Foreign == nil || seen[f] {
			continue
		}
		seen[f] = true
		project = withTables(project, f.Foreign.Project)
	}
	return project
}

// withTables adds entries to tables, where they have none of the same name.
func withTables(project, more tool.Object) tool.Object {
	added := foreign.File{Project: project}
	for _, table := range more {
		own := map[string]bool{}
		for _, m := range foreign.Table(project, table.Name) {
			own[m.Name] = true
		}
		for _, m := range foreign.Table(more, table.Name) {
			if o, ok := m.Value.(tool.Object); ok && !own[m.Name] {
				added.Put(table.Name, m.Name, o)
			}
		}
	}
	return added.Project
}

// based is a tool whose endpoint is below the project's base URL, where nothing else
// says below which.
func based(t tool.Tool, project tool.Object) tool.Tool {
	s, ok := t.Spec.(*tool.HTTP)
	if !ok || s.BaseURL != "" || s.Source != "" {
		return t
	}
	for _, m := range project {
		if url, isText := m.Value.(string); isText && m.Name == "base_url" {
			own := *s
			own.BaseURL = url
			t.Spec = &own
		}
	}
	return t
}

// alreadyLost is what files of other systems say and a tool cannot.
func alreadyLost(w analysis.Workspace, in source, all []analysis.Lowered) (lost []string) {
	if f := w.File(in.path).Foreign; f != nil {
		for _, l := range f.Lost {
			lost = append(lost, l.Text)
		}
	}
	for _, l := range all {
		for _, text := range l.Declared.Lost() {
			lost = append(lost, l.Tool.Name+": "+text.Text)
		}
	}
	return lost
}
