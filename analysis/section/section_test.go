package section

import (
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool"
)

// walker goes over rows once each: some contain themselves.
type walker struct {
	t    *testing.T
	seen map[*tool.Field]bool
	rows int
}

func (w *walker) rowsAreWhole(path string, rows []tool.Field) {
	names := map[string]bool{}
	for i := range rows {
		row := &rows[i]
		for _, name := range slices.Concat([]string{row.Name}, row.Synonyms, row.Aliases) {
			if names[strings.ToLower(name)] {
				w.t.Errorf("%s: %s means two rows", path, name)
			}
			names[strings.ToLower(name)] = true
		}
		if row.Name == "" || row.Doc == "" {
			w.t.Errorf("%s.%s has no name or no doc", path, row.Name)
		}
		w.row(path+"."+row.Name, row)
	}
}

func (w *walker) row(path string, row *tool.Field) {
	if w.seen[row] {
		return
	}
	w.seen[row] = true
	w.rows++
	block := row.Type == tool.Block || row.Type == tool.BlockList
	if block && len(row.Fields)+len(row.Items) == 0 && !row.Open {
		w.t.Errorf("%s has no keys", path)
	}
	if row.Form != "" && row.Pattern == nil {
		w.t.Errorf("%s says what a pattern asks for, and has none", path)
	}
	if row.Pattern != nil && row.Form == "" && len(row.Values) == 0 && row.Type == tool.String {
		w.t.Errorf("%s does not say what its pattern asks for", path)
	}
	words := map[string]bool{}
	for _, word := range row.Values {
		if words[strings.ToLower(word.Name)] {
			w.t.Errorf("%s: %s stands twice", path, word.Name)
		}
		words[strings.ToLower(word.Name)] = true
	}
	w.rowsAreWhole(path, row.Fields)
	w.rowsAreWhole(path+"[]", row.Items)
	if row.Each != nil {
		w.row(path+".*", row.Each)
	}
}

func TestRowsAreWhole(t *testing.T) {
	w := &walker{t: t, seen: map[*tool.Field]bool{}}
	for _, rows := range []map[string]*tool.Field{allRows(), profileRows()} {
		for name, row := range rows {
			if row.Name != name {
				t.Errorf("%s is the row of %s", name, row.Name)
			}
			w.row(name, row)
		}
	}
	if w.rows < 300 {
		t.Errorf("%d rows were looked at", w.rows)
	}
}

// TestRecursion: a branch holds actions, and those hold branches.
func TestRecursion(t *testing.T) {
	row := Row("FLOW", false).Each
	for _, name := range []string{"ON_RESULT", "IF", "DO", "ELSE", "CALL", "WITH"} {
		rows := row.Fields
		row, _ = tool.Find(rows, name)
		if row == nil {
			t.Fatalf("no %s", name)
		}
	}
}

func TestProfile(t *testing.T) {
	for _, tt := range []struct {
		keyword   string
		inProfile bool
		want      tool.FieldType
	}{
		{"CONSTRAINTS", false, tool.Block},
		{"CONSTRAINTS", true, tool.Block},
		{"RESPONSE", true, tool.Block},
		{"FLOW_REPLACE", true, tool.AnyType},
		{"INSTRUCTIONS", true, tool.String},
		{"PRIORITY", true, tool.NumberType},
	} {
		t.Run(tt.keyword, func(t *testing.T) {
			if got := Row(tt.keyword, tt.inProfile).Type; got != tt.want {
				t.Errorf("%s, in a profile %v: %v, want %v", tt.keyword, tt.inProfile, got, tt.want)
			}
		})
	}
	if Row("TOOLS", false) != nil || Row("NOTHING", true) != nil {
		t.Error("rows of what has none")
	}
}
