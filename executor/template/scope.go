// Package template finds the values of a binding's placeholders.
//
// The caller decides how each value is escaped for its place, see [Scope.Expand].
package template

import (
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// Error says why a placeholder cannot be filled in.
type Error struct {
	Name   string // as written between the braces
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("{{%s}} %s", e.Name, e.Reason) }

// Scope holds the values that placeholders may name. A lookup does not change it.
type Scope struct {
	Params    []string          // the names that are declared
	Args      map[string]any    // the values that are given; numbers are json.Number
	Session   map[string]any    // {{session.x}}
	Variables map[string]string // {{env.X}} and {{config.X}}
	Secrets   map[string]string // {{secrets.X}}
	Run       *Run              // {{result.x}} and {{args.x}}; nil: these name parameters

	elements []element // of the loops around the place, the innermost last
}

// Run holds the arguments and the result of the run that a binding verifies or reverts.
type Run struct {
	Args   map[string]any
	Result any
	Coming bool // the result is not known yet; a stand-in replaces it
}

// Source says where a value comes from.
type Source string

// The sources of values.
const (
	Argument Source = "argument"
	Session  Source = "session"
	Variable Source = "variable"
	Secret   Source = "secret"
	Earlier  Source = "run"
)

// Value is the value of a placeholder.
type Value struct {
	Source Source
	Name   string // of the parameter, variable or secret; "" for all arguments
	Given  bool   // false: a declared argument that was left out
	Data   any    // a JSON value
}

// Text returns the value as plain text: a string as it is, "" for null, and JSON for any other
// value.
func (v Value) Text() string {
	switch d := v.Data.(type) {
	case nil:
		return ""
	case string:
		return d
	}
	return v.JSON()
}

// JSON returns the value as JSON.
func (v Value) JSON() string {
	raw, err := exactjson.Encode(v.Data)
	if err != nil {
		return "null" // Data is not a JSON value
	}
	return string(raw)
}

// Lookup returns the value of a placeholder's name. The error is an [*Error].
func (s *Scope) Lookup(name string) (Value, error) {
	if v, ok := s.element(name); ok {
		return v, nil
	}
	space, rest, dotted := strings.Cut(name, ".")
	switch {
	case strings.ContainsAny(name, "#/@(: "):
		return Value{}, &Error{name, "is no name; a binding takes names alone"}
	case dotted && space == "secrets":
		v, ok := s.Secrets[rest]
		return Value{Secret, rest, true, v}, orMissing(ok, name, "is a secret that is not there")
	case dotted && (space == "env" || space == "config"):
		v, ok := s.Variables[rest]
		return Value{Variable, rest, true, v}, orMissing(ok, name, "is no variable of the environment; set it under variables in abl.yaml")
	case dotted && space == "session":
		v, ok := expression.Path(s.Session, rest)
		return Value{Session, rest, ok, v}, orMissing(ok, name, "is not set in the session")
	case s.Run != nil && slices.Contains([]string{"result", "args"}, placeholder.RootName(name)):
		return s.Run.lookup(name)
	case dotted && space == "input":
		if v, ok := s.argument(rest); ok {
			return v, nil
		}
	case name == "input" && !s.Declared("input"):
		return Value{Argument, "", true, s.Args}, nil
	}
	if v, ok := s.argument(name); ok {
		return v, nil
	}
	return Value{}, &Error{name, "is no parameter of this tool"}
}

func (r *Run) lookup(name string) (Value, error) {
	switch {
	case placeholder.RootName(name) == "args":
		v, ok := expression.Path(map[string]any{"args": r.Args}, name)
		return Value{Earlier, name, ok, v}, orMissing(ok, name, "was not given to the run")
	case r.Coming:
		return Value{Earlier, name, true, "…"}, nil
	}
	v, ok := expression.Path(map[string]any{"result": r.Result}, name)
	return Value{Earlier, name, ok, v}, orMissing(ok, name, "is not there")
}

func orMissing(ok bool, name, reason string) error {
	if ok {
		return nil
	}
	return &Error{name, reason}
}

// argument returns the value of a parameter, or a value inside it: customer.name, ids[0]. It
// returns false if path does not begin with the name of a parameter.
func (s *Scope) argument(path string) (Value, bool) {
	name := path
	if !s.Declared(path) {
		name = placeholder.RootName(path)
	}
	if !s.Declared(name) {
		return Value{}, false
	}
	data, ok := expression.Path(s.Args, path)
	return Value{Argument, name, ok, data}, true
}

// Declared reports whether there is a parameter with that name.
func (s *Scope) Declared(name string) bool { return slices.Contains(s.Params, name) }

// Expand returns text with its placeholders filled in. write returns the text of a value for its
// place; if write is nil, values are written as plain text.
func (s *Scope) Expand(text string, write func(Value) (string, error)) (string, error) {
	if !strings.Contains(text, "{{") {
		return text, nil
	}
	return placeholder.Fill(text, false, func(p placeholder.Lookup) (string, error) {
		v, err := s.Lookup(p.Name)
		if err != nil {
			return "", err
		}
		if write == nil {
			return v.Text(), nil
		}
		return write(v)
	})
}
