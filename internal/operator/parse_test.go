package operator_test

import (
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/abl-lsp/abl-lsp/internal/operator"
)

// findSecret knows the secret KEY; the place of BROKEN cannot be read.
func findSecret(name string) (string, bool, error) {
	switch name {
	case "KEY":
		return "a{{b}}c", true, nil
	case "BROKEN":
		return "", false, errors.New("the keychain is locked")
	}
	return "", false, nil
}

func TestParse(t *testing.T) {
	drain := 90 * time.Second
	for _, tt := range []struct {
		name, source string
		want         operator.Config
	}{
		{"empty", "", operator.Config{}},
		{"comments", "# nothing\nx-note: {any: [1]}\n", operator.Config{}},
		{"all but auth", `
http: "0.0.0.0:8443"
tls: {cert: server.pem, key: /etc/server.key, client_ca: ca.pem}
shared: {url: "rediss://:{{secrets.KEY}}@redis:6379/0"}
state_key: "{{ secrets.KEY }}"
metrics: "127.0.0.1:9090"
rate: 0.5
drain: 1m30s
allow_hosts: ["10.1.0.0/16", "crm.internal:8080"]
`, operator.Config{
			HTTP: "0.0.0.0:8443", Metrics: "127.0.0.1:9090", StateKey: "a{{b}}c", Rate: 0.5, Drain: &drain,
			TLS:        &operator.TLS{Cert: filepath.Join("etc", "server.pem"), Key: "/etc/server.key", ClientCA: filepath.Join("etc", "ca.pem")},
			Shared:     &operator.Shared{URL: "rediss://:a%7B%7Bb%7D%7Dc@redis:6379/0", Prefix: "abl"},
			AllowHosts: []string{"10.1.0.0/16", "crm.internal:8080"},
		}},
		{"tokens", "auth: {tokens: {file: t.txt, keychain: [ann, bob]}}", operator.Config{
			Auth: operator.Auth{Tokens: &operator.Tokens{File: filepath.Join("etc", "t.txt"), Keychain: []string{"ann", "bob"}}}}},
		{"oauth by keys", "http: 8443\nauth: {oauth: {issuer: https://login.example.com, audience: https://tools.example.com, jwks: http://127.0.0.1:8080/keys}}", operator.Config{
			HTTP: "8443",
			Auth: operator.Auth{OAuth: &operator.OAuth{Issuer: "https://login.example.com", Audience: "https://tools.example.com", JWKS: "http://127.0.0.1:8080/keys"}}}},
		{"oauth by introspection", `auth: {oauth: {issuer: https://i.example/, audience: a, introspection: {url: https://i.example/ask, client_id: me, client_secret: "{{secrets.KEY}}"}}}`, operator.Config{
			Auth: operator.Auth{OAuth: &operator.OAuth{Issuer: "https://i.example/", Audience: "a",
				Introspection: &operator.Introspection{URL: "https://i.example/ask", ClientID: "me", ClientSecret: "a{{b}}c"}}}}},
		{"header", `auth: {header: {name: X-User, from: ["10.1.2.3/8", "::1", "::ffff:192.0.2.1"]}}`, operator.Config{
			Auth: operator.Auth{Header: &operator.Header{Name: "X-User",
				From: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128"), netip.MustParsePrefix("192.0.2.1/32")}}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := operator.Parse("etc/ops.yaml", tt.source, findSecret)
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Path = "etc/ops.yaml"
			same := []cmp.Option{cmpopts.IgnoreUnexported(operator.Config{}), cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })}
			if d := cmp.Diff(&tt.want, got, same...); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	const oauth = "auth:\n  oauth:\n    issuer: https://i.example\n    audience: a\n"
	for _, tt := range []struct {
		name, source string
		want         []string // the lines of the error
	}{
		{"no YAML", "http: [", []string{"ops.yaml:1: "}},
		{"a list", "- a", []string{"ops.yaml:1: the file must be a map, not a list"}},
		{"two documents", "rate: 1\n---\nrate: 2", []string{"ops.yaml:3: an operator's file is one document"}},
		{"unknown key", "htpp: 1\nauth: {tokens: {fil: a}}", []string{
			"ops.yaml:1: there is no key `htpp`; did you mean `http`?",
			"ops.yaml:2: there is no key `fil` in auth.tokens; did you mean `file`?"}},
		{"nothing near", "tls: {cert: a, key: b, pin: c}", []string{"ops.yaml:1: there is no key `pin` in tls; there are cert, key, client_ca"}},
		{"a key twice", "rate: 1\nrate: 2", []string{"ops.yaml:2: rate is there twice"}},
		{"no value", "auth:\n", []string{"ops.yaml:1: auth: it has no value"}},
		{"empty value", "state_key: ''", []string{"ops.yaml:1: state_key: it is empty"}},
		{"a map for a text", "http: {a: 1}", []string{"ops.yaml:1: http: it must be a single value, not a map"}},
		{"a text for a map", "\ntls: cert.pem", []string{"ops.yaml:2: tls must be a map, not a text"}},
		{"a text for a list", "allow_hosts: a", []string{"ops.yaml:1: allow_hosts: it must be a list with at least one item"}},
		{"a map in a list", "allow_hosts: [{a: 1}]", []string{"ops.yaml:1: allow_hosts: an item must be a text, not a map"}},
		{"missing keys", "tls:\n  cert: a", []string{"ops.yaml:2: tls needs key"}},
		{"no way in auth", "auth: {}", []string{"ops.yaml:1: auth: it needs one of tokens, oauth and header"}},
		{"two ways in auth", oauth + "  tokens: {file: a}", []string{"ops.yaml:1: auth: it needs one of tokens, oauth and header"}},
		{"tokens from nowhere", "auth: {tokens: {}}", []string{"ops.yaml:1: auth.tokens: it needs file or keychain"}},
		{"issuer", "auth: {oauth: {issuer: i.example, audience: a}}", []string{"ops.yaml:1: auth.oauth.issuer: it must be a URL that begins with https:// or http:// and a host"}},
		{"keys by http", oauth + "    jwks: http://10.0.0.1/keys", []string{"ops.yaml:5: auth.oauth.jwks: it must begin with https://, since what it answers is trusted"}},
		{"introspection", oauth + "    introspection: {url: https://i.example/ask}", []string{
			"ops.yaml:5: auth.oauth.introspection needs client_id", "ops.yaml:5: auth.oauth.introspection needs client_secret"}},
		{"a header with a meaning", "auth: {header: {name: Authorization, from: [10.0.0.0/8]}}", []string{"ops.yaml:1: auth.header.name: Authorization has a meaning of its own"}},
		{"no header", "auth: {header: {name: 'X: y', from: [10.0.0.0/8]}}", []string{"ops.yaml:1: auth.header.name: it must be the name of a header"}},
		{"no network", "auth:\n  header:\n    name: X-User\n    from: [proxy, 10.0.0.0/40]", []string{
			`ops.yaml:4: auth.header.from: "proxy" is neither an IP address nor a CIDR`, `ops.yaml:4: auth.header.from: "10.0.0.0/40" is neither an IP address nor a CIDR`}},
		{"address", "http: localhost", []string{"ops.yaml:1: http: it must be [HOST:]PORT"}},
		{"port", "metrics: ':65536'", []string{"ops.yaml:1: metrics: it must be [HOST:]PORT"}},
		{"address without brackets", "http: '::1:80'", []string{"ops.yaml:1: http: it must be [HOST:]PORT"}},
		{"shared by another protocol", "shared: {url: https://a}", []string{"ops.yaml:1: shared.url: it must be a URL that begins with rediss:// or redis://"}},
		{"rate", "rate: 0", []string{"ops.yaml:1: rate: it must be a number above 0"}},
		{"endless rate", "rate: .inf", []string{"ops.yaml:1: rate: it must be a number above 0"}},
		{"drain", "drain: 30", []string{"ops.yaml:1: drain: it must be a time such as 30s or 2m"}},
		{"long drain", "drain: 99999999999h", []string{"ops.yaml:1: drain: it must be a time such as 30s or 2m"}},
		{"allow_hosts", "allow_hosts: ['10.0.0.0/99']", []string{"ops.yaml:1: allow_hosts: "}},
		{"no secret", "state_key: '{{secrets.NONE}}'", []string{"ops.yaml:1: state_key: there is no secret NONE"}},
		{"no other placeholder", "state_key: '{{env.NONE}}'", []string{"ops.yaml:1: state_key: there is no {{env.NONE}} here, only {{secrets.NAME}}"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := operator.Parse("ops.yaml", tt.source, findSecret)
			if err == nil {
				t.Fatal("no error")
			}
			got := strings.Split(err.Error(), "\n")
			if len(got) != len(tt.want) {
				t.Fatalf("%q", got)
			}
			for i := range got {
				if !strings.HasPrefix(got[i], tt.want[i]) || strings.HasSuffix(got[i], ": ") {
					t.Errorf("%q, not %q", got[i], tt.want[i])
				}
			}
		})
	}
}

// TestParseHidesSecrets: an error never contains the value of a secret.
func TestParseHidesSecrets(t *testing.T) {
	for _, key := range []string{"http", "rate", "drain", "metrics", "shared"} {
		source := key + ": '{{secrets.KEY}}'"
		if key == "shared" {
			source = "shared: {url: 'redis://u:{{secrets.KEY}}@%'}"
		}
		t.Run(key, func(t *testing.T) {
			_, err := operator.Parse("ops.yaml", source, findSecret)
			if err == nil || strings.Contains(err.Error(), "b}}c") || strings.Contains(err.Error(), "%7D") {
				t.Error(err)
			}
		})
	}
	_, err := operator.Parse("ops.yaml", "state_key: '{{secrets.BROKEN}}'", findSecret)
	if err == nil || !strings.Contains(err.Error(), "the keychain is locked") {
		t.Error(err)
	}
}

func TestKnowsCallers(t *testing.T) {
	for source, want := range map[string]bool{
		"":                          false,
		"tls: {cert: a, key: b}":    false,
		"auth: {tokens: {file: a}}": true,
		"rate: 5":                   false,
		"auth: {header: {name: X, from: [10.0.0.1]}}": true,
		"tls: {cert: a, key: b, client_ca: c}":        true,
	} {
		t.Run(source, func(t *testing.T) {
			c, err := operator.Parse("ops.yaml", source, findSecret)
			if err != nil || c.KnowsCallers() != want {
				t.Error(c, err)
			}
		})
	}
	if (*operator.Config)(nil).KnowsCallers() {
		t.Error("no file knows callers")
	}
}

// TestExamples reads the examples of the page.
func TestExamples(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "docs", "operator.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, page, _ := strings.Cut(string(raw), "```yaml\n")
	examples := strings.Split(page, "```yaml\n")
	for _, text := range examples {
		text, _, _ = strings.Cut(text, "```")
		if strings.HasPrefix(text, "scopes:") { // of abl.yaml
			continue
		}
		t.Run(text, func(t *testing.T) {
			if _, err := operator.Parse("operator.yaml", text, findSecret); err != nil {
				t.Error(err)
			}
		})
	}
	if len(examples) < 5 {
		t.Errorf("%d examples", len(examples))
	}
}
