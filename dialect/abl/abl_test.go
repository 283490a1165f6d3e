package abl_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/format"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/dialect/abl"
	"github.com/abl-lsp/abl-lsp/internal/toolpages"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// TestRoundTrip checks that reading the ABL text of a foreign tool gives the same tool, without
// diagnostics, and that formatting does not change the text.
func TestRoundTrip(t *testing.T) {
	names, err := filepath.Glob("../testdata/*")
	if err != nil || len(names) == 0 {
		t.Fatal("no examples", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			roundTrip(t, foreignTools(t, name, string(source)))
		})
	}
}

// TestRoundTripOfPages holds the same of the tools in the examples of docs/tools.
func TestRoundTripOfPages(t *testing.T) {
	pages, err := toolpages.Read("../..")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, p := range pages {
		for _, f := range p.Files {
			switch path := "/" + f.Name; {
			case model.IsABL(path):
				t.Run(p.Kind+"/"+f.Name, func(t *testing.T) { roundTrip(t, ablTools(t, path, f.Text)) })
			case path == "/tools.yaml":
				t.Run(p.Kind+"/"+f.Name, func(t *testing.T) { roundTrip(t, foreignTools(t, path, f.Text)) })
			}
		}
	}
}

func ablTools(t *testing.T, path, source string) (tools []tool.Tool) {
	t.Helper()
	for _, l := range model.LowerAll(model.Workspace{}.With(path, syntax.Parse(source)), path) {
		tools = append(tools, l.Tool)
	}
	if len(tools) == 0 {
		t.Fatal("no tools")
	}
	return tools
}

func foreignTools(t *testing.T, name, source string) (tools []tool.Tool) {
	t.Helper()
	f := dialect.Read(name, source)
	for _, fault := range f.Faults {
		t.Errorf("%q: %s", source[fault.Span.Start:fault.Span.End], fault.Message)
	}
	for _, d := range f.Tools {
		tools = append(tools, d.Tool)
	}
	if len(tools) == 0 {
		t.Fatal("no tools")
	}
	return tools
}

func roundTrip(t *testing.T, tools []tool.Tool) {
	t.Helper()
	var entries []abl.Entry
	for _, d := range tools {
		entries = append(entries, abl.Entry{Tool: d})
	}
	written := abl.Library(entries)
	doc := syntax.Parse(written)
	w := model.Workspace{}.With("/x.tools.abl", doc)
	for _, d := range check.Run(context.Background(), w, "/x.tools.abl", check.Options{}) {
		if d.Severity <= model.Warning && !strings.HasPrefix(d.Code, "unknown-") && d.Code != "name-style" { // names are theirs
			t.Errorf("%s %s: %s: %q\n%s", d.Severity, d.Code, d.Message, written[d.Span.Start:d.Span.End], written)
		}
	}
	if edits, err := format.Format(doc, nil); err != nil || len(edits) > 0 {
		t.Errorf("formatting changes it: %v %v\n%s", edits, err, written)
	}
	lowered := model.LowerAll(w, "/x.tools.abl")
	if len(lowered) != len(tools) {
		t.Fatalf("%d tools, want %d\n%s", len(lowered), len(tools), written)
	}
	for i, l := range lowered {
		for _, d := range l.Diagnostics {
			t.Errorf("%s\n%s", d.Message, written)
		}
		want := tools[i]
		want.Name = abl.Name(want.Name)
		if diff := cmp.Diff(shown(t, want), shown(t, l.Tool)); diff != "" {
			t.Errorf("(-want +got):\n%s\n%s", diff, written)
		}
	}
}

func shown(t *testing.T, v tool.Tool) string {
	t.Helper()
	var o any
	if err := json.Unmarshal(exactjson.EncodeOrNil(v), &o); err != nil {
		t.Fatal(err)
	}
	return string(exactjson.EncodeOrNil(o))
}
