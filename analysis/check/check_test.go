package check

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/marker"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// show prints diagnostics, a line each.
func show(found []model.Diagnostic) string {
	var b strings.Builder
	for _, d := range found {
		fmt.Fprintf(&b, "%v %s %s %s\n", d.Span, d.Severity, d.Code, d.Message)
		for _, r := range d.Related {
			fmt.Fprintf(&b, "  %s %v %s\n", r.Path, r.Span, r.Message)
		}
	}
	return b.String()
}

// pieces are inserted by random edits.
var pieces = []string{
	"", "\n", "  ", "x", "\"", "[", "]", "{", "}", "(", ")", ":", "-", "#", " | ", "😀", "\r\n", "日本",
	"\n  find_book(a: string) -> string\n    type: http\n    method: GTE\n",
	"\nTOOLS:\n", "\nGOAL: x\n", "AGENT: A\n", "\n    metod: GET\n", "\n  file: \"./b.tools.abl\" [x]\n", "\n  auth: barer\n",
	"\n    endpoint: \"/{a}\"\n", "\nFLOW:\n  a: \"open\n",
}

// TestIncrementalEqualsCold checks invariant 4: a cache that has seen earlier versions does not
// change the findings.
func TestIncrementalEqualsCold(t *testing.T) {
	fixtures := append(marker.Load(t, fixtures), marker.Load(t, "../../testdata/seed")...)
	rounds := 15
	if testing.Short() {
		rounds = 4
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, f := range fixtures {
		var cache Cache
		w := f.Workspace
		for range rounds {
			path := f.Files[r.IntN(len(f.Files))]
			w = w.With(path, w.File(path).Written().Doc.Apply(randomEdit(r, w.File(path).Text())))
			checkSame(t, w, f.Files, &cache)
		}
	}
}

func checkSame(t *testing.T, w model.Workspace, paths []string, cache *Cache) {
	t.Helper()
	ctx := context.Background()
	fresh := w
	for _, p := range w.Paths() {
		fresh = fresh.Without(p)
	}
	for _, p := range w.Paths() {
		if f := w.File(p); f.Doc != nil {
			fresh = fresh.With(p, syntax.Parse(f.Text()))
		} else {
			fresh = fresh.WithMissing(p, f.Absent)
		}
	}
	for _, path := range paths {
		got, want := Run(ctx, w, path, Options{Cache: cache}), Run(ctx, fresh, path, Options{})
		if show(got) != show(want) {
			t.Fatalf("%s: with a cache\n%s\nwithout\n%s\nof %q", path, show(got), show(want), w.File(path).Text())
		}
		checkSpans(t, w, got)
	}
}

// checkSpans checks that a span is in its file, and not between the bytes of a character.
func checkSpans(t *testing.T, w model.Workspace, found []model.Diagnostic) {
	t.Helper()
	for _, d := range found {
		if d.Code == "" || d.Message == "" || d.Span.Start < 0 || d.Span.End < d.Span.Start {
			t.Fatalf("half a diagnostic: %+v", d)
		}
		for _, r := range d.Related {
			if f := w.File(r.Path); f == nil || f.WrittenSpan(r.Span).End > len(f.Text()) {
				t.Fatalf("related place outside of its file: %+v", d)
			}
		}
	}
}

func randomEdit(r *rand.Rand, source string) text.Edit {
	start := r.IntN(len(source) + 1)
	end := min(len(source), start+r.IntN(12)*r.IntN(4))
	return text.Edit{Span: text.Span{Start: start, End: end}, NewText: pieces[r.IntN(len(pieces))]}
}

func FuzzIncremental(f *testing.F) {
	f.Add("TOOLS:\n  a(x: string) -> string\n    type: http\n", 12, 3, "b")
	f.Add("AGENT: A\nGOAL: x\nTOOLS:\n  file: \"./b.tools.abl\" [a]\n", 30, 0, "\n")
	f.Fuzz(func(t *testing.T, source string, start, length int, insert string) {
		if len(source) > 1<<14 || len(insert) > 1<<14 {
			t.Skip("bounded on purpose")
		}
		var cache Cache
		w := model.Workspace{}.
			With("/a.agent.abl", syntax.Parse(source)).
			With("/b.tools.abl", syntax.Parse("TOOLS:\n  a() -> string\n  file: \"./a.agent.abl\"\n"))
		paths := []string{"/a.agent.abl", "/b.tools.abl"}
		checkSame(t, w, paths, &cache)
		start = max(0, min(start, len(source)))
		e := text.Edit{Span: text.Span{Start: start, End: min(len(source), start+max(0, length))}, NewText: insert}
		checkSame(t, w.With(paths[0], w.File(paths[0]).Written().Doc.Apply(e)), paths, &cache)
	})
}

// TestOneEntryIsAskedAgain checks that an edit causes checks of the entry that it touches, and of
// no other.
func TestOneEntryIsAskedAgain(t *testing.T) {
	var source strings.Builder
	source.WriteString("TOOLS:\n")
	for i := range 100 {
		fmt.Fprintf(&source, "  tool_%d() -> string\n    metod: GET\n", i)
	}
	asked := 0
	counting := Check{Code: "counting", Entry: func(*findings, Entry) { asked++ }}
	r := &run{ctx: context.Background(), cache: new(Cache), checks: []Check{counting, unknownProperty}}

	w := model.Workspace{}.With("/a.tools.abl", syntax.Parse(source.String()))
	if n := len(r.checkFile(w, w.File("/a.tools.abl"))); n != 100 || asked != 101 {
		t.Fatalf("%d diagnostics from %d entries, want 100 from 101", n, asked)
	}
	at := strings.Index(source.String(), "tool_50")
	asked = 0
	w = w.With("/a.tools.abl", w.File("/a.tools.abl").Written().Doc.Apply(text.Edit{Span: text.Span{Start: at, End: at}, NewText: "my_"}))
	if n := len(r.checkFile(w, w.File("/a.tools.abl"))); n != 100 || asked != 1 {
		t.Errorf("%d diagnostics from %d entries, want 100 from 1", n, asked)
	}
}

func TestPanicStaysAlone(t *testing.T) {
	bad := Check{
		Code:  "bad",
		Entry: func(*findings, Entry) { panic("entry") },
		File:  func(*findings, File) { panic("file") },
	}
	var reported []string
	cache := &Cache{OnPanic: func(code string, value any, _ []byte) { reported = append(reported, fmt.Sprint(code, " ", value)) }}
	w := model.Workspace{}.With("/a.abl", syntax.Parse("hello\n"))
	r := &run{ctx: context.Background(), cache: cache, checks: []Check{bad, syntaxError}}
	found := r.checkFile(w, w.File("/a.abl"))
	if len(found) != 1 || found[0].Code != "syntax-error" {
		t.Errorf("found %s", show(found))
	}
	if want := []string{"bad entry", "bad file"}; !slices.Equal(reported, want) {
		t.Errorf("told of %v, want %v", reported, want)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w := model.Workspace{}.With("/a.abl", syntax.Parse("hello\n"))
	var cache Cache
	if found := Run(ctx, w, "/a.abl", Options{Cache: &cache}); found != nil {
		t.Errorf("found %s", show(found))
	}
	if found := Run(context.Background(), w, "/a.abl", Options{Cache: &cache}); len(found) != 1 {
		t.Errorf("afterwards found %s", show(found))
	}
}

// TestCacheForgets checks that removed files are kept for a limited time, and present ones always.
func TestCacheForgets(t *testing.T) {
	var cache Cache
	var w model.Workspace
	const many = 100
	for i := range many {
		path := fmt.Sprintf("/a%d.abl", i)
		w = w.With(path, syntax.Parse("x\n"))
		Run(context.Background(), w, path, Options{Cache: &cache})
		w = w.Without(path)
	}
	w = w.With("/b.abl", syntax.Parse("y\n"))
	Run(context.Background(), w, "/b.abl", Options{Cache: &cache})
	if cache.load("/b.abl") == nil || len(cache.files) > many/2 {
		t.Errorf("the cache has %d files, or loses what is there", len(cache.files))
	}
}

// TestCodes checks that each code has one check, and that All always returns the same.
func TestCodes(t *testing.T) {
	var codes []string
	for _, c := range All() {
		if slices.Contains(codes, c.Code) || c.Entry == nil && c.File == nil {
			t.Errorf("%s stands twice, or does nothing", c.Code)
		}
		codes = append(codes, c.Code)
	}
	var again []string
	for _, c := range All() {
		again = append(again, c.Code)
	}
	if !reflect.DeepEqual(codes, again) {
		t.Error("the list changes")
	}
}

// TestManyRunsAtOnce runs checks that share a cache, each for another version of the files.
func TestManyRunsAtOnce(t *testing.T) {
	f := marker.Load(t, "../../testdata/seed")[0]
	var cache Cache
	var group sync.WaitGroup
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := f.Workspace
		for _, path := range f.Files {
			w = w.With(path, w.File(path).Written().Doc.Apply(randomEdit(r, w.File(path).Text())))
		}
		group.Go(func() {
			for _, path := range f.Files {
				got, want := Run(context.Background(), w, path, Options{Cache: &cache}), Run(context.Background(), w, path, Options{})
				if show(got) != show(want) {
					t.Errorf("%s: %s, want %s", path, show(got), show(want))
				}
			}
		})
	}
	group.Wait()
}
