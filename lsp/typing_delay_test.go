package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

const bookingAgent = `AGENT: Booking
GOAL: "Books rooms 🧭"

TOOLS:
  get_room(id: string) -> object
    description: "One room"
    type: http
    endpoint: "https://rooms.example/{id}"
    method: GET
  get_price(id: string) -> number
    description: "Its price"
    type: http
    endpoint: "https://rooms.example/{id}/price"
    method: GET

FLOW:
  entry_point: ask
  ask:
    REASONING: false
    RESPOND: "Which room?"
    THEN: tell
  tell:
    REASONING: false
    RESPOND: "That one."
    THEN: COMPLETE
`

// The lines of bookingAgent, as the protocol counts them.
const (
	roomEndpointLine  = 7
	priceEndpointLine = 12
	priceMethodLine   = 13
	askRespondLine    = 19
	askThenLine       = 20
	tellRespondLine   = 23
	tellThenLine      = 24
)

// manualClock is the clock of the typing delay. The test decides when a wait ends.
type manualClock struct{ waits chan clockWait }

// clockWait is one wait of a clock. It ends when the test sends to over.
type clockWait struct {
	time time.Duration
	over chan time.Time
}

func newManualClock() manualClock { return manualClock{make(chan clockWait, 1000)} }

func (k manualClock) install(s *server) {
	s.diagnostics.delayTimer.after = func(wait time.Duration) <-chan time.Time {
		w := clockWait{wait, make(chan time.Time)}
		k.waits <- w
		return w.over
	}
}

// typist is an editor with one document whose edits count its versions.
type typist struct {
	testClient
	manualClock

	t       *testing.T
	uri     uri.URI
	version int32
}

func startTyping(t *testing.T, text string, options ...func(*protocol.InitializeParams)) *typist {
	t.Helper()
	k := newManualClock()
	c := startClient(t, k.install)
	c.Initialize(options...)
	c.Open(testFile, text)
	return &typist{c, k, t, testFile, 1}
}

// edit makes the next version.
func (p *typist) edit(changes ...protocol.TextDocumentContentChangeEvent) {
	p.t.Helper()
	p.version++
	p.Change(p.uri, p.version, changes...)
}

// codesOf returns the codes and lines of diagnostics, without those of hints. Lines are
// counted from 1.
func codesOf(found []protocol.Diagnostic) []string {
	all := []string{}
	for _, d := range found {
		if d.Severity <= protocol.DiagnosticSeverityWarning {
			all = append(all, fmt.Sprintf("%s:%d", d.Code, d.Range.Start.Line+1))
		}
	}
	return all
}

// wantPublished waits until the last published diagnostics of the current version are
// these.
func (p *typist) wantPublished(want ...string) {
	p.t.Helper()
	p.wantPublishedFor(p.uri, p.version, want...)
}

func (p *typist) wantPublishedFor(u uri.URI, version int32, want ...string) {
	p.t.Helper()
	p.Until(fmt.Sprintf("version %d with %q", version, want), func(messages []lsptest.Message) bool {
		var last *protocol.PublishDiagnosticsParams
		for _, m := range messages {
			var params protocol.PublishDiagnosticsParams
			if m.Method == protocol.MethodTextDocumentPublishDiagnostics && protocol.Unmarshal(m.Params, &params) == nil && params.URI == u {
				last = &params
			}
		}
		if last == nil {
			return false
		}
		v, _ := last.Version.Get()
		return v == version && slices.Equal(codesOf(last.Diagnostics), want)
	})
}

// wantFirst waits for the first published diagnostics of the current version.
func (p *typist) wantFirst(want ...string) {
	p.t.Helper()
	if got := codesOf(p.Diagnostics(p.uri, p.version)); !slices.Equal(got, want) {
		p.t.Errorf("version %d first: %q instead of %q", p.version, got, want)
	}
}

// wait ends the delay after the last edit.
func (p *typist) wait() {
	p.t.Helper()
	for len(p.waits) > 1 { // forgotten ones
		<-p.waits
	}
	last := <-p.waits
	if last.time != 1500*time.Millisecond {
		p.t.Errorf("waits %v", last.time)
	}
	last.over <- time.Time{}
}

func (p *typist) save() {
	p.t.Helper()
	p.Notify(protocol.MethodTextDocumentDidSave, &protocol.DidSaveTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: p.uri}})
}

// replaceLine is an edit of a whole line.
func replaceLine(line uint32, text string) protocol.TextDocumentContentChangeEvent {
	return lsptest.Replace(line, 0, line, 1000, text)
}

// TestTypingDelay edits one line, and checks which diagnostics are published at once and
// which later: in the end those of the file when it is opened anew.
func TestTypingDelay(t *testing.T) {
	tests := []struct {
		name        string
		change      protocol.TextDocumentContentChangeEvent
		first, last []string
	}{
		{"half a key", replaceLine(priceMethodLine, "    meth"), []string{}, []string{"missing-property:10", "syntax-error:14"}},
		{"what a tool needs", replaceLine(priceEndpointLine, ""), []string{}, []string{"missing-property:10"}},
		{"a signature", replaceLine(9, "  get_price(id: string -> number"), []string{}, []string{"invalid-signature:10"}},
		{"a word that is no name of the language", replaceLine(priceMethodLine, "    method: GTE"), []string{}, []string{"invalid-value:14"}},
		{"a target in the last step", replaceLine(tellThenLine, "    THEN: con"), []string{}, []string{"undefined-step:25"}},
		{"the name of the last step", replaceLine(21, "  tel:"), []string{}, []string{"undefined-step:21"}},
		{"a target in another step", replaceLine(askThenLine, "    THEN: con"), []string{}, []string{"undefined-step:21"}},
		{"half a key in a step", replaceLine(askRespondLine, "    RESP"), []string{}, []string{"syntax-error:20"}},
		{"a new line", lsptest.Replace(tellThenLine, 18, tellThenLine, 18, "\n    ON_INP"), []string{}, []string{"syntax-error:26"}},
		{"a new section", lsptest.Replace(25, 0, 25, 0, "GATH"), []string{}, []string{"syntax-error:26"}},
		{"several lines", lsptest.Replace(priceEndpointLine, 0, priceMethodLine, 100, "    meth\n    endp"), []string{"syntax-error:13", "syntax-error:14"}, []string{"syntax-error:13", "syntax-error:14"}},
		{"the whole text", lsptest.ReplaceAll(strings.Replace(bookingAgent, "\n    method: GET\n\n", "\n    meth\n\n", 1)), []string{"missing-property:10", "syntax-error:14"}, []string{"missing-property:10", "syntax-error:14"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := startTyping(t, bookingAgent)
			p.wantFirst()
			p.edit(tt.change)
			p.wantFirst(tt.first...)
			if !slices.Equal(tt.first, tt.last) {
				p.wait()
			} else {
				p.save()
			}
			p.wantPublished(tt.last...)
			startTyping(t, p.server.session.load().documents[pathOf(testFile)].Text()).wantFirst(tt.last...)
		})
	}
}

// TestTypingDelayEnds checks each event that ends a delay.
func TestTypingDelayEnds(t *testing.T) {
	broken := replaceLine(priceMethodLine, "    meth")
	tests := []struct {
		name      string
		end       func(*typist)
		published []string
	}{
		{"time", (*typist).wait, []string{"missing-property:10", "syntax-error:14"}},
		{"save", (*typist).save, []string{"missing-property:10", "syntax-error:14"}},
		{"edit of another tool", func(p *typist) { p.edit(lsptest.Replace(5, 18, 5, 18, "x")) }, []string{"missing-property:10", "syntax-error:14"}},
		{"edit of a step", func(p *typist) { p.edit(lsptest.Replace(askRespondLine, 14, askRespondLine, 14, "x")) }, []string{"missing-property:10", "syntax-error:14"}},
		{"edit of the whole text", func(p *typist) { p.edit(lsptest.ReplaceAll("AGENT: X\nGOAL: \"x\"\nTOOLS:\n  f(\n")) }, []string{"invalid-signature:4"}},
		{"the other one is broken", func(p *typist) { p.edit(replaceLine(roomEndpointLine, "    endp")) }, []string{"missing-property:10", "syntax-error:14"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := startTyping(t, bookingAgent)
			p.edit(broken)
			p.wantFirst()
			tt.end(p)
			p.wantPublished(tt.published...)
		})
	}
}

// TestTypingDelayContinues types several letters and a line break, which does not end the
// delay. Only the last wait counts.
func TestTypingDelayContinues(t *testing.T) {
	p := startTyping(t, bookingAgent)
	p.wantFirst()
	for i, letter := range "\n    tim" {
		line, column := uint32(priceMethodLine), uint32(15)
		if i > 0 {
			line, column = line+1, uint32(i-1)
		}
		p.edit(lsptest.Replace(line, column, line, column, string(letter)))
		p.wantFirst()
	}
	p.wait()
	p.wantPublished("syntax-error:15")
	p.edit(lsptest.Replace(priceMethodLine+1, 7, priceMethodLine+1, 7, "e"))
	p.wantFirst()
	p.wait()
	p.wantPublished("syntax-error:15")
	if n := len(p.Published(p.uri)); n != 12 {
		t.Errorf("%d are published", n) // one a version, and two once more
	}
}

// TestTypingDelayOfEntry types the lines of a field. Meanwhile missing parts of the field
// are not reported.
func TestTypingDelayOfEntry(t *testing.T) {
	p := startTyping(t, "AGENT: A\nGOAL: \"🧭\"\nHANDOFF:\n")
	p.wantFirst()
	p.edit(lsptest.Replace(2, 8, 2, 8, "\n  - WHEN: done == true"))
	p.wantFirst()
	p.edit(lsptest.Replace(3, 22, 3, 22, "\n    "))
	p.wantFirst()
	p.edit(lsptest.Replace(4, 4, 4, 4, "T"))
	p.wantFirst()
	p.wait()
	p.wantPublished("missing-property:4", "syntax-error:5")
}

// TestTypingDelayAfterUndo undoes an edit of one line and one of several.
func TestTypingDelayAfterUndo(t *testing.T) {
	p := startTyping(t, strings.Replace(bookingAgent, "    method: GET\n\n", "    meth\n\n", 1))
	p.wantFirst("missing-property:10", "syntax-error:14")
	p.edit(replaceLine(priceMethodLine, "    method: GET"))
	p.wantFirst()
	p.edit(replaceLine(priceMethodLine, "    meth"))
	p.wantFirst()
	p.wait()
	p.wantPublished("missing-property:10", "syntax-error:14")
	p.edit(lsptest.Replace(priceMethodLine, 0, priceMethodLine, 0, "    a: 1\n    b: 2\n    c: 3\n"))
	p.edit(lsptest.Replace(priceMethodLine, 0, priceMethodLine+3, 0, ""))
	p.wantFirst("missing-property:10", "syntax-error:14")
}

// TestTypingDelayOfTwoFiles checks that an edit in another file ends the delay.
func TestTypingDelayOfTwoFiles(t *testing.T) {
	p := startTyping(t, bookingAgent)
	p.Open(other, bookingAgent)
	p.edit(replaceLine(priceMethodLine, "    meth"))
	p.wantFirst()
	p.Change(other, 2, replaceLine(priceMethodLine, "    meth"))
	p.wantPublished("missing-property:10", "syntax-error:14")
	p.wantPublishedFor(other, 2)
	p.wait()
	p.wantPublishedFor(other, 2, "missing-property:10", "syntax-error:14")

	p.edit(replaceLine(priceMethodLine, "    metho"))
	p.wantFirst()
	p.Close(p.uri)
	p.Open(p.uri, strings.Replace(bookingAgent, "    method: GET\n\n", "    metho\n\n", 1))
	p.version = 1
	p.wantPublished("missing-property:10", "syntax-error:14")
}

// TestTypingDelayInLibrary checks that the effects of an edit on another file are
// reported at once.
func TestTypingDelayInLibrary(t *testing.T) {
	const lib = "TOOLS:\n  one() -> string\n    description: \"🧭\"\n    type: http\n    endpoint: \"/one\"\n    method: GET\n"
	p := startTyping(t, "AGENT: A\nGOAL: \"x\"\nTOOLS:\n  file: \"./lib.tools.abl\" [one]\nFLOW:\n  s:\n    REASONING: true\n    THEN: COMPLETE\n")
	p.Open(library, lib)
	p.wantPublished()
	p.Change(library, 2, replaceLine(1, "  ones( -> string"))
	p.wantPublishedFor(library, 2)
	p.wantPublishedFor(p.uri, 1, "unknown-import-name:4")
	p.wait()
	p.wantPublishedFor(library, 2, "invalid-signature:2")
}

// TestTypingDelayWithPull checks that a client that pulls is asked to pull again when a
// delay ends.
func TestTypingDelayWithPull(t *testing.T) {
	p := startTyping(t, bookingAgent, lsptest.WithPull())
	id, _, _ := pull(t, p.testClient, p.uri, "")
	p.edit(replaceLine(priceMethodLine, "    meth"))
	id, items, unchanged := pull(t, p.testClient, p.uri, id)
	if got := codesOf(items); unchanged || len(got) > 0 {
		t.Errorf("while typing: %q", got)
	}
	p.wait()
	p.Await(protocol.MethodWorkspaceDiagnosticRefresh, nil)
	_, items, unchanged = pull(t, p.testClient, p.uri, id)
	if got := codesOf(items); unchanged || !slices.Equal(got, []string{"missing-property:10", "syntax-error:14"}) {
		t.Errorf("after the wait: %q", got)
	}
	if n := len(p.Messages(protocol.MethodTextDocumentPublishDiagnostics)); n > 0 {
		t.Errorf("%d are pushed", n)
	}
}

// TestNoTypingDelayWithoutRefresh checks that nothing is delayed for a client that cannot
// be asked to pull again.
func TestNoTypingDelayWithoutRefresh(t *testing.T) {
	p := startTyping(t, bookingAgent, lsptest.WithPull(), func(params *protocol.InitializeParams) { params.Capabilities.Workspace = nil })
	p.edit(replaceLine(priceMethodLine, "    meth"))
	if _, items, _ := pull(t, p.testClient, p.uri, ""); !slices.Equal(codesOf(items), []string{"missing-property:10", "syntax-error:14"}) {
		t.Errorf("pulled: %q", codesOf(items))
	}
}

// TestTypingDelayAtSessionEnd shuts down during a delay. The shutdown does not wait for
// it.
func TestTypingDelayAtSessionEnd(t *testing.T) {
	p := startTyping(t, bookingAgent)
	p.edit(replaceLine(priceMethodLine, "    meth"))
	p.wantFirst()
	if err := p.Exit(); err != nil { // the test's clock never ends the wait
		t.Error(err)
	}
}
