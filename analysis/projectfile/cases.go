package projectfile

import (
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Cases are the saved cases of one tool.
type Cases struct {
	Tool Entry
	Args []Entry // the arguments of all of its cases; a name may come again
}

// ParseCases reads a file of saved cases. It is not ok where the text is no YAML.
func ParseCases(source string) (all []Cases, ok bool) {
	defer func() {
		if recover() != nil { // the parser of YAML is not ours
			all, ok = nil, false
		}
	}()
	if len(source) > MaxBytes {
		return nil, false
	}
	file, err := parser.ParseBytes([]byte(plain(source)), 0)
	if err != nil {
		return nil, false
	}
	r := reader{source: source, lines: text.NewLines(source)}
	for _, d := range file.Docs {
		members, _ := membersOf(d.Body)
		for _, m := range members {
			all = append(all, Cases{Entry{keyOf(m), r.span(m.Key)}, r.arguments(m.Value)})
		}
	}
	return all, true
}

// arguments are those of a list of cases.
func (r *reader) arguments(cases ast.Node) []Entry {
	var out []Entry
	list, _ := bare(cases).(*ast.SequenceNode)
	if list == nil {
		return nil
	}
	for _, one := range list.Values {
		members, _ := membersOf(one)
		for _, m := range members {
			if keyOf(m) != "args" {
				continue
			}
			args, _ := membersOf(m.Value)
			for _, a := range args {
				out = append(out, Entry{keyOf(a), r.span(a.Key)})
			}
		}
	}
	return out
}

// NameSpan is the place of the name without quotes.
func (e Entry) NameSpan() text.Span {
	if e.Span.Len()-len(e.Name) == len(`""`) {
		return text.Span{Start: e.Span.Start + 1, End: e.Span.End - 1}
	}
	return e.Span
}
