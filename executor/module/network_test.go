package module_test

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/dial/dialtest"
	"github.com/abl-lsp/abl-lsp/executor/module"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestHosts checks that a handler reaches what the run may reach, and nothing else. Node parses
// its URLs; the test leaves out rows that only Node takes for a URL.
func TestHosts(t *testing.T) {
	t.Parallel()
	rows := slices.DeleteFunc(dialtest.Rows(), func(row dialtest.Row) bool {
		_, err := dial.ParseURL(row.URL)
		return err != nil || row.Refused == dial.URL
	})
	if len(rows) < 50 {
		t.Fatalf("%d rows", len(rows))
	}
	groups := map[string][]dialtest.Row{}
	for _, row := range rows {
		key := strings.Join(row.Allow, " ")
		groups[key] = append(groups[key], row)
	}
	for _, group := range groups {
		testHosts(t, group)
	}
}

// testHosts requests the URLs of several rows in one call.
func testHosts(t *testing.T, rows []dialtest.Row) {
	t.Helper()
	r := in(t, map[string]string{"a.mjs": `export const get = ({ urls }) => Promise.all(urls.map((url) =>
  fetch(url).then(() => "an answer", ({ cause }) => cause.code + " " + cause.message)));`})
	network := dialtest.New()
	r.with(module.Options{Dialer: network.Dialer()})
	r.req.AllowHosts = rows[0].Allow
	var urls, want []string
	for _, row := range rows {
		urls = append(urls, row.URL)
		if row.Reaches != "" {
			want = append(want, row.Reaches)
		}
	}
	args, err := json.Marshal(map[string]any{"urls": urls})
	if err != nil {
		t.Fatal(err)
	}
	var messages []string
	if err := json.Unmarshal([]byte(r.value(r.tool("a.mjs", "get", "urls"), string(args))), &messages); err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		if refused := strings.HasPrefix(messages[i], "EACCES "); refused != (row.Refused != "") {
			t.Errorf("%s: %s", row.URL, messages[i])
		}
	}
	slices.Sort(want)
	got := network.Reached()
	slices.Sort(got)
	if want = slices.Compact(want); !slices.Equal(got, want) {
		t.Errorf("reached %q, want %q", got, want)
	}
}

// ways are handlers that get a page, each by another of Node's ways to connect.
const ways = `import http from "node:http";
import https from "node:https";
import http2 from "node:http2";
import net, { connect } from "node:net";
import tls, { connect as secure } from "node:tls";
const read = async (stream) => { let all = ""; for await (const part of stream) all += part; return all };
const request = (of, url, options) => new Promise((done, fail) => of.get(url, options, (r) => done(read(r))).on("error", fail));
const raw = (socket, host) => { socket.write("GET / HTTP/1.0\r\nHost: " + host + "\r\n\r\n"); return read(socket).then((all) => all.split("\r\n\r\n")[1]) };
const trust = (settings) => ({ ca: settings.ca, servername: "example.com" });
export const fetched = async ({ url }) => (await fetch(url)).text();
export const asked = ({ url }) => request(http, url, {});
export const kept = ({ url }) => request(http, url, { agent: new http.Agent({ keepAlive: true }) });
export const alone = ({ url }) => request(http, url, { agent: false });
export const socket = ({ url }) => raw(net.connect({ port: Number(new URL(url).port), host: new URL(url).hostname }), "x");
export const named = ({ url }) => raw(connect(Number(new URL(url).port), new URL(url).hostname), "x");
export const made = ({ url }) => raw(new net.Socket().connect(Number(new URL(url).port), new URL(url).hostname), "x");
export const safe = ({ url }, { settings }) => request(https, url, trust(settings));
export const safeSocket = ({ url }, { settings }) => raw(tls.connect(Number(new URL(url).port), new URL(url).hostname, trust(settings)), "x");
export const safeNamed = ({ url }, { settings }) => raw(secure({ port: new URL(url).port, host: new URL(url).hostname, ...trust(settings) }), "x");
export const second = ({ url }, { settings }) => new Promise((done, fail) => {
  const session = http2.connect(url, trust(settings)).on("error", fail);
  const stream = session.request({ ":path": "/" }).on("error", fail);
  read(stream).then((all) => { session.close(); done(all) });
});
export const posted = async ({ url }) => (await fetch(url, { method: "POST", body: "x".repeat(3 << 20) })).text();
export const caught = async ({ url }) => { try { await fetch(url) } catch (e) { return e.cause.code } };
export const many = async ({ url }) => (await Promise.all(Array.from({ length: 40 }, () => fetched({ url })))).length;
`

// servers starts a server without TLS and one with it.
func servers(t *testing.T) (plain, secure *httptest.Server) {
	t.Helper()
	greet := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		if err != nil {
			t.Error(err)
		}
		fmt.Fprintf(w, "hello %d", n)
	})
	plain, secure = httptest.NewServer(greet), httptest.NewUnstartedServer(greet)
	secure.EnableHTTP2 = true
	secure.StartTLS()
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	return plain, secure
}

// TestConnectionsOfHandlers checks that every way in which a handler may connect goes through the guard.
func TestConnectionsOfHandlers(t *testing.T) {
	t.Parallel()
	r := in(t, map[string]string{"a.mjs": ways})
	plain, secure := servers(t)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})
	settings, err := json.Marshal(map[string]string{"ca": string(ca)})
	if err != nil {
		t.Fatal(err)
	}
	r.req.Environment.Services = map[string]tool.Service{"s": {Settings: settings}}
	call := func(name, url string) executor.Envelope {
		tl := r.tool("a.mjs", name, "url")
		tl.Namespace = "s"
		return r.run(t.Context(), tl, fmt.Sprintf(`{"url": %q}`, url))
	}
	all := map[string]*httptest.Server{
		"fetched": plain, "asked": plain, "kept": plain, "alone": plain, "socket": plain, "named": plain, "made": plain,
		"safe": secure, "safeSocket": secure, "safeNamed": secure, "second": secure,
	}
	for name, server := range all {
		t.Run(name, func(t *testing.T) {
			refused := call(name, server.URL)
			host := server.Listener.Addr().String()
			if e := refused.Error; e == nil || e.Kind != executor.KindDenied || e.Details["host"] != host {
				t.Errorf("%s: %s, %+v", name, refused.Value, e)
			}
		})
	}
	r.req.AllowHosts = []string{plain.Listener.Addr().String(), secure.Listener.Addr().String()}
	for name, server := range all {
		t.Run(name, func(t *testing.T) {
			if e := call(name, server.URL); string(e.Value) != `"hello 0"` {
				t.Errorf("%s: %s, %+v\n%s", name, e.Value, e.Error, e.Console)
			}
		})
	}
	if e := call("posted", plain.URL); string(e.Value) != `"hello 3145728"` {
		t.Errorf("posted: %s, %+v", e.Value, e.Error)
	}
	if e := call("many", plain.URL); string(e.Value) != "40" {
		t.Errorf("many: %s, %+v", e.Value, e.Error)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	_ = l.Close()
	r.req.AllowHosts = []string{closed}
	if e := call("caught", "http://"+closed); string(e.Value) != `"ECONNREFUSED"` {
		t.Errorf("nobody listens: %s, %+v", e.Value, e.Error)
	}
	r.req.AllowHosts = []string{plain.Listener.Addr().String()}
	r.req.Environment.Permissions.Deny = []tool.Permission{{Kind: "web", Op: "delete", Resource: "127.0.0.1"}}
	if e := call("fetched", plain.URL); e.Error == nil || e.Error.Kind != executor.KindDenied || e.Error.Code != "permission" {
		t.Errorf("denied by the project: %s, %+v", e.Value, e.Error)
	}
}
