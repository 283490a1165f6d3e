// Package history compares runs of the journal, and draws runs over time, for terminals and for
// editors.
package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// Comparison says how two runs differ. What always differs, such as the time, is not among the
// differences.
type Comparison struct {
	Older       executor.ListedRun `json:"older"`
	Newer       executor.ListedRun `json:"newer"`
	Differences []Difference       `json:"differences"`
}

// Difference is one place where two runs differ. A run that has nothing there has nil.
type Difference struct {
	Path  string          `json:"path"` // such as `outcome`, `args.city` and `value.days[2].high`
	Older json.RawMessage `json:"older,omitempty"`
	Newer json.RawMessage `json:"newer,omitempty"`
}

// ErrNoOther is the error of [RunBefore] if the journal has no earlier run of the tool.
var ErrNoOther = errors.New("the journal has no earlier run of the tool")

// Find returns the run with an id among rows.
func Find(rows []executor.PastRun, id string) (executor.PastRun, error) {
	for _, r := range rows {
		if r.Run == id {
			return r, nil
		}
	}
	return executor.PastRun{}, executor.NoSuchRunError(id)
}

// RunBefore returns the run of the same tool that comes after a run in rows, of which the newest is
// the first.
func RunBefore(rows []executor.PastRun, run executor.PastRun) (executor.PastRun, error) {
	at := slices.IndexFunc(rows, func(r executor.PastRun) bool { return r.Run == run.Run })
	for _, r := range rows[at+1:] {
		if r.Tool == run.Tool && r.Version == run.Version && r.File == run.File && r.Reverts == "" {
			return r, nil
		}
	}
	return executor.PastRun{}, ErrNoOther
}

// Compare compares two runs, which may be given in any order.
func Compare(one, other executor.PastRun) Comparison {
	if other.Run < one.Run { // ids begin with the time
		one, other = other, one
	}
	c := Comparison{Older: executor.ListRun(one), Newer: executor.ListRun(other), Differences: []Difference{}}
	older, newer := parts(c.Older), parts(c.Newer)
	for i := range older {
		c.addDifferences(older[i].name, older[i].value, newer[i].value)
	}
	return c
}

// part is one thing that two runs are compared by. The value is a part of JSON as
// [exactjson.Decode] returns it, or absent.
type part struct {
	name    string
	value   any
	isPlace bool // says where the run took place
}

// absent is the value of what a run does not have. It is no JSON.
type absent struct{}

// parts returns what runs are compared by, always the same names in the same order.
func parts(r executor.ListedRun) []part {
	message := any(absent{})
	if r.Error != nil {
		message = Failure(r)
	}
	return []part{
		{"tool", textOrAbsent(tool.JoinVersion(r.Tool, r.Version)), true},
		{"file", textOrAbsent(r.File), true},
		{"reverts", textOrAbsent(r.Reverts), true},
		{"environment", textOrAbsent(r.Environment), true},
		{"host", textOrAbsent(r.Host), true},
		{"args", decode(r.Args), false},
		{"outcome", r.Outcome, false},
		{"error", message, false},
		{"value", decode(r.Value), false},
	}
}

func textOrAbsent(text string) any {
	if text == "" {
		return absent{}
	}
	return text
}

func decode(raw json.RawMessage) any {
	value, err := exactjson.Decode[any](raw)
	if err != nil { // there is none
		return absent{}
	}
	return value
}

// addDifferences adds each place below path where two values differ.
func (c *Comparison) addDifferences(path string, older, newer any) {
	switch a := older.(type) {
	case map[string]any:
		if b, ok := newer.(map[string]any); ok {
			for _, key := range keysOf(a, b) {
				c.addDifferences(memberPath(path, key), memberOf(a, key), memberOf(b, key))
			}
			return
		}
	case []any:
		if b, ok := newer.([]any); ok {
			for i := range max(len(a), len(b)) {
				c.addDifferences(fmt.Sprintf("%s[%d]", path, i), elementOf(a, i), elementOf(b, i))
			}
			return
		}
	}
	if before, after := encode(older), encode(newer); !bytes.Equal(before, after) {
		c.Differences = append(c.Differences, Difference{path, before, after})
	}
}

// keysOf returns the keys of two objects in their order in the alphabet.
func keysOf(a, b map[string]any) (keys []string) {
	for _, object := range []map[string]any{a, b} {
		for key := range object {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func memberOf(object map[string]any, key string) any {
	if value, ok := object[key]; ok {
		return value
	}
	return absent{}
}

func elementOf(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return absent{}
}

// simpleName matches the keys that can follow a dot in a path.
var simpleName = lazyregexp.New(`^[A-Za-z_][A-Za-z_0-9]*$`)

func memberPath(path, key string) string {
	if simpleName.MatchString(key) {
		return path + "." + key
	}
	return path + "[" + string(exactjson.EncodeOrNil(key)) + "]"
}

// encode returns the JSON of a value, nil if it is absent.
func encode(value any) json.RawMessage {
	if value == (absent{}) {
		return nil
	}
	return exactjson.EncodeOrNil(value)
}
