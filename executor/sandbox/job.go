package sandbox

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// job is what a driver (driver.js, driver.py) gets, as one line of JSON: code, which
// is the body of a function, and its variables. One without a value is undefined in
// JavaScript, None in Python.
type job struct {
	Code   string         `json:"code"`
	Names  []string       `json:"names"`
	Values map[string]any `json:"values"`
	Big    [][]any        `json:"big"` // paths into values of strings that are a JavaScript BigInt
}

func jobOf(call executor.Call, s *tool.Sandbox, r runtime) job {
	j := job{Code: s.Code, Names: slices.Clone(call.Scope.Params), Values: map[string]any{}, Big: [][]any{}}
	for name, value := range call.Scope.Args {
		j.Values[name] = value
	}
	j.addContext(call.Context)
	if r.big {
		for name, value := range j.Values {
			j.Values[name] = j.withoutBig(value, []any{name})
		}
	}
	return j
}

// addContext makes variables of the session's values: `user.name` is the field name
// of the variable user. An argument stands before them.
func (j *job) addContext(values []tool.Member) {
	own := map[string]map[string]any{}
	for _, m := range values {
		name, path, nested := strings.Cut(m.Name, ".")
		if slices.Contains(j.Names, name) && own[name] == nil {
			continue
		}
		if own[name] == nil {
			own[name] = map[string]any{}
			j.Names = append(j.Names, name)
		}
		if !nested {
			j.Values[name] = m.Value
			continue
		}
		if _, whole := j.Values[name]; !whole {
			j.Values[name] = own[name]
		}
		put(own[name], path, m.Value)
	}
}

// put sets a value below a dotted path.
func put(in map[string]any, path string, value any) {
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
	put(below, rest, value)
}

// maxExact is up to where a JavaScript number holds every integer.
const maxExact = 1<<53 - 1

// withoutBig is a value with strings in place of the integers that a JavaScript
// number would change.
func (j *job) withoutBig(value any, path []any) any {
	switch v := value.(type) {
	case json.Number:
		if isBig(v) {
			j.Big = append(j.Big, slices.Clone(path))
			return string(v)
		}
	case []any:
		out := make([]any, len(v))
		for i, part := range v {
			out[i] = j.withoutBig(part, append(path, i))
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, part := range v {
			out[name] = j.withoutBig(part, append(path, name))
		}
		return out
	}
	return value
}

// isBig reports whether a number is written as an integer beyond maxExact.
func isBig(n json.Number) bool {
	if strings.ContainsAny(string(n), ".eE") {
		return false
	}
	i, err := strconv.ParseInt(string(n), 10, 64)
	return err != nil || i > maxExact || i < -maxExact
}

// line is the job as a driver reads it.
func (j job) line() ([]byte, error) {
	b, err := json.Marshal(j)
	return append(b, '\n'), err
}
