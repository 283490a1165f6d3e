package projectfile

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// Case is one saved call of a tool.
type Case struct {
	Tool        string
	Name        string    // where it has none, which of the tool's cases it is: #2
	Span        text.Span // of its name, else of the whole case
	Args        json.RawMessage
	Session     json.RawMessage
	Environment string
	Tags        []string
	Expect      Expect
	Misread     error // why it cannot be called as it is written, beginning with the line; nil: it can
}

// Expect is what a case says of its result. Nothing said means that it succeeds.
type Expect struct {
	OK    *bool
	Value string // an expression; "" for none
}

// SavedCases are the cases of a file, in order. Dates are texts, and numbers keep
// their digits. A line that is no YAML costs itself.
func SavedCases(d *yaml.Document) []Case {
	var all []Case
	for _, m := range d.Root().Members {
		for i, n := range m.Value.Items {
			if n.Kind == yaml.Map {
				c := newCase(m.Key.Text, i, n)
				c.Misread = misread(d, m.Value, i)
				all = append(all, c)
			}
		}
	}
	return all
}

func newCase(tool string, i int, n *yaml.Node) Case {
	c := Case{Tool: tool, Name: fmt.Sprintf("#%d", i+1), Span: n.Span, Args: rawOf(n.Get("args")), Session: rawOf(n.Get("session"))}
	if name := n.Get("name"); name.IsScalar() && name.Text != "" {
		c.Name, c.Span = name.Text, name.Span
	}
	if e := n.Get("environment"); e.IsScalar() {
		c.Environment = e.Text
	}
	c.Tags = tagsOf(n.Get("tags"))
	expect := n.Get("expect")
	if ok := expect.Get("ok"); ok != nil && ok.Kind == yaml.Bool {
		c.Expect.OK = new(typed(ok) == true)
	}
	if v := expect.Get("value"); v.IsScalar() {
		c.Expect.Value = v.Text
	}
	return c
}

// rawOf is a node as JSON, nil where there is nothing.
func rawOf(n *yaml.Node) json.RawMessage {
	if n == nil || n.Kind == yaml.Null {
		return nil
	}
	raw, err := encode(value(n, typed))
	if err != nil {
		return nil
	}
	return raw
}

// tagsOf are the words of a list, or a single one.
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
