package projectfile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

func show(p *Project) string {
	if p.Broken {
		return "broken"
	}
	var b strings.Builder
	for _, key := range []string{Servers, Functions, Sources, AuthServices, Environments} {
		if t, ok := p.Table(key); ok {
			fmt.Fprintf(&b, "%s%q", key, t.Names())
			if t.Incomplete {
				b.WriteString("…")
			}
			b.WriteString(" ")
		}
	}
	if p.Incomplete {
		b.WriteString("open ")
	}
	if p.Secrets {
		fmt.Fprintf(&b, "secrets%q", p.Providers)
	}
	return strings.TrimSpace(b.String())
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{"", ""},
		{"# nothing yet\n", ""},
		{"base_url: https://x.example.com\n", ""},
		{"servers:\n", ""},
		{"servers: {}\n", `servers[]`},
		{"servers:\n  a: {transport: stdio}\n  \"b c\": {}\n  1: {}\n", `servers["a" "b c" "1"]`},
		{"servers: {a: {}}\nfunctions: {f: {provider: local}}\nsources: {s: }\nauth_services: {x: {kind: google}}", `servers["a"] functions["f"] sources["s"] auth_services["x"]`},
		{"servers: {a: {}}\nenvironments:\n  dev: {servers: {b: {}, a: {}}}\n  prod:\n", `servers["a" "b"] environments["dev" "prod"]`},
		{"environments: {dev: {sources: {s: {}}}}", `sources["s"] environments["dev"]`},
		{"x: &x {a: {}}\nservers: {<<: *x, b: {}}", `servers["b"]…`},
		{"x: &x {a: {}}\nservers: *x", `servers[]…`},
		{"servers: &x {a: {}}", `servers["a"]`},
		{"servers: [a]", `servers[]…`},
		{"servers: a", `servers[]…`},
		{"secrets: {providers: [env, dotenv]}", `secrets["env" "dotenv"]`},
		{"secrets:\n  providers:\n    - command\n  command: [pass]", `secrets["command"]`},
		{"secrets:", `secrets[]`},
		{"secrets: {providers: env}", `secrets[]`},
		{"servers:\r\n  a: {}\r\n  b: {}\r\n", `servers["a" "b"]`},
		{"\ufeffservers: {a: {}}", `servers["a"]`},
		{"a\n", "broken"},
		{"- a\n", "broken"},
		{"servers: {a: {}\n", `servers["a"]…`},
		{"servers:\n\ta: 1\n", `servers["a"]`},
		{"servers: {a: {}}\nfunc\nsources: {s: {}}\n", `servers["a"] sources["s"] open`},
		{"servers:\n  a: {}\n  bb\nsources: {s: {}}\n", `servers["a"]… sources["s"]`},
		{"a: 1\n---\nb: 1\n", "broken"},
		{"servers: {a: 1}\nservers: {b: 1}\n", `servers["a" "b"]`},
		{strings.Repeat("a", yaml.MaxBytes+1), "broken"},
		{"a: " + strings.Repeat("[", 5_000), ""},
		{"a: " + strings.Repeat("{a: ", 5_000), ""},
		{"\x00\xff: [", ""},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.source), func(t *testing.T) {
			if got := show(Read(yaml.Parse(tt.source))); got != tt.want {
				t.Errorf("%.60q: got %s, want %s", tt.source, got, tt.want)
			}
		})
	}
}

func TestBaseURL(t *testing.T) {
	const source = "base_url: https://a\nenvironments:\n  dev: {base_url: \"https://d\"}\n  prod: {}\n  odd: {base_url: [x]}\n"
	for _, tt := range []struct{ source, environment, want string }{
		{source, "", "https://a"},
		{source, "dev", "https://d"},
		{source, "prod", "https://a"},
		{source, "odd", "https://a"},
		{source, "none", "https://a"},
		{source + "default_environment: dev\n", "", "https://d"},
		{source + "default_environment: dev\n", "prod", "https://a"},
		{"servers: {}\n", "", ""},
		{"base_url: {a: b}\n", "", ""},
		{"base_url: [\n", "", ""},
	} {
		t.Run(tt.source, func(t *testing.T) {
			url, ok := Read(yaml.Parse(tt.source)).BaseURL(tt.environment)
			if url.Name != tt.want || ok != (tt.want != "") {
				t.Errorf("%q in %q: got %q, %t; want %q", tt.source, tt.environment, url.Name, ok, tt.want)
			}
			if ok && tt.source[url.Span.Start:url.Span.End] != "base_url" {
				t.Errorf("%q: the place of the key is %v", tt.source, url.Span)
			}
		})
	}
}

func TestSpans(t *testing.T) {
	for _, source := range []string{
		"servers:\n  aa: {}\n  \"bb\": {}\n  'cc': {}\n",
		"servers:\r\n  aa: {}\r\n  # c\r\n  \"bb\": {}\r\n\r\n  'cc': {}\r\n",
		"\ufeffservers: {aa: 1, bb: 2, cc: 3}",
		"x: 日本😀\nservers: { aa: {x: é}, \"bb\": {}, 'cc': 1}\n",
		"environments:\n  dev:\n    servers:\n      aa: 1\n      bb: {}\n      cc: {}\n",
	} {
		t.Run(fmt.Sprintf("%.60s", source), func(t *testing.T) {
			servers, _ := Read(yaml.Parse(source)).Table(Servers)
			if len(servers.Entries) != 3 {
				t.Errorf("%q: %v", source, servers)
			}
			for _, e := range servers.Entries {
				if got := strings.Trim(source[e.Span.Start:e.Span.End], `"'`); got != e.Name {
					t.Errorf("%q: %s stands at %q", source, e.Name, got)
				}
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add("servers: {a: {}}\nenvironments: {dev: {servers: {b: {}}}}\nsecrets: {providers: [env]}")
	f.Fuzz(func(t *testing.T, source string) {
		p := Read(yaml.Parse(source))
		for key, table := range p.tables {
			for _, e := range table.Entries {
				if e.Span.Start < 0 || e.Span.End > len(source) || e.Span.Start > e.Span.End {
					t.Errorf("%q: %s: %q is at %v", source, key, e.Name, e.Span)
				}
			}
		}
	})
}
