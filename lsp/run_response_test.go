package lsp_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// TestRunAnswersWithTheResponse checks that the answer of a run has the headers, the size and the
// bytes of the response as they came, and the phases of the attempt.
func TestRunAnswersWithTheResponse(t *testing.T) {
	const body = "{\n  \"balance\":  12.50 }\n"
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, body)
	}))
	defer api.Close()
	w := openWorkspace(t, lsptest.WithOptions(`{"trusted": true}`))
	w.write("api.tools.abl", "TOOLS:\n  get_it() -> any\n    type: http\n    endpoint: "+api.URL+"/\n    method: GET\n")
	var answer struct {
		Attempts []struct {
			Phases []struct {
				Name string
			}
		}
		Response struct {
			Status  int
			Headers map[string]string
			Bytes   int
			Raw     string
		}
	}
	argument := fmt.Sprintf(`{"uri": %q, "tool": "get_it", "allowHosts": [%q]}`, uri.File(filepath.Join(w.dir, "api.tools.abl")), api.Listener.Addr())
	if err := w.command("abl.run", argument, &answer); err != nil {
		t.Fatal(err)
	}
	r := answer.Response
	if r.Status != 200 || r.Headers["content-type"] != "application/json" || r.Bytes != len(body) || r.Raw != body {
		t.Errorf("%+v", r)
	}
	if len(answer.Attempts) != 1 || len(answer.Attempts[0].Phases) < 2 {
		t.Errorf("%+v", answer.Attempts)
	}
}
