package lsp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/internal/benchtext"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// TestTokenEdits checks the edits between lists of numbers.
func TestTokenEdits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	list := func() []uint32 {
		out := make([]uint32, random.IntN(8))
		for i := range out {
			out[i] = random.Uint32N(3)
		}
		return out
	}
	for range 2000 {
		before, after := list(), list()
		edits := tokenEdits(before, after)
		if got := patched(before, edits); !slices.Equal(got, after) {
			t.Fatalf("%v by %+v (-want +got):\n%s", before, edits, cmp.Diff(after, got))
		}
	}
	if edits := tokenEdits([]uint32{1, 2}, []uint32{1, 2}); len(edits) != 0 {
		t.Errorf("what is the same is edited: %+v", edits)
	}
}

func patched(data []uint32, edits []protocol.SemanticTokensEdit) []uint32 {
	for _, e := range edits {
		data = slices.Concat(data[:e.Start], e.Data, data[e.Start+e.DeleteCount:])
	}
	return data
}

// TestSemanticTokensDelta types in a file and asks for what has changed.
func TestSemanticTokensDelta(t *testing.T) {
	f := startClient(t)
	f.Initialize()
	f.Open(testFile, benchtext.Library(100))
	document := protocol.TextDocumentIdentifier{URI: testFile}
	full := func() (all protocol.SemanticTokens) {
		if err := f.Call(protocol.MethodTextDocumentSemanticTokensFull, &protocol.SemanticTokensParams{TextDocument: document}, &all); err != nil {
			t.Fatal(err)
		}
		return all
	}
	delta := func(since string) (d protocol.SemanticTokensDelta, all protocol.SemanticTokens) {
		pending := f.Start(protocol.MethodTextDocumentSemanticTokensFullDelta, &protocol.SemanticTokensDeltaParams{TextDocument: document, PreviousResultID: since})
		if err := pending.Wait(&d); err != nil {
			t.Fatal(err)
		}
		_ = pending.Wait(&all)
		return d, all
	}

	before := full()
	f.Change(testFile, 2, lsptest.Replace(13, 0, 13, 0, "  # 🚀\n"))
	d, _ := delta(*before.ResultID)
	if len(d.Edits) != 1 || len(d.Edits[0].Data) > 10 {
		t.Fatalf("a new line costs %+v", d.Edits)
	}
	after := full()
	if got := patched(before.Data, d.Edits); !slices.Equal(got, after.Data) {
		t.Error("the edits do not make the tokens of the new text")
	}
	same, _ := delta(*after.ResultID)
	if len(same.Edits) != 0 || same.ResultID == nil {
		t.Errorf("nothing has changed, and yet %+v", same)
	}
	if _, all := delta("no such id"); !slices.Equal(all.Data, after.Data) {
		t.Error("a client that asks since something unknown does not get all")
	}
	f.Close(testFile)
	f.Open(testFile, benchtext.Library(100))
	if _, all := delta(*same.ResultID); !slices.Equal(all.Data, before.Data) {
		t.Error("a document that was opened anew is told by what it was before")
	}
}
