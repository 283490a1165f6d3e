package foreign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/tool"
)

// Written is tools in another form, and what that form cannot say.
type Written struct {
	Text string
	Lost []string
}

// Lose notes what is left out; name is that of its tool, "" where it has none.
func (w *Written) Lose(name, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if name != "" {
		text = name + ": " + text
	}
	w.Lost = append(w.Lost, text)
}

// LoseRest notes the properties of a tool that are none of those given, in the
// order of the schema table.
func (w *Written) LoseRest(t tool.Tool, said ...string) {
	props := Said(t)
	var rest []string
	for _, row := range append(slices.Concat(tool.CommonFields(), tool.Fields(t.Kind)), tool.SharedDefaults()...) {
		if _, has := props[row.Name]; has && !slices.Contains(said, row.Name) && !slices.Contains(rest, row.Name) {
			rest = append(rest, row.Name)
		}
	}
	if len(rest) > 0 {
		w.Lose(Outside(t), "%s", strings.Join(rest, ", "))
	}
}

// Outside is the name by which a tool is called from outside: that of its service
// comes first.
func Outside(t tool.Tool) string {
	if t.Namespace == "" {
		return t.Name
	}
	return t.Namespace + "_" + t.Name
}

// Said are the properties that a tool has besides its signature, by canonical
// name: the JSON names of a tool's fields are those of the schema table.
func Said(t tool.Tool) map[string]json.RawMessage {
	said := members(t.Common)
	for name, v := range members(t.Extra) {
		said[name] = v
	}
	delete(said, "extra")
	if t.Spec != nil {
		said["type"] = Marshal(t.Kind)
		for name, v := range members(t.Spec) {
			said[name] = v
		}
	}
	for name, s := range map[string]string{"description": t.Description, "version": t.Version, "service": t.Namespace} {
		if s != "" {
			said[name] = Marshal(s)
		}
	}
	return said
}

// members are those of a value that is an object as JSON.
func members(v any) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	if json.Unmarshal(Marshal(v), &out) != nil || out == nil {
		return map[string]json.RawMessage{}
	}
	return out
}

// Table is one of abl.yaml's: what stands below a name, nil for nothing.
func Table(project tool.Object, name string) tool.Object {
	for _, m := range project {
		if o, ok := m.Value.(tool.Object); ok && m.Name == name {
			return o
		}
	}
	return nil
}

// Indented is a value as JSON over several lines, with a line's end.
func Indented(v any) string {
	var b bytes.Buffer
	if json.Indent(&b, Marshal(v), "", "  ") != nil {
		return ""
	}
	return b.String() + "\n"
}

// LoseParams notes the parameters that callers do not see.
func (w *Written) LoseParams(t tool.Tool) {
	for _, p := range t.Params {
		if !p.Shown() {
			w.Lose(Outside(t), "the parameter %s, which callers do not see", p.Name)
		}
	}
}

// LoseFiles notes the schemas that stand in files of their own.
func (w *Written) LoseFiles(t tool.Tool) {
	if t.InputSchema != nil && t.InlineInput() == nil {
		w.Lose(Outside(t), "the file of its input_schema: the signature counts instead")
	}
	if t.OutputSchema != nil && t.InlineOutput() == nil {
		w.Lose(Outside(t), "the file of its output_schema: the signature counts instead")
	}
}

// NeverRuns notes a tool that is not to be shown to a model, since it never runs.
func (w *Written) NeverRuns(t tool.Tool) bool {
	if t.Gate() != tool.Blocked {
		return false
	}
	w.Lose(Outside(t), "the whole tool, which is blocked and never runs")
	return true
}
