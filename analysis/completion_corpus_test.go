package analysis_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/completion"
	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/corpus"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// TestCompletionOfCorpus types properties of whole projects again: at the first letter of a key the
// key is offered, and after a key with a closed set the word.
func TestCompletionOfCorpus(t *testing.T) {
	typed, every := 0, 7
	if testing.Short() {
		every = 70
	}
	sources := corpusTexts(t)
	for _, path := range slices.Sorted(maps.Keys(sources)) {
		source := sources[path]
		f := model.Workspace{}.With(path, syntax.Parse(source)).File(path)
		for _, s := range f.Doc.Sections() {
			for _, e := range s.Entries {
				for _, p := range knownProperties(f, s.Name(), e) {
					if typed++; typed%every == 0 {
						retype(t, path, source, e.Offset, p)
					}
				}
			}
		}
	}
	if typed < 1000 {
		t.Errorf("only %d properties", typed)
	}
}

// TestEnterEndsLines types each line of whole projects to its end: if the last character opened the
// list of completions, Enter would accept the first one in an editor instead of ending the line.
func TestEnterEndsLines(t *testing.T) {
	const brings = " :[\"/{.<"                                             // as the server says
	rare := []string{"ON_FAILURE:", "WHEN:", "RESPOND:", `X-B: "{{{a}}}"`} // that goes on below, and a brace too many
	asked := 0
	for path, source := range corpusTexts(t) {
		at := 0
		for line := range strings.Lines(source) {
			typed := strings.TrimRight(line, "\r\n")
			end := at + len(typed)
			at += len(line)
			key := strings.TrimSpace(typed)
			if key == "" || !strings.ContainsAny(typed[len(typed)-1:], brings) || slices.Contains(rare, key) {
				continue
			}
			asked++
			w := model.Workspace{}.With(path, syntax.Parse(source[:end]))
			for _, item := range completion.Complete(t.Context(), w, path, end, cursor.Host{}) {
				if strings.HasPrefix(item.FilterText, source[item.Edit.Start:end]) { // which an editor shows
					t.Errorf("%s: %q would become %q", path, typed, source[end-len(typed):item.Edit.Start]+item.Edit.NewText)
					break
				}
			}
		}
	}
	if asked < 1000 {
		t.Errorf("only %d lines", asked)
	}
}

// TestEnterKeepsYAML types each line of an abl.yaml and of its cases: the completions from the
// first letter of the last word on include that word, so that Enter ends the line in an editor.
func TestEnterKeepsYAML(t *testing.T) {
	w := model.Workspace{}.With("/p/lib.tools.abl", syntax.Parse(typedLibrary))
	for path, source := range map[string]string{"/p/abl.yaml": typedProject, "/p/lib.cases.yaml": typedCases} {
		t.Run(path, func(t *testing.T) {
			at := 0
			for line := range strings.Lines(source) {
				typed := strings.TrimSuffix(line, "\n")
				word := typed[strings.LastIndexAny(typed, ` ":.`)+1:]
				end := at + len(typed)
				at += len(line)
				for _, asked := range []int{end, end - max(0, len(word)-1), end - len(word)} {
					var shown []string
					for _, item := range completion.Complete(t.Context(), w.With(path, syntax.Parse(source[:asked])), path, asked, cursor.Host{}) {
						if from := source[item.Edit.Start:end]; strings.HasPrefix(item.FilterText, strings.TrimSpace(from)) {
							shown = append(shown, item.Edit.NewText)
						}
					}
					if asked > at-len(line) && len(shown) > 0 && !slices.Contains(shown, word) {
						t.Errorf("%s: %q, asked at %d: %q", path, typed, asked-end, shown)
					}
				}
			}
		})
	}
}

const typedLibrary = "TOOLS:\n  find(q: string, unit: enum<[km, mi]>, loud: boolean = false) -> {total: number}\n    type: http\n    endpoint: \"https://a.example.com/\"\n"

const typedProject = `base_url: https://api.example.com
servers:
  files:
    transport: stdio
    command: npx
functions:
  thumbnails:
    provider: local
sources:
  shop:
    kind: sqlite
    database: shop.db
auth_services:
  crm:
    kind: oauth2
environments:
  dev:
    protected: true
  development:
    protected: false
default_environment: dev
sandbox:
  engine: wasm
secrets:
  providers:
    - env
    - dotenv
permissions:
  allow:
    - kind: web
      op: get
`

const typedCases = `find:
  - name: near
    args:
      q: rome
      unit: km
      loud: true
    environment: dev
    expect:
      ok: true
      value: value.total
`

// corpusTexts returns the texts of the projects that are right, by a path.
func corpusTexts(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, folder := range corpus.Folders(t, "..") {
		if filepath.Base(folder) == "broken" {
			continue
		}
		w := project(t, folder)
		for _, path := range w.Paths() {
			if f := w.File(path); f.Doc != nil && filepath.Ext(path) == ".abl" && !f.IsYAMLAgent() {
				texts["/corpus/"+filepath.Base(path)] = f.Text()
			}
		}
	}
	return texts
}

// knownProperties returns the lines of an entry whose key the schema tables have.
func knownProperties(f *model.File, section string, e syntax.PositionedEntry) []model.Property {
	var found []model.Property
	for _, m := range model.Maps(f.Kind, section, e.Root(), f.DeclaredTools(e.Entry)) {
		for _, p := range m.Properties {
			known := p.Field != nil && !p.Field.Undocumented && !p.IsAlias && p.FlatPath == nil
			if known && p.Node.Kind() != syntax.MapPair {
				found = append(found, p)
			}
		}
	}
	return found
}

// unoffered are keys that the surrounding text may keep from being offered: a type of error that is
// there already, the key that makes a step of a section in lower case, and keys that follow another
// key on its line or are deeper than in the pages.
var unoffered = []string{"tool_error", "REASONING", "AS", "WITH"}

func retype(t *testing.T, path, source string, offset int, p model.Property) {
	t.Helper()
	offered := func(source string, at int) []completion.Item {
		return completion.Complete(t.Context(), model.Workspace{}.With(path, syntax.Parse(source)), path, at, cursor.Host{})
	}
	at := offset + p.Key.Span().Start
	end := at + strings.IndexByte(source[at:]+"\n", '\n')
	found := false
	for _, item := range offered(source[:at+1]+source[end:], at+1) {
		found = found || strings.EqualFold(strings.TrimPrefix(item.Label, "- "), p.Name())
	}
	if !found && !slices.Contains(unoffered, p.Name()) {
		t.Errorf("%s: no %q at %q", path, p.Name(), source[max(0, at-60):end])
	}
	if len(p.Field.Values) == 0 || p.Value.IsZero() {
		return
	}
	value := p.Value.Span().Shift(offset)
	if len(offered(source[:value.Start]+source[value.End:], value.Start)) == 0 {
		t.Errorf("%s: nothing behind %q", path, p.Name())
	}
}
