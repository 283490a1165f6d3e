package section

import (
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool"
)

// walker goes over fields once each: some contain themselves.
type walker struct {
	t      *testing.T
	seen   map[*tool.Field]bool
	fields int
}

func (w *walker) checkFields(path string, fields []tool.Field) {
	names := map[string]bool{}
	for i := range fields {
		field := &fields[i]
		for _, name := range slices.Concat([]string{field.Name}, field.Synonyms, field.Aliases) {
			if names[strings.ToLower(name)] {
				w.t.Errorf("%s: %s means two fields", path, name)
			}
			names[strings.ToLower(name)] = true
		}
		if field.Name == "" || field.Doc == "" {
			w.t.Errorf("%s.%s has no name or no doc", path, field.Name)
		}
		w.field(path+"."+field.Name, field)
	}
}

func (w *walker) field(path string, field *tool.Field) {
	if w.seen[field] {
		return
	}
	w.seen[field] = true
	w.fields++
	block := field.Type == tool.Block || field.Type == tool.BlockList
	if block && len(field.Fields)+len(field.Items) == 0 && !field.Open {
		w.t.Errorf("%s has no keys", path)
	}
	if field.Form != "" && field.Pattern == nil {
		w.t.Errorf("%s says what a pattern asks for, and has none", path)
	}
	if field.Pattern != nil && field.Form == "" && len(field.Values) == 0 && field.Type == tool.String {
		w.t.Errorf("%s does not say what its pattern asks for", path)
	}
	words := map[string]bool{}
	for _, word := range field.Values {
		if words[strings.ToLower(word.Name)] {
			w.t.Errorf("%s: %s stands twice", path, word.Name)
		}
		words[strings.ToLower(word.Name)] = true
	}
	w.checkFields(path, field.Fields)
	w.checkFields(path+"[]", field.Items)
	if field.Each != nil {
		w.field(path+".*", field.Each)
	}
}

func TestFieldsAreComplete(t *testing.T) {
	w := &walker{t: t, seen: map[*tool.Field]bool{}}
	for _, fields := range []map[string]*tool.Field{allFields(), profileFields()} {
		for name, field := range fields {
			if field.Name != name {
				t.Errorf("%s is the field of %s", name, field.Name)
			}
			w.field(name, field)
		}
	}
	if w.fields < 300 {
		t.Errorf("%d fields were checked", w.fields)
	}
}

// TestRecursion: a branch holds actions, and those hold branches.
func TestRecursion(t *testing.T) {
	field := Field("FLOW", false).Each
	for _, name := range []string{"ON_RESULT", "IF", "DO", "ELSE", "CALL", "WITH"} {
		fields := field.Fields
		field, _ = tool.Find(fields, name)
		if field == nil {
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
			if got := Field(tt.keyword, tt.inProfile).Type; got != tt.want {
				t.Errorf("%s, in a profile %v: %v, want %v", tt.keyword, tt.inProfile, got, tt.want)
			}
		})
	}
	if Field("TOOLS", false) != nil || Field("NOTHING", true) != nil {
		t.Error("fields of what has none")
	}
}
