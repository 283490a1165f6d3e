package invoke

import (
	"cmp"
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
)

// Environment is one of the environments of a project.
type Environment struct {
	Name      string `json:"name"`
	Protected bool   `json:"protected"`
	Default   bool   `json:"default"` // it is used when none is chosen
	Current   bool   `json:"current"` // it is used now
}

// Environments returns the environments of the project that the file at path belongs to.
// usual is the name of the one that the person has chosen, "" for none. The result is
// empty if there is no project's file or it cannot be read.
func Environments(w model.Workspace, path, usual string) []Environment {
	all := []Environment{}
	f, _ := w.Project(path)
	if f == nil || f.YAML == nil {
		return all
	}
	byDefault, ok := projectfile.DefaultEnvironment(f.YAML)
	if !ok {
		return all
	}
	for _, name := range projectfile.EnvironmentNames(f.YAML) {
		s, err := projectfile.ReadSettings(f.YAML, name)
		all = append(all, Environment{
			Name: name, Default: name == byDefault,
			Protected: err != nil || bool(s.Protected), // what cannot be read may say so
		})
	}
	current := func(name string) int {
		return slices.IndexFunc(all, func(e Environment) bool { return e.Name == name })
	}
	usual = cmp.Or(usual, byDefault)
	if i := current(usual); i >= 0 {
		all[i].Current = true
	}
	return all
}
