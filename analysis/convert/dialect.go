package convert

import (
	"errors"
	"fmt"
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// Dialects are the names of the dialects, as commands take them.
func Dialects() []string { return []string{"yaml", "abl"} }

// To converts an agent to the dialect of that name. The mistakes in its syntax are among what would
// be lost: those of its diagnostics that say so. An error says why there is nothing to convert.
func To(dialect string, f *model.File, found []model.Diagnostic) (Result, error) {
	isAgent := f.Kind == model.Agent || f.Kind == model.Supervisor
	var r Result
	switch {
	case f.Doc == nil || !isAgent && !f.IsYAMLAgent():
		return r, fmt.Errorf("only an agent can be converted: libraries and behavior profiles have no form in YAML")
	case f.IsYAMLAgent() == (dialect == "yaml"):
		return r, fmt.Errorf("the agent is in that dialect already")
	case dialect == "yaml":
		r = ToYAML(f)
	case !hasName(f.Written().YAML.Root()):
		return r, noNameError(found)
	default:
		r = ToABL(f)
		r.loseRefusedDefaults(f.Written().YAML.Root())
	}
	for _, d := range found {
		if d.Severity == model.Error && (d.Code == "syntax-error" || d.Code == "invalid-signature") {
			r.Lost = append(r.Lost, Loss{d.Span, "This is a mistake in the source: " + d.Message})
		}
	}
	sortLosses(r.Lost)
	return r, nil
}

// hasName reports whether an agent in YAML has its name, without which ABL has no agent.
func hasName(root *yaml.Node) bool {
	for _, key := range []string{"agent", "supervisor"} {
		name := root.Get(key)
		if name != nil && name.Kind == yaml.Map {
			name = name.Get("name")
		}
		if name != nil && name.IsScalar() && name.Text != "" && name.Kind != yaml.Null {
			return true
		}
	}
	return false
}

// noNameError returns the error about an agent without a name, with the diagnostic that says so.
func noNameError(found []model.Diagnostic) error {
	for _, d := range found {
		if d.Severity == model.Error && (d.Code == "missing-section" || d.Code == "syntax-error") {
			return fmt.Errorf("an agent without a name cannot be converted: %s", d.Message)
		}
	}
	return errors.New("an agent without a name cannot be converted")
}

// sortLosses sorts losses by their place. Of two for one place the first stays.
func sortLosses(lost []Loss) {
	slices.SortStableFunc(lost, func(a, b Loss) int { return a.Span.Start - b.Span.Start })
}
