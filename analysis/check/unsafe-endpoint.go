package check

import (
	"net/netip"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// unsafeEndpoint: the host of an address is not `localhost` and no literal loopback, private or
// link-local one, which the platform blocks when the tool runs. Other names are skipped: where
// `reports.internal` leads is unknown here.
var unsafeEndpoint = Check{
	Code:     "unsafe-endpoint",
	Standard: model.Warning,
	Entry: func(out *findings, e Entry) {
		if e.InTools() && e.Root.Kind() == syntax.Pair {
			unsafeHosts(out, []model.Property{model.SharedDefault(e.Root)})
		}
		if e.Section == "DESTINATIONS" {
			for _, m := range e.Maps {
				if url, ok := keyOfMap(m, "url"); ok {
					unsafeHost(out, url.Value)
				}
			}
		}
		for i := range e.Tools {
			unsafeHosts(out, e.Tools[i].PropertiesOfAnyKind())
		}
	},
}

func unsafeHosts(out *findings, props []model.Property) {
	for _, p := range props {
		switch strings.ToLower(p.Name()) {
		case "endpoint", "base_url", "token_url":
			unsafeHost(out, p.Value)
		case "auth_config":
			unsafeHosts(out, p.Properties())
		case "request_variants":
			for _, item := range p.Items() {
				unsafeHosts(out, item.Properties())
			}
		}
	}
}

// hostOf matches an address up to its port; the first group is the host.
var hostOf = lazyregexp.New(`^["']?\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?//(?:[^/?#@\s]*@)?(\[[^\]]*\]|[^:/?#"'\s]+)`)

func unsafeHost(out *findings, v syntax.Node) {
	s := v.Text()
	m := hostOf.FindStringSubmatchIndex(s)
	if m == nil || !isPrivateHost(s[m[2]:m[3]]) {
		return
	}
	at := text.Span{Start: m[2], End: m[3]}.Shift(v.Span().Start)
	out.info(at, "`%s` is not a public address; the platform sends nothing there.", s[m[2]:m[3]])
}

func isPrivateHost(host string) bool {
	host = strings.TrimSuffix(host, ".")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	ip = ip.Unmap()
	return err == nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast())
}
