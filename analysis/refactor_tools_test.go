package analysis_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/refactor"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestMoveToolsCorpus moves each tool of the corpus's agents to a library, and moves each import
// into its agent: every file can name the same tools as before, no error and no warning is new, and
// no comment is lost.
func TestMoveToolsCorpus(t *testing.T) {
	made, refused := map[string]int{}, 0
	for _, w := range corpusProjects(t) {
		for _, path := range w.Paths() {
			if strings.HasPrefix(path, "/broken/") || path == "/styles/agents/forms.agent.abl" || w.File(path).Doc == nil { // what is moved is wrong there as well
				continue
			}
			for _, x := range movesIn(w, path) {
				edits, err := x.refactoring.Edits(t.Context(), withMissingFiles(w, x.refactoring.Reads))
				if err != nil {
					t.Logf("%s: %s: %v", path, x.refactoring.Title, err)
					refused++
					continue
				}
				made[x.refactoring.Name]++
				x.checkMove(t, edits)
			}
		}
	}
	if made["extract_tools"] < 30 || made["inline_tools"] < 20 || refused > 60 {
		t.Errorf("made %v, refused %d", made, refused)
	}
}

// movesIn returns the refactorings that move tools out of an agent, and into it.
func movesIn(w model.Workspace, path string) []refactoringTrial {
	f := w.File(path)
	var places []text.Span
	for _, t := range f.Tools {
		places = append(places, t.NameSpan())
	}
	for _, i := range f.Imports {
		places = append(places, i.PathNode().Span())
		for k := range i.Names {
			places = append(places, i.NameSpan(k))
		}
	}
	var all []refactoringTrial
	for _, at := range places {
		at.End = at.Start
		found := refactor.Refactorings(w, path, at, func(k refactor.RefactorKind) bool { return k != refactor.RewriteKind })
		if len(found) > 0 {
			all = append(all, refactoringTrial{w: w, path: path, at: at, refactoring: found[len(found)-1]})
		}
	}
	return all
}

func (x refactoringTrial) checkMove(t *testing.T, edits []model.FileEdit) {
	t.Helper()
	what := x.path + ": " + x.refactoring.Title
	after := x.apply(t, x.w, edits)
	var was, is []string
	for _, path := range x.touched(edits) {
		if before := x.w.File(path); before != nil && before.Doc != nil {
			was = append(was, comments(before)...)
			before, now := tools(x.w, path), tools(after, path)
			for name := range before {
				if before[name] != now[name] {
					t.Errorf("%s: in %s a tool differs (-before +after):\n%s", what, path, cmp.Diff(before[name], now[name]))
				}
			}
			if x.w.File(path).Kind != model.Library && len(before) != len(now) {
				t.Errorf("%s: %s can name %d tools, and could name %d", what, path, len(now), len(before))
			}
		}
		is = append(is, comments(after.File(path))...)
		x.noWorse(t, what, after, path)
	}
	for _, comment := range was {
		i := slices.Index(is, comment)
		if i < 0 {
			t.Errorf("%s: %q is lost", what, comment)
			continue
		}
		is = slices.Delete(is, i, i+1)
	}
}

// tools returns the tools that a file can name, with absolute URLs and paths.
func tools(w model.Workspace, path string) map[string]string {
	out := map[string]string{}
	for _, l := range model.LowerAll(w, path) {
		if spec, ok := l.Tool.Spec.(*tool.HTTP); ok && !strings.Contains(spec.Endpoint, ":") && spec.BaseURL != "" {
			spec.Endpoint = strings.TrimRight(spec.BaseURL, "/") + "/" + strings.TrimLeft(spec.Endpoint, "/")
		}
		if spec, ok := l.Tool.Spec.(*tool.HTTP); ok {
			spec.BaseURL = ""
		}
		if spec, ok := l.Tool.Spec.(*tool.Module); ok {
			spec.Module = filepath.Join(filepath.Dir(l.Declared.File.Path), spec.Module)
		}
		raw, _ := json.Marshal(l.Tool)
		out[l.Tool.Name] = string(raw)
	}
	return out
}
