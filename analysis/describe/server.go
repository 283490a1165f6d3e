package describe

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/tool"
)

// What a server says is shown as plain text: no person has checked it, and a
// picture in it would be fetched by who shows it.

// maxServerText is how many characters of a server's text are shown.
const maxServerText = 2000

// serverText returns a text of a server for display.
func serverText(s string) string { return FencedAs("text", ClipServerText(s)) }

// ClipServerText shortens what a server wrote to maxServerText characters and shows its control characters.
func ClipServerText(s string) string {
	s = model.EscapeInvisible(strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")))
	if r := []rune(s); len(r) > maxServerText {
		return string(r[:maxServerText-1]) + "…"
	}
	return s
}

// ServerMarkdown documents the server called name in the project of the file at path. If nothing is
// known of it, the text says so.
func ServerMarkdown(w model.Workspace, path, name string) string {
	s := w.Servers(path).Server(name)
	if s == nil {
		return "It was never asked for its tools. A run of one asks, and so does the command `abl.refresh`."
	}
	return Paragraphs(serverInfo(s.Info), serverTools(s))
}

// serverInfo returns what a server says of itself.
func serverInfo(i tool.ServerInfo) string {
	name := strings.TrimSpace(i.Title + " " + i.Version)
	text := ""
	if name != "" {
		text = "It calls itself " + CodeSpan(OneLine(model.EscapeInvisible(name), MaxSignature)) + "."
	}
	if i.Instructions == "" {
		return text
	}
	return Paragraphs(text, "Its instructions to a model:", serverText(i.Instructions))
}

// serverTools lists the tools of a server.
func serverTools(s *model.Server) string {
	names := s.Names()
	if len(names) == 0 {
		return "It has no tools." + ServerAge(s)
	}
	has, more := "It has "+Count(len(names), "tool")+": ", ""
	if s.More {
		has = "It has more than " + Count(len(names), "tool") + ": "
	}
	if len(names) > MaxListed {
		names, more = names[:MaxListed], ", …"
	}
	return has + model.QuotedNames(names) + more + "." + ServerAge(s)
}

// ServerAge says when s listed its tools, after a space; "" if that is unknown.
func ServerAge(s *model.Server) string {
	if s.ListedAt.IsZero() {
		return ""
	}
	return " Asked on " + s.ListedAt.UTC().Format("2 January 2006, 15:04 UTC") + "."
}

// ServerToolMarkdown documents a tool of a server.
func ServerToolMarkdown(t *model.ServerTool) string {
	return Paragraphs(
		CodeSpan(OneLine(model.EscapeInvisible(t.Title), MaxSignature)),
		Fenced(ClipServerText(serverSignature(t))),
		serverText(t.Description),
		serverText(serverArguments(t)),
		serverEffect(t),
		serverChange(t),
		"A tool of the server `"+t.Server.Name+"`."+ServerAge(t.Server),
	)
}

// ServerParams returns the parameters that the server lists.
func ServerParams(t *model.ServerTool) []tool.Param {
	params, _ := schema.Params(t.Input)
	return params
}

// ServerReturns returns the type of the result that the server lists for t; `object` if it lists
// none.
func ServerReturns(t *model.ServerTool) *tool.Type {
	if len(t.OutputSchema) == 0 {
		return &tool.Type{Name: "object"}
	}
	return schema.Type(schema.Read(t.OutputSchema))
}

func serverSignature(t *model.ServerTool) string {
	return signature(&tool.Tool{Name: t.Name, Params: ServerParams(t), Returns: ServerReturns(t)})
}

// serverArguments returns the descriptions of the parameters, a line each.
func serverArguments(t *model.ServerTool) string {
	var lines []string
	for _, p := range ServerParams(t) {
		if p.Description != "" {
			lines = append(lines, p.Name+": "+OneLine(p.Description, MaxDoc))
		}
	}
	return strings.Join(lines, "\n")
}

// serverEffect says what a call does by the server's listing.
func serverEffect(t *model.ServerTool) string {
	switch {
	case t.Destructive != nil && *t.Destructive && (t.ReadOnly == nil || !*t.ReadOnly):
		return "The server says that it may destroy something."
	case t.ReadOnly != nil && *t.ReadOnly:
		return "The server says that it changes nothing."
	}
	return ""
}

func serverChange(t *model.ServerTool) string {
	if len(t.Changed) == 0 {
		return ""
	}
	before := t.Accepted()
	parts := []string{"Changed since it was accepted: " + strings.Join(t.Changed, ", ") + ". It said before:"}
	if b := serverSignature(before); b != serverSignature(t) {
		parts = append(parts, Fenced(ClipServerText(b)))
	}
	for _, text := range [][2]string{{before.Title, t.Title}, {before.Description, t.Description}, {serverArguments(before), serverArguments(t)}} {
		if text[0] != text[1] {
			parts = append(parts, serverText(text[0]))
		}
	}
	if len(parts) == 1 {
		parts[0] = strings.TrimSuffix(parts[0], " It said before:")
	}
	return Paragraphs(parts...)
}

// serverNote returns the server's documentation of the tool that a declaration binds; "" if it has
// none, or the same as the declaration.
func serverNote(w model.Workspace, s model.ScopedTool, t *tool.Tool) string {
	use, ok := s.ServerUse()
	if !ok {
		return ""
	}
	_, found := w.Servers(s.File.Path).FindTool(use)
	if found == nil {
		return ""
	}
	text := ""
	if ClipServerText(found.Description) != strings.TrimSpace(t.Description) {
		text = serverText(found.Description)
	}
	if text != "" {
		text = "The server `" + found.Server.Name + "` says:\n\n" + text
	}
	return Paragraphs(text, serverEffect(found), serverChange(found))
}
