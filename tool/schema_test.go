package tool

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rowsOf returns all rows that apply to tools of a kind.
func rowsOf(b binding) []Field { return slices.Concat(commonFields, b.fields, b.laid) }

// TestOrderOfKinds checks that each kind has a place of its own in the order.
func TestOrderOfKinds(t *testing.T) {
	for i, b := range bindings {
		if b.order != i+1 {
			t.Errorf("%s has the order %d, and %d is free", b.kind, b.order, i+1)
		}
	}
}

func TestEveryTagHasARow(t *testing.T) {
	for _, b := range bindings {
		tagsHaveRows(t, string(b.kind), reflect.TypeOf(b.spec()), slices.Concat(b.fields, b.laid))
	}
	tagsHaveRows(t, "tool", reflect.TypeFor[Tool](), commonFields,
		"name", "params", "returns", "spec", "extra")
	tagsHaveRows(t, "parameters", reflect.TypeFor[Param](), paramFields, "name", "optional")
}

// tagsHaveRows checks that the JSON names in a struct, and in the structs inside it, have rows.
func tagsHaveRows(t *testing.T, path string, typ reflect.Type, rows []Field, except ...string) {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		typ = typ.Elem()
	}
	for _, f := range reflect.VisibleFields(typ) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "-" || slices.Contains(except, name) {
			continue
		}
		row, _, ok := Lookup(rows, name)
		if !ok || row.Name != name {
			t.Errorf("%s.%s has no row", path, name)
			continue
		}
		if row.Type == Block && len(row.Fields) > 0 || row.Type == BlockList {
			tagsHaveRows(t, path+"."+name, f.Type, row.Fields)
		}
	}
}

// TestEveryRowHasAHome decodes one value for each row and checks that the tool has it under the
// name of the row.
func TestEveryRowHasAHome(t *testing.T) {
	for _, b := range bindings {
		for _, f := range rowsOf(b) {
			if f.Name == "type" || f.Name == "parameters" {
				continue
			}
			got, errs := Decode(map[string]any{"type": string(b.kind), f.Name: sample(f)})
			if len(errs) > 0 {
				t.Errorf("%s: %v", b.kind, errs)
				continue
			}
			home := homeOf(t, got, f.Name)
			for _, leaf := range leaves(sample(f)) {
				if !strings.Contains(home, leaf) {
					t.Errorf("%s: %s kept %s, not %s", b.kind, f.Name, home, leaf)
				}
			}
		}
	}
}

// homeOf returns the JSON under a name in the tool, its spec or its extra properties; "" if there
// is none.
func homeOf(t *testing.T, tool Tool, name string) string {
	for _, part := range []any{tool, tool.Spec, tool.Extra} {
		b, err := json.Marshal(part)
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]json.RawMessage
		if json.Unmarshal(b, &m) == nil && m[name] != nil {
			return string(m[name])
		}
	}
	return ""
}

// sample returns a value that is valid for a row.
func sample(f Field) any {
	switch f.Type {
	case NumberType:
		return json.Number("7.25")
	case BooleanType:
		return true
	case ListType:
		return []any{word(f)}
	case MapType:
		return map[string]any{"a-name": "a value"}
	case Block:
		return sampleBlock(f)
	case BlockList:
		return []any{sampleBlock(f)}
	case AnyType:
		switch {
		case f.Name == "permissions":
			return []any{"web:get:*.example.com"}
		case f.Name == "commands":
			return []any{[]any{"GET", "a key"}}
		case f.Step:
			return map[string]any{"type": "http", "endpoint": "https://example.com", "args": map[string]any{"id": "result.id"}}
		}
		return map[string]any{"a key": "anything"}
	}
	return word(f)
}

func sampleBlock(f Field) any {
	m := map[string]any{}
	for _, key := range f.Fields {
		m[key.Name] = sample(key)
	}
	if f.Open {
		m["own"] = "anything"
	}
	return m
}

func word(f Field) string {
	if len(f.Values) > 0 {
		return f.Values[len(f.Values)-1].Name
	}
	return "text of " + f.Name
}

// leaves returns the single values in a sample.
func leaves(v any) []string {
	var out []string
	switch v := v.(type) {
	case map[string]any:
		for _, item := range v {
			out = append(out, leaves(item)...)
		}
	case []any:
		for _, item := range v {
			out = append(out, leaves(item)...)
		}
	case string:
		out = strings.Split(v, ":")
	case json.Number:
		out = []string{v.String()}
	case bool:
		out = []string{"true"}
	}
	return out
}

func TestTableIsWhole(t *testing.T) {
	for _, w := range Kinds() {
		if w.Doc == "" || len(Fields(Kind(w.Name))) == 0 {
			t.Errorf("kind %s: no doc or no fields", w.Name)
		}
	}
	for _, b := range bindings {
		if b.spec().Kind() != b.kind {
			t.Errorf("%s makes a %s", b.kind, b.spec().Kind())
		}
		checkRows(t, string(b.kind), rowsOf(b))
	}
	checkRows(t, "parameters", paramFields)
	checkRows(t, "shared defaults", sharedDefaults)
	checkWords(t, "parameter types", paramTypes)
	checkWords(t, "return types", returnTypes)
}

func checkRows(t *testing.T, path string, rows []Field) {
	seen := map[string]bool{}
	for _, f := range rows {
		at := path + "." + f.Name
		for _, name := range slices.Concat([]string{f.Name}, f.Synonyms, f.Aliases) {
			if seen[strings.ToLower(name)] {
				t.Errorf("%s: %s means two rows", path, name)
			}
			seen[strings.ToLower(name)] = true
		}
		if f.Doc == "" || f.Type.String() == "" {
			t.Errorf("%s has no doc or no type", at)
		}
		if (f.Type == Block || f.Type == BlockList) && len(f.Fields) == 0 && !f.Open {
			t.Errorf("%s has no keys", at)
		}
		checkWords(t, at, f.Values)
		checkRows(t, at, f.Fields)
		if f.Each != nil {
			checkRows(t, at+".*", f.Each.Fields)
		}
	}
}

func checkWords(t *testing.T, path string, words []Word) {
	seen := map[string]bool{}
	for _, w := range words {
		if w.Doc == "" || seen[w.Name] {
			t.Errorf("%s: %s has no doc or stands twice", path, w.Name)
		}
		seen[w.Name] = true
	}
}

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		name, row string
		alias     bool
	}{
		{"endpoint", "endpoint", false},
		{"ENDPOINT", "endpoint", false},
		{"body", "body_template", false},
		{"Body", "body_template", false},
		{"resetMs", "", false},
		{"", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, alias, ok := Lookup(Fields(KindHTTP), c.name)
			if f.Name != c.row || alias != c.alias || ok != (c.row != "") {
				t.Errorf("Lookup(%q) = %q, %v, %v", c.name, f.Name, alias, ok)
			}
		})
	}
	if f, alias, _ := Lookup(CommonFields(), "params"); f.Name != "parameters" || alias {
		t.Errorf("params is %q, alias %v; a page documents it", f.Name, alias)
	}
	if Fields("htpp") != nil {
		t.Error("an unknown kind has fields")
	}
}

func TestBindingOnly(t *testing.T) {
	for name, want := range map[string][]Kind{
		"server":      {KindMCP},
		"tool":        {KindMCP},
		"Timeout":     {KindHTTP, KindSandbox, KindLambda, KindCLI},
		"headers":     {KindHTTP, KindMCP, KindAsyncWebhook},
		"auth":        {KindHTTP},
		"runtime":     {KindSandbox, KindLambda},
		"description": nil,
		"base_url":    nil,
		"nonsense":    nil,
	} {
		t.Run(name, func(t *testing.T) {
			if got := BindingOnly(name); !slices.Equal(got, want) {
				t.Errorf("BindingOnly(%q) = %v, want %v", name, got, want)
			}
		})
	}
}

func TestFlat(t *testing.T) {
	for name, want := range map[string]string{
		"cacheable": "hints.cacheable", "Side_Effects": "hints.side_effects",
		"confirm": "confirmation.require", "immutable": "confirmation.immutable_params",
		"timeout": "", "endpoint": "",
	} {
		t.Run(name, func(t *testing.T) {
			path := Flat(name)
			if strings.Join(path, ".") != want {
				t.Errorf("Flat(%q) = %v, want %s", name, path, want)
			}
			rows := commonFields
			for _, step := range path {
				f, _, ok := Lookup(rows, step)
				if !ok {
					t.Errorf("Flat(%q) leads nowhere at %s", name, step)
				}
				rows = f.Fields
			}
		})
	}
}

func TestMarkdownTable(t *testing.T) {
	const want = "| property | type | required | default | meaning | edition |\n" +
		"|---|---|---|---|---|---|\n" +
		"| `a` | `x`, `y` | yes | x | One\\|two. | extension |\n" +
		"| `b` | list of blocks | no |  | More. | ABL |\n"
	got := MarkdownTable([]Field{
		{Name: "a", Type: WordType, Values: []Word{{Name: "x"}, {Name: "y"}}, Required: true, Default: "x", Doc: "One|two.", Edition: Extension},
		{Name: "b", Type: BlockList, Doc: "More."},
		{Name: "c", Undocumented: true},
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
