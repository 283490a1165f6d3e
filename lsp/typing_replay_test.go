package lsp

import (
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

var (
	typeBlocks = flag.Int("typing", 30, "about how many blocks of testdata/corpus are typed; 0: all of them")
	typeOnly   = flag.String("typing-only", "", "type the blocks whose names contain this")
	typeShow   = flag.Int("typing-show", 3, "how many blocks are shown for each thing that is wrong")
)

// TestTypingReplay removes a block from a file of the corpus (a section, a tool, a step,
// a property, an item of a list) and types it again, letter by letter, as an editor
// would. Outside of the declaration that is typed there must be no new diagnostics except
// for names that are not written yet, and no diagnostic may appear anywhere for only a
// few letters.
func TestTypingReplay(t *testing.T) {
	projects, err := filepath.Glob("../testdata/corpus/[a-z]*")
	if err != nil || len(projects) < 10 {
		t.Fatal(projects, err)
	}
	var all []replay
	for _, dir := range projects {
		all = append(all, replaysOf(t, dir)...)
	}
	for _, closing := range []bool{false, true} {
		name := "plain"
		if closing {
			name = "closing brackets and quotes"
		}
		t.Run(name, func(t *testing.T) {
			wrong, typed, servers := map[string][]string{}, 0, replayServers{}
			for _, r := range all {
				r.closing = closing
				if !r.isChosen(len(all)) {
					continue
				}
				typed++
				for what := range r.run(t, servers) {
					wrong[what] = append(wrong[what], r.name())
				}
			}
			t.Logf("%d of %d blocks typed", typed, len(all))
			for _, what := range slices.Sorted(maps.Keys(wrong)) {
				places := wrong[what]
				t.Errorf("%s: %d times: %s", what, len(places), strings.Join(places[:min(len(places), *typeShow)], ", "))
			}
		})
	}
}

// replay is a block of lines that is typed into a file.
type replay struct {
	path        string
	lines       []string
	first, last int // of the block, counted from 0
	closing     bool
	isYAML      bool
}

// replaysOf returns the blocks of the files of a project: each line together with the
// deeper lines below it.
func replaysOf(t *testing.T, dir string) (all []replay) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !model.IsABL(path) {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil || strings.Contains(string(raw), "\r") {
			return err
		}
		path, err = filepath.Abs(path)
		lines := strings.Split(string(raw), "\n")
		for i := 1; i < len(lines); i++ {
			if written := strings.TrimSpace(lines[i]); written != "" {
				r := replay{path: path, lines: lines, first: i, last: blockEnd(lines, i), isYAML: model.IsYAMLAgentText(path, string(raw))}
				all = append(all, r)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// blockEnd returns the last line of the block that begins at a line.
func blockEnd(lines []string, first int) int {
	last := first
	for i := first + 1; i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) == "" {
			continue
		}
		if yamlDepth(lines[i]) <= yamlDepth(lines[first]) {
			break
		}
		last = i
	}
	return last
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

func (r replay) name() string {
	return fmt.Sprintf("%s:%d", filepath.Join(filepath.Base(filepath.Dir(r.path)), filepath.Base(r.path)), r.first+1)
}

// isChosen reports whether the block is among those that are typed in this run.
func (r replay) isChosen(of int) bool {
	if *typeOnly != "" {
		return strings.Contains(r.name()+" ", *typeOnly)
	}
	hash := fnv.New32a()
	io.WriteString(hash, r.name())
	return *typeBlocks == 0 || int(hash.Sum32()%uint32(of)) < *typeBlocks
}

// declaration returns the first and last line of the declaration that the block belongs
// to: its entry of the section, or the section itself.
func (r replay) declaration() (first, last int) {
	first = r.first
	if r.isYAML {
		return r.yamlDeclaration()
	}
	for i := first; i >= 0 && indentOf(r.lines[first]) > 0; i-- {
		if strings.TrimSpace(r.lines[i]) == "" || indentOf(r.lines[i]) >= indentOf(r.lines[first]) {
			continue
		}
		if indentOf(r.lines[i]) == 0 && isCapital(r.lines[i]) {
			break
		}
		first = i
	}
	return first, max(blockEnd(r.lines, first), r.last)
}

// yamlDeclaration is declaration for an agent in YAML, in which a step is a declaration, too.
func (r replay) yamlDeclaration() (first, last int) {
	around := []int{r.first}
	for i := r.first - 1; i >= 0; i-- {
		content := strings.TrimSpace(r.lines[i])
		if content != "" && content[0] != '#' && yamlDepth(r.lines[i]) < yamlDepth(r.lines[around[0]]) {
			around = slices.Insert(around, 0, i)
		}
	}
	at := min(1, len(around)-1)
	if at+1 < len(around) && strings.TrimSpace(r.lines[around[at]]) == "steps:" {
		at++
	}
	first = around[at]
	return first, max(blockEnd(r.lines, first), r.last)
}

// yamlDepth returns the indentation of a line, in half columns. An item is deeper than a key.
func yamlDepth(line string) int {
	depth := 2 * indentOf(line)
	if rest := line[indentOf(line):]; rest == "-" || strings.HasPrefix(rest, "- ") || strings.HasPrefix(rest, "}") || strings.HasPrefix(rest, "]") {
		depth++
	}
	return depth
}

// isCapital reports whether a line begins with a capital letter, as a section does and a
// step at column 0 does not.
func isCapital(line string) bool { return line != "" && line[0] >= 'A' && line[0] <= 'Z' }

// run types the block and returns the errors that it found.
func (r replay) run(t *testing.T, servers replayServers) map[string]bool {
	t.Helper()
	first, last := r.declaration()
	w := &replayWatch{above: first, below: len(r.lines) - 1 - last, wrong: map[string]bool{}, shown: map[string]int{}, inside: map[string]int{}}
	w.expected = w.outside(servers.open(t, r.path, r.lines))
	e := servers.open(t, r.path, slices.Concat(r.lines[:r.first], r.lines[r.last+1:]))
	w.before = w.outside(e)
	maps.Copy(w.expected, w.before)

	e.line, e.column = r.first-1, len(utf16.Encode([]rune(e.lines()[r.first-1])))
	step := func(edit func()) {
		edit()
		w.look(e)
		w.lookInside(e)
	}
	for _, line := range r.lines[r.first : r.last+1] {
		step(e.enter)
		want := line[:indentOf(line)]
		if line != "" && e.column > len(want) {
			step(func() { e.replace(len(want), e.column, want[:0]) })
		}
		for _, letter := range line[min(e.column, len(line)):] {
			if letter := string(letter); r.closing {
				step(func() { e.typeClosing(letter) })
			} else {
				step(func() { e.typeText(letter) })
			}
		}
	}
	if got, want := e.text(), strings.Join(r.lines, "\n"); got != want && !r.closing {
		t.Errorf("%s: typed is %q", r.name(), got)
	}
	return w.wrong
}

// replayWatch checks what the client is shown after each letter.
type replayWatch struct {
	above, below int // how many lines there are on both sides of the declaration
	expected     map[string]bool
	before       map[string]bool
	shown        map[string]int // since which letter
	inside       map[string]int // the same for diagnostics in the declaration, each with its message
	letters      int
	wrong        map[string]bool
}

// minLetters is the number of letters within which a diagnostic must not appear and go.
const minLetters = 5

func (w *replayWatch) look(e *typedFile) {
	w.letters++
	now := w.outside(e)
	for k := range now {
		if !w.expected[k] && !isUnwritten(k) {
			w.wrong["appears: "+codeOf(k)] = true
		}
		if _, known := w.shown[k]; !known {
			w.shown[k] = w.letters
			if w.before[k] && w.letters == 1 {
				w.shown[k] = -minLetters
			}
		}
	}
	for k, since := range w.shown {
		if now[k] {
			continue
		}
		if w.letters-since <= minLetters && codeOf(k) != "call-arguments" { // `f()` before its arguments are typed
			w.wrong["flickers: "+codeOf(k)] = true
		}
		delete(w.shown, k)
	}
}

func codeOf(k string) string { return k[:strings.IndexByte(k, '@')] }

// isUnwritten reports whether a diagnostic is about a name that may be written soon, or
// that is not used yet.
func isUnwritten(k string) bool {
	code := codeOf(k)
	for _, about := range []string{"undefined-", "unknown-import-name", "unknown-template-name", "unknown-parameter", "unused-", "unreachable-step", "call-arguments"} {
		if strings.HasPrefix(code, about) {
			return true
		}
	}
	return false
}

// outside returns the errors and warnings outside of the declaration, as CODE@LINE. Lines
// after the declaration are counted from the end.
func (w *replayWatch) outside(e *typedFile) map[string]bool {
	out, lines := map[string]bool{}, len(e.lines())
	for _, d := range e.diagnostics() {
		line := int(d.Range.Start.Line)
		switch {
		case d.Severity > 2:
		case line < w.above:
			out[fmt.Sprintf("%s@%d", d.Code, line)] = true
		case lines-line <= w.below:
			out[fmt.Sprintf("%s@-%d", d.Code, lines-line)] = true
		}
	}
	return out
}

// lookInside checks the diagnostics in the declaration itself: those that appear must
// stay.
func (w *replayWatch) lookInside(e *typedFile) {
	now, lines := map[string]bool{}, len(e.lines())
	for _, d := range e.diagnostics() {
		line := int(d.Range.Start.Line)
		switch {
		case d.Severity > 2 || line < w.above || lines-line <= w.below:
		case line <= e.line:
			now[fmt.Sprintf("%s@%d %s", d.Code, line, d.Message)] = true
		default:
			now[fmt.Sprintf("%s@-%d %s", d.Code, lines-line, d.Message)] = true
		}
	}
	for k := range now {
		if _, known := w.inside[k]; !known {
			w.inside[k] = w.letters
			if w.letters == 1 {
				w.inside[k] = -minLetters
			}
		}
	}
	for k, since := range w.inside {
		if now[k] {
			continue
		}
		if w.letters-since <= minLetters {
			w.wrong["flickers in the declaration: "+codeOf(k)] = true
		}
		delete(w.inside, k)
	}
}
