package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// yamlSecretKeys are the keys of abl.yaml whose values are secrets.
var yamlSecretKeys = []string{"bearer", "api_key", "client_secret", "private_key", "password", "assertion"}

// yamlPlaintext: credentials come from placeholders, and no text has a token whose form tells its
// issuer.
func yamlPlaintext(out *findings, f File) {
	if f.Project != nil {
		var path []string
		clearInMap(out, f.YAML.Root(), path)
	}
	for n, key := range scalars(f) {
		reportTokensInYAML(out, n, key)
	}
}

// clearInMap looks at the keys below a node; path has the keys that lead to it.
func clearInMap(out *findings, n *yaml.Node, path []string) {
	if n.Alias != "" {
		return
	}
	above := ""
	if len(path) > 0 {
		above = path[len(path)-1]
	}
	if above == "variables" || above == "settings" || above == "auth" || above == "env" {
		return // the author's own
	}
	for _, m := range n.OwnMembers() {
		key := m.Key.Text
		header := above == "headers" && slices.Contains(secretHeaders, strings.ToLower(key))
		secret := above != "headers" && slices.Contains(yamlSecretKeys, key)
		if (header || secret) && m.Value.Kind == yaml.String && m.Value.Text != "" && !strings.ContainsAny(m.Value.Text, "{$…") {
			d := out.warn(m.Value.Span, "`%s` is written in clear; keep it in the project's secrets and write `{{secrets.NAME}}`.", key)
			if m.Value.Style != yaml.BlockScalar && !m.Value.Unclosed {
				d.Fixes = append(d.Fixes, useSecret(m.Value.Span, `"`+authScheme.FindString(m.Value.Text), secretName(ownerIn(path), key), `"`))
			}
			continue
		}
		clearInMap(out, m.Value, append(slices.Clip(path), key))
	}
	for _, item := range n.Items {
		clearInMap(out, item, path)
	}
}

// ownerIn returns the author's name in a path: the owner of the secret.
func ownerIn(path []string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] != "headers" {
			return path[i]
		}
	}
	return ""
}

// reportTokensInYAML reports the tokens in a text.
func reportTokensInYAML(out *findings, n *yaml.Node, key string) {
	for what, m := range tokensOf(n.Text) {
		if d, isNew := out.addToken(n.Span, what); isNew && m == (text.Span{End: len(n.Text)}) && n.Style != yaml.BlockScalar {
			d.Fixes = append(d.Fixes, useSecret(n.Span, `"`, secretName("", key), `"`))
		}
	}
}

// yamlUnknownSecret: the providers have the secret of each `{{secrets.X}}`.
func yamlUnknownSecret(out *findings, f File) {
	names, known := model.SecretNames(f.Workspace, f.Path)
	if !known {
		return
	}
	for n := range scalars(f) {
		if !strings.Contains(n.Text, "secrets.") {
			continue
		}
		for name, at := range secretNames(f.Doc.Text()[n.Span.Start:n.Span.End], n.Span.Start) {
			reportUnlistedSecret(f, out, name, at, names)
		}
	}
}
