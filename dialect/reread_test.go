package dialect

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

var rereadPieces = []string{
	"", "\n", "  ", "x", "\"", "[", "]", "{", "}", ":", ": ", "- ", "#", "|", "\t", "\r\n", "😀", "\n---\n", "&a ", "*a ",
	"\n  z:\n    kind: wait\n", "tools:\n", "sources:\n", "name: pause\n", "toolsets:\n", "kind: tools\n", "type: postgres-sql\n",
}

// TestReread checks after each edit that rereading a file gives the same result as reading it anew.
func TestReread(t *testing.T) {
	names, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(names) < 3 {
		t.Fatalf("%v, %v", names, err)
	}
	rounds := 150
	if testing.Short() {
		rounds = 20
	}
	r := rand.New(rand.NewPCG(6, 1))
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for range rounds {
			now := string(source)
			before := Read(name, now)
			for range 5 {
				at := r.IntN(len(now) + 1)
				end := min(len(now), at+r.IntN(12)*r.IntN(4))
				now = now[:at] + rereadPieces[r.IntN(len(rereadPieces))] + now[end:]
				read := Reread(&before, name, text.NewLines(now))
				if got, want := resultOf(read), resultOf(Read(name, now)); !reflect.DeepEqual(got, want) {
					t.Fatalf("%s of %q:\ngot  %+v\nwant %+v", name, now, got, want)
				}
				before = read
			}
		}
	}
}

// readResult returns the result of reading a file, without what it keeps for its next version.
type readResult struct {
	system string
	sure   bool
	tools  []foreign.Tool
	faults []foreign.Fault
	lost   []foreign.Name
	rows   []*tool.Field
	tables tool.Object
}

func resultOf(f foreign.File) readResult {
	s := readResult{f.System, f.Sure, nil, f.Faults, f.Lost, f.Rows, f.Project}
	for _, t := range f.Tools {
		t.Entry = nil
		s.tools = append(s.tools, t)
	}
	return s
}
