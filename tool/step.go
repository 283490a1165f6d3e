package tool

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// Step is a `verify` or `revert` of a tool: an expression over `result` and `args`, or a binding.
type Step struct {
	Expr   string      // "" where it is a binding
	Kind   Kind        // of the binding; "" where it is an expression
	Spec   Spec        // nil exactly when Kind is ""
	Args   Assignments // what the binding is called with; nil: the arguments of the run
	Expect string      // what must hold of the answer of the binding; "": nothing more than that it succeeds

	written json.RawMessage
}

// MarshalJSON returns what the author wrote.
func (s *Step) MarshalJSON() ([]byte, error) {
	if s.written == nil { // it was not read
		type plain Step
		return exactjson.Encode((*plain)(s))
	}
	return s.written, nil
}

// CanVerify reports whether the tool declares how its runs are verified.
func (t Tool) CanVerify() bool { return t.Verify != nil }

// CanRevert reports whether the tool declares how its runs are reverted.
func (t Tool) CanRevert() bool { return t.Revert != nil }

const (
	verifyName = "verify"
	revertName = "revert"
)

var (
	stepArgs = Field{Name: "args", Type: MapType, Each: &Field{Type: Expr}, Edition: Extension,
		Doc: "What the binding is called with: expressions over `result` and `args`. Unless it is said, the arguments of the run."}
	stepExpect = Field{Name: "expect", Type: Expr, Edition: Extension,
		Doc: "What must hold of the binding's answer, which is called `result` here. Unless it is said, the binding must succeed and not answer `false`."}
)

// StepFields returns the keys that a binding of a kind may have below step, which is `verify` or
// `revert`.
func StepFields(step string, kind Kind) []Field {
	row, _ := Find(commonFields, "type")
	required := *row
	required.Required = true
	all := slices.Concat([]Field{required}, Fields(kind), []Field{stepArgs})
	if step == verifyName {
		all = append(all, stepExpect)
	}
	return all
}

// step reads v, the value of `verify` or `revert`. It returns nil if v is an empty expression.
func step(name string, v any) (*Step, []FieldError) {
	raw, err := exactjson.Encode(v)
	if err != nil {
		return nil, wrongValue(err.Error())
	}
	s := &Step{written: raw}
	switch v := v.(type) {
	case string:
		s.Expr = strings.TrimSpace(v)
	case bool:
		s.Expr = string(raw)
	case json.Number, []any:
		return nil, wrongValue("an expression is wanted here, or a binding with a `type`")
	default:
		o, _ := object(v)
		return s, s.bind(name, o)
	}
	if s.Expr == "" {
		return nil, nil
	}
	return s, nil
}

// bind reads a binding from o, the value of the property called name. It ignores properties that
// the binding does not have.
func (s *Step) bind(name string, o Object) []FieldError {
	props := map[string]any{}
	for _, m := range o {
		row, _ := Find(StepFields(name, ""), m.Name)
		switch {
		case row == nil && slices.Contains(stepOnly, strings.ToLower(m.Name)):
		case row == nil:
			props[m.Name] = m.Value
		default:
			props[row.Name] = m.Value
		}
	}
	if text, ok := text(props["type"]); !ok || text == "" {
		return wrongValue("a binding needs a `type`, such as `http`")
	}
	errs := s.setOwnKeys(props)
	for _, f := range commonFields {
		if f.Name != "type" {
			delete(props, f.Name)
		}
	}
	t, more := Decode(props)
	s.Kind, s.Spec = t.Kind, t.Spec
	return append(errs, more...)
}

// stepOnly are the keys that only some steps have.
var stepOnly = []string{stepArgs.Name, stepExpect.Name}

// setOwnKeys reads the keys of props that are no properties of a binding, and removes them.
func (s *Step) setOwnKeys(props map[string]any) []FieldError {
	var errs []FieldError
	for _, of := range []struct {
		row    Field
		target any
	}{{stepArgs, &s.Args}, {stepExpect, &s.Expect}} {
		v, faults := conform(of.row, props[of.row.Name])
		if v != nil {
			raw, err := exactjson.Encode(v)
			if err == nil {
				err = json.Unmarshal(raw, of.target)
			}
			if err != nil {
				faults = append(faults, FieldError{Msg: plain(err)})
			}
		}
		errs = append(errs, prefixPath(of.row.Name, faults)...)
		delete(props, of.row.Name)
	}
	return errs
}
