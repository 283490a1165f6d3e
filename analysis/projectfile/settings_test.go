package projectfile

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

const settingsSource = `base_url: https://api.example.com
variables: {tenant: top, n: 010, big: 12345678901234567890}
credentials:
  api.example.com: {bearer: "{{secrets.T}}", headers: {X-A: 1.50}}
  my_tool: {api_key: k}
secrets: {providers: [env, command], command: [pass, show]}
permissions: {deny: [{kind: web, op: get, resource: "*.evil.com"}, "file:read:/etc/*"]}
limits: {response_bytes: 2KB, rows: 5}
servers: {a: {transport: stdio, command: npx, args: [-y, s], env: {K: 1}}}
functions: {f: {provider: local, command: [./bootstrap]}}
sources: {pg: {kind: postgres, port: 5432, password: 0123, query_params: {a: 1}}, web: {kind: http, base_url: "https://a", headers: {X-A: 1.50}, timeout: 30s}}
auth_services: {o: {kind: oauth2, token_url: "https://t", scopes: "a b"}}
sandbox: {engine: gvisor}
callback_base_url: https://tunnel.example
callback_port: 9000
environments:
  dev:
    base_url: "http://127.0.0.1:8080"
    variables: {tenant: demo}
    credentials: {api.example.com: {bearer: dev}}
    limits: {response_bytes: 1.5 MB}
    secrets: {providers: []}
  prod: {protected: true, permissions: {deny: []}}
  empty:
`

func TestReadSettings(t *testing.T) {
	top := Settings{
		BaseURL:   "https://api.example.com",
		Variables: map[string]string{"tenant": "top", "n": "010", "big": "12345678901234567890"},
		Credentials: map[string]tool.Credential{
			"api.example.com": {Bearer: "{{secrets.T}}", Headers: map[string]string{"X-A": "1.50"}},
			"my_tool":         {APIKey: "k"},
		},
		Secrets:     SecretPlaces{Providers: []Provider{"env", "command"}, Command: []string{"pass", "show"}},
		Permissions: Permissions{Deny: []tool.Permission{{Kind: "web", Op: "get", Resource: "*.evil.com"}, {Kind: "file", Op: "read", Resource: "/etc/*"}}},
		Limits:      Limits{ResponseBytes: 2048, Rows: 5},
		Servers: map[string]tool.Server{
			"a": {Transport: "stdio", Command: "npx", Args: []string{"-y", "s"}, Env: map[string]string{"K": "1"}},
		},
		Functions: map[string]tool.Function{"f": {Provider: "local", Command: []string{"./bootstrap"}}},
		Sources: map[string]tool.Source{
			"pg":  {Kind: "postgres", Port: "5432", Password: "0123", QueryParams: map[string]string{"a": "1"}},
			"web": {Kind: "http", BaseURL: "https://a", Headers: map[string]string{"X-A": "1.50"}, Timeout: "30s"},
		},
		AuthServices: map[string]tool.AuthService{"o": {Kind: "oauth2", TokenURL: "https://t", Scopes: tool.Words{"a", "b"}}},
		Sandbox:      Sandbox{Engine: "gvisor"},

		CallbackBaseURL: "https://tunnel.example",
		CallbackPort:    9000,
	}
	dev := top
	dev.Environment, dev.BaseURL = "dev", "http://127.0.0.1:8080"
	dev.Variables = map[string]string{"tenant": "demo", "n": "010", "big": "12345678901234567890"}
	dev.Credentials = map[string]tool.Credential{
		"api.example.com": {Bearer: "dev", Headers: map[string]string{"X-A": "1.50"}},
		"my_tool":         {APIKey: "k"},
	}
	dev.Limits.ResponseBytes = 3 << 19
	dev.Secrets.Providers = []Provider{}
	prod := top
	prod.Environment, prod.Protected = "prod", true
	prod.Permissions.Deny = []tool.Permission{}
	empty := top
	empty.Environment = "empty"
	for name, tt := range map[string]struct {
		source, environment string
		want                Settings
	}{
		"no environment":       {settingsSource, "", top},
		"dev":                  {settingsSource, "dev", dev},
		"prod":                 {settingsSource, "prod", prod},
		"an empty environment": {settingsSource, "empty", empty},
		"the default":          {settingsSource + "default_environment: prod\n", "", prod},
		"not the default":      {settingsSource + "default_environment: prod\n", "dev", dev},
		"no default":           {settingsSource + "default_environment: ~\n", "", top},
		"nothing":              {"", "", Settings{}},
		"only a comment":       {"# nothing\n", "", Settings{}},
		"keys without values":  {"base_url:\nvariables:\nlimits:\n", "", Settings{}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ReadSettings(yaml.Parse(tt.source), tt.environment)
			if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
				t.Errorf("%s: %v (-want +got):\n%s", tt.environment, err, diff)
			}
		})
	}
}

func TestUnknownEnvironment(t *testing.T) {
	_, err := ReadSettings(yaml.Parse(settingsSource), "staging")
	unknown, ok := errors.AsType[*UnknownEnvironment](err)
	if !ok || !slices.Equal(unknown.Known, []string{"dev", "prod", "empty"}) {
		t.Errorf("%v", err)
	}
	if _, err := ReadSettings(yaml.Parse(""), "dev"); err == nil || err.Error() != `there is no environment "dev": no abl.yaml around the file has any` {
		t.Errorf("%v", err)
	}
}

// TestUnreadableSettings: a part that cannot be read may forbid the run.
func TestUnreadableSettings(t *testing.T) {
	for source, want := range map[string]string{
		"base_url: https://a\n- x\n":                                             "",
		"[a]":                                                                    "1: the file is one map of keys",
		"a: 1\n---\nb: 2\n":                                                      "3: the file is one map of keys",
		"a: 1\nlimits: {response_bytes: lots}\n":                                 `2: limits: "lots" is no size such as 10MB, up to 1GB`,
		"limits: {response_bytes: 2GB}\n":                                        `1: limits: "2GB" is no size such as 10MB, up to 1GB`,
		"limits: {rows: -1}\n":                                                   `1: limits: "-1" is no number from 1 up`,
		"limits: {response_bytes: nan}\n":                                        `1: limits: "nan" is no size such as 10MB, up to 1GB`,
		"callback_port: 65536\n":                                                 `1: callback_port: "65536" is no port from 1 to 65535`,
		"limits: {response_bytes: 0.5B}\n":                                       `1: limits: "0.5B" is no size such as 10MB, up to 1GB`,
		"permissions:\n  allow:\n    - \n":                                       `2: permissions: "" is no kind:op:resource`,
		"permissions: {dney: [{kind: web}]}\n":                                   "1: dney is no key of permissions; did you mean deny?",
		"permissions: {allow: [{kind: web, resuorce: a}]}\n":                     `1: permissions: "resuorce" is none of kind, op, resource`,
		"permissions: {deny: [{what: web}]}\n":                                   `1: permissions: "what" is none of kind, op, resource`,
		"permissions: {allow: [{}]}\n":                                           "1: permissions: an access that is allowed says its kind, its op or its resource; * stands for any",
		"default_environment: [prod]\n":                                          "1: default_environment is a single name",
		"protected: maybe\n":                                                     `1: protected: "maybe" is neither true nor false`,
		"x: 1\nenvironments: {dev: {}}\ndefault_environment: prod\n":             `3: there is no environment "prod"; abl.yaml has dev`,
		"secrets: {providers: [vault]}\n":                                        `1: secrets: "vault" is none of env, dotenv, keychain, command`,
		"permissions: {deny: [web]}\n":                                           `1: permissions: "web" is no kind:op:resource`,
		"permissions: {deny: [\"web:get post:a\"]}\n":                            "1: permissions: web:get post:a under deny would deny nothing; its op: an op is a single word: write an access for each, or * for any",
		"permissions: {deny: {kind: web}}\n":                                     "1: permissions.deny: a map does not fit here",
		"variables: {a: [1]}\n":                                                  "1: variables.a: a list does not fit here",
		"limits: {}\nenvironments:\n  d:\n    limits: 5\ndefault_environment: d": "4: limits: a single value does not fit here",
		"servers: [a]\n":                                                         "1: servers: a list does not fit here",
		"base_url: https://a\nauth_services:\n  a: {kind: oidc}\n  c: {issuer: [d]}\n": "4: auth_services.c.issuer: a list does not fit here",
		"credentials: {a: {bearer: [x]}}\n":                                            "1: credentials.a.bearer: a list does not fit here",

		// What is misspelt would guard nothing.
		"base_url: https://a\npermission: {deny: [{kind: web}]}\n": "2: permission is no key of abl.yaml; did you mean permissions?",
		"limit: {rows: 5}\n": "1: limit is no key of abl.yaml; did you mean limits?",
		"Protected: true\n":  "1: Protected is no key of abl.yaml; did you mean protected?",
		"environments:\n  prod: {protect: true}\ndefault_environment: prod\n":                      "2: protect is no key of environment; did you mean protected?",
		"x-hard: &h {protcted: true}\nenvironments: {prod: {<<: *h}}\ndefault_environment: prod\n": "1: protcted is no key of environment; did you mean protected?",
		"default-environment: prod\nenvironments: {prod: {protected: true}}\n":                     "1: default-environment is no key of abl.yaml; did you mean default_environment?",
		"environmets: {prod: {protected: true}}\n":                                                 "1: environmets is no key of abl.yaml; did you mean environments?",
		"limits: {row: 5}\n": "1: row is no key of limits; did you mean rows?",
		"auth_services: {a: {kind: oidc, audiance: flights}}\n": "1: audiance is no key of auth service; did you mean audience?",
		"secrets: {provider: [keychain]}\n":                     "1: provider is no key of secrets; did you mean providers?",
		"рermissiоns: {deny: [{kind: web}]}\n":                  "1: рermissiоns is no key of abl.yaml; did you mean permissions?", // with letters of Cyrillic

		// As would what stands a level too high, and what covers another.
		"permissions:\ndeny: [{kind: web}]\n":                                              "2: deny is no key of abl.yaml; did you mean permissions.deny?",
		"environments: {prod: {Rows: 5}}\ndefault_environment: prod\n":                     "1: Rows is no key of environment; did you mean limits.rows?",
		"permissions: {deny: [{kind: web}]}\npermissions: {}\n":                            "2: permissions stands here twice; keep one of them",
		"permissions: {deny: [{kind: web}], deny: []}\n":                                   "1: deny stands here twice; keep one of them",
		"x-p: &p {deny: [{kind: web, kind: file}]}\npermissions: *p\n":                     "1: kind stands here twice; keep one of them",
		"environments: {d: {protected: true}, d: {}}\ndefault_environment: d\n":            "1: d stands here twice; keep one of them",
		"environments: {d: {protected: true, protected: false}}\ndefault_environment: d\n": "1: protected stands here twice; keep one of them",

		// An environment that is no map would take all away.
		"permissions: {deny: [{kind: web}]}\nenvironments: {d: [x]}\ndefault_environment: d\n": "2: environments.d: a list does not fit here",
		"protected: true\nenvironments:\n  d: true\ndefault_environment: d\n":                  "3: environments.d: a boolean does not fit here",
		"environments: [prod]\n": "1: environments: a list does not fit here",
		"permissions: *lost\n":   "",
	} {
		t.Run(fmt.Sprintf("%.60s", source), func(t *testing.T) {
			_, err := ReadSettings(yaml.Parse(source), "")
			if err == nil || want != "" && err.Error() != want {
				t.Errorf("%q: %v, want %s", source, err, want)
			}
		})
	}
}

// TestMisspeltElsewhere: a misspelt key that guards nothing, or not in this environment, stops no
// run. Nor does one of the author's own.
func TestMisspeltElsewhere(t *testing.T) {
	for name, source := range map[string]string{
		"keys of the project":  "servres: {}\nbase-url: https://a\nserch: {}\nvariable: {}\n",
		"an anchor":            "x-permission: {}\npermission: &p {deny: []}\npermissions: *p\n",
		"another environment":  "environments: {prod: {protect: true}}\n",
		"own keys":             "version: 1\nname: shop\nauth: {}\n",
		"servers twice":        "servers: {}\nservers: {}\nlimits: {rows: 5}\nx-a: {b: 1, b: 2}\n",
		"a merge key":          "x-p: &p {deny: [{kind: web}], allow: [{kind: web}]}\npermissions: {<<: *p, deny: []}\n",
		"an environment twice": "environments: {prod: [x], staging: {protected: true}, prod: {}}\n",
		"keys further down":    "sources: {a: {hots: b}}\nvariables: {limit: 5}\ncredentials: {a: {headers: {beare: x}}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ReadSettings(yaml.Parse(source), ""); err != nil {
				t.Errorf("%q: %v", source, err)
			}
		})
	}
}

// TestEmptyProtected: an empty `protected` guards as much as true.
func TestEmptyProtected(t *testing.T) {
	for source, want := range map[string]Flag{
		"environments: {p: {protected: }}\n":                   true,
		"protected:\nenvironments: {p: {}}\n":                  true,
		"protected: false\nenvironments: {p: {protected: }}\n": true,
		"protected:\nenvironments: {p: {protected: false}}\n":  false,
		"x-a: &a {protected: }\nenvironments: {p: {<<: *a}}\n": true,
		"environments: {p: {}, q: {protected: }}\n":            false,
	} {
		t.Run(source, func(t *testing.T) {
			if s, err := ReadSettings(yaml.Parse(source), "p"); err != nil || s.Protected != want {
				t.Errorf("%q: protected %v, %v", source, s.Protected, err)
			}
		})
	}
}

// TestFaultyEntries: a wrong entry has its fault; the others, and all else, are read.
func TestFaultyEntries(t *testing.T) {
	s, err := ReadSettings(yaml.Parse(`limits: {rows: 5}
servers: {a: {args: x, url: "https://a"}, b: {url: "https://b"}}
functions: {a: [x], b: {name: y}}
sources:
  a: {host: b}
  c: {host: [d], password: hunter2}
services: {a: {module: 7}, b: {module: ./b.mjs, settings: {n: 5}}}
environments:
  d:
    sources:
      a: {host: {}}
`), "d")
	if err != nil || s.Limits.Rows != 5 {
		t.Fatalf("%+v %v", s, err)
	}
	for name, tt := range map[string]struct {
		fault error
		want  string
	}{
		"servers.a":   {s.Servers["a"].Fault, "2: servers.a.args: a single value does not fit here"},
		"functions.a": {s.Functions["a"].Fault, "3: functions.a: a list does not fit here"},
		"sources.a":   {s.Sources["a"].Fault, "11: sources.a.host: a map does not fit here"},
		"sources.c":   {s.Sources["c"].Fault, "6: sources.c.host: a list does not fit here"},
		"services.a":  {s.Services["a"].Fault, "7: services.a.module: a number does not fit here"},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.fault == nil || tt.fault.Error() != tt.want {
				t.Errorf("%s: %v", name, tt.fault)
			}
		})
	}
	if s.Servers["b"].URL != "https://b" || s.Functions["b"].Name != "y" || string(s.Services["b"].Settings) != `{"n":5}` || s.Sources["c"].Password != "hunter2" ||
		errors.Join(s.Servers["b"].Fault, s.Functions["b"].Fault, s.Services["b"].Fault) != nil {
		t.Errorf("%+v", s)
	}
}

func TestSavedCases(t *testing.T) {
	source := "a:\r\n  - name: paris in 🚀\r\n    args: {when: 2026-06-01, id: 12345678901234567890, price: 10.50, hex: 0x1F, half: .5, neg: -0.50, seven: 007, yes: true, no: null, list: [1, 'x'], o: {b: 1, a: \"2\"}, inf: .inf}\r\n" +
		"    environment: dev\r\n    session: {user.id: \"7\"}\r\n    tags: [smoke, slow]\r\n    expect: {ok: false, value: \"len(value) > 0 && x\"}\r\n  - args:\r\n  - just words\r\nb:\r\n  - name: 12\r\n    tags: smoke\r\n    skip: \"no 🚀 yet\"\r\n  - skip: false\r\n"
	got := SavedCases(yaml.Parse(source))
	if len(got) != 4 {
		t.Fatalf("%+v", got)
	}
	want := `{"when":"2026-06-01","id":12345678901234567890,"price":10.50,"hex":31,"half":0.5,"neg":-0.50,"seven":7,"yes":true,"no":null,"list":[1,"x"],"o":{"b":1,"a":"2"},"inf":".inf"}`
	c := got[0]
	if string(c.Args) != want || string(c.Session) != `{"user.id":"7"}` || c.Tool != "a" || c.Environment != "dev" || c.Expect.OK == nil || *c.Expect.OK || c.Expect.Value != "len(value) > 0 && x" || !slices.Equal(c.Tags, []string{"smoke", "slow"}) {
		t.Errorf("%+v\n%s", c, c.Args)
	}
	if source[c.Span.Start:c.Span.End] != "paris in 🚀" || c.Name != "paris in 🚀" {
		t.Errorf("%q at %q", c.Name, source[c.Span.Start:c.Span.End])
	}
	if c := got[1]; c.Name != "#2" || c.Args != nil || c.Expect.OK != nil || c.Expect.Value != "" {
		t.Errorf("%+v", c)
	}
	if c := got[2]; c.Tool != "b" || c.Name != "12" || !slices.Equal(c.Tags, []string{"smoke"}) {
		t.Errorf("%+v", c)
	}
	if c := got[2]; c.Skip != "no 🚀 yet" || got[3].Skip != "" || got[0].Skip != "" {
		t.Errorf("%+v", c)
	}
	for _, part := range []struct {
		span text.Span
		want string
	}{{c.Expect.Span, "expect"}, {c.Expect.OKSpan, "false"}, {c.Expect.ValueSpan, `"len(value) > 0 && x"`}, {got[2].Expect.Span, "12"}, {got[2].Expect.ValueSpan, "12"}} {
		t.Run(part.want, func(t *testing.T) {
			if is := source[part.span.Start:part.span.End]; is != part.want {
				t.Errorf("%q, want %q", is, part.want)
			}
		})
	}
	if nothing := SavedCases(yaml.Parse("a:\n  - {name: null, environment: ~, skip: null}\n")); len(nothing) != 1 || nothing[0].Name != "#1" || nothing[0].Environment != "" || nothing[0].Skip != "" {
		t.Errorf("%+v", nothing)
	}
	for _, source := range []string{"", "a", "a: 1", "a: [", "- b", "a:\n  - name: [", "a: {name: x}"} {
		SavedCases(yaml.Parse(source)) // never fails
	}
}

// TestMisreadCases: a case that is not read as its author wrote it cannot be called.
func TestMisreadCases(t *testing.T) {
	for _, tt := range []struct{ source, lost, misread string }{
		{"a:\n  - name: x\n    args: {q: 1}\n    expect: {ok: true, value: 1 == 1}\n", "", ""},
		{"a:\n  - name: x\n    expect:\n    environment:\n", "", ""},
		{"a:\n  - \n  - name: x\nb:\nx-more: {y: 1}\nc: &c {y: 1}\n", "", ""},
		{"a:\n  - name: x\n    args: {q: 1\nb:\n", "This bracket is not closed.", "3: This bracket is not closed."},
		{"a:\n  - name: x\n    args:\n      q: 1\n      n 5\n", "This is no", "5: This is no"},
		{"a:\n  - name: x\n    args: {q: 1} and\n", "Nothing may stand behind", "3: Nothing may stand behind"},
		{"a:\n  - name: x\n  - name: y\n    args: [\n", "This bracket is not closed.", ""},
		{"a:\n  - name: x\n    args: {q: caf\xe9}\n", "", "3: what is not UTF-8 stands here"},
		{"a:\n  - name: x\n  - name: caf\xe9\n", "", ""},
		{"a:\n  - name: x\nb\n  - name: z\n", "This", "3: This"},
		{"a:\n  - name: x\n---\nb:\n  - name: z\n", "the file is one map of keys", ""},
		{"a:\n  - name: x\nb: {name: z}\n", "The cases of `b` are a list, and this is a map.", ""},
		{"a:\n  - name: x\n  - y\n", "A case is a map, and this is a text.", ""},
		{"a:\n  - name: x\n  - null\n", "A case is a map, and this is nothing.", ""},
		{"a:\n  - name: x\n    environment: [dev]\n", "", "3: environment is a single name"},
		{"a:\n  - name: x\n    skip: [🛫]\n", "", "3: skip is a text that says why"},
		{"a:\n  - name: x\n    expect: [1]\n", "", "3: expect is a map with ok and value"},
		{"a:\n  - name: x\n    expect:\n      ok: \"false\"\n", "", "4: expect.ok is true or false"},
		{"a:\n  - name: x\n    expect: {value: {b: 1}}\n", "", "3: expect.value is an expression"},
		{"a:\n  - name: x\n    expect: {vale: b == 1}\n", "", "3: vale is no key of expect, which has ok, value"},
		{"a:\n  - name: x\n    expct: {ok: false}\n", "", "3: expct is no key of a case, which has name, args, environment, session, tags, skip, expect"},
		{"a:\n  - name: x\n    arguments: {q: 1}\n", "", "3: arguments is no key of a case"},
		{"a:\n  - name: x\n    args: {q: 1}\n    args: {q: 2}\n", "", "4: args stands here twice"},
		{"a:\n  - name: x\n    expect: {value: \"\"}\n", "", "3: expect.value is an expression"},
		{"a:\n  - name: x\n    x-more: {y: 1}\n    expct:\n", "", ""},
		{"a:\n  - &one {name: x, args: {q: 1}}\n  - {<<: *one, name: y}\n", "", ""},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.source), func(t *testing.T) {
			d := yaml.Parse(tt.source)
			lost, misread := "", ""
			if f := LostCase(d); f != nil {
				lost = f.Message
			}
			cases := SavedCases(d)
			if cases[0].Misread != nil {
				misread = cases[0].Misread.Error()
			}
			if !begins(lost, tt.lost) || !begins(misread, tt.misread) {
				t.Errorf("%q: %q, %q", tt.source, lost, misread)
			}
		})
	}
}

func begins(s, with string) bool { return strings.HasPrefix(s, with) && (with != "" || s == "") }

func FuzzReading(f *testing.F) {
	f.Add(settingsSource)
	f.Add("a:\n  - {args: {x: +.5, y: 0o17, z: *a, <<: *b}, name: &a b}\n")
	f.Fuzz(func(t *testing.T, source string) {
		for _, c := range SavedCases(yaml.Parse(source)) {
			if c.Name == "" || c.Span.Start < 0 || c.Span.End > len(source) {
				t.Errorf("%+v", c)
			}
		}
		_, _ = ReadSettings(yaml.Parse(source), "")
	})
}

// TestDocs reads the examples of the page about runs.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/runs.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(blocks) != 4 {
		t.Fatalf("%d examples", len(blocks))
	}
	for _, environment := range []string{"dev", "prod"} {
		t.Run(environment, func(t *testing.T) {
			if s, err := ReadSettings(yaml.Parse(blocks[0][1]), environment); err != nil || s.Credentials["api.example.com"].Bearer == "" || bool(s.Protected) != (environment == "prod") {
				t.Errorf("%s: %+v %v", environment, s, err)
			}
		})
	}
	if s, err := ReadSettings(yaml.Parse(blocks[1][1]), ""); err != nil || s.AuthServices["staff"].Audience != "flights" {
		t.Errorf("%+v %v", s.AuthServices, err)
	}
	if cases := SavedCases(yaml.Parse(blocks[2][1])); len(cases) != 1 || cases[0].Name != "paris in june" || cases[0].Environment != "dev" {
		t.Errorf("%+v", cases)
	}
	if cases := SavedCases(yaml.Parse(blocks[3][1])); len(cases) != 2 || cases[0].Expect.Value == "" || *cases[1].Expect.OK || cases[0].Tags[0] != "smoke" {
		t.Errorf("%+v", cases)
	}
}

// TestSettingsOfServices checks that they are values as YAML has them, with those of an environment
// merged over.
func TestSettingsOfServices(t *testing.T) {
	s, err := ReadSettings(yaml.Parse(`services:
  github: {module: ./h.mjs, settings: {most: 5, exact: 10.50, on: true, off: null, word: "5", list: [1, a]}}
environments:
  dev:
    services: {github: {settings: {most: 7}}}
`), "dev")
	want := `{"most":7,"exact":10.50,"on":true,"off":null,"word":"5","list":[1,"a"]}`
	if got := s.Services["github"]; err != nil || string(got.Settings) != want || got.Module != "./h.mjs" {
		t.Errorf("%v: %s %s", err, got.Module, got.Settings)
	}
}
