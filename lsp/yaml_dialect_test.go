package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

const teaAgent = `agent: Tea
goal: "Sell 🧭"
tools:
  - name: find_tea
    description: "Finds teas"
    returns: object
    type: http
    http_binding:
      endpoint: "https://shop.example.com/teas"
flow:
  steps:
    ask:
      reasoning: true
      available_tools: [find_tea]
      then: COMPLETE
`

// TestTypedDialect types agents letter by letter into files without one. The first key decides the
// dialect after each letter: nothing wrong is reported on the way, and the end is that of a file that
// is opened with its text.
func TestTypedDialect(t *testing.T) {
	ablAgent := "AGENT: Tea\nGOAL: \"Sell 🧭\"\n"
	for _, tt := range []struct {
		name, file, opened, typed string
		allowed                   []string // diagnostics on the way
	}{
		{name: "YAML in an empty file", file: "new.agent.yaml", typed: teaAgent},
		{name: "YAML below a comment", file: "new.agent.yaml", opened: "# A shop\n", typed: "---\n" + teaAgent},
		{name: "a supervisor", file: "new.agent.yaml", typed: "supervisor: Desk\ngoal: x\n"},
		{name: "after a word", file: "new.agent.yaml", opened: "age", typed: "nt: Desk\ngoal: x\n"},
		{name: "YAML in a file named for ABL", file: "new.agent.abl", typed: teaAgent, allowed: []string{"file-suffix"}},
		{name: "ABL in a file named for YAML", file: "new.agent.yaml", typed: ablAgent, allowed: []string{"file-suffix", "missing-section"}},
		{name: "ABL", file: "new.agent.abl", typed: ablAgent, allowed: []string{"missing-section"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := startTypingIn(t, tt.file, tt.opened)
			line, column := uint32(strings.Count(tt.opened, "\n")), uint32(len(tt.opened)-1-strings.LastIndex(tt.opened, "\n"))
			for i, letter := range tt.typed {
				p.edit(lsptest.Replace(line, column, line, column, string(letter)))
				column += uint32(utf16.RuneLen(letter))
				if letter == '\n' {
					line, column = line+1, 0
				}
				for _, d := range p.Diagnostics(p.uri, p.version) {
					if !slices.Contains(tt.allowed, fmt.Sprint(d.Code)) && d.Severity <= protocol.DiagnosticSeverityWarning {
						t.Fatalf("after %q: %v: %s", tt.typed[:i+len(string(letter))], d.Code, d.Message)
					}
				}
			}
			p.wantAsOpened(tt.opened + tt.typed)
		})
	}
}

// TestPastedDialect replaces the text of a file by one in the other dialect.
func TestPastedDialect(t *testing.T) {
	abl := "AGENT: Tea\nGOAL: \"Sell 🧭\"\nTOOLS:\n  look() -> object\n    description: \"x\"\n"
	for _, tt := range []struct{ name, file, opened, pasted string }{
		{"YAML in an empty file", "new.agent.yaml", "", teaAgent},
		{"YAML over ABL", "new.agent.yaml", abl, teaAgent},
		{"ABL over YAML", "new.agent.yaml", teaAgent, abl},
		{"YAML in an empty file named for ABL", "new.agent.abl", "", teaAgent},
		{"ABL over YAML in a file named for ABL", "new.agent.abl", teaAgent, abl},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines := uint32(strings.Count(tt.opened, "\n"))
			for how, change := range map[string]protocol.TextDocumentContentChangeEvent{
				"a range":  lsptest.Replace(0, 0, lines, 0, tt.pasted),
				"the text": lsptest.ReplaceAll(tt.pasted),
			} {
				t.Run(how, func(t *testing.T) {
					p := startTypingIn(t, tt.file, tt.opened)
					p.edit(change)
					p.wantAsOpened(tt.pasted)
				})
			}
		})
	}
}

// TestHeadDecidesDialect edits only the first key of an agent.
func TestHeadDecidesDialect(t *testing.T) {
	p := startTypingIn(t, "new.agent.yaml", teaAgent)
	p.edit(lsptest.Replace(0, 0, 0, 5, "AGENT"))
	p.wantAsOpened(strings.Replace(teaAgent, "agent", "AGENT", 1))
	p.edit(lsptest.Replace(0, 0, 0, 5, "agent"))
	p.wantAsOpened(teaAgent)
}

// TestCompletionInEmptyAgent checks that an empty agent in YAML begins with its name.
func TestCompletionInEmptyAgent(t *testing.T) {
	p := startTypingIn(t, "new.agent.yaml", "")
	labels := p.completionLabels(0, 0)
	for _, want := range []string{"agent", "supervisor"} {
		if !slices.Contains(labels, want) {
			t.Errorf("no %q in %q", want, labels)
		}
	}
	p.edit(lsptest.Replace(0, 0, 0, 0, "su"))
	if labels := p.completionLabels(0, 2); !slices.Contains(labels, "supervisor") {
		t.Errorf("%q", labels)
	}
}

// TestEditedDialectIsNotParsed checks that the text of an agent in YAML is not parsed as ABL with
// each letter after it was pasted over ABL.
func TestEditedDialectIsNotParsed(t *testing.T) {
	s := newServerWithDocument(t, yamlAgentFile, "AGENT: Tea\n")
	for version, change := range []string{
		`{"text":` + strconv.Quote(teaAgent) + `}`,
		`{"range":{"start":{"line":0,"character":7},"end":{"line":0,"character":7}},"text":"x"}`,
	} {
		params := &didChangeParams{ContentChanges: protocol.LSPAny("[" + change + "]")}
		params.TextDocument.URI = yamlAgentFile
		params.TextDocument.Version = protocol.LSPAny(strconv.Itoa(version + 2))
		d, err := s.applyChange(params)
		if err != nil {
			t.Fatal(err)
		}
		s.diagnostics.documentReport(t.Context(), s.session.load(), d)
		if d.Unparsed() != d.Document {
			t.Errorf("version %d is parsed", version+2)
		}
	}
}

// startTypingIn opens a file in a folder of its own.
func startTypingIn(t *testing.T, name, text string) *typist {
	t.Helper()
	f := newTestFolder(t)
	k := newManualClock()
	c := startClient(t, k.install)
	c.Initialize(lsptest.WithFolders(f.path))
	p := &typist{c, k, t, uri.File(f.join(name)), 1}
	p.Open(p.uri, text)
	return p
}

// wantAsOpened checks that the document is what it is if it is opened with this text.
func (p *typist) wantAsOpened(text string) {
	p.t.Helper()
	opened := startTypingIn(p.t, filepath.Base(pathOf(p.uri)), text)
	p.save()
	p.wantPublished(codesOf(opened.Diagnostics(opened.uri, 1))...)
	if diff := cmp.Diff(opened.documentSymbols(), p.documentSymbols()); diff != "" {
		p.t.Errorf("outline (-opened +edited):\n%s", diff)
	}
}

func (p *typist) documentSymbols() (symbols []protocol.DocumentSymbol) {
	p.t.Helper()
	p.call(protocol.MethodTextDocumentDocumentSymbol, "{}", &symbols)
	return symbols
}

func (p *typist) completionLabels(line, column int) (labels []string) {
	p.t.Helper()
	var list struct {
		Items []struct {
			Label string `json:"label"`
		} `json:"items"`
	}
	p.call(protocol.MethodTextDocumentCompletion, fmt.Sprintf(`{"line":%d,"character":%d}`, line, column), &list)
	for _, item := range list.Items {
		labels = append(labels, item.Label)
	}
	return labels
}

// call sends a request about a place in the document.
func (p *typist) call(method, position string, result any) {
	p.t.Helper()
	params := fmt.Sprintf(`{"textDocument":{"uri":%q},"position":%s}`, p.uri, position)
	if err := p.Call(method, protocol.LSPAny(params), result); err != nil {
		p.t.Fatal(err)
	}
}
