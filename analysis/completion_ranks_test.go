package analysis_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/analysis/completion"
	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/corpus"
	"github.com/abl-lsp/abl-lsp/syntax"
)

var (
	ranksAll  = flag.Bool("ranks", false, "measure the completion of all words, and write docs/fidelity.md")
	ranksShow = flag.Int("ranks-show", 0, "how many words of each kind are shown that come too late")
	ranksOnly = flag.String("ranks-only", "", "the kinds whose names contain this")
)

// completionRanks counts how early the words of one kind are offered, by the number of letters
// typed.
type completionRanks struct {
	tried       int
	first, five [3]int
}

// The goals, in a hundred: how many words are among the first five after one letter, and first
// after two. Many functions have two letters in common, such as FORMAT_DATE and FORMAT_CURRENCY, and
// nothing before the cursor says which is meant.
const (
	goalInFive         = 95
	goalFirst          = 90
	goalFirstFunctions = 85
	sampleTolerance    = 10
)

// TestCompletionRanks cuts words out of the projects of the corpus and types them again: after one
// letter a word is among the first five that an editor shows, after two it is the first. A short
// run tries a few words of each kind; -ranks tries all of them.
func TestCompletionRanks(t *testing.T) {
	results := map[string]*completionRanks{}
	for _, kind := range wordKinds {
		results[kind] = &completionRanks{}
	}
	for _, word := range chosenWords(t) {
		r := results[word.kind]
		r.tried++
		for typed := range 3 {
			rank, shown := word.rank(t, typed)
			if rank == 1 {
				r.first[typed]++
			}
			if 1 <= rank && rank <= 5 {
				r.five[typed]++
			}
			late := typed == 1 && (rank == 0 || rank > 5) || typed == 2 && rank != 1
			if late && r.tried-min(r.five[1], r.first[2]) <= *ranksShow {
				t.Logf("%s: %s: rank %d after %d: %q: %q", word.kind, filepath.Base(word.path), rank, typed, word.line(), shown[:min(6, len(shown))])
			}
		}
	}
	for _, kind := range wordKinds {
		checkRanks(t, kind, results[kind])
	}
	if *ranksAll && *ranksOnly == "" {
		writeRanks(t, results)
	}
}

// checkRanks checks one kind against the goals.
func checkRanks(t *testing.T, kind string, r *completionRanks) {
	t.Helper()
	inFive, first := goalInFive, goalFirst
	if kind == functionWord {
		first = goalFirstFunctions
	}
	if !*ranksAll { // few words, which may be the late ones
		inFive, first = inFive-sampleTolerance, first-sampleTolerance
	}
	switch {
	case !strings.Contains(kind, *ranksOnly):
	case r.tried == 0:
		t.Errorf("%s: no words", kind)
	case r.five[1]*100 < r.tried*inFive || r.first[2]*100 < r.tried*first:
		t.Errorf("%s: of %d words %d are among the first five after one letter, and %d first after two", kind, r.tried, r.five[1], r.first[2])
	}
}

// rankedWord is a word of the corpus that is typed again.
type rankedWord struct {
	completionWord
	workspace model.Workspace
	path      string
}

// line returns the line of the word up to its end.
func (r rankedWord) line() string {
	source := r.workspace.File(r.path).Text()
	return strings.TrimSpace(source[strings.LastIndexByte(source[:r.span.Start], '\n')+1 : r.span.End])
}

// rank returns the place at which an editor shows the word after some of its letters are typed,
// counted from 1, 0 if it does not, and what it shows.
func (r rankedWord) rank(t *testing.T, letters int) (rank int, shown []string) {
	t.Helper()
	source := r.workspace.File(r.path).Text()
	want := source[r.span.Start:r.span.End]
	rest := source[r.span.End:]
	if r.endsLine {
		rest = rest[strings.IndexByte(rest+"\n", '\n'):]
	}
	at := r.span.Start + min(letters, len(want))
	source = source[:at] + rest
	w := r.workspace.With(r.path, syntax.Parse(source))
	w = model.ReadImports(w, r.path, func(string) (string, model.Absence) { return "", model.NotFound })
	host := cursor.Host{FullWorkspace: func(context.Context) model.Workspace { return w }}
	items := completion.Complete(t.Context(), w, r.path, at, host)
	for i, item := range shownItems(source, at, items) {
		shown = append(shown, item.Label)
		if rank == 0 && insertsWord(source, r.span.Start, item, want) {
			rank = i + 1
		}
	}
	return rank, shown
}

// shownItems returns the items that an editor shows, in its order: those that begin with the typed
// text come before those that only have its letters.
func shownItems(source string, at int, items []completion.Item) []completion.Item {
	var begin, contain []completion.Item
	for _, item := range slices.SortedStableFunc(slices.Values(items), func(a, b completion.Item) int { return cmp.Compare(a.SortText, b.SortText) }) {
		typed, filter := strings.ToLower(strings.TrimLeft(source[item.Edit.Start:at], " ")), strings.ToLower(item.FilterText)
		switch {
		case strings.HasPrefix(filter, typed):
			begin = append(begin, item)
		case hasLetters(filter, typed):
			contain = append(contain, item)
		}
	}
	return append(begin, contain...)
}

// hasLetters reports whether s has the letters of typed, in their order.
func hasLetters(s, typed string) bool {
	for _, letter := range typed {
		i := strings.IndexRune(s, letter)
		if i < 0 {
			return false
		}
		s = s[i+1:]
	}
	return true
}

// insertsWord reports whether accepting an item makes the text at an offset begin with a word.
func insertsWord(source string, at int, item completion.Item, want string) bool {
	inserted := source[min(at, item.Edit.Start):item.Edit.Start] + item.Edit.NewText
	if item.Edit.Start < at {
		if !strings.HasPrefix(inserted, source[item.Edit.Start:at]) {
			return false
		}
		inserted = inserted[at-item.Edit.Start:]
	}
	inserted = strings.TrimPrefix(strings.TrimLeft(inserted, " \"'"), "- ")
	rest, ok := cutPrefixFold(inserted, want)
	return ok && (rest == "" || !strings.Contains(model.NameBytes, rest[:1]) || rest[0] == '.')
}

func cutPrefixFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// ranksSample is how many words of each kind a short run tries.
const ranksSample = 25

// corpusFile is a file of a project of the corpus.
type corpusFile struct {
	*model.File
	workspace model.Workspace
}

// rightABLFiles returns the ABL files of the corpus, without those of projects with mistakes.
func rightABLFiles(t *testing.T) iter.Seq[corpusFile] {
	return func(yield func(corpusFile) bool) {
		for _, folder := range corpus.Folders(t, "..") {
			if strings.Contains(filepath.Base(folder), "broken") {
				continue
			}
			w := project(t, folder)
			for _, path := range w.Paths() {
				f := w.File(path)
				if f.Doc == nil || filepath.Ext(path) != ".abl" || f.IsYAMLAgent() {
					continue
				}
				if !yield(corpusFile{f, w}) {
					return
				}
			}
		}
	}
}

// chosenWords returns the words of the corpus that are tried, in an order that does not favour the
// first projects.
func chosenWords(t *testing.T) []rankedWord {
	t.Helper()
	var all []rankedWord
	for f := range rightABLFiles(t) {
		for _, word := range completionWords(f.workspace, f.File) {
			if strings.Contains(word.kind, *ranksOnly) {
				all = append(all, rankedWord{word, f.workspace, f.Path})
			}
		}
	}
	order := func(r rankedWord) uint32 {
		h := fnv.New32a()
		fmt.Fprint(h, r.path, r.span.Start, r.kind)
		return h.Sum32()
	}
	slices.SortFunc(all, func(a, b rankedWord) int { return cmp.Compare(order(a), order(b)) })
	chosen := map[string]int{}
	return slices.DeleteFunc(all, func(r rankedWord) bool {
		chosen[r.kind]++
		return !*ranksAll && chosen[r.kind] > ranksSample
	})
}

const (
	ranksPage = "../docs/fidelity.md"
	ranksHead = "| word | tried | in five after 0 | after 1 | after 2 | first after 0 | after 1 | after 2 |\n|---|---:|---:|---:|---:|---:|---:|---:|\n"
)

// writeRanks replaces the table of the page, which is the last thing on it.
func writeRanks(t *testing.T, results map[string]*completionRanks) {
	t.Helper()
	raw, err := os.ReadFile(ranksPage)
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(raw), ranksHead)
	if !ok {
		t.Fatal("the page has no table of ranks")
	}
	table := ranksHead
	percent := func(n, of int) string { return fmt.Sprintf("%.1f %%", float64(n)*100/float64(max(1, of))) }
	for _, kind := range wordKinds {
		r := results[kind]
		table += fmt.Sprintf("| %s | %d |", kind, r.tried)
		for _, n := range slices.Concat(r.five[:], r.first[:]) {
			table += " " + percent(n, r.tried) + " |"
		}
		table += "\n"
	}
	fmt.Print(table)
	if err := os.WriteFile(ranksPage, []byte(before+table), 0o600); err != nil {
		t.Error(err)
	}
}

// TestRanksTable checks that the table of the page has all kinds, in their order.
func TestRanksTable(t *testing.T) {
	raw, err := os.ReadFile(ranksPage)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(raw), ranksHead)
	var documented []string
	for line := range strings.Lines(table) {
		kind, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		documented = append(documented, kind)
	}
	if !slices.Equal(documented, wordKinds) {
		t.Errorf("docs/fidelity.md is old: run make mutate (-kinds +page):\n%s", gocmp.Diff(wordKinds, documented))
	}
}
