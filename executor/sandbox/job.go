package sandbox

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/javascript"
	"github.com/abl-lsp/abl-lsp/tool"
)

// job is the input of a driver (driver.js, driver.py), as one line of JSON: code, which is the body
// of a function, and its variables. A name without a value is undefined in JavaScript and None in
// Python. A name that is not a valid variable name is left out. If it has a value, it is included,
// so that the driver reports it as an error.
type job struct {
	Code   string         `json:"code"`
	Names  []string       `json:"names"`
	Values map[string]any `json:"values"`
	Big    [][]any        `json:"big"` // paths of the strings in Values that mean a JavaScript BigInt
}

func jobOf(call executor.Call, s *tool.Sandbox, r runtime) job {
	j := job{Code: s.Code, Values: map[string]any{}, Big: [][]any{}}
	for _, name := range call.Scope.Params {
		if _, given := call.Scope.Args[name]; given || s.CanName(name) {
			j.Names = append(j.Names, name)
		}
	}
	maps.Copy(j.Values, call.Scope.Args)
	j.addSessionValues(call.SessionValues)
	if r.hasInexactIntegers {
		for name, value := range j.Values {
			j.Values[name] = javascript.BigIntegersAsText(value, []any{name}, &j.Big)
		}
	}
	return j
}

// addSessionValues adds variables for the session's values: `user.name` becomes the field name of the
// variable user. An argument of the same name wins.
func (j *job) addSessionValues(values []tool.Member) {
	sessionVariables := map[string]map[string]any{}
	for _, m := range values {
		name, path, nested := strings.Cut(m.Name, ".")
		if slices.Contains(j.Names, name) && sessionVariables[name] == nil {
			continue
		}
		if sessionVariables[name] == nil {
			sessionVariables[name] = map[string]any{}
			j.Names = append(j.Names, name)
		}
		if !nested {
			j.Values[name] = m.Value
			continue
		}
		if _, whole := j.Values[name]; !whole {
			j.Values[name] = sessionVariables[name]
		}
		setPath(sessionVariables[name], path, m.Value)
	}
}

// setPath sets the value at a dotted path. It replaces a value on the path that is not an object.
func setPath(in map[string]any, path string, value any) {
	name, rest, nested := strings.Cut(path, ".")
	if !nested {
		in[name] = value
		return
	}
	below, ok := in[name].(map[string]any)
	if !ok {
		below = map[string]any{}
		in[name] = below
	}
	setPath(below, rest, value)
}

// encode returns the job as the line that a driver reads.
func (j job) encode() ([]byte, error) {
	b, err := json.Marshal(j)
	return append(b, '\n'), err
}
