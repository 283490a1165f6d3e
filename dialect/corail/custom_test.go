package corail_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/dialect/abl"
	"github.com/abl-lsp/abl-lsp/dialect/corail"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
)

const customList = `[
  {"name": "git", "type": "cli", "binary": "git", "description": "Git"},
  {"name": "notify", "type": "slack", "description": "Sends 🛫", "risk_level": "confirm", "timeout": 1.5,
    "webhook_url": "https://hooks.example.com", "headers": {"X-Key": "$KEY"}, "binary": 7,
    "parameters": [{"name": "message", "type": "string"}]},
  {"name": "find", "type": "sql", "description": "Finds", "source": "pg"}
]`

// TestCustomType checks that a tool of a registered type keeps all its properties when it is read,
// and when it is written again. A type that ABL has with another meaning is no registered type.
func TestCustomType(t *testing.T) {
	f := dialect.Read("tools.json", customList)
	notify := f.Tools[1].Tool
	want := &tool.Custom{Type: "slack", Properties: tool.Object{
		{Name: "webhook_url", Value: "https://hooks.example.com"},
		{Name: "headers", Value: tool.Object{{Name: "X-Key", Value: "{{secrets.KEY}}"}}},
		{Name: "binary", Value: notify.Spec.(*tool.Custom).Properties[2].Value},
	}}
	if notify.Kind != "slack" || !reflect.DeepEqual(notify.Spec, want) || notify.RiskLevel != "confirm" || notify.Hints.Timeout != "1500" {
		t.Errorf("%+v %+v", notify, notify.Spec)
	}
	if find := f.Tools[2].Tool; find.Kind != "" || find.Spec != nil {
		t.Errorf("%+v", find)
	}
	w := corail.WriteList([]tool.Tool{notify}, nil)
	again := dialect.Read("tools.json", "["+customList[strings.Index(customList, `{"name": "git"`):strings.Index(customList, "\n  {\"name\": \"notify\"")]+strings.TrimPrefix(w.Text, "["))
	if len(w.Lost) > 0 || len(again.Tools) != 2 || !reflect.DeepEqual(again.Tools[1].Tool, notify) {
		t.Errorf("%q\n%s", w.Lost, w.Text)
	}
}

// TestCustomTypeLost checks that forms which cannot express the type and its properties report them
// as lost.
func TestCustomTypeLost(t *testing.T) {
	notify := dialect.Read("tools.json", customList).Tools[1]
	for _, form := range dialect.Forms() {
		w := form.Write([]tool.Tool{notify.Tool}, nil)
		lost := strings.Join(foreign.LossTexts(w.Lost), "\n")
		switch whole := strings.Contains(lost, "notify: the whole tool"); {
		case form.Name == "corail" && lost != "",
			slices.Contains([]string{"crd", "toolbox"}, form.Name) != whole,
			form.Name != "corail" && !whole && !strings.Contains(lost, "type: slack, webhook_url, headers, binary"):
			t.Errorf("%s: %q", form.Name, w.Lost)
		}
	}
	text, lost := abl.Tool(notify.Tool)
	if strings.Contains(text, "type:") || !slices.Equal(lost, []string{"Left out: type: slack", "Left out: webhook_url", "Left out: headers", "Left out: binary"}) {
		t.Errorf("%q\n%s", lost, text)
	}
}

// TestBuiltinTypes checks that a builtin under another name has the type that Corail's factory
// knows, and is written again as it was.
func TestBuiltinTypes(t *testing.T) {
	for name, want := range map[string]string{"sums": `"type": "calculator"`, "calculator": `"type": "builtin"`} {
		t.Run(name, func(t *testing.T) {
			source := `[{"name": "` + name + `", "type": "calculator", "description": "🧮"}, {"name": "git", "type": "cli", "binary": "git"}]`
			one := dialect.Read("tools.json", source).Tools[0].Tool
			w := corail.WriteList([]tool.Tool{one}, nil)
			again := dialect.Read("tools.json", w.Text)
			if !strings.Contains(w.Text, want) || len(again.Tools) != 1 || !reflect.DeepEqual(again.Tools[0].Tool, one) {
				t.Errorf("%s becomes\n%s", source, w.Text)
			}
		})
	}
}
