package check

import (
	"iter"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// unknownSecret: the environment or the `.env` has the secret of each `{{secrets.X}}` of a tool, as
// far as these are providers of secrets. Only names are read.
var unknownSecret = Check{
	Code: "unknown-secret",
	File: func(out *findings, f File) {
		names, known := model.SecretNames(f.Workspace, f.Path)
		if !known {
			return
		}
		for name, at := range secretsIn(f) {
			reportUnlistedSecret(f, out, name, at, names)
		}
	},
	YAML: yamlUnknownSecret,
}

// reportUnlistedSecret reports a name that is not among those that are known.
func reportUnlistedSecret(f File, out *findings, name string, at text.Span, names []string) {
	if slices.Contains(names, name) || len(*out) == maxFindings || model.HasExportedName(f.Workspace, f.Path, model.SecretNameKind, name) {
		return
	}
	severity := model.Hint
	if in, _ := f.Workspace.Project(f.Path); in != nil && in.Project.Secrets {
		severity = model.Warning
	}
	d := out.add(severity, at, "Neither the environment nor a `.env` has a secret `%s`; %s", name,
		model.DidYouMean(name, names, "it must come from elsewhere when the tool runs."))
	offerNear(d, at, name, names)
}

// secretsIn returns the names of secrets in the tools and shared defaults of a file, with their
// places.
func secretsIn(f File) iter.Seq2[string, text.Span] {
	return func(yield func(string, text.Span) bool) {
		for _, d := range f.Defaults {
			if !eachSecret(d.Node, d.Offset, yield) {
				return
			}
		}
		for t := range f.ToolsWith(model.HasSecrets) {
			for _, p := range t.PropertiesOfAnyKind() {
				if !eachSecret(p.Node, t.Offset, yield) {
					return
				}
			}
		}
	}
}

// secretPlaceholder matches the content of a placeholder for a secret.
var secretPlaceholder = lazyregexp.New(`^\s*secrets\.([A-Za-z_][\w.-]*)\s*$`)

func eachSecret(property syntax.Node, offset int, yield func(string, text.Span) bool) bool {
	if !strings.Contains(property.Text(), "secrets.") {
		return true
	}
	for n := range property.Preorder() {
		if k := n.Kind(); k != syntax.String && k != syntax.Text && k != syntax.BlockText || isNoTemplate(keyAbove(n)) {
			continue
		}
		for name, at := range secretNames(n.Text(), n.Span().Start+offset) {
			if !yield(name, at) {
				return false
			}
		}
	}
	return true
}

// secretNames returns the names in the placeholders of a text at an offset.
func secretNames(s string, offset int) iter.Seq2[string, text.Span] {
	return func(yield func(string, text.Span) bool) {
		for _, p := range model.Placeholders(s, false) {
			m := secretPlaceholder.FindStringSubmatchIndex(s[p.Inner.Start:p.Inner.End])
			if m == nil || !p.Closed {
				continue
			}
			at := text.Span{Start: m[2], End: m[3]}.Shift(p.Inner.Start)
			if !yield(s[at.Start:at.End], at.Shift(offset)) {
				return
			}
		}
	}
}
