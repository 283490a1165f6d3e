//go:build unix

// Package vscode_test drives the extension in real VS Codes, the current one and the
// oldest that it supports: from inside (test/suite.ts), and as a person sees it, in a
// browser (test/ui.mjs).
package vscode_test

import (
	"archive/zip"
	"bufio"
	"context"
	"flag"
	"fmt"
	"image/png"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

var update = flag.Bool("update", false, "rewrite the snapshots of the grammar")

// packed makes the installable extension once, in the folder shared.
var (
	packed = sync.OnceValue(packExtension)
	shared string
)

func TestMain(m *testing.M) {
	var err error
	if shared, err = os.MkdirTemp("", "abl-vsix-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(shared)
	os.Exit(code)
}

// TestSeen does what a person does, in VS Codes with the installed extension. The pictures
// stay below .cache.
func TestSeen(t *testing.T) {
	t.Parallel()
	shots, err := filepath.Abs("../../.cache/screenshots/vscode")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(shots, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, script := range []string{"ui", "folders"} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			p := newTestEditor(t, "code-server")
			p.install(t)
			p.set("SHOTS", shots)
			p.write(t, p.settings(), seenSettings)
			if script == "ui" && writeMedia(t, filepath.Join(p.dir, "trips")) {
				p.set("MEDIA", "1")
			}
			p.serve(t)
			out, err := p.node(t, "test/"+script+".mjs")
			if err != nil {
				t.Errorf("the log of VS Code:\n%s\n%s%v", p.log(), out, err)
				return
			}
			t.Log(out)
		})
	}
}

// TestInside runs the suite inside the extension host, and tests the pages. Servers that fail
// are not tested in the oldest VS Code, because watching them uses little of VS Code.
func TestInside(t *testing.T) {
	t.Parallel()
	for _, inside := range []struct{ program, last string }{
		{"code-server", "restarting by hand, twice at once, a server that hangs"},
		{"code-server-oldest", "a preview sends nothing"},
	} {
		t.Run(inside.program, func(t *testing.T) {
			t.Parallel()
			p := newTestEditor(t, inside.program)
			p.set("LAST", inside.last)
			p.set("EXTENSION", p.unpack(t))
			p.set("SUITE", filepath.Join(shared, "suite.js"))
			report := filepath.Join(p.dir, "report")
			p.set("REPORT", report)
			if err := os.WriteFile(report, nil, 0o644); err != nil {
				t.Fatal(err)
			}
			p.serve(t)
			out, err := p.node(t, "test/host.mjs")
			said, _ := os.ReadFile(report)
			if err != nil || !strings.Contains(string(said), inside.last) {
				t.Errorf("the log of VS Code:\n%s\nthe browser:\n%s\n%s%v", p.log(), out, said, err) // the failure comes last
				return
			}
			t.Logf("%s", said)
		})
	}
	t.Run("pages", testPages)
}

// commonSettings are the settings of every VS Code here: they switch off most parts that no step uses.
// seenSettings also keep what tells of one row from covering the next one.
const (
	commonSettings = `"files.autoSave": "off", "editor.cursorBlinking": "solid", "editor.minimap.enabled": false, "workbench.startupEditor": "none", "workbench.secondarySideBar.defaultVisibility": "hidden", "chat.disableAIFeatures": true, "extensions.webWorker": false, "git.enabled": false`
	insideSettings = `{` + commonSettings + `, "security.workspace.trust.enabled": false}`
	seenSettings   = `{` + commonSettings + `, "workbench.hover.delay": 600000, "security.workspace.trust.startupPrompt": "never", "window.autoDetectColorScheme": true}`
)

// testPages tests the pages of the web views, and the functions that make numbers and texts
// for them.
func testPages(t *testing.T) {
	t.Parallel()
	p := newTestEditor(t, "code-server")
	p.set("EXTENSION", p.unpack(t))
	for _, script := range []string{"test/exact.mjs", "test/sanitize.mjs", "test/units.mjs", "test/forms.mjs", "test/pages.mjs"} {
		t.Run(filepath.Base(script), func(t *testing.T) {
			if out, err := p.node(t, script); err != nil {
				t.Errorf("%s: %v\n%s", script, err, out)
			}
		})
	}
}

// TestSchema gives Red Hat's YAML server the schema of agents in YAML that the extension brings,
// and agents of the corpus.
func TestSchema(t *testing.T) {
	t.Parallel()
	_, modules := testdeps.FindNPMPackage(t, "yaml-language-server")
	agents, err := filepath.Glob("../../testdata/corpus/*yaml*/agents/*.agent.yaml")
	if err != nil {
		t.Fatal(err)
	}
	agents = slices.DeleteFunc(agents, func(name string) bool { return strings.Contains(name, "broken") })
	p := newTestEditor(t, "code-server")
	p.set("EXTENSION", p.unpack(t))
	p.set("YAML_SERVER", filepath.Join(modules, "yaml-language-server", "bin", "yaml-language-server"))
	if out, err := p.node(t, "test/yaml.mjs", agents...); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestNotices checks that the packed extension has the licences of the server's modules
// and of its own packages.
func TestNotices(t *testing.T) {
	notices, err := os.ReadFile(filepath.Join(newTestEditor(t, "code-server").unpack(t), "THIRD-PARTY-NOTICES.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"github.com/tetratelabs/wazero v", "vscode-languageclient ", "Max Brunsfeld"} {
		if !strings.Contains(string(notices), want) {
			t.Errorf("the notices say nothing of %q", want)
		}
	}
}

// TestForms checks that each form in which the server writes tools can be chosen.
func TestForms(t *testing.T) {
	source, err := os.ReadFile("src/export.ts")
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range dialect.Forms() {
		if !regexp.MustCompile(`(?m)^  '?` + form.Name + `'?: \{ label: `).Match(source) {
			t.Errorf("src/export.ts does not offer %s", form.Name)
		}
	}
}

// TestIcon checks that the whole icon is drawn: a part of it is in each quarter.
func TestIcon(t *testing.T) {
	file, err := os.Open("icons/abl.png")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	icon, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	size := icon.Bounds().Dx()
	if size < 128 || size != icon.Bounds().Dy() {
		t.Fatalf("the icon is %v", icon.Bounds())
	}
	var drawn [2][2]bool
	for y := range size {
		for x := range size {
			if _, _, _, alpha := icon.At(x, y).RGBA(); alpha > 0 {
				drawn[2*y/size][2*x/size] = true
			}
		}
	}
	if drawn != [2][2]bool{{true, true}, {true, true}} {
		t.Errorf("of the quarters, those that are drawn: %v", drawn)
	}
}

// TestGrammar compares the colours of test/grammar with their snapshots. Those of
// the embedded languages are VS Code's own.
func TestGrammar(t *testing.T) {
	node := testdeps.FindProgram(t, "node")
	code := testdeps.FindProgram(t, "code-server")
	requireFile(t, "node_modules")
	root, err := filepath.EvalSymlinks(code)
	if err != nil {
		t.Fatal(err)
	}
	extensions := filepath.Join(filepath.Dir(root), "..", "vscode", "current", "node_modules", "code-server", "lib", "vscode", "extensions")
	args := []string{"node_modules/vscode-tmgrammar-test/dist/snapshot.js"}
	for _, grammar := range []string{"javascript/syntaxes/JavaScript", "python/syntaxes/MagicPython", "json/syntaxes/JSON", "sql/syntaxes/sql"} {
		args = append(args, "-g", filepath.Join(extensions, grammar+".tmLanguage.json"))
	}
	if *update {
		args = append(args, "--updateSnapshot")
	}
	yaml := slices.Clone(args)
	for _, version := range []string{"", "-1.2", "-embedded"} {
		yaml = append(yaml, "-g", filepath.Join(extensions, "yaml/syntaxes/yaml"+version+".tmLanguage.json"))
	}
	for _, run := range [][]string{append(args, "test/grammar/*.abl"), append(yaml, "--scope", "source.yaml", "test/grammar/*.yaml")} {
		out, err := exec.CommandContext(t.Context(), node, run...).CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

func requireFile(t *testing.T, file string) {
	t.Helper()
	if _, err := os.Stat(file); err != nil {
		testdeps.SkipOrFail(t, "editors/vscode has no %s", file)
	}
}

func packExtension() error {
	out, err := exec.Command("../../scripts/vsix.sh", shared, shared).CombinedOutput()
	if err != nil {
		return fmt.Errorf("vsix.sh: %w\n%s", err, out)
	}
	return nil
}

// testEditor is one running VS Code, with the environment for it and its browser.
type testEditor struct {
	program string
	dir     string
	env     []string
}

func newTestEditor(t *testing.T, program string) *testEditor {
	p := &testEditor{program: testdeps.FindProgram(t, program)}
	chromium := testdeps.FindProgram(t, "chromium")
	testdeps.FindProgram(t, "node")
	requireFile(t, "node_modules")
	if err := packed(); err != nil {
		t.Fatal(err)
	}
	p.dir = t.TempDir()
	p.env = append(os.Environ(), "HOME="+p.dir, "XDG_CONFIG_HOME="+p.dir, "XDG_DATA_HOME="+p.dir, "XDG_STATE_HOME="+p.dir, "XDG_CACHE_HOME="+p.dir,
		"TMPDIR="+shared, // for its sockets, whose paths must be short
		"NODE_COMPILE_CACHE="+filepath.Join(shared, "compiled"),
		`EXTENSIONS_GALLERY={"serviceUrl": ""}`) // without a marketplace
	api := httptest.NewServer(demoAPI(t, p.dir))
	t.Cleanup(api.Close)
	host := strings.TrimPrefix(api.URL, "http://")
	p.set("CHROMIUM", chromium)
	p.set("OUT", shared)
	p.set("HOST", host)
	p.set("SIGNALS", p.dir)
	p.set("WORKSPACE", copyDemo(t, p.dir, host))
	p.set("FOLDERS", makeFolders(t, p.dir, host))
	return p
}

func (p *testEditor) set(name, value string) { p.env = append(p.env, "ABL_TEST_"+name+"="+value) }

// unpacked unpacks the packed extension once, and returns its folder.
var unpacked = sync.OnceValues(func() (string, error) {
	file, err := vsixFile()
	if err != nil {
		return "", err
	}
	files, err := zip.OpenReader(file)
	if err != nil {
		return "", err
	}
	defer files.Close()
	for _, f := range files.File {
		if err := unzipFile(f, filepath.Join(shared, "vsix", filepath.FromSlash(f.Name))); err != nil {
			return "", err
		}
	}
	return filepath.Join(shared, "vsix", "extension"), nil
})

// unpack returns the folder of the unpacked extension.
func (p *testEditor) unpack(t *testing.T) string {
	t.Helper()
	folder, err := unpacked()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

func unzipFile(f *zip.File, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	from, err := f.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, f.Mode())
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, from); err != nil {
		return err
	}
	return out.Close()
}

// vsixFile returns the path of the packed extension.
func vsixFile() (string, error) {
	found, err := filepath.Glob(filepath.Join(shared, "*.vsix"))
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", fmt.Errorf("the packed extensions are %q", found)
	}
	return found[0], nil
}

// flags returns the flags of every VS Code here.
func (p *testEditor) flags() []string {
	return []string{"--config", filepath.Join(p.dir, "cs.yaml"), "--user-data-dir", filepath.Join(p.dir, "user"), "--extensions-dir", filepath.Join(p.dir, "ext")}
}

// install installs the packed extension in VS Code.
func (p *testEditor) install(t *testing.T) {
	t.Helper()
	p.write(t, "cs.yaml", "auth: none\ncert: false\n")
	file, err := vsixFile()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), p.program, append(p.flags(), "--install-extension", file)...)
	cmd.Env = p.env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

var listening = regexp.MustCompile(`listening on (http://127\.0\.0\.1:\d+)`)

// serve starts VS Code, and stops it at the end of the test.
func (p *testEditor) serve(t *testing.T) {
	t.Helper()
	p.write(t, "cs.yaml", "auth: none\ncert: false\n")
	if _, err := os.Stat(p.settings()); err != nil {
		p.write(t, p.settings(), insideSettings)
	}
	args := append(p.flags(), "--bind-addr", "127.0.0.1:0", "--auth", "none", "--disable-telemetry", "--disable-update-check",
		"--disable-getting-started-override", "--disable-proxy", "-e")
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, p.program, args...)
	cmd.Env = p.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // its children are in its group
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	url, followed := make(chan string, 1), make(chan struct{})
	go p.follow(out, url, followed)
	t.Cleanup(func() {
		cancel()
		<-followed
		_ = cmd.Wait() // killed
	})
	select {
	case u := <-url:
		p.set("URL", u)
	case <-time.After(60 * time.Second):
		t.Fatalf("VS Code does not listen:\n%s", p.log())
	}
}

// follow writes the output of VS Code into the log, and finds its address.
func (p *testEditor) follow(out io.Reader, url chan<- string, done chan<- struct{}) {
	defer close(done)
	log, err := os.Create(p.logFile())
	if err != nil {
		return
	}
	defer log.Close()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		fmt.Fprintln(log, lines.Text())
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			select {
			case url <- m[1]:
			default: // known
			}
		}
	}
}

func (p *testEditor) logFile() string  { return filepath.Join(p.dir, "server.log") }
func (p *testEditor) settings() string { return filepath.Join(p.dir, "user", "User", "settings.json") }

func (p *testEditor) log() string {
	raw, err := os.ReadFile(p.logFile())
	if err != nil {
		return err.Error()
	}
	return string(raw[max(0, len(raw)-8000):])
}

func (p *testEditor) write(t *testing.T, name, text string) {
	t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(p.dir, name)
	}
	writeFile(t, name, text)
}

// node runs a script that uses VS Code in a browser.
func (p *testEditor) node(t *testing.T, script string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", append([]string{script}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // with its browser
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = p.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}
