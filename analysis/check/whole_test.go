package check

import (
	"context"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// What no fixture can hold: files that are not text, and files that are not
// there.

func TestWholeFiles(t *testing.T) {
	deep := "MESSAGES:\n"
	for i := range 300 {
		deep += strings.Repeat(" ", i+1) + "a:\n"
	}
	for name, tt := range map[string]struct {
		path, source string
		want         string // the beginning of the one message
	}{
		"too large":   {"/a.agent.abl", "AGENT: A\n" + strings.Repeat("# x\n", syntax.MaxBytes/4), "The file is too large"},
		"no UTF-8":    {"/a.abl", "AGENT: A\nGOAL: \"caf\xe9\"\n", "The file is not UTF-8"},
		"too deep":    {"/a.abl", deep, "The line is nested too deep"},
		"random":      {"/a.abl", "\x00\x01\xff\xfe", ""},
		"YAML":        {"/a.agent.yaml", "agent: x\ngoal: x\nlimitations: [\n", "This bracket is not closed"},
		"YAML, upper": {"/A.AGENT.YAML", "hello\n", "The platform takes this file for ABL"},
		"brackets":    {"/a.abl", "FLOW:\n  a: " + strings.Repeat("[", 100_000) + "\n", "The bracket is not closed"},
	} {
		t.Run(name, func(t *testing.T) {
			w := model.Workspace{}.With(tt.path, syntax.Parse(tt.source))
			found := Run(context.Background(), w, tt.path, Options{})
			switch {
			case tt.want == "-" && len(found) > 0:
				t.Errorf("found %s", show(found))
			case tt.want != "-" && (len(found) == 0 || !strings.HasPrefix(found[0].Message, tt.want)):
				t.Errorf("found %.300s", show(found))
			case tt.want != "" && len(found) > 1:
				t.Errorf("found more than one: %.600s", show(found))
			}
		})
	}
}

func TestAbsentImports(t *testing.T) {
	for why, want := range map[model.Absence]string{
		model.NotFound:   "there is no such file",
		model.IsFolder:   "this is a folder",
		model.Unreadable: "cannot be read",
		model.Forbidden:  "not trusted",
	} {
		t.Run(want, func(t *testing.T) {
			w := model.Workspace{}.
				With("/a.agent.abl", syntax.Parse("AGENT: A\nGOAL: x\nTOOLS:\n  file: \"./b.tools.abl\" [x]\n")).
				WithMissing("/b.tools.abl", why)
			found := Run(context.Background(), w, "/a.agent.abl", Options{})
			if len(found) != 1 || found[0].Code != "unresolved-import" || !strings.Contains(found[0].Message, want) {
				t.Errorf("%s: found %s", want, show(found))
			}
		})
	}
}

// TestNotLoaded: of a file that nobody has looked for, nothing is said.
func TestNotLoaded(t *testing.T) {
	w := model.Workspace{}.With("/a.agent.abl", syntax.Parse("AGENT: A\nGOAL: x\nTOOLS:\n  file: \"./b.tools.abl\" [x]\n"))
	if found := Run(context.Background(), w, "/a.agent.abl", Options{}); len(found) > 0 {
		t.Errorf("found %s", show(found))
	}
	if found := Run(context.Background(), w, "/b.tools.abl", Options{}); found != nil {
		t.Errorf("found %s", show(found))
	}
}

func TestRelated(t *testing.T) {
	w := model.Workspace{}.
		With("/a.agent.abl", syntax.Parse("AGENT: A\nGOAL: x\nTOOLS:\n  file: \"./b.abl\"\n  t(x: string, x: date) -> string\n  t() -> string\n")).
		With("/b.abl", syntax.Parse("TOOLS:\n  file: \"./a.agent.abl\"\n  t() -> string\n"))
	related := map[string]string{}
	for _, d := range Run(context.Background(), w, "/a.agent.abl", Options{}) {
		for _, r := range d.Related {
			related[d.Code] += r.Path + " " + w.File(r.Path).Text()[r.Span.Start:r.Span.End] + "; "
		}
	}
	for code, want := range map[string]string{
		"duplicate-parameter": "/a.agent.abl x; ",
		"duplicate-tool":      "/a.agent.abl t; ",
		"import-collision":    "/a.agent.abl t; /b.abl t; ",
		"import-cycle":        "/b.abl \"./a.agent.abl\"; ",
	} {
		t.Run(code, func(t *testing.T) {
			if related[code] != want {
				t.Errorf("%s is related to %q, want %q", code, related[code], want)
			}
		})
	}
}

// TestLongFiles end soon, however often one thing is said; what is found is
// bounded.
func TestLongFiles(t *testing.T) {
	const size = 300_000
	for name, tt := range map[string]struct {
		head, again string
		most        int
	}{
		"braces":       {"TOOLS:\n  ab() -> string\n    description: \"x\"\n    type: http\n    method: GET\n    endpoint: ", "{x}", maxFindings},
		"open braces":  {"TOOLS:\n  ab() -> string\n    description: \"x\"\n    type: http\n    method: GET\n    endpoint: ", "{", maxFindings},
		"own imports":  {"TOOLS:\n", "  file: \"./a.tools.abl\"\n", 2*model.MaxImports + 1},
		"prose":        {"FLOW:\n  s:\n    x\n", "    a: \"b\n", 2},
		"wrong items":  {"TOOLS:\n  ab() -> string\n    description: \"x\"\n    type: table\n    table: t\n    operations:\n", "      - x\n", maxFindings},
		"stray lines":  {"", "x\n", MaxDiagnostics},
		"same tools":   {"TOOLS:\n", "  t() -> string\n", MaxDiagnostics},
		"wrong values": {"TOOLS:\n  ab() -> string\n    description: \"x\"\n    type: http\n", "    method: X\n", 1 + 2*maxFindings},
	} {
		t.Run(name, func(t *testing.T) {
			source := tt.head + strings.Repeat(tt.again, size/len(tt.again))
			w := model.Workspace{}.With("/a.tools.abl", syntax.Parse(source))
			if n := len(Run(context.Background(), w, "/a.tools.abl", Options{})); n > tt.most {
				t.Errorf("%d diagnostics, %d are enough", n, tt.most)
			}
			model.LowerAll(w, "/a.tools.abl")
		})
	}
}
