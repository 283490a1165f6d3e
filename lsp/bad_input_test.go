package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

func serveOnly(ctx context.Context, in io.Reader, out io.Writer) error {
	return lsp.Serve(ctx, lsp.Options{In: in, Out: out})
}

func randomBytes(n int) string {
	random := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(random.IntN(256))
	}
	return string(b)
}

// nestedSteps returns a text with n levels of nesting.
func nestedSteps(n int) string {
	var b strings.Builder
	b.WriteString("FLOW:\n")
	for i := range n {
		b.WriteString(strings.Repeat(" ", i+1) + "a:\n")
	}
	return b.String()
}

// callEveryFeature calls each feature at a few positions, some of which do not exist, and
// fails if one does not answer.
func callEveryFeature(c *lsptest.Client, u uri.URI) error {
	document := fmt.Sprintf(`{"textDocument":{"uri":%s}}`, quoted(string(u)))
	for _, method := range []string{protocol.MethodTextDocumentDocumentSymbol, protocol.MethodTextDocumentCodeLens, protocol.MethodTextDocumentDiagnostic} {
		if err := c.Call(method, protocol.LSPAny(document), nil); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
	}
	for _, at := range []protocol.Position{{}, {Line: 1, Character: 3}, {Character: math.MaxUint32}, {Line: math.MaxUint32, Character: math.MaxUint32}} {
		place := fmt.Sprintf(`{"textDocument":{"uri":%s},"position":{"line":%d,"character":%d}}`, quoted(string(u)), at.Line, at.Character)
		for _, method := range []string{protocol.MethodTextDocumentHover, protocol.MethodTextDocumentCompletion, protocol.MethodTextDocumentDefinition, protocol.MethodTextDocumentSignatureHelp} {
			if err := c.Call(method, protocol.LSPAny(place), nil); err != nil {
				return fmt.Errorf("%s: %w", method, err)
			}
		}
	}
	return nil
}

func quoted(s string) string {
	raw, _ := json.Marshal(s) // of a string never fails
	return string(raw)
}

// TestBadTexts opens and edits texts that are badly broken.
func TestBadTexts(t *testing.T) {
	for name, text := range map[string]string{
		"random bytes":  randomBytes(20_000),
		"10 MB a line":  "TOOLS:\n  a() -> string " + strings.Repeat("x", 10<<20),
		"10,000 levels": nestedSteps(10_000),
		"10,000 brackets": "TOOLS:\n  a(x: " + strings.Repeat("{a: ", 10_000) + ") -> " + strings.Repeat("[", 10_000) +
			"\n    headers: " + strings.Repeat("{a: [", 10_000) + "\n",
		"control characters": "TOOLS:\x00\x01\n\t\x7f a\u2028() -> \u0085string\r\r\n\v\f",
		"nothing":            "",
		"a byte-order mark":  "\ufeff",
	} {
		t.Run(name, func(t *testing.T) {
			c := lsptest.Start(t, serveOnly)
			c.Initialize()
			u := uri.File(filepath.Join(t.TempDir(), "bad.agent.abl"))
			c.Open(u, text)
			if found := c.Diagnostics(u, 1); len(found) == 0 && text != "" {
				t.Error("nothing is wrong with it")
			}
			if err := callEveryFeature(c, u); err != nil {
				t.Error(err)
			}
			c.Change(u, 2, lsptest.Replace(0, 0, math.MaxInt32, 0, "AGENT: A\nGOAL: \"x\"\n"))
			if found := c.Diagnostics(u, 2); len(found) > 0 {
				t.Errorf("after mending: %+v", found)
			}
			if err := c.Exit(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestBadImports imports files that are not libraries.
func TestBadImports(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"bytes.tools.abl": randomBytes(5000),
		"line.tools.abl":  strings.Repeat("x", 10<<20),
		"deep.tools.abl":  nestedSteps(5000),
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.tools.abl"), 0o700); err != nil {
		t.Fatal(err)
	}
	c := lsptest.Start(t, serveOnly)
	c.Initialize(lsptest.WithFolders(dir))
	u := uri.File(filepath.Join(dir, "a.agent.abl"))
	version := int32(1)
	for name, path := range map[string]string{
		"bytes":                "./bytes.tools.abl",
		"one long line":        "./line.tools.abl",
		"nested deeply":        "./deep.tools.abl",
		"a folder":             "./folder.tools.abl",
		"itself":               "./a.agent.abl",
		"no such file":         "./none.tools.abl",
		"a file of the system": "../../../../../../etc/passwd",
		"its folder":           ".",
		"the root":             "/",
		"a zero byte":          "\x00",
		"a long name":          "./" + strings.Repeat("x", 10_000) + ".tools.abl",
	} {
		t.Run(name, func(t *testing.T) {
			version++
			source := fmt.Sprintf("AGENT: A\nGOAL: \"x\"\nTOOLS:\n  file: \"%s\" [a]\n", path)
			c.Open(u, source)
			if err := callEveryFeature(c, u); err != nil {
				t.Errorf("%q: %v", path, err)
			}
			c.Change(u, version, lsptest.Replace(0, 0, 0, 0, "# \n"))
			found := c.Diagnostics(u, version)
			if len(found) == 0 || found[0].Range.Start.Line != 4 {
				t.Errorf("%.50q: %+v", path, found)
			}
			c.Close(u)
		})
	}
}

// TestOddURIs opens, edits and closes documents under URIs that only some editors use.
// Diagnostics are published and removed under the same URI.
func TestOddURIs(t *testing.T) {
	for _, u := range []string{
		"untitled:Untitled-1", "file:///w/a%20b/%C3%BC.abl", "file:///w/ü (1).abl", "file:///c%3A/w/x.abl", "file:///C:/w/x.abl",
		"file://server/share/x.abl", "file:///w/%zz.abl", "file:///w/a%00b.abl", "file:///w/../../x.abl", "vscode-vfs://github/o/r/x.abl",
		"FILE:///w/x.abl",
		"git:/w/x.agent.abl?%7B%22ref%22%3A%22HEAD%22%7D", "vscode-notebook-cell:/w/x.ipynb#W0sZmlsZQ%3D%3D", "file:", "://", "x.abl", `c:\w\x.abl`, "\x00",
	} {
		t.Run(u, func(t *testing.T) {
			c := lsptest.Start(t, serveOnly)
			c.Initialize()
			if err := callEveryFeature(c, uri.URI(u)); err != nil {
				t.Errorf("before it is open: %v", err)
			}
			c.Send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%s,"languageId":"abl","version":1,"text":"TOOLS:\n  a(\n"}}}`, quoted(u)))
			if err := callEveryFeature(c, uri.URI(u)); err != nil {
				t.Error(err)
			}
			c.Send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":%s,"version":2},"contentChanges":[{"range":{"start":{"line":1,"character":2},"end":{"line":1,"character":2}},"text":"é"}]}}`, quoted(u)))
			c.Await(protocol.MethodTextDocumentPublishDiagnostics, func(raw jsonrpc2.RawMessage) bool { return strings.Contains(string(raw), `"version":2`) })
			c.Send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":%s}}}`, quoted(u)))
			c.Await(protocol.MethodTextDocumentPublishDiagnostics, func(raw jsonrpc2.RawMessage) bool { return !strings.Contains(string(raw), `"version"`) })
			names := map[uri.URI]bool{}
			for _, m := range c.Messages(protocol.MethodTextDocumentPublishDiagnostics) {
				var p protocol.PublishDiagnosticsParams
				if err := protocol.Unmarshal(m.Params, &p); err != nil {
					t.Fatal(err)
				}
				names[p.URI] = true
			}
			if len(names) != 1 {
				t.Errorf("published under %v", names)
			}
		})
	}
}
