package analysis_test

import (
	"flag"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

var hoverShow = flag.Int("hover-show", 3, "how many words of each kind are shown that hover does not answer")

// TestHoverAnswersInCorpus hovers over the words of the projects of the corpus that mean something:
// each has an answer.
func TestHoverAnswersInCorpus(t *testing.T) {
	asked, silent := map[string]int{}, map[string][]string{}
	for f := range rightABLFiles(t) {
		for _, word := range append(completionWords(f.workspace, f.File), hoverWords(f.File)...) {
			asked[word.kind]++
			if _, ok := analysis.HoverAt(f.workspace, f.Path, word.span.Start+1); !ok {
				line := strings.TrimSpace(f.Text()[f.Doc.Lines().LineStart(f.Doc.Lines().Line(word.span.Start)):word.span.End])
				silent[word.kind] = append(silent[word.kind], filepath.Base(f.Path)+": "+line)
			}
		}
	}
	for kind, n := range asked {
		if s := silent[kind]; len(s) > n*silentTolerance[kind]/100 {
			t.Errorf("%s: %d of %d have no answer:\n%s", kind, len(s), n, strings.Join(s[:min(len(s), *hoverShow)], "\n"))
		}
	}
	for _, kind := range []string{returnFieldWord, gatherWord, eventWord, configWord} {
		if asked[kind] < 5 {
			t.Errorf("only %d of kind %q", asked[kind], kind)
		}
	}
}

// silentTolerance is how many words of a kind in a hundred may have no answer: members of values
// whose type is not known, and targets that are written in other forms.
var silentTolerance = map[string]int{memberWord: 40, nameWords[model.StepRef]: 2}

// The kinds of words that hover answers, but that are not completed.
const (
	returnFieldWord = "field of a result"
	gatherWord      = "field to collect"
	eventWord       = "event of memory"
	configWord      = "name of the configuration"
)

var configNamed = regexp.MustCompile(`\{\{\s*(?:config|env)\.(\w{2,})`)

// hoverWords returns the words of a file that hover answers, but that are not completed.
func hoverWords(f *model.File) []completionWord {
	var r wordReader
	for _, s := range f.Doc.Sections() {
		for _, e := range s.Entries {
			for n := range e.Root().Preorder() {
				switch {
				case n.Kind() == syntax.TypeField:
					r.add(returnFieldWord, n.Child(syntax.FieldName).Span().Shift(e.Offset), false)
				case s.Name() == "MEMORY" && n.Kind() == syntax.Pair && strings.EqualFold(n.Key(), "ON"):
					r.add(eventWord, n.Value().Span().Shift(e.Offset), false)
				}
			}
		}
	}
	for _, v := range f.AllVariables() {
		if v.Kind == model.FieldVariable {
			r.add(gatherWord, v.Span, false)
		}
	}
	isComment := func(at int) bool { return f.Cursor(at).Node().Kind() == syntax.Comment }
	for _, m := range configNamed.FindAllStringSubmatchIndex(f.Text(), -1) {
		if !isComment(m[2]) {
			r.add(configWord, text.Span{Start: m[2], End: m[3]}, false)
		}
	}
	return slices.Clip(r.words)
}
