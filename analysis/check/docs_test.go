package check

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/marker"
	"github.com/abl-lsp/abl-lsp/syntax"
)

const docs = "../../docs/diagnostics"

var pageExample = regexp.MustCompile("(?ms)^<!-- file: (\\S+) -->\n```(?:abl|yaml|sh|json|js)( wrong| right)?\n(.*?)^```$")

// TestPages checks the page of every code: its wrong example reports the code once and nothing
// else, the right one nothing.
func TestPages(t *testing.T) {
	for _, c := range All() {
		t.Run(c.Code, func(t *testing.T) {
			page, err := os.ReadFile(filepath.Join(docs, c.Code+".md"))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(string(page), "# "+c.Code+"\n") {
				t.Error("the page has another title")
			}
			if c.Code == tooManyTools.Code || c.Code == committedSecrets.Code {
				return // a hundred tools would be a long page, and no page has a repository; the fixtures do
			}
			examples := pageExample.FindAllStringSubmatch(string(page), -1)
			o := Options{Standard: c.OnlyStandard}
			isAside := func(code string) bool { return code == unboundTool.Code && code != c.Code } // the tools of an example may be the project's
			wrong := slices.DeleteFunc(codesOf(examples, " wrong", o), isAside)
			if !slices.Equal(wrong, []string{c.Code}) {
				t.Errorf("the wrong example reports %v", wrong)
			}
			if right := slices.DeleteFunc(codesOf(examples, " right", o), isAside); len(right) > 0 {
				t.Errorf("the right example reports %v", right)
			}
		})
	}
}

// TestFileNames checks that each file without an underscore has one check, and each check is in its
// file.
func TestFileNames(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var found, want []string
	for _, f := range files {
		if name := strings.TrimSuffix(f, ".go"); name != "check" && !strings.Contains(name, "_") {
			found = append(found, name)
		}
	}
	for _, c := range All() {
		want = append(want, c.Code)
	}
	slices.Sort(found)
	slices.Sort(want)
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("the files without an underscore (-checks +files):\n%s", diff)
	}
}

var shown = regexp.MustCompile("(?ms)^```abl\n(.*?)^```$")

// TestShown checks that the examples in the pages about tools have no mistake.
func TestShown(t *testing.T) {
	for _, page := range []string{"../../docs/README.md", "../../docs/foreign.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		examples := shown.FindAllStringSubmatch(string(text), -1)
		if len(examples) == 0 {
			t.Errorf("%s shows nothing", page)
		}
		for _, m := range examples {
			const path = "/p/shown.tools.abl"
			for _, d := range Run(context.Background(), model.Workspace{}.With(path, syntax.Parse(m[1])), path, Options{}) {
				if d.Severity <= model.Warning {
					t.Errorf("%s: %s: %s\n%s", page, d.Code, d.Message, m[1])
				}
			}
		}
	}
}

// TestNoOtherPages finds pages of removed codes.
func TestNoOtherPages(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(docs, "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal(err, "no pages")
	}
	for _, page := range pages {
		code := strings.TrimSuffix(filepath.Base(page), ".md")
		if !slices.ContainsFunc(All(), func(c Check) bool { return c.Code == code }) {
			t.Errorf("%s is about no code", page)
		}
	}
}

// codesOf returns the codes found in the files of one example and in those that belong to both
// examples.
func codesOf(examples [][]string, mark string, o Options) []string {
	var w model.Workspace
	for _, e := range examples {
		switch {
		case marker.IsVerdictFile("/" + e[1]):
			root, all, err := marker.ParseVerdicts("/"+e[1], []byte(e[3]))
			if err != nil {
				return []string{err.Error()}
			}
			w = marker.WithVerdicts(w, root, all)
		case marker.IsKnownFile("/" + e[1]):
			root, server, said, err := marker.ParseListing("/"+e[1], []byte(e[3]))
			if err != nil {
				return []string{err.Error()}
			}
			w = w.WithServers(root, map[string]model.ServerListing{server: said})
		case e[2] == mark || e[2] == "":
			w = w.With("/"+e[1], syntax.Parse(e[3]))
		}
	}
	read := func(string) (string, model.Absence) { return "", model.NotFound }
	for _, path := range w.Paths() {
		w = model.ReadImports(w, path, read)
	}
	var codes []string
	for _, path := range w.Paths() {
		for _, d := range Run(context.Background(), w, path, o) {
			codes = append(codes, d.Code)
		}
	}
	return codes
}
