package lsp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/corpus"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// TestPublishedIsChecked opens each file of the corpus, alone and together with all files
// of its project. The published diagnostics are those of `check` in the project's folder.
func TestPublishedIsChecked(t *testing.T) {
	for _, project := range corpus.Folders(t, "..") {
		t.Run(filepath.Base(project), func(t *testing.T) {
			t.Parallel()
			root, err := filepath.Abs(project)
			if err != nil {
				t.Fatal(err)
			}
			texts, checked := checkedBelow(t, root)
			wantPublished(t, root, texts, checked)
		})
	}
}

// TestPublishedOfProfiles has an agent use a profile in another folder of an exported
// project. Its tools have no diagnostics, and slips for other tools are reported.
func TestPublishedOfProfiles(t *testing.T) {
	f := newTestFolder(t)
	for _, dir := range []string{"agents", "behavior_profiles", "tools"} {
		if err := os.Mkdir(f.join(dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	f.write("project.json", `{"agents": {"Front": {}}}`)
	f.write("agents/front.agent.abl", "AGENT: Front\nGOAL: \"Answers 🧭\"\nUSE BEHAVIOR_PROFILE: voice\nTOOLS:\n  get_customer(id: string) -> string\n    description: \"Reads\"\n"+
		"FLOW:\n  a:\n    REASONING: false\n    CALL: get_custmer\n    THEN: b\n  b:\n    REASONING: false\n    CALL: say_it\n    THEN: c\n  c:\n    REASONING: false\n    CALL: ring\n    THEN: COMPLETE\n")
	f.write("behavior_profiles/voice.behavior_profile.abl", "BEHAVIOR_PROFILE: voice\nPRIORITY: 1\nWHEN: channel == \"voice\"\nTOOLS:\n  ADD:\n    say_it(text: string) -> string\n      description: \"Says\"\n")
	f.write("tools/ring.tools.abl", "TOOLS:\n  ring() -> string\n    description: \"Rings\"\n")
	texts, checked := checkedBelow(t, f.path)
	if agent := checked[f.join("agents/front.agent.abl")]; len(agent) < 2 {
		t.Fatalf("checked: %s", agent)
	}
	wantPublished(t, f.path, texts, checked)
}

// checkedBelow returns the texts of the checked files below a folder, and the codes and
// lines of the diagnostics of each when all are checked together.
func checkedBelow(t *testing.T, root string) (texts map[string]string, found map[string][]string) {
	t.Helper()
	paths, err := disk.FindFiles(root, func(path string) bool {
		isABL := model.IsABL(path) && model.IsImportable(path)
		return isABL || model.IsProjectFile(path) || model.IsCases(path) || model.IsManifest(path)
	})
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	texts, found = map[string]string{}, map[string][]string{}
	docs := map[string]*syntax.Document{}
	for _, path := range paths {
		texts[path], _ = disk.Read(path)
		docs[path] = syntax.Parse(texts[path])
	}
	w := model.Workspace{}.WithEnvironmentVariables(disk.EnvironmentNames()).WithAll(docs)
	for _, path := range paths {
		w = disk.ReadImports(w, path, disk.Read)
	}
	w = disk.ReadWorkspaces(w, nil, paths, disk.Read)
	for _, path := range paths {
		for _, d := range check.Run(context.Background(), w, path, check.Options{}) {
			at := w.File(path).Positions().Range(d.Span, text.UTF16).Start
			found[path] = append(found[path], fmt.Sprintf("%d %s", at.Line+1, d.Code))
		}
		slices.Sort(found[path])
	}
	return texts, found
}

// wantPublished opens the files one after the other, and then all of them together.
func wantPublished(t *testing.T, root string, texts map[string]string, want map[string][]string) {
	t.Helper()
	c := startClient(t)
	c.Initialize(lsptest.WithFolders(root))
	open := func(path string) {
		c.Open(uri.File(path), texts[path])
		if got := c.lastPublished(path, want[path]); !slices.Equal(got, want[path]) {
			t.Errorf("%s (-checked +lastPublished):\n%s", path, cmp.Diff(want[path], got))
		}
	}
	for path := range texts {
		open(path)
		c.Close(uri.File(path))
		c.lastPublished(path, nil)
	}
	for path := range texts {
		open(path)
	}
	for path := range texts {
		if got := c.lastPublished(path, want[path]); !slices.Equal(got, want[path]) {
			t.Errorf("%s once all are open (-checked +lastPublished):\n%s", path, cmp.Diff(want[path], got))
		}
	}
}

// lastPublished returns the last diagnostics that were published for a file, in the form of
// [checkedBelow]. It waits some time if they are not the wanted ones.
func (f testClient) lastPublished(path string, want []string) (got []string) {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		all := f.Published(uri.File(path))
		if len(all) == 0 {
			continue
		}
		got = codeLines(all[len(all)-1].Diagnostics)
		if slices.Equal(got, want) {
			break
		}
	}
	return got
}

func codeLines(diagnostics []protocol.Diagnostic) (lines []string) {
	for _, d := range diagnostics {
		lines = append(lines, fmt.Sprintf("%d %s", d.Range.Start.Line+1, d.Code))
	}
	slices.Sort(lines)
	return lines
}
