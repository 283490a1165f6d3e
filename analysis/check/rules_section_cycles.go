package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// dependency is one name of a `depends_on`; the span is relative to the file.
type dependency struct {
	field, on string
	span      text.Span
}

// circularFields: a field does not wait for itself, directly or through others.
func circularFields(out *findings, f File) {
	all := stepDependencies(f)
	next := map[string][]string{}
	for _, d := range all {
		next[d.field] = append(next[d.field], d.on)
	}
	for _, d := range all {
		if leadsTo(next, d.on, d.field, map[string]bool{}) {
			out.err(d.span, "`%s` waits for itself: `depends_on` leads back to it.", d.field)
		}
	}
}

func leadsTo(next map[string][]string, from, to string, seen map[string]bool) bool {
	if from == to {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	for _, on := range next[from] {
		if leadsTo(next, on, to, seen) {
			return true
		}
	}
	return false
}

// stepDependencies returns the dependencies of all fields that the file collects.
func stepDependencies(f File) []dependency {
	var all []dependency
	for _, s := range f.Doc.Sections() {
		info, _ := model.LookupSection(s.Name())
		if info.Name != "GATHER" && info.Name != "FLOW" {
			continue
		}
		for _, e := range s.Entries {
			if !strings.Contains(strings.ToLower(e.Text()), "depends_on") {
				continue
			}
			for _, m := range model.Maps(f.Kind, s.Name(), e.Root(), nil) {
				all = append(all, dependenciesOf(m, e.Offset)...)
			}
		}
	}
	return all
}

func dependenciesOf(m model.Map, offset int) (all []dependency) {
	name := m.Key
	if name.IsZero() {
		name = model.Item{Node: m.Node}.NameNode()
	}
	for _, p := range m.Properties {
		if !strings.EqualFold(p.WrittenName(), "depends_on") || name.IsZero() || p.Node == m.Node {
			continue
		}
		for _, item := range p.Items() {
			all = append(all, dependency{syntax.Unquote(name.Text()), item.PlainText(), firstLine(item.Node).Shift(offset)})
		}
		if len(p.Items()) > 0 || p.Value.IsZero() {
			continue
		}
		for on := range strings.SplitSeq(p.Text(), ",") {
			all = append(all, dependency{syntax.Unquote(name.Text()), strings.TrimSpace(on), p.Value.Span().Shift(offset)})
		}
	}
	return all
}
