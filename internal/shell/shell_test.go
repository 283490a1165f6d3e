package shell

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
)

// TestQuote has a real shell say what it makes of each word.
func TestQuote(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh to read what is quoted")
	}
	for text, want := range map[string]string{
		"plain-word": "plain-word", "": "", "it's 🛫": "it's 🛫", `a"b$HOME\`: `a"b$HOME\`, "two\nlines": "two\nlines", "`id` $(id)": "`id` $(id)", "a;b&c|d*?~#": "a;b&c|d*?~#",
		"Bearer ••••(API_TOKEN)!": "Bearer it's $x!", "••••(access token)": "granted", "••••(9-a)": "nine", "~": "~", "(no mark)": "(no mark)",
	} {
		cmd := exec.Command(sh, "-c", "printf %s "+Quote(text))
		cmd.Env = []string{"API_TOKEN=it's $x", "ACCESS_TOKEN=granted", "_9_A=nine", "HOME=/home"}
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != want {
			t.Errorf("%s: %q %v, want %q", Quote(text), out, err, want)
		}
	}
}

// TestCurl has a real curl send what is written.
func TestCurl(t *testing.T) {
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = r.Method + " " + r.URL.RequestURI() + " " + r.Header.Get("Authorization") + " " + string(body)
	}))
	defer server.Close()
	preview := `{"method":"PUT","url":"` + server.URL + `/a%20b?q=1&k=••••(KEY)","headers":{"Authorization":"Bearer ••••(TOKEN)","Accept":"*/*"},"body":{"n":10.50,"s":"it's 🛫"}}`
	line, err := Curl(json.RawMessage(preview))
	if err != nil || strings.Contains(line, "•") {
		t.Fatal(line, err)
	}
	if text, err := Curl(json.RawMessage(`{"method":"GET","url":"https://example.com/","body":"two words"}`)); err != nil || text != "curl -X GET https://example.com/ --data-raw 'two words'" {
		t.Error(text, err)
	}
	for _, other := range []string{`{"statement":"SELECT 1"}`, `["git","log"]`, "null", ""} {
		if line, err := Curl(json.RawMessage(other)); !errors.Is(err, ErrNoRequest) {
			t.Error(other, line, err)
		}
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("there is no curl to send it")
	}
	cmd := exec.Command("sh", "-c", line)
	cmd.Env = []string{"TOKEN=t1", "KEY=k1", "NO_PROXY=*"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	if want := `PUT /a%20b?q=1&k=k1 Bearer t1 {"n":10.50,"s":"it's 🛫"}`; got != want {
		t.Errorf("%s\n%s, want %s", line, got, want)
	}
}
