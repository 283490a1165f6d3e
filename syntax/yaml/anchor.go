package yaml

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// properties are an anchor and a tag before a node.
type properties struct {
	anchor, tag string
}

func (r *reader) properties() properties {
	var props properties
	for r.spaces(); r.at < r.end && (r.src[r.at] == '&' || r.src[r.at] == '!'); r.spaces() {
		name := r.name()
		if name[0] == '&' {
			props.anchor = name[1:]
		} else {
			props.tag = name[1:]
		}
	}
	return props
}

// name is a word with the sign before it.
func (r *reader) name() string {
	start := r.at
	for r.at++; r.at < r.end && !isBlank(r.src[r.at]) && (len(r.flows) == 0 || !isIndicator(r.src[r.at])); {
		r.at++
	}
	return r.src[start:r.at]
}

// on gives a node its properties.
func (props properties) on(r *reader, n *Node) *Node {
	if props == (properties{}) || n.Alias != "" {
		return n
	}
	n.Anchor, n.Tag = props.anchor, props.tag
	if n.IsScalar() && props.tag == "!str" {
		n.Kind = String
	}
	if n.Anchor != "" {
		r.anchors[n.Anchor], r.linked = n, true
	}
	return n
}

// alias is what an anchor before it says. Of one that leads nowhere, or that
// repeats too much, nothing is known.
func (r *reader) alias() *Node {
	start := r.at
	r.linked = true
	name := strings.TrimSuffix(r.name(), ":")
	r.at = start + len(name)
	n := &Node{Alias: name[1:], Span: text.Span{Start: start, End: r.at}, weight: 1}
	target := r.anchors[n.Alias]
	if target == nil {
		r.fault(n.Span, "No anchor `&"+n.Alias+"` stands before this alias.")
		n.Open = true
		return n
	}
	if r.repeated+target.weight > maxRepeated {
		r.fault(n.Span, "Aliases repeat too much here to be read.")
		n.Open = true
		return n
	}
	r.repeated += target.weight
	span, alias := n.Span, n.Alias
	*n = *target
	n.Span, n.Alias, n.Anchor = span, alias, ""
	return n
}

// merged puts what `<<` names behind the members of a map, and marks those that
// are there twice.
func merged(n *Node) *Node {
	var own, more []Member
	have := map[string]bool{}
	for _, m := range n.Members {
		if m.Key.Text == "<<" && m.Key.Style == Plain {
			more = append(more, merging(n, m.Value)...)
			continue
		}
		m.Again = m.Key.IsScalar() && have[m.Key.Text]
		have[m.Key.Text] = true
		own = append(own, m)
	}
	n.Members = own
	for _, m := range more {
		if !have[m.Key.Text] {
			have[m.Key.Text] = true
			m.Merged, m.Again = true, false
			n.Members = append(n.Members, m)
		}
	}
	return n
}

// merging are the members of a map, or of those in a list.
func merging(into, value *Node) []Member {
	into.Open = into.Open || value.Open || value.Kind != Map && value.Kind != List
	if value.Kind != List {
		return value.Members
	}
	var all []Member
	for _, item := range value.Items {
		into.Open = into.Open || item.Open || item.Kind != Map
		all = append(all, item.Members...)
	}
	return all
}
