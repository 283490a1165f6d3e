package yaml

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// AnchorOccurrence is an anchor, or an alias that repeats it.
type AnchorOccurrence struct {
	Name   string
	Span   text.Span // of the name, without & or *
	Anchor text.Span // of the anchor's name; equal to Span for the anchor itself
	Node   *Node     // the anchored node
}

// IsAlias reports whether the occurrence is an alias.
func (l AnchorOccurrence) IsAlias() bool { return l.Span != l.Anchor }

// AnchorOccurrences returns the anchors, and the aliases that have an anchor, in order.
func (d *Document) AnchorOccurrences() []AnchorOccurrence { return d.occurrences }

// properties are an anchor and a tag before a node.
type properties struct {
	anchor, tag string
	anchorSpan  text.Span // of the anchor's name
}

func (r *reader) readProperties() properties {
	var props properties
	for r.skipBlanks(); r.at < r.lineEnd && (r.src[r.at] == '&' || r.src[r.at] == '!'); r.skipBlanks() {
		name := r.readPropertyName()
		if name[0] == '&' {
			props.anchor, props.anchorSpan = name[1:], text.Span{Start: r.at - len(name) + 1, End: r.at}
		} else {
			props.tag = name[1:]
		}
	}
	return props
}

// readPropertyName reads a word with the sign before it.
func (r *reader) readPropertyName() string {
	start := r.at
	for r.at++; r.at < r.lineEnd && !isBlank(r.src[r.at]) && (len(r.closers) == 0 || !isFlowIndicator(r.src[r.at])); {
		r.at++
	}
	return r.src[start:r.at]
}

// applyTo sets the anchor and the tag of n, records the anchor, and returns n.
func (props properties) applyTo(r *reader, n *Node) *Node {
	if props == (properties{}) || n.Alias != "" {
		return n
	}
	n.Anchor, n.Tag = props.anchor, props.tag
	if n.IsScalar() && props.tag == "!str" {
		n.Kind = String
	}
	if n.Anchor != "" {
		link := AnchorOccurrence{n.Anchor, props.anchorSpan, props.anchorSpan, n}
		r.anchors[n.Anchor], r.hasAnchors = link, true
		r.occurrences = append(r.occurrences, link)
	}
	return n
}

// readAlias reads an alias and returns a node with the content of its anchor. The node is
// incomplete if there is no such anchor, or if aliases repeat too many nodes.
func (r *reader) readAlias() *Node {
	start := r.at
	r.hasAnchors = true
	name := strings.TrimSuffix(r.readPropertyName(), ":")
	r.at = start + len(name)
	n := &Node{Alias: name[1:], Span: text.Span{Start: start, End: r.at}, weight: 1}
	anchor, known := r.anchors[n.Alias]
	target := anchor.Node
	if !known {
		r.addFault(n.Span, "No anchor `&"+n.Alias+"` stands before this alias.")
		n.Incomplete = true
		return n
	}
	r.occurrences = append(r.occurrences, AnchorOccurrence{n.Alias, text.Span{Start: start + 1, End: r.at}, anchor.Anchor, target})
	if r.aliasedNodes+int(target.weight) > maxRepeated {
		r.addFault(n.Span, "Aliases repeat too much here to be read.")
		n.Incomplete = true
		return n
	}
	r.aliasedNodes += int(target.weight)
	span, alias := n.Span, n.Alias
	*n = *target
	n.Span, n.Alias, n.Anchor, n.origin = span, alias, "", nil
	return n
}

// mergeMembers appends the members that `<<` names to those of the map n, and marks duplicate
// keys. It returns n.
func mergeMembers(n *Node) *Node {
	var own, more []Member
	have := map[string]bool{}
	for _, m := range n.Members {
		if m.Key.Text == "<<" && m.Key.Style == Plain {
			more = append(more, membersToMerge(n, m.Value)...)
			continue
		}
		m.Duplicate = m.Key.IsScalar() && have[m.Key.Text]
		have[m.Key.Text] = true
		own = append(own, m)
	}
	n.Members = own
	for _, m := range more {
		if !have[m.Key.Text] {
			have[m.Key.Text] = true
			m.Merged, m.Duplicate = true, false
			n.Members = append(n.Members, m)
		}
	}
	return n
}

// membersToMerge returns the members of value, a map or a list of maps. It marks into as
// incomplete if value is anything else or incomplete itself.
func membersToMerge(into, value *Node) []Member {
	into.Incomplete = into.Incomplete || value.Incomplete || value.Kind != Map && value.Kind != List
	if value.Kind != List {
		return value.Members
	}
	var all []Member
	for _, item := range value.Items {
		into.Incomplete = into.Incomplete || item.Incomplete || item.Kind != Map
		all = append(all, item.Members...)
	}
	return all
}
