package projectfile

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// Case is one saved call of a tool.
type Case struct {
	File        string // its path, if known
	Tool        string
	Name        string    // if it has none, its number among the tool's cases: #2
	Span        text.Span // of its name, else of the whole case
	Args        json.RawMessage
	Session     json.RawMessage
	Environment string
	Tags        []string
	Skip        string // why it is not run for now; "" if it is run
	Expect      Expect
	Misread     error // why it cannot be called as written, beginning with the line; nil if it can
}

// Expect is what a case expects of its result. One without OK and Value expects success.
type Expect struct {
	OK    *bool
	Value string // an expression; "" for none

	Span, OKSpan, ValueSpan text.Span // of its key, and of the values; that of the case if they are missing
}

// ExpectNames returns the names that the expression of [Expect] may use.
func ExpectNames() []string {
	return []string{"value", "result", "set", "error", "args", "duration_ms"}
}

// SavedCases returns the cases of a file, in order. Dates are texts, and numbers keep their digits.
// A line that is no YAML affects itself only.
func SavedCases(d *yaml.Document) []Case {
	var all []Case
	for _, m := range d.Root().Members {
		for i, n := range m.Value.Items {
			if n.Kind == yaml.Map {
				c := newCase(m.Key.Text, i, n)
				c.Misread = misreadCase(d, m.Value, i)
				all = append(all, c)
			}
		}
	}
	return all
}

func newCase(tool string, i int, n *yaml.Node) Case {
	c := Case{Tool: tool, Name: fmt.Sprintf("#%d", i+1), Span: n.Span, Args: rawOf(n.Get("args")), Session: rawOf(n.Get("session"))}
	if name := n.Get("name"); hasValue(name) {
		c.Name, c.Span = name.Text, name.Span
	}
	if e := n.Get("environment"); hasValue(e) {
		c.Environment = e.Text
	}
	if why := n.Get("skip"); hasValue(why) && why.Text != "false" {
		c.Skip = why.Text
	}
	c.Tags = tagsOf(n.Get("tags"))
	c.Expect = expectOf(n, c.Span)
	return c
}

// hasValue reports whether a single value is there.
func hasValue(n *yaml.Node) bool { return n.IsScalar() && n.Kind != yaml.Null && n.Text != "" }

func expectOf(n *yaml.Node, whole text.Span) Expect {
	e := Expect{Span: whole, OKSpan: whole, ValueSpan: whole}
	m := n.Member("expect")
	if m == nil {
		return e
	}
	e.Span = m.Key.Span
	if ok := m.Value.Get("ok"); ok != nil && ok.Kind == yaml.Bool {
		e.OK, e.OKSpan = new(typedScalar(ok) == true), ok.Span
	}
	if v := m.Value.Get("value"); v.IsScalar() {
		e.Value, e.ValueSpan = v.Text, v.Span
	}
	return e
}

// rawOf returns n as JSON; nil if n is nil, is null, or cannot be written as JSON.
func rawOf(n *yaml.Node) json.RawMessage {
	if n == nil || n.Kind == yaml.Null {
		return nil
	}
	raw, err := exactjson.Encode(value(n, typedScalar))
	if err != nil {
		return nil
	}
	return raw
}

// tagsOf returns the words of a list, or a single one.
func tagsOf(n *yaml.Node) []string {
	var tags []string
	if n.IsScalar() && n.Text != "" {
		return []string{n.Text}
	}
	if n != nil {
		for _, item := range n.Items {
			if item.IsScalar() && item.Text != "" {
				tags = append(tags, item.Text)
			}
		}
	}
	return slices.Compact(tags)
}
