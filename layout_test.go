// Package abllsp_test holds the house rules that no compiler checks: who may
// import whom (ARCHITECTURE.md), how long a file may be, what every package
// says of itself.
package abllsp_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/abl-lsp/abl-lsp/internal/toolpages"
	"github.com/abl-lsp/abl-lsp/tool"
)

const module = "github.com/abl-lsp/abl-lsp"

// layer is one row of the import table. Paths are relative to the module; one
// that ends in /... covers what is below it too.
type layer struct {
	path string
	may  []string // packages of ours that it may import, besides its own subtree
}

// layers is read top-down: the first row that fits a package holds for it.
// What fits none fails the test, so that a new folder is placed on purpose.
var layers = []layer{
	{"syntax/text", nil},
	{"syntax/grammar/...", nil},
	{"syntax/script", []string{"syntax/text"}},
	{"syntax/yaml", []string{"syntax/text"}},
	{"syntax", []string{"syntax/text", "syntax/grammar/..."}},
	{"tool/sqltext", []string{"tool/gotemplate", "tool/placeholder"}},
	{"tool/indent", []string{"tool/exactjson"}},
	{"tool/...", nil},
	{"expression/pattern", nil},
	{"expression", nil},
	{"analysis/section", []string{"tool"}},
	{"analysis/projectfile", []string{"syntax/text", "syntax/yaml", "tool", "tool/exactjson"}},
	{"analysis/agentyaml", []string{"analysis/projectfile", "analysis/section", "syntax/text", "syntax/yaml", "tool"}},
	{"analysis/model", []string{"internal/parallel", "analysis/agentyaml", "analysis/projectfile", "analysis/section", "dialect", "dialect/abl", "dialect/foreign", "dialect/schema", "expression", "syntax", "syntax/script", "syntax/text", "syntax/yaml", "tool/..."}},
	{"analysis/describe", []string{"analysis/model", "dialect/schema", "expression", "syntax", "syntax/text", "tool"}},
	{"analysis/cursor", []string{"analysis/describe", "analysis/model", "analysis/projectfile", "syntax", "syntax/text", "syntax/yaml", "tool/..."}},
	{"analysis/edit", []string{"analysis/model", "syntax", "syntax/text", "tool/..."}},
	{"analysis/format", []string{"analysis/model", "syntax", "syntax/text", "tool"}},
	{"analysis/completion", []string{"analysis/cursor", "analysis/describe", "analysis/edit", "analysis/model", "analysis/projectfile", "dialect", "dialect/abl", "expression", "syntax", "syntax/text", "syntax/yaml", "tool/..."}},
	{"analysis/convert", []string{"analysis/agentyaml", "analysis/model", "analysis/projectfile", "analysis/section", "syntax", "syntax/text", "syntax/yaml", "tool"}},
	{"analysis/refactor", []string{"analysis/convert", "analysis/edit", "analysis/model", "analysis/projectfile", "dialect/abl", "dialect/foreign", "dialect/schema", "expression", "syntax", "syntax/text", "syntax/yaml", "tool", "tool/exactjson"}},
	{"analysis/check/...", []string{"analysis/edit", "analysis/model", "analysis/projectfile", "analysis/section", "dialect/foreign", "dialect/schema", "expression", "internal/parallel", "syntax", "syntax/script", "syntax/text", "syntax/yaml", "tool/..."}},
	{"analysis", []string{"internal/parallel", "analysis/cursor", "analysis/describe", "analysis/model", "analysis/projectfile", "dialect/foreign", "dialect/schema", "expression", "syntax", "syntax/text", "syntax/yaml", "tool/..."}},
	{"dialect/...", []string{"expression/pattern", "syntax/text", "syntax/yaml", "tool/...", "dialect/..."}},
	{"executor/dial", nil},
	{"executor/process", nil},
	{"executor/journal", nil},
	{"executor/state", nil},
	{"executor/state/statetest", []string{"executor/state"}},
	{"executor/state/redis", []string{"executor/state", "executor/dial"}},
	{"executor/schema", []string{"expression/pattern"}},
	{"executor/sandbox/packed", []string{"internal/atomicfile"}},
	{"executor/template", []string{"expression", "tool/exactjson", "tool/placeholder"}},
	{"executor/secrets", []string{"executor/process", "tool/exactjson"}},
	{"executor/jail", []string{"executor/process"}},
	{"executor/...", []string{"expression", "tool/...", "executor/..."}},
	{"docs", nil},
	{"internal/disk", []string{"syntax", "analysis/model", "internal/parallel"}},
	{"internal/export", []string{"tool", "analysis/model", "analysis/projectfile", "dialect", "dialect/foreign"}},
	{"internal/generate", []string{"docs", "analysis/check", "analysis/projectfile", "analysis/section", "expression", "internal/operator", "internal/toolpages", "lsp", "tool/indent", "tool"}},
	{"internal/generate/kinds", nil},
	{"internal/history", []string{"executor", "executor/journal", "tool", "tool/exactjson", "tool/indent"}},
	{"internal/invoke", []string{"syntax/text", "syntax/yaml", "tool", "tool/exactjson", "analysis/model", "analysis/projectfile", "analysis/refactor", "executor", "executor/dial", "executor/secrets", "expression", "tool/indent"}},
	{"internal/listing", []string{"syntax/text", "tool", "analysis/model"}},
	{"internal/benchtext", nil},
	{"internal/corpus", []string{"internal/toolpages"}},
	{"internal/toolpages", []string{"docs"}},
	{"internal/toolpages/run", []string{"internal/toolpages"}},
	{"internal/parallel", nil},
	{"internal/atomicfile", nil},
	{"internal/bench", []string{"internal/benchtext"}},
	{"internal/conformance", []string{"tool/...", "executor/...", "internal/oauthtest"}},
	{"internal/oauthtest", []string{"internal/testdeps"}},
	{"internal/sqltest", []string{"tool", "internal/testcert", "internal/testdeps"}},
	{"internal/redistest", []string{"internal/testcert", "internal/testdeps"}},
	{"internal/testcert", nil},
	{"internal/userdirs", nil},
	{"internal/lazyregexp", nil},
	{"internal/testdeps", nil},
	{"internal/secretservice", []string{"internal/testdeps"}},
	{"internal/shell", []string{"executor/secrets"}},
	{"internal/servercache", []string{"internal/atomicfile", "tool", "analysis/model", "executor"}},
	{"internal/metrics", []string{"executor"}},
	{"internal/mcpserver", []string{"internal/metrics", "tool", "tool/exactjson", "tool/placeholder", "dialect/model", "executor", "executor/state", "internal/callers", "internal/invoke"}},
	{"internal/operator", []string{"analysis/model", "analysis/projectfile", "executor/dial", "syntax/yaml", "tool", "tool/placeholder"}},
	{"internal/callers", []string{"executor", "executor/dial", "executor/oauth", "executor/secrets", "executor/state", "internal/operator"}},
	{"internal/marker", []string{"syntax", "syntax/text", "analysis", "analysis/model"}},
	{"lsp/connection", nil},
	{"lsp/...", []string{"syntax", "syntax/text", "tool", "tool/exactjson", "analysis/...", "dialect", "executor", "executor/state", "docs", "internal/..."}},
	{"cmd/...", []string{"..."}},
	{"editors/...", nil},
	{"", nil}, // this test
}

// importableByAll are the packages of ours that every package may import.
var importableByAll = []string{"internal/lazyregexp"}

// kinds returns the folders of executor that run one kind of tool each: those whose
// test runs the suite of internal/conformance. Only cmd names them.
var kinds = sync.OnceValue(func() []string {
	suites, _ := filepath.Glob("executor/*/conformance_test.go") // the pattern is well formed
	var names []string
	for _, suite := range suites {
		names = append(names, filepath.Base(filepath.Dir(suite)))
	}
	return names
})

// foreign says which packages alone may import something that is not ours, or
// what is below it.
var foreign = []struct {
	root, why string
	owners    []string
}{
	{"go.lsp.dev", "the protocol stays inside lsp", []string{"lsp/...", "cmd/..."}},
	{"C", "one package touches cgo", []string{"syntax/grammar/..."}},
	{"github.com/smacker/go-tree-sitter", "one half of the house parses", []string{"syntax", "syntax/grammar/...", "syntax/script"}},
	{"github.com/evanw/esbuild", "two packages read the code of tools, one command bundles packages", []string{"syntax/script", "executor/module", "cmd/sandboxkit"}},
	{"github.com/tetratelabs/wazero", "one kind runs WebAssembly, one command prepares it", []string{"executor/sandbox/...", "cmd/sandboxkit"}},
	{"github.com/goccy/go-yaml", "one package reads YAML", []string{"syntax/yaml"}},
	{"go.etcd.io/bbolt", "one package opens the file of what outlives a process", []string{"executor/state"}},
	{"github.com/klauspost/compress", "one package packs what the sandbox needs", []string{"executor/sandbox/packed"}},
	{"code.dny.dev/ssrf", "one package guards every dial", []string{"executor/dial"}},
	{"github.com/modelcontextprotocol/go-sdk", "one package asks MCP servers, and one is such a server", []string{"executor/mcp", "internal/mcpserver"}},
	{"github.com/coder/websocket", "one package speaks over WebSockets", []string{"executor/mcp"}},
	{"golang.org/x/oauth2", "one package obtains tokens", []string{"executor/oauth"}},
	{"github.com/coreos/go-oidc", "one package obtains tokens", []string{"executor/oauth"}},
	{"modernc.org/sqlite", "one kind opens databases", []string{"executor/sql"}},
	{"github.com/jackc/pgx", "one kind opens databases", []string{"executor/sql", "internal/sqltest"}},
	{"github.com/go-sql-driver/mysql", "one kind opens databases", []string{"executor/sql", "internal/sqltest"}},
	{"github.com/redis/go-redis", "one kind asks Redis servers, and what servers share is in one", []string{"executor/redis", "executor/state/redis", "internal/redistest"}},
	{"github.com/expr-lang", "one package evaluates expressions", []string{"expression"}},
	{"github.com/santhosh-tekuri/jsonschema", "one package holds values to schemas", []string{"executor/schema"}},
	{"github.com/dlclark/regexp2", "one package reads regular expressions of ECMAScript", []string{"expression/pattern"}},
	{"github.com/zalando/go-keyring", "one package opens the keychain", []string{"executor/secrets"}},
	{"github.com/aws", "one kind calls AWS", []string{"executor/lambda"}},
	{"go.opentelemetry.io/otel/sdk", "only cmd says where spans go", []string{"cmd/..."}},
	{"go.opentelemetry.io/otel/exporters", "only cmd says where spans go", []string{"cmd/..."}},
	{"github.com/go-shiori/go-readability", "one kind reads web pages", []string{"executor/builtin"}},
	{"github.com/JohannesKaufmann/html-to-markdown", "one kind reads web pages", []string{"executor/builtin"}},
	{"github.com/spf13/cobra", "the command line is cmd's", []string{"cmd/..."}},
}

// pure packages do no I/O: they may not import outside.
var (
	pure    = []string{"syntax/...", "tool/...", "analysis/...", "dialect/..."}
	outside = []string{"os", "os/exec", "net", "net/http", "syscall", "log", "plugin"}
)

// pkg is what `go list -json` says of a package.
type pkg struct {
	ImportPath string
	Dir        string
	Imports    []string
	GoFiles    []string
	CgoFiles   []string
}

func (p pkg) path() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
}

func TestImports(t *testing.T) {
	for _, p := range packages(t) {
		for _, imp := range p.Imports {
			if fault := importFault(p.path(), imp); fault != "" {
				t.Errorf("%s imports %s: %s", p.path(), imp, fault)
			}
		}
	}
}

// TestImportFault holds the table itself.
func TestImportFault(t *testing.T) {
	tests := []struct {
		path, imp string
		ok        bool
	}{
		{"syntax", module + "/syntax/text", true},
		{"syntax/text", module + "/syntax", false},
		{"analysis/check", module + "/tool", true},
		{"analysis", module + "/executor", false},
		{"executor", module + "/analysis", false},
		{"executor/http", module + "/executor/dial", true},
		{"executor/http", module + "/executor/mcp", false},
		{"executor", module + "/executor/http", false},
		{"lsp", module + "/executor/http", false},
		{"lsp", module + "/syntax/grammar", false},
		{"cmd/abl-lsp", module + "/executor/http", true},
		{"lsp", "go.lsp.dev/protocol", true},
		{"analysis", "go.lsp.dev/protocol", false},
		{"syntax/grammar", "C", true},
		{"syntax", "C", false},
		{"tool", "encoding/json", true},
		{"tool", "github.com/expr-lang/expr", false},
		{"tool/sqltext", "github.com/expr-lang/expr", false},
		{"analysis", "os", false},
		{"tool", module + "/internal/lazyregexp", true},
		{"newcomer", "fmt", false},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			if fault := importFault(tt.path, tt.imp); (fault == "") != tt.ok {
				t.Errorf("%s imports %s: fault %q", tt.path, tt.imp, fault)
			}
		})
	}
}

// importFault says why a package may not import imp, or "".
func importFault(path, imp string) string {
	i := rowOf(path)
	if i < 0 {
		return "the package is in no row of the import table: give it one, and its place in ARCHITECTURE.md"
	}
	if ours, ok := strings.CutPrefix(imp, module+"/"); ok {
		return ownFault(path, layers[i], ours)
	}
	for _, f := range foreign {
		if fits(imp, f.root+"/...") && !fitsAny(path, f.owners) {
			return f.why
		}
	}
	if fits(path, "tool/...") && strings.Contains(imp, ".") {
		return "tool is standard library only"
	}
	if fitsAny(path, pure) && slices.Contains(outside, imp) {
		return "no I/O here"
	}
	return ""
}

// TestNoUnusedGrant finds rows that hold for no package, and what nobody needs of
// a row.
func TestNoUnusedGrant(t *testing.T) {
	all := packages(t)
	those := func(in func(path string) bool) []pkg {
		return slices.DeleteFunc(slices.Clone(all), func(p pkg) bool { return !in(p.path()) })
	}
	for i, l := range layers {
		mine := those(func(path string) bool { return rowOf(path) == i })
		if len(mine) == 0 {
			t.Errorf("no package is in the row %q", l.path)
		}
		for _, may := range l.may {
			if !oneImports(mine, module+"/"+may) {
				t.Errorf("nothing in the row %q imports %s", l.path, may)
			}
		}
	}
	for _, f := range foreign {
		for _, owner := range f.owners {
			if !oneImports(those(func(path string) bool { return fits(path, owner) }), f.root+"/...") {
				t.Errorf("nothing in %s imports %s", owner, f.root)
			}
		}
	}
}

func oneImports(some []pkg, pattern string) bool {
	return slices.ContainsFunc(some, func(p pkg) bool {
		return slices.ContainsFunc(p.Imports, func(imp string) bool { return fits(imp, pattern) })
	})
}

// rowOf is the index of the row that holds for a package, or -1.
func rowOf(path string) int {
	return slices.IndexFunc(layers, func(l layer) bool { return fits(path, l.path) })
}

func ownFault(path string, l layer, ours string) string {
	if kind := kindOf(ours); kind != "" && kind != kindOf(path) && !fits(path, "cmd/...") {
		return "only cmd names a kind"
	}
	if !fitsAny(ours, l.may) && !fitsAny(ours, importableByAll) && !strings.HasPrefix(ours, path+"/") {
		return "not in its row of the import table"
	}
	return ""
}

// kindOf is the kind whose folder a path lies in, or "".
func kindOf(path string) string {
	rest, ok := strings.CutPrefix(path, "executor/")
	name, _, _ := strings.Cut(rest, "/")
	if !ok || !slices.Contains(kinds(), name) {
		return ""
	}
	return name
}

// wired is a line of cmd that gives a kind its runner.
var wired = regexp.MustCompile(`\btool\.Kind\w+:\s+(\w+)\.New\(`)

// TestKindsAreWired holds that cmd runs exactly the kinds that pass the suite.
func TestKindsAreWired(t *testing.T) {
	source, err := os.ReadFile("cmd/abl-lsp/wire.go")
	if err != nil {
		t.Fatal(err)
	}
	var runners []string
	for _, m := range wired.FindAllSubmatch(source, -1) {
		runners = append(runners, string(m[1]))
	}
	slices.Sort(runners)
	if !slices.Equal(runners, kinds()) {
		t.Errorf("cmd/abl-lsp/wire.go runs %q, and a conformance_test.go is in %q of executor", runners, kinds())
	}
}

// TestKindsHavePages holds that each kind has a page, with an example that runs a tool of the kind and
// with the words for its row in the table of all kinds, and that no other page is there.
// TestFresh of internal/generate holds the row to these words, TestToolPages of cmd/abl-lsp runs
// the example, and the tests of internal/corpus's projects read it.
func TestKindsHavePages(t *testing.T) {
	pages, err := toolpages.Read(".")
	if err != nil {
		t.Fatal(err)
	}
	var found, want []string
	for _, p := range pages {
		found = append(found, p.Kind)
		t.Run(p.Kind, func(t *testing.T) {
			if p.InShort == "" || strings.Contains(p.InShort, "|") {
				t.Error("the page does not end with the comment `<!-- in short: … -->`")
			}
			if !slices.ContainsFunc(p.Files, func(f toolpages.File) bool { return strings.Contains(f.Text, "type: "+p.Kind+"\n") }) {
				t.Error("no file of the example has a tool of the kind")
			}
			if !slices.ContainsFunc(p.Commands, func(c toolpages.Command) bool { return strings.HasPrefix(c.Line, "abl-lsp run ") }) {
				t.Error("no block of `console` runs a tool")
			}
		})
	}
	for _, kind := range tool.Kinds() {
		want = append(want, kind.Name)
	}
	slices.Sort(want)
	if !slices.Equal(found, want) {
		t.Errorf("%s has the pages %q, and the kinds are %q", toolpages.Folder, found, want)
	}
}

func TestBuildsWithoutCgo(t *testing.T) {
	cmd := exec.Command("go", "build", "./tool/...", "./executor/...")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go build without cgo: %v\n%s", err, out)
	}
}

func TestPackageComments(t *testing.T) {
	for _, p := range packages(t) {
		files := append(p.GoFiles, p.CgoFiles...)
		if len(files) > 0 && !slices.ContainsFunc(files, func(name string) bool { return hasDoc(t, filepath.Join(p.Dir, name)) }) {
			t.Errorf("%s has no package comment: say what it promises", p.path())
		}
	}
}

func hasDoc(t *testing.T, name string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return f.Doc != nil
}

// TestArchitecture holds the map to the land.
func TestArchitecture(t *testing.T) {
	doc, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(doc, []byte("\n")); n > 300 {
		t.Errorf("ARCHITECTURE.md has %d lines, 300 are the limit", n)
	}
	rows := codeMap.FindAllStringSubmatch(string(doc), -1)
	for _, p := range packages(t) {
		if p.path() != "" && !mapped(p.path(), rows) {
			t.Errorf("the code map of ARCHITECTURE.md has no row for %s", p.path())
		}
	}
	for _, r := range rows {
		if _, err := os.Stat(r[1]); err != nil {
			t.Errorf("the code map of ARCHITECTURE.md has a row for what is not there: %v", err)
		}
	}
}

// codeMap fits a row of the code map. Dots behind the folder mean those beside it
// as well: where it is a kind, the other kinds.
var codeMap = regexp.MustCompile("(?m)^\\| `([^`]+)`( …)? \\|")

// mapped reports whether a row is about the package. One about a folder is about
// what is below it, unless a row is about a part of that.
func mapped(path string, rows [][]string) bool {
	return slices.ContainsFunc(rows, func(r []string) bool {
		switch folder := r[1] + "/"; {
		case path == r[1]:
			return true
		case r[2] != "":
			return filepath.Dir(path) == filepath.Dir(r[1]) && (kindOf(r[1]) == "" || kindOf(path) != "")
		default:
			split := slices.ContainsFunc(rows, func(other []string) bool { return strings.HasPrefix(other[1], folder) })
			return strings.HasPrefix(path, folder) && !split
		}
	})
}

// TestNoIdleExceptions finds exceptions from linters that nobody runs.
func TestNoIdleExceptions(t *testing.T) {
	config, err := os.ReadFile(".golangci.yml")
	if err != nil {
		t.Fatal(err)
	}
	exception := regexp.MustCompile(`//nolint:(\w+)`)
	for name, text := range sources(t) {
		for _, m := range exception.FindAllSubmatch(text, -1) {
			if !bytes.Contains(config, []byte("\n    - "+string(m[1]))) {
				t.Errorf("%s has an exception from %s, which .golangci.yml does not run", name, m[1])
			}
		}
	}
}

func TestFileLength(t *testing.T) {
	const limit = 800
	for name, text := range sources(t) {
		if n := bytes.Count(text, []byte("\n")); n > limit && !generated(name, text) {
			t.Errorf("%s has %d lines, %d are the limit", name, n, limit)
		}
	}
}

// TestOneOfEach finds packages that do for themselves what one package does for all.
func TestOneOfEach(t *testing.T) {
	for _, one := range []struct {
		owner, does string
		again       *regexp.Regexp
	}{
		{"tool/placeholder", "has the grammar of placeholders", regexp.MustCompile(`\\{\\{(\\s\*|\[\^\{\}\])`)},
		{"analysis/cursor", "reads the schema position under a cursor", regexp.MustCompile(`\b(projectfile\.FieldAt|model\.KeySchemasBelow)\(`)},
	} {
		t.Run(one.owner, func(t *testing.T) {
			for name, text := range sources(t) {
				isCode := strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
				if isCode && !strings.HasPrefix(filepath.ToSlash(name), one.owner+"/") && one.again.Match(text) {
					t.Errorf("%s: %s %s, and %s does so itself", one.again.Find(text), one.owner, one.does, name)
				}
			}
		})
	}
}

// TestNoMachinePaths finds what only exists on the machine of who wrote it.
func TestNoMachinePaths(t *testing.T) {
	here := regexp.MustCompile(`(?:^|[\s"'(=:/])(/(?:work|root|Users|home|tmp)/[\w.-]+)`)
	allowed := regexp.MustCompile(`^/(?:home|Users)/(?:you|me)\b`)
	for name, text := range sources(t) {
		scanner := bufio.NewScanner(bytes.NewReader(text))
		scanner.Buffer(nil, len(text)+1)
		for line := 1; scanner.Scan(); line++ {
			for _, m := range here.FindAllStringSubmatch(scanner.Text(), -1) {
				inTest := strings.HasPrefix(m[1], "/tmp/") && strings.Contains(name, "test")
				if !inTest && !allowed.MatchString(m[1]) && !generated(name, text) {
					t.Errorf("%s:%d names a path of one machine: %s", name, line, m[1])
				}
			}
		}
	}
}

// sources are the text files of the repository by their slash-separated names.
// Folders that hold what is built or fetched are left out.
func sources(t *testing.T) map[string][]byte {
	t.Helper()
	skip := []string{".git", ".cache", "bin", "dist", "node_modules"}
	files := map[string][]byte{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // went away while we walked
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(skip, d.Name()):
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(name)
		if err == nil && !bytes.Contains(text, []byte{0}) {
			files[filepath.ToSlash(name)] = text
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// generated reports whether a program wrote the file.
func generated(name string, text []byte) bool {
	head := text[:min(len(text), 2000)]
	return strings.HasPrefix(name, "syntax/grammar/src/") && !strings.HasSuffix(name, "scanner.c") ||
		strings.HasPrefix(name, "docs/schemas/") ||
		bytes.Contains(head, []byte("Code generated ")) ||
		strings.HasSuffix(name, ".sum") || strings.HasSuffix(name, "-lock.json")
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,Imports,GoFiles,CgoFiles", "./...")
	cmd.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=1") // where there is most of it
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// fits reports whether a path is the pattern, or below it where the pattern
// ends in "...".
func fits(path, pattern string) bool {
	root, tree := strings.CutSuffix(pattern, "...")
	if !tree {
		return path == pattern
	}
	return root == "" || path == strings.TrimSuffix(root, "/") || strings.HasPrefix(path, root)
}

func fitsAny(path string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return fits(path, p) })
}
