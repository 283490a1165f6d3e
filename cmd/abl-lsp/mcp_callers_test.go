//go:build unix

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	bigint "math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
)

const callerTools = `TOOLS:
  mine(what: string, who: string) -> object
    description: "Lists what the caller has"
    type: http
    endpoint: "API/mine"
    method: GET
    parameters:
      who:
        auth_services: [{name: login, field: client_id}]
  drop(what: string) -> object
    description: "Reads what may be dropped"
    type: http
    endpoint: "API/drop"
    method: GET
`

// echoAPI is an API that answers with the query of each request.
func echoAPI(t *testing.T) string {
	t.Helper()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]string{"query": r.URL.RawQuery})
	}))
	t.Cleanup(api.Close)
	return api.URL
}

// TestOAuthCallers serves tools to callers of a real authorization server.
func TestOAuthCallers(t *testing.T) {
	const us = "https://tools.example.com/mcp"
	issuer := oauthtest.Start(t, "TOKEN_FORMAT=jwt")
	o := operateFiles(t, map[string]string{
		"a.tools.abl":   strings.ReplaceAll(callerTools, "API", echoAPI(t)),
		"abl.yaml":      "auth_services: {login: {kind: oidc, issuer: '" + issuer.URL + "', audience: another}}\nscopes: {drop: [write]}\n",
		"operator.yaml": "http: '0.0.0.0:0'\nauth: {oauth: {issuer: '" + issuer.URL + "', audience: " + us + "}}\n",
	})
	o.endpoint = strings.Replace(o.endpoint, "[::]", "127.0.0.1", 1)
	const metadata = `resource_metadata="https://tools.example.com/.well-known/oauth-protected-resource/mcp"`
	reader, writer := "Bearer "+issuer.ServiceToken(us, "read"), "Bearer "+issuer.ServiceToken(us, "read write")
	for _, tt := range []struct {
		name, tool, token string
		status            int
		challenge         []string
		body              string
	}{
		{"missing", "drop", "", 401, []string{"Bearer " + metadata}, "this server has to know who calls"},
		{"wrong", "drop", reader + "x", 401, []string{`error="invalid_token"`, metadata}, "is not signed by"},
		{"foreign audience", "drop", "Bearer " + issuer.ServiceToken("https://other.example.com", "write"), 401, []string{`error="invalid_token"`}, "is for somebody else"},
		{"missing scope", "drop", reader, 403, []string{`error="insufficient_scope"`, `scope="write"`, metadata}, "a caller of drop needs the scope write"},
		{"with the scope", "drop", writer, 200, nil, `what=tea`},
		{"an identity by the token itself", "mine", reader, 200, nil, `who=service`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, body, header := o.call(tt.tool, `{"what":"tea","who":"root"}`, "Authorization", tt.token)
			if status != tt.status || !strings.Contains(body, tt.body) || strings.Contains(body, "who=root") {
				t.Errorf("%d %s", status, body)
			}
			for _, part := range tt.challenge {
				if !strings.Contains(header.Get("WWW-Authenticate"), part) {
					t.Errorf("%s is not in %s", part, header.Get("WWW-Authenticate"))
				}
			}
		})
	}
	for _, path := range []string{"", "/mcp"} {
		t.Run("metadata"+path, func(t *testing.T) {
			resp, err := http.Get(strings.TrimSuffix(o.endpoint, "/mcp") + "/.well-known/oauth-protected-resource" + path)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			var m struct {
				Resource string
				Servers  []string `json:"authorization_servers"`
				Scopes   []string `json:"scopes_supported"`
			}
			if err := json.NewDecoder(resp.Body).Decode(&m); err != nil || m.Resource != us || fmt.Sprint(m.Servers, m.Scopes) != fmt.Sprintf("[%s] [write]", issuer.URL) {
				t.Errorf("%+v %v", m, err)
			}
		})
	}
	t.Run("the list", func(t *testing.T) {
		body := o.post(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			"Authorization", reader, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list")
		if !strings.Contains(body, `"drop"`) || !strings.Contains(body, `"mine"`) || strings.Contains(body, `"who"`) {
			t.Error(body)
		}
	})
}

// post sends a message, and returns the status, the session and the body of the answer in one text.
func (o *operated) post(t *testing.T, message string, headers ...string) string {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, o.endpoint, strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d %s %s", resp.StatusCode, resp.Header.Get("Mcp-Session-Id"), body)
}

// TestCallersApart: what belongs to one caller is not for another one, and changes of the files hold at
// once.
func TestCallersApart(t *testing.T) {
	tools := strings.ReplaceAll(callerTools, "API", echoAPI(t)) + `  order(what: string) -> object
    description: "Orders something"
    type: http
    endpoint: "` + echoAPI(t) + `/order"
    method: POST
  compute(what: string) -> object
    description: "Takes long"
    type: http
    endpoint: "` + echoAPI(t) + `/compute"
    method: GET
    hints: {latency: slow}
`
	o := operateFiles(t, map[string]string{
		"a.tools.abl":   tools,
		"abl.yaml":      "scopes: {drop: [write]}\n",
		"tokens.txt":    "ann anns-token write\nbob bobs-token\n",
		"operator.yaml": "http: 0\nauth: {tokens: {file: tokens.txt}}\n",
	})
	const ann, bob = "Bearer anns-token", "Bearer bobs-token"
	t.Run("session", func(t *testing.T) {
		begun := o.post(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, "Authorization", ann)
		session := strings.Fields(begun)[1]
		list := func(who string) string {
			return o.post(t, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"drop","arguments":{"what":"tea"}}}`, "Authorization", who, "Mcp-Session-Id", session, "Mcp-Protocol-Version", "2025-11-25")
		}
		if got := list(bob); !strings.HasPrefix(got, "403") {
			t.Errorf("another's session: %s", got)
		}
		if got := o.post(t, `[{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"drop","arguments":{}}}]`, "Authorization", bob, "Mcp-Protocol-Version", "2025-03-26"); !strings.HasPrefix(got, "403") || !strings.Contains(got, "needs the scope write") {
			t.Errorf("in a list: %s", got)
		}
		if got := list(ann); !strings.HasPrefix(got, "200") || !strings.Contains(got, "what=tea") {
			t.Errorf("one's own session: %s", got)
		}
	})
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}}`
	send := func(who, method, params, name string) string {
		return o.post(t, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+params+`,`+meta+`}}`,
			"Authorization", who, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", name)
	}
	t.Run("request state", func(t *testing.T) {
		asked := send(ann, "tools/call", `"name":"order","arguments":{"what":"tea"}`, "order")
		_, rest, ok := strings.Cut(asked, `"requestState":"`)
		if !ok {
			t.Fatal(asked)
		}
		state, _, _ := strings.Cut(rest, `"`)
		again := `"name":"order","arguments":{"what":"tea"},"inputResponses":{"confirm":{"action":"accept"}},"requestState":"` + state + `"`
		if got := send(bob, "tools/call", again, "order"); !strings.Contains(got, "is not one that this server has given for this call") {
			t.Errorf("another's answer: %s", got)
		}
		if got := send(ann, "tools/call", again, "order"); !strings.Contains(got, "query") {
			t.Errorf("one's own answer: %s", got)
		}
	})
	t.Run("task", func(t *testing.T) {
		begun := send(ann, "tools/call", `"name":"compute","arguments":{"what":"tea"}`, "compute")
		_, rest, ok := strings.Cut(begun, `"taskId":"`)
		if !ok {
			t.Fatal(begun)
		}
		id, _, _ := strings.Cut(rest, `"`)
		if got := send(bob, "tasks/get", `"taskId":"`+id+`"`, id); !strings.Contains(got, "-32602") {
			t.Errorf("another's task: %s", got)
		}
		if got := send(ann, "tasks/get", `"taskId":"`+id+`"`, id); !strings.Contains(got, `"status":`) {
			t.Errorf("one's own task: %s", got)
		}
	})
	t.Run("refusals in the log", func(t *testing.T) {
		o.call("drop", `{}`, "X-Request-Id", "no-token")
		o.call("drop", `{}`, "X-Request-Id", "eve", "Authorization", "Bearer eves-token")
		o.call("drop", `{}`, "X-Request-Id", "bob", "Authorization", bob)
		var logs []string
		for _, want := range []map[string]any{
			{"request_id": "no-token", "status": 401.0, "why": "this server has to know who calls: send a token in the header Authorization: Bearer"},
			{"request_id": "eve", "status": 401.0, "why": "the token is not one of this server's callers"},
			{"request_id": "bob", "status": 403.0, "why": "a caller of drop needs the scope write", "caller": "bob"},
		} {
			t.Run(fmt.Sprint(want["request_id"]), func(t *testing.T) {
				lines := o.log(fmt.Sprintf(`"request_id":%q`, want["request_id"]))
				logs = append(logs, lines...)
				var got map[string]any
				if err := json.Unmarshal([]byte(lines[len(lines)-1]), &got); err != nil {
					t.Fatal(err)
				}
				if address, _ := got["address"].(string); !strings.HasPrefix(address, "127.0.0.1:") {
					t.Errorf("the address is %q", address)
				}
				delete(got, "address")
				delete(got, "time")
				want["level"], want["message"] = "warn", "caller refused"
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			})
		}
		if strings.Contains(strings.Join(logs, ""), "s-token") {
			t.Error("the log has a token")
		}
	})
	t.Run("misspelt scope", func(t *testing.T) {
		o.write("abl.yaml", "scopes: {drop: [write], ordr: [write]}\n")
		lines := o.log("abl.yaml:1: scopes: no tool is called `ordr`; did you mean `order`?")
		if line := lines[len(lines)-1]; !strings.Contains(line, `"level":"warn"`) {
			t.Error(line)
		}
		expectStatus(t, o.endpoint, http.StatusOK)
		if status := o.statusOf("drop", bob); status != 403 {
			t.Errorf("what is spelt well holds no more: %d", status)
		}
	})
	t.Run("changes", func(t *testing.T) {
		o.write("tokens.txt", "bob bobs-token write\n")
		o.await(func() bool { return o.statusOf("drop", ann) == 401 && o.statusOf("drop", bob) == 200 })
		o.write("operator.yaml", "http: 0\nrate: 0.01\nauth: {tokens: {file: tokens.txt}}\n")
		o.await(func() bool { return o.statusOf("drop", bob) == 429 })
		if _, _, header := o.call("drop", `{}`, "Authorization", bob); header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
	})
	t.Run("needs a restart", func(t *testing.T) {
		o.write("operator.yaml", "http: 1\ntls: {cert: a.pem, key: a.key}\nshared: {url: 'redis://127.0.0.1:1'}\nstate_key: k\ndrain: 1s\nauth: {tokens: {file: tokens.txt}}\n")
		o.log("operator.yaml: a change of http, tls, shared, state_key, drain needs a restart")
		o.await(func() bool { return o.statusOf("drop", bob) == 200 }) // the rate is gone at once
	})
}

func (o *operated) statusOf(tool, who string) int {
	status, _, _ := o.call(tool, `{"what":"tea"}`, "Authorization", who)
	return status
}

func (o *operated) write(name, text string) {
	o.t.Helper()
	if err := os.WriteFile(filepath.Join(o.dir, name), []byte(text), 0o600); err != nil {
		o.t.Fatal(err)
	}
}

// await waits until a condition holds, up to ten seconds.
func (o *operated) await(holds func() bool) {
	o.t.Helper()
	for end := time.Now().Add(10 * time.Second); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			o.t.Fatal("it does not come")
		}
	}
}

// authority signs certificates.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// issue returns a certificate and its key in PEM. A nil parent signs itself.
func issue(t *testing.T, parent *authority, name string, end time.Time) (one authority, cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: bigint.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: end,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		IsCA: parent == nil, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	if parent == nil {
		parent = &authority{t, template, k}
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, parent.cert, &k.PublicKey, parent.key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	rawKey, err := x509.MarshalECPrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	return authority{t, parsed, k}, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})), string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: rawKey}))
}

// TestCertificateCallers knows callers by their certificates, and reads a new one of its own.
func TestCertificateCallers(t *testing.T) {
	later := time.Now().Add(time.Hour)
	ours, caCert, _ := issue(t, nil, "our authority", later)
	theirs, _, _ := issue(t, nil, "their authority", later)
	_, serverCert, serverKey := issue(t, &ours, "server", later)
	o := operateFiles(t, map[string]string{
		"a.tools.abl": strings.ReplaceAll(callerTools, "API", echoAPI(t)),
		"ca.pem":      caCert, "server.pem": serverCert, "server.key": serverKey,
		"operator.yaml": "http: '0.0.0.0:0'\ntls: {cert: server.pem, key: server.key, client_ca: ca.pem}\n",
	})
	o.endpoint = strings.Replace(o.endpoint, "[::]", "127.0.0.1", 1)
	roots := x509.NewCertPool()
	roots.AddCert(ours.cert)
	call := func(version uint16, cert, key string) (int, string, *tls.ConnectionState) {
		config := &tls.Config{RootCAs: roots, MaxVersion: version}
		if cert != "" {
			pair, err := tls.X509KeyPair([]byte(cert), []byte(key))
			if err != nil {
				t.Fatal(err)
			}
			config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
		}
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}}
		resp, err := client.Post(o.endpoint, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		if err != nil {
			return 0, err.Error(), nil
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(body), resp.TLS
	}
	_, annCert, annKey := issue(t, &ours, "ann", later)
	_, oldCert, oldKey := issue(t, &ours, "old", time.Now().Add(-time.Minute))
	_, eveCert, eveKey := issue(t, &theirs, "ann", later)
	for name, tt := range map[string]struct {
		version   uint16
		cert, key string
		refused   bool
		says      string
	}{
		"good":      {tls.VersionTLS13, annCert, annKey, false, ""},
		"missing":   {tls.VersionTLS13, "", "", true, "present a certificate"},
		"expired":   {tls.VersionTLS13, oldCert, oldKey, true, "certificate"},
		"another's": {tls.VersionTLS13, eveCert, eveKey, true, "certificate"},
		"TLS 1.1":   {tls.VersionTLS11, annCert, annKey, true, ""},
		"TLS 1.2":   {tls.VersionTLS12, annCert, annKey, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			status, body, _ := call(tt.version, tt.cert, tt.key)
			if refused := status == 0 || status == 401; refused != tt.refused || !strings.Contains(body, tt.says) {
				t.Errorf("%d %s", status, body)
			}
		})
	}
	_, nextCert, nextKey := issue(t, &ours, "next server", later)
	o.write("server.key", nextKey)
	o.write("server.pem", nextCert)
	o.await(func() bool {
		_, _, state := call(tls.VersionTLS13, annCert, annKey)
		return state != nil && state.PeerCertificates[0].Subject.CommonName == "next server"
	})
}
