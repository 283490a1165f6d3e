package check

import (
	"iter"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// plaintextSecret: no file contains a credential. The secrets in `auth_config` and in headers come
// from placeholders; and a tool contains no private key and no token whose form tells its issuer.
var plaintextSecret = Check{
	Code: "plaintext-secret",
	YAML: yamlPlaintext,
	Entry: func(out *findings, e Entry) {
		switch {
		case e.Section == "DESTINATIONS" || e.Section == "LOOKUP_TABLES":
			clearValues(out, e.Root.Key(), model.Properties(e.Root, nil))
		case e.InTools() && e.Root.Kind() == syntax.Pair:
			clearValues(out, "", []model.Property{model.SharedDefault(e.Root)})
			reportTokens(out, "", e.Root)
		}
		for i := range e.Tools {
			t := &e.Tools[i]
			clearValues(out, t.Name, t.PropertiesOfAnyKind())
			reportTokens(out, t.Name, t.Node)
		}
	},
}

// The keys and headers that hold credentials, in lower case.
var (
	secretKeys    = []string{"client_secret", "token", "api_key"}
	secretHeaders = []string{"authorization", "proxy-authorization", "x-api-key", "api-key"}
)

// clearValues looks at the keys and headers of owner.
func clearValues(out *findings, owner string, props []model.Property) {
	for _, p := range props {
		switch strings.ToLower(p.Name()) {
		case "headers", "custom_headers":
			clearValue(out, owner, p, secretHeaders)
		case "auth_config":
			clearValue(out, owner, p, secretKeys)
			clearValues(out, owner, p.Properties())
		case "request_variants":
			for _, item := range p.Items() {
				clearValues(out, owner, item.Properties())
			}
		}
	}
}

func clearValue(out *findings, owner string, block model.Property, names []string) {
	for _, p := range block.Properties() {
		s := p.Text()
		secret := slices.Contains(names, strings.ToLower(p.WrittenName()))
		if !secret || strings.TrimSpace(s) == "" || p.Value.Kind() == syntax.Null || strings.Contains(s, "{{") {
			continue
		}
		d := out.warn(firstLine(p.Node), "`%s` is written in clear; keep it in the project's secrets and write `{{secrets.NAME}}`.", p.WrittenName())
		if p.Value.Kind() == syntax.PipeBlock || p.Value.IsZero() {
			continue
		}
		d.Span = p.Value.Span()
		d.Fixes = append(d.Fixes, useSecret(p.Value.Span(), `"`+authScheme.FindString(s), secretName(owner, p.WrittenName()), `"`))
	}
}

// authScheme matches what is before the credential in a header.
var authScheme = lazyregexp.New(`^(?i)(?:bearer|basic|token|apikey)\s+`)

// useSecret returns the fix that replaces a secret by a placeholder. It deletes the secret, so an
// editor must not apply it unasked.
func useSecret(at text.Span, before, name, after string) model.Fix {
	placeholder := "{{secrets." + name + "}}"
	fix := model.ReplaceFix("Use `"+placeholder+"`, and store the value under that name", at, before+placeholder+after)
	fix.Best = false
	return fix
}

var notOfName = lazyregexp.New(`\W+`)

func secretName(owner, key string) string {
	return strings.ToUpper(strings.Trim(notOfName.ReplaceAllString(owner+"_"+key, "_"), "_"))
}

// tokenShape describes the tokens of one issuer.
type tokenShape struct {
	begins  []string // the text contains one of these
	pattern *lazyregexp.Regexp
	what    string
}

// tokenShapes are few: each is so long and so unusual that no other text has it.
var tokenShapes = []tokenShape{
	{[]string{"PRIVATE KEY"}, lazyregexp.New(`-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr]|[\w-]+: [^\r\n]*)*[A-Za-z0-9+/=]{20,}`), "a private key"},
	{[]string{"AKIA", "ASIA"}, lazyregexp.New(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`), "an AWS access key"},
	{[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, lazyregexp.New(`\bgh[pousr]_[A-Za-z0-9]{36,}\b`), "a GitHub token"},
	{[]string{"github_pat_"}, lazyregexp.New(`\bgithub_pat_\w{40,}\b`), "a GitHub token"},
	{[]string{"glpat-"}, lazyregexp.New(`\bglpat-[\w-]{20,}`), "a GitLab token"},
	{[]string{"xoxb-", "xoxa-", "xoxp-"}, lazyregexp.New(`\bxox[bap]-(?:\d+-)?[0-9A-Za-z-]{20,}`), "a Slack token"},
	{[]string{"sk-"}, lazyregexp.New(`\bsk-(?:[a-z0-9]+-){0,2}[A-Za-z0-9_]*\d[A-Za-z0-9_]{20,}`), "an API key"},
	{[]string{"sk-"}, lazyregexp.New(`\bsk-(?:[a-z0-9]+-){0,2}[A-Za-z0-9_]{20,}\d\w*`), "an API key"},
	{[]string{"AIza"}, lazyregexp.New(`\bAIza[\w-]{35}`), "a Google API key"},
	{[]string{"sk_live_", "rk_live_"}, lazyregexp.New(`\b[sr]k_live_[0-9A-Za-z]{16,}`), "a Stripe key"},
	{[]string{"eyJ"}, lazyregexp.New(`\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{16,}`), "a JSON Web Token"},
}

// reportTokens reports the tokens anywhere in a node of owner, except in comments.
func reportTokens(out *findings, owner string, n syntax.Node) {
	s := withoutComments(n)
	for what, m := range tokensOf(s) {
		line, _, _ := strings.Cut(s[m.Start:m.End], "\n")
		at := text.Span{Start: m.Start, End: m.Start + len(strings.TrimRight(line, "\r"))}.Shift(n.Span().Start)
		d, isNew := out.addToken(at, what)
		if key, ok := takesPlaceholder(n, at); ok && isNew {
			d.Fixes = append(d.Fixes, useSecret(at, "", secretName(owner, key), ""))
		}
	}
}

// tokensOf returns the tokens in a text whose form tells their issuer, with what each is.
func tokensOf(s string) iter.Seq2[string, text.Span] {
	return func(yield func(string, text.Span) bool) {
		for _, shape := range tokenShapes {
			if !slices.ContainsFunc(shape.begins, func(begin string) bool { return strings.Contains(s, begin) }) {
				continue
			}
			for _, m := range shape.pattern.FindAllStringIndex(s, maxFindings) {
				if !isMadeUp(s[m[0]:m[1]]) && !yield(shape.what, text.Span{Start: m[0], End: m[1]}) {
					return
				}
			}
		}
	}
}

// addToken reports a token in clear. isNew is false if the place has a finding already.
func (f *findings) addToken(at text.Span, what string) (d *model.Diagnostic, isNew bool) {
	if f.hasAt(at) {
		return nil, false
	}
	return f.warn(at, "This is %s, written in clear; keep it in the project's secrets, and revoke it if others have seen this file.", what), true
}

// isMadeUp reports whether a token is an example with very few different letters, as
// `ghp_xxxxxxxx…`.
func isMadeUp(token string) bool {
	const least = 8
	seen := map[rune]bool{}
	for _, r := range token {
		seen[r] = true
	}
	return len(seen) < least
}

// hasAt reports whether a part of the span has a finding already.
func (f findings) hasAt(at text.Span) bool {
	return slices.ContainsFunc(f, func(d model.Diagnostic) bool { return d.Span.Start < at.End && at.Start < d.Span.End })
}

// takesPlaceholder reports whether a run would replace a placeholder at the span: it is in a string
// of the tool's binding, or of a shared default. The key is that of the string.
func takesPlaceholder(n syntax.Node, at text.Span) (key string, ok bool) {
	v := n.Entry().NodeAt(at.Start)
	binding, above := false, keyAbove(v)
	for up := v; !up.IsZero(); up = up.Parent() {
		binding = binding || tool.BindingOnly(up.Key()) != nil
	}
	return above, v.Kind() == syntax.String && binding && !isNoTemplate(above)
}
