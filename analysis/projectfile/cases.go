package projectfile

import (
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// Cases are the saved cases of one tool, as one key at the top level of their file has them.
type Cases struct {
	Tool   Entry
	Args   []Entry      // the arguments of all of its cases; a name may be repeated
	Checks []*yaml.Node // the expressions that their results must satisfy
}

// ReadCases returns the saved cases of each tool in a file, in the order of the text, with what can
// be read of them.
func ReadCases(d *yaml.Document) []Cases {
	var all []Cases
	for _, m := range d.Root().OwnMembers() {
		all = append(all, Cases{Entry{Name: m.Key.Text, Span: m.Key.Span}, arguments(m.Value), checks(m.Value)})
	}
	return all
}

// arguments returns the names below `args` of each case in cases, a list of saved cases.
func arguments(cases *yaml.Node) []Entry {
	var out []Entry
	for _, one := range cases.Items {
		for _, m := range one.Get("args").OwnMembers() {
			out = append(out, Entry{Name: m.Key.Text, Span: m.Key.Span})
		}
	}
	return out
}

// checks returns the nodes of the expressions under `value` of `expect` in cases, a list of saved
// cases. It leaves out an alias and a value that is no text; there are none if cases is no list.
func checks(cases *yaml.Node) []*yaml.Node {
	var out []*yaml.Node
	for _, one := range cases.Items {
		if v := one.Get("expect").Get("value"); v != nil && v.Kind == yaml.String && v.Alias == "" {
			out = append(out, v)
		}
	}
	return out
}

// NameSpan returns the span of the entry's name without its quotes.
func (e Entry) NameSpan() text.Span {
	if e.Span.Len()-len(e.Name) == len(`""`) {
		return text.Span{Start: e.Span.Start + 1, End: e.Span.End - 1}
	}
	return e.Span
}
