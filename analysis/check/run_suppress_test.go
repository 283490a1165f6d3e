package check

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/marker"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// TestSuppression: every diagnostic of the fixtures that can be suppressed is,
// with those of its code in its line, and nothing else comes or goes.
func TestSuppression(t *testing.T) {
	seen, tried := 0, fixCounts{}
	for _, f := range marker.Load(t, fixtures) {
		for _, path := range f.Files {
			for _, end := range []string{"\n", "\r\n"} {
				source := strings.ReplaceAll(f.Workspace.File(path).Text(), "\n", end)
				x := suppressing{w: f.Workspace.With(path, syntax.Parse(source)), path: path}
				x.o = Options{Standard: f.Standard, Cache: &x.cache}
				x.found = Run(context.Background(), x.w, path, x.o)
				for _, d := range x.found {
					if !tried.enough(fmt.Sprintf("%s %q", d.Code, end), "") && x.check(t, d) {
						seen++
					}
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("%d diagnostics were suppressed", seen)
	}
}

// suppressing is a file with what is found in it.
type suppressing struct {
	w     model.Workspace
	path  string
	o     Options
	cache Cache
	found []model.Diagnostic
}

// check tries to suppress a diagnostic, and says whether that can be.
func (x *suppressing) check(t *testing.T, d model.Diagnostic) bool {
	t.Helper()
	file, before := x.w.File(x.path), x.found
	doc := file.Written().Doc
	fix, ok := NewSuppressor(x.w.File(x.path)).Fix(d)
	if !ok {
		return false
	}
	if len(fix.Edits) != 1 {
		t.Fatalf("%s: %d edits", fix.Title, len(fix.Edits))
	}
	edit := fix.Edits[0].Edit
	edit.NewText = model.LineEnds(doc.Text(), edit.NewText)
	edit.Span = file.WrittenSpan(edit.Span)
	mended := doc.Apply(edit)
	after := Run(context.Background(), x.w.With(x.path, mended), x.path, x.o)
	want := slices.DeleteFunc(messages(before), func(s string) bool { return s == d.Code+" "+d.Message })
	got := slices.DeleteFunc(messages(after), func(s string) bool { return s == d.Code+" "+d.Message })
	sameLine := func(e model.Diagnostic) bool {
		return e.Code == d.Code && file.Positions().Line(e.Span) == file.Positions().Line(d.Span)
	}
	for _, e := range before {
		if sameLine(e) {
			want = slices.DeleteFunc(want, func(s string) bool { return s == e.Code+" "+e.Message })
			got = slices.DeleteFunc(got, func(s string) bool { return s == e.Code+" "+e.Message })
		}
	}
	if len(after) >= len(before) || !slices.Equal(got, want) {
		t.Errorf("%s: %s (-before +after):\n%s\nin\n%s", x.path, fix.Title, cmp.Diff(messages(before), messages(after)), mended.Text())
	}
	return true
}

func messages(found []model.Diagnostic) []string {
	out := make([]string, len(found))
	for i, d := range found {
		out[i] = d.Code + " " + d.Message
	}
	slices.Sort(out)
	return out
}

// TestWhereToSuppress: a comment stands above what goes on in the line, and where
// none can stand, none is offered.
func TestWhereToSuppress(t *testing.T) {
	const source = "\uFEFFAGENT: A\nGOAL: |\n  text\n\n  more\nTOOLS:\n  a(x: string,\n    y: date) -> string\n    hints: {\n      latency: soon\n    }\n    # abl:ignore unknown-property\n    x: y\n  \t# last\n"
	doc := syntax.Parse(source)
	for literal, want := range map[string]string{
		"AGENT":      "\uFEFF# abl:ignore code\nAGENT",
		"GOAL":       "\n# abl:ignore code\nGOAL",
		"  text":     "\n# abl:ignore code\nGOAL",
		"\n  more":   "\n# abl:ignore code\nGOAL",
		"more":       "\n# abl:ignore code\nGOAL",
		"x: string":  "\n  # abl:ignore code\n  a(x",
		"y: date":    "\n  # abl:ignore code\n  a(x",
		"hints":      "\n    # abl:ignore code\n    hints",
		"latency":    "\n    # abl:ignore code\n    hints",
		"x: y":       "# abl:ignore unknown-property, code\n    x: y",
		"# last":     "",
		"abl:ignore": "",
	} {
		t.Run(literal, func(t *testing.T) {
			at := strings.Index(source, literal)
			fix, ok := NewSuppressor(model.Workspace{}.With("/a.agent.abl", doc).File("/a.agent.abl")).Fix(model.Diagnostic{Code: "code", Span: text.Span{Start: at, End: at + 1}})
			if ok != (want != "") {
				t.Errorf("at %q: %v %+v", literal, ok, fix)
			}
			if !ok {
				return
			}
			got, err := text.Apply(source, fix.Edits[0].Edit)
			if err != nil || !strings.Contains(got, want) {
				t.Errorf("at %q: %v %s", literal, err, got)
			}
		})
	}
}

// FuzzRun: checking any text ends, points into it, and what it offers can be
// applied.
func FuzzRun(f *testing.F) {
	paths := []string{"/a.agent.abl", "/a.tools.abl", "/a.behavior_profile.abl", "/a.abl"}
	for i, s := range hostile {
		f.Add(s.make(3), uint8(i))
	}
	for _, fixture := range marker.Load(f, fixtures) {
		for _, path := range fixture.Files {
			f.Add(fixture.Workspace.File(path).Text(), uint8(len(path)))
		}
	}
	f.Fuzz(func(t *testing.T, source string, kind uint8) {
		if len(source) > 1<<14 {
			t.Skip("bounded on purpose")
		}
		path := paths[int(kind)%len(paths)]
		doc := syntax.Parse(source)
		w := model.Workspace{}.With(path, doc)
		found := Run(context.Background(), w, path, Options{Standard: kind >= 128})
		checkSpans(t, w, found)
		suppressing := NewSuppressor(w.File(path))
		for _, d := range found[:min(len(found), 20)] {
			fixes := d.Fixes
			if fix, ok := suppressing.Fix(d); ok {
				fixes = append(slices.Clip(fixes), fix)
			}
			for _, fix := range fixes {
				checkFix(t, w, path, fix)
			}
		}
	})
}

// checkFix: the edits of a fix fit the text.
func checkFix(t *testing.T, w model.Workspace, path string, fix model.Fix) {
	t.Helper()
	var edits []text.Edit
	for _, e := range fix.Edits {
		if e.Path == "" || e.Path == path {
			edits = append(edits, e.Edit)
		}
	}
	if _, err := w.File(path).Edited(edits...); err != nil || fix.Title == "" {
		t.Errorf("%q cannot be applied: %v", fix.Title, err)
	}
}
