// Package others_test starts the server from real editors without a folder of their own
// here, with exactly the settings of docs/editors.md.
package others_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/editors/editortest"
)

var server editortest.Server

func TestMain(m *testing.M) { os.Exit(server.Main(m)) }

// readSettings returns the blocks of a language below a heading of docs/editors.md.
func readSettings(t *testing.T, heading, language string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	settings := ""
	for _, block := range regexp.MustCompile("(?s)\n```"+language+"\n(.*?)```").FindAllStringSubmatch(section, -1) {
		settings += block[1] + "\n"
	}
	if settings == "" {
		t.Fatalf("no %s below %s", language, heading)
	}
	return settings
}

// testMachine is the environment of a person: a folder with the demo, a home folder, and
// the server on the PATH of env.
type testMachine struct {
	home, demo string
	env        []string
}

func newTestMachine(t *testing.T) testMachine {
	t.Helper()
	dir := t.TempDir()
	m := testMachine{home: filepath.Join(dir, "home"), demo: filepath.Join(dir, "demo")}
	for _, folder := range []string{"agents", "tools"} {
		if err := os.CopyFS(filepath.Join(m.demo, folder), os.DirFS(filepath.Join("../../testdata/demo", folder))); err != nil {
			t.Fatal(err)
		}
	}
	m.env = append(os.Environ(),
		"HOME="+m.home, "XDG_CONFIG_HOME="+filepath.Join(m.home, ".config"), "XDG_STATE_HOME="+m.home, "XDG_CACHE_HOME="+m.home,
		"PATH="+filepath.Dir(server.Path(t))+string(os.PathListSeparator)+os.Getenv("PATH"),
		"TERM=xterm-256color")
	m.write(t, filepath.Join(m.demo, "agents", "desk.agent.yaml"), "AGENT: Desk\nGOAL: \"Help\"\n") // is in ABL, which the server says
	if err := os.Mkdir(filepath.Join(m.demo, ".git"), 0o755); err != nil {                          // marks the root
		t.Fatal(err)
	}
	return m
}

func (m testMachine) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
