package lsp

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// insertX inserts an X at a position.
func insertX(line, column uint32) protocol.TextDocumentContentChangeEvent {
	return lsptest.Replace(line, column, line, column, "X")
}

func TestEncodings(t *testing.T) {
	tests := []struct {
		offered []protocol.PositionEncodingKind
		want    protocol.PositionEncodingKind
	}{
		{nil, "utf-16"},
		{[]protocol.PositionEncodingKind{"utf-16", "utf-8"}, "utf-8"},
		{[]protocol.PositionEncodingKind{"utf-32", "utf-16"}, "utf-16"},
		{[]protocol.PositionEncodingKind{"utf-32"}, "utf-32"},
		{[]protocol.PositionEncodingKind{"utf-7"}, "utf-16"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.offered), func(t *testing.T) {
			c := startClient(t)
			result := c.Initialize(lsptest.WithEncodings(tt.offered...))
			if got := result.Capabilities.PositionEncoding; got != tt.want {
				t.Errorf("encoding = %q, want %q", got, tt.want)
			}
		})
	}
}

// TestEdits makes edits whose columns are counted in UTF-8, UTF-16 and UTF-32.
func TestEdits(t *testing.T) {
	tests := []struct {
		name, before string
		columns      [3]uint32 // of an X to insert in the last line that is not empty
		line         uint32
		after        string
	}{
		{"ASCII", "abc", [3]uint32{2, 2, 2}, 0, "abXc"},
		{"emoji", "a😀b", [3]uint32{5, 3, 2}, 0, "a😀Xb"},
		{"CJK", "x\n説明: 東京", [3]uint32{8, 4, 4}, 1, "x\n説明: X東京"},
		{"combining", "e\u0301t", [3]uint32{3, 2, 2}, 0, "e\u0301Xt"},
		{"CRLF", "a\r\n😀\r\nb", [3]uint32{4, 2, 1}, 1, "a\r\n😀X\r\nb"},
		{"lone CR", "a\rb", [3]uint32{0, 0, 0}, 1, "a\rXb"},
		{"byte-order mark", "\ufeffTOOLS:", [3]uint32{3, 1, 1}, 0, "\ufeffXTOOLS:"},
		{"beyond the line", "ab\r\nc", [3]uint32{99, 99, 99}, 0, "abX\r\nc"},
		{"beyond the text", "ab\nc", [3]uint32{5, 5, 5}, 7, "ab\ncX"},
		{"largest column", "😀\nc", [3]uint32{1<<32 - 1, 1<<32 - 1, 1<<32 - 1}, 0, "😀X\nc"},
		{"inside a character", "😀b", [3]uint32{2, 1, 0}, 0, "X😀b"},
	}
	encodings := []protocol.PositionEncodingKind{"utf-8", "utf-16", "utf-32"}
	for i, enc := range encodings {
		c := startClient(t)
		c.Initialize(lsptest.WithEncodings(enc))
		for _, tt := range tests {
			t.Run(string(enc)+" "+tt.name, func(t *testing.T) {
				c.Open(testFile, tt.before)
				c.Change(testFile, 2, insertX(tt.line, tt.columns[i]))
				if got := c.text(t, testFile); got != tt.after {
					t.Errorf("text = %q, want %q", got, tt.after)
				}
				c.Close(testFile)
			})
		}
	}
}

func TestChanges(t *testing.T) {
	tests := []struct {
		name    string
		changes string // JSON
		want    string
	}{
		{"none", `[]`, "one\ntwo"},
		{"whole text", `[{"text":"new"}]`, "new"},
		{"whole text, range null", `[{"range":null,"text":"new"}]`, "new"},
		{"each on what the one before it left", `[
			{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":3}},"text":"1\n"},
			{"range":{"start":{"line":1,"character":0},"end":{"line":2,"character":0}},"text":"-"}]`, "1\n-two"},
		{"overlapping", `[
			{"range":{"start":{"line":0,"character":1},"end":{"line":1,"character":2}},"text":"XYZ"},
			{"range":{"start":{"line":0,"character":2},"end":{"line":0,"character":5}},"text":""}]`, "oX"},
		{"whole text, then a range", `[{"text":"😀"},
			{"range":{"start":{"line":0,"character":2},"end":{"line":0,"character":2}},"text":"!"}]`, "😀!"},
		{"reversed range", `[{"range":{"start":{"line":1,"character":0},"end":{"line":0,"character":1}},"text":"-"}]`, "o-two"},
		{"range before the text", `[{"range":{"start":{"line":-1,"character":-5},"end":{"line":0,"character":-1}},"text":"-"}]`, "-one\ntwo"},
		{"range far beyond", `[{"range":{"start":{"line":0,"character":0},"end":{"line":9007199254740991,"character":9007199254740991}},"text":"-"}]`, "-"},
		{"half a surrogate pair", `[{"text":"\ud83d"}]`, "\ufffd"},
		{"rangeLength is not believed", `[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"rangeLength":99,"text":""}]`, "ne\ntwo"},
	}
	c := startClient(t)
	c.Initialize()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c.Open(testFile, "one\ntwo")
			c.sendChange(2, tt.changes)
			if got := c.text(t, testFile); got != tt.want {
				t.Errorf("text = %q, want %q", got, tt.want)
			}
			c.Close(testFile)
		})
	}
}

func (f testClient) sendChange(version int, changes string) {
	f.Send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":%q,"version":%d},"contentChanges":%s}}`,
		testFile, version, changes))
}

// TestOutOfSyncDocument sends changes that cannot be applied. The document is dropped,
// and the person is told.
func TestOutOfSyncDocument(t *testing.T) {
	for _, changes := range []string{
		`[{"range":{"start":{"line":0},"end":5},"text":"x"}]`,
		`[{"range":{"start":{"line":"0","character":0},"end":{"line":0,"character":0}},"text":"x"}]`,
		`[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}}}]`,
		`[{"text":7}]`, `[7]`, `{}`, `"x"`,
	} {
		t.Run(changes, func(t *testing.T) {
			c := startClient(t)
			c.Initialize()
			c.Open(testFile, "one")
			c.sendChange(2, changes)
			if err := c.Call("test/text", &uriParams{testFile}, nil); err == nil {
				t.Error("the document is still there")
			}
			c.Await(protocol.MethodWindowShowMessage, nil)
			c.Open(testFile, "again")
			if got := c.text(t, testFile); got != "again" {
				t.Errorf("text = %q after opening it again", got)
			}
		})
	}
}

func TestVersions(t *testing.T) {
	c := startClient(t)
	c.Initialize()
	c.Open(testFile, "1")
	c.Change(testFile, 5, lsptest.ReplaceAll("5"))
	c.Change(testFile, 3, lsptest.ReplaceAll("3"))
	if got := c.text(t, testFile); got != "5" {
		t.Errorf("text = %q: version 3 came after 5", got)
	}
	c.Change(testFile, 6, lsptest.ReplaceAll("6"))
	if got := c.text(t, testFile); got != "6" {
		t.Errorf("text = %q, want version 6", got)
	}
	if c.log.FilterMessage("notification").Len() != 1 {
		t.Error("the log does not tell about the version that was ignored")
	}
}

// TestOutOfSyncVersion sends a change for an older version. It cannot be applied, since
// its range may be wrong.
func TestOutOfSyncVersion(t *testing.T) {
	c := startClient(t)
	c.Initialize()
	c.Open(testFile, "1")
	c.Change(testFile, 5, lsptest.ReplaceAll("5"))
	c.Change(testFile, 3, insertX(0, 0))
	c.Await(protocol.MethodWindowShowMessage, nil)
	if err := c.Call("test/text", &uriParams{testFile}, nil); err == nil {
		t.Error("the document is still there")
	}
}

// TestOddVersions opens and changes a document with invalid versions.
func TestOddVersions(t *testing.T) {
	for _, version := range []string{"", `,"version":null`, `,"version":"7"`, `,"version":99999999999`, `,"version":2.0`, `,"version":[]`} {
		t.Run(version, func(t *testing.T) {
			c := startClient(t)
			c.Initialize()
			c.Send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"text":"one"%s}}}`, testFile, version))
			c.Send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":%q%s},"contentChanges":[{"text":"two"}]}}`, testFile, version))
			if got := c.text(t, testFile); got != "two" {
				t.Errorf("%s: text = %q", version, got)
			}
		})
	}
}

func TestNotOpen(t *testing.T) {
	c := startClient(t)
	c.Initialize()
	c.Change(testFile, 2, lsptest.ReplaceAll("x"))
	c.Close(testFile)
	if err := c.Call("test/text", &uriParams{testFile}, nil); err == nil {
		t.Error("a change opened a document")
	}
	c.Open(testFile, "x")
	c.Close(testFile)
	c.Change(testFile, 2, lsptest.ReplaceAll("y"))
	if err := c.Call("test/text", &uriParams{testFile}, nil); err == nil {
		t.Error("a change opened a closed document")
	}
}

func TestSameFileByOtherURI(t *testing.T) {
	c := startClient(t)
	c.Initialize()
	c.Open("file:///w/a%20b/%C3%BC.agent.abl", "x")
	if got := c.text(t, "file:///w/./a b/ü.agent.abl"); got != "x" {
		t.Errorf("text = %q", got)
	}
	c.Open("untitled:Untitled-1", "new")
	if got := c.text(t, "untitled:Untitled-1"); got != "new" {
		t.Errorf("untitled text = %q", got)
	}
}

// TestRandomEdits applies edits to a second copy of the text, in UTF-16 code units as an
// editor would, and compares.
func TestRandomEdits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "bc", "\n", "\r\n", "😀", "東京", "e\u0301", "  ", "", "TOOLS:\n  t() -> string\n"}
	piece := func() string {
		return pieces[random.IntN(len(pieces))] + pieces[random.IntN(len(pieces))]
	}
	c := startClient(t)
	c.Initialize()
	units := utf16.Encode([]rune(strings.Repeat("a😀\n東\r\n", 5)))
	c.Open(testFile, string(utf16.Decode(units)))
	for version := range int32(300) {
		start := boundary(units, random.IntN(len(units)+1))
		end := boundary(units, start+random.IntN(min(8, len(units)-start)+1))
		insert := piece()
		from, to := place(units, start), place(units, end)
		c.Change(testFile, version+2, lsptest.Replace(from.Line, from.Character, to.Line, to.Character, insert))
		units = append(append(append([]uint16{}, units[:start]...), utf16.Encode([]rune(insert))...), units[end:]...)
		if got, want := c.text(t, testFile), string(utf16.Decode(units)); got != want {
			t.Fatalf("after edit %d the text is %q, want %q", version, got, want)
		}
	}
}

// boundary moves an index that is inside a surrogate pair or a line end to the beginning
// of it, since an editor puts no cursor there.
func boundary(units []uint16, i int) int {
	if i == 0 || i == len(units) {
		return i
	}
	if utf16.IsSurrogate(rune(units[i-1])) && units[i] >= 0xDC00 && units[i] < 0xE000 || units[i-1] == '\r' && units[i] == '\n' {
		return i - 1
	}
	return i
}

// place returns the line and column of an index.
func place(units []uint16, i int) protocol.Position {
	var p protocol.Position
	for j := range i {
		switch {
		case units[j] == '\n', units[j] == '\r' && (j+1 == len(units) || units[j+1] != '\n'):
			p = protocol.Position{Line: p.Line + 1}
		default:
			p.Character++
		}
	}
	return p
}

func TestConverter(t *testing.T) {
	c := converter{text.NewLines("a\n東😀b").Positions(), text.UTF16}
	span := text.Span{Start: 5, End: 9}
	r := c.rangeOf(span)
	if want := (protocol.Range{Start: protocol.Position{Line: 1, Character: 1}, End: protocol.Position{Line: 1, Character: 3}}); r != want {
		t.Errorf("range = %v, want %v", r, want)
	}
	if got := c.span(r); got != span {
		t.Errorf("span = %v, want %v", got, span)
	}
	r.Start, r.End = r.End, r.Start
	if got := c.span(r); got != span {
		t.Errorf("span of the reversed range = %v, want %v", got, span)
	}
}

// TestOddTexts opens and edits texts that are not valid Unicode.
func TestOddTexts(t *testing.T) {
	for raw, want := range map[string]string{
		`"a\ud800b"`:       "a\ufffdXb",
		`"a\udc00\ud800b"`: "a\ufffdX\ufffdb",
		`"a\u0000b"`:       "a\x00Xb",
		`"a\ud83d\ude00"`:  "aX😀", // the place is in the middle of it
	} {
		t.Run(raw, func(t *testing.T) {
			c := startClient(t)
			c.Initialize()
			c.Send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"version":1,"text":%s}}}`, testFile, raw))
			c.Change(testFile, 2, insertX(0, 2))
			if got := c.text(t, testFile); got != want {
				t.Errorf("%s: text = %q, want %q", raw, got, want)
			}
		})
	}
	c := startClient(t)
	c.Initialize()
	c.Send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"version":1,"text":"a`, testFile) + "\xff\xfe" + `"}}}`)
	c.echo(t) // whatever it makes of bytes that are no text
}

// TestOpenTwice opens a document that is open already. The later text counts.
func TestOpenTwice(t *testing.T) {
	c := startClient(t)
	c.Initialize()
	c.Open(testFile, "one")
	c.Change(testFile, 7, lsptest.ReplaceAll("changed"))
	c.Open(testFile, "two")
	if got := c.text(t, testFile); got != "two" {
		t.Errorf("text = %q", got)
	}
	c.Change(testFile, 2, insertX(0, 0))
	if got := c.text(t, testFile); got != "Xtwo" {
		t.Errorf("text = %q after an edit", got)
	}
	c.Close(testFile)
	if err := c.Call("test/text", &uriParams{testFile}, nil); err == nil {
		t.Error("it is still open")
	}
}
