package analysis

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// around returns a workspace with one file, completed from other files.
func around(path string, disk map[string]string, absent model.Absence) (w model.Workspace, asked []string) {
	w = model.Workspace{}.With(path, syntax.Parse("TOOLS:\n"))
	w = model.ReadImports(w, path, func(path string) (string, model.Absence) {
		asked = append(asked, filepath.ToSlash(path))
		if source, ok := disk[filepath.ToSlash(path)]; ok {
			return source, model.Present
		}
		return "", absent
	})
	return w, asked
}

func TestProject(t *testing.T) {
	for _, tt := range []struct {
		path   string
		disk   []string
		absent model.Absence
		want   string // path of what applies
		asked  string
	}{
		{"/a/b/c.tools.abl", nil, model.NotFound, "", "/a/b/c.cases.yaml /a/b/project.json /a/b/abl.yaml /a/project.json /a/abl.yaml /project.json /abl.yaml /a/b/.env"},
		{"/a/b/c.tools.abl", []string{"/a/abl.yaml", "/abl.yaml"}, model.NotFound, "/a/abl.yaml", "/a/b/c.cases.yaml /a/b/project.json /a/b/abl.yaml /a/project.json /a/abl.yaml /a/.env"},
		{"/a/b/c.tools.abl", []string{"/a/b/abl.yaml"}, model.NotFound, "/a/b/abl.yaml", "/a/b/c.cases.yaml /a/b/project.json /a/b/abl.yaml /a/b/.env"},
		{"/a/b/c.tools.abl", nil, model.Forbidden, "", "/a/b/c.cases.yaml /a/b/project.json /a/b/abl.yaml /a/project.json /a/abl.yaml /project.json /abl.yaml /a/b/.env"},
		{"/a/b/c.tools.abl", nil, model.Unreadable, "/a/b/abl.yaml", "/a/b/c.cases.yaml /a/b/project.json /a/b/abl.yaml /a/b/.env"},
		{"/abl.yaml", nil, model.NotFound, "/abl.yaml", "/project.json /.env"},
		{"untitled:Untitled-1", nil, model.NotFound, "", ""},
	} {
		t.Run(tt.path, func(t *testing.T) {
			disk := map[string]string{}
			for _, path := range tt.disk {
				disk[path] = "servers: {a: {}}\n"
			}
			w, asked := around(tt.path, disk, tt.absent)
			got := ""
			if f, known := w.Project(tt.path); !known {
				t.Errorf("%s: not known", tt.path)
			} else if f != nil {
				got = filepath.ToSlash(f.Path)
			}
			if got != tt.want || strings.Join(asked, " ") != tt.asked {
				t.Errorf("%s: %q applies, asked for %q; want %q, %q", tt.path, got, asked, tt.want, tt.asked)
			}
			if left := model.PathsToRead(w, tt.path); len(left) > 0 {
				t.Errorf("%s: %q are wanted still", tt.path, left)
			}
		})
	}
	if _, known := (model.Workspace{}).With("/a.abl", syntax.Parse("")).Project("/a.abl"); known {
		t.Error("known though nobody looked")
	}
}

func TestSecrets(t *testing.T) {
	const env = "\ufeffA=1\n export B = 'x'\n#C=1\nD: y\n\nnot a line\nE=\"two\nF=lines\"\n"
	for yaml, want := range map[string]string{
		"":                                     "A B D E F HOME",
		"secrets: {}":                          "A B D E F HOME",
		"secrets: {providers: [env]}":          "HOME",
		"secrets: {providers: [dotenv]}":       "A B D E F",
		"secrets: {providers: [keychain]}":     "unknown",
		"secrets: {providers: []}":             "unknown",
		"secrets: {providers: [command, env]}": "HOME",
		"secrets: [":                           "unknown",
	} {
		t.Run(yaml, func(t *testing.T) {
			w, _ := around("/p/a.tools.abl", map[string]string{"/p/abl.yaml": yaml, "/p/.env": env}, model.NotFound)
			if _, known := model.SecretNames(w, "/p/a.tools.abl"); known && strings.Contains(yaml, "env]") && !strings.Contains(yaml, "dotenv") {
				t.Errorf("%q: known without an environment", yaml)
			}
			names, known := model.SecretNames(w.WithEnvironmentVariables([]string{"HOME"}), "/p/a.tools.abl")
			got := strings.Join(names, " ")
			if !known {
				got = "unknown"
			}
			if got != want {
				t.Errorf("%q: got %q, want %q", yaml, got, want)
			}
		})
	}
}

// TestSecretsElsewhere checks that a secret in a foreign file leads to the `.env` as one in ABL
// does.
func TestSecretsElsewhere(t *testing.T) {
	for name, source := range map[string]string{
		"a.tools.abl":   "TOOLS:\n  a() -> string\n    type: http\n    endpoint: \"https://example.com/{{secrets.KEY}}\"\n",
		"tool.yaml":     "apiVersion: agents.recif.dev/v1\nkind: Tool\nmetadata: {name: a}\nspec: {name: a, type: http, endpoint: x, headers: {A: \"🛫 $KEY\"}}\n",
		"flights.yaml":  "sources:\n  pg: {kind: postgres, password: \"${KEY}\"}\n",
		"a.tools.json":  `{"tools": [{"name": "a", "description": "A", "binding": {"type": "http", "endpoint": "https://example.com/{{secrets.KEY}}"}}]}`,
		"corail.json":   `[{"name": "a", "type": "http", "description": "A", "endpoint": "x", "headers": {"A": "${KEY}"}}]`,
		"unheaded.json": `[{"name": "a", "type": "http", "description": "$KEY", "endpoint": "x"}]`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.FromSlash("/p/" + name)
			w := model.ReadImports(model.Workspace{}.With(path, syntax.Parse(source)), path, func(path string) (string, model.Absence) {
				if filepath.Base(path) == ".env" {
					return "A=1\nKEY=2\n", model.Present
				}
				return "", model.NotFound
			})
			var got []string
			for _, l := range Definition(w, path, strings.Index(source, "KEY")+1) {
				got = append(got, source[l.From.Start:l.From.End]+" "+filepath.Base(l.Path))
			}
			if want := "KEY .env"; name != "unheaded.json" && strings.Join(got, ", ") != want || name == "unheaded.json" && len(got) > 0 {
				t.Errorf("%s: %q", name, got)
			}
		})
	}
}

func TestCommitted(t *testing.T) {
	for yaml, want := range map[string]bool{
		"": true, "servers: {}": true, "secrets: {providers: [dotenv]}": true, "secrets: {providers: [env]}": false, "a: [": true, "secrets: [": false,
	} {
		t.Run(yaml, func(t *testing.T) {
			w, _ := around("/p/a.tools.abl", map[string]string{"/p/abl.yaml": yaml, "/p/.env": "A=1"}, model.NotFound)
			if got := model.UncheckedDotenvs(w); !slices.Equal(got, []string{filepath.FromSlash("/p/.env")}) {
				t.Errorf("%q: %q are to be asked for", yaml, got)
			}
			if _, committed := model.CommittedDotenv(w, "/p/a.tools.abl"); committed {
				t.Errorf("%q: committed, although nothing says so", yaml)
			}
			w = w.WithTracked(filepath.FromSlash("/p/.env"), true)
			if _, committed := model.CommittedDotenv(w, "/p/a.tools.abl"); committed != want {
				t.Errorf("%q: committed %v", yaml, committed)
			}
			if left := model.UncheckedDotenvs(w); len(left) > 0 {
				t.Errorf("%q are asked for again", left)
			}
		})
	}
}

// TestImportersOfWhatIsAround checks that the importers of an abl.yaml are all files below it;
// those of a `.env` also include the abl.yaml files, which name secrets.
func TestImportersOfWhatIsAround(t *testing.T) {
	var w model.Workspace
	for _, path := range []string{"/p/a.tools.abl", "/p/q/b.agent.abl", "/pp/c.tools.abl", "/d.tools.abl", "/p/abl.yaml", "/p/q/abl.yaml"} {
		w = w.With(filepath.FromSlash(path), syntax.Parse("TOOLS:\n"))
	}
	for path, want := range map[string]string{
		"/p/abl.yaml": "/p/a.tools.abl /p/q/b.agent.abl",
		"/p/.env":     "/p/a.tools.abl /p/abl.yaml /p/q/abl.yaml /p/q/b.agent.abl",
		"/p/q/.env":   "/p/q/abl.yaml /p/q/b.agent.abl",
		"/abl.yaml":   "/d.tools.abl /p/a.tools.abl /p/q/b.agent.abl /pp/c.tools.abl",
	} {
		t.Run(path, func(t *testing.T) {
			got := filepath.ToSlash(strings.Join(w.Importers(filepath.FromSlash(path)), " "))
			if got != want {
				t.Errorf("%s: got %q, want %q", path, got, want)
			}
		})
	}
}

// TestNoValues checks that no value of a `.env` is kept.
func TestNoValues(t *testing.T) {
	w, _ := around("/p/a.tools.abl", map[string]string{"/p/.env": "A=secret-value\n"}, model.NotFound)
	names, known := model.SecretNames(w.WithEnvironmentVariables(nil), filepath.FromSlash("/p/a.tools.abl"))
	if !known || !slices.Equal(names, []string{"A"}) {
		t.Errorf("%q, %v: want the name alone", names, known)
	}
	if shown := w.Lines(filepath.FromSlash("/p/.env")).Text(); strings.Contains(shown, "secret") {
		t.Errorf("its lines keep %q", shown)
	}
	if w.File("/p/.env") != nil {
		t.Error("its text is kept as a file")
	}
}

// TestDefinitionOfSecrets checks that the definition is the line of the `.env`, without the value.
func TestDefinitionOfSecrets(t *testing.T) {
	const tools = "TOOLS:\n  t() -> string\n    type: http\n    endpoint: \"https://🚀/\"\n    headers: {A: \"{{secrets.KEY}}\"}\n"
	const env = "# 🚀 KEY=\r\nKEY2=2\r\n  export KEY=\"é secret\"\r\n"
	for _, tt := range []struct{ yaml, want string }{
		{"", "/p/.env:3:10"},
		{"secrets: {providers: [env, dotenv]}\n", "/p/.env:3:10 /p/abl.yaml:1:1"},
		{"secrets: {providers: [env]}\n", "/p/abl.yaml:1:1"},
		{"secrets: [\n", "/p/abl.yaml:1:1"},
	} {
		t.Run(tt.yaml, func(t *testing.T) {
			files := map[string]string{"/p/.env": env}
			if tt.yaml != "" {
				files["/p/abl.yaml"] = tt.yaml
			}
			w, _ := around("/p/a.tools.abl", files, model.NotFound)
			w = w.With("/p/a.tools.abl", syntax.Parse(tools))
			var got []string
			for _, l := range Definition(w, filepath.FromSlash("/p/a.tools.abl"), strings.Index(tools, "KEY")) {
				at := w.Lines(l.Path).Position(l.Span.Start, text.UTF16)
				got = append(got, fmt.Sprintf("%s:%d:%d", filepath.ToSlash(l.Path), at.Line+1, at.Character+1))
			}
			if shown := strings.Join(got, " "); shown != tt.want {
				t.Errorf("%q: %s, want %s", tt.yaml, shown, tt.want)
			}
			if shown := w.Lines(filepath.FromSlash("/p/.env")).Text(); strings.Trim(shown, " KEY2\r\n") != "" {
				t.Errorf("%q is kept of a .env", shown)
			}
		})
	}
}
