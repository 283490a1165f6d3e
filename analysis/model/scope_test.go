package model

import (
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// workspaceOf reads files that are concatenated, each after a line with its path in `== ==`.
func workspaceOf(files string) Workspace {
	var w Workspace
	for _, part := range strings.Split(files, "== ")[1:] {
		path, source, _ := strings.Cut(part, " ==\n")
		w = w.With(path, syntax.Parse(source))
	}
	return w
}

func scopeNames(w Workspace, path string) string {
	var names []string
	s := w.Scope(path)
	for _, t := range s.Tools {
		names = append(names, tool.JoinVersion(t.Name, t.Version()))
	}
	return fmt.Sprintf("%s %v", strings.Join(names, " "), s.Complete)
}

func TestScope(t *testing.T) {
	tests := []struct{ name, files, want string }{
		{"own and imported", `== /a ==
TOOLS:
  file: "b" [y]
  x() -> string
== /b ==
TOOLS:
  y() -> string
  z() -> string
`, "x y true"},
		{"libraries that import are followed", `== /a ==
TOOLS:
  file: "b"
== /b ==
TOOLS:
  file: "c" [z]
  y() -> string
== /c ==
TOOLS:
  z() -> string
  zz() -> string
`, "y z true"},
		{"a cycle ends, and hides nothing", `== /a ==
TOOLS:
  file: "b"
  file: "c" [y]
== /b ==
TOOLS:
  file: "c" [z]
  y() -> string
== /c ==
TOOLS:
  file: "b"
  z() -> string
`, "y z true"},
		{"asked for another name, a file is asked again", `== /a ==
TOOLS:
  file: "b"
== /b ==
TOOLS:
  file: "c" [x]
  file: "d"
== /c ==
TOOLS:
  x() -> string
  y() -> string
== /d ==
TOOLS:
  file: "c" [x, y]
`, "x y true"},
		{"an import of a version leaves the others to others", `== /a ==
TOOLS:
  file: "one.tools.abl"
  file: "other.tools.abl"
== /one.tools.abl ==
TOOLS:
  file: "x.tools.abl" [x@1]
== /other.tools.abl ==
TOOLS:
  file: "x.tools.abl"
== /x.tools.abl ==
TOOLS:
  x() -> string
    version: "1"
  x() -> string
    version: "2"
`, "x@1 x@2 true"},
		{"imports of versions in a cycle end", `== /a ==
TOOLS:
  file: "b" [x@1]
== /b ==
TOOLS:
  file: "c" [x@1]
  x() -> string
    version: "1"
== /c ==
TOOLS:
  file: "b" [x@1, x@2]
  x() -> string
    version: "2"
`, "x@1 true"},
		{"a file that is not there", `== /a ==
TOOLS:
  file: "b"
  x() -> string
`, "x false"},
		{"what nobody wants need not be read", `== /a ==
TOOLS:
  file: "b" []
`, " true"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := scopeNames(workspaceOf(tt.files), "/a"); got != tt.want {
				t.Errorf("scope is %q, want %q", got, tt.want)
			}
		})
	}
}

// TestScopeOfDiamonds would take exponential time if each way to a file counted.
func TestScopeOfDiamonds(t *testing.T) {
	const levels = 60
	for _, names := range []string{"", "[x, y]", "[x@1, y@1]"} {
		t.Run(names, func(t *testing.T) {
			var files strings.Builder
			for i := range levels {
				for _, side := range []string{"f", "g"} {
					fmt.Fprintf(&files, "== /%s%d ==\nTOOLS:\n  file: \"f%d\" %s\n  file: \"g%d\" %s\n", side, i, i+1, names, i+1, names)
				}
			}
			fmt.Fprintf(&files, "== /f%d ==\nTOOLS:\n  x() -> string\n== /g%d ==\nTOOLS:\n  y() -> string\n", levels, levels)
			if got := scopeNames(workspaceOf(files.String()), "/f0"); got != "x y true" {
				t.Errorf("%s: scope is %q", names, got)
			}
		})
	}
}

func TestManyImports(t *testing.T) {
	var source strings.Builder
	source.WriteString("TOOLS:\n")
	for i := range MaxImports + 5 {
		fmt.Fprintf(&source, "  file: \"./%d.abl\"\n", i)
	}
	w := Workspace{}.With("/a.abl", syntax.Parse(source.String()))
	asked := 0
	w = ReadImports(w, "/a.abl", func(path string) (string, Absence) {
		if IsImportable(path) {
			asked++
		}
		return "", NotFound
	})
	f := w.File("/a.abl")
	if asked != MaxImports || len(f.Imports) != MaxImports || f.ExcessImport == nil || f.ExcessImport.Path != fmt.Sprintf("./%d.abl", MaxImports) {
		t.Errorf("%d files asked for, %d imports, beyond them %+v", asked, len(f.Imports), f.ExcessImport)
	}
}
