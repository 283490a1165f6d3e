package lsp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

const waitingCases = `hold:
  - name: first 🛫
    expect: {ok: true, value: 'value == 1'}
  - name: second
    expect: {ok: false}
`

// TestCaseMovesWhileItRuns moves a case while it runs. Its failure is reported at the new
// place.
func TestCaseMovesWhileItRuns(t *testing.T) {
	w := openWorkspace(t, lsptest.WithOptions(`{"trusted":true,"allowHosts":["127.0.0.1"]}`))
	asked, release := make(chan struct{}), make(chan struct{})
	held := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked <- struct{}{}
		<-release
		fmt.Fprint(w, "2")
	}))
	t.Cleanup(held.Close)
	w.write("held.tools.abl", fmt.Sprintf("TOOLS:\n  hold() -> number\n    type: http\n    method: GET\n    endpoint: %q\n", held.URL))
	cases := uri.File(filepath.Join(w.dir, "held.cases.yaml"))
	w.write("held.cases.yaml", waitingCases)
	w.Open(cases, waitingCases)
	for version, tt := range []struct {
		name, typed string // while it runs
		want        protocol.Range
	}{
		{"first 🛫", "# a line 🛫\n" + waitingCases, rangeInLine(3, 30, 42)},
		{"second", strings.Replace(waitingCases, "second", "2nd", 1), rangeInLine(4, 17, 22)},
		{"first 🛫", "hold:\n  - name: new\n" + strings.TrimPrefix(strings.Replace(waitingCases, ", value: 'value == 1'", ", value: '1 == value'", 1), "hold:\n"), rangeInLine(3, 30, 42)},
		{"second", strings.Replace("# a line 🛫\n"+waitingCases, "second", "2nd", 1), rangeInLine(5, 17, 22)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w.Change(cases, int32(3*version+2), lsptest.ReplaceAll(waitingCases))
			call := w.StartID(jsonrpc2.NewStringID(fmt.Sprint(version)), protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
				Command: "abl.test", Arguments: []protocol.LSPAny{protocol.LSPAny(fmt.Sprintf(`{"uri":%q,"tool":"hold","case":%q}`, cases, tt.name))},
			})
			<-asked
			w.Change(cases, int32(3*version+3), lsptest.ReplaceAll(tt.typed))
			w.Diagnostics(cases, int32(3*version+3))
			release <- struct{}{}
			var row testRow
			decode(t, call, &row)
			if f := row.Failures; row.Status != "failed" || len(f) != 1 || f[0].URI != cases || f[0].Range != tt.want {
				t.Errorf("%s: %+v, want %v", tt.name, row, tt.want)
			}
		})
	}
}

func decode(t *testing.T, call lsptest.Pending, answer any) {
	t.Helper()
	var raw protocol.LSPAny
	if err := call.Wait(&raw); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, answer); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
}
