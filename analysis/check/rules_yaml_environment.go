package check

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// unknownEnvironment: abl.yaml has the `default_environment`, and the environment of each case.
func unknownEnvironment(out *findings, f File) {
	in, known := f.Workspace.Project(f.Path)
	if !known || in == nil || in.Project == nil || in.Project.Broken {
		return
	}
	table, listed := in.Project.Table(projectfile.Environments)
	if table.Incomplete || !listed && in.Project.Incomplete {
		return
	}
	names := table.Names()
	for _, n := range environmentsIn(f) {
		if name := n.Text; n.Kind != yaml.Null && n.IsScalar() && !slices.Contains(names, name) && len(*out) < maxFindings {
			d := out.warn(n.Span, "`%s` has no environment `%s`; %s", projectfile.FileName, name,
				model.DidYouMean(name, names, "put it under `environments:` there."))
			offerNear(d, n.TextSpan(), name, names)
		}
	}
}

// environmentsIn returns the names of environments that a file gives.
func environmentsIn(f File) []*yaml.Node {
	root := f.YAML.Root()
	if f.Project != nil {
		if n := root.Get("default_environment"); n != nil {
			return []*yaml.Node{n}
		}
		return nil
	}
	var all []*yaml.Node
	for _, m := range root.OwnMembers() {
		for _, one := range m.Value.Items {
			if n := one.Get("environment"); n != nil {
				all = append(all, n)
			}
		}
	}
	return all
}
