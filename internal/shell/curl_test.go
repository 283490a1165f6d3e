package shell

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// shells returns the shells of this machine into which a line can be pasted.
func shells(t *testing.T) (found []string) {
	t.Helper()
	for _, name := range []string{"bash", "zsh"} {
		if testdeps.HasProgram(t, name) {
			found = append(found, name)
		}
	}
	if len(found) == 0 {
		testdeps.SkipOrFail(t, "neither bash nor zsh is on PATH")
	}
	return found
}

// nasty is a secret that every place must escape in its own way.
const nasty = "a b&c=d%2F+\"'\\`$x</e>🛫\t\r\nline two\n"

// TestCurl runs the commands with a real curl in each shell: the server gets what the run
// would send.
func TestCurl(t *testing.T) {
	testdeps.FindProgram(t, "curl")
	type request struct {
		*http.Request
		body string
	}
	came := make(chan request, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		came <- request{r, string(raw)}
	}))
	defer server.Close()
	send := func(t *testing.T, shell, preview string) request {
		t.Helper()
		line, err := Curl(json.RawMessage(strings.ReplaceAll(preview, "API", server.URL)))
		if err != nil || strings.Contains(line, "•") {
			t.Fatal(line, err)
		}
		cmd := exec.Command(shell, "-c", line+" -sS --max-time 20")
		cmd.Env = []string{"TOKEN=t1", "key=" + nasty, "NO_PROXY=*", "PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		return <-came // curl has its answer
	}
	for _, shell := range shells(t) {
		t.Run(shell, func(t *testing.T) {
			got := send(t, shell, `{"method":"PUT","url":"API/a%20b/••••(key)/../x?ids[]=1&k=••••(key)&z={1,2}","headers":{"Authorization":"Bearer ••••(TOKEN)","Accept":"*/*","X-Empty":""},"body":"@it's 🛫\nline \u001b[201~\ttwo\\"}`)
			if want := "/a b/" + nasty + "/../x"; got.Method != http.MethodPut || got.URL.Path != want {
				t.Errorf("%s: %s %q", shell, got.Method, got.URL.Path)
			}
			if q := got.URL.Query(); q.Get("k") != nasty || q.Get("ids[]") != "1" || q.Get("z") != "{1,2}" {
				t.Errorf("%s: %q", shell, q)
			}
			if _, has := got.Header["X-Empty"]; got.Header.Get("Authorization") != "Bearer t1" || !has {
				t.Errorf("%s: %v", shell, got.Header)
			}
			if got.body != "@it's 🛫\nline \x1b[201~\ttwo\\" {
				t.Errorf("%s: %q", shell, got.body)
			}
			got = send(t, shell, `{"method":"POST","url":"API/","headers":{"Content-Type":"application/vnd.x+json; charset=utf-8"},"body":{"n":10.50,"k":"x••••(key)y","u":"\u0000🛫"}}`)
			var sent struct{ K, U string }
			if err := json.Unmarshal([]byte(got.body), &sent); err != nil || sent.K != "x"+nasty+"y" || sent.U != "\x00🛫" || !strings.Contains(got.body, "10.50") {
				t.Errorf("%s: %v %q", shell, err, got.body)
			}
			got = send(t, shell, `{"method":"POST","url":"API/","headers":{"Content-Type":"application/x-www-form-urlencoded"},"body":"a=1&k=••••(key)"}`)
			if body, _ := strings.CutPrefix(got.body, "a=1&k="); strings.Trim(body, "%0123456789abcdef") != "" || len(body) != 3*len(nasty) {
				t.Errorf("%s: %q", shell, got.body)
			}
			got = send(t, shell, `{"method":"POST","url":"API/","headers":{"Content-Type":"text/xml"},"body":"<a b='••••(key)'/>"}`)
			if want := "<a b='a b&amp;c=d%2F+&quot;&apos;\\`$x&lt;/e&gt;🛫\t\r\nline two'/>"; got.body != want {
				t.Errorf("%s: %q", shell, got.body)
			}
			for _, body := range []string{`text`, `"text"`} { // neither is the other, whatever the header says
				got = send(t, shell, `{"method":"POST","url":"API/","headers":{"Content-Type":"application/json"},"body":`+strconv.Quote(body)+`}`)
				if got.body != body {
					t.Errorf("%s: %q", shell, got.body)
				}
			}
		})
	}
}

func TestCurlLines(t *testing.T) {
	for preview, want := range map[string]string{
		`{"method":"GET","url":"https://example.com/","body":"two words"}`: "curl -X GET https://example.com/ --data-raw 'two words'",
		`{"method":"GET","url":"https://••••(h)/a?b=c"}`:                   `curl -X GET 'https://'"$h"'/a?b=c'`,
	} {
		t.Run(fmt.Sprintf("%.60s", preview), func(t *testing.T) {
			if line, err := Curl(json.RawMessage(preview)); err != nil || line != want {
				t.Error(line, err)
			}
		})
	}
	for preview, want := range map[string]error{
		`{"statement":"SELECT 1"}`: ErrNoRequest, `["git","log"]`: ErrNoRequest, "null": ErrNoRequest, "": ErrNoRequest,
		`{"method":"POST","url":"https://example.com/","body":"a\u0000b"}`: ErrNotText,
	} {
		t.Run(fmt.Sprintf("%.60s", preview), func(t *testing.T) {
			if line, err := Curl(json.RawMessage(preview)); !errors.Is(err, want) {
				t.Error(preview, line, err)
			}
		})
	}
}
