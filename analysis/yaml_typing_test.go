package analysis_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/completion"
	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/internal/corpus"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestEditsInYAML edits the agents in YAML of the corpus: each next version equals a fresh one, and
// so do its diagnostics.
func TestEditsInYAML(t *testing.T) {
	edits := 40
	if testing.Short() {
		edits = 4
	}
	random := rand.New(rand.NewPCG(1, 2))
	agents := agentsInYAML(t)
	for _, path := range slices.Sorted(maps.Keys(agents)) {
		cache := &check.Cache{}
		doc := model.ParseDocument(path, agents[path])
		w := model.Workspace{}.With(path, doc)
		for range edits {
			e := randomEdit(random, doc.Text())
			doc = doc.Apply(e)
			w = w.With(path, doc)
			fresh := model.Workspace{}.With(path, model.ParseDocument(path, doc.Text()))
			if wrong := differentAgent(w.File(path), fresh.File(path)); wrong != "" {
				t.Fatalf("%s: after %+v: %s", path, e, wrong)
			}
			got := check.Run(t.Context(), w, path, check.Options{Cache: cache})
			if want := check.Run(t.Context(), fresh, path, check.Options{}); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: after %+v: diagnostics\n%+v\nand fresh\n%+v", path, e, got, want)
			}
		}
	}
}

// randomEdit returns an edit of a text that a person may make: some letters, or a line less.
func randomEdit(random *rand.Rand, source string) text.Edit {
	at := random.IntN(len(source) + 1)
	for at > 0 && at < len(source) && source[at]&0xC0 == 0x80 {
		at--
	}
	typed := []string{"x", " ", "\n", ":", "- ", "\"", "{", "# ", "\n    name: y\n", "then: COMPLETE\n"}
	if random.IntN(4) == 0 {
		return text.Edit{Span: text.Span{Start: at, End: at + strings.IndexByte(source[at:]+"\n", '\n')}}
	}
	return text.Edit{Span: text.Span{Start: at, End: at}, NewText: typed[random.IntN(len(typed))]}
}

// differentAgent says what differs in two versions of a file with the same text.
func differentAgent(a, b *model.File) string {
	switch {
	case a.IsYAMLAgent() != b.IsYAMLAgent():
		return "one is an agent in YAML"
	case a.Doc.Text() != b.Doc.Text():
		return "another text in ABL:\n" + a.Doc.Text() + "\n\n" + b.Doc.Text()
	case a.IsYAMLAgent() && !reflect.DeepEqual(a.Agent.Map, b.Agent.Map):
		return "other places"
	}
	return ""
}

// TestCompletionOfYAMLAgents types the keys of the agents in YAML of the corpus again: at the first
// letter of a key the key is offered, whether the text below is there or not, and a line that ends
// with a bracket or a dash is the beginning of a place for keys.
func TestCompletionOfYAMLAgents(t *testing.T) {
	typed, every := 0, 1
	if testing.Short() {
		every = 40
	}
	agents := agentsInYAML(t)
	for _, path := range slices.Sorted(maps.Keys(agents)) {
		source := agents[path]
		f := model.Workspace{}.With(path, model.ParseDocument(path, source)).File(path).Written()
		for _, key := range knownKeys(f.YAML.Root(), model.YAMLField(f)) {
			if typed++; typed%every != 0 {
				continue
			}
			at := key.Span.Start
			below := source[at+strings.IndexByte(source[at:]+"\n", '\n'):]
			typing := [][2]string{{source[:at+1], below}, {source[:at+1], ""}, {source[:at], ""}}[typed/every%3]
			if !offersKey(path, typing[0], typing[1], key.Text) {
				t.Errorf("%s: no %q at %q, above %.20q", path, key.Text, typing[0][max(0, at-80):], typing[1])
			}
		}
	}
	if typed < 1000 {
		t.Errorf("only %d keys", typed)
	}
}

// knownKeys returns the keys that the schema has.
func knownKeys(n *yaml.Node, field *tool.Field) (keys []*yaml.Node) {
	if n == nil || field == nil || n.Alias != "" || !projectfile.HasShape(field, n) {
		return nil
	}
	for _, m := range n.OwnMembers() {
		known := projectfile.KeyField(field, m.Key.Text)
		if known != nil && known.Name == m.Key.Text && !known.Undocumented && known.Deprecated == "" && m.Key.Style == yaml.Plain {
			keys = append(keys, m.Key)
		}
		keys = append(keys, knownKeys(m.Value, known)...)
	}
	for _, item := range n.Items {
		keys = append(keys, knownKeys(item, projectfile.ItemField(field))...)
	}
	return keys
}

// offersKey reports whether a key is offered between two parts of a text.
func offersKey(path, above, below, key string) bool {
	w := model.Workspace{}.With(path, model.ParseDocument(path, above+below))
	f := w.File(path)
	offset := f.InFile(text.Span{Start: len(above), End: len(above)}).Start
	return slices.ContainsFunc(completion.Complete(context.Background(), w, path, offset, cursor.Host{}), func(i completion.Item) bool {
		return strings.TrimPrefix(i.Label, "- ") == key
	})
}

// TestEnterEndsLinesOfYAMLAgents types each line of the agents in YAML of the corpus to its end: if
// the last character opened the list of completions, Enter would accept the first one in an editor
// instead of ending the line.
func TestEnterEndsLinesOfYAMLAgents(t *testing.T) {
	asked, every := 0, 1
	if testing.Short() {
		every = 40
	}
	agents := agentsInYAML(t)
	for _, path := range slices.Sorted(maps.Keys(agents)) {
		source := agents[path]
		at := 0
		for line := range strings.Lines(source) {
			typed := strings.TrimRight(line, "\r\n")
			end := at + len(typed)
			at += len(line)
			if key := strings.TrimSpace(typed); key == "" || strings.HasSuffix(key, "{") /* which is no reason to offer, see lsp */ || !strings.ContainsAny(typed[len(typed)-1:], " :[\"/{.<") {
				continue
			}
			if asked++; asked%every != 0 {
				continue
			}
			w := model.Workspace{}.With(path, model.ParseDocument(path, source[:end]))
			f := w.File(path)
			for _, item := range completion.Complete(t.Context(), w, path, f.Positions().Offset(f.Positions().Lines().Position(end, text.UTF8), text.UTF8), cursor.Host{}) {
				s := f.WrittenSpan(item.Edit.Span)
				if strings.HasPrefix(item.FilterText, source[s.Start:end]) { // which an editor shows
					t.Errorf("%s: %q would become %q", path, typed, source[end-len(typed):s.Start]+item.Edit.NewText)
					break
				}
			}
		}
	}
	if asked < 200 {
		t.Errorf("only %d lines", asked)
	}
}

// agentsInYAML returns the texts of the agents in YAML of the corpus, by a path.
func agentsInYAML(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, folder := range corpus.Folders(t, "..") {
		w := project(t, folder)
		for _, path := range w.Paths() {
			if f := w.File(path); f.IsYAMLAgent() && !strings.HasSuffix(folder, "broken") {
				texts["/"+filepath.Base(folder)+"/"+filepath.Base(path)] = f.Text()
			}
		}
	}
	return texts
}
