//go:build unix

package main

import (
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	bigint "math/big"
	"net/http"
	"net/http/httptrace"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/secretservice"
)

// secrets runs `abl-lsp secrets` in the folder of the operator's file.
func (o *operated) secrets(input string, args ...string) {
	o.t.Helper()
	cmd := exec.CommandContext(o.t.Context(), os.Args[0], append([]string{"secrets"}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = o.dir, append(os.Environ(), asProgram+"=1"), strings.NewReader(input)
	if out, err := cmd.CombinedOutput(); err != nil {
		o.t.Fatalf("%v: %s", err, out)
	}
}

// TestReloadWhatAppears checks that what an operator's file names may appear after the file was changed,
// and that callers whose token leaves the keychain are refused.
func TestReloadWhatAppears(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", secretservice.Start(t))
	o := operateFiles(t, map[string]string{
		"a.tools.abl":   strings.ReplaceAll(callerTools, "API", echoAPI(t)),
		"tokens.txt":    "ann anns-token\n",
		"operator.yaml": "http: 0\nauth: {tokens: {file: tokens.txt}}\n",
	})
	is := func(token string, status int) func() bool {
		return func() bool { return o.statusOf("drop", "Bearer "+token) == status }
	}
	o.write("operator.yaml", "http: 0\nauth: {tokens: {file: next.txt}}\n")
	o.log("what the operator's file said stays in force")
	if !is("anns-token", 200)() {
		t.Error("a mistake has changed who may call")
	}
	o.write("next.txt", "bob bobs-token\n")
	o.await(is("bobs-token", 200))
	o.write("operator.yaml", "http: 0\nauth: {tokens: {file: next.txt, keychain: [carol]}}\n")
	o.log("the keychain has no carol")
	o.secrets("carols-token", "set", "carol")
	o.await(is("carols-token", 200))
	o.secrets("", "remove", "carol")
	o.await(is("carols-token", 401))
	o.log("the keychain has no carol any more")
	if !is("bobs-token", 200)() {
		t.Error("another caller is refused, too")
	}
	o.secrets("carols-next-token", "set", "carol")
	o.await(is("carols-next-token", 200))
	o.await(is("carols-token", 401))
}

// TestAuthorityRemoved checks that a connection is of no use any more when its authority is removed, and
// that an authority with a new certificate is the same one.
func TestAuthorityRemoved(t *testing.T) {
	later := time.Now().Add(time.Hour)
	ours, caCert, _ := issue(t, nil, "our authority", later)
	_, otherCert, _ := issue(t, nil, "another authority", later)
	_, serverCert, serverKey := issue(t, &ours, "server", later)
	_, annCert, annKey := issue(t, &ours, "ann", later)
	template := *ours.cert
	template.SerialNumber, template.NotAfter = bigint.NewInt(7), later.Add(time.Hour)
	raw, err := x509.CreateCertificate(rand.Reader, &template, &template, &ours.key.PublicKey, ours.key)
	if err != nil {
		t.Fatal(err)
	}
	renewed := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}))
	o := operateFiles(t, map[string]string{
		"a.tools.abl": strings.ReplaceAll(callerTools, "API", echoAPI(t)),
		"ca.pem":      caCert, "server.pem": serverCert, "server.key": serverKey,
		"operator.yaml": "http: 0\ntls: {cert: server.pem, key: server.key, client_ca: ca.pem}\n",
	})
	pair, err := tls.X509KeyPair([]byte(annCert), []byte(annKey))
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(ours.cert)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}}}}
	defer client.CloseIdleConnections()
	reused := false
	trace := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) { reused = c.Reused }})
	ping := func() (status int, body string) {
		r, err := http.NewRequestWithContext(trace, http.MethodPost, o.endpoint, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(text)
	}
	if status, body := ping(); status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	if resp, err := http.Get(strings.Replace(o.endpoint, "https", "http", 1)); err == nil {
		resp.Body.Close()
	}
	if line := o.log("TLS handshake"); !strings.HasPrefix(line[len(line)-1], `{"level":"warn"`) {
		t.Errorf("what net/http logs is %q", line)
	}
	o.write("ca.pem", otherCert)
	o.await(func() bool { status, _ := ping(); return status == 401 })
	if status, body := ping(); status != 401 || !strings.Contains(body, "authority") || !reused {
		t.Errorf("%d %s, on the same connection: %t", status, body, reused)
	}
	o.write("ca.pem", otherCert+renewed)
	o.await(func() bool { status, _ := ping(); return status == 200 })
	if !reused {
		t.Error("the last requests had another connection")
	}
}

// TestFolderGetsFiles checks that the tools of a file are served as soon as the file is in a served
// folder, or in a new one below, and no longer when it is gone.
func TestFolderGetsFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(path, name string) {
		text := "TOOLS:\n  " + name + "() -> object\n    description: \"🛫\"\n    type: http\n    endpoint: \"http://127.0.0.1:1/\"\n    method: GET\n"
		full := filepath.Join(dir, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o700), os.WriteFile(full, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write("a.tools.abl", "first")
	o := &operated{t: t, endpoint: serveHTTP(t, "mcp", dir)}
	serves := func(name string, want bool) func() bool {
		return func() bool {
			list := o.post(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
				"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list")
			return strings.Contains(list, `"first"`) && strings.Contains(list, `"`+name+`"`) == want
		}
	}
	o.await(serves("second", false))
	write("b.tools.abl", "second")
	o.await(serves("second", true))
	write("below/c.tools.abl", "third")
	o.await(serves("third", true))
	if err := os.Remove(filepath.Join(dir, "b.tools.abl")); err != nil {
		t.Fatal(err)
	}
	o.await(serves("second", false))
}

// TestTokensWithoutTLS checks that the log has a warning where tokens can be read on the way.
func TestTokensWithoutTLS(t *testing.T) {
	_, cert, key := issue(t, nil, "server", time.Now().Add(time.Hour))
	for name, tt := range map[string]struct {
		config string
		warned bool
	}{
		"public":             {"http: '0.0.0.0:0'\nauth: {tokens: {file: tokens.txt}}\n", true},
		"public, by TLS":     {"http: '0.0.0.0:0'\ntls: {cert: server.pem, key: server.key}\nauth: {tokens: {file: tokens.txt}}\n", false},
		"this machine":       {"http: 0\nauth: {tokens: {file: tokens.txt}}\n", false},
		"a header, no token": {"http: '0.0.0.0:0'\nauth: {header: {name: x-user, from: [10.0.0.0/8]}}\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range map[string]string{
				"op.yaml": tt.config, "tokens.txt": "ann anns-token\n", "server.pem": cert, "server.key": key, "a.tools.abl": strings.ReplaceAll(callerTools, "API", "http://127.0.0.1:1"),
			} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			lines, said := startMCP(t, "mcp", "--config", filepath.Join(dir, "op.yaml"), filepath.Join(dir, "a.tools.abl")), ""
			for !strings.Contains(said, "serving at ") && lines.Scan() {
				said += lines.Text() + "\n"
			}
			if strings.Contains(said, "without encryption") != tt.warned || !strings.Contains(said, "serving at ") {
				t.Error(said)
			}
		})
	}
}
