package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/tool"
)

// authConfig: a key of `auth_config` is one that the tool's `auth` uses, or that of the shared
// defaults if the tool has none. The OAuth kinds know where to sign in from `auth_config` or from
// `auth_profile`.
var authConfig = Check{
	Code: "auth-config",
	Entry: eachTool(func(out *findings, e Entry, t *model.ToolDecl) {
		props := t.PropertiesOfAnyKind()
		_, hasProfile := findProperty(props, "auth_profile")
		if jit, _ := findProperty(props, "auth_jit"); isTrue(props, "auth_jit") && !hasProfile {
			out.warn(jit.Key.Span(), "`auth_jit` obtains nothing without an `auth_profile`; add one.")
		}
		config, hasConfig := findProperty(props, "auth_config")
		own, declared := findProperty(props, "auth")
		written := e.Auth
		if declared {
			written = own.Text()
		}
		auth, known := authKind(written)
		switch {
		case !known || !hasAuth(t.Kind()) || !declared && hasProfile || isUnreadableAuth(t, own, declared):
		case hasConfig:
			for _, p := range config.Properties() {
				checkAuthKey(out, p, auth, written == "")
			}
		case declared && !hasProfile && (auth == "oauth2_client" || auth == "oauth2_user"):
			out.hint(own.Value.Span(), "`auth: %s` says nothing of where to sign in; add `auth_config:`, or an `auth_profile`.", auth)
		}
	}),
}

// isUnreadableAuth reports whether the tool has an `auth` that cannot be read: one without a value,
// a line that lacks its colon, or a key that is one typing slip away.
func isUnreadableAuth(t *model.ToolDecl, own model.Property, declared bool) bool {
	if declared {
		return own.IsEmpty()
	}
	for n := range t.Node.BlockChildren() {
		word, _, _ := strings.Cut(n.Text(), " ")
		word = strings.TrimRight(word, ":=")
		known := []string{"auth"}
		if strings.EqualFold(word, "auth") || tool.BindingOnly(word) == nil && model.Nearest(word, known) != "" {
			return true
		}
	}
	return false
}

// hasAuth reports whether tools of a kind sign in. It is true for a tool without a kind, which may
// have any.
func hasAuth(kind tool.Kind) bool {
	return kind == "" || kind == tool.KindHTTP || kind == tool.KindAsyncWebhook
}

// authKind returns the documented spelling of written, the value of an `auth`; `none` if it is "".
// known is false if there is no such kind.
func authKind(written string) (kind string, known bool) {
	if written == "" {
		return "none", true
	}
	f, _, _ := tool.Lookup(tool.SharedDefaults(), "auth")
	w, known := tool.LookupWord(f.Values, strings.TrimSpace(written))
	return w.Name, known
}

// checkAuthKey reports a key that does not belong to the auth kind. For keys that no page documents
// the kind is unknown.
func checkAuthKey(out *findings, p model.Property, auth string, silent bool) {
	if p.Field == nil || p.Field.Undocumented || slices.Contains(p.Field.With, auth) {
		return
	}
	kinds := "`auth: " + strings.Join(p.Field.With, "` or `auth: ") + "`"
	if silent {
		out.warn(p.Key.Span(), "`%s` does nothing without %s, and the tool has no `auth`.", p.Name(), kinds)
		return
	}
	out.warn(p.Key.Span(), "`%s` does nothing with `auth: %s`; it goes with %s.", p.Name(), auth, kinds)
}
