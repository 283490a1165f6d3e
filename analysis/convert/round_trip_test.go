package convert_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/convert"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/corpus"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// TestRoundTrip converts each agent that loses nothing to the other dialect and back: its tools, its
// flow, its diagnostics and its comments stay. Of an agent in ABL that loses something, a second
// conversion of what is left gives the same.
func TestRoundTrip(t *testing.T) {
	lossless := map[bool]int{}
	for path, source := range agents(t) {
		t.Run(filepath.Base(filepath.Dir(filepath.Dir(path)))+"/"+filepath.Base(path), func(t *testing.T) {
			if roundTrip(t, path, source) {
				lossless[strings.HasSuffix(path, ".yaml")]++
			}
		})
	}
	if lossless[false] < 30 || lossless[true] < 20 {
		t.Errorf("%d agents in ABL and %d in YAML lose nothing", lossless[false], lossless[true])
	}
}

// roundTrip converts an agent to the other dialect and back. It reports whether nothing is lost.
func roundTrip(t *testing.T, path, source string) (lossless bool) {
	isYAML := strings.HasSuffix(path, ".yaml")
	there, back := convert.ToYAML, convert.ToABL
	if isYAML {
		there, back = back, there
	}
	otherPath := model.PathInDialect(path, !isYAML)
	w := workspaceOf(path, source)
	first := there(w.File(path))
	converted := workspaceOf(otherPath, first.Text)
	second := back(converted.File(otherPath))
	if len(first.Lost) > 0 && isYAML {
		return false
	}
	for _, loss := range second.Lost {
		t.Errorf("on the way back: %s: %s", firstLine(first.Text[loss.Span.Start:]), loss.Message)
	}
	if diff := cmp.Diff(comments(first.Text, !isYAML), comments(second.Text, isYAML)); diff != "" {
		t.Error("comments (-there +back):", diff)
	}
	again := workspaceOf(path, second.Text)
	if len(first.Lost) > 0 {
		third := convert.ToYAML(again.File(path))
		if diff := cmp.Diff(plain(first.Text), plain(third.Text)); diff != "" {
			t.Error("the second conversion (-first +second):", diff)
		}
		return false
	}
	for _, other := range []struct {
		name string
		w    model.Workspace
		path string
	}{{"converted", converted, otherPath}, {"back", again, path}} {
		if diff := cmp.Diff(tools(w, path), tools(other.w, other.path)); diff != "" {
			t.Errorf("tools (-source +%s): %s", other.name, diff)
		}
		if diff := cmp.Diff(steps(w.File(path)), steps(other.w.File(other.path))); diff != "" {
			t.Errorf("steps (-source +%s): %s", other.name, diff)
		}
		inWords := other.path == path // else the messages have the keys of the other dialect
		if diff := cmp.Diff(diagnostics(w, path, inWords), diagnostics(other.w, other.path, inWords)); diff != "" {
			t.Errorf("diagnostics (-source +%s): %s", other.name, diff)
		}
	}
	return true
}

// agents returns the texts of the agents of the corpus and of the fixtures, by their paths, without
// those that are wrong on purpose.
func agents(t *testing.T) map[string]string {
	all := map[string]string{}
	for _, folder := range corpus.Folders(t, "../..") {
		if strings.HasSuffix(folder, "broken") {
			continue
		}
		paths, err := filepath.Glob(filepath.Join(folder, "agents", "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if path, err = filepath.Abs(path); err != nil {
				t.Fatal(err)
			}
			f := model.NewFile(path, syntax.Parse(string(source)), nil)
			if f.Kind == model.Agent || f.Kind == model.Supervisor {
				all[path] = string(source)
			}
		}
	}
	for _, path := range fixtures(t) {
		fixture, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path) + "_" + fixture.Files[0].Name
		all["/fixtures/agents/"+name] = string(fixture.Files[0].Data)
	}
	return all
}

func workspaceOf(path, source string) model.Workspace {
	w := model.Workspace{}.With(path, syntax.Parse(source))
	w = disk.ReadAllImports(w, []string{path}, disk.Read)
	return disk.ReadWorkspaces(w, nil, []string{path}, disk.Read)
}

// comments returns the texts of all comments, sorted.
func comments(source string, isYAML bool) (all []string) {
	if isYAML {
		for _, span := range yaml.ParseLines(text.NewLines(source)).Comments() {
			all = append(all, source[span.Start:span.End])
		}
	} else {
		for _, e := range syntax.Parse(source).HeadsAndEntries() {
			for n := range e.Root().Preorder() {
				if n.Kind() == syntax.Comment {
					all = append(all, n.Text())
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

// synonyms are spellings of keys, with those that the conversion back chooses.
var synonyms = map[string]string{"formats": "rich_content", "goto": "then", "transition": "then"}

// expressions are keys whose lines are one expression.
var expressions = []string{"when", "condition", "check"}

// plain returns what a text in YAML says: its keys and values without comments and styles.
func plain(source string) any { return plainNode(yaml.ParseLines(text.NewLines(source)).Root()) }

func plainNode(n *yaml.Node) any {
	switch n.Kind {
	case yaml.Map:
		all := map[string]any{}
		for _, m := range n.Members {
			key := m.Key.Text
			if name, ok := synonyms[key]; ok {
				key = name
			}
			if v := plainNode(m.Value); v != nil {
				all[key] = v
			}
			if s, ok := all[key].(string); ok && slices.Contains(expressions, key) {
				all[key] = strings.Join(strings.Fields(s), " ")
			}
		}
		if name, ok := all["name"]; len(all) == 0 || len(all) == 1 && ok {
			return name // an item may be its name alone
		}
		return all
	case yaml.List:
		var all []any
		for _, item := range n.Items {
			all = append(all, plainNode(item))
		}
		if all == nil {
			return nil
		}
		return all
	}
	return strings.TrimSpace(n.Text)
}

func tools(w model.Workspace, path string) (all []string) {
	for _, one := range model.LowerAll(w, path) {
		raw, err := json.Marshal(one.Tool)
		if err != nil {
			panic(err)
		}
		all = append(all, string(raw))
	}
	return all
}

// steps returns a line for each step, with where it leads.
func steps(f *model.File) (all []string) {
	flow := f.Parts()[0].Flow()
	if flow == nil {
		return nil
	}
	for i := range flow.Steps {
		step := &flow.Steps[i]
		line := fmt.Sprintf("%s %d:", step.Name, step.Reasoning)
		for _, target := range step.Targets {
			line += " " + target.Name
		}
		all = append(all, line)
	}
	return all
}

// layout are the codes about how ABL is written.
var layout = []string{"trailing-comment", "section-case", "section-indent", "deprecated-spelling", "platform-loss", "missing-reasoning", "file-suffix", "duplicate-property"}

func diagnostics(w model.Workspace, path string, inWords bool) (all []string) {
	for _, d := range check.Run(context.Background(), w, path, check.Options{Unsuppressed: true}) {
		switch {
		case slices.Contains(layout, d.Code):
		case inWords:
			all = append(all, d.Code+": "+d.Message)
		default:
			all = append(all, d.Code)
		}
	}
	slices.Sort(all)
	return all
}
