//go:build unix

package main

import (
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	bigint "math/big"
	"net/http"
	"net/http/httptrace"
	"os"
	"os/exec"
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
