package foreign

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

// WriteResult is the text of tools in a format that is not ABL, with what that format cannot
// express.
type WriteResult struct {
	Text  string
	Lost  []Loss
	Notes []string // what else a reader should know
}

// Loss is something that a format cannot express.
type Loss struct {
	Tool string // the name of the tool that has it; "" if it belongs to none
	What string
}

func (l Loss) String() string {
	if l.Tool == "" {
		return l.What
	}
	return l.Tool + ": " + l.What
}

// LossTexts returns each loss as a text that begins with the name of its tool.
func LossTexts(losses []Loss) []string {
	texts := make([]string, len(losses))
	for i, l := range losses {
		texts[i] = l.String()
	}
	return texts
}

// ReportLoss records what is lost; name is that of its tool, or "".
func (w *WriteResult) ReportLoss(name, format string, args ...any) {
	w.Lost = append(w.Lost, Loss{name, fmt.Sprintf(format, args...)})
}

// Note records a remark about something that is not lost.
func (w *WriteResult) Note(name, format string, args ...any) {
	w.Notes = append(w.Notes, Loss{name, fmt.Sprintf(format, args...)}.String())
}

// LoseRest records as lost the properties of t that are not in covered, in the order of the schema
// table. A property with its default value is no loss.
func (w *WriteResult) LoseRest(t tool.Tool, covered ...string) {
	props := SetProperties(t)
	var rest []string
	if custom, ok := t.Spec.(*tool.Custom); ok && !slices.Contains(covered, "type") {
		rest, covered = custom.PropertyLines(), append(covered, "type")
	}
	for _, row := range append(slices.Concat(tool.CommonFields(), tool.Fields(t.Kind)), tool.SharedDefaults()...) {
		if v, has := props[row.Name]; has && strings.Trim(string(v), `"`) != row.Default && !slices.Contains(covered, row.Name) && !slices.Contains(rest, row.Name) {
			rest = append(rest, row.Name)
		}
	}
	if len(rest) > 0 {
		w.ReportLoss(t.QualifiedName(), "%s", strings.Join(rest, ", "))
	}
}

// IsDuplicate reports whether usedNames has the name of t, and records the tool as lost if so, since
// a format without versions has only the first. Otherwise it adds the name to usedNames.
func (w *WriteResult) IsDuplicate(t tool.Tool, usedNames map[string]bool) bool {
	name := t.QualifiedName()
	if usedNames[name] {
		w.ReportLoss(name, "the whole tool, since another one is called so")
		return true
	}
	usedNames[name] = true
	return false
}

// SetProperties returns the properties that are set in a tool, except for its signature, by
// canonical name. The JSON names of a tool's fields are the names of the schema table.
func SetProperties(t tool.Tool) map[string]json.RawMessage {
	properties := members(t.Common)
	maps.Copy(properties, members(t.Extra))
	delete(properties, "extra")
	if t.Spec != nil {
		properties["type"] = exactjson.EncodeOrNil(t.Kind)
		maps.Copy(properties, members(t.Spec))
	}
	for name, s := range map[string]string{"description": t.Description, "version": t.Version, "service": t.Namespace} {
		if s != "" {
			properties[name] = exactjson.EncodeOrNil(s)
		}
	}
	return properties
}

// members returns the members of a value that is an object in JSON.
func members(v any) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	if json.Unmarshal(exactjson.EncodeOrNil(v), &out) != nil || out == nil {
		return map[string]json.RawMessage{}
	}
	return out
}

// IndentedJSON returns a value as JSON over several lines, with a final line break.
func IndentedJSON(v any) string {
	var b strings.Builder
	_ = indent.Encode(&b, v) // what is not JSON is ""
	return b.String()
}

// LoseParams records the parameters that callers do not see, and the keys of the others that no
// schema can express.
func (w *WriteResult) LoseParams(t tool.Tool) {
	for _, p := range t.Arguments() {
		if p.Shown() {
			w.LoseParamKeys(t, p)
		} else {
			w.ReportLoss(t.QualifiedName(), "the parameter %s, which callers do not see", p.Name)
		}
	}
}

// LoseParamKeys records the keys of a parameter that a JSON Schema cannot express: where its value
// comes from, how it is escaped, and regular expressions.
func (w *WriteResult) LoseParamKeys(t tool.Tool, p tool.Param) {
	schema := p.Schema()
	var paramKeys []string
	for _, one := range []struct {
		name string
		lost bool
	}{
		{"source", !p.FromCaller()},
		{"value", p.Value != ""},
		{"allowed_values", len(p.AllowedValues) > 0 && (len(p.Type.Enum) > 0 || !schema.Has("enum"))},
		{"excluded_values", len(p.ExcludedValues) > 0 && !schema.Has("not")},
		{"escape", p.Escape != ""},
	} {
		if one.lost {
			paramKeys = append(paramKeys, one.name)
		}
	}
	if len(paramKeys) > 0 {
		w.ReportLoss(t.QualifiedName(), "%s of the parameter %s", strings.Join(paramKeys, ", "), p.Name)
	}
}

// LoseReturns records the return type, if readers of the form take it for another one. The type of
// any value is no loss.
func (w *WriteResult) LoseReturns(t tool.Tool, read *tool.Type) {
	typeText := t.Returns.String()
	if typeText != "" && typeText != tool.Any().String() && typeText != read.String() {
		w.ReportLoss(t.QualifiedName(), "what it returns: %s", t.Returns)
	}
}

// LoseFiles records schemas that are in files of their own.
func (w *WriteResult) LoseFiles(t tool.Tool) {
	if t.InputSchema != nil && t.InlineInput() == nil {
		w.ReportLoss(t.QualifiedName(), "the file of its input_schema: the signature counts instead")
	}
	if t.OutputSchema != nil && t.InlineOutput() == nil {
		w.ReportLoss(t.QualifiedName(), "the file of its output_schema: the signature counts instead")
	}
}

// NeverRuns reports whether t is blocked, so that it never runs and no model must see it, and
// records it as lost if so.
func (w *WriteResult) NeverRuns(t tool.Tool) bool {
	if t.Gate() != tool.Blocked {
		return false
	}
	w.ReportLoss(t.QualifiedName(), "the whole tool, which is blocked and never runs")
	return true
}

// PlainValue returns n, the value of a property, in its simplest JSON: numbers and booleans without
// quotes, and pairs as an object unless a name repeats.
func PlainValue(row tool.Field, n Node) any {
	switch {
	case row.Type == tool.NumberType && json.Valid([]byte(n.Text)):
		return json.Number(n.Text)
	case row.Type == tool.BooleanType && (n.Text == "true" || n.Text == "false"):
		return n.Text == "true"
	case row.Type == tool.MapType && n.Kind == List:
		if o := pairs(n); o != nil {
			return o
		}
	case row.Type == tool.Block && n.Kind == Map && !row.Open:
		return plainBlock(row, n)
	case row.Type == tool.BlockList && n.Kind == List:
		items := make([]any, len(n.Items))
		for i, item := range n.Items {
			items[i] = plainBlock(row, item)
		}
		return items
	}
	return n.Value()
}

func plainBlock(row tool.Field, n Node) tool.Object {
	o := tool.Object{}
	for _, m := range n.Members {
		value := m.Value.Value()
		if f, _ := tool.Find(row.Fields, m.Key); f != nil {
			value = PlainValue(*f, m.Value)
		}
		o = append(o, tool.Member{Name: m.Key, Value: value})
	}
	return o
}

// pairs returns a list of names with values as an object; nil if a name repeats.
func pairs(n Node) tool.Object {
	o, seen := tool.Object{}, map[string]bool{}
	for _, item := range n.Items {
		key, value := item.Get("key").Text, item.Get("value")
		if item.Has("expr") {
			key, value = item.Get("name").Text, item.Get("expr")
		}
		if seen[key] {
			return nil
		}
		seen[key] = true
		o = append(o, tool.Member{Name: key, Value: value.Value()})
	}
	return o
}
