package lsp

import (
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// TestFoldingOfLines has a client that folds whole lines. Closing brackets stay visible,
// and at most one fold begins on a line.
func TestFoldingOfLines(t *testing.T) {
	f := startClient(t)
	f.Initialize(func(p *protocol.InitializeParams) {
		p.Capabilities.TextDocument = &protocol.TextDocumentClientCapabilities{
			FoldingRange: &protocol.FoldingRangeClientCapabilities{LineFoldingOnly: new(true)},
		}
	})
	f.Open(testFile, `TOOLS:
  # one
  # two
  shelf(title: string,
        branch: string
  ) -> {
    shelf: number
  }
    description: |
      🚀
      x
  short(
    a: string) -> string
`)
	var folds []protocol.FoldingRange
	params := &protocol.FoldingRangeParams{TextDocument: protocol.TextDocumentIdentifier{URI: testFile}}
	if err := f.Call(protocol.MethodTextDocumentFoldingRange, params, &folds); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range folds {
		if r.StartCharacter != nil || r.EndCharacter != nil {
			t.Errorf("a client that folds lines gets columns: %+v", r)
		}
		got = append(got, strings.TrimSpace(fmt.Sprintf("%d-%d %s", r.StartLine, r.EndLine, r.Kind)))
	}
	const want = "0-12, 1-2 comment, 3-10, 5-6, 8-10, 11-12"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}
