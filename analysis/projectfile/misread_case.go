package projectfile

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// LostCase returns the fault that keeps cases of a file from being read, so that the remaining ones
// are not mistaken for all; nil if there is none.
func LostCase(d *yaml.Document) *yaml.Fault {
	if f := firstUnread(d); f != nil {
		return f
	}
	for _, m := range d.Root().Members {
		switch {
		case strings.HasPrefix(m.Key.Text, "x-") || m.Value.Anchor != "" || m.Value.Kind == yaml.Null: // a help, or to come
		case m.Value.Kind != yaml.List:
			return &yaml.Fault{Span: m.Key.Span, Message: "The cases of `" + m.Key.Text + "` are a list, and this is " + m.Value.Kind.String() + "."}
		}
		for _, n := range m.Value.Items {
			if n.Kind != yaml.Map && !n.IsEmpty() {
				return &yaml.Fault{Span: n.Span, Message: "A case is a map, and this is " + n.Kind.String() + "."}
			}
		}
	}
	return nil
}

// firstUnread returns the first fault of the text or, if the text is not one map of keys, a fault
// that says so; else nil.
func firstUnread(d *yaml.Document) *yaml.Fault {
	if faults := d.Faults(); len(faults) > 0 {
		return &faults[0]
	}
	root, roots := d.Root(), d.Roots()
	if root.Kind == yaml.Map || root.Kind == yaml.Null {
		if len(roots) == 1 {
			return nil
		}
		root = roots[1]
	}
	return &yaml.Fault{Span: root.Span, Message: "the file is one map of keys"}
}

// misreadCase returns an error if case i of cases is not what its author wrote, or cannot mean
// anything; else nil. A call with the part that can be read could do something else.
func misreadCase(d *yaml.Document, cases *yaml.Node, i int) error {
	n := cases.Items[i]
	within := text.Span{Start: n.Span.Start, End: endOfCases(d, n)}
	if i+1 < len(cases.Items) {
		within.End = cases.Items[i+1].Span.Start
	}
	for _, f := range d.Faults() {
		if within.Start <= f.Span.Start && f.Span.Start < within.End {
			return errorAt(d.Lines(), f.Span.Start, f.Message)
		}
	}
	end := max(within.Start, within.End) // an alias is after what it means
	if i := notUTF8(d.Lines().Text()[within.Start:end]); i >= 0 {
		return errorAt(d.Lines(), within.Start+i, "what is not UTF-8 stands here")
	}
	return misfitCase(d, n)
}

// notUTF8 returns the offset of the first byte that would be sent as another one, or -1.
func notUTF8(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return -1
}

// endOfCases returns the offset after the last case of a tool.
func endOfCases(d *yaml.Document, n *yaml.Node) int {
	for _, m := range d.Root().OwnMembers() {
		if m.Key.Span.Start > n.Span.Start {
			return m.Key.Span.Start
		}
	}
	return len(d.Lines().Text())
}

// misfitCase returns an error for a key of a case that has the wrong form, appears twice, or is
// never read.
func misfitCase(d *yaml.Document, n *yaml.Node) error {
	if err := unknownKey(d, n, "a case", caseFields); err != nil {
		return err
	}
	for _, of := range []struct{ key, is string }{{"environment", "a single name"}, {"skip", "a text that says why"}} {
		if m := n.Member(of.key); m != nil && !m.Value.IsScalar() {
			return errorAt(d.Lines(), m.Key.Span.Start, of.key+" is "+of.is)
		}
	}
	expect := n.Member("expect")
	switch {
	case expect == nil || expect.Value.Kind == yaml.Null:
		return nil
	case expect.Value.Kind != yaml.Map:
		return errorAt(d.Lines(), expect.Key.Span.Start, "expect is a map with ok and value")
	}
	if err := unknownKey(d, expect.Value, "expect", expectFields); err != nil {
		return err
	}
	for _, m := range expect.Value.Members {
		declared := ""
		switch {
		case m.Value.Kind == yaml.Null:
		case m.Key.Text == "ok" && m.Value.Kind != yaml.Bool:
			declared = "expect.ok is true or false"
		case m.Key.Text == "value" && (!m.Value.IsScalar() || m.Value.Text == ""):
			declared = "expect.value is an expression"
		}
		if declared != "" {
			return errorAt(d.Lines(), m.Key.Span.Start, declared)
		}
	}
	return nil
}

// unknownKey returns an error for a key that is unknown, or appears twice, so that it would not
// count. Names that begin with x- are free.
func unknownKey(d *yaml.Document, n *yaml.Node, of string, fields []tool.Field) error {
	for _, m := range n.Members {
		declared := ""
		switch is := func(field tool.Field) bool { return field.Name == m.Key.Text }; {
		case m.Duplicate && !m.Merged:
			declared = m.Key.Text + " stands here twice; keep one of them"
		case m.Value.Kind != yaml.Null && !strings.HasPrefix(m.Key.Text, "x-") && !slices.ContainsFunc(fields, is):
			declared = m.Key.Text + " is no key of " + of + ", which has " + strings.Join(tool.FieldNames(fields), ", ")
		}
		if declared != "" {
			return errorAt(d.Lines(), m.Key.Span.Start, declared)
		}
	}
	return nil
}
