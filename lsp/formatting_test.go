package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// messy has something to format in its first, its third and its last line.
const messy = "Agent: Shop\r\nGOAL: \"😀\"\r\nTOOLS:\r\n  a(x: string)->string\r\n    description:  \"😀\"  \r\n"

// textAfterFormatting returns the text after the edits of a formatting request.
func (f testClient) textAfterFormatting(t *testing.T, source, method, place, options string) string {
	t.Helper()
	params := fmt.Sprintf(`{"textDocument":{"uri":%q},%s"options":{%s}}`, testFile, place, options)
	var edits []protocol.TextEdit
	if err := f.Call(method, protocol.LSPAny(params), &edits); err != nil {
		t.Fatal(err)
	}
	in := converter{text.NewLines(source).Positions(), f.server.session.load().encoding}
	var made []text.Edit
	for _, e := range edits {
		made = append(made, text.Edit{Span: in.span(e.Range), NewText: e.NewText})
	}
	after, err := text.Apply(source, made...)
	if err != nil {
		t.Fatal(err)
	}
	return after
}

const canonical = `"tabSize":4,"insertSpaces":true,"trimFinalNewlines":true,"abl.own":7`

func TestFormatting(t *testing.T) {
	c := startClient(t)
	c.Initialize()
	c.Open(testFile, messy)
	whole := "AGENT: Shop\r\nGOAL: \"😀\"\r\nTOOLS:\r\n  a(x: string) -> string\r\n    description: \"😀\"\r\n"
	if got := c.textAfterFormatting(t, messy, protocol.MethodTextDocumentFormatting, "", canonical); got != whole {
		t.Errorf("got %q", got)
	}
	first, last := `{"start":{"line":0,"character":0},"end":{"line":1,"character":0}}`, `{"start":{"line":4,"character":19},"end":{"line":4,"character":20}}`
	one := strings.Replace(messy, "Agent", "AGENT", 1)
	if got := c.textAfterFormatting(t, messy, protocol.MethodTextDocumentRangeFormatting, `"range":`+first+`,`, canonical); got != one {
		t.Errorf("a range: got %q", got)
	}
	two := strings.Replace(one, ":  \"😀\"  ", ": \"😀\"", 1)
	if got := c.textAfterFormatting(t, messy, protocol.MethodTextDocumentRangesFormatting, `"ranges":[`+first+`,`+last+`],`, canonical); got != two {
		t.Errorf("ranges: got %q", got)
	}
}

func TestOnTypeFormatting(t *testing.T) {
	const typed = "TOOLS:\n  a() -> string\n\n"
	for options, want := range map[string]string{
		`"tabSize":2,"insertSpaces":true`:          "    ",
		`"tabSize":4,"insertSpaces":true`:          "      ",
		`"tabSize":8,"insertSpaces":false`:         "  \t",
		`"tabSize":0,"insertSpaces":true`:          "   ",
		`"tabSize":4294967295,"insertSpaces":true`: "  " + strings.Repeat(" ", 16),
	} {
		t.Run(options, func(t *testing.T) {
			c := startClient(t)
			c.Initialize()
			c.Open(testFile, typed)
			got := c.textAfterFormatting(t, typed, protocol.MethodTextDocumentOnTypeFormatting, `"position":{"line":2,"character":0},"ch":"\n",`, options)
			if got != "TOOLS:\n  a() -> string\n"+want+"\n" {
				t.Errorf("%s: got %q", options, got)
			}
		})
	}
}

// TestFormattingRefuses checks that a document that cannot be formatted is not changed,
// and that the log names the line at fault.
func TestFormattingRefuses(t *testing.T) {
	const broken = "AGENT: A\ngoal:  \"open\n"
	c := startClient(t)
	c.Initialize()
	c.Open(testFile, broken)
	for _, method := range []string{protocol.MethodTextDocumentFormatting, protocol.MethodTextDocumentRangeFormatting} {
		t.Run(method, func(t *testing.T) {
			if got := c.textAfterFormatting(t, broken, method, "", canonical); got != broken {
				t.Errorf("%s: got %q", method, got)
			}
		})
	}
	c.Await(protocol.MethodWindowLogMessage, func(raw jsonrpc2.RawMessage) bool {
		var p protocol.LogMessageParams
		return protocol.Unmarshal(raw, &p) == nil && strings.Contains(p.Message, "a.agent.abl is not formatted: line 2: ")
	})
}

// TestFormattingOfOthers checks that files of other languages, and documents that are not
// open, are not formatted.
func TestFormattingOfOthers(t *testing.T) {
	c := startClient(t)
	c.Initialize()
	for _, name := range []uri.URI{"file:///w/a.agent.yaml", "file:///w/notes.txt"} {
		c.Open(name, "agent:  a\n")
	}
	for what, name := range map[string]uri.URI{
		"another language": "file:///w/a.agent.yaml",
		"a text":           "file:///w/notes.txt",
		"a closed file":    "file:///w/closed.abl",
	} {
		t.Run(what, func(t *testing.T) {
			for _, method := range []string{protocol.MethodTextDocumentFormatting, protocol.MethodTextDocumentOnTypeFormatting} {
				t.Run(method, func(t *testing.T) {
					var edits []protocol.TextEdit
					params := fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":1,"character":0}}`, name)
					if err := c.Call(method, protocol.LSPAny(params), &edits); err != nil || len(edits) > 0 {
						t.Errorf("%s, %s: %v, %v", name, method, edits, err)
					}
				})
			}
		})
	}
}

func TestFormattingCapabilities(t *testing.T) {
	c := startClient(t).Initialize().Capabilities
	ranges, ok := c.DocumentRangeFormattingProvider.(*protocol.DocumentRangeFormattingOptions)
	if c.DocumentFormattingProvider != protocol.Boolean(true) || !ok || !orZero(ranges.RangesSupport) {
		t.Errorf("got %v and %v", c.DocumentFormattingProvider, c.DocumentRangeFormattingProvider)
	}
	if typed := c.DocumentOnTypeFormattingProvider; typed.FirstTriggerCharacter != "\n" || !slices.Equal(typed.MoreTriggerCharacter, nil) {
		t.Errorf("got %v", typed)
	}
}
