package check_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

var (
	mutateAll  = flag.Bool("mutate", false, "try each slip at all places, and write docs/fidelity.md")
	mutateShow = flag.Int("mutate-show", 0, "how many misses of a slip are shown")
	mutateOnly = flag.String("mutate-only", "", "the slips whose names contain this")
)

// outcomes counts the outcomes of one kind of slip.
type outcomes struct{ tried, caught, missed, cascades int }

// mutation is a file with a slip.
type mutation struct {
	slip
	p     slipPlace
	lines []string
	at    []int
}

// mutant runs the checks on one file of a project with changed texts.
type mutant struct {
	w     model.Workspace
	path  string
	cache *check.Cache
	base  map[finding]int // how often each diagnostic is in the file as it is, whatever its line
	wrong map[int]bool    // the lines that have an error or a warning as they are
}

// newMutant returns a mutant of a file; ok is false if the file has errors or warnings of codes
// that are not tolerated.
func newMutant(w model.Workspace, path string, tolerated []string) (m *mutant, ok bool) {
	m = &mutant{w: w, path: path, cache: new(check.Cache), base: map[finding]int{}, wrong: map[int]bool{}}
	ok = isPlainText(w.File(path).Text())
	for _, d := range check.Run(context.Background(), w, path, check.Options{Cache: m.cache}) {
		m.base[finding{code: d.Code, text: d.Message}]++
		if d.Severity <= model.Warning {
			m.wrong[w.File(path).Doc.Lines().Position(d.Span.Start, text.UTF8).Line] = true
			ok = ok && slices.Contains(tolerated, d.Code)
		}
	}
	return m, ok
}

// finding is a diagnostic that a slip brings.
type finding struct {
	line int
	code string
	text string
}

// found returns the diagnostics that the file does not have without the slip.
func (m *mutant) found(lines []string) []finding {
	source := strings.Join(lines, "\n") + "\n"
	w := m.w.With(m.path, syntax.Parse(source))
	w = model.ReadImports(w, m.path, func(string) (string, model.Absence) { return "", model.NotFound })
	index := w.File(m.path).Doc.Lines()
	var out []finding
	count := map[finding]int{}
	for _, d := range check.Run(context.Background(), w, m.path, check.Options{Cache: m.cache}) {
		f := finding{index.Position(d.Span.Start, text.UTF8).Line, d.Code, d.Message}
		out = append(out, f)
		count[f.anywhere()]++
	}
	return slices.DeleteFunc(out, func(f finding) bool { return count[f.anywhere()] <= m.base[f.anywhere()] })
}

// anywhere returns the finding without its line.
func (f finding) anywhere() finding {
	f.line = 0
	return f
}

// classify reports whether a slip is caught, and whether more than one further diagnostic comes
// with it.
func (m *mutant) classify(mu mutation) (caught, cascade bool, all []finding) {
	all = m.found(mu.lines)
	further := 0
	for _, f := range all {
		here := slices.Contains(mu.codes, f.code) && slices.Contains(mu.at, f.line)
		caught = caught || here
		if !here && !slices.Contains(mu.also, f.code) && m.base[f.anywhere()] == 0 {
			further++
		}
	}
	if len(mu.codes) == 0 {
		return further == 0, false, all
	}
	return caught, further > 1, all
}

// TestMutate makes each kind of slip in the files of the corpus: it is found on its line, with the
// right code, and causes no more than one further diagnostic. A short run tries a few places of
// each kind; -mutate tries all of them.
func TestMutate(t *testing.T) {
	results := map[string]*outcomes{}
	kinds := slips()
	for _, k := range kinds {
		results[k.name] = &outcomes{}
	}
	for _, source := range mutateSources(t) {
		for _, path := range source.w.Paths() {
			if !strings.HasSuffix(path, ".abl") || source.w.File(path).Doc == nil || source.w.File(path).Kind == model.YAML {
				continue
			}
			m, ok := newMutant(source.w, path, source.tolerated)
			if !ok {
				continue
			}
			inFile := map[string]int{}
			for _, mu := range mutations(kinds, path, source.w.File(path).Text()) {
				r := results[mu.name]
				if inFile[mu.name] >= source.most || !*mutateAll && r.tried >= sample || !strings.Contains(mu.name, *mutateOnly) || m.wrong[mu.p.index] {
					continue
				}
				inFile[mu.name]++
				r.tried++
				caught, cascade, all := m.classify(mu)
				if caught {
					r.caught++
				} else {
					r.missed++
				}
				if cascade {
					r.cascades++
				}
				if (!caught && r.missed <= *mutateShow) || cascade && r.cascades <= *mutateShow {
					t.Logf("%s: %s/%s:%d\n\t%s\n\t%v", mu.name, source.name, filepath.Base(path), mu.p.index+1, mu.p.line(), all)
				}
			}
		}
	}
	for _, k := range kinds {
		r := results[k.name]
		if *mutateOnly == "" && r.tried == 0 {
			t.Errorf("%s: applies nowhere", k.name)
		}
		if r.missed+r.cascades > 0 || *mutateShow > 0 {
			t.Logf("%-50s %5d %5d %5d %5d", k.name, r.tried, r.caught, r.missed, r.cascades)
		}
	}
	if *mutateOnly == "" {
		checkTolerated(t, results)
	}
	if *mutateAll && *mutateOnly == "" {
		writeFidelity(t, kinds, results)
	}
}

// checkTolerated checks that few slips are missed or cause more than one further diagnostic.
func checkTolerated(t *testing.T, results map[string]*outcomes) {
	t.Helper()
	tried, wrong := map[bool]int{}, map[bool]int{}
	for name, r := range results {
		ofIndent := strings.HasPrefix(name, ofIndentation)
		tried[ofIndent] += r.tried
		wrong[ofIndent] += r.missed + r.cascades
	}
	for ofIndent, most := range map[bool]int{false: tolerated, true: toleratedIndents} {
		if wrong[ofIndent]*100 > tried[ofIndent]*most {
			t.Errorf("%d of %d are missed or bring more than one further diagnostic (of indentation: %v)", wrong[ofIndent], tried[ofIndent], ofIndent)
		}
	}
}

// tolerated is how many slips in a hundred may be missed, toleratedIndents how many of those of
// indentation: many lines have another meaning at another depth.
const (
	tolerated        = 1
	toleratedIndents = 20
)

// sample is how often a short run tries each kind.
const sample = 4

// mutations returns the slips that a file can have, in an order that does not favour its beginning.
func mutations(kinds []slip, name, source string) []mutation {
	var out []mutation
	for _, p := range placesOf(name, source) {
		for _, k := range kinds {
			if lines, at := k.make(p); lines != nil {
				out = append(out, mutation{k, p, lines, at})
			}
		}
	}
	slices.SortFunc(out, func(a, b mutation) int { return cmp.Compare(a.rank(name), b.rank(name)) })
	return out
}

func (m mutation) rank(file string) uint32 {
	h := fnv.New32a()
	fmt.Fprint(h, file, m.name, m.p.index)
	return h.Sum32()
}

const fidelity = "../../docs/fidelity.md"

func writeFidelity(t *testing.T, kinds []slip, results map[string]*outcomes) {
	t.Helper()
	raw, err := os.ReadFile(fidelity)
	if err != nil {
		t.Fatal(err)
	}
	text, old, _ := strings.Cut(string(raw), tableHead)
	_, after, _ := strings.Cut(old, "\n\n")
	var sum outcomes
	table := tableHead
	field := func(name string, r outcomes) {
		table += fmt.Sprintf("| %s | %d | %d | %d | %d |\n", name, r.tried, r.caught, r.missed, r.cascades)
	}
	for _, k := range kinds {
		r := *results[k.name]
		field(k.name, r)
		sum = outcomes{sum.tried + r.tried, sum.caught + r.caught, sum.missed + r.missed, sum.cascades + r.cascades}
	}
	field("**all**", sum)
	fmt.Print(table)
	if err := os.WriteFile(fidelity, []byte(text+table+"\n"+after), 0o600); err != nil {
		t.Error(err)
	}
}

const tableHead = "| slip | tried | caught | missed | cascades |\n|---|---:|---:|---:|---:|\n"

// TestFidelity checks that the table in docs/fidelity.md has all kinds, in their order.
func TestFidelity(t *testing.T) {
	raw, err := os.ReadFile(fidelity)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(raw), tableHead)
	table, _, _ = strings.Cut(table, "\n\n")
	var documented, want []string
	for line := range strings.Lines(table) {
		cells := strings.Split(line, " | ")
		documented = append(documented, strings.TrimPrefix(cells[0], "| "))
	}
	for _, k := range slips() {
		want = append(want, k.name)
	}
	if want = append(want, "**all**"); !slices.Equal(documented, want) {
		t.Errorf("docs/fidelity.md is old: run make mutate (-slips +page):\n%s", gocmp.Diff(want, documented))
	}
	if len(want) < 60 {
		t.Errorf("only %d kinds", len(want))
	}
}
