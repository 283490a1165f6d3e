package analysis

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/tool"
)

// platformMarkdown documents a tool of the platform: its parameters with their bounds, its
// result, and how it fails.
func platformMarkdown(t tool.PlatformTool) string {
	var params []string
	for _, p := range t.Params {
		line := "- `" + p.String() + "`"
		if limits := p.Limits(); limits != "" {
			line += ": " + limits
		}
		params = append(params, line)
	}
	return paragraphs(
		"A tool of the platform, which runs there only. "+t.Doc,
		strings.Join(params, "\n"),
		"Returns "+codeSpan(t.Returns)+". Fails with `"+strings.Join(t.Failures, "`, `")+"`.",
	)
}

// platformNote is that of a declaration that means a tool of the platform; "" for any other.
func (d *ToolDecl) platformNote() string {
	if t, ok := d.PlatformTool(); ok {
		return platformMarkdown(t)
	}
	return ""
}

// platformLimits is what the platform takes for a parameter of its tool; "" where nothing
// is known.
func (d *ToolDecl) platformLimits(param string) string {
	t, _ := d.PlatformTool()
	p, _ := t.Param(param)
	if limits := p.Limits(); limits != "" {
		return "The platform takes " + limits + "."
	}
	return ""
}

// hoverPlatformTool describes a tool of the platform where a name means one that the file
// does not declare.
func (w Workspace) hoverPlatformTool(c cursor) (Hover, bool) {
	if c.entry.Entry == nil {
		return Hover{}, false
	}
	for _, m := range c.file.Mentions(c.entry) {
		if m.Kind != OfTool || !m.Span.Touches(c.offset) {
			continue
		}
		if t, ok := tool.LookupPlatformTool(m.Name); ok {
			return Hover{m.Span, paragraphs(fenced(t.Signature()), platformMarkdown(t), "It is not declared below `TOOLS:`.")}, true
		}
	}
	return Hover{}, false
}

// platformTools offers the signatures of the platform's tools that the file does not have.
func (t typed) platformTools() []CompletionItem {
	if t.file.Kind == Library {
		return nil
	}
	known := t.w.Callable(t.file.Path).Index()
	var items []CompletionItem
	for _, p := range tool.PlatformTools() {
		if _, isKnown := known[p.Name]; isKnown {
			continue
		}
		items = append(items, CompletionItem{
			Label: p.Name, Kind: ToolItem, Detail: "tool of the platform", Documentation: paragraphs(fenced(p.Signature()), platformMarkdown(p)),
			Edit: t.replace(t.start, p.Signature()),
		})
	}
	return items
}
